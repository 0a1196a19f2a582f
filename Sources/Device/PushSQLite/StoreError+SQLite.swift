import CPushSQLite
import PushDevices
import PushSystem

extension StoreError {
    /// Converts an SQLite error to a message that says what to do.
    ///
    /// - Parameter database: the connection with the error; it has the system's last error code.
    init(_ error: any Error, path: String, on database: Database? = nil) {
        guard let error = error as? DatabaseError else {
            self =
                error as? StoreError ?? StoreError(code: .database, path: path, message: "\(error)", underlying: error)
            return
        }
        let systemCode = database?.systemError ?? 0
        let systemReason = systemCode == 0 ? nil : SystemError(code: systemCode).description
        let reason = error.message
        let (code, message): (Code, String) =
            switch error.kind {
            case SQLITE_NOTADB: (.notADatabase, "not an SQLite database; name another file for the store")
            case SQLITE_CANTOPEN:
                (.cannotOpen, "cannot be opened: \(systemReason ?? reason)")
            case SQLITE_READONLY where database?.isReadOnly == true:
                (.readOnly, "is open for reading alone; open it with access to write")
            case SQLITE_READONLY:
                (.readOnly, "the file or its folder cannot be written, which SQLite needs even for reading: \(reason)")
            case SQLITE_FULL:
                (.full, "no room left on the disk, or where temporary files are; make room and try again")
            case SQLITE_IOERR where Self.concernsReading(error.code):
                (.database, "cannot be read: \(systemReason ?? reason)")
            case SQLITE_IOERR:
                // Includes EFBIG, which SQLite does not report as a full disk. It keeps no code for a failed commit.
                (
                    .full,
                    "cannot be written: \(systemReason ?? "no room, or a limit on the size of files"); make room and try again"
                )
            case SQLITE_BUSY, SQLITE_LOCKED: (.locked, Self.locked(path))
            case SQLITE_CORRUPT:
                (
                    .database,
                    "the database is damaged: \(reason); `sqlite3 FILE .recover` may save what is left, else take another file"
                )
            default: (.database, reason)
            }
        self.init(code: code, path: path, message: message, underlying: error)
    }

    /// True for `SQLITE_IOERR_READ`, `SQLITE_IOERR_SHORT_READ` and `SQLITE_IOERR_FSTAT`, macros that Swift does not import.
    private static func concernsReading(_ code: Int32) -> Bool {
        [1, 2, 7].contains { code == SQLITE_IOERR | $0 << 8 }
    }

    private static func locked(_ path: String) -> String {
        let holder = LockHolder.description(for: path) ?? "another process"
        return
            "\(holder) has been writing to it for more than \(SQLiteStore.secondsToWait) seconds; try again when it is done"
    }
}

/// The process that holds the lock on a store, if the system reveals it.
enum LockHolder {
    /// The holder, for example `process 4711 (sqlite3)`; nil when unknown, as on every system but Linux, or when the process has
    /// ended.
    ///
    /// Reads the table of all locks instead of querying the file's: that would require opening the file, and closing a
    /// file releases all locks that this process has on it.
    static func description(for path: String) -> String? {
        #if os(Linux)
            // Writers of a store in WAL mode lock the log's index.
            let files = [path + "-shm", path].compactMap(lockTableName)
            let own = "\(CurrentProcess.id)"
            for line in ProcessFile.text("/proc/locks")?.split(separator: "\n") ?? [] {
                guard let lock = Lock(line), files.contains(lock.file), lock.process != own else { continue }
                let name = ProcessFile.text("/proc/\(lock.process)/comm")?.split(separator: "\n").first
                return "process \(lock.process)" + (name.map { " (\($0))" } ?? "")
            }
        #endif
        return nil
    }

    #if os(Linux)
        /// A line such as `3: POSIX  ADVISORY  WRITE 18680 fe:00:2156446 120 120`, of an exclusive lock.
        struct Lock {
            let process: String
            let file: String

            init?(_ line: Substring) {
                let words = line.split(separator: " ")
                // A waiting lock has an arrow in front.
                guard words.count == 8, words[1] == "POSIX", words[3] == "WRITE", Int(words[4]).map({ $0 > 0 }) == true
                else { return nil }
                process = String(words[4])
                file = String(words[5])
            }
        }

        /// A file's name in the lock table: the device in hexadecimal, and the inode.
        private static func lockTableName(_ path: String) -> String? {
            guard let file = (try? FileStatus(path))?.identity else { return nil }
            let device = file.device
            let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
            let minor = device & 0xFF | device >> 12 & ~0xFF
            return "\(hexadecimal(major)):\(hexadecimal(minor)):\(file.inode)"
        }

        private static func hexadecimal(_ number: UInt64) -> String {
            let digits = String(number & 0xFFFF_FFFF, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
    #endif
}
