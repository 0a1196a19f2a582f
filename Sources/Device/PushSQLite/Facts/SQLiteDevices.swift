import AppSimulation
import GRDB
import GRDBSQLite
import PayloadJSON
import PushDevices
import PushModel
import PushStore

/// The rows of devices, the apps on them, their queued messages and rates.
final class SQLiteDevices: DeviceRows {
    var hasDevices = false
    var hasSubscribers = false
    /// True if the file may have queued messages.
    var hasQueued = false
    /// True if every device in the file is in memory, too, so that none has to be loaded.
    var isComplete = false
    private let database: Database
    private let ids: RowIDs
    private let subscriptions = SubscriptionWriter()
    private var queued = HeldRows()
    /// The indexes of queued messages that the file has, as far as somebody has looked.
    private var indexes: Set<StoreIndex> = []
    private let selectDevice = Prepared(StoreQuery.device)
    private let insertDevice = Prepared(
        "INSERT INTO device (id, platform, online, focus, device) VALUES (?1, ?2, ?3, ?4, ?5)")
    // Without the name, which stays: SQLite writes the index of a column that is set, even to the same value.
    private let updateDevice = Prepared(StoreQuery.updateDevice)
    private let selectApps = Prepared(StoreQuery.appsOfDevice)
    private let insertApp = Prepared(
        """
        INSERT INTO installation (
            id, state, authorization, alerts, logged_in, registration, unregistered_at, canonical, deleted_count,
            token_standing, token_since, token_due, details, device, app
        ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """)
    private let updateApp = Prepared(StoreQuery.updateApp)
    private let selectHeld = Prepared(StoreQuery.heldForApp)
    private let selectNextExpiry = Prepared(StoreQuery.nextExpiry)
    private let selectExpired = Prepared(StoreQuery.devicesWithExpired)
    private let selectNextTokenDue = Prepared(StoreQuery.nextTokenDue)
    private let selectTokensDue = Prepared(StoreQuery.devicesWithTokenDue)
    private let selectSubscribed = Prepared(StoreQuery.devicesSubscribed)
    private let selectWithTopics = Prepared(StoreQuery.devicesWithTopics)
    private let selectRates = Prepared(StoreQuery.rateWindows)
    private let upsertRate = Prepared(
        """
        INSERT INTO rate_window (kind, name, start, count) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (kind, name) DO UPDATE SET start = ?3, count = ?4
        """)
    private let deleteClosedRates = Prepared("DELETE FROM rate_window WHERE kind = ? AND start <= ?")
    private let deleteRates = Prepared("DELETE FROM rate_window")

    init(_ database: Database, _ ids: RowIDs) {
        self.database = database
        self.ids = ids
    }

    // MARK: - Reading

    func load(_ device: BorrowedText, into registry: inout DeviceTable) throws {
        if isComplete { return }
        let selectDevice = try selectDevice(database)
        selectDevice.bind(1, device)
        guard try selectDevice.step() else { return }
        let id = selectDevice.integer(0)
        let position = registry.restore(
            DeviceRow(
                id: id, name: device, platform: Platform(rawValue: selectDevice.string(1)),
                isOnline: selectDevice.integer(2) != 0, focus: selectDevice.optionalString(3)))
        selectDevice.reset()
        // Not while a statement is running.
        if hasQueued { try ensure(.queuedOfApp) }
        let selectApps = try selectApps(database)
        selectApps.bind(1, id)
        while try selectApps.step() {
            let row = AppRow(
                id: selectApps.integer(0), device: id, name: selectApps.text(1), state: Self.installation(selectApps),
                canonical: selectApps.optionalString(8), deletedCount: max(Int(selectApps.integer(9)), 0),
                details: selectApps.optionalString(12))
            registry.restore(row, on: position, queued: try held(for: device, app: row.name))
        }
    }

    /// Unknown values, which another program may have written into the file, count as missing.
    private static func installation(_ row: PreparedStatement) -> Installation {
        var state = Installation()
        if let known = DeviceEvent.AppState(rawValue: row.string(2)) { state.appState = known }
        if let known = DeviceEvent.Authorization(rawValue: row.string(3)) { state.authorization = known }
        state.showsAlerts = row.integer(4) != 0
        state.isLoggedIn = row.optionalInteger(5).map { $0 != 0 }
        if let known = DeviceEvent.Registration(rawValue: row.string(6)) { state.registration = known }
        state.unregisteredAt = row.isNull(7) ? nil : row.integer(7)
        if let known = TokenLifeCycle.Standing(rawValue: row.string(10)) { state.standing = known }
        state.standingSince = row.integer(11)
        return state
    }

    private func held(for device: BorrowedText, app: BorrowedText) throws -> [QueuedMessage] {
        guard hasQueued else { return [] }
        let selectHeld = try selectHeld(database)
        selectHeld.bind(1, device)
        selectHeld.bind(2, app)
        return try selectHeld.all { Self.message($0, device: device.string) }
    }

    static func message(_ row: PreparedStatement, device: String) -> QueuedMessage {
        QueuedMessage(
            seq: UInt64(bitPattern: row.integer(0)), target: row.integer(1) < 0 ? nil : Int(row.integer(1)),
            acceptedAt: row.integer(2), expiresAt: row.integer(3), collapseKey: row.optionalString(4),
            provider: Provider.allCases.first { row.text(5) == $0.name } ?? .apns,
            gateway: Gateway.allCases.first { row.text(6) == $0.name },
            platform: Platform(rawValue: row.string(7)) ?? .ios, device: device, topic: row.string(8),
            collapseID: row.optionalString(9), pushType: row.isNull(10) ? nil : PushType(wireName: row.text(10)),
            byteCount: max(Int(row.integer(11)), 0), byteLimit: max(Int(row.integer(12)), 0),
            isBackground: row.integer(13) != 0, payload: row.string(14))
    }

