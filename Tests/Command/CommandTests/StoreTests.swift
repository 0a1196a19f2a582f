import Foundation
import TestSupport
import Testing

/// A store that outlives its run, through the command and through the `sqlite3` tool.
struct StoreTests {
    private static let clock = ["--clock", "2026-11-03T20:00:00Z"]

    /// A store with two apps on two devices, two runs, a replacement and a badge.
    private func filled() throws -> Folder {
        let folder = try Folder()
        let first = [
            apns("1 of 98", collapse: "result"), apns("other"),
            #"{"to":"dAnna","restricted_package_name":"org.example.chat","#
                + #""notification":{"title":"Anna","body":"Hi","tag":"t"}}"#
                + "\n",
            "{\n",
        ]
        let second = [
            apns("98 of 98", collapse: "result"),
            #"{"device":"ab54","headers":{"apns-topic":"org.example.mail"},"#
                + #""payload":{"aps":{"badge":3,"thread-id":"th","alert":{"title":"T","subtitle":"S","body":"B"}}}}"#
                + "\n",
        ]
        try folder.write(first.joined(), to: "first.ndjson")
        try folder.write(second.joined(), to: "second.ndjson")
        for name in ["first.ndjson", "second.ndjson"] {
            let output = try folder.pushpipe(arguments: ["run", "-q", "--store", "phone.db"] + Self.clock + [name])
            #expect(output.status == 0)
            try folder.write(output.stdout, to: "report of \(name)")
        }
        return folder
    }

    private func report(_ name: String, _ folder: Folder) throws -> [JSONValue] {
        try Output(stdout: Data(folder.read("report of \(name)").utf8), stderr: "", status: 0).json()
    }

    @Test func `a second run continues the numbering and replaces notifications of the first`() throws {
        let folder = try filled()
        let first = try report("first.ndjson", folder)
        #expect(first.map { $0["seq"] } == [.number(1), .number(2), .number(3), .number(4)])
        #expect(first.map { $0["outcome"]?.string } == ["delivered", "delivered", "delivered", "malformed"])
        let second = try report("second.ndjson", folder)
        #expect(second.map { $0["seq"] } == [.number(5), .number(6)])
        #expect(second.map { $0["outcome"]?.string } == ["replaced", "delivered"])
        #expect(second[0]["replaces"] == .number(1))
        #expect(second[0]["identifier"] == .string("result"))
    }

