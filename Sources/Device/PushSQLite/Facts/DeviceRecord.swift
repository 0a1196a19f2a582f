import GRDB
import PushStore

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

    /// For statements.
    var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// For the statement that makes the table.
    var definitions: String { columns.map(\.definition).joined(separator: ",\n    ") }
}

extension DeviceRecord.Kind.Column {
    /// For the statement that makes a table.
    var definition: String { "\(name) \(isText ? "TEXT" : "INTEGER")\(isOptional ? "" : " NOT NULL")" }
}
