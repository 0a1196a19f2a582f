#if os(Linux)
    public import Foundation

    // Notifications between processes of an app, by name only. There is one process here, so what is posted reaches its own observers.

    /// The name of a notification.
    public struct CFNotificationName: Hashable, @unchecked Sendable {
        /// The name as a string.
        public let rawValue: CFString

        /// Makes a name.
        public init(_ rawValue: CFString) { self.rawValue = rawValue }

        /// Makes a name.
        public init(rawValue: CFString) { self.rawValue = rawValue }
    }

    /// The treatment of notifications while a process is suspended. Without effect.
    public enum CFNotificationSuspensionBehavior: Int, Sendable {
        /// They are dropped.
        case drop = 1
        /// The last of each name is kept.
        case coalesce = 2
        /// They are kept.
        case hold = 3
        /// They are delivered.
        case deliverImmediately = 4
    }

    /// A function that receives notifications.
    public typealias CFNotificationCallback = (
        CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
    ) -> Void

    /// Passes notifications to observers.
    public final class CFNotificationCenter: @unchecked Sendable {
        private struct Observation: @unchecked Sendable {
            let observer: UnsafeRawPointer?
            let name: String?
            let callback: CFNotificationCallback
        }

        fileprivate static let darwin = CFNotificationCenter()
        fileprivate static let local = CFNotificationCenter()

        private let observations = Locked<[Observation]>([])

        fileprivate func add(
            _ observer: UnsafeRawPointer?, _ callback: @escaping CFNotificationCallback, _ name: String?
        ) {
            let observation = Observation(observer: observer, name: name, callback: callback)
            observations.withLock { $0.append(observation) }
        }

        fileprivate func remove(_ observer: UnsafeRawPointer?, _ name: String?) {
            observations.withLock { $0.removeAll { $0.observer == observer && (name == nil || $0.name == name) } }
        }

        fileprivate func post(_ name: CFNotificationName, _ userInfo: CFDictionary?) {
            let text = name.rawValue as String
            for observation in observations.snapshot where observation.name == nil || observation.name == text {
                observation.callback(
                    self, UnsafeMutableRawPointer(mutating: observation.observer), name, nil, userInfo)
            }
        }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The center for notifications between processes. Other processes get none here.
    public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwin }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The center for notifications within the process.
    public func CFNotificationCenterGetLocalCenter() -> CFNotificationCenter! { .local }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Adds an observer for a name, or for all names.
    public func CFNotificationCenterAddObserver(
        _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ callBack: CFNotificationCallback!,
        _ name: CFString!, _ object: UnsafeRawPointer!, _ suspensionBehavior: CFNotificationSuspensionBehavior
    ) {
        guard let callBack else { return }
        center?.add(observer, callBack, name.map { $0 as String })
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Removes an observer of a name, or of all names.
    public func CFNotificationCenterRemoveObserver(
        _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
        _ object: UnsafeRawPointer!
    ) {
        center?.remove(observer, name.map { $0.rawValue as String })
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Removes an observer.
    public func CFNotificationCenterRemoveEveryObserver(_ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!)
    {
        center?.remove(observer, nil)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posts a notification. The Darwin center passes on no user info.
    public func CFNotificationCenterPostNotification(
        _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
        _ userInfo: CFDictionary!, _ deliverImmediately: Bool
    ) {
        guard let name else { return }
        center?.post(name, center === CFNotificationCenter.darwin ? nil : userInfo)
    }
#endif
