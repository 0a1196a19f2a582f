import Foundation
import Testing

/// `pushpipe run --devices` and `pushpipe devices`.
struct DeviceTests {
    private static let clock = ["--clock", "2026-11-03T20:00:00Z", "-q", "--report", "ndjson"]

    private func run(_ folder: Folder, _ arguments: [String], stdin: String = "") throws -> Output {
        try folder.pushpipe(arguments: ["run"] + Self.clock + arguments, stdin: Array(stdin.utf8))
    }

    private static let push = apns("Text")

    @Test func `a file of devices is registered before the first record, and takes no numbers`() throws {
        let folder = try Folder()
        try folder.write(
            #"{"device":"ab54","online":false}"# + "\n" + #"{"event":"device","device":"cd"}"# + "\n", to: "d.ndjson")
        let output = try run(folder, ["--devices", "d.ndjson"], stdin: Self.push)
        #expect(output.status == 0)
        #expect(try output.outcomes() == ["held"])
        #expect(try output.values("seq") == [.number(1)])
    }

    @Test(arguments: [
        (#"{"device":"ab54"}"# + "\n" + #"{"device":7}"#, "record 2, line 1, column 11: device must be a string"),
        (#"{"device":"ab54""#, "record 1, line 1"),
        (#"[1]"#, "record 1, line 1, column 1: a record must be a JSON object"),
        (#"{"online":true}"#, "record 1, line 1, column 1: a device event needs \"device\""),
    ])
    func `a file of devices that cannot be read is status 2, with the place`(contents: String, message: String) throws {
        let folder = try Folder()
        try folder.write(contents, to: "d.ndjson")
        let output = try run(folder, ["--devices", "d.ndjson"], stdin: Self.push)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("d.ndjson: \(message)"), "\(output.stderr)")
    }

    @Test func `a file of devices that is not there is status 2`() throws {
        let output = try run(try Folder(), ["--devices", "nowhere.ndjson"], stdin: Self.push)
        #expect(output.status == 2)
        #expect(output.stderr.contains("nowhere.ndjson: No such file or directory"))
    }

    @Test func `devices carry over to the next run on a store, and what they list registers them elsewhere`() throws {
        let folder = try Folder()
        let events = [
            #"{"event":"device","device":"ab54","app":"org.example.news","online":false,"state":"terminated"}"#,
            #"{"event":"device","device":"cd","platform":"android","authorization":"denied","alerts":false,"logged_in":true}"#,
            #"{"event":"device","device":"ee","unregistered_at":"2026-11-01T00:00:00Z","registration":"failed"}"#,
        ]
        #expect(try run(folder, ["--store", "a.db"], stdin: events.joined(separator: "\n")).status == 0)
        #expect(try run(folder, ["--store", "a.db"], stdin: Self.push).outcomes() == ["held"])

        let list = try folder.pushpipe("devices", "list", "a.db")
        #expect(try list.values("device") == [.string("ab54"), .string("cd"), .string("ee")])
        #expect(try list.values("state") == [.string("terminated"), .string("background"), .string("background")])
        try folder.write(Array(list.stdout), to: "d.ndjson")
        #expect(try run(folder, ["--store", "b.db", "--devices", "d.ndjson"], stdin: Self.push).outcomes() == ["held"])
        #expect(try folder.pushpipe("devices", "list", "b.db").stdout == list.stdout)
    }

    @Test func `the feedback is about tokens that have died since a time, and about those that another stands for`()
        throws
    {
        let folder = try Folder()
        let events = [
            #"{"event":"device","device":"aa","unregistered_at":"2026-11-01T00:00:00Z"}"#,
            #"{"event":"device","device":"bb","platform":"android","unregistered_at":"2026-11-02T00:00:00Z"}"#,
            #"{"event":"device","device":"old","platform":"android","canonical":"new"}"#,
            #"{"event":"device","device":"cc"}"#,
        ]
        _ = try run(folder, ["--store", "a.db"], stdin: events.joined(separator: "\n"))
        let all = try folder.pushpipe("devices", "feedback", "a.db")
        #expect(try all.values("device") == [.string("aa"), .string("bb"), .string("old")])
        #expect(try all.values("reason") == [.string("Unregistered"), .string("NotRegistered"), .string("replaced")])
        #expect(try all.values("timestamp") == [.number(1_793_491_200_000), .number(1_793_577_600_000), nil])
        let late = try folder.pushpipe("devices", "feedback", "--since", "2026-11-02T00:00:00Z", "a.db")
        #expect(try late.values("device") == [.string("bb"), .string("old")])
        #expect(try folder.pushpipe("devices", "feedback", "--since", "soon", "a.db").status == 2)
    }

    @Test func `what is held is listed, and goes on across runs`() throws {
        let folder = try Folder()
        _ = try run(
            folder, ["--store", "a.db"], stdin: #"{"event":"device","device":"ab54","online":false}"# + "\n" + Self.push
        )
        let held = try folder.pushpipe("devices", "held", "a.db")
        #expect(try held.values("seq") == [.number(2)])
        #expect(try folder.shell("sqlite3 a.db 'SELECT count(*) FROM held_messages'").text == "1\n")
        let back = try run(folder, ["--store", "a.db"], stdin: #"{"event":"device","device":"ab54","online":true}"#)
        #expect(try back.outcomes() == ["applied", "delivered"])
        #expect(try back.values("original") == [nil, .number(2)])
        #expect(try folder.pushpipe("devices", "held", "a.db").stdout.isEmpty)
    }

    @Test func `an export takes devices and what is held for them along`() throws {
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
        #expect(!hidden.text.contains("ab54"))
        #expect(!hidden.text.contains("note"))
    }

    @Test(arguments: [
        (#"{"installation":{"device":"a"}}"#, "platform is missing"), (#"{"held":7}"#, "held is not an object"),
        (#"{"held":{"seq":"1"}}"#, "seq is not a number"),
        (#"{"installation":{"colour":"red"}}"#, "no member \"colour\""),
    ])
    func `a line about a device that no export writes ends an import`(line: String, reason: String) throws {
        let output = try Folder().pushpipe("store", "import", "a.db", stdin: line + "\n")
        #expect(output.status == 2)
        #expect(output.stderr.contains(reason))
    }

    @Test func `a run that was taken up goes on with the clock as events had moved it`() throws {
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

    @Test func `the schema is JSON, and knows every event`() throws {
        let output = try Folder().pushpipe("devices", "schema")
        let schema = try JSONDecoder().decode(JSONValue.self, from: output.stdout)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        for name in ["device", "clock", "tap", "dismiss", "clear"] {
            #expect(output.text.contains(#"{"const": "\#(name)"}"#))
        }
    }

    @Test(arguments: [
        ["--unknown-devices", "reject"], ["--pushes-per-minute", "0"], ["--app-pushes-per-minute", "0"],
    ])
    func `a provider can be strict`(options: [String]) throws {
        #expect(try run(try Folder(), options, stdin: Self.push).outcomes() == ["rejected"])
    }

    @Test(arguments: [["--pushes-per-minute", "-1"], ["--unknown-devices", "maybe"], ["--devices", ""]])
    func `options that make no sense are status 2`(options: [String]) throws {
        #expect(try run(try Folder(), options, stdin: Self.push).status == 2)
    }
}
