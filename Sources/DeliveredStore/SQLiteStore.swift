import DeviceSimulation
import GRDB

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Keeps what is on the screens in an SQLite file, which the `sqlite3` tool reads: views `on_screen`, `events`, `badges` and `extension_changes`.
///
/// A transaction is committed to the write-ahead log before `transaction` returns, so it survives the end of the process
/// however it ends; an operating system that crashes may lose the last ones. Another process may read at any time.
///
/// What the apps on a device show is loaded when the device is first touched, without payloads, and let go when more than
/// `maximumLoaded` notifications are at hand. Not thread-safe: one pipeline, or one reader, at a time.
public final class SQLiteStore: NotificationStore {
    /// Whether a store is opened to be written.
    public enum Access: Sendable {
        /// The file must exist, and is left as it is.
        case readOnly
        /// The file must exist, and is brought up to date when it is older.
        case existing
        /// The file is made when there is none, readable by its owner alone, and brought up to date when it is older.
        case readWrite
    }

    /// Notifications of touched devices that are kept at hand.
    private let maximumLoaded: Int

    let path: String
    let queue: DatabaseQueue
    private var session: SQLiteSession?
    /// While something is read: the connection, on whose queue we are then.
    var moment: Database?

    /// 4 MiB: each transaction writes every page of an index that it touched, and a large one touches a page for many records.
    public var preferredTransactionBytes: Int { 4 << 20 }

    /// Opens a store.
    ///
    /// - Throws: `StoreError`.
    public convenience init(path: String, access: Access = .readWrite) throws {
        try self.init(path: path, access: access, maximumLoaded: 1 << 20)
    }

    /// Opens a store that keeps at most about `maximumLoaded` notifications at hand between transactions.
    package init(path: String, access: Access, maximumLoaded: Int) throws {
        self.path = path
        self.maximumLoaded = maximumLoaded
        try Self.checkFile(at: path, access: access)
        do {
            var configuration = Configuration()
            configuration.readonly = access == .readOnly
            configuration.busyMode = .timeout(5)
            // The rows of this package refer to centers that it has just put there; looking each up again took a tenth of a run.
            configuration.foreignKeysEnabled = false
            configuration.label = "pushpipe.store"
            if access != .readOnly {
                configuration.prepareDatabase { database in
                    try database.execute(sql: "PRAGMA synchronous = NORMAL")
                    // Each checkpoint waits for the disk; eight times SQLite's own interval, 32 MiB, makes them few.
                    try database.execute(sql: "PRAGMA wal_autocheckpoint = 8000")
                    try database.execute(sql: "PRAGMA cache_size = -16384")  // 16 MiB
                }
            }
            // SQLite gives `:memory:` and `file:…` meanings of their own; a path that begins with a folder is only a path.
            let file = path.hasPrefix("/") ? path : "./" + path
            queue = try DatabaseQueue(path: file, configuration: configuration)
            try StoreSchema.prepare(queue, path: path, access: access)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func checkFile(at path: String, access: Access) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw StoreError(code: .cannotOpen, path: path, message: "not a regular file")
            }
            return
        }
        guard access == .readWrite, errno == ENOENT else {
            throw StoreError(code: .cannotOpen, path: path, message: String(cString: strerror(errno)))
        }
        // SQLite would make the file readable by everyone; tokens and texts of real traffic are nobody else's business.
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code: StoreError.Code = errno == EACCES || errno == EROFS ? .readOnly : .cannotOpen
            throw StoreError(
                code: code, path: path, message: "cannot make the file: \(String(cString: strerror(errno)))")
        }
        close(descriptor)
    }

    /// Runs `body` in one transaction, and commits it.
    ///
    /// - Throws: `StoreError`, or what `body` throws; nothing is kept then.
    public func transaction(replacementKey: String?, _ body: (any DeliverySession) throws -> Void) throws {
        try transaction(replacementKey: replacementKey) { session, _ in try body(session) }
    }

    func transaction(replacementKey: String?, _ body: (SQLiteSession, Database) throws -> Void) throws {
        do {
            try queue.writeWithoutTransaction { database in
                let session = try self.session(database, replacementKey)
                try database.inTransaction(.immediate) {
                    do {
                        try session.begin()
                        try body(session, database)
                        try session.end()
                        return .commit
                    } catch {
                        session.forget()
                        throw error
                    }
                }
            }
        } catch let error as DatabaseError {
            session?.forget()
            throw StoreError(error, path: path)
        }
    }

    /// The report has been read, as far as that can be known.
    public func forgetLastReport() throws {
        try transaction(replacementKey: session?.replacementKey) {
            try $0.keep(nil, report: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    /// What is at hand is read anew: rows were changed without it.
    func forgetLoaded() { session?.forget() }

    private func session(_ database: Database, _ replacementKey: String?) throws -> SQLiteSession {
        if let session, session.replacementKey == replacementKey { return session }
        let new = try SQLiteSession(database, replacementKey: replacementKey, maximumLoaded: maximumLoaded)
        session = new
        return new
    }
}

extension StoreError {
    /// SQLite's trouble in words that say what to do.
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self =
                error as? StoreError ?? StoreError(code: .database, path: path, message: "\(error)", underlying: error)
            return
        }
        let reason = error.message ?? "\(error.resultCode)"
        let (code, message): (Code, String) =
            switch error.resultCode {
            case .SQLITE_NOTADB: (.notADatabase, "not an SQLite database")
            case .SQLITE_CANTOPEN: (.cannotOpen, "cannot be opened: \(reason)")
            case .SQLITE_READONLY:
                (.readOnly, "the file or its folder cannot be written, which SQLite needs even for reading: \(reason)")
            case .SQLITE_FULL: (.full, "no room left: \(reason)")
            case .SQLITE_IOERR: (.full, "cannot be written, perhaps for want of room: \(reason)")
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.locked, "another process is writing to it; try again when it is done")
            case .SQLITE_CORRUPT: (.database, "the database is damaged: \(reason)")
            default: (.database, reason)
            }
        self.init(code: code, path: path, message: message, underlying: error)
    }
}
