import CStoreLog
import GRDBSQLite
import Synchronization
import TestSupport
import Testing

/// SQLite's log, written in pieces: it must be the same file as without, to this connection and to others.
@Suite(.serialized)
struct StoreLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a transaction of many pages is written in a few pieces`() throws {
        let one = try Connection(folder(), inPieces: false)
        let usual = try one.writes(during: { try one.run(Self.insertion(of: 500)) })
        let other = try Connection(folder("other.db"))
        let inPieces = try other.writes(during: { try other.run(Self.insertion(of: 500)) })
        // Each page has a header, which is written apart. A row of 3,000 bytes takes a page, and sixteen make a piece.
        #expect(usual > 1000)
        #expect(inPieces < 500 / 12)
        #expect(try other.integer("SELECT count(*) FROM t") == 500)
        #expect(try other.text("PRAGMA integrity_check") == "ok")
    }

    /// A page that the cache has no room for is in the log before its transaction ends.
    @Test func `a transaction reads what it wrote itself`() throws {
        let connection = try Connection(folder())
        try connection.run("PRAGMA cache_size = 4; BEGIN IMMEDIATE;" + Self.insertion(of: 300))
        #expect(try connection.integer("SELECT sum(length(b)) FROM t") == 900_000)
        try connection.run("UPDATE t SET b = substr(b, 2) WHERE a % 2 = 0; COMMIT")
        #expect(try connection.integer("SELECT sum(length(b)) FROM t") == 899_850)
        let reader = try Connection(folder(), inPieces: false)
        #expect(try reader.integer("SELECT sum(length(b)) FROM t") == 899_850)
        #expect(try reader.text("PRAGMA integrity_check") == "ok")
    }

    @Test func `another connection sees each commit`() throws {
        let writer = try Connection(folder())
        let reader = try Connection(folder(), inPieces: false)
        for count in 1...40 {
            try writer.run(Self.insertion(of: count % 7 + 1))
            #expect(
                try reader.integer("SELECT count(*) FROM t") == (1...count).reduce(0) { $0 + $1 % 7 + 1 })
        }
    }

    /// Bytes that wait when a transaction is rolled back belong where the next transaction writes, which may be another process's.
    @Test(arguments: [3, 40, 300])
    func `what a transaction that was rolled back left waiting is never written`(rows: Int) throws {
        let first = try Connection(folder())
        let second = try Connection(folder(), inPieces: false)
        // Reading the log leaves nothing waiting, so nothing may be read from it: all pages are in the file, and no new ones are needed.
        try first.run(Self.insertion(of: 400) + "; PRAGMA wal_checkpoint(TRUNCATE)")
        try first.run(
            "PRAGMA cache_size = 4; BEGIN IMMEDIATE; UPDATE t SET b = substr(b, 2) WHERE a <= \(rows); ROLLBACK")
        try second.run("UPDATE t SET b = b || 'x' WHERE a > 100")
        #expect(try first.integer("SELECT sum(length(b)) FROM t") == 1_200_300)
        try first.run(Self.insertion(of: 20))
        for connection in [first, second, try Connection(folder(), inPieces: false)] {
            #expect(try connection.integer("SELECT sum(length(b)) FROM t") == 1_260_300)
            #expect(try connection.text("PRAGMA integrity_check") == "ok")
        }
    }

    @Test func `a savepoint takes back pages that are in the log`() throws {
        let connection = try Connection(folder())
        try connection.run(
            "PRAGMA cache_size = 4; BEGIN IMMEDIATE;" + Self.insertion(of: 60) + "; SAVEPOINT s;"
                + Self.insertion(of: 200) + "; UPDATE t SET b = 'x'; ROLLBACK TO s; RELEASE s;" + Self.insertion(of: 5)
                + "; COMMIT")
        let reader = try Connection(folder(), inPieces: false)
        #expect(try reader.integer("SELECT sum(length(b)) FROM t") == 195_000)
        #expect(try reader.text("PRAGMA integrity_check") == "ok")
    }

    /// Copying the log into the file, and beginning it anew.
    @Test func `the log is copied and begins anew`() throws {
        let connection = try Connection(folder())
        for _ in 1...5 {
            try connection.run(Self.insertion(of: 100))
            #expect(try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
        }
        try connection.run(Self.insertion(of: 10) + "; VACUUM;" + Self.insertion(of: 10))
        try connection.run("PRAGMA journal_mode = DELETE;" + Self.insertion(of: 10))
        #expect(try connection.integer("SELECT count(*) FROM t") == 530)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
    }

    /// A database in memory has no log, and a connection is changed once.
    @Test func `it does nothing where there is nothing to do`() throws {
        let inMemory = try Connection(":memory:")
        try inMemory.run(Self.insertion(of: 10))
        #expect(try inMemory.integer("SELECT count(*) FROM t") == 10)
        let twice = try Connection(folder())
        twice.writeLogInPieces()
        try twice.run(Self.insertion(of: 10))
        #expect(try twice.integer("SELECT count(*) FROM t") == 10)
    }

    private static func insertion(of rows: Int) -> String {
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO t(b) SELECT substr(hex(zeroblob(1500)), 1, 2999) || (i % 10) FROM n
        """
    }
}

/// A connection of SQLite's own, with a table `t` of a number and a text.
private final class Connection {
    struct Failure: Error { var message: String }

    private var handle: OpaquePointer?

    init(_ path: String, inPieces: Bool = true) throws {
        guard sqlite3_open(path, &handle) == SQLITE_OK else { throw failure }
        try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        try run("CREATE TABLE IF NOT EXISTS t(a INTEGER PRIMARY KEY, b)")
        countWrites()
        if inPieces { writeLogInPieces() }
    }

    deinit { sqlite3_close(handle) }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

    func writeLogInPieces() { store_log_write_in_pieces(handle) }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func text(_ sql: String) throws -> String {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
        else { throw failure }
        return String(cString: sqlite3_column_text(statement, 0))
    }

    func integer(_ sql: String) throws -> Int {
        try Int(text(sql)) ?? -1
    }

    // MARK: - Writes

    /// The number of writes to the log that reach the system. C functions have no state, so what they count is the process's, and a table of
    /// functions stays for good.
    private static let writes = Mutex(0)
    nonisolated(unsafe) private static var write:
        (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, CInt, sqlite3_int64) -> CInt)?

    /// Counts writes to the log from now on.
    private func countWrites() {
        var found: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found)
        guard let file = found, let methods = file.pointee.pMethods else { return }
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: methods.pointee)
        Self.write = methods.pointee.xWrite
        table.pointee.xWrite = { file, bytes, count, offset in
            Connection.writes.withLock { $0 += 1 }
            return Connection.write?(file, bytes, count, offset) ?? SQLITE_ERROR
        }
        file.pointee.pMethods = UnsafePointer(table)
    }

    /// The number of writes to the log during `body`.
    func writes(during body: () throws -> Void) rethrows -> Int {
        Self.writes.withLock { $0 = 0 }
        try body()
        return Self.writes.withLock { $0 }
    }
}
