import AppSimulation
import GRDB
import PayloadJSON
import PushDevices
import PushModel

/// The rows of devices, the apps on them, their queued messages and rates.
final class SQLiteDevices: DeviceRows {
    var hasDevices = false
    var hasSubscribers = false
    private let statements: Prepared<Statements>
    private let rates: Prepared<RateWindowRows>
    private let ids: RowIDs

    init(_ database: Database, _ ids: RowIDs) {
        self.ids = ids
        statements = Prepared { try Statements(database) }
        rates = Prepared { try RateWindowRows(database) }
    }

    // MARK: - Reading

    func load(_ device: BorrowedText, into registry: inout DeviceTable) throws {
        let selectDevice = try statements().selectDevice
        let selectApps = try statements().selectApps
        selectDevice.bind(1, device)
        guard try selectDevice.step() else { return }
        let id = selectDevice.integer(0)
        let position = registry.restore(
            DeviceRow(
                id: id, name: device, platform: Platform(rawValue: selectDevice.string(1)),
                isOnline: selectDevice.integer(2) != 0, focus: selectDevice.optionalString(3)))
        selectDevice.reset()
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
        let selectHeld = try statements().selectHeld
        selectHeld.bind(1, device)
        selectHeld.bind(2, app)
        var found: [QueuedMessage] = []
        while try selectHeld.step() { found.append(Self.message(selectHeld, device: device.string)) }
        return found
    }

    /// The message of a row of `StoreQuery.heldForApp`.
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

    func nextExpiry() throws -> Int64? { try statements().selectNextExpiry.firstInteger() }

    func devicesWithExpired(at: Int64) throws -> [String] {
        let selectExpired = try statements().selectExpired
        selectExpired.bind(1, at)
        var found: [String] = []
        while try selectExpired.step() { found.append(selectExpired.string(0)) }
        return found
    }

    func nextTokenDue(after at: Int64) throws -> Int64? {
        let selectNextTokenDue = try statements().selectNextTokenDue
        selectNextTokenDue.bind(1, at)
        return try selectNextTokenDue.firstInteger()
    }

    func devicesWithTokenDue(at: Int64) throws -> [String] {
        let selectTokensDue = try statements().selectTokensDue
        selectTokensDue.bind(1, at)
        var found: [String] = []
        while try selectTokensDue.step() { found.append(selectTokensDue.string(0)) }
        return found
    }

    func devices(subscribedTo topics: [String]?) throws -> [String] {
        let selectWithTopics = try statements().selectWithTopics
        let selectSubscribed = try statements().selectSubscribed
        var found: Set<String> = []
        guard let topics else {
            while try selectWithTopics.step() { found.insert(selectWithTopics.string(0)) }
            return Array(found)
        }
        for topic in topics {
            selectSubscribed.bind(1, copying: topic)
            while try selectSubscribed.step() { found.insert(selectSubscribed.string(0)) }
        }
        return Array(found)
    }

    func forEachRateWindow(of kind: RateKind, _ body: (_ name: String, RateWindow) -> Void) throws {
        try rates().forEach(of: kind, body)
    }

    // MARK: - Writing

    func deleteRateWindows() throws { try rates().deleteAll() }

    func insert(_ message: QueuedMessage, app: BorrowedText) throws {
        let insertHeld = try statements().insertHeld
        insertHeld.bind(1, message.seq)
        insertHeld.bind(2, Int64(message.target ?? -1))
        insertHeld.bind(3, copying: message.device)
        insertHeld.bind(4, app)
        insertHeld.bind(5, message.acceptedAt)
        insertHeld.bind(6, message.expiresAt)
        insertHeld.bind(7, copying: message.collapseKey)
        insertHeld.bind(8, BorrowedText(message.provider.name))
        insertHeld.bind(9, message.gateway.map { BorrowedText($0.name) })
        insertHeld.bind(10, copying: message.platform.rawValue)
        insertHeld.bind(11, copying: message.topic)
        insertHeld.bind(12, copying: message.collapseID)
        insertHeld.bind(13, message.pushType.map { BorrowedText($0.row.wireName) })
        insertHeld.bind(14, message.byteCount)
        insertHeld.bind(15, message.byteLimit)
        insertHeld.bind(16, Int64(message.isBackground ? 1 : 0))
        insertHeld.bind(17, copying: message.payload)
        insertHeld.bind(18, try ids.next(.held).map { Int($0) })
        try insertHeld.run()
    }

    func delete(_ message: QueuedMessage) throws {
        let deleteHeld = try statements().deleteHeld
        deleteHeld.bind(1, message.seq)
        deleteHeld.bind(2, Int64(message.target ?? -1))
        try deleteHeld.run()
    }

    /// Writes the windows of rates that have changed since the last call.
    func writeRates(_ registry: DeviceRegistry) throws { try registry.takeRateChanges { try rates().write($0, $1) } }

