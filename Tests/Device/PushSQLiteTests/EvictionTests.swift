import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

struct EvictionTests {
    /// Only what the current transaction uses is in memory, so that every replacement goes through the file.
    @Test(arguments: [0, 5, 50])
    func `what was let go is found in the file again`(maximumLoaded: Int) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: maximumLoaded)
        let memory = MemoryStore()
        for chunk in RandomPush.chunks(RandomPush.stream(seed: 41, count: 1000), seed: 41, atMost: 20) {
            let records = chunk.map(\.record)
            let expected = try memory.run(records, replacementKey: "story")
            try #require(try store.run(records, replacementKey: "story") == expected)
        }
        #expect(try store.notifications() == memory.notifications())
        #expect(try store.events() == memory.events())
        #expect(try store.lastSequence == 1000)
    }

    /// Memory is bounded whatever the number of devices: only a transaction's own may be on top of the limit.
    @Test(arguments: [#""badge":7"#, #""alert":"Hi""#, #""alert":"Hi","badge":7"#])
    func `however many devices are pushed to, as much is at hand`(aps: String) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: 100)
        var most = 0
        for chunk in 0..<50 {
            try store.run(
                (0..<20).map { number in
                    #"{"device":"d\#(chunk)-\#(number)","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{\#(aps)}}}"#
                })
            most = max(most, store.loadedCount)
        }
        // An app, and its notification.
        #expect(most > 100)
        #expect(most <= 100 + 2 * 20)
    }

    /// However many of its notifications a push needs: a device is let go whole, and loaded whole.
    @Test func `a device is loaded whole when it is touched`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: 0)
        let memory = MemoryStore()
        func run(_ records: [String]) throws {
            let expected = try memory.run(records)
            #expect(try store.run(records) == expected)
        }
        try run([apns(), apns(app: "org.example.other"), apns(device: "other")])
        #expect(try store.indexes().isEmpty)
        try run([apns(badge: 3), apns(body: nil, badge: 4)])
        // Two apps and three notifications, and nothing of the other device.
        #expect(store.loadedCount == 5)
        #expect(try store.indexes() == [.notifications])
        try run([apns(collapseID: "a"), apns(), apns(collapseID: "a")])
        try run([apns(), apns(collapseID: "a")])
        try run([apns(badge: 0)])
        #expect(try store.notifications() == memory.notifications())
        #expect(try store.events() == memory.events())
    }

    @Test func `an Android app is full although its notifications were let go`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: 0)
        let memory = MemoryStore()
        let push = #"{"message":{"token":"a:APA91b","notification":{"title":"x"}}}"#
        func run(_ records: [String]) throws -> [Delivery] {
            let expected = try memory.run(records)
            let deliveries = try store.run(records)
            #expect(deliveries == expected)
            return deliveries
        }
        for _ in 0..<24 { _ = try run([push, push]) }
        #expect(try run([push, push, push]).map(\.outcome) == [.delivered, .delivered, .suppressed])
        #expect(try run([push]).map(\.outcome) == [.suppressed])
        #expect(try store.notifications() == memory.notifications())
        #expect(try store.events() == memory.events())
    }

    @Test func `an identifier that a sender chose like a generated one is replaced by that`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: 0)
        let memory = MemoryStore()
        for number in 1..<10 {
            let record = number == 2 ? apns(collapseID: "push-7") : apns()
            let expected = try memory.run([record])
            #expect(try store.run([record]) == expected)
        }
        #expect(try store.notifications() == memory.notifications())
        #expect(try store.notifications().count == 8)
    }

    /// Other stores keep more if each of two transactions in a row needs it.
    @Test func `a process that keeps little keeps no more than its limit, whatever its transactions need`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: 4)
        try store.keepLittle()
        for chunk in 0..<5 {
            try store.run((0..<20).map { apns(device: "d\(chunk)-\($0)") })
            // An app, and its notification.
            #expect(store.loadedCount == 2 * 20)
        }
    }
}
