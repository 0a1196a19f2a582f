import CPushSQLite
import Dispatch
import PushDecoding
public import PushDevices
import PushJSON
package import PushModel
import PushSystem
import PushText
import Synchronization

/// Keeps notifications in an SQLite file, which the `sqlite3` tool can read: views `on_screen`, `events`, `badges` and
/// `extension_changes`.
///
/// A transaction is committed to the write-ahead log before `transaction` returns, so it survives any end of the
/// process; a crash of the operating system may lose the last ones. Other processes may read at any time.
///
/// A device is loaded when it is first used, without payloads, and all are unloaded when more than `maximumLoaded` apps
/// and notifications are in memory. Not thread-safe: use it from one pipeline, or one reader, at a time.
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
    /// The size of a new store's pages. SQLite writes each page of a transaction to the log with two system calls, so pages of its default,
    /// half as many bytes, take a tenth longer.
    static let pageBytes = 8192

    private(set) var sizes: StoreSizes
    private var pace: TransactionPace

    let path: String
    /// Nil while the file of a followed store is gone.
    private var connection: Database?
    private var session: SQLiteSession?
    private var place: StorePlace
    /// The identity of the file that was opened; nil if nobody asks for it.
    private(set) var file: FileIdentity?
    private var following: Following?
    /// True if the file was opened to be read, and nobody had written to a log of it.
    private let leavesNoLog: Bool
    /// Nil until this store has written much, and if SQLite copies the log by itself.
    var checkpointer: StoreCheckpointer?
    var isCheckpointerWanted = true
    /// Pages of the log that were written since the last copy began.
    var loggedPages = 0
    /// True if the indexes by device were built for a page that shows the store.
    var hasLookedForIndexes = false
    /// The connection during a read.
    var moment: Database?

    private let waiting: StorePatience

    /// The store as the pipeline sees it.
    public var deliveries: StoreDeliveries { StoreDeliveries(to: self) }

    /// How long to wait for another process that is writing, in seconds.
    package var patience: Int {
        get { waiting.seconds }
        set { waiting.seconds = newValue }
    }

    /// The size of a transaction, at most 4 to 16 MiB, depending on the machine (`StoreSizes`): each transaction writes every index page that it
    /// touched, and in a large one a page serves many records. Changes from one transaction to the next.
    package var preferredTransactionBytes: Int { pace.bytes }

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
        leavesNoLog = access == .readOnly && (try? FileStatus(path + "-wal"))?.size ?? 0 == 0
        connection = try Self.connect(to: path, access, sizes, waiting, isCopy: isCopy)
        file = access == .readOnly || isCopy ? nil : Self.identity(of: path)
    }

    private static func connect(
        to path: String, _ access: Access, _ sizes: StoreSizes, _ waiting: StorePatience, isCopy: Bool = false
    ) throws -> Database {
        try checkFile(at: path, access: isCopy ? .readOnly : access)
        do {
            // SQLite copies into memory only with the same pages.
            let pageBytes = isCopy ? pageSize(ofDatabase: path) ?? Self.pageBytes : Self.pageBytes
            let isReadOnly = access == .readOnly
            let database = try Database(path: isCopy ? nil : plain(path), isReadOnly: isReadOnly, patience: waiting)
            try configure(database, sizes, pageBytes: pageBytes)
            if isCopy {
                try Database(path: plain(path), isReadOnly: true, patience: waiting).copy(to: database)
            }
            try StoreSchema.prepare(database, path: path, access: access)
            return database
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func configure(_ database: Database, _ sizes: StoreSizes, pageBytes: Int) throws {
        // Otherwise SQLite would create temporary files in a folder that the user did not choose.
        try database.execute("PRAGMA temp_store = MEMORY")
        // The file may come from anybody: its views and indexes may call nothing that has effects.
        try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        // Our rows refer to centers that were inserted just before; checking each reference took a tenth of a run.
        try database.execute("PRAGMA foreign_keys = OFF")
        guard !database.isReadOnly else { return }
        // Of a file that has pages, they stay as they are.
        try database.execute("PRAGMA page_size = \(pageBytes); PRAGMA synchronous = NORMAL")
        // Each checkpoint waits for the disk, and writes a page once that several transactions changed;
        // SQLite's default of 4 MiB makes them too frequent. `followLog` takes over from SQLite.
        try database.execute("PRAGMA wal_autocheckpoint = \(sizes.checkpointBytes / pageBytes)")
        // In KiB, and not in pages.
        try database.execute("PRAGMA cache_size = -\(sizes.cacheBytes >> 10)")
    }

    /// SQLite treats `:memory:` and `file:…` specially; a path that begins with a folder is only a path.
    static func plain(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

    /// The last connection that closes copies the log and removes it, if it may write. A reader's connection leaves the empty log that it had to
    /// make, so one that may write is closed after it.
    deinit {
        checkpointer?.close()
        guard leavesNoLog, connection != nil else { return }
        session = nil
        connection = nil
        guard FileSystem.hasAccess(path, .writing) else { return }
        try? Database(path: Self.plain(path)).execute("PRAGMA schema_version")
    }

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
            throw StoreError(DatabaseError(SQLITE_CORRUPT, "its end is missing"), path: path)
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
            try body(
                StoreTransaction(
                    screens: session, registry: session.registry, progress: session, removals: session.removals))
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
        try writing { try $0.execute("PRAGMA cache_size = -\(sizes.cacheBytes >> 10)") }
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
                }
            } catch {
                session.forget()
                throw error
            }
        }
    }

    /// Lets `body` use the connection, and converts SQLite's errors to ours.
    func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let database = try database
        do { return try body(database) } catch let error as DatabaseError {
            throw StoreError(error, path: path, on: database)
        }
    }

    /// - Throws: `StoreError` while the file of a followed store is gone.
    private var database: Database {
        get throws {
            guard let connection else {
                throw StoreError(
                    code: .moved, path: path, message: "was deleted or moved; it is shown again as soon as there is one"
                )
            }
            return connection
        }
    }

    var isReadOnly: Bool { connection?.isReadOnly ?? true }

    static func identity(of path: String) -> FileIdentity? { (try? FileStatus(path))?.identity }

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

