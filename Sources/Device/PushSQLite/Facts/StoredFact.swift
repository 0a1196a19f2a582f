import GRDB
import PayloadJSON
import PushStore

/// Something that a store keeps, in one file: its tables, how they came about, what begins and ends with a transaction, and what exports and imports
/// do with it. `StoreSchema.facts` lists all.
///
/// One is made for each connection. Making it costs nothing: statements are prepared when they first run.
protocol StoredFact: AnyObject, SendableMetatype {
    /// Its tables; a table comes after those that its rows refer to.
    static var tables: [StoredTable] { get }
    /// The statements that make them, with their indexes and views.
    static var schema: String { get }

    /// How much is in memory that can be loaded again.
    var loadedCount: Int { get }
    /// Begins a transaction.
    ///
    /// - Parameter filled: the tables that have rows; nil if nobody else has written since the last transaction.
    func begin(_ filled: FilledTables?) throws
    /// Loads what its tables have about a device, once until `forget` (`LoadedDevices`).
    func load(_ device: BorrowedText) throws
    /// Says where in the original input the following rows belong, in the store of a part.
    func setPlace(_ place: RowPlace)
    /// Writes what has changed, and ends the transaction.
    func end() throws
    /// Unloads what is in memory, because it no longer matches the database.
    func forget()
    /// Adds a record of one of its tables, from an export.
    func add(_ record: DeviceRecord) throws
}

extension StoredFact {
    var loadedCount: Int { 0 }
    func begin(_ filled: FilledTables?) throws {}
    func load(_ device: BorrowedText) throws {}
    func setPlace(_ place: RowPlace) {}
    func end() throws {}
    func forget() {}
    func add(_ record: DeviceRecord) throws {}
}

struct FilledTables {
    private let names: Set<String>

    init(_ select: PreparedStatement) throws {
        let filled = try select.first { row in
            StoreSchema.tables.indices.filter { row.integer(Int32($0)) == 1 }.map { StoreSchema.tables[$0].name }
        }
        names = Set(filled ?? [])
    }

    func contains(_ table: String) -> Bool { names.contains(table) }

    /// True if the file has something about a device.
    var haveDevices: Bool { ["center", "device", "held", "live_activity"].contains { contains($0) } }
}

/// A statement of one connection, prepared when it first runs.
final class Prepared {
    private let sql: String
    private var statement: PreparedStatement?

    init(_ sql: String) { self.sql = sql }

    func callAsFunction(_ database: Database) throws -> PreparedStatement {
        if let statement { return statement }
        let new = try PreparedStatement(database, sql)
        statement = new
        return new
    }
}

/// A table of a store, as exports see it. `StoreMerger` says what becomes of it when the stores of parts are merged.
struct StoredTable: Sendable {
    var name: String
    /// Its rows as exports have them; nil if they have none.
    var record: DeviceRecord.Kind?

    init(_ name: String, record: DeviceRecord.Kind? = nil) {
        self.name = name
        self.record = record
    }
}
