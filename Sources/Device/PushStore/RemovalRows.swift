import GRDB

/// The rows of removals that are not due yet.
struct RemovalRows {
    private let select: PreparedStatement
    private let insert: PreparedStatement
    private let delete: PreparedStatement

    init(_ database: Database) throws {
        select = try PreparedStatement(database, StoreQuery.removals)
        insert = try PreparedStatement(database, StoreQuery.insertRemoval)
        delete = try PreparedStatement(database, StoreQuery.deleteRemoval)
    }

    /// Replaces what is in memory by the rows.
    func load(_ removals: LateRemovals) throws {
        removals.removeAll()
        while try select.step() {
            removals.restore(
                LateRemovals.Removal(
                    seq: UInt64(bitPattern: select.integer(1)), due: select.integer(2), device: select.string(3),
                    app: select.string(4), identifier: select.optionalString(5)),
                row: select.integer(0))
        }
    }

    /// Writes what has changed.
    func write(_ removals: LateRemovals) throws {
        try removals.write { waiting in
            insert.bind(1, waiting.row)
            insert.bind(2, waiting.removal.seq)
            insert.bind(3, waiting.removal.due)
            insert.bind(4, copying: waiting.removal.device)
            insert.bind(5, copying: waiting.removal.app)
            insert.bind(6, copying: waiting.removal.identifier)
            try insert.run()
        } delete: { row in
            delete.bind(1, row)
            try delete.run()
        }
    }
}
