import Foundation
import Testing

/// `pushpipe store export` and `import`: there and back again.
struct StoreImportTests {
    private static let views = ["on_screen", "badges", "extension_changes", "progress", "events"]

    private static let records = [
        apns("1 of 98", collapse: "result"), apns("gone", collapse: "x"), apns("made up"),
        #"{"registration_ids":["r0","r1","r0"],"notification":{"title":"many","body":"b"}}"# + "\n",
        #"{"registration_ids":["r0","r1"],"notification":{"title":"many","tag":"t"}}"# + "\n",
        #"{"message":{"token":"f","notification":{"title":"v1","body":"\u00fc \ud83d\ude00 \u0000 \\ \" /"}}}"# + "\n",
        #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"#
            + #""payload":{"aps":{"alert":"custom","mutable-content":1},"id": 7.50}}"# + "\n",
        #"{"device":"cd","headers":{"apns-topic":"org.example.mail"},"payload":{"aps":{"badge":4}}}"# + "\n",
        apns("98 of 98", collapse: "result"), "{\n",
    ]

    /// A store with replacements, several targets, a badge without a notification, changes by an extension, and a payload of several lines.
    private func filled() throws -> Folder {
        let folder = try Folder()
        try folder.write(Self.records.joined(), to: "in.ndjson")
        try folder.write("{\r\n  \"aps\": {\n    \"alert\": \"x\\ny\"\n  }\n}\n", to: "pretty.json")
        let run = ["run", "-q", "--report", "none", "--replace-by", "id", "--clock", "2026-11-03T20:00:00.123Z"]
        #expect(try folder.pushpipe(arguments: run + ["--store", "a.db", "in.ndjson"]).status == 0)
        #expect(try folder.pushpipe(arguments: run + ["--store", "a.db", "pretty.json"]).status == 0)
        let change = "UPDATE notification SET changes = '{\"title\":\"t\"}' WHERE seq = 3"
        #expect(try folder.shell("sqlite3 a.db \"\(change.replacingOccurrences(of: "\"", with: "\\\""))\"").status == 0)
        return folder
    }

    private func contents(_ store: String, _ folder: Folder) throws -> [String: String] {
        var contents: [String: String] = [:]
        for view in Self.views {
            let output = try folder.shell("sqlite3 -cmd '.mode quote' \(store) 'SELECT * FROM \(view)'")
            #expect(output.status == 0)
            contents[view] = output.text
        }
        return contents
    }

    @Test(arguments: [true, false])
    func `the import of an export is the same store, and goes on the same`(hasEvents: Bool) throws {
        let folder = try filled()
        let options = hasEvents ? ["--events"] : []
        let export = try folder.pushpipe(arguments: ["store", "export", "--complete", "a.db"] + options)
        #expect(export.status == 0)
        let imported = try folder.pushpipe("store", "import", "b.db", stdin: export.stdout)
        #expect(imported.status == 0)
        #expect(imported.stdout.isEmpty)
        #expect(imported.stderr.hasPrefix("imported 11 notifications, 6 apps on devices"), "\(imported.stderr)")
        #expect(
            try folder.pushpipe(arguments: ["store", "export", "--complete", "b.db"] + options).stdout == export.stdout)

