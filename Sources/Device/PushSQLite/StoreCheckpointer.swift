import Dispatch
import PushSystem
import Synchronization

/// Copies the write-ahead log into the file, by a connection and on a thread of its own: copying waits for the disk, and the pipeline does not.
///
/// Frequent copies lock nobody out (SQLite's mode PASSIVE). But a log that somebody writes all the time never ends at what was copied, and only
/// a log that was copied to its end begins anew. So once it is large, the little that came during a copy is copied while writers wait (FULL).
/// A copy that fails is left to the next one, and at last to the writer, which copies a log of several times that size by itself and says what
/// is wrong when it cannot write.
final class StoreCheckpointer: Sendable {
    /// How long the copy of the rest waits for a writer or reader. Writers wait as long for it.
    private static let patience = StorePatience(milliseconds: 20)
    /// The most pages to copy while writers wait: 1 MiB.
    private static let mostPages = (1 << 20) / SQLiteStore.pageBytes
    /// Each leaves what came during it, which is less from one to the next unless the disk is slower than the writer.
    private static let mostPasses = 4

    private let queue = DispatchQueue(label: "pushpipe.checkpoint")
    // SOUND: used on the queue alone. Nil once it is closed.
    nonisolated(unsafe) private var database: Database?
    /// Size at which the log begins anew.
    private let logPages: Int
    private let isCopying = Atomic(false)
    private let copies = Atomic(0)

    /// How often it has copied.
    var copyCount: Int { copies.load(ordering: .relaxed) }

    /// Opens the connection. Nil if the path no longer leads to the file, or it cannot be opened: then the writer copies, or says why it
    /// cannot.
    ///
    /// - Parameters:
    ///   - file: what the writer has open.
    ///   - logPages: the size at which the log begins anew.
    init?(path: String, of file: FileIdentity?, logPages: Int) {
        // SQLite would make a file.
        guard let file, SQLiteStore.identity(of: path) == file else { return nil }
        guard let database = try? Database(path: path, patience: Self.patience),
            (try? database.execute("PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL")) != nil
        else { return nil }
        // Somebody may have put another one there meanwhile.
        guard SQLiteStore.identity(of: path) == file else { return nil }
        unsafe self.database = database
        self.logPages = logPages
    }

    /// Begins a copy and returns at once; does nothing if one is going on. On any thread.
    func begin() {
        guard !isCopying.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            if let database = unsafe database { try? copyLog(database) }
            _ = copies.wrappingAdd(1, ordering: .relaxed)
            isCopying.store(false, ordering: .releasing)
        }
    }

    private func copyLog(_ database: Database) throws {
        var (log, copied) = try database.checkpoint(.passive)
        guard log >= logPages else { return }
        for _ in 1..<Self.mostPasses where log - copied > Self.mostPages {
            (log, copied) = try database.checkpoint(.passive)
        }
        // A reader of an older state is in the way of more.
        if log - copied <= Self.mostPages { try database.checkpoint(.full) }
    }

    /// Returns when nothing is being copied.
    func wait() { queue.sync {} }

    /// Closes the connection, once nothing is being copied. The writer is the last to close then, and removes the log.
    func close() { queue.sync { unsafe database = nil } }
}
