import GRDB
import PushDevices

/// The windows in which an interrupted run has counted pushes.
struct RateWindowRows {
    private let select: PreparedStatement
    private let upsert: PreparedStatement
    private let deleteClosed: PreparedStatement
    private let deleteEvery: PreparedStatement

    init(_ database: Database) throws {
        select = try PreparedStatement(database, StoreQuery.rateWindows)
        upsert = try PreparedStatement(
            database,
            """
            INSERT INTO rate_window (kind, name, start, count) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (kind, name) DO UPDATE SET start = ?3, count = ?4
            """)
        deleteClosed = try PreparedStatement(database, "DELETE FROM rate_window WHERE kind = ? AND start <= ?")
        deleteEvery = try PreparedStatement(database, "DELETE FROM rate_window")
    }

    func forEach(of kind: RateKind, _ body: (_ name: String, RateWindow) -> Void) throws {
        select.bind(1, copying: kind.rawValue)
        while try select.step() {
            let count = Int32(clamping: max(select.integer(2), 0))
            body(select.string(0), RateWindow(start: select.integer(1), count: count))
        }
    }

    func write(_ kind: RateKind, _ changes: RateChanges) throws {
        for (name, window) in changes.windows {
            upsert.bind(1, copying: kind.rawValue)
            upsert.bind(2, copying: name)
            upsert.bind(3, window.start)
            upsert.bind(4, Int64(window.count))
            try upsert.run()
        }
        guard let closed = changes.closedSince else { return }
        deleteClosed.bind(1, copying: kind.rawValue)
        deleteClosed.bind(2, closed)
        try deleteClosed.run()
    }

    func deleteAll() throws { try deleteEvery.run() }
}