        var expected = try contents("a.db", folder)
        #expect(expected.values.allSatisfy { !$0.isEmpty })
        if !hasEvents { expected["events"] = "" }
        #expect(try contents("b.db", folder) == expected)
        #expect(
            try folder.pushpipe("store", "list", "b.db").stdout == folder.pushpipe("store", "list", "a.db").stdout)

        // Collapse ids, tags, made-up ids and custom ids are found again; numbers go on.
        let more =
            Self.records.joined() + apns("in its place", collapse: "push-3")
            + #"{"to":"r0","notification":{"title":"in its place","tag":"push-4.2"}}"# + "\n"
        let run = ["run", "-q", "--replace-by", "id", "--clock", "2026-11-04T20:00:00Z", "more.ndjson", "--store"]
        try folder.write(more, to: "more.ndjson")
        let first = try folder.pushpipe(arguments: run + ["a.db"])
        let second = try folder.pushpipe(arguments: run + ["b.db"])
        #expect(second.stdout == first.stdout)
        #expect(try first.outcomes().contains("reposted"))
        #expect(try first.json().compactMap { $0["replaces"] }.contains(.number(4)))
        #expect(
            try folder.pushpipe("store", "export", "--complete", "b.db").stdout
                == folder.pushpipe("store", "export", "--complete", "a.db").stdout)
    }

    @Test func `a day of made-up traffic comes back byte for byte`() throws {
        let folder = try Folder()
        let make =
            "pushpipe generate --count 3000 --malformed-rate 0.02 | "
            + "pushpipe run -q --report none --replace-by custom-payload-id --store a.db"
        #expect(try folder.shell(make).status == 0)
        let copy =
            "pushpipe store export --complete --events a.db > 1 && pushpipe store import -q b.db 1 && pushpipe store export --complete --events b.db > 2"
        let output = try folder.shell(copy)
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        let first = try folder.read("1")
        #expect(first.utf8.count > 1_000_000)
        #expect(try folder.read("2") == first)
        // And a second time changes nothing.
        #expect(try folder.shell("pushpipe store export --complete a.db | pushpipe store import -q b.db").status == 0)
        #expect(try folder.shell("pushpipe store export --complete --events b.db | cmp - 1").status == 0)
    }

    @Test func `an export begins with its numbers and the apps on devices, and ends with a line that says so`() throws {
        let folder = try Folder()
        let records = apns("a") + #"{"device":"cd","payload":{"aps":{"badge":4}}}"# + "\n{\n"
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", "--clock", "0", stdin: records).status == 0)
        let output = try folder.pushpipe("store", "export", "--complete", "--events", "s.db")
        #expect(
            output.text == """
                {"export":1,"last_sequence":3}
                {"device":"ab54","app":"org.example.news"}
                {"device":"cd","app":"","badge":4}
                {"seq":1,"device":"ab54","app":"org.example.news","identifier":"push-1","body":"a",\
                "delivered_at":"1970-01-01T00:00:00.000Z","payload":{"aps":{"alert":{"body":"a"}}}}
                {"seq":1,"at":"1970-01-01T00:00:00.000Z","device":"ab54","app":"org.example.news",\
                "kind":"delivered","identifier":"push-1"}
                {"end":true}

                """)
    }

    @Test func `a payload that cannot stand in a line stands there as a text`() throws {
        let folder = try Folder()
        let deep =
            "{\"aps\":{\"alert\":\"x\"},\"d\":\(String(repeating: "[", count: 511))\(String(repeating: "]", count: 511))}"
        #expect(try folder.pushpipe("run", "-q", "--store", "a.db", stdin: deep + "\n" + apns("y")).status == 0)
        let edit = "UPDATE notification SET payload = '1,\"seq\":9' WHERE seq = 2"
        #expect(try folder.shell("sqlite3 a.db \"\(edit.replacingOccurrences(of: "\"", with: "\\\""))\"").status == 0)
        let export = try folder.pushpipe("store", "export", "--complete", "a.db")
        let payloads = try export.json().filter { $0["payload"] != nil }
        #expect(payloads.map { $0["payload"] } == [.null, .null])
        #expect(payloads.map { $0["payload_text"] } == [.string(deep), .string("1,\"seq\":9")])
        #expect(try folder.pushpipe("store", "import", "b.db", stdin: export.stdout).status == 0)
        #expect(try contents("b.db", folder)["on_screen"] == contents("a.db", folder)["on_screen"])
    }

    @Test func `an export of the notifications alone is imported`() throws {
        let folder = try filled()
        #expect(try folder.shell("pushpipe store export a.db > old.ndjson").status == 0)
        let output = try folder.pushpipe("store", "import", "b.db", "old.ndjson")
        #expect(output.stderr == "imported 11 notifications\n")
        let (first, second) = (try contents("a.db", folder), try contents("b.db", folder))
        #expect(second["on_screen"] == first["on_screen"])
        #expect(second["badges"] == "")
    }

    @Test func `several exports make one store`() throws {
        let folder = try Folder()
        for (name, device) in [("a", "ab54"), ("b", "cd76")] {
            let records = apns("from \(name)", device: device) + apns("too", device: device)
            #expect(try folder.pushpipe("run", "-q", "--store", "\(name).db", stdin: records).status == 0)
            #expect(try folder.shell("pushpipe store export --complete \(name).db > \(name)").status == 0)
        }
        #expect(try folder.pushpipe("store", "import", "--store", "c.db", "a", "b").status == 0)
        #expect(try folder.shell("cat a b | pushpipe store import d.db -").status == 0)
        let both = try folder.pushpipe("store", "show", "c.db")
        #expect(try both.values("body").compactMap { $0?.string } == ["from a", "too", "from b", "too"])
        #expect(try folder.pushpipe("store", "show", "d.db").stdout == both.stdout)
    }

    @Test(arguments: [0o000, 0o022, 0o077])
    func `an imported store is its owner's alone`(mask: Int) throws {
        let folder = try filled()
        let line =
            "umask \(String(mask, radix: 8)); pushpipe store export --complete a.db | pushpipe store import -q b.db; ls -l b.db*"
        let output = try folder.shell(line)
        #expect(output.lines.count >= 1)
        #expect(output.lines.allSatisfy { $0.hasPrefix("-rw-------") }, "\(output.text)")
    }

    /// A good line of a notification, with a member put in or replaced.
    private static func notification(_ member: String = "", without: String = "") -> String {
        let members = [
            ("seq", "9"), ("device", "\"d\""), ("app", "\"\""), ("identifier", "\"i\""),
            ("delivered_at", "\"2026-11-03T20:00:00.000Z\""), ("payload", "{}"),
        ]
        let kept = members.filter { $0.0 != without }.map { "\"\($0.0)\":\($0.1)" }
        return "{" + (kept + (member.isEmpty ? [] : [member])).joined(separator: ",") + "}"
    }

    private static let badLines: [(line: String, reason: String)] = [
        ("{", "not JSON at byte 2"), ("[]", "not a JSON object"), ("7", "not a JSON object"),
        ("{\"seq\":1", "not JSON"),
        ("{\"device\":\"d\u{0}\",\"app\":\"\"}", "not JSON at byte 13"), ("{}", "device is missing"),
        ("{\"device\":\"d\"}", "app is missing"), ("{\"device\":7,\"app\":\"\"}", "device is not a string"),
        ("{\"device\":\"d\",\"app\":\"\",\"badge\":\"3\"}", "badge is not a whole number"),
        ("{\"device\":\"d\",\"app\":\"\",\"badge\":1.5}", "badge is not a whole number"),
        ("{\"device\":\"d\",\"app\":\"\",\"body\":\"b\"}", "body has no place"),
        (notification("\"colour\":1"), "no member \"colour\""), (notification("\"seq\":1"), "seq is there twice"),
        (notification(without: "seq"), "seq is missing"), (notification(without: "payload"), "payload is missing"),
        (notification(without: "identifier"), "identifier is missing"),
        (notification(without: "delivered_at"), "delivered_at is missing"),
        (notification("\"seq\":-1", without: "seq"), "seq is negative"),
        (notification("\"seq\":9223372036854775808", without: "seq"), "seq is not a whole number of 64 bits"),
        (notification("\"kind\":\"delivered\""), "delivered_at has no place"),
        (notification("\"payload_text\":7"), "payload_text is not a string"),
        (notification("\"delivered_at\":\"2026-02-30T20:00:00.000Z\"", without: "delivered_at"), "not a time"),
        (notification("\"delivered_at\":\"2026-11-03T20:00:00+01:00\"", without: "delivered_at"), "not a time"),
        (notification("\"delivered_at\":\"noon\"", without: "delivered_at"), "not a time"),
        (
            #"{"seq":1,"at":"1970-01-01T00:00:00.000Z","device":"d","app":"","kind":"eaten","identifier":"i"}"#,
            "no such kind of event: eaten"
        ),
        (#"{"export":2,"last_sequence":1}"#, "written by a later version"),
        (#"{"export":1,"last_sequence":1}"#, "another export begins"), (#"{"export":1}"#, "another export begins"),
        (#"{"end":true,"seq":1}"#, "seq has no place"),
    ]

    /// A store of one record, which each test of a bad line gets a copy of, and its export.
    private static let original = Result { () throws -> (store: Data, export: Data) in
        let folder = try Folder()
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", stdin: apns("before", collapse: "i")).status == 0)
        return (
            try folder.bytes("s.db"), try folder.pushpipe("store", "export", "--complete", "--events", "s.db").stdout
        )
    }

    @Test(arguments: badLines.indices)
    func `a bad line is told by its place, and nothing is imported`(index: Int) throws {
        let (line, reason) = Self.badLines[index]
        let folder = try Folder()
        let (original, before) = try Self.original.get()
        try folder.write(original, to: "s.db")
        let good = #"{"export":1,"last_sequence":90}"# + "\n\n" + Self.notification() + "\n"
        try folder.write(good + line + "\n" + #"{"end":true}"# + "\n", to: "bad.ndjson")
        for store in ["s.db", "new.db"] {
            let output = try folder.pushpipe("store", "import", store, "bad.ndjson")
            #expect(output.status == 2)
            #expect(output.stdout.isEmpty)
            #expect(output.stderr.hasPrefix("pushpipe: bad.ndjson:4: "), "\(output.stderr)")
            #expect(output.stderr.contains(reason), "\(output.stderr)")
            #expect(output.stderr.split(separator: "\n").count == 1)
        }
        #expect(try folder.pushpipe("store", "export", "--complete", "--events", "s.db").stdout == before)
        #expect(try folder.pushpipe("store", "list", "new.db").stdout.isEmpty)
    }

    @Test func `an export whose end is missing is not imported`() throws {
        let folder = try filled()
        #expect(try folder.shell("pushpipe store export --complete a.db > whole; head -n 12 whole > cut").status == 0)
        let output = try folder.pushpipe("store", "import", "b.db", "cut")
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: cut:12: the export ends before its last line"), "\(output.stderr)")
        #expect(try folder.pushpipe("store", "list", "b.db").stdout.isEmpty)
        let twice = try folder.shell("cat cut whole | pushpipe store import b.db")
        #expect(twice.status == 2)
        #expect(twice.stderr.contains("<stdin>:13: another export begins"), "\(twice.stderr)")
    }

    @Test func `a file that is missing or a folder is found out before a store is made`() throws {
        let folder = try Folder()
        for input in ["none.ndjson", "."] {
            let output = try folder.pushpipe("store", "import", "new.db", input)
            #expect(output.status == 2)
            #expect(output.stderr.contains(input))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("new.db")))
    }

    /// The view counts by SQLite's calendar, the export by ours.
    @Test func `the export and the view tell the same times, over all the years`() throws {
        let folder = try Folder()
        #expect(
            try folder.shell(
                "pushpipe generate --count 1000 --replace-rate 0 | pushpipe run -q --report none --store a.db"
            )
            .status == 0)
        // From the year 0 on, a step of 3652 days and some for each row; and every day of the last row's hundreds around a leap day.
        let edit = """
            UPDATE notification SET delivered_at = -62167219200000 + (id % 800) * 394304951123 WHERE id <= 800;
            UPDATE notification SET delivered_at = 951523200999 + (id - 810) * 86400000 WHERE id > 800;
            """
        #expect(try folder.shell("sqlite3 a.db '\(edit)'").status == 0)
        let expected = try folder.shell("sqlite3 a.db 'SELECT delivered_at FROM on_screen'").lines
        let export = try folder.pushpipe("store", "export", "--complete", "a.db")
        let times = try export.values("delivered_at").compactMap { $0?.string }
        #expect(times.count > 800)
        #expect(times == expected)
        #expect(times.contains { $0.hasPrefix("2000-02-29") } && times.contains { $0.hasPrefix("9") })
        #expect(try folder.pushpipe("store", "import", "-q", "b.db", stdin: export.stdout).status == 0)
        #expect(try folder.shell("sqlite3 b.db 'SELECT delivered_at FROM on_screen'").lines == expected)
    }

    @Test func `a time outside of the years that RFC 3339 can write comes back`() throws {
        let folder = try Folder()
        #expect(
            try folder.pushpipe("run", "-q", "--store", "a.db", stdin: apns("a") + apns("b") + apns("c")).status == 0)
        let edit = [
            (1, "-9223372036854775808"), (2, "253402300800000"), (3, "-62167219200000"),
        ].map { "UPDATE notification SET delivered_at = \($0.1) WHERE seq = \($0.0);" }.joined()
        #expect(try folder.shell("sqlite3 a.db '\(edit)'").status == 0)
        let export = try folder.pushpipe("store", "export", "--complete", "a.db")
        #expect(
            try export.values("delivered_at").compactMap(\.self) == [
                .number(-9_223_372_036_854_775_808), .number(253_402_300_800_000), .string("0000-01-01T00:00:00.000Z"),
            ])
        #expect(try folder.pushpipe("store", "import", "b.db", stdin: export.stdout).status == 0)
        #expect(try folder.pushpipe("store", "export", "--complete", "b.db").stdout == export.stdout)
        #expect(try folder.pushpipe("store", "show", "--format", "text", "b.db").status == 0)
    }
}
