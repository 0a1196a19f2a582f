import GRDB
import GRDBSQLite
import PayloadJSON

/// A prepared statement that is bound and stepped through SQLite's own functions.
///
/// GRDB compiles and owns it. GRDB would copy arguments; here a bound text is only borrowed, so it must stay valid and
/// unchanged until `run` or `reset`. Use it only on the queue of its database.
final class PreparedStatement {
    private let statement: Statement
    private var handle: SQLiteStatement { statement.sqliteStatement }

    init(_ database: Database, _ sql: String) throws {
        statement = try database.makeStatement(sql: sql)
    }

    // MARK: - Arguments, counted from 1

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    func bind(_ index: Int32, _ value: UInt64) { sqlite3_bind_int64(handle, index, Int64(bitPattern: value)) }

    func bind(_ index: Int32, _ value: Int?) {
        if let value { sqlite3_bind_int64(handle, index, Int64(value)) } else { sqlite3_bind_null(handle, index) }
    }

    /// Borrows the text. A text is at most `JSONScanner.maximumLength` bytes long, so its length fits.
    func bind(_ index: Int32, _ text: BorrowedText?) {
        guard let text else {
            sqlite3_bind_null(handle, index)
            return
        }
        text.start.withMemoryRebound(to: CChar.self, capacity: text.count) { chars in
            // No destructor: SQLite treats the text as static, and does not use it after the statement is reset.
            _ = sqlite3_bind_text(handle, index, chars, Int32(truncatingIfNeeded: text.count), nil)
        }
    }

    /// Copies the text, including any NULs.
    func bind(_ index: Int32, copying text: String?) {
        guard var text else {
            sqlite3_bind_null(handle, index)
            return
        }
        text.withUTF8 { bytes in
            // SOUND: -1 is SQLite's SQLITE_TRANSIENT, which asks for a copy.
            let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            bytes.withMemoryRebound(to: CChar.self) { chars in
                _ = sqlite3_bind_text(handle, index, chars.baseAddress, Int32(truncatingIfNeeded: chars.count), copies)
            }
        }
    }

    // MARK: - Running

    /// Runs a statement that returns no rows.
    func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw error(code) }
    }

    /// Moves to the next row. Returns false at the end, after resetting the statement.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw error(code) }
        return false
    }

    func reset() { sqlite3_reset(handle) }

    /// The first column of the first row; nil when there is none.
    func firstInteger() throws -> Int64? {
        guard try step() else { return nil }
        defer { reset() }
        return integer(0)
    }

    private func error(_ code: Int32) -> DatabaseError {
        let message = sqlite3_db_handle(handle).flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    // MARK: - Columns of the current row, counted from 0

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The text of a column, valid until the next step.
    func text(_ column: Int32) -> BorrowedText {
        guard let text = sqlite3_column_text(handle, column) else { return .empty }
        return BorrowedText(start: text, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// A copy of the text, including any NULs.
    func string(_ column: Int32) -> String { text(column).string }

    func optionalString(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }

    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : Int(integer(column)) }

    /// Rows that the last run of an INSERT, UPDATE or DELETE changed.
    var changedRows: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

    var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }
}
