import PushDevices
import PushJSON
import PushModel
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// What `StoreExport` writes, `StoreImporter` reads, and nothing else.
struct ExportTests {
    private static let views = ["on_screen", "badges", "extension_changes", "progress", "events"]

    private static let records = [
        apns(device: "ab54", collapseID: "result", body: "1 of 98"),
        apns(device: "ab54", collapseID: "x", body: "gone"), apns(device: "ab54", body: "made up"),
        #"{"registration_ids":["r0","r1","r0"],"notification":{"title":"many","body":"b"}}"#,
        #"{"registration_ids":["r0","r1"],"notification":{"title":"many","tag":"t"}}"#,
        #"{"message":{"token":"f","notification":{"title":"v1","body":"\u00fc \ud83d\ude00 \u0000 \\ \" /"}}}"#,
        #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"#
            + #""payload":{"aps":{"alert":"custom","mutable-content":1},"id": 7.50}}"#,
        apns(device: "cd", app: "org.example.mail", body: nil, badge: 4),
        apns(device: "ab54", collapseID: "result", body: "98 of 98"),
        "{\r\n  \"aps\": {\n    \"alert\": \"x\\ny\"\n  }\n}",
    ]

    /// A store with replacements, several targets, a badge without a notification, changes by an extension, and a payload of several lines.
    private func filled(_ folder: TemporaryFolder) throws -> SQLiteStore {
        let store = try SQLiteStore(path: folder("a.db"))
        try store.run(Self.records, replacementKey: "id")
        _ = try folder.sqlite3("a.db", sql: #"UPDATE notification SET changes = '{"title":"t"}' WHERE seq = 3;"#)
        return store
    }

    private func contents(_ name: String, _ folder: TemporaryFolder) throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        for view in Self.views { contents[view] = try folder.sqlite3(name, sql: "SELECT * FROM \(view);") }
        return contents
    }

