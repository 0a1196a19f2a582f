import GRDB
import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The files of an open store, which somebody may take away: what is written then is lost when they are closed, or ends up in a
/// database that it was not meant for.
struct StorePlace {
    /// Of the store, as given.
    private let path: String
    /// The log and its index, as they were when the first transaction had them open.
    private var beside: [(path: String, file: FileIdentity)] = []

    init(path: String) { self.path = path }

    /// Throws when the path leads elsewhere than to the file that is open. Costs three calls of `stat`, nothing is read.
    ///
    /// - Parameter database: in a transaction, so that nobody but a stranger may touch log and index.
    mutating func check(_ database: Database) throws {
        guard let connection = database.sqliteConnection else { return }
        var hasMoved: Int32 = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        let file = sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? path
        guard hasMoved == 0 else { throw trouble(setAsideLog(of: file)) }
        if beside.isEmpty {
            beside = [file + "-wal", file + "-shm"].compactMap { path in
                FileIdentity(path).map { (path, $0) }
            }
        }
        for (path, identity) in beside where FileIdentity(path) != identity {
            throw StoreError(
                code: .moved, path: self.path,
                message: "somebody moved or deleted \(path), which belongs to the store, while it was in use; "
                    + "look with pushpipe store list what is there before going on")
        }
    }

    /// SQLite takes whatever log lies beside a database for that of the database. Ours does not fit a file that somebody puts here.
    ///
    /// - Returns: where the log is now; nil when it is not ours, or not there.
    private func setAsideLog(of file: String) -> String? {
        guard let log = beside.first, FileIdentity(log.path) == log.file else { return nil }
        if let index = beside.last, FileIdentity(index.path) == index.file { unlink(index.path) }
        let aside = log.path + ".left"
        return rename(log.path, aside) == 0 ? aside : nil
    }

    private func trouble(_ log: String?) -> StoreError {
        let rest = log.map { "; the log of the old file is \($0) now" } ?? ""
        return StoreError(
            code: .moved, path: path,
            message: "somebody moved or deleted the file, or put another in its place, while it was in use: what was "
                + "delivered is not in a file of this name; run again, without --resume\(rest)")
    }
}

/// Which file a path leads to.
private struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil when it leads nowhere.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