/// A store that is looked at while others write to it, delete it, and put another one in its place: it is opened again then. Changes nothing.
///
/// While the file is gone, or not a store yet, nothing of it is open, so that nobody who writes a new one is in the way of an old log.
extension SQLiteStore {
    fileprivate struct Following {
        let buildIndexes: (_ path: String) -> Void
        /// How often the file was opened.
        var openings: Int64 = 1
        /// How often the version of a file without indexes is still asked before they are built; nil if they are not missing.
        var turnsUntilIndexes: Int?
    }

    /// Two seconds at five per second: sorting would slow down the first page.
    package static let turnsBeforeIndexes = 10

    /// Opens a store to follow it.
    ///
    /// - Parameter buildIndexes: called for a large file without the indexes by device, from `version`, some time after it was opened.
    ///   They are built by another thread unless this says otherwise: sorting a million rows takes a second or two, and until then what is
    ///   asked for is found by reading all rows.
    /// - Throws: `StoreError`.
    package convenience init(
        following path: String, buildIndexes: @escaping (_ path: String) -> Void = buildInBackground
    ) throws {
        // Before the file is opened: one that is replaced in between is opened once more.
        let file = Self.identity(of: path)
        try self.init(path: path, access: .readOnly)
        self.file = file
        following = Following(buildIndexes: buildIndexes, turnsUntilIndexes: try turnsUntilIndexes())
    }

    /// Whatever is in the way, a reader needs no index. Its commit changes `version`.
    package static func buildInBackground(_ path: String) {
        DispatchQueue(label: "pushpipe.indexes").async { try? buildIndexes(at: path) }
    }

    private func turnsUntilIndexes() throws -> Int? { try missesIndexes() ? Self.turnsBeforeIndexes : nil }

