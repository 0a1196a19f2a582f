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

struct TransactionTests {
    @Test func `a transaction that throws keeps nothing, and later deliveries are right`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run(
            [apns(collapseID: "a", body: "1", badge: 1), apns(body: "2", ids: ["story": "s"])], replacementKey: "story")
        let before = (try store.notifications(), try store.events())

        #expect(throws: Interruption.self) {
            try store.transaction(replacing: ReplacementRule(key: "story")) { session in
                let records = [
                    apns(collapseID: "a", body: "lost", badge: 9),
                    apns(body: "lost", ids: ["story": "s"], isMutable: true),
                    apns(device: "new", collapseID: "a", body: "lost"), apns(collapseID: "b", body: "lost"),
                ]
                let deliveries = try session.deliverAll(records, replacing: ReplacementRule(key: "story"))
                #expect(deliveries.map(\.outcome) == [.replaced, .reposted, .delivered, .delivered])
                throw Interruption()
            }
        }
        #expect(try store.notifications() == before.0)
        #expect(try store.events() == before.1)
        #expect(try folder.sqlite3(sql: "SELECT badge FROM badges;") == ["1"])
        #expect(try folder.sqlite3(sql: "SELECT device FROM center;") == ["'ab'"])
        #expect(try folder.sqlite3(sql: "SELECT last_sequence FROM progress;") == ["2"])

        let deliveries = try store.run(
            [
                apns(collapseID: "b", body: "3"), apns(collapseID: "a", body: "4"),
                apns(body: "5", ids: ["story": "s"], isMutable: true), apns(device: "new", collapseID: "a", body: "6"),
            ], replacementKey: "story")
        #expect(
            deliveries == [
                Delivery(outcome: .delivered), Delivery(outcome: .replaced, replaces: 1),
                Delivery(outcome: .reposted, replaces: 2), Delivery(outcome: .delivered),
            ])
        #expect(try store.lines() == ["b: 3", "a: 4", "push-5: 5", "a: 6"])
    }

    @Test func `devices can be asked for while another process writes`() throws {
        let folder = try TemporaryFolder()
        let writer = try SQLiteStore(path: folder())
        let reader = try SQLiteStore(path: folder())
        reader.patience = 0
        func apply(_ event: DeviceEvent) throws {
            try writer.transaction(replacing: nil) { _ = try $0.registry.apply(event, at: 5) { _ in [] } }
        }
        func known() throws -> [KnownToken?] {
            var known: [KnownToken?] = []
            try writer.transaction(replacing: nil) { _ in
                try reader.readRegistry(replacing: nil) { registry in
                    known = try ["ab12", "cd34"].map { try registry.knownToken($0) }
                }
            }
            return known
        }
        try apply(DeviceEvent(.device, device: "ab12", app: "a"))
        #expect(try known().map { $0?.app } == ["a", nil])
        // What was loaded does not hide what is written later.
        var event = DeviceEvent(.device, device: "ab12", app: "a")
        event.unregisteredAt = 3
        try apply(event)
        try apply(DeviceEvent(.device, device: "cd34", app: "b"))
        #expect(try known().map { $0?.app } == ["a", "b"])
        #expect(try known().first??.unregisteredAt == 3)
    }

    @Test func `a store in memory lists the dead tokens that a file lists`() throws {
        let folder = try TemporaryFolder()
        let stores: [any DeliveryStore] = [MemoryStore(), try SQLiteStore(path: folder())]
        let lists = try stores.map { store in
            var dead = DeviceEvent(.device, device: "ab12", app: "a")
            (dead.unregisteredAt, dead.platform) = (3000, .android)
            var replaced = DeviceEvent(.device, device: "cd34", app: "b")
            replaced.settings.canonical = "ef56"
            try store.transaction(replacing: nil) { transaction in
                for event in [dead, replaced, DeviceEvent(.device, device: "0102", app: "a")] {
                    _ = try transaction.registry.apply(event, at: 5) { _ in [] }
                }
            }
            var list: [DeadToken] = []
            try store.forEachDeadToken(since: .min) { list.append($0) }
            return list
        }
        #expect(lists[0] == lists[1])
        #expect(lists[0].map(\.device) == ["ab12", "cd34"])
        #expect(lists[0].first?.platform == .android)
    }

    @Test func `a stream with interrupted transactions in it is the same as one without`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let memory = MemoryStore()
        for chunk in RandomPush.chunks(RandomPush.stream(seed: 21, count: 800), seed: 21, atMost: 30) {
            let records = chunk.map(\.record)
            #expect(throws: Interruption.self) {
                try store.transaction(replacing: ReplacementRule(key: "story")) { session in
                    try session.deliverAll(records.reversed(), replacing: ReplacementRule(key: "story"))
                    throw Interruption()
                }
            }
            let expected = try memory.run(records, replacementKey: "story")
            try #require(try store.run(records, replacementKey: "story") == expected)
        }
        #expect(try store.notifications() == memory.notifications())
        #expect(try store.events() == memory.events())
    }

    @Test func `the number of the last record goes on in the next run`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run([apns(), apns(), apns(body: nil)])
        let store = try SQLiteStore(path: folder())
        #expect(try store.lastSequence == 3)
        // A record that delivers nothing also counts.
        try store.transaction(replacing: nil) { $0.progress.lastSequence = 41 }
        let next = try SQLiteStore(path: folder())
        #expect(try next.lastSequence == 41)
        try next.run([apns()])
        #expect(try next.notifications().map(\.identifier) == ["push-1", "push-2", "push-42"])
        #expect(try store.lastSequence == 42)
    }

    @Test func `a transaction knows when the last delivery was, as far as anything is left of it`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        func latest(_ store: SQLiteStore) throws -> Int64? {
            var time: Int64?
            try store.transaction(replacing: nil) { time = $0.progress.latestTime }
            return time
        }
        #expect(try latest(store) == nil)
        try store.run([apns(), apns()])
        #expect(try latest(SQLiteStore(path: folder())) == 2000)
        // Another process delivered later notifications, and deleted all or some of them.
        _ = try folder.sqlite3(sql: "UPDATE event SET at = 7000 WHERE seq = 2;")
        #expect(try latest(store) == 7000)
        _ = try folder.sqlite3(sql: "DELETE FROM event;")
        #expect(try latest(store) == 2000)
        _ = try folder.sqlite3(sql: "DELETE FROM notification;")
        #expect(try latest(store) == nil)
    }

    /// A file size limit that the log reaches within a transaction, with room left for a small statement after a large
    /// one.
    @Test func `nothing is written after a statement that failed`() async throws {
        let folder = try TemporaryFolder()
        let path: String = folder()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try SQLiteStore(path: path, access: .readWrite, sizes: StoreSizes(memoryBytes: 0))
            try store.run([apns()])
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(fileSizeLimit, &limit)
            limit.rlim_cur = 4 << 20  // 4 MiB
            setrlimit(fileSizeLimit, &limit)
            // More than the cache of 16 MiB, so that SQLite writes before the commit and ends the transaction when it
            // cannot.
            let long = String(repeating: "x", count: 1 << 20)
            let error = #expect(throws: StoreError.self) { try store.run((0..<40).map { _ in apns(body: long) }) }
            #expect(error?.code == .full)
        }
        #expect(try folder.sqlite3(sql: "SELECT seq FROM event;") == ["1"])
        #expect(try folder.sqlite3(sql: "SELECT seq FROM notification;") == ["1"])
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
    }

    @Test func `what another connection commits in between is noticed`() throws {
        let folder = try TemporaryFolder()
        let stores = [try SQLiteStore(path: folder()), try SQLiteStore(path: folder())]
        let memory = MemoryStore()
        var generator = SeededGenerator(seed: 31)
        for chunk in RandomPush.chunks(RandomPush.stream(seed: 31, count: 800), seed: 31, atMost: 30) {
            let records = chunk.map(\.record)
            let expected = try memory.run(records, replacementKey: "story")
            try #require(try generator.pick(stores).run(records, replacementKey: "story") == expected)
        }
        for store in stores {
            #expect(try store.notifications() == memory.notifications())
            #expect(try store.events() == memory.events())
        }
    }

    @Test func `what another program takes off the screen is noticed`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "a"), apns(collapseID: "b")])
        _ = try folder.sqlite3(sql: "DELETE FROM notification WHERE seq = 1;")
        let deliveries = try store.run([apns(collapseID: "a"), apns(collapseID: "b")])
        #expect(deliveries == [Delivery(outcome: .delivered), Delivery(outcome: .replaced, replaces: 2)])
    }

    @Test func `a reader sees what is committed, and nothing of the transaction under way`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "a", body: "1")])
        try store.transaction(replacing: nil) { session in
            try session.deliverAll([apns(collapseID: "a", body: "2")])
            #expect(try SQLiteStore(path: folder(), access: .readOnly).lines() == ["a: 1"])
            #expect(try folder.sqlite3(sql: "SELECT body FROM on_screen;") == ["'1'"])
        }
        #expect(try folder.sqlite3(sql: "SELECT body FROM on_screen;") == ["'2'"])
    }

    @Test func `what was committed survives the end of the process`() async throws {
        let folder = try TemporaryFolder()
        let path: String = folder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try SQLiteStore(path: path)
            try store.run([apns(collapseID: "a", body: "1"), apns(collapseID: "b", body: "2")])
            try store.transaction(replacing: nil) { session in
                try session.deliverAll([apns(collapseID: "a", body: "lost")])
                kill(getpid(), SIGKILL)
            }
        }
        let store = try SQLiteStore(path: path)
        #expect(try store.lines() == ["a: 1", "b: 2"])
        #expect(try store.run([apns(collapseID: "a")]) == [Delivery(outcome: .replaced, replaces: 1)])
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
    }

    /// A file size limit stands in for a full disk.
    @Test func `a disk that is full loses the transaction alone`() async throws {
        let folder = try TemporaryFolder()
        let path: String = folder()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try SQLiteStore(path: path)
            try store.run([apns(collapseID: "a", body: "1"), apns(collapseID: "b", body: "2")])

            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(fileSizeLimit, &limit)
            let unlimited = limit
            limit.rlim_cur = 256 * 1024  // 256 KiB
            setrlimit(fileSizeLimit, &limit)
            let long = String(repeating: "x", count: 3000)
            let error = #expect(throws: StoreError.self) {
                try store.run((0..<2000).map { apns(collapseID: $0 == 0 ? "a" : nil, body: long) })
            }
            #expect(error?.code == .full)
            #expect(try store.lines() == ["a: 1", "b: 2"])

            limit = unlimited
            setrlimit(fileSizeLimit, &limit)
            #expect(try store.run([apns(collapseID: "a", body: "3")]) == [Delivery(outcome: .replaced, replaces: 1)])
            #expect(try store.lines() == ["b: 2", "a: 3"])
        }
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
        #expect(try folder.sqlite3(sql: "SELECT seq FROM events;") == ["1", "2", "3"])
    }
}

#if canImport(Glibc)
    private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
    private let fileSizeLimit = RLIMIT_FSIZE
#endif
