import CPushSQLite
import PushJSON

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

/// A prepared statement that is bound and stepped through SQLite's own functions.
///
/// A bound text is only borrowed, so it must stay valid and unchanged until `run` or `reset`. Use it only on the thread of its database.
@safe
final class PreparedStatement {
    let sql: String
    private let database: Database
    // SOUND, here and in each call with it: the handle is finalized when nothing refers to this object, before its connection is closed, and
    // all calls are on one thread.
    private let handle: OpaquePointer

    /// Binds values from the first parameter on.
    init(_ database: Database, _ sql: String, _ values: (any StoredValue)?...) throws {
        self.sql = sql
        self.database = database
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database.handle, sql, -1, &prepared, nil)
        guard code == SQLITE_OK else { throw database.error(code) }
        guard let handle = unsafe prepared else { throw DatabaseError(SQLITE_MISUSE, "no statement: \(sql)") }
        unsafe self.handle = handle
        bind(values)
    }

    deinit { unsafe sqlite3_finalize(handle) }

    // MARK: - Arguments, counted from 1

    func bind(_ index: Int32, _ value: Int64) { unsafe sqlite3_bind_int64(handle, index, value) }

    func bind(_ index: Int32, _ value: UInt64) { unsafe sqlite3_bind_int64(handle, index, Int64(bitPattern: value)) }

    func bind(_ index: Int32, _ value: Int?) {
        if let value {
            bind(index, Int64(value))
        } else {
            unsafe sqlite3_bind_null(handle, index)
        }
    }

    /// Borrows the text. A text is at most `JSONScanner.maximumLength` bytes long, so its length fits; in place of a longer one it binds NULL.
    func bind(_ index: Int32, _ text: BorrowedText?) {
        guard let text, let count = Int32(exactly: text.count) else {
            unsafe sqlite3_bind_null(handle, index)
            return
        }
        // SOUND: without a destructor SQLite treats the text as static; it does not use it after the statement is
        // reset, and the caller keeps the text until then.
        unsafe text.start.withMemoryRebound(to: CChar.self, capacity: text.count) { chars in
            _ = unsafe sqlite3_bind_text(handle, index, chars, count, nil)
        }
    }

    /// Copies a value of another statement's current row, of whatever type.
    func bind(_ index: Int32, _ row: PreparedStatement, column: Int32) {
        // SOUND: the value is read at once, and stays until the other statement's next step; text is copied.
        unsafe sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column))
    }

    /// Copies the text, including any NULs.
    func bind(_ index: Int32, copying text: String?) {
        guard let text else {
            unsafe sqlite3_bind_null(handle, index)
            return
        }
        // SOUND: SQLite copies the bytes before `withBytes` returns.
        unsafe text.withBytes { bytes in
            // SOUND: -1 is SQLite's SQLITE_TRANSIENT, which asks for a copy.
            let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            unsafe bytes.withMemoryRebound(to: CChar.self) { chars in
                let count = Int32(clamping: chars.count)
                _ = unsafe sqlite3_bind_text(handle, index, chars.baseAddress, count, copies)
            }
        }
    }

    /// Binds copies of texts in order. Nil texts have no parameter in the statement.
    ///
    /// - Returns: the next parameter.
    @discardableResult
    func bind(_ texts: [String?]) -> Int32 {
        let texts = texts.compactMap(\.self)
        for (index, text) in texts.enumerated() { bind(Int32(index + 1), copying: text) }
        return Int32(texts.count + 1)
    }

    private func bind(_ values: [(any StoredValue)?]) {
        for (position, value) in values.enumerated() {
            let index = Int32(position + 1)
            if let value { value.bind(to: self, index) } else { unsafe sqlite3_bind_null(handle, index) }
        }
    }

    /// Binds values from the first parameter on. A statement that runs for each message binds one by one, which allocates nothing.
    func with(_ values: (any StoredValue)?...) -> PreparedStatement {
        bind(values)
        return self
    }

    // MARK: - Running

    /// Binds values from the first parameter on, and runs a statement that returns no rows.
    func run(_ values: (any StoredValue)?...) throws {
        bind(values)
        try run()
    }

    /// Runs a statement that returns no rows.
    func run() throws {
        let code = unsafe sqlite3_step(handle)
        unsafe sqlite3_reset(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw database.error(code) }
    }

    /// Moves to the next row. Returns false at the end, after resetting the statement.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        unsafe sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw database.error(code) }
        return false
    }

    func reset() { unsafe sqlite3_reset(handle) }

    /// The first column of the first row; nil when there is none.
    func firstInteger() throws -> Int64? { try first { $0.integer(0) } }

    /// The value of the first row; nil when there is none.
    func first<Value>(_ value: (PreparedStatement) throws -> Value) throws -> Value? {
        defer { reset() }
        return try step() ? value(self) : nil
    }

    /// The values of all rows but those that have none.
    func all<Value>(_ value: (PreparedStatement) throws -> Value?) throws -> [Value] {
        defer { reset() }
        var values: [Value] = []
        while try step() { if let value = try value(self) { values.append(value) } }
        return values
    }

    func forEachRow(_ body: (PreparedStatement) throws -> Void) throws {
        defer { reset() }
        while try step() { try body(self) }
    }

    // MARK: - Columns of the current row, counted from 0

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// The text of a column, valid until the next step.
    func text(_ column: Int32) -> BorrowedText {
        guard let text = unsafe sqlite3_column_text(handle, column) else { return .empty }
        // SOUND: SQLite has this many bytes there until the next step.
        return unsafe BorrowedText(start: text, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// A copy of the text, including any NULs.
    func string(_ column: Int32) -> String { text(column).string }

    func optionalString(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }

    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : Int(integer(column)) }

    var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(database.handle) }
}

/// A value that a column can have. A `String` is copied, a `BorrowedText` is borrowed.
protocol StoredValue { func bind(to row: PreparedStatement, _ index: Int32) }

extension Int: StoredValue { func bind(to row: PreparedStatement, _ index: Int32) { row.bind(index, self) } }
extension Int64: StoredValue { func bind(to row: PreparedStatement, _ index: Int32) { row.bind(index, self) } }
extension UInt64: StoredValue { func bind(to row: PreparedStatement, _ index: Int32) { row.bind(index, self) } }
extension Bool: StoredValue {
    func bind(to row: PreparedStatement, _ index: Int32) { row.bind(index, Int64(self ? 1 : 0)) }
}
extension String: StoredValue {
    func bind(to row: PreparedStatement, _ index: Int32) { row.bind(index, copying: self) }
}
extension BorrowedText: StoredValue { func bind(to row: PreparedStatement, _ index: Int32) { row.bind(index, self) } }

extension SQLiteStore {
    /// The version of the SQLite library in use, such as `3.46.1`.
    package static var engineVersion: String {
        // SOUND: a constant of the library, which ends with a zero byte.
        unsafe String(cString: sqlite3_libversion())
    }
}
