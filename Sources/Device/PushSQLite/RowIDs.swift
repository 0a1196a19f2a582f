import GRDB
import PushStore

/// The ids of new rows: each gets one more than the last row of its table. In the store of a part they follow from places in the original
/// input: a row gets the place of what caused it, if that is greater.
final class RowIDs {
    enum Table: Int, CaseIterable {
        case center, event, device, installation, held
    }

    private let database: Database
    private let select = Prepared(
        "SELECT " + Table.allCases.map { "coalesce((SELECT max(id) FROM \($0)), 0)" }.joined(separator: ", "))
    /// The greatest id of each table.
    private var last = Table.allCases.map { _ in Int64(0) }
    /// Where the next rows belong, in the store of a part; 0 in any other.
    private var place: Int64 = 0

    init(_ database: Database) { self.database = database }

    /// Begins a transaction.
    ///
    /// - Parameter filled: nil if nobody else has written since the last transaction.
    func begin(_ filled: FilledTables?) throws {
        place = 0
        guard filled != nil else { return }
        let row = try select(database)
        last = try row.first { row in last.indices.map { row.integer(Int32($0)) } } ?? last
    }

    func setPlace(_ place: RowPlace) { self.place = place.id }

    /// The id of the next row of a table.
    ///
    /// - Parameter birth: the place of what caused the row; 0 for the current one.
    func next(_ table: Table, birth: Int64 = 0) -> Int64 {
        let id = max(birth == 0 ? place : birth, last[table.rawValue] &+ 1)
        last[table.rawValue] = id
        return id
    }
}