    func nextExpiry() throws -> Int64? {
        // The registry knows all that are in memory.
        if isComplete || !hasQueued { return nil }
        try queued.flush(to: database)
        try ensure(.queuedByExpiry)
        return try selectNextExpiry(database).firstInteger()
    }

    func devicesWithExpired(at: Int64) throws -> [String] {
        try queued.flush(to: database)
        try ensure(.queuedByExpiry)
        return try selectExpired(database).with(at).all { $0.string(0) }
    }

    /// Builds an index unless it exists. Without one everything is read: a transaction that only reads keeps nobody from writing.
    private func ensure(_ index: StoreIndex) throws {
        // SOUND: the connection is that of the statements, and asked within a transaction.
        guard !indexes.contains(index),
            unsafe sqlite3_txn_state(database.sqliteConnection, nil) == SQLITE_TXN_WRITE
        else { return }
        try index.build(in: database)
        indexes.insert(index)
    }

    func nextTokenDue(after at: Int64) throws -> Int64? { try selectNextTokenDue(database).with(at).firstInteger() }

    func devicesWithTokenDue(at: Int64) throws -> [String] {
        try selectTokensDue(database).with(at).all { $0.string(0) }
    }

    func devices(subscribedTo topics: [String]?) throws -> [String] {
        var found: Set<String> = []
        guard let topics else {
            let select = try selectWithTopics(database)
            while try select.step() { found.insert(select.string(0)) }
            return Array(found)
        }
        for topic in topics {
            let select = try selectSubscribed(database).with(topic)
            while try select.step() { found.insert(select.string(0)) }
        }
        return Array(found)
    }

    func forEachRateWindow(of kind: RateKind, _ body: (_ name: String, RateWindow) -> Void) throws {
        let select = try selectRates(database).with(kind.rawValue)
        while try select.step() {
            let count = Int32(clamping: max(select.integer(2), 0))
            body(select.string(0), RateWindow(start: select.integer(1), count: count))
        }
    }

    // MARK: - Writing

    func deleteRateWindows() throws { try deleteRates(database).run() }

    func insert(_ message: QueuedMessage, app: BorrowedText) throws {
        hasQueued = true
        try queued.add(message, app: app, id: try ids.next(.held), to: database)
    }

    func delete(_ message: QueuedMessage) { queued.remove(message) }

    /// Drops rows that have not been written. What was built since may be gone.
    func forget() {
        queued.removeAll()
        indexes.removeAll()
    }

    /// Writes the windows of rates that have changed since the last call.
    func writeRates(_ registry: DeviceRegistry) throws {
        try registry.takeRateChanges { kind, changes in
            for (name, window) in changes.windows {
                try upsertRate(database).run(kind.rawValue, name, window.start, Int64(window.count))
            }
            if let closed = changes.closedSince { try deleteClosedRates(database).run(kind.rawValue, closed) }
        }
    }

    /// Writes the changes by events in this transaction. Binds one by one: a stream of events has a row of each for a record.
    func write(_ registry: DeviceRegistry) throws {
        try queued.flush(to: database)
        try registry.forEachChange { row in
            let statement = try row.id == 0 ? insertDevice(database) : updateDevice(database)
            statement.bind(1, try row.id == 0 ? ids.next(.device, birth: row.birth).map { Int($0) } : Int(row.id))
            // The platform is empty when no event has set it.
            statement.bind(2, copying: row.platform?.rawValue ?? "")
            statement.bind(3, Int64(row.isOnline ? 1 : 0))
            statement.bind(4, copying: row.focus)
            guard row.id == 0 else {
                try statement.run()
                return row.id
            }
            statement.bind(5, row.name)
            try statement.run()
            hasDevices = true
            return statement.lastInsertedRowID
        } app: { row in
            let statement = try row.id == 0 ? insertApp(database) : updateApp(database)
            statement.bind(1, try row.id == 0 ? ids.next(.installation, birth: row.birth).map { Int($0) } : Int(row.id))
            Self.bind(row, to: statement)
            var id = row.id
            if id == 0 {
                statement.bind(14, row.device)
                statement.bind(15, row.name)
                try statement.run()
                id = statement.lastInsertedRowID
            } else {
                try statement.run()
            }
            if let names = row.changedNames {
                try subscriptions.write(names, of: id, in: database)
                hasSubscribers = true
            }
            return id
        }
    }

    /// Binds what can change of an app on a device, from the second parameter on.
    private static func bind(_ row: AppRow, to statement: PreparedStatement) {
        statement.bind(2, copying: row.state.appState.rawValue)
        statement.bind(3, copying: row.state.authorization.rawValue)
        statement.bind(4, Int64(row.state.showsAlerts ? 1 : 0))
        statement.bind(5, row.state.isLoggedIn.map { $0 ? 1 : 0 })
        statement.bind(6, copying: row.state.registration.rawValue)
        statement.bind(7, row.state.unregisteredAt.map { Int($0) })
        statement.bind(8, copying: row.canonical)
        statement.bind(9, row.deletedCount)
        statement.bind(10, copying: row.state.standing.rawValue)
        statement.bind(11, row.state.standingSince)
        statement.bind(12, row.tokenDue.map { Int($0) })
        statement.bind(13, copying: row.details)
    }
}
