import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushReports
import PushText
import Testing

/// Headings in the text of screens and of the journal.
struct ScreenHeadingTests {
    private static let token = String(repeating: "ab12cd34", count: 8)

    private func push(_ app: String, _ alert: String, to device: String = token) -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)"},"payload":{"aps":{"alert":"\#(alert)"}}}"#
    }

    private func screen(_ records: [String], columns: Int?) throws -> [String] {
        let store = MemoryStore()
        var configuration = PipelineConfiguration()
        // A millisecond for each record.
        configuration.clock = .fixed(milliseconds: 1_793_736_000_000)
        try Pipeline(configuration, deliveringTo: store).process(records.joined(separator: "\n")) { _ in }
        var text = ""
        try ScreenReport(style: TextStyle(hasColors: false, columns: columns)).write(store) { text += $0 }
        return text.split(separator: "\n").map(String.init)
    }

    private func headings(_ records: [String], columns: Int?) throws -> [String] {
        try screen(records, columns: columns).filter { !$0.hasPrefix(" ") }
    }

    @Test func `a token is written once, and shortened where it has no room`() throws {
        let records = [push("org.example.news", "One"), push("org.example.chat", "Two")]
        let chat = "org.example.chat  1 on screen"
        #expect(
            try headings(records, columns: nil) == [
                "\(Self.token)  \(chat)", "ab12cd34…cd34  org.example.news  1 on screen",
            ])
        #expect(try headings(records, columns: 80).first == "ab12cd34…cd34  \(chat)")
        #expect(try headings(records, columns: 64 + 2 + chat.count).first == "\(Self.token)  \(chat)")
        // Another device is named anew.
        let other = try headings(records + [push("org.example.chat", "Two", to: "ab54")], columns: nil)
        #expect(other.last == "ab54  org.example.chat  1 on screen")
    }

    @Test func `the app with the newest notification comes first`() throws {
        let apps = ["news", "chat", "mail", "chat", "news"]
        let records = apps.map { push($0, "Text", to: "ab54") }
        let found = try headings(records, columns: nil).compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(found == ["news", "chat", "mail"])
    }

    @Test(arguments: [
        (#"{"home":2,"away":1,"minute":"67"}"#, "home: 2, away: 1, minute: 67"),
        (#"{"list":[1,{"a":null}],"ends":null,"is":true}"#, #"list: [1,{"a":null}], ends: null, is: true"#),
        ("{}", "{}"), ("[1]", "[1]"), ("no JSON", "no JSON"),
    ])
    func `the content of a Live Activity is read as names and values`(json: String, line: String) {
        #expect(ContentText.line(json) == line)
    }

    private func journal(columns: Int?, app: String = "org.example.sport") -> [String] {
        var report = JournalReport(style: TextStyle(hasColors: false, columns: columns), form: .text)
        // 2026-11-03 at 20:00, twice, and the next day.
        let times: [Int64] = [1_793_736_000_000, 1_793_736_000_120, 1_793_822_400_000]
        var out = ByteBuffer()
        for (number, at) in times.enumerated() {
            report.append(
                JournalEntry(
                    seq: UInt64(number + 1), at: at, device: Self.token, app: app, kind: .delivered,
                    identifier: "activity-\(number + 1)"), to: &out)
        }
        return String(decoding: out.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a line of the journal has room in eighty columns`() {
        let lines = journal(columns: 80)
        let rest = "delivered   ab12cd34…cd34  org.example.sport  activity-"
        #expect(
            lines == [
                "2026-11-03", "20:00:00.000       1  \(rest)1", "20:00:00.120       2  \(rest)2", "2026-11-04",
                "20:00:00.000       3  \(rest)3",
            ])
        let long = journal(columns: 80, app: "org.example.an-app-with-a-long-name")
        #expect(long.count == 5 && long.allSatisfy { TerminalText.width($0) <= 80 }, "\(long)")
        // Elsewhere each line has its date, for programs that read it.
        #expect(journal(columns: nil).first?.hasPrefix("2026-11-03T20:00:00.000Z       1  delivered") == true)
        #expect(journal(columns: nil).count == 3)
    }
}
