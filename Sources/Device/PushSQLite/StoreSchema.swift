import GRDB
import PushStore

enum StoreSchema {
    /// Everything that a store keeps. Tables come after those that their rows refer to.
    static let facts: [any StoredFact.Type] = [
        StoredScreens.self, StoredDevices.self, StoredActivities.self, StoredRemovals.self, StoredProgress.self,
        StoredParts.self, StoredRedaction.self,
    ]
    static let tables: [StoredTable] = facts.flatMap { $0.tables }

    /// "push" in ASCII: marks a database as a store of this package.
    static let applicationID = 0x7075_7368

    static func prepare(_ queue: DatabaseQueue, path: String, access: SQLiteStore.Access) throws {
        let (identifier, isNew, isEmpty) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0 == 0,
                // A run that was killed while it created the file may have left only the list of migrations, which
                // comes first.
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") ?? 0 == 0
            )
        }
        guard identifier == applicationID || (isEmpty && identifier == 0 && access == .readWrite) else {
            let message =
                isEmpty ? "an empty file, not a pushpipe store" : "an SQLite database, but not a pushpipe store"
            throw StoreError(code: .notAStore, path: path, message: message)
        }
        // To know what ours are takes as long as to make them.
        if !isNew { try StoreTables.check(queue, path: path) }
        guard access != .readOnly else { return }
        // Not earlier: the mode stays in the file, and another program's database must not be changed.
        let mode = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        guard mode == "wal" || mode == "memory" else {
            throw StoreError(
                code: .cannotOpen, path: path, message: "the file system has no room for a write-ahead log")
        }
        try migrator.migrate(queue)
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for step in facts.flatMap({ $0.migrations }).sorted(by: { $0.number < $1.number }) {
            migrator.registerMigration("\(step.number) \(step.name)") { try $0.execute(sql: step.sql) }
        }
        return migrator
    }

    /// Milliseconds since the epoch as text, in integer arithmetic: a fraction in a double would sometimes lose a
    /// millisecond.
    static func rfc3339(_ column: String) -> String {
        let fraction = "(\(column) % 1000 + 1000) % 1000"
        return
            "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(fraction)) / 1000, 'unixepoch') || printf('.%03dZ', \(fraction))"
    }
}
