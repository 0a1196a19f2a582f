import GRDB
package import PushDevices
package import PushModel
public import PushStore
import PushSystem

/// Keeps notifications in an SQLite file, which the `sqlite3` tool can read: views `on_screen`, `events`, `badges` and
/// `extension_changes`.
///
/// A transaction is committed to the write-ahead log before `transaction` returns, so it survives any end of the
/// process; a crash of the operating system may lose the last ones. Other processes may read at any time.
///
/// The notifications of a device are loaded when it is first used, without payloads, and unloaded when more than
/// `maximumLoaded` apps and notifications are in memory. Not thread-safe: use it from one pipeline, or one reader, at a
/// time.
public final class SQLiteStore: PipelineStore, StoreFile {
    /// How a store is opened.
    public enum Access: Sendable {
        /// The file must exist, and is not changed.
        case readOnly
        /// The file must exist.
        case existing
        /// The file is created if there is none, readable only by its owner.
        case readWrite
    }

    /// How long to wait for another process that is writing, if nothing else is said.
    package static let secondsToWait = 5
    private static let napMicroseconds = 2000
    /// The size of a new store's pages. SQLite writes each page of a transaction to the log with two system calls, so pages of its default,
    /// half as many bytes, take a tenth longer.
    static let pageBytes = 8192

    private(set) var sizes: StoreSizes
    private var pace: TransactionPace

    let path: String
    let queue: DatabaseQueue
    private var session: SQLiteSession?
    private var place: StorePlace
    /// The identity of the file that was opened.
    let file: FileIdentity?
    /// Nil until this store has written much, and if SQLite copies the log by itself.
    var checkpointer: StoreCheckpointer?
    var isCheckpointerWanted = true
    /// Pages of the log that were written since the last copy began.
    var loggedPages = 0
    /// True if the indexes by device were built for a page that shows the store.
    var hasLookedForIndexes = false
    /// The connection during a read, while we are on its queue.
    var moment: Database?

    private let waiting: StorePatience

    /// The store as the pipeline sees it.
    public var deliveries: StoreDeliveries { StoreDeliveries(to: self) }

    /// How long to wait for another process that is writing, in seconds.
    package var patience: Int {
        get { waiting.seconds }
        set { waiting.seconds = newValue }
    }

    /// At most 4 to 16 MiB, depending on the machine (`StoreSizes`): each transaction writes every index page that it
    /// touched, and in a large one a page serves many records. Changes from one transaction to the next.
    package var preferredTransactionBytes: Int { pace.bytes }

    package func preferredTransactionBytes(after ahead: Int) -> Int { pace.bytes(after: ahead) }

    /// Apps on devices and notifications that are in memory now.
    package var loadedCount: Int { session?.loadedCount ?? 0 }

    /// Opens a store. It uses at most a tenth of the machine's memory, or 240 MiB where that is more.
    ///
    /// - Throws: `StoreError`.
    public convenience init(path: String, access: Access = .readWrite) throws {
        try self.init(path: path, access: access, sizes: .forThisMachine)
    }

    /// Opens a store that keeps at most about `maximumLoaded` apps and notifications in memory between transactions, and
    /// is otherwise as on a small machine.
    package convenience init(path: String, access: Access, maximumLoaded: Int) throws {
        try self.init(path: path, access: access, sizes: .smallest(maximumLoaded: maximumLoaded))
    }

