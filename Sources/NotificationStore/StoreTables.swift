import GRDB

/// The tables of a store, as far as a file must not have them in another way: whoever opens a store may have got it from anybody.
enum StoreTables {
    /// In lower case, because SQLite's names have no case.
    static let names: Set<String> = [
        "center", "device", "event", "grdb_migrations", "held", "input", "installation", "last_record", "last_report",
        "live_activity", "notification", "part", "progress", "rate_window", "redaction", "removal", "stream_offset",
        "subscription",
    ]

    /// Refuses a file in which a table is a view, which may never end; is virtual or computed; or has a trigger or an index over expressions,
    /// which would run at each change. What else a file has is nobody's: pushpipe never reads it.
    ///
    /// - Throws: `StoreError`.
    static func check(_ database: Database, path: String) throws {
        // Each is a text, whatever the file has there. Views and virtual tables have no page of their own.
        let columns = ["type", "name", "tbl_name", "sql"].map { "coalesce(lower(\($0)), '')" }.joined(separator: ", ")
        let rows = try Row.fetchCursor(
            database, sql: "SELECT \(columns), coalesce(rootpage, 0) = 0 AS isVirtual FROM sqlite_master")
        while let row = try rows.next() {
            let (type, name, table, sql): (String, String, String, String) = (row[0], row[1], row[2], row[3])
            let isOurs = names.contains(type == "table" || type == "view" ? name : table)
            let isVirtual: Bool = row["isVirtual"]
            guard isOurs else { continue }
            let isPlain =
                switch type {
                case "table": try !isVirtual && !hasComputedColumns(name, database)
                case "index": sql.utf8.count { $0 == UInt8(ascii: "(") } <= 1
                default: false
                }
            if !isPlain {
                throw StoreError(
                    code: .notAStore, path: path,
                    message:
                        "changed by somebody: its \(type) \(name) is not one that pushpipe makes; export it with a tool that you trust"
                )
            }
        }
    }

    private static func hasComputedColumns(_ table: String, _ database: Database) throws -> Bool {
        // 0 is an ordinary column.
        let sql = "SELECT EXISTS (SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0)"
        return try Bool.fetchOne(database, sql: sql, arguments: [table]) ?? true
    }
}
