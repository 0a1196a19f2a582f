#if os(Linux)
    import Foundation

    /// Access to what a device protects while it is locked. Source: Apple, "Restricting keychain item accessibility".
    package enum DeviceLock: Sendable {
        case unlocked
        case locked
        /// The device was restarted, and not unlocked since.
        case beforeFirstUnlock

        /// By simulated device; the process's own has no name.
        private static let locks = Locked<[String: DeviceLock]>([:])

        /// Sets the state of a simulated device, or of the process.
        package static func set(_ lock: DeviceLock, scope: String? = nil) {
            locks.withLock { $0[scope ?? ""] = lock == .unlocked ? nil : lock }
        }

        static var current: DeviceLock { locks.withLock { $0[AppGroupScope.current ?? ""] } ?? .unlocked }

        /// True if the device can decrypt an item.
        ///
        /// - Parameter accessibility: `kSecAttrAccessible`; an item without it is `kSecAttrAccessibleWhenUnlocked`.
        func permits(_ accessibility: String?) -> Bool {
            switch accessibility ?? "ak" {
            case "dk", "dku": true
            case "ck", "cku": self != .beforeFirstUnlock
            default: self == .unlocked
            }
        }
    }
#endif
