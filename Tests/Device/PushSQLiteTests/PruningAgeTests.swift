import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

struct PruningAgeTests {
    private static let day: Int64 = 86_400_000
    /// 2026-11-03T00:00:00Z.
    private static let now: Int64 = 1_793_664_000_000

    @Test(
        arguments: [
            ("90s", 90_000), ("45m", 2_700_000), ("12h", 43_200_000), ("30d", 2_592_000_000), ("8w", 4_838_400_000),
            ("0s", 0), ("36h", 129_600_000), ("86399s", 86_399_000), ("1440m", 86_400_000),
            ("4294967295w", 2_597_596_220_016_000_000),
        ] as [(String, Int64)])
    func `an age is a number and a unit`(text: String, milliseconds: Int64) {
        #expect(PruningAge.time(text, before: Self.now) == Self.now - milliseconds)
    }

    @Test(arguments: ["", "30", "30y", "d", "-3d", "99999999999w", "yesterday", "1.5d", "1 d", "2026-11-02T00:00:00Z"])
    func `other texts are not`(text: String) { #expect(PruningAge.time(text, before: Self.now) == nil) }

    /// Three notifications of one app, a day apart each, and one of another app on another device on the first day.
    private func filled(_ folder: TemporaryFolder) throws -> SQLiteStore {
        let store = try SQLiteStore(path: folder())
        let days = [
            [apns(device: "ab54", body: "one"), apns(device: "cd", body: "other")], [apns(device: "ab54", body: "two")],
            [apns(device: "ab54", collapseID: "c", body: "three")],
        ]
        for (index, records) in days.enumerated() {
            try store.transaction(replacing: nil) { session in
                for record in records { try session.deliver(record, at: Self.now - Int64(2 - index) * Self.day) }
            }
        }
        return store
    }

    @Test(
        arguments: [
            ("36h", nil, nil, nil, ["two", "three"]), ("1d", nil, nil, nil, ["two", "three"]),
            ("86399s", nil, nil, nil, ["three"]), ("1440m", nil, nil, nil, ["two", "three"]),
            ("1w", nil, nil, nil, ["one", "other", "two", "three"]),
            (nil, 1, nil, nil, ["other", "three"]), (nil, 0, nil, nil, []),
            (nil, 3, nil, nil, ["one", "other", "two", "three"]), ("2d", 2, nil, nil, ["other", "two", "three"]),
            ("1d", 2, nil, nil, ["two", "three"]), (nil, 0, "cd", nil, ["one", "two", "three"]),
            (nil, 1, "ab54", "org.example.news", ["other", "three"]),
            (nil, 0, nil, "org.example", ["one", "other", "two", "three"]),
        ] as [(String?, Int?, String?, String?, [String])])
    func `notifications go by age and by number`(
        age: String?, keep: Int?, device: String?, app: String?, rest: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let store = try filled(folder)
        let before = try age.map { try #require(PruningAge.time($0, before: Self.now)) }
        let pruning = Pruning(before: before, keep: keep, device: device, app: app)
        #expect(try store.rehearse(pruning).notifications == 4 - rest.count)
        #expect(try store.notifications().count == 4)
        #expect(try store.prune(pruning).notifications == 4 - rest.count)
        #expect(try store.notifications().map(\.content.body) == rest)
        #expect(try store.events().count == 4)
    }

    @Test func `the journal is pruned on request, and then apps without any data`() throws {
        let folder = try TemporaryFolder()
        let store = try filled(folder)
        let summary = try store.prune(Pruning(before: Self.now - Self.day, includesEvents: true))
        #expect((summary.notifications, summary.events) == (2, 2))
        #expect(try store.events().map(\.seq) == [3, 4])
        var devices: [String] = []
        try store.forEachCenter { devices.append($0.device) }
        #expect(devices == ["ab54"])
        // Numbers go on, and what is there is still replaced.
        let deliveries = try store.run([apns(device: "ab54", collapseID: "c", body: "four")])
        #expect(deliveries.map(\.replaces) == [4])
        #expect(try store.lastSequence == 5)
    }
}
