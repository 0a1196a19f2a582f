import PushDecoding
import PushFraming
import PushJSON
import PushPipeline
import PushReports
import PushText
import Testing

/// The text report, on a terminal that a payload must not control.
struct TextReportTests {
    private func text(
        _ input: String, hasColors: Bool = false, columns: Int? = nil,
        _ change: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> String {
        let writer = TextReport(style: TextStyle(hasColors: hasColors, columns: columns))
        var out = ByteBuffer()
        try Pipeline(configuration(change)).process(input) { writer.append($0, to: &out) }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test func `each message has a line, and each finding one below it`() throws {
        let text = try text(
            """
            {"aps":{"alert":"a","alert":"b"}}
            {"registration_ids":["one","t w o"],"notification":{"title":"Goal"}}
            {
            """)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").first.map(String.init) }
        #expect(lines == ["1", "warning", "2.0", "2.1", "error", "3"])
        #expect(text.contains("/aps/alert"))
        #expect(text.contains("json.duplicate-key"))
        #expect(text.contains("200 InvalidRegistration"))
        #expect(text.contains("line 1, column 2"))
    }

    @Test func `a line about what an app posts has its identifier, and what it replaces`() throws {
        let post = #"{"event":"post","device":"pixel","app":"org.example.chat","title":"Hi","tag":"chat-7"}"#
        let lines = try text([post, post].joined(separator: "\n")).split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(
            lines == [
                ["1", "applied", "post", "pixel", "org.example.chat", "chat-7"],
                ["2", "applied", "post", "pixel", "org.example.chat", "chat-7", "replaces", "1"],
            ])
    }

    @Test func `a line says why no extension was started, and the summary how often`() throws {
        let text = try text(apns("1")) { $0.decoding.replacementKey = "id" }
        #expect(text.hasSuffix("  no extension: not-mutable  1\n"))
        let pipeline = Pipeline(configuration { $0.decoding.replacementKey = "id" })
        try pipeline.process([apns("1"), apns("2"), #"{"aps":{"badge":1}}"#].joined(separator: "\n")) { _ in }
        let summary = SummaryText.lines(pipeline.summary, seconds: 1)
        #expect(summary.hasSuffix("extension not started 3: no-alert 1, not-mutable 2\n"))
    }

    @Test func `a line states the outcome of the message`() throws {
        let text = try text([apns("1", collapse: "r"), apns("2", collapse: "r")].joined(separator: "\n"))
        let bytes = payload("1").utf8.count
        let words = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(
            words == [
                ["1", "delivered", "apns", "ab54", "\(bytes)/4096", "r", "1"],
                ["2", "replaced", "apns", "ab54", "\(bytes)/4096", "r", "replaces", "1", "2"],
            ])
    }

    @Test func `a line ends with the text on the screen`() throws {
        let push = #"{"aps":{"alert":{"title":"Rovers – United","subtitle":"Goal","body":"2–0\n(Lind, 41′)"}}}"#
        let silent = #"{"aps":{"content-available":1}}"#
        let text = try text([push, silent].joined(separator: "\n"))
        let lines = text.split(separator: "\n")
        #expect(lines[0].hasSuffix("  push-1  Rovers – United · Goal · 2–0 (Lind, 41′)"))
        #expect(lines[1].hasSuffix("200 background"))
    }

    @Test func `on a terminal the text is shortened to the rest of the line`() throws {
        let push = #"{"aps":{"alert":"Your parcel has left the warehouse in Hamburg"}}"#
        let line = "     1  delivered apns    default        \(push.utf8.count)/4096    push-1"
        #expect(try text(push, columns: 100) == "\(line)  Your parcel has left the warehouse in H…\n")
        // With fewer than 30 columns it goes on below.
        #expect(try text(push, columns: 80) == "\(line)\n        Your parcel has left the warehouse in Hamburg\n")
    }

    @Test func `findings and notes go on below`() throws {
        let found = try text(#"{"aps":{"alert":"a","alert":"b"}}"# + "\n{", columns: 60).split(separator: "\n")
        #expect(found.allSatisfy { TerminalText.width(String($0)) <= 60 })
        #expect(found.contains { $0.hasPrefix("          ") })
    }

    /// Escape sequences, other control characters of both sets, line separators, and bidirectional controls.
    private static let disturbing: [Unicode.Scalar] = [
        "\u{0}", "\u{7}", "\u{8}", "\u{9}", "\u{A}", "\u{D}", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{9B}",
        "\u{9F}", "\u{200E}",
        "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
    ]

    @Test(arguments: disturbing)
    func `no character that disturbs a terminal is passed through`(_ scalar: Unicode.Scalar) throws {
        let hex = String(scalar.value, radix: 16)
        let escape = "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        let text = "a\(escape)[31mb"
        let input = [
            // As device, identifier, member name in a pointer, and quoted value in a message.
            #"{"device":"\#(text)","headers":{},"payload":{"aps":{"alert":"x"}}}"#,
            #"{"message":{"token":"t","android":{"notification":{"title":"x","tag":"\#(text)"}}}}"#,
            #"{"aps":{"alert":"x"},"\#(text)":1,"\#(text)":2}"#,
            #"{"provider":"\#(text)"}"#,
            #"{"to":"\#(text)","notification":{"title":"x"}}"#,
            #"{"message":{"topic":"\#(text)"}}"#,
        ].joined(separator: "\n")
        let written = try self.text(input)
        let disturbing = Set(Self.disturbing).subtracting(["\n"])
        #expect(written.unicodeScalars.allSatisfy { !disturbing.contains($0) }, "\(readable(written.utf8))")
        #expect(written.contains("\\u{\(hex)}"))
        // A line feed in a text would start a new line.
        let lines = written.split(separator: "\n")
        #expect(lines.allSatisfy { $0.first == " " }, "\(written)")
    }

    /// An error message names the character that it found.
    @Test func `the raw bytes of a malformed record are not passed through`() throws {
        for scalar in Self.disturbing where scalar != "\n" {
            for broken in ["{\"aps\":\(scalar)}", "\(scalar)", "{\"\(scalar)", "{\"a\":\"\\\(scalar)\"}"] {
                let written = try text(broken) { $0.framing = .ndjson }
                let disturbing = Set(Self.disturbing).subtracting(["\n"])
                #expect(written.unicodeScalars.allSatisfy { !disturbing.contains($0) }, "\(readable(written.utf8))")
            }
        }
    }

    @Test func `colors are used only on request`() throws {
        let input = [
            apns("1", collapse: "r"), apns("2", collapse: "r"), apns("x", device: "xyz"), "{", #"{"aps":{}}"#,
            #"{"aps":{"alert":"a","alert":"b"}}"#,
        ].joined(separator: "\n")
        let plain = try text(input)
        let coloured = try text(input, hasColors: true)
        #expect(!plain.contains("\u{1B}"))
        #expect(coloured.contains("\u{1B}[32m"))
        #expect(coloured.contains("\u{1B}[31m"))
        // Without the color sequences the texts are the same.
        var stripped = coloured
        for code in ["0", "1", "2", "31", "32", "33", "36"] {
            stripped = stripped.split(separator: "\u{1B}[\(code)m", omittingEmptySubsequences: false).joined()
        }
        #expect(stripped == plain)
    }

    @Test func `a long token is shown as its beginning and its end`() throws {
        let token = "0123456789abcdef0123456789abcdef"
        let written = try text(apns("x", device: token))
        #expect(written.contains("01234567…cdef"))
        #expect(!written.contains(token))
        #expect(TextStyle.shortened("0123456789abc") == "0123456789abc")
        #expect(TextStyle.shortened("0123456789abcd") == "01234567…abcd")
    }
}
