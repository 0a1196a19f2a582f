import GRDB
import GRDBSQLite
import PushStore
import PushSystem

extension StoreError {
    /// Converts an SQLite error to a message that says what to do.
    ///
    /// - Parameter database: the connection with the error, on whose queue we are; it has the system's last error code.
    init(_ error: any Error, path: String, on database: Database? = nil) {
        guard let error = error as? DatabaseError else {
            self =
                error as? StoreError ?? StoreError(code: .database, path: path, message: "\(error)", underlying: error)
            return
        }
        // SOUND: the connection is open while its queue runs this.
        let systemCode = unsafe database?.sqliteConnection.map { unsafe sqlite3_system_errno($0) } ?? 0
        let systemReason = systemCode == 0 ? nil : SystemError(code: systemCode).description
        let reason = error.message ?? "\(error.resultCode)"
        let (code, message): (Code, String) =
            switch error.resultCode {
            case .SQLITE_NOTADB: (.notADatabase, "not an SQLite database; name another file for the store")
            case .SQLITE_CANTOPEN:
                (.cannotOpen, "cannot be opened: \(systemReason ?? reason)")
            case .SQLITE_READONLY:
                (.readOnly, "the file or its folder cannot be written, which SQLite needs even for reading: \(reason)")
            case .SQLITE_FULL:
                (.full, "no room left on the disk, or where temporary files are; make room and try again")
            case .SQLITE_IOERR where Self.concernsReading(error.extendedResultCode):
                (.database, "cannot be read: \(systemReason ?? reason)")
            case .SQLITE_IOERR:
                // Includes EFBIG, which SQLite does not report as a full disk. It keeps no code for a failed commit.
                // code.
                (
                    .full,
                    "cannot be written: \(systemReason ?? "no room, or a limit on the size of files"); make room and try again"
                )
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.locked, Self.locked(path))
            case .SQLITE_CORRUPT:
                (
                    .database,
                    "the database is damaged: \(reason); `sqlite3 FILE .recover` may save what is left, else take another file"
                )
            default: (.database, reason)
            }
        self.init(code: code, path: path, message: message, underlying: error)
    }

    private static func concernsReading(_ code: ResultCode) -> Bool {
        [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_FSTAT].contains(code)
    }

    private static func locked(_ path: String) -> String {
        let holder = LockHolder.description(for: path) ?? "another process"
        return
            "\(holder) has been writing to it for more than \(SQLiteStore.secondsToWait) seconds; try again when it is done"
    }
}
