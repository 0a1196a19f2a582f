import PushDecoding
import PushModel
import Testing

@testable import PushLint

/// `lint --fix --fit`: texts are shortened as `run --fit` shortens them.
struct FitFixTests {
    private func fix(_ text: String, fits: Bool = true, _ decoding: DecodingOptions = DecodingOptions()) -> FixResult {
        var options = LintOptions(decoding: decoding)
        if fits { options.fitting = TextFitting() }
        return TextLinter(LintConfiguration(), options).fix(text)
    }

    private static let long = String(repeating: "ü", count: 3000)

    @Test func `a body that is too long is cut to the limit, and nothing else changes`() {
        let record = #"{"payload" : {"aps":{"alert":{"title":"Result","body":"\#(Self.long)"}}}}"#
        let result = fix(record)
        #expect(result.fixed == 1)
        #expect(result.remaining.diagnostics.isEmpty)
        #expect(result.text.hasPrefix(#"{"payload" : {"aps":{"alert":{"title":"Result","body":"üü"#))
        #expect(result.text.hasSuffix(#"üü…"}}}}"#))
        let payload = result.text.dropFirst(#"{"payload" : "#.count).dropLast()
        #expect((4095...4096).contains(payload.utf8.count))
    }

    @Test func `without the option the text stays`() {
        let record = #"{"aps":{"alert":"\#(Self.long)"}}"#
        let result = fix(record, fits: false)
        #expect(result.text == record)
        #expect(result.remaining.diagnostics.map(\.rule.id.text) == ["apns.payload-too-large"])
    }

    @Test func `texts inside strings are cut there`() {
        let record = #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"\#(Self.long)\"}}"}"#
        let result = fix(record)
        #expect(result.remaining.diagnostics.isEmpty, "\(result.remaining.diagnostics.map(\.message))")
        #expect(result.text.hasSuffix(#"ü…\"}}"}"#))
        let escaped =
            #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"\#(String(repeating: #"\\u00fc"#, count: 900))\"}}"}"#
        let fixed = fix(escaped)
        #expect(fixed.remaining.diagnostics.isEmpty, "\(fixed.remaining.diagnostics.map(\.message))")
        #expect(fixed.text.hasSuffix(#"\\u00fc\\u2026\"}}"}"#))
    }

    @Test func `texts for Android are cut where they stand`() {
        let record =
            #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","notification":{"title":"Result","body":"\#(Self.long)"}}}"#
        let result = fix(record)
        #expect(result.remaining.diagnostics.isEmpty, "\(result.remaining.diagnostics.map(\.message))")
        #expect(result.text.hasSuffix(#"ü…"}}}"#))
    }

    @Test func `what has no text to cut stays, and is reported`() {
        let record = #"{"aps":{"alert":"Hi"},"data":"\#(Self.long)"}"#
        let result = fix(record)
        #expect(result.text == record)
        #expect(result.remaining.diagnostics.map(\.rule.id.text) == ["apns.payload-too-large"])
    }

    // MARK: - Priority

    /// Apple, "Pushing background updates to your App": the priority is 5.
    @Test(arguments: [
        (
            #"{"headers":{"apns-topic":"org.example.news","apns-push-type":"background"},"payload":{"aps":{"content-available":1}}}"#,
            #"{"headers":{"apns-topic":"org.example.news","apns-push-type":"background","apns-priority":"5"},"payload":{"aps":{"content-available":1}}}"#
        ),
        (
            "{\n  \"headers\": {\n    \"apns-topic\": \"org.example.news\",\n    \"apns-push-type\": \"background\"\n  },\n  \"payload\": {\"aps\": {\"content-available\": 1}}\n}\n",
            "{\n  \"headers\": {\n    \"apns-topic\": \"org.example.news\",\n    \"apns-push-type\": \"background\",\n    \"apns-priority\": \"5\"\n  },\n  \"payload\": {\"aps\": {\"content-available\": 1}}\n}\n"
        ),
    ])
    func `a background push gets its priority, set like the header before it`(record: String, fixed: String) {
        #expect(fix(record, fits: false).text == fixed)
    }

    // MARK: - Relaxed reading

    /// Moodle's form of 2013.
    private static let moodle =
        "{type:'moodle_forumpost',userfrom:'Anna',alert:'Week 3: the reading list is online.',}\n"

    @Test func `a form that is not quite JSON is measured and linted when asked`() throws {
        var options = DecodingOptions()
        options.acceptsRelaxedJSON = true
        let report = try #require(Linter(options).budgets(of: Self.moodle).first)
        #expect(report.limit == 256)
        #expect(report.bytes > 0 && report.left > 0)
        #expect(report.entries.contains { $0.pointer == "/aps/alert" })
        #expect(Linter(options).lint(Self.moodle).map(\.rule.id.text) == ["json.relaxed"])
        #expect(Linter().lint(Self.moodle).contains { $0.rule.severity == .error })
        #expect(Linter().budgets(of: Self.moodle).isEmpty)
    }

    @Test func `a member says what to ignore then, too`() {
        var options = DecodingOptions()
        options.acceptsRelaxedJSON = true
        func found(_ rule: String) -> [String] {
            let record = "{aps:{alert:'Hi',mutable_content:1},'pushpipe-ignore':['\(rule)']}"
            return Linter(options).lint(record).map(\.rule.id.text)
        }
        #expect(found("aps") == ["json.relaxed"])
        #expect(found("gcm") == ["json.relaxed", "aps.misspelled-key", "config.unused-suppression"])
    }

    @Test func `what is found then is located in the record as written`() throws {
        var options = DecodingOptions()
        options.acceptsRelaxedJSON = true
        let record = "{aps:{alert:'Hi','badge':'3'}}"
        let badge = try #require(Linter(options).lint(record).first { $0.pointer == "/aps/badge" })
        let bytes = Array(record.utf8)
        #expect(String(decoding: bytes[badge.range], as: UTF8.self) == "'3'")
        #expect(badge.edits.isEmpty)
    }
}