    private func export(_ store: SQLiteStore, _ extent: StoreExport.Extent, isCSV: Bool = false) throws -> String {
        var out = ByteBuffer()
        try StoreExport(extent, isCSV: isCSV).write(store, redaction: store.redaction) { $0(&out) }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @discardableResult
    private func add(_ exports: String..., to store: SQLiteStore, _ folder: TemporaryFolder) throws -> ImportCounts {
        var counts = ImportCounts()
        try store.importing { importer in
            for export in exports {
                try folder.write(export, to: "export")
                let file = try FileDescriptor.open(folder("export"), .readOnly)
                defer { file.close() }
                try importer.add(exportFrom: file, &counts)
            }
        }
        return counts
    }

    @Test(arguments: [StoreExport.Extent.state, .stateAndJournal])
    func `the import of an export is the same store, and goes on the same`(extent: StoreExport.Extent) throws {
        let folder = try TemporaryFolder()
        let first = try filled(folder)
        let second = try SQLiteStore(path: folder("b.db"))
        let text = try export(first, extent)
        let counts = try add(text, to: second, folder)
        #expect(counts.notifications == 11)
        #expect(counts.screens == 6)
        #expect(try export(second, extent) == text)
        var expected = try contents("a.db", folder)
        #expect(expected.filter { $0.key != "progress" }.values.allSatisfy { !$0.isEmpty })
        if extent == .state { expected["events"] = [] }
        #expect(try contents("b.db", folder) == expected)

        // Collapse ids, tags, made-up ids and custom ids are found again; numbers go on.
        let more =
            Self.records + [
                apns(device: "ab54", collapseID: "push-3", body: "in its place"),
                #"{"to":"r0","notification":{"title":"in its place","tag":"push-4.2"}}"#,
            ]
        let deliveries = try first.run(more, replacementKey: "id")
        #expect(try second.run(more, replacementKey: "id") == deliveries)
        #expect(deliveries.contains { $0.outcome == .reposted })
        #expect(deliveries.contains { $0.replaces == 4 })
        #expect(try export(second, .state) == export(first, .state))
    }

    @Test func `importing an export a second time changes nothing`() throws {
        let folder = try TemporaryFolder()
        let text = try export(filled(folder), .stateAndJournal)
        let second = try SQLiteStore(path: folder("b.db"))
        try add(text, to: second, folder)
        try add(try export(second, .state), to: second, folder)
        #expect(try export(second, .stateAndJournal) == text)
    }

    @Test func `an export begins with its numbers and the apps on devices, and ends with a line that says so`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(device: "ab54", body: "a"), #"{"device":"cd","payload":{"aps":{"badge":4}}}"#])
        try store.importing { $0.continueNumbers(after: 3) }
        #expect(
            try export(store, .stateAndJournal) == """
                {"export":1,"last_sequence":3}
                {"device":"ab54","app":"org.example.news"}
                {"device":"cd","app":"","badge":4}
                {"seq":1,"device":"ab54","app":"org.example.news","identifier":"push-1","body":"a",\
                "delivered_at":"1970-01-01T00:00:01.000Z","payload":{"aps":{"alert":{"body":"a"}}}}
                {"seq":1,"at":"1970-01-01T00:00:01.000Z","device":"ab54","app":"org.example.news",\
                "kind":"delivered","identifier":"push-1"}
                {"seq":2,"at":"1970-01-01T00:00:02.000Z","device":"cd","app":"","kind":"badge-set","identifier":"4"}
                {"end":true}

                """)
    }

    @Test func `a payload that cannot stand in a line stands there as a text`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder("a.db"))
        let nested = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)
        let deep = "{\"aps\":{\"alert\":\"x\"},\"d\":\(nested)}"
        try store.run([deep, apns(body: "y")])
        _ = try folder.sqlite3("a.db", sql: "UPDATE notification SET payload = '1,\"seq\":9' WHERE seq = 2;")
        let text = try export(store, .state)
        #expect(text.components(of: #""payload":null"#) == 2)
        #expect(text.contains(#","payload_text":"\#(deep.replacing("\"", with: "\\\""))"}"#))
        #expect(text.contains(#","payload_text":"1,\"seq\":9"}"#))
        try add(text, to: try SQLiteStore(path: folder("b.db")), folder)
        #expect(try contents("b.db", folder)["on_screen"] == contents("a.db", folder)["on_screen"])
    }

    @Test func `an export of the notifications alone is imported`() throws {
        let folder = try TemporaryFolder()
        let store = try filled(folder)
        var expected = ImportCounts()
        let second = try SQLiteStore(path: folder("b.db"))
        expected = try add(try export(store, .notifications), to: second, folder)
        #expect(expected.notifications == 11)
        #expect((expected.screens, expected.events, expected.devices) == (0, 0, 0))
        #expect(try contents("b.db", folder)["on_screen"] == contents("a.db", folder)["on_screen"])
        #expect(try contents("b.db", folder)["badges"] == [])
    }

    @Test func `several exports make one store`() throws {
        let folder = try TemporaryFolder()
        let exports = try [("a", "ab54"), ("b", "cd76")].map { name, device in
            let store = try SQLiteStore(path: folder("\(name).db"))
            try store.run([apns(device: device, body: "from \(name)"), apns(device: device, body: "too")])
            return try export(store, .state)
        }
        let third = try SQLiteStore(path: folder("c.db"))
        try add(exports[0], exports[1], to: third, folder)
        #expect(try third.notifications().map(\.content.body) == ["from a", "too", "from b", "too"])
        let fourth = try SQLiteStore(path: folder("d.db"))
        try add(exports[0] + exports[1], to: fourth, folder)
        #expect(try fourth.notifications() == third.notifications())
    }

    // MARK: - CSV

    @Test func `lines end in CR LF, quotes are there where they must be, and what is missing is not what is empty`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([
            #"{"device":"dd","payload":{"aps":{"alert":{"title":"","body":"a \"b\""}}}}"#,
            #"{"device":"dd","payload":{"aps":{"alert":"plain"}}}"#,
        ])
        let lines = try export(store, .notifications, isCSV: true).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        #expect(
            lines == [
                "seq,device,app,identifier,title,subtitle,body,thread,badge,delivered_at,payload,changes",
                #"1,dd,"",push-1,"",,"a ""b""",,,1970-01-01T00:00:01.000Z,"#
                    + #""{""aps"":{""alert"":{""title"":"""",""body"":""a \""b\""""}}}","#,
                #"2,dd,"",push-2,,,plain,,,1970-01-01T00:00:02.000Z,"{""aps"":{""alert"":""plain""}}","#,
                "",
            ])
    }

    // MARK: - Times

    /// The view counts by SQLite's calendar, the export by ours.
    @Test func `the export and the view tell the same times, over all the years`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder("a.db"))
        try store.run((0..<1000).map { apns(body: "\($0)") })
        // From the year 0 on, a step of 3652 days and some for each row; and every day of the last row's hundreds around a leap day.
        let expected = try folder.sqlite3(
            "a.db",
            sql: """
                UPDATE notification SET delivered_at = -62167219200000 + (id % 800) * 394304951123 WHERE id <= 800;
                UPDATE notification SET delivered_at = 951523200999 + (id - 810) * 86400000 WHERE id > 800;
                SELECT delivered_at FROM on_screen;
                """
        ).map { $0.trimming("'") }
        let text = try export(store, .notifications)
        let times = text.split(separator: "\n").map { line in
            String(line.split(separator: "\"delivered_at\":\"").last?.prefix { $0 != "\"" } ?? "")
        }
        #expect(times.count > 800)
        #expect(times == expected)
        #expect(times.contains { $0.hasPrefix("2000-02-29") } && times.contains { $0.hasPrefix("9") })
        try add(text, to: try SQLiteStore(path: folder("b.db")), folder)
        let sql = "SELECT delivered_at FROM on_screen;"
        #expect(try folder.sqlite3("b.db", sql: sql).map { $0.trimming("'") } == expected)
    }

    @Test func `a time outside of the years that RFC 3339 can write comes back`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder("a.db"))
        try store.run(["a", "b", "c"].map { apns(body: $0) })
        let times: [(Int, String, String)] = [
            (1, "-9223372036854775808", "-9223372036854775808"), (2, "253402300800000", "253402300800000"),
            (3, "-62167219200000", "\"0000-01-01T00:00:00.000Z\""),
        ]
        _ = try folder.sqlite3(
            "a.db",
            sql: times.map { "UPDATE notification SET delivered_at = \($0.1) WHERE seq = \($0.0);" }.joined())
        let text = try export(store, .state)
        for time in times { #expect(text.contains("\"delivered_at\":\(time.2),")) }
        let second = try SQLiteStore(path: folder("b.db"))
        try add(text, to: second, folder)
        #expect(try export(second, .state) == text)
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }

    fileprivate func trimming(_ mark: Character) -> String {
        String(drop { $0 == mark }.reversed().drop { $0 == mark }.reversed())
    }
}
