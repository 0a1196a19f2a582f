import PushDecoding
import PushFraming
import PushJSONSchema
import PushLintConfiguration
import PushModel
import Testing

@testable import PushLint

/// Payloads in the lines of logs are linted in place.
struct LogLineTests {
    private func lint(_ text: String, at pointer: String?, skipsPrefix: Bool = false) throws -> LintResult {
        var decoding = DecodingOptions()
        decoding.location = RecordLocation(pointer: pointer, skipsPrefix: skipsPrefix)
        return TextLinter(decoding: decoding, framing: .ndjson).lint(text)
    }

    /// The text that a finding is about.
    private func subject(_ finding: Diagnostic, in text: String) -> String {
        String(decoding: Array(text.utf8)[finding.range], as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"push":{"aps":{"badge":"2"}}}"#, "/push", false, #""2""#),
        (#"{"push":"{\"aps\":{\"badge\":\"2\"}}"}"#, "/push", false, #"\"2\""#),
        (#"{"log":"{\"push\":{\"aps\":{\"badge\":\"2\"}}}\n"}"#, "/log/push", false, #"\"2\""#),
        (#"pod-1 {"aps":{"badge":"2"}}"#, nil, true, #""2""#),
        (#"pod-1 {"push":{"aps":{"badge":"2"}}}"#, "/push", true, #""2""#),
    ])
    func `a finding is about the payload's place in the line`(
        _ line: String, _ pointer: String?, _ skipsPrefix: Bool, _ subject: String
    ) throws {
        let text = #"{"level":"info"}"# + "\n" + line + "\n"
        let result = try lint(text, at: pointer, skipsPrefix: skipsPrefix)
        let finding = try #require(result.diagnostics.first { $0.rule.id.text == "aps.badge-type" })
        #expect(self.subject(finding, in: text) == subject)
        #expect(finding.pointer == "/aps/badge")
        #expect(finding.record == 2)
        #expect(finding.edits.isEmpty)
    }

    @Test func `a line without a payload has no finding, and one that is not JSON has`() throws {
        let result = try lint("{\"level\":\"info\"}\n{\"level\":null}\n", at: "/push")
        #expect(result.diagnostics.isEmpty)
        #expect(result.located == 0)
        let broken = try lint("{\"push\":\n", at: "/push")
        #expect(broken.diagnostics.contains { $0.rule.id.text.hasPrefix("json.") })
        let text = try lint("{\"push\":\"sent\"}\n", at: "/push")
        #expect(text.diagnostics.contains { $0.rule.id.text.hasPrefix("json.") })
    }

    @Test func `a schema is inferred from payloads in logs`() throws {
        var options = LintOptions()
        options.decoding.location = RecordLocation(pointer: "/push")
        let sampler = SchemaSampler(options, .init())
        sampler.add(Array("{\"time\":1}\n{\"push\":{\"aps\":{},\"order\":7}}\n".utf8))
        #expect(sampler.count == 1)
        #expect(sampler.schema().contains("order"))
        #expect(!sampler.schema().contains("push"))
    }
}
