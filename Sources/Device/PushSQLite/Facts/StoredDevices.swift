import AppSimulation
import GRDB
import PayloadJSON
import PushDevices
import PushModel
import PushStore

/// The devices of a store, the apps on them, their topics, their queued messages, and the rates of pushes.
final class StoredDevices: StoredFact {
    static let tables = [
        StoredTable("device"), StoredTable("installation", record: .installation), StoredTable("subscription"),
        StoredTable("held", record: .held), StoredTable("rate_window"),
    ]

    /// Devices, the apps on them, their topics, the messages that their providers have queued, and the windows in which a run counts pushes.
    /// `focus` has the conditions of a device, as JSON (`DeviceCondition`). The topic is empty for an app that is subscribed to none; tokens
    /// of Live Activities are topics with a blank, which no topic has (`InstallationDetails.names`). `target` is -1 for a request with one
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
            app TEXT NOT NULL,
            state TEXT NOT NULL,
            authorization TEXT NOT NULL,
            alerts INTEGER NOT NULL,
            logged_in INTEGER,
            registration TEXT NOT NULL,
            unregistered_at INTEGER,
            canonical TEXT,
            deleted_count INTEGER NOT NULL,
            token_standing TEXT NOT NULL,
            token_since INTEGER NOT NULL,
            token_due INTEGER,
            details TEXT,
            UNIQUE (device, app)
        ) STRICT;
        CREATE INDEX installation_by_due ON installation (token_due) WHERE token_due IS NOT NULL;
        CREATE TABLE held (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            target INTEGER NOT NULL,
            device TEXT NOT NULL,
            app TEXT NOT NULL,
            accepted_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            collapse_key TEXT,
            provider TEXT NOT NULL,
            gateway TEXT,
            platform TEXT NOT NULL,
            topic TEXT NOT NULL,
            collapse_id TEXT,
            push_type TEXT,
            bytes INTEGER NOT NULL,
            byte_limit INTEGER NOT NULL,
            is_background INTEGER NOT NULL,
            payload TEXT NOT NULL,
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

    let registry: DeviceRegistry
    private let rows: SQLiteDevices
    private let database: Database
    // For records of an export.
    private let insertDevice = Prepared(
        """
        INSERT INTO device (device, platform, online, focus) VALUES (?, ?, ?, ?)
        ON CONFLICT (device) DO UPDATE SET
            platform = excluded.platform, online = excluded.online, focus = excluded.focus
        """)
    private let insertApp = Prepared(
        """
        INSERT OR REPLACE INTO installation (device, \(ofApp.joined(separator: ", ")))
        VALUES ((SELECT id FROM device WHERE device = ?), \(ofApp.map { _ in "?" }.joined(separator: ", ")))
        """)
    private let selectApp = Prepared(StoreQuery.appOfDevice)
    private let insertHeld = Prepared(DeviceRecord.Kind.held.insertion())
    private let subscriptions = SubscriptionWriter()
    /// The columns of an app on a device, without those of the device itself.
    private static let ofApp = DeviceRecord.Kind.installation.columns.map(\.name).filter {
        !DeviceRecord.Kind.ofDevice.contains($0)
    }
    /// True if the registry still has to unload what is in memory.
    private var mustUnload = false

    init(_ database: Database, _ ids: RowIDs) {
        self.database = database
        rows = SQLiteDevices(database, ids)
        registry = DeviceRegistry(rows: rows)
    }

    var loadedCount: Int { registry.loadedCount }

    func begin(_ filled: FilledTables?) throws {
        if mustUnload { rows.isComplete = false }
        if let filled {
            rows.hasDevices = filled.contains("device")
            rows.isComplete = !rows.hasDevices
            rows.hasSubscribers = filled.contains("subscription")
            rows.hasQueued = filled.contains("held")
        }
        try registry.begin(forgetting: mustUnload)
        mustUnload = false
    }

    func setPlace(_ place: RowPlace) { registry.setRowPlace(place.id) }

    func checkpoint() throws { try rows.writeRates(registry) }

    func end() throws { try rows.write(registry) }

    func forget() {
        rows.forget()
        mustUnload = true
    }

    func add(_ record: DeviceRecord) throws {
        rows.isComplete = false
        guard record.kind == .installation else {
            rows.hasQueued = true
            return try record.run(insertHeld(database))
        }
        try record.run(insertDevice(database), DeviceRecord.Kind.ofDevice)
        // A row that is replaced gets another id.
        let selectApp = try selectApp(database).with(record.text("device"), record.text("app"))
        if let old = try selectApp.firstInteger() { try subscriptions.write(nil, of: old, in: database) }
        let insertApp = try insertApp(database)
        try record.run(insertApp, ["device"] + Self.ofApp)
        try subscriptions.write(names(in: record), of: insertApp.lastInsertedRowID, in: database)
    }

    private func names(in record: DeviceRecord) -> Set<String>? {
        record.text("details").flatMap { text in BorrowedText.with(text) { AppText.names(in: $0) } }
    }
}

extension DeviceRecord.Kind {
    /// The columns of the device itself, not of an app on it.
    static let ofDevice = ["device", "platform", "online", "focus"]

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