    /// A number that changes when another process has written to the store, and, if it is followed, when there is another file. Opens that.
    /// Ask a few times a second.
    ///
    /// - Throws: `StoreError`, as long as there is no store.
    package func version() throws -> Int64 {
        guard following != nil else { return try dataVersion() }
        if connection == nil || Self.identity(of: path) != file {
            session = nil
            connection = nil
            file = Self.identity(of: path)
            connection = try Self.connect(to: path, .readOnly, sizes, waiting)
            following?.openings += 1
            following?.turnsUntilIndexes = try turnsUntilIndexes()
        }
        if let turns = following?.turnsUntilIndexes {
            following?.turnsUntilIndexes = turns - 1
            if turns <= 1 {
                // The attempt may fail while another process writes, so there is another one if they are still missing then.
                following?.turnsUntilIndexes = try turnsUntilIndexes()
                if following?.turnsUntilIndexes != nil { following?.buildIndexes(path) }
            }
        }
        return (following?.openings ?? 0) << 32 ^ (try dataVersion())
    }

    /// A number that changes when another process has committed to the file.
    private func dataVersion() throws -> Int64 {
        try reading { try PreparedStatement($0, StoreQuery.dataVersion).firstInteger() ?? 0 }
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
                try? database.execute("PRAGMA wal_autocheckpoint = \(Self.largestLog * pages)")
            }
        }
        checkpointer?.begin()
    }

    /// Copies the whole log and leaves it empty, unless somebody reads or writes.
    func emptyLog(_ database: Database) throws {
        checkpointer?.wait()
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

extension Database {
    /// Pages that this connection has written to the log since the last call.
    fileprivate func takeLoggedPages() -> Int {
        // SOUND: both places are `int`s, as this status asks for.
        var pages: Int32 = 0
        var most: Int32 = 0
        unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &most, 1)
        return Int(pages)
    }
}

/// A name that no device or app of a store has, or the beginning of the names of several devices.
///
/// A type of its own, because callers decide by `candidates`: a name that is not there is an answer, and an ambiguous one is a wrong use.
package struct NameError: Error, Equatable, CustomStringConvertible {
    /// The devices that fit, sorted, at most `maximumListed`; empty if there is none.
    package let candidates: [String]
    /// True if more devices fit than are listed.
    package let hasMore: Bool
    /// The problem and the remedy, in one line, or in one line per device after the first.
    package let description: String

    /// The most devices that are listed.
    package static let maximumListed = 10

    /// - Parameters:
    ///   - device: the name as it was typed.
    ///   - found: the devices that fit, sorted.
    fileprivate init(device: String, _ found: [String]) {
        candidates = Array(found.prefix(Self.maximumListed))
        hasMore = found.count > Self.maximumListed
        let lines = candidates.map { "\n  \($0)" }.joined() + (hasMore ? "\n  …" : "")
        description =
            candidates.isEmpty
            ? "no device name is \"\(device)\" or begins with it; pushpipe store list shows the names"
            : "several devices begin with \(device); type more of the name:\(lines)"
    }

    /// - Parameters:
    ///   - app: the name that no app has.
    ///   - device: where it was looked for; nil for all devices.
    init(app: String, on device: String?) {
        candidates = []
        hasMore = false
        let place = device.map { " on \($0)" } ?? ""
        description = TerminalText.clean("no app is named \(app)\(place) (pushpipe store list)")
    }
}

