import PushDevices
import PushJSON
import PushModel
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// Lines that no export has. Nothing is imported then.
struct BadExportTests {
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
        (notification("\"colour\":1"), "no member \"colour\""), (notification("\"seq\":1"), "seq appears twice"),
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
        (#"{"export":2,"last_sequence":1}"#, "an export of another version"),
        (#"{"export":1,"last_sequence":1}"#, "another export begins"), (#"{"export":1}"#, "another export begins"),
        (#"{"end":true,"seq":1}"#, "seq has no place"),
        (#"{"installation":{"device":"a"}}"#, "platform is missing"), (#"{"held":7}"#, "held is not an object"),
        (#"{"held":{"seq":"1"}}"#, "seq is not a number"),
        (#"{"installation":{"colour":"red"}}"#, "no member \"colour\""),
    ]

    private func add(_ export: String, to store: SQLiteStore, _ folder: TemporaryFolder) throws {
        try folder.write(export, to: "export")
        let file = try FileDescriptor.open(folder("export"), .readOnly)
        defer { file.close() }
        var counts = ImportCounts()
        try store.importing { try $0.add(exportFrom: file, &counts) }
    }

    @Test(arguments: badLines.indices)
    func `a bad line is told by its place, and nothing is imported`(index: Int) throws {
        let (line, reason) = Self.badLines[index]
        let folder = try TemporaryFolder()
        let good = #"{"export":1,"last_sequence":90}"# + "\n\n" + Self.notification() + "\n"
        for name in ["s.db", "new.db"] {
            let store = try SQLiteStore(path: folder(name))
            if name == "s.db" { try store.run([apns(collapseID: "i", body: "before")]) }
            let before = (try store.notifications(), try store.events(), try store.lastSequence)
            let failure = #expect(throws: PlainError.self) {
                try add(good + line + "\n" + #"{"end":true}"# + "\n", to: store, folder)
            }
            #expect(failure?.line == 4)
            #expect(failure?.message.contains(reason) == true, "\(String(describing: failure))")
            #expect(failure?.message.contains("\n") == false)
            #expect(try store.notifications() == before.0)
            #expect(try store.events() == before.1)
            #expect(try store.lastSequence == before.2)
        }
    }

    @Test func `an export whose end is missing is not imported`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let cut = #"{"export":1,"last_sequence":90}"# + "\n" + Self.notification() + "\n"
        let failure = #expect(throws: PlainError.self) { try add(cut, to: store, folder) }
        #expect(failure?.line == 2)
        #expect(failure?.message.hasPrefix("the export ends before its last line") == true)
        #expect(try store.notifications().isEmpty)
        let twice = #expect(throws: PlainError.self) { try add(cut + cut, to: store, folder) }
        #expect(twice?.line == 3)
        #expect(twice?.message.hasPrefix("another export begins") == true)
    }

    @Test func `a line without a line feed is a line`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try add("\n \t\r\n" + Self.notification(), to: store, folder)
        #expect(try store.notifications().map(\.identifier) == ["i"])
    }
}
