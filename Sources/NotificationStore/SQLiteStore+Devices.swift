import AppSimulation
package import DeviceRegistry
import GRDB
import PushDecoding
package import PushModel

/// A stored app on a device.
package struct RegisteredApp: Sendable, Equatable {
    /// Token or registration id.
    package var device: String
    /// Bundle identifier or package name; empty for an entry that stands for every app of the device.
    package var app: String
    /// The event that would register it again.
    package var event: DeviceEvent
    /// Events that would restore what the first one cannot: a Focus, and the scheduled summary.
    package var furtherEvents: [DeviceEvent] = []
}

/// A token that a provider should no longer send to.
package struct DeadToken: Sendable, Equatable {
    /// Token or registration id.
    package var device: String
    /// Bundle identifier or package name; empty for an entry that stands for every app of the device.
    package var app: String
    /// The kind of device.
    package var platform: Platform
    /// When the token became invalid, in milliseconds since the epoch; nil for one that is valid but replaced by
    /// another.
    package var unregisteredAt: Int64?
    /// The token to use instead of this one.
    package var canonical: String?
}

extension SQLiteStore {
    /// Calls `body` for each app on a device that events have registered, in the order of registration.
    ///
    /// - Parameter device: nil for all devices.
    package func forEachRegisteredApp(device: String? = nil, _ body: (RegisteredApp) throws -> Void) throws {
        var focused: Set<String> = []
        let older = StoreQuery.registeredApps(hasFocus: false, ofDevice: device != nil)
        let sql = StoreQuery.registeredApps(hasFocus: true, ofDevice: device != nil)
        try readingDevices(sql, older: older, name: device) { row in
            var event = DeviceEvent(.device, device: row.string(0), app: row.isNull(1) ? nil : row.string(1))
            event.platform = Platform(rawValue: row.string(2))
            event.isOnline = row.integer(3) != 0
            event.appState = DeviceEvent.AppState(rawValue: row.string(4))
            event.authorization = DeviceEvent.Authorization(rawValue: row.string(5))
            event.showsAlerts = row.integer(6) != 0
            event.isLoggedIn = row.optionalInteger(7).map { $0 != 0 }
            event.registration = DeviceEvent.Registration(rawValue: row.string(8))
            event.unregisteredAt = row.isNull(9) ? nil : row.integer(9)
            event.canonical = row.optionalString(10)
            let standing = DeviceEvent.TokenStanding(rawValue: row.string(11))
            if let standing, standing != .confirmed {
                if standing == .unconfirmed { event.isConfirmed = false } else { event.token = standing }
                // A time outside the calendar is from an edited store; the event could not be read again.
                if EventTime.writable.contains(row.integer(12)) { event.tokenSince = row.integer(12) }
            }
            let isInSummary = !row.isNull(13) && AppText.describe(row.text(13), in: &event)
            var app = RegisteredApp(device: row.string(0), app: row.string(1), event: event)
            if isInSummary {
                var summary = DeviceEvent(.summary, device: app.device, app: event.app)
                summary.isOn = true
                app.furtherEvents.append(summary)
            }
            if !row.isNull(14), let focus = AppText.focus(row.text(14)), focused.insert(app.device).inserted {
                var event = DeviceEvent(.focus, device: app.device)
                event.isOn = true
                event.allowedApps = focus.allowedApps.sorted()
                event.allowsTimeSensitive = focus.allowsTimeSensitive
                app.furtherEvents.append(event)
            }
            try body(app)
        }
    }

    /// Calls `body` for each token that became invalid since a time, in milliseconds since the epoch, and for each
    /// valid one that another replaces: no time is known for these.
    package func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws {
        try readingDevices(StoreQuery.deadTokens, since) { row in
            try body(
                DeadToken(
                    device: row.string(0), app: row.string(1), platform: Platform(rawValue: row.string(2)) ?? .ios,
                    unregisteredAt: row.isNull(3) ? nil : row.integer(3), canonical: row.optionalString(4)))
        }
    }

    /// Calls `body` for each queued message, in the order in which they were accepted. The contents of the payloads are
    /// not decoded.
    package func forEachHeld(_ body: (QueuedMessage) throws -> Void) throws {
        try readingDevices(StoreQuery.everyHeld) { row in try body(SQLiteDevices.message(row, device: row.string(15))) }
    }

    /// A store that an earlier version wrote and that is opened read-only lacks tables, and devices their Focus.
    ///
    /// - Parameter older: the statement for a store whose devices have no Focus; nil when it makes no difference.
    func readingDevices(
        _ sql: String, older: String? = nil, _ argument: Int64? = nil, name: String? = nil,
        of kind: DeviceRecord.Kind = .installation,
        _ body: (PreparedStatement) throws -> Void
    ) throws {
        try reading { database in
            guard try database.tableExists(kind.table) else { return }
            let hasFocus = try older == nil || database.columns(in: "device").contains { $0.name == "focus" }
            let statement = try PreparedStatement(database, hasFocus ? sql : older ?? sql)
            if let argument { statement.bind(1, argument) }
            if let name { statement.bind(1, copying: name) }
            defer { statement.reset() }
            while try statement.step() { try body(statement) }
        }
    }
}
