import PushDecoding
import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

/// What the plain `sqlite3` tool shows, without this package.
struct ViewTests {
    @Test(arguments: [
        ("on_screen", "seq device app identifier title subtitle body thread badge delivered_at payload"),
        ("events", "seq at device app kind identifier"),
        (
            "live_activities",
            "device app identifier state attributes_type attributes content_state relevance_score channel alert_title alert_body started_at updated_at stale_at ends_at dismissed_at token"
        ),
        ("badges", "device app badge"), ("extension_changes", "device app identifier changes"),
    ])
    func `a view has the documented columns, and no others`(view: String, columns: String) throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(path: folder())
        let names = try folder.sqlite3(sql: "SELECT name FROM pragma_table_info('\(view)') ORDER BY cid;")
        #expect(names == columns.split(separator: " ").map { "'\($0)'" })
        #expect(try folder.sqlite3(sql: "SELECT type FROM sqlite_schema WHERE name = '\(view)';") == ["'view'"])
    }

    @Test func `a new store shows nothing`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        for view in ["on_screen", "events", "badges", "extension_changes"] {
            #expect(try folder.sqlite3(sql: "SELECT count(*) FROM \(view);") == ["0"])
        }
        #expect(try store.notifications().isEmpty && store.events().isEmpty)
        #expect(try store.lastSequence == 0)
    }

    @Test func `on_screen has a row for each notification now shown, newest last`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let payload =
            #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"thread-id":"t","badge":3},"id": 1.50}"#
        try store.run([
            apns(collapseID: "nw", body: "first"), apns(app: "c", body: "other"),
            "{\"device\":\"cd\",\"headers\":{\"apns-topic\":\"app\"},\"payload\":\(payload)}",
            #"{"registration_ids":["t0","t1"],"notification":{"title":"G","tag":"g"}}"#,
            #"{"registration_ids":["t0","t1"],"notification":{"title":"H"}}"#,
            apns(collapseID: "nw", body: "second"),
        ])
        let aps = { (body: String) in "'{\"aps\":{\"alert\":{\"body\":\"\(body)\"}}}'" }
        let request = { (content: String) in "'{\"notification\":{\(content)}}'" }
        #expect(
            try folder.sqlite3(sql: "SELECT * FROM on_screen;") == [
                "2,'ab','c','push-2',NULL,NULL,'other',NULL,NULL,'1970-01-01T00:00:02.000Z',\(aps("other"))",
                "3,'cd','app','push-3','T','S','B','t',3,'1970-01-01T00:00:03.000Z','\(payload)'",
                "4,'t0','','g','G',NULL,NULL,NULL,NULL,'1970-01-01T00:00:04.000Z',\(request(#""title":"G","tag":"g""#))",
                "4,'t1','','g','G',NULL,NULL,NULL,NULL,'1970-01-01T00:00:04.000Z',\(request(#""title":"G","tag":"g""#))",
                "5,'t0','','push-5.0','H',NULL,NULL,NULL,NULL,'1970-01-01T00:00:05.000Z',\(request(#""title":"H""#))",
                "5,'t1','','push-5.1','H',NULL,NULL,NULL,NULL,'1970-01-01T00:00:05.000Z',\(request(#""title":"H""#))",
                "6,'ab','org.example.news','nw',NULL,NULL,'second',NULL,NULL,'1970-01-01T00:00:06.000Z',\(aps("second"))",
            ])
    }

    @Test func `events tells delivered, replaced and removed in the order in which they happened`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let records = [
            apns(app: "a", collapseID: "nw"), apns(app: "a", ids: ["story": "s"]), apns(app: "a", body: nil, badge: 1),
            apns(app: "a", collapseID: "nw"), apns(app: "a", ids: ["story": "s"], isMutable: true),
        ]
        try store.run(records, replacementKey: "story")
        #expect(
            try folder.sqlite3(sql: "SELECT * FROM events;") == [
                "1,'1970-01-01T00:00:01.000Z','ab','a','delivered','nw'",
                "2,'1970-01-01T00:00:02.000Z','ab','a','delivered','push-2'",
                "3,'1970-01-01T00:00:03.000Z','ab','a','badge-set','1'",
                "4,'1970-01-01T00:00:04.000Z','ab','a','replaced','nw'",
                "5,'1970-01-01T00:00:05.000Z','ab','a','removed','push-2'",
                "5,'1970-01-01T00:00:05.000Z','ab','a','delivered','push-5'",
            ])
    }

    @Test func `badges has a row for each app whose number was set, 0 included`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([
            apns(app: "a", badge: 5), apns(app: "b"), apns(app: "c", body: nil, badge: 7), apns(app: "d", badge: 1),
            apns(app: "a"), apns(app: "d", body: nil, badge: 2), apns(app: "e", body: nil, badge: 0),
        ])
        #expect(
            try folder.sqlite3(sql: "SELECT * FROM badges;") == [
                "'ab','a',5", "'ab','c',7", "'ab','d',2", "'ab','e',0",
            ])
        // The notification keeps its own badge.
        #expect(try folder.sqlite3(sql: "SELECT badge FROM on_screen WHERE app = 'd';") == ["1"])
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (999, "1970-01-01T00:00:00.999Z"),
            (59_999, "1970-01-01T00:00:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_445_420_489_123, "2015-10-21T09:41:29.123Z"), (1_700_000_000_007, "2023-11-14T22:13:20.007Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"), (4_102_444_800_001, "2100-01-01T00:00:00.001Z"),
        ] as [(Int64, String)])
    func `times are RFC 3339 in UTC with milliseconds`(milliseconds: Int64, text: String) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let record = Array(apns().utf8)
        try store.transaction(replacing: nil) { session in
            var decoder = RecordDecoder(options: DecodingOptions())
            var batch = MessageBatch()
            try record.withUnsafeBytes { bytes in
                decoder.decode(bytes, record: 0, into: &batch)
                _ = try session.screens.deliver(try #require(batch.messages.first), seq: 1, at: milliseconds)
            }
        }
        #expect(try folder.sqlite3(sql: "SELECT delivered_at FROM on_screen;") == ["'\(text)'"])
        #expect(try folder.sqlite3(sql: "SELECT at FROM events;") == ["'\(text)'"])
        #expect(try store.notifications().map(\.deliveredAt) == [milliseconds])
        #expect(try store.events().map(\.at) == [milliseconds])
    }

    @Test func `the file is in WAL mode, and says whose it is`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        #expect(try folder.sqlite3(sql: "PRAGMA journal_mode;") == ["'wal'"])
        // "push" in ASCII.
        #expect(try folder.sqlite3(sql: "PRAGMA application_id;") == ["\(0x7075_7368)"])
        try store.run([apns()])
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check;") == ["'ok'"])
    }
}