    /// Writes the changes by events in this transaction.
    func write(_ registry: DeviceRegistry) throws {
        try registry.forEachChange { row in
            let statement = try row.id == 0 ? statements().insertDevice : statements().updateDevice
            let placed = try row.id == 0 ? ids.next(.device, birth: row.birth) : row.id
            statement.bind(1, placed.map { Int($0) })
            statement.bind(2, row.name)
            // Empty when no event has set it.
            statement.bind(3, copying: row.platform?.rawValue ?? "")
            statement.bind(4, Int64(row.isOnline ? 1 : 0))
            statement.bind(5, copying: row.focus)
            try statement.run()
            hasDevices = true
            return row.id == 0 ? statement.lastInsertedRowID : row.id
        } app: { row in
            let insertApp = try statements().insertApp
            let updateApp = try statements().updateApp
            let subscriptions = try statements().subscriptions
            let statement = row.id == 0 ? insertApp : updateApp
            let placed = try row.id == 0 ? ids.next(.installation, birth: row.birth) : row.id
            statement.bind(1, placed.map { Int($0) })
            statement.bind(2, row.device)
            statement.bind(3, row.name)
            statement.bind(4, copying: row.state.appState.rawValue)
            statement.bind(5, copying: row.state.authorization.rawValue)
            statement.bind(6, Int64(row.state.showsAlerts ? 1 : 0))
            statement.bind(7, row.state.isLoggedIn.map { $0 ? 1 : 0 })
            statement.bind(8, copying: row.state.registration.rawValue)
            statement.bind(9, row.state.unregisteredAt.map { Int($0) })
            statement.bind(10, copying: row.canonical)
            statement.bind(11, row.deletedCount)
            statement.bind(12, copying: row.state.standing.rawValue)
            statement.bind(13, row.state.standingSince)
            statement.bind(14, row.tokenDue.map { Int($0) })
            statement.bind(15, copying: row.details)
            try statement.run()
            let id = row.id == 0 ? statement.lastInsertedRowID : row.id
            if let topics = row.changedTopics {
                try subscriptions.write(topics, of: id)
                hasSubscribers = true
            }
            return id
        }
    }

    /// What reads and writes the rows of devices, apps and queues.
    private final class Statements {
        let selectDevice: PreparedStatement
        let insertDevice: PreparedStatement
        let updateDevice: PreparedStatement
        let selectApps: PreparedStatement
        let insertApp: PreparedStatement
        let updateApp: PreparedStatement
        let selectHeld: PreparedStatement
        let insertHeld: PreparedStatement
        let deleteHeld: PreparedStatement
        let selectNextExpiry: PreparedStatement
        let selectExpired: PreparedStatement
        let selectNextTokenDue: PreparedStatement
        let selectTokensDue: PreparedStatement
        let selectSubscribed: PreparedStatement
        let selectWithTopics: PreparedStatement
        let subscriptions: SubscriptionWriter

        init(_ database: Database) throws {
            selectDevice = try PreparedStatement(database, StoreQuery.device)
            insertDevice = try PreparedStatement(
                database, "INSERT INTO device (id, device, platform, online, focus) VALUES (?1, ?2, ?3, ?4, ?5)")
            updateDevice = try PreparedStatement(
                database, "UPDATE device SET device = ?2, platform = ?3, online = ?4, focus = ?5 WHERE id = ?1")
            selectApps = try PreparedStatement(database, StoreQuery.appsOfDevice)
            insertApp = try PreparedStatement(
                database,
                """
                INSERT INTO installation (
                    id, device, app, state, authorization, alerts, logged_in, registration, unregistered_at, canonical, deleted_count,
                    token_standing, token_since, token_due, details
                ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
                """)
            updateApp = try PreparedStatement(
                database,
                """
                UPDATE installation SET device = ?2, app = ?3, state = ?4, authorization = ?5, alerts = ?6, logged_in = ?7,
                    registration = ?8, unregistered_at = ?9, canonical = ?10, deleted_count = ?11, token_standing = ?12,
                    token_since = ?13, token_due = ?14, details = ?15
                WHERE id = ?1
                """)
            selectHeld = try PreparedStatement(database, StoreQuery.heldForApp)
            insertHeld = try PreparedStatement(
                database,
                """
                INSERT INTO held (
                    seq, target, device, app, accepted_at, expires_at, collapse_key, provider, gateway, platform, topic,
                    collapse_id, push_type, bytes, byte_limit, is_background, payload, id
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
            deleteHeld = try PreparedStatement(database, "DELETE FROM held WHERE seq = ? AND target = ?")
            selectNextExpiry = try PreparedStatement(database, StoreQuery.nextExpiry)
            selectExpired = try PreparedStatement(database, StoreQuery.devicesWithExpired)
            selectNextTokenDue = try PreparedStatement(database, StoreQuery.nextTokenDue)
            selectTokensDue = try PreparedStatement(database, StoreQuery.devicesWithTokenDue)
            selectSubscribed = try PreparedStatement(database, StoreQuery.devicesSubscribed)
            selectWithTopics = try PreparedStatement(database, StoreQuery.devicesWithTopics)
            subscriptions = try SubscriptionWriter(database)
        }
    }
}
