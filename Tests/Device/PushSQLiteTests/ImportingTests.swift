import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

struct ImportingTests {
    /// Copies everything from one store into another.
    private func copy(_ source: SQLiteStore, to target: SQLiteStore) throws {
        try target.importing { importer in
            importer.continueNumbers(after: try source.lastSequence)
            try source.atOneMoment {
                try source.forEachBadge { device, app, badge in
                    try importer.addScreen(device: device, app: app, badge: badge)
                }
                try source.forEachNotification(device: nil, app: nil) { try importer.add($0) }
                try source.forEachEvent(device: nil) { try importer.add($0) }
            }
        }
    }

    private static let views = ["on_screen", "events", "badges", "extension_changes", "progress", "center"]

    private func contents(_ folder: TemporaryFolder, _ name: String) throws -> [String] {
        try folder.sqlite3(name, sql: Self.views.map { "SELECT * FROM \($0);" }.joined(separator: "\n"))
    }

    private static let requests = [
        #"{"registration_ids":["t0","t1","t0"],"notification":{"body":"b"}}"#,
        #"{"registration_ids":["t0","t1"],"notification":{"body":"b","tag":"g"}}"#,
        #"{"message":{"token":"t0","notification":{"title":"v1"}}}"#,
    ]

    @Test(arguments: [61, 62] as [UInt64])
    func `an imported store is the same, and goes on the same`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteStore(path: folder("first.db"))
        let stream = RandomPush.chunks(RandomPush.stream(seed: seed, count: 1200), seed: seed, atMost: 60)
        for chunk in stream.prefix(stream.count / 2) {
            try first.run(chunk.map(\.record) + Self.requests, replacementKey: "story")
        }
        let second = try SQLiteStore(path: folder("second.db"))
        try copy(first, to: second)
        #expect(try contents(folder, "second.db") == contents(folder, "first.db"))
        for chunk in stream.suffix(stream.count / 2) {
            let records = chunk.map(\.record) + Self.requests
            let expected = try first.run(records, replacementKey: "story")
            try #require(try second.run(records, replacementKey: "story") == expected)
        }
        #expect(try contents(folder, "second.db") == contents(folder, "first.db"))
        #expect(try folder.sqlite3("second.db", sql: "PRAGMA integrity_check;") == ["'ok'"])
    }

    /// More rows than between two checks of how much is in memory.
    @Test func `what was let go during an import is found again`() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteStore(path: folder("first.db"))
        try first.run((0..<3000).map { apns(device: "d\($0 % 700)", collapseID: $0 % 3 == 0 ? "c\($0)" : nil) })
        let second = try SQLiteStore(path: folder("second.db"), access: .readWrite, maximumLoaded: 5)
        try copy(first, to: second)
        try copy(first, to: second)
        #expect(try second.notifications() == first.notifications())
    }

    @Test func `what is imported into a store becomes the newest, and takes the place of what has its identifier`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([
            apns(collapseID: "a", body: "old", badge: 1), apns(body: "second"), apns(body: "third", badge: 5),
        ])
        try store.importing { importer in
            try importer.addScreen(device: "ab", app: "org.example.news", badge: nil)
            for (seq, identifier) in [(9, "a"), (2, "push-2"), (4, "push-4")] as [(UInt64, String)] {
                try importer.add(
                    DeliveredNotification(
                        seq: seq, device: "ab", app: "org.example.news", identifier: identifier,
                        content: ShownContent(body: "imported"), deliveredAt: 7, payload: "{}"))
            }
        }
        #expect(
            try store.lines() == ["push-3: third", "a: imported", "push-2: imported", "push-4: imported"])
        #expect(try folder.sqlite3(sql: "SELECT badge FROM badges;") == ["5"])
        #expect(try store.lastSequence == 9)
        #expect(try store.run([apns(collapseID: "push-4")]) == [Delivery(outcome: .replaced, replaces: 4)])
    }

    @Test func `an import that throws leaves nothing`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "a", body: "old")])
        let before = try contents(folder, "store.db")
        let imported = try store.notifications()
        #expect(throws: Interruption.self) {
            try store.importing { importer in
                importer.continueNumbers(after: 70)
                try importer.addScreen(device: "new", app: "", badge: 3)
                for notification in imported { try importer.add(notification) }
                throw Interruption()
            }
        }
        #expect(try contents(folder, "store.db") == before)
        #expect(try store.run([apns(collapseID: "a")]) == [Delivery(outcome: .replaced, replaces: 1)])
    }

    /// A generated identifier follows from its number, so its text need not be stored.
    @Test(arguments: [
        ("push-5", "NULL,NULL"), ("push-5.0", "NULL,0"), ("push-5.12", "NULL,12"), ("push-5.", "'push-5.',NULL"),
        ("push-5.01", "'push-5.01',NULL"), ("push-5.-1", "'push-5.-1',NULL"), ("push-5.+1", "'push-5.+1',NULL"),
        ("push-51", "'push-51',NULL"), ("push-6", "'push-6',NULL"), ("push-05", "'push-05',NULL"),
        ("push-5.99999999999", "'push-5.99999999999',NULL"), ("", "'',NULL"), ("push-5\u{0}", "'push-5'"),
    ])
    func `an identifier is kept as it is, generated or chosen`(identifier: String, columns: String) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.importing { importer in
            try importer.add(
                DeliveredNotification(
                    seq: 5, device: "d", app: "", identifier: identifier, content: ShownContent(), deliveredAt: 0,
                    payload: "{}"))
        }
        #expect(try store.notifications().map(\.identifier) == [identifier])
        guard !identifier.contains("\u{0}") else { return }
        #expect(try folder.sqlite3(sql: "SELECT chosen_identifier, target FROM notification;") == [columns])
    }
}
