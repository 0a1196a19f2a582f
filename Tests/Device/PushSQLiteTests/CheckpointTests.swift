import PushDevices
import PushSystem
import TestSupport
import Testing

@testable import PushSQLite

/// The write-ahead log is copied into the file by a connection and a thread of its own.
struct CheckpointTests {
    private func bytes(_ path: String) throws -> Int64 { try FileStatus(path).size }

    private func sizes(copyBytes: Int, logBytes: Int) -> StoreSizes {
        var sizes = StoreSizes(memoryBytes: 0)
        sizes.copyBytes = copyBytes
        sizes.checkpointBytes = logBytes
        return sizes
    }

    @Test func `a log that grows is copied by another thread, and begins anew`() throws {
        let folder = try TemporaryFolder()
        let path = folder()
        let store = try SQLiteStore(
            path: path, access: .readWrite, sizes: sizes(copyBytes: 64 << 10, logBytes: 256 << 10))
        for _ in 0..<60 {
            try store.run([apns(body: String(repeating: "x", count: 64 << 10))])
            store.checkpointer?.wait()
        }
        let copies = try #require(store.checkpointer?.copyCount)
        #expect(copies >= 50)
        // 4 MiB were written.
        #expect(try bytes(path) > 3 << 20)
        #expect(try bytes(path + "-wal") < 1 << 20)
        #expect(
            try folder.sqlite3(sql: "SELECT count(*) FROM notification; PRAGMA integrity_check;") == ["60", "'ok'"])
    }

    @Test func `somebody who reads for long is not in the way of the writer`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(
            path: folder(), access: .readWrite, sizes: sizes(copyBytes: 64 << 10, logBytes: 128 << 10))
        try store.run([apns(body: "first")])
        let reader = try SQLiteStore(path: folder(), access: .readOnly)
        var seen = 0
        try reader.forEachNotification(device: nil, app: nil) { _ in
            seen += 1
            for _ in 0..<20 { try store.run([apns(body: String(repeating: "x", count: 64 << 10))]) }
            store.checkpointer?.wait()
        }
        #expect(seen == 1)
        #expect(try store.notifications().count == 21)
    }

    @Test func `a store that has written little has no second connection`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns()])
        #expect(store.checkpointer == nil)
    }

    /// SQLite would make a file, or take one that somebody has put there.
    @Test func `a file in the place of the store is left alone`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns()])
        let elsewhere = try TemporaryFolder()
        #expect(StoreCheckpointer(path: elsewhere(), of: store.file, logPages: 1) == nil)
        #expect(!FileSystem.hasAccess(elsewhere(), .existence))
        _ = try SQLiteStore(path: elsewhere())
        #expect(StoreCheckpointer(path: elsewhere(), of: store.file, logPages: 1) == nil)
        #expect(StoreCheckpointer(path: folder(), of: store.file, logPages: 1) != nil)
    }

    @Test func `the log is gone once the store is closed`() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try SQLiteStore(
                path: folder(), access: .readWrite, sizes: sizes(copyBytes: 4 << 10, logBytes: 64 << 10))
            try store.run([apns(body: String(repeating: "x", count: 64 << 10))])
            #expect(store.checkpointer != nil)
        }
        #expect(!FileSystem.hasAccess(folder() + "-wal", .existence))
    }
}
