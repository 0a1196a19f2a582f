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
/// `maximumLoaded` apps and notifications are at hand. Not thread-safe: one pipeline, or one reader, at a time.
public final class SQLiteStore: NotificationStore, DeliveryStore {
    /// Whether a store is opened to be written.
    public enum Access: Sendable {
        /// The file must exist, and is left as it is.
        case readOnly
        /// The file must exist, and is brought up to date when it is older.
        case existing
        /// The file is made when there is none, readable by its owner alone, and brought up to date when it is older.
        case readWrite
    }

    /// For another process that is writing.
    static let secondsToWait = 5
    private static let napMicroseconds = 2000

    /// Apps on devices that were touched, and their notifications, that are kept at hand.
    private let maximumLoaded: Int

    let path: String
    let queue: DatabaseQueue
    private var session: SQLiteSession?
    private var place: StorePlace
    /// While something is read: the connection, on whose queue we are then.
    var moment: Database?

    /// 4 MiB: each transaction writes every page of an index that it touched, and a large one touches a page for many records.
    package var preferredTransactionBytes: Int { 4 << 20 }

    /// Apps on devices, and their notifications, that are at hand now.
    package var countAtHand: Int { session?.countAtHand ?? 0 }

    /// Opens a store. What it keeps at hand takes some 220 MiB at most.
    ///
    /// - Throws: `StoreError`.
    public convenience init(path: String, access: Access = .readWrite) throws {
        try self.init(path: path, access: access, maximumLoaded: 5 << 18)
    }

    /// Opens a store that keeps at most about `maximumLoaded` apps and notifications at hand between transactions.
    package init(path: String, access: Access, maximumLoaded: Int) throws {
        self.path = path
        self.maximumLoaded = maximumLoaded
        place = StorePlace(path: path)
        try Self.checkFile(at: path, access: access)
        do {
            var configuration = Configuration()
            configuration.readonly = access == .readOnly
            // A process that writes all the time leaves gaps of milliseconds between two transactions. SQLite's own naps grow to a tenth
            // of a second and miss them, so that one of four runs gave up.
            configuration.busyMode = .callback { naps in
                usleep(UInt32(Self.napMicroseconds))
                return naps < Self.secondsToWait * 1_000_000 / Self.napMicroseconds
            }
            // The rows of this package refer to centers that it has just put there; looking each up again took a tenth of a run.
            configuration.foreignKeysEnabled = false
            configuration.label = "pushpipe.store"
            configuration.prepareDatabase { database in
                // What SQLite needs for a moment would else be files in a folder that nobody named.
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
                if access != .readOnly {
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
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFREG else {
                let message =
                    kind == S_IFDIR
                    ? "is a directory; name a file in it, for instance \(path)/phone.db"
                    : "not a regular file, which a store has to be"
                throw StoreError(code: .cannotOpen, path: path, message: message)
            }
            // SQLite would open a file that may not be written, and leave a log beside it.
            if access != .readOnly, !mayBeUsed(path, W_OK) {
                let message =
                    "cannot be written: \(String(cString: strerror(errno))); use a copy, or have its rights changed"
                throw StoreError(code: .readOnly, path: path, message: message)
            }
            if !mayBeUsed(path, R_OK) {
                let message = "cannot be read: \(String(cString: strerror(errno))); have its rights changed"
                throw StoreError(code: .cannotOpen, path: path, message: message)
            }
            // A page that lacks its end is filled up with zeros by SQLite. Only a log can have the rest of it.
            var log = stat()
            if status.st_size > 1, status.st_size % smallestPage != 0, stat(path + "-wal", &log) != 0, isDatabase(path)
            {
                throw StoreError(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its end is missing"), path: path)
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
    package func transaction(replacementKey: String?, _ body: (StoreTransaction) throws -> Void) throws {
        try transaction(replacementKey: replacementKey) { session, _ in
            try body(
                StoreTransaction(screens: session, registry: session.registry, progress: session, journal: session))
        }
    }

    func transaction(replacementKey: String?, _ body: (SQLiteSession, Database) throws -> Void) throws {
        do {
            try writing { database in
                let session = try self.session(database, replacementKey)
                try database.inTransaction(.immediate) {
                    do {
                        try session.begin()
                        try body(session, database)
                        try session.end()
                        try place.check(database)
                        return .commit
                    } catch {
                        session.forget()
                        throw error
                    }
                }
            }
        } catch {
            session?.forget()
            throw error
        }
    }

    /// Lets `body` use the connection, and tells SQLite's trouble in our words.
    func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.writeWithoutTransaction { database in
            do { return try body(database) } catch let error as DatabaseError {
                throw StoreError(error, path: path, connection: database.sqliteConnection)
            }
        }
    }

    /// Throws when the file is no longer at its place.
    func checkPlace(_ database: Database) throws { try place.check(database) }

    /// The report has been read, as far as that can be known.
    public func forgetLastReport() throws {
        try transaction(replacementKey: session?.replacementKey) {
            try $0.progress.checkpoint(nil, report: UnsafeRawBufferPointer(start: nil, count: 0))
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

/// In bytes, of any database.
private let smallestPage: off_t = 512

/// Whether a file begins as a database does. Closing it ends the locks that this process has on it, so it is asked only of one that
/// nobody here has open: a log would be beside it.
private func isDatabase(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let mark = Array("SQLite format 3\0".utf8)
    var bytes = [UInt8](repeating: 0, count: mark.count)
    return read(descriptor, &bytes, bytes.count) == bytes.count && bytes == mark
}

/// `access(2)`, under a name that a parameter called `access` does not hide.
private func mayBeUsed(_ path: String, _ mode: Int32) -> Bool { access(path, mode) == 0 }