    /// Opens a store with chosen sizes.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for another process that is writing, in seconds.
    ///   - isCopy: true to read the file, which must exist, into memory: what is written changes the copy alone.
    package init(
        path: String, access: Access, sizes: StoreSizes = .forThisMachine, patience: Int = SQLiteStore.secondsToWait,
        isCopy: Bool = false
    ) throws {
        waiting = StorePatience(seconds: patience)
        self.path = path
        self.sizes = sizes
        pace = TransactionPace(maximum: sizes.transactionBytes)
        place = StorePlace(path: path, isInMemory: isCopy)
        try Self.checkFile(at: path, access: isCopy ? .readOnly : access)
        do {
            var configuration = Configuration()
            configuration.readonly = access == .readOnly
            // A process that writes all the time leaves gaps of milliseconds between two transactions. SQLite's own
            // waits grow to a tenth of a second and miss them, so that one of four runs gave up.
            configuration.busyMode = .callback { [waiting] naps in
                CurrentProcess.pause(microseconds: Self.napMicroseconds)
                return naps < waiting.seconds * 1_000_000 / Self.napMicroseconds
            }
            // Our rows refer to centers that were inserted just before; checking each reference took a tenth of a run.
            configuration.foreignKeysEnabled = false
            configuration.label = "pushpipe.store"
            // SQLite copies into memory only with the same pages.
            let pageBytes = isCopy ? Self.pageSize(ofDatabase: path) ?? Self.pageBytes : Self.pageBytes
            configuration.prepareDatabase { database in
                // Otherwise SQLite would create temporary files in a folder that the user did not choose.
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
                // The file may come from anybody: its views and indexes may call nothing that has effects.
                try database.execute(sql: "PRAGMA trusted_schema = OFF")
                try database.execute(sql: "PRAGMA cell_size_check = ON")
                if access != .readOnly {
                    // Of a file that has pages, they stay as they are.
                    try database.execute(sql: "PRAGMA page_size = \(pageBytes)")
                    try database.execute(sql: "PRAGMA synchronous = NORMAL")
                    // Each checkpoint waits for the disk, and writes a page once that several transactions changed;
                    // SQLite's default of 4 MiB makes them too frequent. `followLog` takes over from SQLite.
                    let pages = sizes.checkpointBytes / pageBytes
                    try database.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
                    // In KiB, and not in pages.
                    try database.execute(sql: "PRAGMA cache_size = -\(sizes.cacheBytes >> 10)")
                }
            }
            let plain = Self.plain(path)
            file = access == .readOnly || isCopy ? nil : (try? FileStatus(path))?.identity
            if isCopy {
                var reading = configuration
                reading.readonly = true
                queue = try DatabaseQueue(configuration: configuration)
                try DatabaseQueue(path: plain, configuration: reading).backup(to: queue)
            } else {
                queue = try DatabaseQueue(path: plain, configuration: configuration)
            }
            try StoreSchema.prepare(queue, path: path, access: access)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// SQLite treats `:memory:` and `file:…` specially; a path that begins with a folder is only a path.
    static func plain(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

    /// The last connection that closes copies the log and removes it. That is the writer's.
    deinit { checkpointer?.close() }

    private static func checkFile(at path: String, access: Access) throws {
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus(path)
        } catch {
            guard access == .readWrite, error == .notFound else {
                throw StoreError(code: .cannotOpen, path: path, message: "\(error)")
            }
            return try makeFile(at: path)
        }
        guard status.kind == .regular else {
            let message =
                status.kind == .directory
                ? "is a directory; name a file in it, for instance \(path)/phone.db"
                : "not a regular file, which a store has to be"
            throw StoreError(code: .cannotOpen, path: path, message: message)
        }
        // SQLite would open a file without write permission, and leave a log next to it.
        if access != .readOnly {
            do throws(SystemError) {
                try FileSystem.checkAccess(path, .writing)
            } catch {
                let message = "cannot be written: \(error); use a copy, or have its rights changed"
                throw StoreError(code: .readOnly, path: path, message: message)
            }
        }
        do throws(SystemError) {
            try FileSystem.checkAccess(path, .reading)
        } catch {
            let message = "cannot be read: \(error); have its rights changed"
            throw StoreError(code: .cannotOpen, path: path, message: message)
        }
        // SQLite fills a page that lacks its end with zeros. Only a log can contain the rest of it.
        if status.size > 1, status.size % Int64(pageBytes) != 0, !FileSystem.hasAccess(path + "-wal", .existence),
            let size = pageSize(ofDatabase: path), status.size % Int64(size) != 0
        {
            throw StoreError(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its end is missing"), path: path)
        }
    }

    private static func makeFile(at path: String) throws {
        do throws(SystemError) {
            // SQLite would make the file readable by everyone; tokens and texts of real traffic are private.
            try FileDescriptor.open(path, .readWrite, options: .create, permissions: 0o600).close()
        } catch {
            let code: StoreError.Code =
                error == .accessDenied || error == .readOnlyFileSystem ? .readOnly : .cannotOpen
            throw StoreError(code: code, path: path, message: "cannot make the file: \(error)")
        }
    }

    /// Runs `body` in one transaction, and commits it.
    ///
    /// - Throws: `StoreError`, or what `body` throws; nothing is kept then.
    package func transaction(replacing rule: ReplacementRule?, _ body: (StoreTransaction) throws -> Void) throws {
        try transaction(replacing: rule) { session, _ in
            session.collectCenters()
            try body(
                StoreTransaction(
                    screens: session, registry: session.registry, progress: session, journal: session,
                    removals: session.removals))
        }
    }

    func transaction(replacing rule: ReplacementRule?, _ body: (SQLiteSession, Database) throws -> Void) throws {
        do {
            try writing { database in
                let session = try self.session(database, rule)
                try database.inTransaction(.immediate) {
                    do {
                        try session.begin()
                        try body(session, database)
                        try session.end()
                        try place.check(database)
                        pace.adapt(toRows: session.rowBytes, report: session.reportBytes)
                        return .commit
                    } catch {
                        session.forget()
                        throw error
                    }
                }
                followLog(database)
            }
        } catch {
            session?.forget()
            throw error
        }
    }

    /// Keeps little in memory from now on, for a process that runs for long: what is in the file need not be in memory.
    ///
    /// - Throws: `StoreError`.
    package func keepLittle() throws {
        let cache = sizes.cacheBytes
        sizes.keepLittle()
        session?.keep(sizes)
        guard sizes.cacheBytes < cache else { return }
        try writing { try $0.execute(sql: "PRAGMA cache_size = -\(sizes.cacheBytes >> 10)") }
    }

    /// Lets `body` ask what is known of devices, in a transaction that only reads.
    package func readRegistry(replacing rule: ReplacementRule?, _ body: (DeviceRegistry) throws -> Void) throws {
        try writing { database in
            let session = try self.session(database, rule)
            do {
                // It takes no lock for writing, unless too much is in memory and changes wait for it.
                try database.inTransaction(.deferred) {
                    try session.begin()
                    try body(session.registry)
                    return .commit
                }
            } catch {
                session.forget()
                throw error
            }
        }
    }

    /// Lets `body` use the connection, and converts SQLite's errors to ours.
    func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.writeWithoutTransaction { database in
            do { return try body(database) } catch let error as DatabaseError {
                throw StoreError(error, path: path, on: database)
            }
        }
    }

    /// Throws when the file is no longer at its path.
    func checkPlace(_ database: Database) throws { try place.check(database) }

    /// Call when the report has been read, as far as that can be known.
    package func forgetLastReport() throws {
        try transaction(replacing: session?.rule) {
            try $0.progress.checkpoint(nil) { nil }
        }
    }

    /// Unloads what is in memory: rows were changed without it.
    func forgetLoaded() { session?.forget() }

    private func session(_ database: Database, _ rule: ReplacementRule?) throws -> SQLiteSession {
        if let session, session.rule == rule { return session }
        let new = try SQLiteSession(database, replacing: rule, sizes)
        session = new
        return new
    }
}

extension SQLiteStore {
    /// True if a file begins like a database. Not for a file that this process has open.
    package static func isDatabase(_ path: String) -> Bool { pageSize(ofDatabase: path) != nil }

    /// The size of a database's pages, in bytes; nil for a file that does not begin like a database. Closing the file releases the locks that
    /// this process has on it, so call this only for a file that this process does not have open.
    private static func pageSize(ofDatabase path: String) -> Int? {
        guard (try? FileStatus(path))?.kind == .regular, let file = try? FileDescriptor.open(path, .readOnly) else {
            return nil
        }
        defer { file.close() }
        let mark = Array("SQLite format 3\0".utf8)
        // The size stands after the mark, in two bytes; 1 is 64 KiB, which has no room there.
        var bytes = [UInt8](repeating: 0, count: mark.count + 2)
        guard (try? file.read(into: &bytes)) == bytes.count, bytes.starts(with: mark) else { return nil }
        let size = Int(bytes[mark.count]) << 8 | Int(bytes[mark.count + 1])
        return size == 1 ? 64 << 10 : max(size, 512)
    }
}
