import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

/// `MemoryStore` and `SQLiteStore` keep the same state, however a stream is split into transactions and runs.
struct SameBehaviorTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a stream gives the same deliveries, notifications and events in memory and in a file`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let memory = MemoryStore()
        let file = try SQLiteStore(path: folder())
        let stream = RandomPush.stream(seed: seed, count: 1500)
        for chunk in RandomPush.chunks(stream, seed: seed, atMost: 60) {
            let records = chunk.map(\.record)
            let expected = try memory.run(records, replacementKey: "story")
            try #require(try file.run(records, replacementKey: "story") == expected)
        }
        try expectSame(memory, file)
        #expect(try memory.events().count > 1000)
    }

    @Test(arguments: [4, 5] as [UInt64])
    func `a store that is opened again and again goes on as if it had never been closed`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let memory = MemoryStore()
        let stream = RandomPush.stream(seed: seed, count: 600)
        for chunk in RandomPush.chunks(stream, seed: seed, atMost: 50) {
            let file = try SQLiteStore(path: folder())
            let records = chunk.map(\.record)
            let expected = try memory.run(records, replacementKey: "story")
            try #require(try file.run(records, replacementKey: "story") == expected)
        }
        try expectSame(memory, try SQLiteStore(path: folder(), access: .readOnly))
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check; PRAGMA foreign_key_check;") == ["'ok'"])
    }

    /// The custom id of a shown notification is read with the key of the run that looks for it.
    @Test(arguments: [true, false])
    func `a run may replace by another key than the run before`(isReopened: Bool) throws {
        let folder = try TemporaryFolder()
        var model = NaiveScreens()
        var file = try SQLiteStore(path: folder())
        let stream = RandomPush.stream(seed: 6, count: 1000)
        var reposted = 0
        for (number, chunk) in RandomPush.chunks(stream, seed: 6, atMost: 40).enumerated() {
            let key = [nil, "story", "match", "story", "none"][number % 5]
            if isReopened { file = try SQLiteStore(path: folder()) }
            let expected = model.run(chunk, replacementKey: key)
            try #require(try file.run(chunk.map(\.record), replacementKey: key) == expected, "chunk \(number)")
            reposted += expected.count { $0.outcome == .reposted }
        }
        let lines = try file.notifications().map { "\($0.seq) \($0.device)/\($0.app) \($0.identifier)" }
        #expect(lines == model.lines)
        #expect(reposted > 20)
    }

    @Test func `several targets of one record keep their identifiers when the store is opened again`() throws {
        let folder = try TemporaryFolder()
        let record = #"{"registration_ids":["t0","t1","t0"],"notification":{"body":"b"}}"#
        try SQLiteStore(path: folder()).run([record])
        let store = try SQLiteStore(path: folder())
        #expect(try store.notifications().map(\.identifier) == ["push-1.0", "push-1.1", "push-1.2"])
        let tag = #"{"to":"t0","notification":{"body":"new","tag":"push-1.2"}}"#
        #expect(try store.run([tag]) == [Delivery(outcome: .replaced, replaces: 1)])
        #expect(try store.lines() == ["push-1.0: b", "push-1.1: b", "push-1.2: new"])
    }

    /// An Android request has no `userInfo` for an extension to read.
    @Test func `an Android notification has no custom id, neither before nor after the store is opened again`() throws {
        let android = #"{"to":"ab","story":"s","restricted_package_name":"c","notification":{"body":"b"}}"#
        let ios = apns(device: "ab", app: "c", ids: ["story": "s"], isMutable: true)
        let memory = MemoryStore()
        #expect(try memory.run([android, ios], replacementKey: "story").map(\.outcome) == [.delivered, .delivered])

        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run([android], replacementKey: "story")
        let store = try SQLiteStore(path: folder())
        #expect(try store.run([ios], replacementKey: "story") == [Delivery(outcome: .delivered)])
        #expect(try store.lines() == ["push-1: b", "push-2: Text"])
    }

    /// GCM's legacy request has no `android` member, so its contents are not shown.
    @Test func `an unknown member of a GCM request changes nothing in either store`() throws {
        let record = #"{"to":"t","notification":{"title":"A"},"android":{"notification":{"title":"B"}}}"#
        let folder = try TemporaryFolder()
        for store: any DeliveryStore in [MemoryStore(), try SQLiteStore(path: folder())] {
            try store.run([record])
            #expect(try store.notifications().map(\.content.title) == ["A"], "\(type(of: store))")
        }
    }

    @Test func `a device and an app can be asked for by themselves`() throws {
        let folder = try TemporaryFolder()
        for store: any DeliveryStore in [MemoryStore(), try SQLiteStore(path: folder())] {
            let places = [("ab", "c"), ("a", "bc"), ("ab", "d"), ("x", "c"), ("it's", "c")]
            try store.run(places.map { apns(device: $0.0, app: $0.1) })
            #expect(try store.notifications(device: "ab").map(\.seq) == [1, 3])
            #expect(try store.notifications(app: "c").map(\.seq) == [1, 4, 5])
            #expect(try store.notifications(device: "ab", app: "d").map(\.seq) == [3])
            #expect(try store.notifications(device: "it's").map(\.seq) == [5])
            #expect(try store.notifications(device: "b").isEmpty)
            #expect(try store.events(device: "ab").map(\.seq) == [1, 3])
            #expect(try store.events(device: "b").isEmpty)
        }
    }

    @Test func `a memory store without a journal keeps the screens all the same`() throws {
        let store = MemoryStore(keepsJournal: false)
        try store.run([apns(collapseID: "c"), apns(collapseID: "c", body: "2")])
        #expect(try store.events().isEmpty)
        #expect(try store.lines() == ["c: 2"])
    }

    @Test func `what a memory store delivered before it was interrupted stays`() throws {
        let store = MemoryStore()
        #expect(throws: Interruption.self) {
            try store.transaction(replacing: nil) { session in
                try session.deliverAll([apns()])
                throw Interruption()
            }
        }
        #expect(try store.lines() == ["push-1: Text"])
    }

    private func expectSame(_ memory: MemoryStore, _ file: SQLiteStore) throws {
        #expect(try file.notifications() == memory.notifications())
        #expect(try file.events() == memory.events())
        for device in ["ab", "dd"] {
            #expect(try file.notifications(device: device) == memory.notifications(device: device))
            #expect(try file.events(device: device) == memory.events(device: device))
        }
        try file.forEachCenter { center in
            #expect(center.badge == memory.badge(device: center.device, app: center.app))
            let shown = try memory.notifications(device: center.device, app: center.app)
            #expect(center.count == shown.count)
            #expect(center.latest == shown.last?.deliveredAt)
        }
    }
}
