import AppSimulation
import PushDecoding
package import PushDevices
import PushJSON
import PushModel

/// The devices of a store, the apps on them, their topics, their queued messages, and the rates of pushes.
final class StoredDevices: StoredFact, DeviceRows {
    static let tables = [
        StoredTable("device"), StoredTable("installation", record: .installation), StoredTable("subscription"),
        StoredTable("held", record: .held), StoredTable("rate_window"),
    ]

    /// Devices, the apps on them, their topics, the messages that their providers have queued, and the windows in which a run counts pushes.
    /// `focus` has the conditions of a device, as JSON (`DeviceCondition`). The topic is empty for an app that is subscribed to none; tokens
    /// of Live Activities are topics with a blank, which no topic has (`AppSettings.names`). `target` is -1 for a request with one
    /// target. Times are in milliseconds since the epoch. The indexes of queued messages are in `StoreIndex`.
    static let schema = """
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            device TEXT NOT NULL UNIQUE,
            platform TEXT NOT NULL,
            online INTEGER NOT NULL,
            focus TEXT
        ) STRICT;
        CREATE TABLE installation (
            id INTEGER PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES device,
            \(DeviceRecord.Kind.ofApp.map(\.definition).joined(separator: ",\n    ")),
            UNIQUE (device, app)
        ) STRICT;
        CREATE INDEX installation_by_due ON installation (token_due) WHERE token_due IS NOT NULL;
        CREATE TABLE held (
            id INTEGER PRIMARY KEY,
            \(DeviceRecord.Kind.held.definitions),
            UNIQUE (seq, target)
        ) STRICT;
        CREATE TABLE subscription (
            topic TEXT NOT NULL,
            installation INTEGER NOT NULL REFERENCES installation,
            PRIMARY KEY (topic, installation)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX subscription_by_installation ON subscription (installation);
        CREATE TABLE rate_window (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            start INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
        ) STRICT, WITHOUT ROWID;

        CREATE VIEW devices AS
        SELECT
            d.device AS device,
            i.app AS app,
            d.platform AS platform,
            d.online AS online,
            i.state AS state,
            i.authorization AS authorization,
            i.alerts AS alerts,
            i.logged_in AS logged_in,
            i.registration AS registration,
            CASE WHEN i.unregistered_at IS NOT NULL THEN \(StoreSchema.rfc3339("i.unregistered_at")) END AS unregistered_at,
            i.canonical AS canonical,
            i.token_standing AS token
        FROM device d JOIN installation i ON i.device = d.id
        ORDER BY d.id, i.id;
        CREATE VIEW held_messages AS
        SELECT
            seq,
            device,
            topic,
            provider,
            collapse_key,
            \(StoreSchema.rfc3339("accepted_at")) AS accepted_at,
            \(StoreSchema.rfc3339("expires_at")) AS expires_at,
            payload
        FROM held ORDER BY id;
        """

    /// The registry, which owns this.
    weak var registry: DeviceRegistry?
    var hasDevices = false
    var hasSubscribers = false
    /// True if the file may have queued messages.
    var hasQueued = false
    private let database: Database
    private let loaded: LoadedDevices
    private let ids: RowIDs
    private let indexes: BuiltIndexes
    private let subscriptions = SubscriptionWriter()
    private var queued = HeldRows()
    private let selectDevice = Prepared(StoreQuery.device)
    private let insertDevice = Prepared(
        "INSERT INTO device (id, platform, online, focus, device) VALUES (?1, ?2, ?3, ?4, ?5)")
    // Without the name, which stays: SQLite writes the index of a column that is set, even to the same value.
    private let updateDevice = Prepared(StoreQuery.updateDevice)
    private let selectApps = Prepared(StoreQuery.appsOfDevice)
    private let insertApp = Prepared(
        "INSERT INTO installation (app, id, \(StoreQuery.stateOfApp), device) VALUES (?15, ?1, \(StoreQuery.marksOfState), ?14)"
    )
    private let updateApp = Prepared(StoreQuery.updateApp)
    private let selectHeld = Prepared(StoreQuery.heldOnDevice)
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
    // For records of an export.
    private let importDevice = Prepared(
        """
        INSERT INTO device (device, platform, online, focus) VALUES (?, ?, ?, ?)
        ON CONFLICT (device) DO UPDATE SET
            platform = excluded.platform, online = excluded.online, focus = excluded.focus
        """)
    private let importApp = Prepared(
        """
        INSERT OR REPLACE INTO installation (device, \(DeviceRecord.Kind.namesOfApp()))
        VALUES ((SELECT id FROM device WHERE device = ?), \(DeviceRecord.Kind.ofApp.map { _ in "?" }.joined(separator: ", ")))
        """)
    private let selectApp = Prepared(StoreQuery.appOfDevice)
    private let importHeld = Prepared(DeviceRecord.Kind.held.insertion())
    /// True if the registry still has to unload what is in memory.
    private var mustUnload = false

