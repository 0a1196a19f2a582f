import GRDB
import PushStore

/// Copies the rows of a table from parts to the merged store, with new ids. Values are handed on as they are, whatever columns there are.
final class TableCopy {
    /// Columns of a source before those of the table: the id, and those of its tie.
    private static let firstColumn: Int32 = 4

    let sources: [RowSource<PreparedStatement>]
    private let table: StoredTable
    private let hasIDs: Bool
    private let insertion: PreparedStatement
    private let columnCount: Int32
    /// By column from 0: the rows that it refers to, of each part.
    private var references: [(column: Int32, maps: [RowMap])] = []
    /// Where the table's own rows have gone, of each part.
    private let maps: [RowMap]?
    private var lastID: Int64 = 0

    init(
        _ table: StoredTable, _ copying: StoredTable.Copying, from parts: [SQLiteStore], to database: Database,
        _ references: [String: [RowMap]], keeping maps: [RowMap]?
    ) throws {
        self.table = table
        hasIDs = copying.hasIDs
        self.maps = maps
        let names = try database.columns(in: table.name).map(\.name).filter { $0 != "id" }
        columnCount = Int32(names.count)
        let all = (hasIDs ? ["id"] : []) + names
        insertion = try PreparedStatement(
            database,
            "INSERT INTO \(table.name) (\(all.joined(separator: ", "))) "
                + "VALUES (\(all.map { _ in "?" }.joined(separator: ", "))) \(copying.conflict)")
        let order = hasIDs ? "ORDER BY id" : ""
        let id = hasIDs ? "id" : "0"
        let select = "SELECT \(id), \(copying.tie), \(names.joined(separator: ", ")) FROM \(table.name) \(order)"
        sources = try parts.map { try $0.reading { try Self.source(select, table, $0) } }
        for (position, name) in names.enumerated() {
            guard let maps = copying.references[name].flatMap({ references[$0] }) else { continue }
            self.references.append((Int32(position), maps))
        }
    }

    private static func source(
        _ select: String, _ table: StoredTable, _ part: Database
    ) throws -> RowSource<PreparedStatement> {
        let row = try PreparedStatement(part, select)
        let names = try PreparedStatement(part, StoreQuery.centerNames)
        let centers = try CenterSequences(part)
        // The column of the center is the first that is not in the tie.
        let center = try part.columns(in: table.name).map(\.name).filter { $0 != "id" }.firstIndex(of: "center")
        return RowSource(
            [row, names],
            tie: { placed in
                if let center {
                    let (device, app) = try names.names(ofCenter: row.integer(firstColumn + Int32(center)))
                    return RowTie(
                        at: row.integer(2), seq: UInt64(bitPattern: row.integer(1)), device: device, app: app)
                }
                let seq =
                    table.name == "center"
                    ? try centers.first(ofCenter: placed.id) : UInt64(bitPattern: row.integer(1))
                return RowTie(seq: seq, device: row.string(2), app: row.string(3))
            }, read: { try row.step() ? PlacedRow(id: row.integer(0), value: row) : nil })
    }

    func insert(_ row: PlacedRow<PreparedStatement>, of part: Int) throws {
        let first: Int32 = hasIDs ? 2 : 1
        for column in 0..<columnCount { insertion.bind(first + column, row.value, column: Self.firstColumn + column) }
        for (column, maps) in references {
            let old = row.value.integer(Self.firstColumn + column)
            guard let new = try maps[part].new(of: old) else {
                let message = "a row of table \(table.name) refers to a row that is not there"
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
            }
            insertion.bind(first + column, new)
        }
        lastID += 1
        if hasIDs { insertion.bind(1, lastID) }
        try insertion.run()
        try maps?[part].add(row.id, new: lastID)
    }

    func close() {
        for source in sources { source.close() }
    }
}

/// Where the rows of a part have gone, in a temporary table, so that it may have any number of rows.
final class RowMap {
    private let database: Database
    private let name: String
    private let insertion: PreparedStatement
    private let select: PreparedStatement

    init(_ name: String, _ database: Database) throws {
        self.name = name
        self.database = database
        try database.execute(sql: "CREATE TEMP TABLE \(name) (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)")
        insertion = try PreparedStatement(database, "INSERT INTO temp.\(name) VALUES (?, ?)")
        select = try PreparedStatement(database, "SELECT new FROM temp.\(name) WHERE old = ?")
    }

    /// Adds a row; ids ascend.
    func add(_ old: Int64, new: Int64) throws {
        insertion.bind(1, old)
        insertion.bind(2, new)
        try insertion.run()
    }

    func new(of old: Int64) throws -> Int64? {
        select.bind(1, old)
        return try select.firstInteger()
    }

    func drop() throws { try database.execute(sql: "DROP TABLE temp.\(name)") }
}
