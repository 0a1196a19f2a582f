import PushDevices
import PushJSON

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

/// A row about an app on a device, a queued message, a Live Activity or a late removal, with named columns, to copy to another store.
package struct DeviceRecord: Sendable, Equatable {
    /// The subject of the row; see the facts, such as `StoredRemovals`.
    package struct Kind: Sendable, Hashable {
        struct Column: Sendable {
            var name: String
            var isText: Bool
            var isOptional: Bool

            static func text(_ name: String, isOptional: Bool = false) -> Column {
                Column(name: name, isText: true, isOptional: isOptional)
            }

            static func integer(_ name: String, isOptional: Bool = false) -> Column {
                Column(name: name, isText: false, isOptional: isOptional)
            }
        }

        /// The name of the table, and of the member of an export.
        package let name: String
        let columns: [Column]

        /// All kinds, in the order of exports.
        package static let all = StoreSchema.tables.compactMap(\.record)

        package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

        package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A column's value.
    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int64)
    }

    package var kind: Kind
    /// Values by column name; missing columns are null.
    package var values: [String: Value]

    /// The text of a column; nil for a missing one.
    func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }

    /// The number of a column; nil for a missing one.
    func integer(_ name: String) -> Int64? { if case .integer(let number)? = values[name] { number } else { nil } }

    /// Runs a statement with the values of columns, by default of all.
    func run(_ statement: PreparedStatement, _ names: [String]? = nil) throws {
        for (position, name) in (names ?? kind.columns.map(\.name)).enumerated() {
            switch values[name] {
            case .text(let text)?: statement.bind(Int32(position + 1), copying: text)
            case .integer(let number)?: statement.bind(Int32(position + 1), number)
            case nil: statement.bind(Int32(position + 1), nil as Int?)
            }
        }
        try statement.run()
    }
}

extension DeviceRecord.Kind {
    /// A statement that inserts a row. Binds the columns in order, and the id after them, if it has one.
    func insertion(_ verb: String = "INSERT OR REPLACE", hasID: Bool = false) -> String {
        let names = columns.map(\.name) + (hasID ? ["id"] : [])
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        return "\(verb) INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// The names of the columns, for statements.
    var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// The definitions of the columns, for the statement that makes the table.
    var definitions: String { columns.map(\.definition).joined(separator: ",\n    ") }
}

extension DeviceRecord.Kind.Column {
    /// The definition of the column, for the statement that makes its table.
    var definition: String { "\(name) \(isText ? "TEXT" : "INTEGER")\(isOptional ? "" : " NOT NULL")" }
}
