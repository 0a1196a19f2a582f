import GRDB
import PushStore

/// Removals that are not due yet, and since when a notification on the screen should have been removed.
final class StoredRemovals: StoredFact {
    static let tables = [
        StoredTable("removal", .copied(.init(tie: "seq, device, app")), record: .removal)
    ]

    static let migrations = [StoreMigration(11, "late removals", table)]

    /// Removals that extensions have asked for and that are not due yet; without an identifier, of all notifications of an app. Since
    /// when a notification on the screen should have been removed. Times are milliseconds since the epoch.
    private static let table = """
        CREATE TABLE removal (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            due INTEGER NOT NULL,
            device TEXT NOT NULL,
            app TEXT NOT NULL,
            identifier TEXT
        ) STRICT;
        ALTER TABLE notification ADD COLUMN stale_since INTEGER;
        CREATE INDEX notification_stale ON notification (id) WHERE stale_since IS NOT NULL;
        CREATE VIEW stale_duplicates AS
        SELECT
            c.device AS device,
            c.app AS app,
            coalesce(n.chosen_identifier, 'push-' || n.seq || coalesce('.' || n.target, '')) AS identifier,
            \(StoreSchema.rfc3339("n.stale_since")) AS since
        FROM notification n JOIN center c ON c.id = n.center
        WHERE n.stale_since IS NOT NULL
        ORDER BY n.id;
        """

    /// The removals that are not due yet, all in memory.
    let waiting = LateRemovals(isStored: true)
    private let database: Database
    private let select = Prepared(StoreQuery.removals)
    private let insert = Prepared(StoreQuery.insertRemoval)
    private let delete = Prepared(StoreQuery.deleteRemoval)

    init(_ database: Database) { self.database = database }

    func begin(_ filled: FilledTables?) throws {
        guard let filled else { return }
        waiting.removeAll()
        guard filled.contains("removal") else { return }
        let row = try select(database)
        while try row.step() {
            let removal = LateRemovals.Removal(
                seq: UInt64(bitPattern: row.integer(1)), due: row.integer(2), device: row.string(3), app: row.string(4),
                identifier: row.optionalString(5))
            waiting.restore(removal, row: row.integer(0))
        }
    }

    func setPlace(_ place: RowPlace) { waiting.place = place.id }

    func end() throws {
        try waiting.write { waiting in
            let removal = waiting.removal
            try insert(database).run(
                waiting.row, removal.seq, removal.due, removal.device, removal.app, removal.identifier)
        } delete: {
            try delete(database).run($0)
        }
    }

    func add(_ record: DeviceRecord) { if let removal = LateRemovals.Removal(record) { waiting.add(removal) } }
}

extension DeviceRecord.Kind {
    /// A removal that is not due yet.
    package static let removal = Self(
        name: "removal",
        columns: [
            .integer("seq"), .integer("due"), .text("device"), .text("app"), .text("identifier", isOptional: true),
        ])
}

extension LateRemovals.Removal {
    /// The removal of a record; nil if a column is missing.
    fileprivate init?(_ record: DeviceRecord) {
        guard let seq = record.integer("seq"), let due = record.integer("due"), let device = record.text("device"),
            let app = record.text("app")
        else { return nil }
        self.init(
            seq: UInt64(bitPattern: seq), due: due, device: device, app: app, identifier: record.text("identifier"))
    }
}
