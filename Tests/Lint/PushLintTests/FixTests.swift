import PushModel
import PushWorkload
import Testing

@testable import PushLint
@testable import PushLintFiles

/// What fixing changes in a text, and what it leaves unchanged.
struct FixTests {
    private let wrong = Payload.misspelled
    private let right = Payload.fixed

    @Test func `remaining findings are reported`() {
        let result = TextLinter().fix(#"{"aps":{"alert":"Hi","mutable_content":1},"mutable-content":1}"#)
        #expect(result.remaining.diagnostics.map(\.rule.id.text) == ["payload.aps-key-outside"])
        #expect(result.remaining.diagnostics.map(\.severity) == [.error])
    }

    @Test func `a disabled rule is not fixed`() throws {
        var configuration = LintConfiguration()
        configuration.rules.disabled = [try RulePattern("aps")]
        let result = TextLinter(configuration).fix(wrong)
        #expect(result.text == wrong)
        #expect(result.fixed == 0)
        #expect(result.remaining.diagnostics.isEmpty)
    }

    @Test func `fixed text is not fixed again`() {
        let result = TextLinter().fix(wrong)
        #expect(result.text == right)
        #expect(result.fixed == 1)
        let again = TextLinter().fix(result.bytes)
        #expect(again.fixed == 0)
        var summary = LintSummary(fixing: .write)
        summary.add(again.remaining, fixed: again.fixed)
        #expect(summary.text == "nothing left in 1 file\n")
    }

    @Test func `generated traffic is never made worse`() throws {
        let traffic = try WorkloadConfiguration(count: 300, malformedRate: WorkloadRate(parsing: "0.3"))
        var generator = WorkloadGenerator(traffic)
        var text: [UInt8] = []
        while generator.appendRecord(to: &text) {}
        var configuration = LintConfiguration()
        configuration.severity = .info
        let linter = TextLinter(configuration)
        let before = linter.lint(text).diagnostics.count { $0.severity == .error }
        let result = linter.fix(text)
        #expect(result.remaining.diagnostics.count { $0.severity == .error } <= before)
        #expect(result.text.split(separator: "\n").count == 300)
    }
}
