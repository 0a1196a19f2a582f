import GRDB
import PushStore

/// The ids of new rows in the store of a part, which follow from places in the original input. In any other store SQLite
/// chooses them.
///
/// Each table's ids ascend: a row gets the place of what caused it, or one more than the last row.
final class RowIDs {
    enum Table: String {
        case center, event, device, installation, held
    }

    private let database: Database
    /// The greatest id of each table; empty before it has been looked up.
    private var last: [Table: Int64] = [:]
    /// Nil while SQLite chooses.
    private(set) var place: RowPlace?

    init(_ database: Database) { self.database = database }

    func begin() { place = nil }

    /// Forgets what the file had, which another process may have changed.
    func forget() { last.removeAll() }

    func setPlace(_ place: RowPlace) { self.place = place }

    /// The id of the next row; nil while SQLite chooses.
    ///
    /// - Parameter birth: the place of what caused the row; 0 for the current one.
    func next(_ table: Table, birth: Int64 = 0) throws -> Int64? {
        guard let place else { return nil }
        let before =
            try last[table] ?? PreparedStatement(database, "SELECT max(id) FROM \(table.rawValue)").firstInteger() ?? 0
        let id = max(birth == 0 ? place.id : birth, before &+ 1)
        last[table] = id
        return id
    }
}
