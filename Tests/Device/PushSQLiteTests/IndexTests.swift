import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The indexes by device are built when something first needs them.
struct IndexTests {
    private static let drop = "DROP INDEX IF EXISTS notification_by_center; DROP INDEX IF EXISTS event_by_center;"

    private func devices(_ numbers: Range<Int>, _ identifier: String? = nil) -> [String] {
        numbers.map { apns(device: "d\($0)", collapseID: identifier) }
    }

    // MARK: - Delivery

    @Test func `a run over devices that fit in memory builds no index`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        for _ in 0..<3 { try store.run(devices(0..<20, "same")) }
        #expect(try store.indexes().isEmpty)
        #expect(
            try folder.sqlite3(sql: "SELECT count(*) FROM notification; SELECT count(*) FROM event;") == ["20", "60"])
    }

    @Test func `a device that was unloaded has the notifications indexed, and the index stays`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: 0)
        try store.run(devices(0..<5, "same"))
        #expect(try store.indexes().isEmpty)
        #expect(try store.run(devices(3..<4, "same")) == [Delivery(outcome: .replaced, replaces: 4)])
        #expect(try store.indexes() == [.notifications])
        try store.run(devices(4..<9, "same"))
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
        #expect(
            try folder.sqlite3(
                sql: "SELECT count(*) FROM notification INDEXED BY notification_by_center WHERE center > 0;")
                == ["9"])
    }

    @Test func `a later run builds the index at the first device that it meets again`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run(devices(0..<5, "same"))
        let store = try SQLiteStore(path: folder())
        try store.run(devices(5..<8, "same"))
        #expect(try store.indexes().isEmpty)
        #expect(try store.run(devices(0..<1, "same")) == [Delivery(outcome: .replaced, replaces: 1)])
        #expect(try store.indexes() == [.notifications])
    }

    /// Centers that an import creates are in the file before their notifications.
    @Test func `an import into a new store builds no index`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.importing { importer in
            for number in 0..<3 { try importer.addScreen(device: "d\(number)", app: "a", badge: nil) }
            for number in 0..<3 {
                let content = ShownContent(title: nil, subtitle: nil, body: "b", thread: nil, badge: nil)
                try importer.add(
                    DeliveredNotification(
                        seq: UInt64(number + 1), device: "d\(number)", app: "a", identifier: "same", content: content,
                        deliveredAt: 0, payload: "{}"))
            }
        }
        #expect(try store.indexes().isEmpty)
        #expect(try store.lines() == ["same: b", "same: b", "same: b"])
    }

    @Test func `a store with indexes from the start is used and kept in order`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.buildIndexes()
        let memory = MemoryStore()
        for chunk in RandomPush.chunks(RandomPush.stream(seed: 51, count: 400), seed: 51, atMost: 30) {
            let records = chunk.map(\.record)
            let expected = try memory.run(records, replacementKey: "story")
            try #require(try store.run(records, replacementKey: "story") == expected)
        }
        #expect(try store.indexes() == [.notifications, .events])
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
        #expect(try store.notifications() == memory.notifications())
    }

    // MARK: - Interruptions

    @Test func `an index that an interrupted transaction built is not there, and is built again`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run(devices(0..<5, "same"))
        let store = try SQLiteStore(path: folder())
        #expect(throws: Interruption.self) {
            try store.transaction(replacing: nil) { session in
                try session.deliverAll(devices(0..<2, "same"))
                throw Interruption()
            }
        }
        #expect(try store.indexes().isEmpty)
        #expect(try store.run(devices(0..<1, "same")) == [Delivery(outcome: .replaced, replaces: 1)])
        #expect(try store.indexes() == [.notifications])
    }

    @Test func `a process that is killed after building an index leaves the store as it was`() async throws {
        let folder = try TemporaryFolder()
        let path: String = folder()
        try SQLiteStore(path: path).run(devices(0..<5, "same"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try SQLiteStore(path: path)
            try store.transaction(replacing: nil) { session in
                try session.deliverAll([apns(device: "d1", collapseID: "same")])
                kill(getpid(), SIGKILL)
            }
        }
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
        let store = try SQLiteStore(path: path)
        #expect(try store.indexes().isEmpty)
        #expect(try store.notifications().map(\.seq) == [1, 2, 3, 4, 5])
        #expect(try store.run(devices(1..<2, "same")) == [Delivery(outcome: .replaced, replaces: 2)])
    }

    // MARK: - Reading

    @Test(arguments: [61, 62] as [UInt64])
    func `a store without indexes reads the same as one with them`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        for chunk in RandomPush.chunks(RandomPush.stream(seed: seed, count: 500), seed: seed, atMost: 50) {
            try store.run(chunk.map(\.record), replacementKey: "story")
        }
        try store.buildIndexes()
        let indexed = try Contents(of: SQLiteStore(path: folder(), access: .readOnly))
        _ = try folder.sqlite3(sql: Self.drop)
        let reader = try SQLiteStore(path: folder(), access: .readOnly)
        #expect(try reader.indexes().isEmpty)
        #expect(try Contents(of: reader) == indexed)
        #expect(indexed.screens.count > 3)
    }

    @Test func `pruning builds both indexes, and prunes the same`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run((0..<30).map { apns(device: "d\($0 % 3)", body: "\($0)") })
        #expect(try store.prune(Pruning(keep: 2)).notifications == 24)
        #expect(try store.indexes() == [.notifications, .events])
        #expect(try store.notifications().map(\.seq) == [25, 26, 27, 28, 29, 30])
    }

    /// A store with more notifications than are read through without an index.
    private func large() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run([apns(device: "d1")])
        _ = try folder.sqlite3(
            sql: """
                WITH RECURSIVE number(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
                INSERT INTO notification (id, center, seq, delivered_at, payload) SELECT n, 1, n, 0, '{}' FROM number;
                """)
        return folder
    }

    @Test func `reading a large store by device builds its index once`() throws {
        let folder = try large()
        let store = try SQLiteStore.openByDevice(path: folder())
        #expect(try store.indexes() == [.notifications, .events])
        #expect(try store.notifications(device: "d1").count == 20000)
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
    }

    /// The first page does not wait for the index, and has the same numbers with it.
    @Test func `a large store is followed at once, and its index is built later`() throws {
        let folder = try large()
        try SQLiteStore(path: folder()).run([apns(device: "d2", badge: 4), apns(device: "d3")])
        var wanted: [String] = []
        let store = try SQLiteStore(following: folder()) { wanted.append($0) }
        let version = try store.version()
        let apps = try store.apps(matching: nil, offset: 0, limit: 10)
        #expect(apps.map(\.count) == [20000, 1, 1])
        #expect(apps.map(\.badge) == [nil, 4, nil])
        let parts = try [
            store.apps(matching: "D2", offset: 0, limit: 10), store.apps(matching: nil, offset: 1, limit: 1),
            store.apps(on: "d1"), store.apps(on: "nobody"),
        ]
        #expect(parts.map { $0.map(\.device) } == [["d2"], ["d2"], ["d1"], []])
        #expect(wanted.isEmpty)
        for _ in 1..<SQLiteStore.turnsBeforeIndexes { #expect(try store.version() == version) }
        #expect(wanted == [folder()])
        // Somebody may have been writing, so it tries again while they are missing.
        for _ in 0..<SQLiteStore.turnsBeforeIndexes { #expect(try store.version() == version) }
        #expect(wanted.count == 2)
        #expect(try SQLiteStore(path: folder(), access: .readOnly).indexes().isEmpty)
        _ = try SQLiteStore.openByDevice(path: folder())
        #expect(try store.version() != version)
        for _ in 0..<2 * SQLiteStore.turnsBeforeIndexes { _ = try store.version() }
        #expect(wanted.count == 2)
        #expect(try store.apps(matching: nil, offset: 0, limit: 10) == apps)
        #expect(
            try [
                store.apps(matching: "D2", offset: 0, limit: 10), store.apps(matching: nil, offset: 1, limit: 1),
                store.apps(on: "d1"), store.apps(on: "nobody"),
            ] == parts)
    }

    @Test func `reading a small store by device changes nothing`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run(devices(0..<5))
        #expect(try SQLiteStore.openByDevice(path: folder()).indexes().isEmpty)
    }

    @Test func `a large store that somebody writes to is read without an index, and without waiting`() throws {
        let folder = try large()
        let writer = try SQLiteStore(path: folder())
        try writer.transaction(replacing: nil) { _ in
            let store = try SQLiteStore.openByDevice(path: folder())
            #expect(try store.indexes().isEmpty)
            #expect(try store.notifications(device: "d1").count == 20000)
        }
    }

    @Test(.enabled(if: getuid() != 0, "root may write every file"))
    func `a large store that may not be written is read without an index`() throws {
        let folder = try large()
        #expect(chmod(folder(), 0o400) == 0)
        #expect(try SQLiteStore.openByDevice(path: folder()).indexes().isEmpty)
    }
}

/// Everything that can be read by device or app.
private struct Contents: Equatable {
    var byDevice: [[DeliveredNotification]] = []
    var byApp: [[DeliveredNotification]] = []
    var screens: [[DeliveredNotification]] = []
    var someScreens: [[DeliveredNotification]] = []
    var events: [[JournalEntry]] = []
    var summaries: [CenterSummary] = []

    init(of store: SQLiteStore) throws {
        try store.forEachCenter { summaries.append($0) }
        for device in Set(summaries.map(\.device)).sorted() {
            byDevice.append(try store.notifications(device: device))
            events.append(try store.events(device: device))
            try store.forEachScreen(device: device, app: nil) { someScreens.append($0) }
        }
        for app in Set(summaries.map(\.app)).sorted() {
            byApp.append(try store.notifications(app: app))
            try store.forEachScreen(device: nil, app: app) { someScreens.append($0) }
        }
        try store.forEachScreen(device: nil, app: nil) { screens.append($0) }
    }
}
