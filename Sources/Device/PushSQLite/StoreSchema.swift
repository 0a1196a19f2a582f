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
    /// The only schema that is read and written. Counts up whenever a statement of the schema changes.
    static let version = 1

    /// What SQLite's header says about a database.
    private struct Mark {
        var application: Int
        var version: Int
        var isEmpty: Bool

        init(_ database: Database) throws {
            application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0 == 0
        }

        /// True for a file that may become a store.
        var isUnused: Bool { isEmpty && application == 0 }
    }

    /// Makes the tables of a new store, and refuses a file that is not a store of this schema.
    ///
    /// - Throws: `StoreError`; `DatabaseError` if SQLite fails.
    static func prepare(_ queue: DatabaseQueue, path: String, access: SQLiteStore.Access) throws {
        var mark = try queue.read { try Mark($0) }
        let isNew = mark.isUnused && access == .readWrite
        if !isNew { try check(mark, queue, path: path) }
        guard access != .readOnly else { return }
        // Not earlier: the mode stays in the file, and another program's database must not be changed.
        let mode = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        guard mode == "wal" || mode == "memory" else {
            throw StoreError(
                code: .cannotOpen, path: path, message: "the file system has no room for a write-ahead log")
        }
        guard isNew else { return }
        mark = try queue.writeWithoutTransaction { database in
            var found = mark
            try database.inTransaction(.immediate) {
                // Another process may have made them meanwhile.
                found = try Mark(database)
                if found.isUnused { try make(in: database) }
                return .commit
            }
            return found
        }
        if !mark.isUnused { try check(mark, queue, path: path) }
    }

    private static func check(_ mark: Mark, _ queue: DatabaseQueue, path: String) throws {
        guard mark.application == applicationID else {
            let message =
                mark.isEmpty ? "an empty file, not a pushpipe store" : "an SQLite database, but not a pushpipe store"
            throw StoreError(code: .notAStore, path: path, message: message)
        }
        guard mark.version == version else {
            throw StoreError(
                code: .otherSchema, path: path,
                message:
                    "written by another version of pushpipe (schema \(mark.version); this version reads \(version)); "
                    + "use that version, or run the records again with another store")
        }
        try StoreTables.check(queue, path: path)
    }

    /// Makes the tables, indexes and views of a new store, as a part of the current transaction.
    static func make(in database: Database) throws {
        for fact in facts { try database.execute(sql: fact.schema) }
        try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }

    /// Milliseconds since the epoch as text, in integer arithmetic: a fraction in a double would sometimes lose a
    /// millisecond.
    static func rfc3339(_ column: String) -> String {
        let fraction = "(\(column) % 1000 + 1000) % 1000"
        return
            "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(fraction)) / 1000, 'unixepoch') || printf('.%03dZ', \(fraction))"
    }
}