    init(_ database: Database, _ loaded: LoadedDevices, _ ids: RowIDs, _ indexes: BuiltIndexes) {
        self.database = database
        self.loaded = loaded
        self.ids = ids
        self.indexes = indexes
    }

    var loadedCount: Int { registry?.loadedCount ?? 0 }

    func begin(_ filled: FilledTables?) throws {
        if let filled {
            hasDevices = filled.contains("device")
            hasSubscribers = filled.contains("subscription")
            hasQueued = filled.contains("held")
        }
        try registry?.begin(forgetting: mustUnload)
        mustUnload = false
    }

    func setPlace(_ place: RowPlace) { registry?.setRowPlace(place.id) }

    /// Drops rows that have not been written.
    func forget() {
        queued.removeAll()
        mustUnload = true
    }

    // MARK: - Reading

    func touch(_ device: BorrowedText) throws { try loaded.touch(device) }

    func load(_ device: BorrowedText) throws {
        guard hasDevices, let registry else { return }
        let rows = try selectDevice(database)
        rows.bind(1, device)
        guard try rows.step() else { return }
        let id = rows.integer(0)
        let position = registry.restore(
            DeviceRow(
                id: id, name: device, platform: Platform(rawValue: rows.string(1)), isOnline: rows.integer(2) != 0,
                focus: rows.optionalString(3)))
        rows.reset()
        let queued = try held(for: device)
        let apps = try selectApps(database)
        apps.bind(1, id)
        while try apps.step() {
            let row = AppRow(
                id: apps.integer(0), device: id, name: apps.text(1), state: Self.installation(apps, from: 2),
                canonical: apps.optionalString(8), deletedCount: max(Int(apps.integer(9)), 0),
                details: apps.optionalString(13))
            registry.restore(row, on: position, queued: queued[row.name.string] ?? [])
        }
    }

    /// The state of an app in the columns of a row. Unknown values, which another program may have written into the file, count as missing.
    fileprivate static func installation(_ row: PreparedStatement, from column: Int32) -> Installation {
        var state = Installation()
        if let known = DeviceEvent.AppState(rawValue: row.string(column)) { state.appState = known }
        if let known = DeviceEvent.Authorization(rawValue: row.string(column + 1)) { state.authorization = known }
        state.showsAlerts = row.integer(column + 2) != 0
        state.isLoggedIn = row.optionalInteger(column + 3).map { $0 != 0 }
        if let known = DeviceEvent.Registration(rawValue: row.string(column + 4)) { state.registration = known }
        state.unregisteredAt = row.isNull(column + 5) ? nil : row.integer(column + 5)
        if let known = TokenLifeCycle.Standing(rawValue: row.string(column + 8)) { state.standing = known }
        state.standingSince = row.integer(column + 9)
        return state
    }

    /// The messages queued for a device, by app.
    private func held(for device: BorrowedText) throws -> [String: [QueuedMessage]] {
        guard hasQueued else { return [:] }
        try indexes.ensure(.queuedOfDevice)
        let rows = try selectHeld(database)
        rows.bind(1, device)
        let name = device.string
        let held = try rows.all { (app: $0.string(3), message: Self.message($0, device: name)) }
        return Dictionary(grouping: held, by: \.app).mapValues { $0.map(\.message) }
    }

    static func message(_ row: PreparedStatement, device: String) -> QueuedMessage {
        QueuedMessage(
            seq: UInt64(bitPattern: row.integer(0)), target: row.integer(1) < 0 ? nil : Int(row.integer(1)),
            acceptedAt: row.integer(4), expiresAt: row.integer(5), collapseKey: row.optionalString(6),
            provider: Provider.allCases.first { row.text(7) == $0.name } ?? .apns,
            gateway: Gateway.allCases.first { row.text(8) == $0.name },
            platform: Platform(rawValue: row.string(9)) ?? .ios, device: device, topic: row.string(10),
            collapseID: row.optionalString(11), pushType: row.isNull(12) ? nil : PushType(wireName: row.text(12)),
            byteCount: max(Int(row.integer(13)), 0), byteLimit: max(Int(row.integer(14)), 0),
            isBackground: row.integer(15) != 0, payload: row.string(16))
    }

    func nextExpiry() throws -> Int64? {
        // The registry knows all that are in memory.
        if loaded.areAll || !hasQueued { return nil }
        try queued.flush(to: database)
        try indexes.ensure(.queuedByExpiry)
        return try selectNextExpiry(database).firstInteger()
    }

    func touchDevicesWithExpired(at: Int64) throws {
        try queued.flush(to: database)
        try touch(selectExpired(database).with(at))
    }

