import CPushSQLite

/// A connection to an SQLite database. What runs once a record is a `PreparedStatement`.
///
/// Whoever has it uses it on one thread at a time. Closes when nothing refers to it, its statements included.
@safe
final class Database {
    /// How a transaction begins: it reads until it writes, or keeps others from writing from the beginning.
    enum Transaction: String {
        case deferred = "BEGIN DEFERRED"
        case immediate = "BEGIN IMMEDIATE"
    }

    /// How far a checkpoint goes: it disturbs nobody, or waits for writers and readers until all is copied.
    enum Checkpoint {
        case passive, full

        fileprivate var mode: Int32 { self == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_FULL }
    }

    let isReadOnly: Bool
    // SOUND, here and in each call with it: the handle is open as long as this object, and used on one thread at a time.
    let handle: OpaquePointer
    /// Nil if a lock of another connection is an error at once.
    private let patience: StorePatience?

    /// Opens a database, which is made unless it is only read.
    ///
    /// - Parameters:
    ///   - path: nil for a new one in memory.
    ///   - patience: how long to wait for the locks of others.
    init(path: String?, isReadOnly: Bool = false, patience: StorePatience? = nil) throws {
        self.isReadOnly = isReadOnly
        self.patience = patience
        // SOUND: the handle is set even if opening fails, unless there is no memory for it.
        var opened: OpaquePointer?
        let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(path ?? ":memory:", &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = unsafe opened else { throw DatabaseError(SQLITE_NOMEM, "out of memory") }
        unsafe self.handle = handle
        guard code == SQLITE_OK else { throw error(code) }
        unsafe sqlite3_extended_result_codes(handle, 1)
        // A name that is misspelled is an error, and no text.
        unsafe pushpipe_sqlite_take_double_quotes_as_names(handle)
        guard let patience else { return }
        // SOUND: the patience lives as long as the connection, which is closed after it is last asked.
        unsafe sqlite3_busy_handler(
            handle,
            { patience, naps in
                unsafe patience.map {
                    unsafe Unmanaged<StorePatience>.fromOpaque($0).takeUnretainedValue().nap(after: Int(naps)) ? 1 : 0
                } ?? 0
            }, Unmanaged.passUnretained(patience).toOpaque())
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// The failure of the last call, which returned this code.
    func error(_ code: Int32) -> DatabaseError {
        // SOUND: SQLite ends the message with a NUL, and keeps it until the next call on the connection.
        DatabaseError(code, unsafe String(cString: sqlite3_errmsg(handle)))
    }

    /// The system's last error code, such as `ENOSPC`; 0 if there is none.
    var systemError: Int32 { unsafe sqlite3_system_errno(handle) }

    /// Runs statements, and leaves out their rows.
    func execute(_ sql: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Commits what `body` does; if it fails, nothing of it is kept.
    func inTransaction<Result>(_ kind: Transaction, _ body: () throws -> Result) throws -> Result {
        try execute(kind.rawValue)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // After some errors SQLite has rolled back by itself.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Copies pages of the write-ahead log into the file.
    ///
    /// - Returns: the pages in the log, and how many of them are copied.
    @discardableResult
    func checkpoint(_ kind: Checkpoint) throws -> (log: Int, copied: Int) {
        var (log, copied): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, kind.mode, &log, &copied)
        guard code == SQLITE_OK else { throw error(code) }
        return (Int(log), Int(copied))
    }

    /// Replaces the contents of another database.
    func copy(to other: Database) throws {
        guard let backup = unsafe sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw other.error(SQLITE_ERROR)
        }
        // All pages at once.
        let code = unsafe sqlite3_backup_step(backup, -1)
        let end = unsafe sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw other.error(code == SQLITE_DONE ? end : code) }
    }
}

/// A failure that SQLite reports.
struct DatabaseError: Error, CustomStringConvertible {
    /// SQLite's extended result code.
    let code: Int32
    let message: String

    init(_ code: Int32, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kind of the failure, such as `SQLITE_FULL`.
    var kind: Int32 { code & 0xFF }

    var description: String { "SQLite error \(code): \(message)" }
}

extension SQLiteStore {
    /// The version of the SQLite library in use, such as `3.46.1`.
    package static var engineVersion: String {
        // SOUND: a constant of the library, which ends with a zero byte.
        unsafe String(cString: sqlite3_libversion())
    }
}