extension SQLiteStore {
    /// Finds a device by its name, by the beginning of it, or by the form in which text shortens it (`234c1bec…b987`).
    ///
    /// A whole name is preferred to a longer one that begins with it. Reads an index: O(log n) for n devices, and the names with that
    /// beginning.
    ///
    /// - Parameter typed: a token of APNs may be in either case.
    /// - Returns: the whole name.
    /// - Throws: `NameError` if none fits, or several; `StoreError`.
    package func device(named typed: String) throws -> String {
        let parts = typed.split(separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
        let beginning = String(parts.first ?? "")
        let end = parts.count > 1 ? String(parts[1]) : ""
        // A name may have the character that shortens another.
        var spellings = parts.count == 1 ? [] : [(typed, "")]
        spellings.append((beginning, end))
        if (beginning + end).allSatisfy(\.isHexDigit) { spellings.append((beginning.lowercased(), end.lowercased())) }
        var found: [String] = []
        for (beginning, end) in spellings where found.isEmpty {
            found = try devices(from: beginning, to: end)
            if end.isEmpty, let first = found.first, first.utf8.elementsEqual(beginning.utf8) { found = [first] }
        }
        if found.count == 1 { return found[0] }
        throw NameError(device: typed, found)
    }

    /// Names that begin and end so, sorted, at most one more than are listed.
    private func devices(from beginning: String, to end: String) throws -> [String] {
        try reading { database in
            var found: [String] = []
            let names = try PreparedStatement(
                database, StoreQuery.devicesBeginning,
                // No name has a character after this one.
                beginning, beginning + "\u{10FFFF}")
            defer { names.reset() }
            while found.count <= NameError.maximumListed, try names.step() {
                let name = names.string(0)
                let rest = name.utf8.dropFirst(beginning.utf8.count)
                if rest.count >= end.utf8.count, rest.suffix(end.utf8.count).elementsEqual(end.utf8) {
                    found.append(name)
                }
            }
            return found
        }
    }
}

extension SQLiteStore {
    /// A device's name as the screens have it: a token of APNs may be written in either case.
    static func nameOnScreens(_ device: String?, _ database: Database) throws -> String? {
        guard let device else { return nil }
        let token = DeviceToken.canonical(device)
        guard token != device else { return device }
        let exact = try PreparedStatement(database, StoreQuery.centersOfDevice(hasApp: false), device)
        return try exact.firstInteger() == nil ? token : device
    }

    static func notification(_ row: PreparedStatement) -> DeliveredNotification {
        DeliveredNotification(
            seq: UInt64(bitPattern: row.integer(0)), device: row.string(1), app: row.string(2),
            identifier: row.string(3), content: content(row, from: 4), deliveredAt: row.integer(9),
            payload: row.string(10), changes: row.optionalString(11))
    }

    static func content(_ row: PreparedStatement, from column: Int32) -> ShownContent {
        ShownContent(
            title: row.optionalString(column), subtitle: row.optionalString(column + 1),
            body: row.optionalString(column + 2), thread: row.optionalString(column + 3),
            badge: row.optionalInteger(column + 4))
    }

    // MARK: - Snapshots

    /// Everything that `body` reads is from one snapshot, even while another process writes.
    package func atOneMoment(_ body: () throws -> Void) throws {
        try reading { _ in try body() }
    }

    /// The result of `body`, which reads from one snapshot.
    func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let moment { return try body(moment) }
        return try writing { database in
            try database.inTransaction(.deferred) {
                moment = database
                defer { moment = nil }
                return try body(database)
            }
        }
    }
}