    func nextTokenDue(after at: Int64) throws -> Int64? { try selectNextTokenDue(database).with(at).firstInteger() }

    func touchDevicesWithTokenDue(at: Int64) throws { try touch(selectTokensDue(database).with(at)) }

    private func touch(_ names: PreparedStatement) throws {
        for device in try names.all({ $0.string(0) }) { try loaded.touch(device) }
    }

    func touchDevices(subscribedTo topics: [String]?) throws {
        guard let topics else { return try loaded.touch(answersTo: selectWithTopics(database)) }
        for topic in topics { try loaded.touch(answersTo: selectSubscribed(database), topic) }
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
        try queued.add(message, app: app, id: ids.next(.held), to: database)
    }

    func delete(_ message: QueuedMessage) { queued.remove(message) }

    /// Writes what only a run needs that goes on after this transaction: the windows of rates that have changed since the last call.
    func checkpoint() throws {
        try registry?.takeRateChanges { kind, changes in
            for (name, window) in changes.windows {
                try upsertRate(database).run(kind.rawValue, name, window.start, Int64(window.count))
            }
            if let closed = changes.closedSince { try deleteClosedRates(database).run(kind.rawValue, closed) }
        }
    }

    /// Writes the changes by events in this transaction. Binds one by one: a stream of events has a row of each for a record.
    func end() throws {
        try queued.flush(to: database)
        try registry?.forEachChange { row in
            let statement = try row.id == 0 ? insertDevice(database) : updateDevice(database)
            let id = row.id == 0 ? ids.next(.device, birth: row.birth) : row.id
            statement.bind(1, id)
            // The platform is empty when no event has set it.
            statement.bind(2, copying: row.platform?.rawValue ?? "")
            statement.bind(3, Int64(row.isOnline ? 1 : 0))
            statement.bind(4, copying: row.focus)
            if row.id == 0 { statement.bind(5, row.name) }
            try statement.run()
            hasDevices = true
            return id
        } app: { row in
            let statement = try row.id == 0 ? insertApp(database) : updateApp(database)
            let id = row.id == 0 ? ids.next(.installation, birth: row.birth) : row.id
            statement.bind(1, id)
            Self.bind(row, to: statement)
            if row.id == 0 {
                statement.bind(14, row.device)
                statement.bind(15, row.name)
            }
            try statement.run()
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

    // MARK: - Importing

    func add(_ record: DeviceRecord) throws {
        guard record.kind == .installation else { return try record.run(importHeld(database)) }
        try record.run(importDevice(database), DeviceRecord.Kind.ofDevice)
        // A row that is replaced gets another id.
        let selectApp = try selectApp(database).with(record.text("device"), record.text("app"))
        if let old = try selectApp.firstInteger() { try subscriptions.write(nil, of: old, in: database) }
        let importApp = try importApp(database)
        try record.run(importApp, ["device"] + DeviceRecord.Kind.ofApp.map(\.name))
        try subscriptions.write(names(in: record), of: importApp.lastInsertedRowID, in: database)
    }

    private func names(in record: DeviceRecord) -> Set<String>? {
        record.text("details").flatMap { text in BorrowedText.with(text) { AppText.names(in: $0) } }
    }
}

extension DeviceRecord.Kind {
    /// The columns of the device itself, not of an app on it.
    static let ofDevice = ["device", "platform", "online", "focus"]

    /// The columns of an app on a device, without those of the device itself. The first is its name.
    static let ofApp = installation.columns.filter { !ofDevice.contains($0.name) }

    /// The names of these columns, for statements.
    static func namesOfApp() -> String { ofApp.map(\.name).joined(separator: ", ") }

    /// An app on a device, with the device's own columns.
    package static let installation = Self(
        name: "installation",
        columns: [
            .text("device"), .text("platform"), .integer("online"), .text("focus", isOptional: true), .text("app"),
            .text("state"), .text("authorization"), .integer("alerts"), .integer("logged_in", isOptional: true),
            .text("registration"), .integer("unregistered_at", isOptional: true),
            .text("canonical", isOptional: true), .integer("deleted_count"), .text("token_standing"),
            .integer("token_since"), .integer("token_due", isOptional: true), .text("details", isOptional: true),
        ])

    /// A queued message.
    package static let held = Self(
        name: "held",
        columns: [
            .integer("seq"), .integer("target"), .text("device"), .text("app"), .integer("accepted_at"),
            .integer("expires_at"), .text("collapse_key", isOptional: true), .text("provider"),
            .text("gateway", isOptional: true), .text("platform"), .text("topic"),
            .text("collapse_id", isOptional: true), .text("push_type", isOptional: true), .integer("bytes"),
            .integer("byte_limit"), .integer("is_background"), .text("payload"),
        ])
}

/// The rows of queued messages that a transaction adds and deletes, until `flush` writes them.
///
/// A message that leaves the queue in the transaction in which it came, as many do, is never written: four B-trees have its row otherwise.
private struct HeldRows {
    private struct Key: Hashable, Comparable {
        var seq: UInt64
        /// -1 for a request with one target.
        var target: Int64

        init(_ message: QueuedMessage) {
            seq = message.seq
            target = Int64(message.target ?? -1)
        }

        static func < (left: Key, right: Key) -> Bool { (left.seq, left.target) < (right.seq, right.target) }
    }

    private struct Row {
        /// Nil if it has left the queue.
        var message: QueuedMessage?
        var app: String
        var id: Int64
    }

    /// Rows to add, in the order of their ids.
    private var added: [Row] = []
    private var positions: [Key: Int] = [:]
    /// Those in the file to delete.
    private var deleted: [Key] = []
    /// A message to a topic may be queued for any number of subscribers.
    private static let maximumCount = 1 << 16

    private let insert = Prepared(DeviceRecord.Kind.held.insertion("INSERT", hasID: true))
    private let delete = Prepared("DELETE FROM held WHERE seq = ? AND target = ?")

    mutating func add(_ message: QueuedMessage, app: BorrowedText, id: Int64, to database: Database) throws {
        if added.count >= Self.maximumCount { try flush(to: database) }
        positions[Key(message)] = added.count
        added.append(Row(message: message, app: app.string, id: id))
    }

    mutating func remove(_ message: QueuedMessage) {
        let key = Key(message)
        if let position = positions.removeValue(forKey: key) {
            added[position].message = nil
        } else {
            deleted.append(key)
        }
    }

    mutating func removeAll() {
        added.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        deleted.removeAll(keepingCapacity: true)
    }

    /// Writes what has been collected. Call it before rows are read of which not all are in memory.
    mutating func flush(to database: Database) throws {
        // Whatever fails here ends the transaction.
        defer { removeAll() }
        // A message that has been renamed is deleted first.
        for key in deleted.sorted() {
            let delete = try delete(database)
            delete.bind(1, key.seq)
            delete.bind(2, key.target)
            try delete.run()
        }
        for row in added { if let message = row.message { try write(message, row, to: database) } }
    }

    /// Binds one by one, since a run with devices that are offline has many.
    private func write(_ message: QueuedMessage, _ row: Row, to database: Database) throws {
        let insert = try insert(database)
        insert.bind(1, message.seq)
        insert.bind(2, Int64(message.target ?? -1))
        insert.bind(3, copying: message.device)
        insert.bind(4, copying: row.app)
        insert.bind(5, message.acceptedAt)
        insert.bind(6, message.expiresAt)
        insert.bind(7, copying: message.collapseKey)
        insert.bind(8, BorrowedText(message.provider.name))
        insert.bind(9, message.gateway.map { BorrowedText($0.name) })
        insert.bind(10, copying: message.platform.rawValue)
        insert.bind(11, copying: message.topic)
        insert.bind(12, copying: message.collapseID)
        insert.bind(13, message.pushType.map { BorrowedText($0.row.wireName) })
        insert.bind(14, message.byteCount)
        insert.bind(15, message.byteLimit)
        insert.bind(16, Int64(message.isBackground ? 1 : 0))
        insert.bind(17, copying: message.payload)
        insert.bind(18, row.id)
        try insert.run()
    }
}

/// The rows of topics and of other names by which apps are found.
private struct SubscriptionWriter {
    private let delete = Prepared(StoreQuery.deleteSubscriptions)
    private let insert = Prepared("INSERT INTO subscription (topic, installation) VALUES (?, ?)")

    /// Replaces the topics of an app.
    ///
    /// - Parameters:
    ///   - topics: nil when nothing is known about them; empty when there are none.
    ///   - installation: row id of the app on the device.
    func write(_ topics: Set<String>?, of installation: Int64, in database: Database) throws {
        try delete(database).run(installation)
        guard let topics else { return }
        for topic in topics.isEmpty ? [""] : topics.sorted() { try insert(database).run(topic, installation) }
    }
}

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
                let event = DeviceEvent(
                    registering: row.string(4), StoredDevices.installation(row, from: 5), on: row.string(0),
                    platform: Platform(rawValue: row.string(1)), isOnline: row.integer(2) != 0)
                var settings = row.isNull(16) ? AppSettings() : AppText.settings(in: row.text(16))
                settings.canonical = row.optionalString(11)
                let condition = row.isNull(3) ? DeviceCondition() : DeviceCondition(row.text(3))
                try body(registrations.app(event, settings, condition, device: row.integer(17)))
            }
        }
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
            try PreparedStatement(database, StoreQuery.deviceRecords(.held)).forEachRow {
                try body(StoredDevices.message($0, device: $0.string(2)))
            }
        }
    }
}
