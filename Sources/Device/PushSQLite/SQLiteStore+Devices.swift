import AppSimulation
import GRDB
import PushDecoding
package import PushDevices
import PushModel
package import PushStore

extension SQLiteStore {
    package func forEachRegisteredApp(device: String?, _ body: (RegisteredApp) throws -> Void) throws {
        try reading { try Self.registeredRows($0, device: device).passAll(to: body) }
    }

    package func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws {
        try reading { try Self.deadTokenRows($0, since: since).passAll(to: body) }
    }

    /// The contents of the payloads are not decoded.
    package func forEachHeld(_ body: (QueuedMessage) throws -> Void) throws {
        try reading { try Self.heldRows($0).passAll(to: body) }
    }
}

// MARK: - Rows

extension SQLiteStore {
    static func registeredRows(_ database: Database, device: String?) throws -> RowSource<RegisteredApp> {
        let row = try PreparedStatement(database, StoreQuery.registeredApps(ofDevice: device != nil))
        row.bind([device])
        var focused: Set<String> = []
        // Their entry without a name is their first.
        var devicesOfEveryApp: Set<Int64> = []
        // Only entries that have something which an app must contradict.
        var everyApps: [Int64: DeviceEvent] = [:]
        return RowSource(
            row, id: 15, tie: { RowTie(seq: 0, device: $0.value.device, app: $0.value.app) },
            value: {
                var app = RegisteredApp(device: row.string(0), app: row.string(1), event: event(row))
                let isInSummary = !row.isNull(13) && AppText.describe(row.text(13), in: &app.event)
                if app.app.isEmpty {
                    devicesOfEveryApp.insert(row.integer(16))
                    if AppText.isContradicted(app.event) { everyApps[row.integer(16)] = app.event }
                }
                let isBesideEveryApp = !app.app.isEmpty && devicesOfEveryApp.contains(row.integer(16))
                if isBesideEveryApp {
                    let everyApp = everyApps[row.integer(16)] ?? DeviceEvent(.device)
                    AppText.describeAbsences(in: &app.event, beside: everyApp)
                }
                if isInSummary || isBesideEveryApp {
                    var summary = DeviceEvent(.summary, device: app.device, app: app.event.app)
                    summary.isOn = isInSummary
                    app.furtherEvents.append(summary)
                }
                if !row.isNull(14) {
                    let condition = DeviceCondition(row.text(14))
                    condition.describe(in: &app.event)
                    if let focus = condition.focusEvent(of: app.device), focused.insert(app.device).inserted {
                        app.furtherEvents.append(focus)
                    }
                }
                return app
            })
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
        event.canonical = row.optionalString(10)
        let standing = DeviceEvent.TokenStanding(rawValue: row.string(11))
        if let standing, standing != .confirmed {
            if standing == .unconfirmed { event.isConfirmed = false } else { event.token = standing }
            // A time outside the calendar is from an edited store; the event could not be read again.
            if EventTime.writable.contains(row.integer(12)) { event.tokenSince = row.integer(12) }
        }
        return event
    }

    static func deadTokenRows(_ database: Database, since: Int64) throws -> RowSource<DeadToken> {
        let row = try PreparedStatement(database, StoreQuery.deadTokens)
        row.bind(1, since)
        return RowSource(
            row, id: 5, tie: { RowTie(seq: 0, device: $0.value.device, app: $0.value.app) },
            value: {
                DeadToken(
                    device: row.string(0), app: row.string(1), platform: Platform(rawValue: row.string(2)) ?? .ios,
                    unregisteredAt: row.isNull(3) ? nil : row.integer(3), canonical: row.optionalString(4))
            })
    }

    static func heldRows(_ database: Database) throws -> RowSource<QueuedMessage> {
        let row = try PreparedStatement(database, StoreQuery.everyHeld)
        return RowSource(
            row, id: 17, tie: { RowTie(seq: $0.value.seq, device: $0.value.device, app: row.string(16)) },
            value: { SQLiteDevices.message(row, device: row.string(15)) })
    }

    static func recordRows(_ database: Database, _ kind: DeviceRecord.Kind) throws -> RowSource<DeviceRecord> {
        let columns = kind.columns
        let row = try PreparedStatement(database, StoreQuery.deviceRecords(kind))
        return RowSource(row, id: Int32(columns.count), tie: \.value.tie) {
            var values: [String: DeviceRecord.Value] = [:]
            for (position, column) in columns.enumerated() where !row.isNull(Int32(position)) {
                values[column.name] =
                    column.isText ? .text(row.string(Int32(position))) : .integer(row.integer(Int32(position)))
            }
            return DeviceRecord(kind: kind, values: values)
        }
    }
}

extension DeviceRecord {
    fileprivate var tie: RowTie {
        RowTie(seq: UInt64(bitPattern: integer("seq") ?? 0), device: text("device") ?? "", app: text("app") ?? "")
    }
}
