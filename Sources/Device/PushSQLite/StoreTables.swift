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

    /// Those of a new store with every index that is made later. Made once per process.
    private static let expected = Result {
        try DatabaseQueue().write { database in
            try StoreSchema.make(in: database)
            for index in StoreIndex.allCases { try index.build(in: database) }
            return try StoreTables(database)
        }
    }

    /// By their names, in lower case, because SQLite's names have no case.
    private var definitions: [String: Definition] = [:]

    /// Those that a database has.
    private init(_ database: Database) throws {
        // Each is a text, whatever the file has there.
        let sql = "SELECT lower(name), lower(type), lower(tbl_name), sql FROM sqlite_master"
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            let columns = (0..<4).map { String.fromDatabaseValue(row[$0]) ?? "" }
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
    static func check(_ queue: DatabaseQueue, path: String) throws {
        let expected = try Self.expected.get()
        try queue.read { try Self($0).check(expected, $0, path) }
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
