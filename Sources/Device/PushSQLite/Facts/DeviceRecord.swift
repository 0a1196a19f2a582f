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
    /// A statement that inserts a row, replacing one with the same key. Binds the id, if it has one, and the columns in order.
    func insertion(hasID: Bool = false) -> String {
        let marks = Array(repeating: "?", count: columns.count + (hasID ? 1 : 0)).joined(separator: ", ")
        return "INSERT OR REPLACE INTO \(name) (\(hasID ? "id, " : "")\(columnNames)) VALUES (\(marks))"
    }

    /// For statements.
    var columnNames: String { columns.map(\.name).joined(separator: ", ") }
}