/// How much memory a store uses, and how large its transactions are.
package struct StoreSizes: Sendable, Equatable {
    /// Maximum size of SQLite's page cache, in bytes. SQLite allocates pages as it needs them.
    package var cacheBytes: Int
    /// Maximum number of apps on devices and notifications to keep in memory between two transactions, about 170 bytes
    /// each.
    package var maximumLoaded: Int
    /// False to keep as much as a transaction needs if that is more, since the next one probably needs it, too.
    package var isLoadedLimited = false
    /// Bytes of input in a transaction, at most.
    package var transactionBytes: Int
    /// Size of the write-ahead log, in bytes, at which it begins anew.
    package var checkpointBytes: Int
    /// The growth of the log, in bytes, between two copies of it into the file. Each waits for the disk, and small ones leave the disk free
    /// for others.
    package var copyBytes = 8 << 20

    /// Sizes for a machine with this much memory, in bytes: 1/32 of it for the page cache, and 1/16 for what is loaded.
    ///
    /// A transaction writes each index page that it touches once, so in a large one a page serves more records. Small
    /// machines get 16 MiB of pages, 220 MiB of loaded devices and transactions of 4 MiB; nobody gets more than 512 MiB
    /// of pages and transactions of 16 MiB.
    package init(memoryBytes: UInt64) {
        let memory = Int(clamping: memoryBytes)
        cacheBytes = min(max(memory / 32, 16 << 20), 512 << 20)
        maximumLoaded = min(max(memory / 16 / Self.loadedBytes, 5 << 18), 16 << 20)
        transactionBytes = min(max(memory / 1024, 4 << 20), 16 << 20)
        checkpointBytes = max(cacheBytes / 4, 32 << 20)
    }

    private static let loadedBytes = 170

    /// Makes the sizes those of a process that runs for long, and shares the machine with what it serves: 16 MiB of pages, and what 32 MiB of
    /// memory hold. What was loaded and is not used is in the file, and is loaded again if it is.
    package mutating func keepLittle() {
        cacheBytes = min(cacheBytes, 16 << 20)
        maximumLoaded = min(maximumLoaded, (32 << 20) / Self.loadedBytes)
        isLoadedLimited = true
    }

    package static var forThisMachine: StoreSizes { StoreSizes(memoryBytes: MachineMemory.byteCount) }

    /// The smallest sizes, with this many apps and notifications in memory.
    package static func smallest(maximumLoaded: Int) -> StoreSizes {
        var sizes = StoreSizes(memoryBytes: 0)
        sizes.maximumLoaded = maximumLoaded
        return sizes
    }
}

/// Chooses how much input a transaction takes.
///
/// Records with many targets, or long names that each report line repeats, can make the rows and the report of a
/// transaction many times as large as its input. Both are in memory until the commit, and SQLite stores no text over
/// 10⁹ bytes. So transactions start small, grow while they are filled and their results are of an ordinary size, and shrink
/// when they are not.
package struct TransactionPace {
    private static let start = 4 << 20
    private static let smallest = 64 << 10
    /// Four times the largest transaction: ordinary records yield twice their size.
    package static let largestResult = 64 << 20

    private let maximum: Int
    /// Bytes of input for the next transaction.
    package private(set) var bytes: Int

    package init(maximum: Int) {
        self.maximum = maximum
        bytes = min(Self.start, maximum)
    }

    /// Takes into account what a transaction produced, in bytes.
    ///
    /// Only rows gain from a larger one. There are few of them where nothing is shown, and where the input is slower than
    /// its processing, so that it fills no transaction.
    package mutating func adapt(toRows rows: Int, report: Int) {
        let result = rows + report
        if result > Self.largestResult {
            bytes = max(bytes / max(result / Self.largestResult, 2), Self.smallest)
        } else if result <= Self.largestResult / 2, rows >= bytes / 4 {
            bytes = min(2 * bytes, maximum)
        }
    }
}

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
        // SOUND: `hasMoved` is an `int`, as this operation asks for, and the file's name ends with a NUL and lives as long as the connection.
        guard !isInMemory else { return }
        var hasMoved: Int32 = 0
        unsafe sqlite3_file_control(database.handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        let file = unsafe sqlite3_db_filename(database.handle, "main").map { unsafe String(cString: $0) } ?? path
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
    // A process that writes all the time leaves gaps of milliseconds between two transactions. SQLite's own waits grow to a tenth of a second
    // and miss them, so that one of four runs gave up.
    private static let napMilliseconds = 2
    private let milliseconds: Atomic<Int>

    init(milliseconds: Int) { self.milliseconds = Atomic(milliseconds) }

    convenience init(seconds: Int) { self.init(milliseconds: seconds * 1000) }

    var seconds: Int {
        get { milliseconds.load(ordering: .relaxed) / 1000 }
        set { milliseconds.store(newValue * 1000, ordering: .relaxed) }
    }

    /// Waits a little. False if that were too long after so many naps.
    func nap(after naps: Int) -> Bool {
        CurrentProcess.pause(microseconds: Self.napMilliseconds * 1000)
        return naps < milliseconds.load(ordering: .relaxed) / Self.napMilliseconds
    }
}
