import PushStore
import PushSystem

/// The process that holds the lock on a store, if the system reveals it.
enum LockHolder {
    /// For example `process 4711 (sqlite3)`; nil when unknown, as on every system but Linux, or when the process has
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
