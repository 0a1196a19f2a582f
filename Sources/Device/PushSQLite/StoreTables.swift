import GRDB
import PushStore

/// The parts of a store by its schema. A file must have it as pushpipe makes it, because a store may come from anybody: views, triggers,
/// defaults, checks and indexes contain SQL that runs when its tables are read or changed.
struct StoreTables: Sendable {
    private struct Definition: Equatable, Sendable {
        var type: String
        var table: String
        /// The statement that makes it, cut at white space, which SQLite keeps as it was written. None of ours has a comment.
        var words: [String]
    }

    /// In lower case, because SQLite's names have no case.
    static let names = Set(StoreSchema.tables.map(\.name) + [migrations])
    /// GRDB's list of the migrations that a file has been through.
    private static let migrations = "grdb_migrations"

    /// Those of a new store. Made once per process.
    private static let newest = Result { try StoreTables(StoreSchema.migrator, upTo: nil) }

    /// By their names, in lower case.
    private var definitions: [String: Definition] = [:]

    /// Those that a database has.
    private init(_ database: Database) throws {
        // Each is a text, whatever the file has there.
        let sql = "SELECT lower(name), lower(type), lower(tbl_name), sql FROM sqlite_master"
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            let columns = (0..<4).map { String.fromDatabaseValue(row[$0]) ?? "" }
            // GRDB makes its own list, and may write the same in another way one day.
            let sql = columns[0] == Self.migrations ? columns[3].lowercased().filter { $0 != "\"" } : columns[3]
            // What is white space to SQLite.
            let words = sql.utf8.split { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
            definitions[columns[0]] = Definition(
                type: columns[1], table: columns[2], words: words.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Those of a store that has been through some migrations, with each index that is made later.
    private init(_ migrator: DatabaseMigrator, upTo last: String?) throws {
        let model = try DatabaseQueue()
        if let last { try migrator.migrate(model, upTo: last) } else { try migrator.migrate(model) }
        try model.write { database in
            for index in StoreIndex.allCases {
                // Older stores do not have every table.
                if try database.tableExists(index.table) { try index.build(in: database) }
            }
        }
        self = try model.read { try Self($0) }
    }

    /// Refuses a file in which a table, index, view or trigger that has a name of pushpipe's, or belongs to one of pushpipe's tables, is not as
    /// pushpipe makes it; or whose list of migrations is not the beginning of ours. An added index over plain columns is no harm. What else
    /// a file has is nobody's: pushpipe never reads it.
    ///
    /// - Throws: `StoreError`.
    static func check(_ queue: DatabaseQueue, path: String) throws {
        let migrator = StoreSchema.migrator
        let newest = try Self.newest.get()
        let found = try queue.read { try Self($0) }
        let known = migrator.migrations
        // Reading a list that is a view may never end.
        try queue.read { try found.check(only: migrations, newest, $0, path) }
        let applied = try queue.read { try migrator.appliedIdentifiers($0) }
        guard applied.isSubset(of: known) else {
            throw StoreError(code: .tooNew, path: path, message: "written by a later version of pushpipe; use that one")
        }
        guard applied == Set(known.prefix(applied.count)) else {
            throw refusal(of: "its list of migrations has gaps", path)
        }
        let isNewest = applied.count == known.count
        // Before the first one there is the list at most.
        let expected = isNewest ? newest : try Self(migrator, upTo: known[max(applied.count, 1) - 1])
        try queue.read { try found.check(only: nil, expected, $0, path) }
    }

    private func check(only table: String?, _ expected: StoreTables, _ database: Database, _ path: String) throws {
        for (name, definition) in definitions.sorted(by: { $0.key < $1.key }) {
            guard table == nil || table == definition.table || table == name else { continue }
            guard expected.definitions[name] != definition else { continue }
            let hasOurName = expected.definitions[name] != nil || Self.names.contains(name)
            guard hasOurName || Self.names.contains(definition.table) || expected.definitions[definition.table] != nil,
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
        return try Bool.fetchOne(database, sql: sql, arguments: [name, definition.table]) ?? false
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
