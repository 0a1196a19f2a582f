package import PushDevices

/// Removals that are not due yet.
final class StoredRemovals: StoredFact {
    static let tables = [StoredTable("removal", record: .removal)]

    /// Removals that extensions have asked for and that are not due yet; without an identifier, of all notifications of an app. Times are
    /// milliseconds since the epoch.
    static let schema = """
        CREATE TABLE removal (
            id INTEGER PRIMARY KEY,
            \(DeviceRecord.Kind.removal.definitions)
        ) STRICT;
        """

    /// The removals that are not due yet, all in memory.
    let waiting = LateRemovals(isStored: true)
    private let database: Database
    private let select = Prepared("SELECT id, seq, due, device, app, identifier FROM removal ORDER BY id")
    private let insert = Prepared(DeviceRecord.Kind.removal.insertion("INSERT", hasID: true))
    private let delete = Prepared("DELETE FROM removal WHERE id = ?")

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
                removal.seq, removal.due, removal.device, removal.app, removal.identifier, waiting.row)
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

extension SQLiteStore {
    /// Counts the marked rows, which an index of their own lists, and the removals that are not due yet.
    package func staleCount() throws -> StaleCount {
        try reading { database in
            StaleCount(
                shown: Int(try PreparedStatement(database, StoreQuery.staleCount).firstInteger() ?? 0),
                pending: Int(try PreparedStatement(database, StoreQuery.removalCount).firstInteger() ?? 0))
        }
    }
}
