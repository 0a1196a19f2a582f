import PushDevices
import PushPipeline
import PushReports
import PushText
import Testing

/// The number on an icon is seen wherever screens are shown.
struct IconNumberTests {
    private func store(_ records: [String]) throws -> MemoryStore {
        let store = MemoryStore()
        try Pipeline(PipelineConfiguration(), deliveringTo: store).process(records.joined(separator: "\n")) { _ in }
        return store
    }

    private func push(_ app: String, _ aps: String, to device: String = "ab54") -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)"},"payload":{"aps":{\#(aps)}}}"#
    }

    private func headings(_ store: MemoryStore, device: String? = nil) throws -> [String] {
        var text = ""
        try ScreenReport(style: TextStyle(hasColors: false, columns: nil)).write(store, device: device) { text += $0 }
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix(" ") }
    }

    @Test func `a screen as text has the number, and so has an app without notifications`() throws {
        let store = try store([
            push("mail", #""alert":"Text","badge":2"#), push("mail", #""badge":3"#), push("chat", #""badge":4"#),
            push("zero", #""badge":0"#), push("news", #""alert":"Text""#, to: "cd"),
        ])
        #expect(
            try headings(store) == [
                "ab54  mail  1 on screen, badge 3", "cd  news  1 on screen", "ab54  chat  0 on screen, badge 4",
            ])
        #expect(try headings(store, device: "cd") == ["cd  news  1 on screen"])
    }

    @Test func `a number alone is something on the screen, and 0 is not`() throws {
        #expect(try headings(store([push("chat", #""badge":4"#)])) == ["ab54  chat  0 on screen, badge 4"])
        #expect(try headings(store([push("chat", #""badge":0"#)])) == ["nothing on screen"])
    }

    @Test func `lines say the numbers that the newest notification of an app does not have`() throws {
        let store = try store([
            push("mail", #""alert":"Text","badge":2"#), push("news", #""alert":"Text","badge":1"#),
            push("mail", #""alert":"Text""#), push("chat", #""badge":4"#),
        ])
        var numbers = try IconNumbers(store, device: nil, app: nil)
        for notification in try store.notifications().reversed() { numbers.show(notification) }
        #expect(numbers.rest.map { "\($0.app) \($0.number)" } == ["mail 2", "chat 4"])
    }
}
