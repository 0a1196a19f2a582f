import AppSimulation
import GRDB
import PushDecoding
package import PushDevices
import PushModel
package import PushStore

extension SQLiteStore {
    /// Calls `body` for each app on a device that events have registered, in the order of registration.
    ///
    /// - Parameter device: nil for every device.
    package func forEachRegisteredApp(device: String? = nil, _ body: (RegisteredApp) throws -> Void) throws {
        try reading { database in
            let apps = try PreparedStatement(database, StoreQuery.registeredApps(ofDevice: device != nil))
            apps.bind([device])
            var registrations = AppRegistrations()
            try apps.forEachRow { row in
                let events = registrations.events(
                    Self.event(row), details: row.isNull(13) ? nil : row.text(13),
                    condition: row.isNull(14) ? DeviceCondition() : DeviceCondition(row.text(14)),
                    device: row.integer(15))
                let app = RegisteredApp(
                    device: row.string(0), app: row.string(1), event: events[0],
                    furtherEvents: Array(events.dropFirst()))
                try body(app)
            }
        }
    }

    /// The event that registers an app, without what its details say.
    private static func event(_ row: PreparedStatement) -> DeviceEvent {
        var event = DeviceEvent(.device, device: row.string(0), app: row.isNull(1) ? nil : row.string(1))
        event.platform = Platform(rawValue: row.string(2))
        event.isOnline = row.integer(3) != 0
        event.appState = DeviceEvent.AppState(rawValue: row.string(4))
        event.authorization = DeviceEvent.Authorization(rawValue: row.string(5))
        event.showsAlerts = row.integer(6) != 0
        event.isLoggedIn = row.optionalInteger(7).map { $0 != 0 }
        event.registration = DeviceEvent.Registration(rawValue: row.string(8))
        event.unregisteredAt = row.isNull(9) ? nil : row.integer(9)
        event.settings.canonical = row.optionalString(10)
        let standing = DeviceEvent.TokenStanding(rawValue: row.string(11))
        if let standing, standing != .confirmed {
            if standing == .unconfirmed { event.isConfirmed = false } else { event.token = standing }
            // A time outside the calendar is from an edited store; the event could not be read again.
            if EventTime.writable.contains(row.integer(12)) { event.tokenSince = row.integer(12) }
        }
        return event
    }

    /// Calls `body` for each token that became invalid since a time, in milliseconds since the epoch, and for each valid one that
    /// another replaces: no time is known for these.
    package func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws {
        try reading { database in
            try PreparedStatement(database, StoreQuery.deadTokens, since).forEachRow { row in
                try body(
                    DeadToken(
                        device: row.string(0), app: row.string(1), platform: Platform(rawValue: row.string(2)) ?? .ios,
                        unregisteredAt: row.isNull(3) ? nil : row.integer(3), canonical: row.optionalString(4)))
            }
        }
    }

    /// Calls `body` for each queued message, in the order in which they were accepted. The contents of the payloads are not decoded.
    package func forEachHeld(_ body: (QueuedMessage) throws -> Void) throws {
        try reading { database in
            try PreparedStatement(database, StoreQuery.everyHeld).forEachRow {
                try body(DeviceTables.message($0, device: $0.string(15)))
            }
        }
    }

    /// Calls `body` for each row about devices, in the order in which they were stored: the apps on them, then the
    /// queued messages, then the Live Activities.
    package func forEachDeviceRecord(_ body: (DeviceRecord) throws -> Void) throws {
        try reading { database in
            for kind in DeviceRecord.Kind.all {
                try PreparedStatement(database, StoreQuery.deviceRecords(kind)).forEachRow { row in
                    var values: [String: DeviceRecord.Value] = [:]
                    for (position, column) in kind.columns.enumerated() where !row.isNull(Int32(position)) {
                        values[column.name] =
                            column.isText ? .text(row.string(Int32(position))) : .integer(row.integer(Int32(position)))
                    }
                    try body(DeviceRecord(kind: kind, values: values))
                }
            }
        }
    }
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

extension SQLiteStore {
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
}
