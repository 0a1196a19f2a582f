import GRDB
import PushStore

/// One moment of several stores: what is read until the end is from one snapshot of each.
///
/// Begins a transaction in each store and leaves it open. Reading within each other's closures would take more stack than there is for a
/// thousand stores.
enum StoreMoment {
    /// - Parameter stores: opened read-only, and not at a moment already.
    static func of(_ stores: [SQLiteStore], _ body: () throws -> Void) throws {
        var begun: [SQLiteStore] = []
        defer { for store in begun { store.endSnapshot() } }
        for store in stores {
            try store.beginSnapshot()
            begun.append(store)
        }
        try body()
    }
}

extension SQLiteStore {
    fileprivate func beginSnapshot() throws {
        try writing { database in
            try database.beginTransaction(.deferred)
            // The snapshot is that of the first read.
            _ = try PreparedStatement(database, StoreQuery.lastSequence).firstInteger()
        }
    }

    fileprivate func endSnapshot() {
        // It has nothing to write.
        try? queue.writeWithoutTransaction { try $0.rollback() }
    }

    /// Keeps at most so many bytes of pages in memory, or less if it does so already.
    func limitCache(to bytes: Int) throws {
        try writing { database in
            // Negative for KiB.
            let current = try PreparedStatement(database, "PRAGMA cache_size").firstInteger() ?? 0
            let wanted = Int64(bytes >> 10)
            if current > 0 || -current > wanted { try database.execute(sql: "PRAGMA cache_size = -\(wanted)") }
        }
    }
}
