import GRDB
import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension StoreError {
    /// SQLite's trouble in words that say what to do.
    ///
    /// - Parameter connection: what the trouble is with; it knows what the system said last.
    init(_ error: any Error, path: String, connection: OpaquePointer? = nil) {
        guard let error = error as? DatabaseError else {
            self =
                error as? StoreError ?? StoreError(code: .database, path: path, message: "\(error)", underlying: error)
            return
        }
        let systemCode = connection.map { sqlite3_system_errno($0) } ?? 0
        let systemReason = systemCode == 0 ? nil : String(cString: strerror(systemCode))
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
                // EFBIG among them, which SQLite does not take for want of room. Of a commit that fails it keeps no code.
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
            "\(holder) has been writing to it for \(SQLiteStore.secondsToWait) seconds without an end; try again when it is done"
    }
}
