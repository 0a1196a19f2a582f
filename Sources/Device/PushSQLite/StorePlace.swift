import GRDB
import GRDBSQLite
import PushStore
import PushSystem
import Synchronization

/// The files of an open store. If somebody removes or replaces them, later writes are lost when they are closed, or end
/// up in a database that they were not meant for.
struct StorePlace {
    private let path: String
    /// The log and its index, as opened by the first transaction.
    private var beside: [(path: String, file: FileIdentity)] = []

    /// A copy in memory has no files that somebody may move.
    private let isInMemory: Bool

    init(path: String, isInMemory: Bool = false) {
        self.path = path
        self.isInMemory = isInMemory
    }

    /// Throws when the path no longer leads to the open file. Costs three calls of `stat`; reads nothing.
    ///
    /// - Parameter database: in a transaction, so that no other SQLite process changes log and index.
    mutating func check(_ database: Database) throws {
        // SOUND: the connection is open within the transaction; `hasMoved` is an `int`, as this operation asks for, and
        // the file's name ends with a NUL and lives as long as the connection.
        guard !isInMemory, let connection = unsafe database.sqliteConnection else { return }
        var hasMoved: Int32 = 0
        unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        let file = unsafe sqlite3_db_filename(connection, "main").map { unsafe String(cString: $0) } ?? path
        guard hasMoved == 0 else { throw trouble(setAsideLog(of: file)) }
        if beside.isEmpty {
            beside = [file + "-wal", file + "-shm"].compactMap { path in
                SQLiteStore.identity(of: path).map { (path, $0) }
            }
        }
        for (path, identity) in beside where SQLiteStore.identity(of: path) != identity {
            throw StoreError(
                code: .moved, path: self.path,
                message: "somebody moved or deleted \(path), which belongs to the store, while it was in use; "
                    + "look with pushpipe store list what is there before going on")
        }
    }

    /// SQLite takes any log next to a database for its own. Ours does not fit a file that somebody puts there.
    ///
    /// - Returns: the new path of the log; nil when it is not ours, or missing.
    private func setAsideLog(of file: String) -> String? {
        guard let log = beside.first, SQLiteStore.identity(of: log.path) == log.file else { return nil }
        if let index = beside.last, SQLiteStore.identity(of: index.path) == index.file {
            try? FileSystem.removeFile(index.path)
        }
        let aside = log.path + ".left"
        return (try? FileSystem.rename(log.path, to: aside)) == nil ? nil : aside
    }

    private func trouble(_ log: String?) -> StoreError {
        let rest = log.map { "; the log of the old file is \($0) now" } ?? ""
        return StoreError(
            code: .moved, path: path,
            message: "somebody moved or deleted the file, or put another in its place, while it was in use: what was "
                + "delivered is not in a file of this name; run again from the beginning\(rest)")
    }
}

/// How long a connection waits for another process that is writing. SQLite asks on whatever thread uses the connection.
final class StorePatience: Sendable {
    private let value: Atomic<Int>

    init(seconds: Int) { value = Atomic(seconds) }

    var seconds: Int {
        get { value.load(ordering: .relaxed) }
        set { value.store(newValue, ordering: .relaxed) }
    }
}
