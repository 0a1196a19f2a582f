import GRDB
import GRDBSQLite

/// The write-ahead log, which another thread copies into the file (`StoreCheckpointer`).
extension SQLiteStore {
    /// The log is copied by the pipeline's own thread when it is so many times as large as it should become.
    private static let largestLog = 4

    /// Has the log copied when this transaction, and those before it, have added much to it. Call it after a commit.
    func followLog(_ database: Database) {
        loggedPages += database.takeLoggedPages()
        guard loggedPages >= sizes.copyBytes / Self.pageBytes else { return }
        loggedPages = 0
        if isCheckpointerWanted {
            isCheckpointerWanted = false
            let pages = sizes.checkpointBytes / Self.pageBytes
            checkpointer = StoreCheckpointer(path: Self.plain(path), of: file, logPages: pages)
            if checkpointer != nil {
                try? database.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.largestLog * pages)")
            }
        }
        checkpointer?.begin()
    }

    /// Copies the whole log and leaves it empty, unless somebody reads or writes.
    func emptyLog(_ database: Database) throws {
        checkpointer?.wait()
        _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

extension Database {
    /// Pages that this connection has written to the log since the last call.
    fileprivate func takeLoggedPages() -> Int {
        // SOUND: the connection is open while its queue runs this; both places are `int`s, as this status asks for.
        guard let connection = unsafe sqliteConnection else { return 0 }
        var pages: Int32 = 0
        var most: Int32 = 0
        unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &most, 1)
        return Int(pages)
    }
}
