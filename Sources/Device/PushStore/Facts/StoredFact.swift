import GRDB

/// Something that a store keeps, in one file: its tables, how they came about, what begins and ends with a transaction, and what exports, imports
/// and merges do with it. `StoreSchema.facts` lists all.
///
/// One is made for each connection. Making it costs nothing: statements are prepared when they first run.
protocol StoredFact: AnyObject, SendableMetatype {
    /// Its tables; a table comes after those that its rows refer to.
    static var tables: [StoredTable] { get }
    /// What made its tables as they are.
    static var migrations: [StoreMigration] { get }

    /// How much is in memory that can be loaded again.
    var loadedCount: Int { get }
    /// Begins a transaction.
    ///
    /// - Parameter filled: the tables that have rows; nil if nobody else has written since the last transaction.
    func begin(_ filled: FilledTables?) throws
    /// Says where in the original input the following rows belong, in the store of a part.
    func setPlace(_ place: RowPlace)
    /// Writes what only a run needs that goes on after this transaction.
    func checkpoint() throws
    /// Writes what has changed, and ends the transaction.
    func end() throws
    /// Unloads what is in memory, because it no longer matches the database.
    func forget()
    /// Adds a record of one of its tables, from an export.
    func add(_ record: DeviceRecord) throws
    /// Takes what parts say about the whole store, for a merged one.
    func join(_ parts: [SQLiteStore], isPartial: Bool) throws
}

extension StoredFact {
    static var migrations: [StoreMigration] { [] }
    var loadedCount: Int { 0 }
    func begin(_ filled: FilledTables?) throws {}
    func setPlace(_ place: RowPlace) {}
    func checkpoint() throws {}
    func end() throws {}
    func forget() {}
    func add(_ record: DeviceRecord) throws {}
    func join(_ parts: [SQLiteStore], isPartial: Bool) throws {}
}

/// A step from one version of the tables to the next.
struct StoreMigration: Sendable {
    /// From 1. Each step has its own, whatever its fact.
    var number: Int
    var name: String
    var sql: String

    init(_ number: Int, _ name: String, _ sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }
}

/// The tables of a store that have rows.
struct FilledTables {
    private let names: Set<String>

    /// Asks with one statement.
    init(_ select: PreparedStatement) throws {
        var names: Set<String> = []
        if try select.step() {
            for (column, table) in StoreSchema.tables.enumerated() where select.integer(Int32(column)) == 1 {
                names.insert(table.name)
            }
        }
        select.reset()
        self.names = names
    }

    func contains(_ table: String) -> Bool { names.contains(table) }
}

/// Statements of a connection, prepared when the first of them is needed.
final class Prepared<Statements> {
    private let make: () throws -> Statements
    private var made: Statements?

    init(_ make: @escaping () throws -> Statements) { self.make = make }

    func callAsFunction() throws -> Statements {
        if let made { return made }
        let new = try make()
        made = new
        return new
    }
}

extension Prepared where Statements == PreparedStatement {
    /// One statement.
    convenience init(_ database: Database, _ sql: String) { self.init { try PreparedStatement(database, sql) } }
}