    // Documentation/explanation/live-activities.md: of the sample's five, one has left the lock screen.
    @Test func `the lines of a screen have its Live Activities, and CSV has notifications alone`() throws {
        let folder = try Folder()
        let sample = Place.samples.appendingPathComponent("live-score.ndjson").path
        try #require(folder.pushpipe(arguments: ["run", "-q", "--store", "phone.db", sample] + Self.clock).status == 0)
        let lines = try folder.pushpipe("store", "show", "phone.db", "--format", "ndjson").json()
        #expect(
            lines.map { "\($0["identifier"]?.string ?? "") \($0["state"]?.string ?? "")" } == [
                "activity-5 stale", "activity-7 ended", "activity-8 ended", "activity-13 ended",
            ])
        #expect(lines.first?["content_state"]?["minute"] == .number(25))
        #expect(lines.first?["updated_at"] == .string("2026-11-03T20:00:00.004Z"))
        let csv = try folder.pushpipe("store", "show", "phone.db", "--format", "csv").text
        #expect(csv.split(separator: "\r\n").count == 1)
    }

    @Test func `an option, an argument or a variable names the store`() throws {
        let folder = try filled()
        for command in ["list", "show", "events", "export"] {
            let byOption = try folder.pushpipe("store", command, "--store", "phone.db")
            let byArgument = try folder.pushpipe("store", command, "phone.db")
            let byVariable = try folder.pushpipe("store", command, environment: ["PUSHPIPE_STORE": "phone.db"])
            for output in [byOption, byArgument, byVariable] {
                #expect(output.status == 0)
                #expect(output.stderr.isEmpty)
                #expect(output.stdout == byOption.stdout)
            }
            #expect(try byOption.json().count > 0)
        }
        // The option takes precedence over the variable.
        let both = try folder.pushpipe(
            "store", "list", "--store", "phone.db", environment: ["PUSHPIPE_STORE": "none.db"])
        #expect(both.status == 0)
    }

    @Test func `run honors the variable, and a first argument that is a file is told apart from a device`() throws {
        let folder = try filled()
        let variable = ["PUSHPIPE_STORE": "own.db"]
        #expect(try folder.pushpipe("run", "-q", "first.ndjson", environment: variable).status == 0)
        #expect(try folder.pushpipe("run", "second.ndjson", environment: variable).status == 0)
        let own = try folder.pushpipe("store", "show", "ab54", environment: variable)
        #expect(try own.values("body").count == 3)
        let other = try folder.pushpipe("store", "show", "phone.db", "dAn", environment: variable)
        #expect(try other.values("body") == [.string("Hi")])
    }

    @Test func `a device that is not there is status 1, and a beginning that fits several is an error`() throws {
        let folder = try filled()
        #expect(
            try folder.pushpipe("run", "-q", "--store", "phone.db", stdin: apns("a", device: "ab55")).status == 0)
        for arguments in [["show", "phone.db", "nobody"], ["events", "--device", "nobody", "phone.db"]] {
            let output = try folder.pushpipe(arguments: ["store"] + arguments)
            #expect(output.status == 1)
            #expect(
                output.stderr
                    == "pushpipe: no device name is \"nobody\" or begins with it; pushpipe store list shows the names\n"
            )
        }
        let several = try folder.pushpipe("store", "show", "phone.db", "AB")
        #expect(several.status == 2)
        #expect(several.stderr.hasSuffix("type more of the name:\n  ab54\n  ab55\n"))
        #expect(several.stdout.isEmpty)
    }

    @Test func `list names every app on every device`() throws {
        let lines = try filled().pushpipe("store", "list", "phone.db").json()
        let found = Set(lines.map { "\($0["device"]?.string ?? "") \($0["app"]?.string ?? "")" })
        // A token of GCM or FCM stands for one app, which a request need not name (`restricted_package_name`, FCM-ref).
        #expect(found == ["ab54 org.example.news", "dAnna ", "ab54 org.example.mail"])
        let news = lines.first { $0["app"] == .string("org.example.news") }
        #expect(news?["count"] == .number(2))
        let mail = lines.first { $0["app"] == .string("org.example.mail") }
        #expect(mail?["badge"] == .number(3))
        let text = try filled().pushpipe("store", "list", "--format", "text", "phone.db")
        #expect(text.text.contains("dAnna"))
        #expect(text.lines.count == 4)
    }

    @Test func `show lists a device's notifications, newest first, and takes filters`() throws {
        let folder = try filled()
        let all = try folder.pushpipe("store", "show", "phone.db")
        #expect(
            try all.values("body") == [.string("B"), .string("98 of 98"), .string("Hi"), .string("other")])
        let device = try folder.pushpipe("store", "show", "phone.db", "ab54")
        #expect(try device.values("seq") == [.number(6), .number(5), .number(2)])
        #expect(try folder.pushpipe("store", "show", "--store", "phone.db", "ab54").stdout == device.stdout)
        let variable = try folder.pushpipe("store", "show", "ab54", environment: ["PUSHPIPE_STORE": "phone.db"])
        #expect(variable.stdout == device.stdout)
        let app = try folder.pushpipe("store", "show", "--app", "org.example.mail", "phone.db").json()
        #expect(app.count == 1)
        for (key, value) in [
            ("title", "T"), ("subtitle", "S"), ("body", "B"), ("thread", "th"), ("identifier", "push-6"),
        ] {
            #expect(app.first?[key] == .string(value))
        }
        #expect(app.first?["badge"] == .number(3))
        #expect(try folder.pushpipe("store", "show", "phone.db", "nobody").stdout.isEmpty)
    }

    @Test func `show as text prints each device's screen, newest first`() throws {
        let folder = try filled()
        let output = try folder.pushpipe("store", "show", "--format", "text", "phone.db")
        #expect(output.status == 0)
        #expect(!output.stdout.contains(0x1B))
        for part in [
            "ab54  org.example.news  2 on screen", "dAnna  1 on screen", "thread th", "T · S", "B",
        ] {
            #expect(output.text.contains(part), "\(part) in \(output.text)")
        }
        let newer = try #require(output.text.range(of: "98 of 98"))
        let older = try #require(output.text.range(of: "other"))
        #expect(newer.lowerBound < older.lowerBound)
        let event = #"{"event":"clear","device":"dAnna"}"#
        #expect(try folder.pushpipe("run", "-q", "--store", "phone.db", stdin: event).status == 0)
        #expect(
            try folder.pushpipe("store", "show", "--format", "text", "phone.db", "dAnna").text == "nothing on screen\n")
    }

    @Test(arguments: [
        ("ndjson", #"{"device":"ab54","app":"org.example.news","badge":3}"# + "\n"),
        ("csv", ",ab54,org.example.news,,,,,,3,,,\r\n"), ("text", "0 on screen, badge 3\n"), ("svg", ">3</text>"),
    ])
    func `show has a number on an icon without a notification, in every form`(form: String, text: String) throws {
        let folder = try Folder()
        let push = #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"badge":3}}}"#
        _ = try folder.pushpipe("run", "-q", "--store", "phone.db", stdin: push)
        #expect(try folder.pushpipe("store", "show", "--format", form, "phone.db").text.contains(text))
        let event = try folder.pushpipe("store", "events", "phone.db").json()
        #expect(event.map { $0["kind"] } == [.string("badge-set")])
        #expect(event.map { $0["identifier"] } == [.string("3")])
    }

    @Test func `events prints the journal, oldest first`() throws {
        let folder = try filled()
        let events = try folder.pushpipe("store", "events", "phone.db")
        #expect(try events.values("seq") == [.number(1), .number(2), .number(3), .number(5), .number(6)])
        #expect(
            try events.values("kind").compactMap { $0?.string } == [
                "delivered", "delivered", "delivered", "replaced", "delivered",
            ])
        #expect(try events.values("at").first == .string("2026-11-03T20:00:00.000Z"))
        let device = try folder.pushpipe("store", "events", "--device", "dAnna", "phone.db")
        #expect(try device.values("identifier") == [.string("t")])
        let text = try folder.pushpipe("store", "events", "--format", "text", "phone.db")
        #expect(text.lines.count == 5)
        #expect(text.lines[3].contains("replaced"))
        #expect(text.lines[3].contains("2026-11-03T20:00:00.000Z"))
    }

    @Test func `export writes every notification with its original payload`() throws {
        let folder = try filled()
        let lines = try folder.pushpipe("store", "export", "phone.db").json()
        #expect(lines.count == 4)
        #expect(lines[2]["payload"]?["aps"]?["alert"]?["body"] == .string("98 of 98"))
        #expect(lines[1]["payload"]?["notification"]?["tag"] == .string("t"))
        #expect(lines.map { $0["seq"] } == [.number(2), .number(3), .number(5), .number(6)])
    }

    @Test func `a pretty-printed payload is exported on one line`() throws {
        let folder = try Folder()
        let pretty = "{\r\n  \"aps\": {\n    \"alert\": \"x\\ny\"\n  }\n}\n"
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", stdin: pretty).status == 0)
        let payloads = try folder.pushpipe("store", "export", "s.db").json().compactMap { $0["payload"] }
        #expect(payloads.map { $0["aps"]?["alert"] } == [.string("x\ny")])
    }

    @Test func `the sqlite3 tool can query the views`() throws {
        let folder = try filled()
        let screen = try folder.shell(
            """
            sqlite3 phone.db 'SELECT device, app, identifier, title, subtitle, body, thread, badge, delivered_at
                              FROM on_screen'
            """
        )
        #expect(screen.stderr.isEmpty)
        #expect(
            screen.text == """
                ab54|org.example.news|push-2|||other|||2026-11-03T20:00:00.001Z
                dAnna||t|Anna||Hi|||2026-11-03T20:00:00.002Z
                ab54|org.example.news|result|||98 of 98|||2026-11-03T20:00:00.000Z
                ab54|org.example.mail|push-6|T|S|B|th|3|2026-11-03T20:00:00.001Z

                """)
        let events = try folder.shell("sqlite3 phone.db 'SELECT seq, at, device, app, kind, identifier FROM events'")
        #expect(
            events.text == """
                1|2026-11-03T20:00:00.000Z|ab54|org.example.news|delivered|result
                2|2026-11-03T20:00:00.001Z|ab54|org.example.news|delivered|push-2
                3|2026-11-03T20:00:00.002Z|dAnna||delivered|t
                5|2026-11-03T20:00:00.000Z|ab54|org.example.news|replaced|result
                6|2026-11-03T20:00:00.001Z|ab54|org.example.mail|delivered|push-6

                """)
        let badges = try folder.shell("sqlite3 phone.db 'SELECT device, app, badge FROM badges'")
        #expect(badges.text == "ab54|org.example.mail|3\n")
        let payload = try folder.shell("sqlite3 phone.db \"SELECT payload FROM on_screen WHERE identifier = 'result'\"")
        #expect(payload.text == #"{"aps":{"alert":{"body":"98 of 98"}}}"# + "\n")
        #expect(try folder.shell("sqlite3 phone.db 'PRAGMA integrity_check'").text == "ok\n")
    }

    @Test func `a store can be read during a run`() throws {
        let folder = try filled()
        let output = try folder.shell(
            """
            { cat first.ndjson; pushpipe store list phone.db > list; cat second.ndjson; } |
            pushpipe run -q --store phone.db > report
            echo ${PIPESTATUS[@]}; wc -l < report; wc -l < list
            """)
        #expect(output.text.split(whereSeparator: \.isWhitespace) == ["0", "0", "6", "3"])
        #expect(output.stderr.isEmpty)
    }
}
