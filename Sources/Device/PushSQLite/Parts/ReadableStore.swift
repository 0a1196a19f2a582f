package import PushDevices
package import PushModel
package import PushStore

/// A store that commands read: one file (`SQLiteStore`), or several that together are one (`PartedStore`).
package protocol ReadableStore: ScreenReading {
    /// Everything that `body` reads is from one snapshot of each file, even while another process writes.
    func atOneMoment(_ body: () throws -> Void) throws

    /// Calls `body` for each notification on the screens, newest last or newest first.
    func forEachNotification(
        device: String?, app: String?, newestFirst: Bool, _ body: (DeliveredNotification) throws -> Void) throws

    /// Calls `body` for each app on a device, in the order in which they were first seen.
    func forEachCenter(_ body: (CenterSummary) throws -> Void) throws

    /// Calls `body` for each app on a device that events have registered, in the order of registration. Nil selects every device.
    func forEachRegisteredApp(device: String?, _ body: (RegisteredApp) throws -> Void) throws

    /// Calls `body` for each token that became invalid since a time, in milliseconds since the epoch, and for each valid one that
    /// another replaces: no time is known for these.
    func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws

    /// Calls `body` for each queued message, in the order in which they were accepted.
    func forEachHeld(_ body: (QueuedMessage) throws -> Void) throws

    /// Calls `body` for each row of a kind about devices, in the order in which they were stored.
    func forEachRecord(of kind: DeviceRecord.Kind, _ body: (DeviceRecord) throws -> Void) throws

    /// The whole name of a device, from its name, the beginning of it, or the form in which text shortens it.
    ///
    /// - Throws: `DeviceNameError` if none fits, or several; `StoreError`.
    func device(named typed: String) throws -> String

    /// Number of the last record delivered into the store; 0 in a new one.
    var lastSequence: UInt64 { get throws }

    /// The time of the last record, in milliseconds since the epoch; nil in a store without Live Activities.
    var lastRecordTime: Int64? { get throws }

    /// The redaction of the store; nil when nothing is redacted.
    var redaction: StoreRedaction? { get throws }

    /// The last record of each stream of an engine whose deliveries the store has, by the names of the streams.
    func streamOffsets() throws -> [StreamOffset]
}

private struct Found: Error {}

/// The name of an app that is on no device of a store, or not on one.
package struct AppNameError: Error, Equatable, CustomStringConvertible {
    package let app: String
    /// Nil for all devices.
    package let device: String?

    /// One line that says what to do.
    package var description: String {
        "no app is named \(app)\(device.map { " on \($0)" } ?? "") (pushpipe store list)"
    }
}

extension ReadableStore {
    package func forEachRegisteredApp(_ body: (RegisteredApp) throws -> Void) throws {
        try forEachRegisteredApp(device: nil, body)
    }

    /// Checks that an app is on a device, or on any. O(n) for n apps on devices, up to the first one.
    ///
    /// - Throws: `AppNameError` if it is not; `StoreError`.
    package func checkApp(_ app: String, on device: String?) throws {
        do {
            try forEachBadge { other, name, _ in
                if name == app, device == nil || other == device { throw Found() }
            }
            try forEachRegisteredApp(device: device) { if $0.app == app { throw Found() } }
        } catch is Found {
            return
        }
        throw AppNameError(app: app, device: device)
    }

    /// Calls `body` for each row about devices, in the order in which they were stored: the apps on them, then the
    /// queued messages, then the Live Activities.
    package func forEachDeviceRecord(_ body: (DeviceRecord) throws -> Void) throws {
        for kind in DeviceRecord.Kind.all { try forEachRecord(of: kind, body) }
    }
}

extension SQLiteStore: ReadableStore {}
