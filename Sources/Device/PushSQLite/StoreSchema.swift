import PushDevices

enum StoreSchema {
    /// Everything that a store keeps. Tables come after those that their rows refer to.
    static let facts: [any StoredFact.Type] = [
        StoredScreens.self, StoredDevices.self, StoredActivities.self, StoredRemovals.self, StoredProgress.self,
        StoredRedaction.self,
    ]
    static let tables: [StoredTable] = facts.flatMap { $0.tables }

    /// "push" in ASCII: marks a database as a store of this package.
    static let applicationID = 0x7075_7368
    /// The only schema that is read and written. Counts up with each release that changes a statement of the schema.
    static let version = 1

    /// What SQLite's header says about a database.
    private struct Mark {
        var application: Int64
        var version: Int64
        var isEmpty: Bool

        init(_ database: Database) throws {
            func number(_ sql: String) throws -> Int64 {
                try PreparedStatement(database, sql).firstInteger() ?? 0
            }
            application = try number("PRAGMA application_id")
            version = try number("PRAGMA user_version")
            isEmpty = try number("SELECT count(*) FROM sqlite_master") == 0
        }

        /// True for a file that may become a store.
        var isUnused: Bool { isEmpty && application == 0 }
    }

    /// Makes the tables of a new store, and refuses a file that is not a store of this schema.
    ///
    /// - Throws: `StoreError`; `DatabaseError` if SQLite fails.
    static func prepare(_ database: Database, path: String, access: SQLiteStore.Access) throws {
        var mark = try database.inTransaction(.deferred) { try Mark(database) }
        let isNew = mark.isUnused && access == .readWrite
        if !isNew { try check(mark, database, path: path) }
        guard access != .readOnly else { return }
        // Not earlier: the mode stays in the file, and another program's database must not be changed.
        let mode = try PreparedStatement(database, "PRAGMA journal_mode = WAL").first { $0.string(0) }
        guard mode == "wal" || mode == "memory" else {
            throw StoreError(
                code: .cannotOpen, path: path, message: "the file system has no room for a write-ahead log")
        }
        guard isNew else { return }
        try database.inTransaction(.immediate) {
            // Another process may have made them meanwhile.
            mark = try Mark(database)
            if mark.isUnused { try make(in: database) }
        }
        if !mark.isUnused { try check(mark, database, path: path) }
    }

    private static func check(_ mark: Mark, _ database: Database, path: String) throws {
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
        try StoreTables.check(database, path: path)
    }

    /// Makes the tables, indexes and views of a new store, as a part of the current transaction.
    static func make(in database: Database) throws {
        for fact in facts { try database.execute(fact.schema) }
        try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }

    /// Milliseconds since the epoch as text, in integer arithmetic: a fraction in a double would sometimes lose a
    /// millisecond.
    static func rfc3339(_ column: String) -> String {
        let fraction = "(\(column) % 1000 + 1000) % 1000"
        return
            "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(fraction)) / 1000, 'unixepoch') || printf('.%03dZ', \(fraction))"
    }
}

/// The parts of a store by its schema. A file must have it as pushpipe makes it, because a store may come from anybody: views, triggers,
/// defaults, checks and indexes contain SQL that runs when its tables are read or changed.
struct StoreTables: Sendable {
    private struct Definition: Equatable, Sendable {
        var type: String
        var table: String
        /// The statement that makes it, cut at white space, which SQLite keeps as it was written. None of ours has a comment.
        var words: [String]
    }

    /// Those of a new store with every index that is made later. Made once per process.
    private static let expected = Result {
        let database = try Database(path: nil)
        try StoreSchema.make(in: database)
        for index in StoreIndex.allCases { try index.build(in: database) }
        return try StoreTables(database)
    }

    /// The definitions by name, in lower case, because SQLite's names have no case.
    private var definitions: [String: Definition] = [:]

    /// Those that a database has.
    private init(_ database: Database) throws {
        // Each is a text, whatever the file has there.
        let sql = "SELECT lower(name), lower(type), lower(tbl_name), sql FROM sqlite_master"
        try PreparedStatement(database, sql).forEachRow { row in
            let columns = (0..<4).map { row.string($0) }
            // What is white space to SQLite.
            let words = columns[3].utf8.split { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
            definitions[columns[0]] = Definition(
                type: columns[1], table: columns[2], words: words.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Refuses a file in which a table, index, view or trigger that has a name of pushpipe's, or belongs to one of pushpipe's tables, is not as
    /// pushpipe makes it. An added index over plain columns is no harm. What else a file has is
    /// nobody's: pushpipe never reads it.
    ///
    /// - Throws: `StoreError`.
    static func check(_ database: Database, path: String) throws {
        let expected = try Self.expected.get()
        try database.inTransaction(.deferred) { try Self(database).check(expected, database, path) }
    }

    private func check(_ expected: StoreTables, _ database: Database, _ path: String) throws {
        for (name, definition) in definitions.sorted(by: { $0.key < $1.key }) {
            guard expected.definitions[name] != definition else { continue }
            let hasOurName = expected.definitions[name] != nil
            guard hasOurName || expected.definitions[definition.table] != nil,
                try !isPlainIndex(name, definition, expected, database)
            else { continue }
            // Another name can be any text.
            let what = hasOurName ? "its \(definition.type) \(name)" : "one of its \(Self.plural(definition))"
            throw Self.refusal(of: "\(what) is not one that pushpipe makes", path)
        }
    }

    /// True if somebody has added it, and it computes nothing and forbids nothing.
    private func isPlainIndex(
        _ name: String, _ definition: Definition, _ expected: StoreTables, _ database: Database
    ) throws -> Bool {
        guard definition.type == "index", expected.definitions[name] == nil else { return false }
        // -2 is an expression.
        let sql = """
            SELECT NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(?1) WHERE cid = -2)
                AND EXISTS (SELECT 1 FROM pragma_index_list(?2) WHERE lower(name) = ?1 AND NOT "unique" AND NOT partial)
            """
        return try PreparedStatement(database, sql, name, definition.table).firstInteger() == 1
    }

    private static func plural(_ definition: Definition) -> String {
        definition.type == "index" ? "indexes" : definition.type + "s"
    }

    private static func refusal(of what: String, _ path: String) -> StoreError {
        StoreError(
            code: .notAStore, path: path,
            message:
                "changed by somebody: \(what); drop what you added yourself, otherwise run the records again with another store"
        )
    }
}
