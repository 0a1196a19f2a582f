import Foundation
import TestSupport
import Testing

/// `pushpipe run --devices` and `pushpipe devices`.
struct DeviceTests {
    private static let clock = ["--clock", "2026-11-03T20:00:00Z", "-q", "--format", "ndjson"]

    private func run(_ folder: Folder, _ arguments: [String], stdin: String = "") throws -> Output {
        try folder.pushpipe(arguments: ["run"] + Self.clock + arguments, stdin: Array(stdin.utf8))
    }

    private static let push = apns("Text")

    @Test func `a devices file is registered before the first record and uses no record numbers`() throws {
        let folder = try Folder()
        try folder.write(
            #"{"device":"ab54","online":false}"# + "\n" + #"{"event":"device","device":"cd"}"# + "\n", to: "d.ndjson")
        let output = try run(folder, ["--devices", "d.ndjson"], stdin: Self.push)
        #expect(output.status == 0)
        #expect(try output.outcomes() == ["held"])
        #expect(try output.values("seq") == [.number(1)])
    }

    @Test(arguments: [
        (#"{"device":"ab54"}"# + "\n" + #"{"device":7}"#, "2:11: device must be a string"),
        (#"{"device":"ab54""#, "1:"),
        (#"[1]"#, "1:1: a record must be a JSON object"),
        (#"{"online":true}"#, "1:1: a device event needs \"device\""),
    ])
    func `an unreadable devices file is status 2 and reports the line`(contents: String, message: String) throws {
        let folder = try Folder()
        try folder.write(contents, to: "d.ndjson")
        let output = try run(folder, ["--devices", "d.ndjson"], stdin: Self.push)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("d.ndjson:\(message)"), "\(output.stderr)")
    }

    @Test func `a store without registered devices says where its others are`() throws {
        let folder = try Folder()
        _ = try run(folder, ["--store", "s.db"], stdin: Self.push)
        for format in ["text", "ndjson"] {
            let list = try folder.pushpipe("store", "devices", "s.db", "--format", format)
            #expect(list.status == 0 && list.stdout.isEmpty)
            #expect(list.stderr.hasPrefix("pushpipe: no device is registered; pushpipe store list"))
        }
        _ = try run(folder, ["--store", "s.db"], stdin: #"{"event":"device","device":"cd"}"#)
        let list = try folder.pushpipe("store", "devices", "s.db", "--format", "text")
        #expect(list.lines.count == 2 && list.stderr.isEmpty)
    }

    @Test func `a missing devices file is status 2`() throws {
        let output = try run(try Folder(), ["--devices", "nowhere.ndjson"], stdin: Self.push)
        #expect(output.status == 2)
        #expect(output.stderr.contains("nowhere.ndjson: No such file or directory"))
    }

    // Documentation/reference/events.md gives the order of the reasons, and which pushes have none.
    @Test func `notifications that a preferences file turns off are not shown`() throws {
        let folder = try Folder()
        let sport = #"{"Anna":{"primaryWiki":"en","wikis":{"en":{"on":["sport"]}}}}"#
        try folder.write(
            """
            {"version":1,"devices":{
              "a1":{"account":"Anna","permission":"authorized","registration":"registered","accounts":\(sport)},
              "a2":{"permission":"authorized","registration":"registered"},
              "a3":{"account":"Anna","accounts":\(sport),"permission":"denied","registration":"failed","registrationError":"off"},
              "a4":{"account":"Anna","accounts":\(sport),"permission":"authorized","registration":"under-way"},
              "a5":{"account":"Anna","accounts":\(sport),"permission":"authorized","registration":"failed","registrationError":"off"},
              "a6":{"account":"Anna","accounts":\(sport),"permission":"provisional","registration":"registered","alerts":false}}}
            """, to: "p.json")
        try folder.write("preferences: {mapping: [{at: category}]}", to: "app.yml")
        try folder.write("wikimedia: {preferences: p.json}", to: "gateway.yml")
        let pushes = ["a1", "a1", "a1", "a2", "a3", "a4", "a5", "a6", "a7"].enumerated().map { index, device in
            let category = index == 0 ? #","category":"sport""# : index == 1 ? #","category":"weather""# : ""
            return #"{"device":"\#(device)","payload":{"aps":{"alert":"Hi"\#(category)}}}"#
        }
        let output = try run(
            folder, ["--config", "gateway.yml", "--set", "wikimedia.mapping=app.yml"],
            stdin: pushes.joined(separator: "\n"))
        #expect(
            try output.values("reason").map { $0?.string ?? "" } == [
                "", "type-off", "", "logged-out", "denied", "not-registered", "registration-failed", "alerts-off", "",
            ])
        // Without a mapping no push has a type.
        #expect(try run(folder, ["--config", "gateway.yml"], stdin: pushes[1]).outcomes() == ["delivered"])
    }

    @Test func `the store takes a device's preferences from the preferences file`() throws {
        let folder = try Folder()
        try folder.write("preferences: {types: [mention, cx]}", to: "app.yml")
        let set = [
            "preferences", "set", "mention", "on", "--preferences", "p.json", "--device", "ab54", "--account", "Anna",
            "--mapping", "app.yml",
        ]
        #expect(try folder.pushpipe(arguments: set).status == 0)
        try folder.write("wikimedia: {preferences: p.json}", to: "gateway.yml")
        #expect(
            try run(folder, ["--config", "gateway.yml", "--store", "a.db"], stdin: Self.push).outcomes() == [
                "delivered"
            ])
        let list = try folder.pushpipe("store", "devices", "a.db").json()
        #expect(list.map { $0["types"] } == [.array([.string("mention")])])
        #expect(list.map { $0["logged_in"] } == [.bool(true)])
    }

    @Test(arguments: [
        ("{", "p.json:1:2: "), (#"{"devices":7}"#, "p.json:1:12: "), (nil, "p.json: No such file or directory"),
    ])
    func `an unreadable preferences file is status 2 and creates no store`(
        contents: String?, message: String
    ) throws {
        let folder = try Folder()
        if let contents { try folder.write(contents, to: "p.json") }
        try folder.write("wikimedia: {preferences: p.json}", to: "gateway.yml")
        let output = try run(folder, ["--config", "gateway.yml", "--store", "a.db"], stdin: Self.push)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains(message), "\(output.stderr)")
        #expect(try folder.pushpipe("store", "devices", "a.db").status == 2)
    }

    @Test func `devices persist in a store, and a list of them registers them in another`() throws {
        let folder = try Folder()
        let event = #"{"event":"device","device":"ab54","app":"org.example.news","online":false,"state":"terminated"}"#
        #expect(try run(folder, ["--store", "a.db"], stdin: event).status == 0)
        #expect(try run(folder, ["--store", "a.db"], stdin: Self.push).outcomes() == ["held"])
        let list = try folder.pushpipe("store", "devices", "a.db")
        #expect(try list.values("device") == [.string("ab54")])
        try folder.write(Array(list.stdout), to: "d.ndjson")
        #expect(try run(folder, ["--store", "b.db", "--devices", "d.ndjson"], stdin: Self.push).outcomes() == ["held"])
        #expect(try folder.pushpipe("store", "devices", "b.db").stdout == list.stdout)
    }

    @Test func `feedback lists tokens that have become invalid since a given time`() throws {
        let folder = try Folder()
        let events = [
            #"{"event":"device","device":"aa","unregistered_at":"2026-11-01T00:00:00Z"}"#,
            #"{"event":"device","device":"bb","unregistered_at":"2026-11-02T00:00:00Z"}"#,
        ]
        _ = try run(folder, ["--store", "a.db"], stdin: events.joined(separator: "\n"))
        func feedback(_ since: String) throws -> Output {
            try folder.pushpipe("store", "feedback", "--since", since, "a.db")
        }
        #expect(try feedback("0").values("device") == [.string("aa"), .string("bb")])
        #expect(try feedback("2026-11-02T00:00:00Z").values("device") == [.string("bb")])
        #expect(try feedback("soon").status == 2)
    }

    @Test func `tokens of a devices file are swept like those of the stream`() throws {
        let folder = try Folder()
        try folder.write(#"{"device":"ab55","confirmed":false}"#, to: "d.ndjson")
        try folder.write("airnotifier:\n  token-life-cycle: true\n", to: "gateway.yml")
        for store in [[], ["--store", "a.db"]] {
            let output = try run(
                folder, ["--devices", "d.ndjson", "--config", "gateway.yml"] + store,
                stdin: #"{"event":"clock","advance":"2h"}"#)
            #expect(try output.values("event") == [.string("clock"), .string("token_deleted")], "\(store)")
        }
    }

    @Test func `a mistake in the file of --config has its place and a suggestion`() throws {
        let folder = try Folder()
        try folder.write("wikimedia:\n  flush-dely: 5m\n", to: "gateway.yml")
        for command in ["serve", "run"] {
            let output = try folder.pushpipe(command, "--config", "gateway.yml", stdin: Self.push)
            #expect(output.status == 2 && output.stdout.isEmpty)
            #expect(
                output.stderr
                    == "pushpipe: gateway.yml:2:3: wikimedia has no key 'flush-dely'; did you mean flush-delay?\n")
        }
        let schema = try folder.pushpipe("config", "schema").text
        #expect(schema.contains("https://json-schema.org/draft/2020-12/schema") && schema.contains("flush-delay"))
    }

    @Test func `an unknown member in a devices file is reported too`() throws {
        let folder = try Folder()
        try folder.write(#"{"device":"ab"}"# + "\n" + #"{"device":"ab","onlin":false}"#, to: "d.ndjson")
        let output = try run(folder, ["--devices", "d.ndjson"], stdin: Self.push)
        #expect(output.status == 0)
        #expect(
            output.stderr
                == "pushpipe: warning: d.ndjson:2: /onlin: a device event has no member \"onlin\"; "
                + "did you mean \"online\"?\n"
        )
    }

    @Test func `a malformed devices file is not reported as a report failure`() throws {
        let folder = try Folder()
        try folder.write("[1]", to: "d.ndjson")
        let output = try run(folder, ["--devices", "d.ndjson", "--store", "a.db"], stdin: Self.push)
        #expect(output.status == 2)
        #expect(!output.stderr.contains("reported"), "\(output.stderr)")
    }

    @Test func `queued messages are listed and persist across runs`() throws {
        let folder = try Folder()
        _ = try run(
            folder, ["--store", "a.db"], stdin: #"{"event":"device","device":"ab54","online":false}"# + "\n" + Self.push
        )
        let held = try folder.pushpipe("store", "held", "a.db")
        #expect(try held.values("seq") == [.number(2)])
        #expect(try folder.shell("sqlite3 a.db 'SELECT count(*) FROM held_messages'").text == "1\n")
        let back = try run(folder, ["--store", "a.db"], stdin: #"{"event":"device","device":"ab54","online":true}"#)
        #expect(try back.outcomes() == ["applied", "delivered"])
        #expect(try back.values("original") == [nil, .number(2)])
        #expect(try folder.pushpipe("store", "held", "a.db").stdout.isEmpty)
    }

    @Test func `an export includes devices and their queued messages`() throws {
        let folder = try Folder()
        let events = [
            #"{"event":"device","device":"ab54","app":"org.example.news","online":false}"#,
            #"{"event":"device","device":"cd","state":"foreground","will_present":["list"],"types":["mention"]}"#,
            #"{"event":"open","device":"cd","screen":"note","kind":"editor"}"#,
        ]
        _ = try run(folder, ["--store", "a.db"], stdin: (events + [Self.push]).joined(separator: "\n"))
        let export = try folder.pushpipe("store", "export", "--events", "a.db")
        #expect(try folder.pushpipe("store", "import", "b.db", stdin: export.stdout).status == 0)
        #expect(try folder.pushpipe("store", "export", "--events", "b.db").stdout == export.stdout)
        let later = [
            #"{"event":"back","device":"cd"}"#, #"{"event":"device","device":"ab54","online":true}"#,
        ]
        let original = try run(folder, ["--store", "a.db"], stdin: later.joined(separator: "\n"))
        #expect(try original.outcomes() == ["applied", "applied", "delivered"])
        #expect(try run(folder, ["--store", "b.db"], stdin: later.joined(separator: "\n")).stdout == original.stdout)

        let hidden = try folder.pushpipe("store", "export", "--events", "--redact", "all", "a.db")
        // In quotes: hashes have digits like these by chance.
        #expect(!hidden.text.contains(#""ab54""#))
        #expect(!hidden.text.contains("note"))
    }

    @Test func `a resumed run keeps the clock as events moved it`() throws {
        let folder = try Folder()
        let records = [
            #"{"event":"device","device":"ab54","online":false}"#, Self.push.trimmingCharacters(in: .newlines),
            #"{"event":"clock","advance":"29d"}"#,
        ]
        try folder.write(records.joined(separator: "\n") + "\n", to: "in.ndjson")
        _ = try run(folder, ["--store", "a.db", "in.ndjson"])
        try folder.write(
            (records + [#"{"event":"clock","advance":"1d"}"#]).joined(separator: "\n") + "\n", to: "in.ndjson")
        let rest = try run(folder, ["--store", "a.db", "--resume", "in.ndjson"])
        #expect(try rest.outcomes() == ["applied", "expired"])
    }

    @Test func `a resumed run continues the minutes in which pushes are counted, and another begins new ones`() throws {
        let folder = try Folder()
        let limit = ["--store", "a.db", "--clock", "2026-11-03T20:00:00Z", "--set", "limits.pushes-per-minute=2"]
        try folder.write(Self.push + Self.push, to: "in.ndjson")
        #expect(try run(folder, limit + ["in.ndjson"]).outcomes() == ["delivered", "delivered"])
        try folder.write(Self.push + Self.push + Self.push, to: "in.ndjson")
        #expect(try run(folder, limit + ["--resume", "in.ndjson"]).outcomes() == ["rejected"])
        #expect(try run(folder, limit + ["in.ndjson"]).outcomes() == ["delivered", "delivered", "rejected"])
    }

    @Test func `the schema is JSON and describes every event`() throws {
        let output = try Folder().pushpipe("schema", "events")
        let schema = try JSONDecoder().decode(JSONValue.self, from: output.stdout)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        for name in ["device", "clock", "tap", "dismiss", "clear"] {
            #expect(output.text.contains(#"{"const": "\#(name)"}"#))
        }
    }

    @Test(arguments: [
        ["--set", "devices.unknown=reject"], ["--set", "limits.pushes-per-minute=0"],
        ["--set", "limits.app-pushes-per-minute=0"],
    ])
    func `a provider can be strict`(options: [String]) throws {
        #expect(try run(try Folder(), options, stdin: Self.push).outcomes() == ["rejected"])
    }

    @Test(arguments: [
        ["--set", "limits.pushes-per-minute=-1"], ["--set", "devices.unknown=maybe"], ["--devices", ""],
    ])
    func `invalid options are status 2`(options: [String]) throws {
        #expect(try run(try Folder(), options, stdin: Self.push).status == 2)
    }
}
