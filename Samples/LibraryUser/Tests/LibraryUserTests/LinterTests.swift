import PushLint
import PushLintConfiguration
import Testing

/// The linter needs no imports but these.
struct LinterTests {
    private let misspelled = #"{"aps":{"alert":"Late count","mutable_content":1}}"#

    @Test func `a misspelled key is found, printed on one line, and fixed`() throws {
        let diagnostics = Linter().lint(misspelled)
        #expect(diagnostics.map(\.rule.id.text) == ["aps.misspelled-key"])
        #expect("\(diagnostics)".hasPrefix("[error aps.misspelled-key at /aps/mutable_content: "))
        let edit = try #require(diagnostics.first?.edits.first)
        #expect(String(decoding: Array(misspelled.utf8)[edit.range], as: UTF8.self).contains("mutable_content"))
        #expect(TextLinter().fix(misspelled).remaining.diagnostics.isEmpty)
    }

    @Test func `records are read as options say`() {
        var decoding = DecodingOptions()
        decoding.format = .apns
        decoding.budget = Budget(parsing: "20")
        #expect(
            Linter(decoding).lint(misspelled).map(\.rule.id.text) == ["apns.payload-too-large", "aps.misspelled-key"])
        #expect(Linter(decoding).budgets(of: misspelled).map(\.limit) == [20])
        #expect(TextLinter(decoding: decoding, framing: .ndjson).lint(misspelled).diagnostics.count == 2)
    }

    @Test func `tasks share a linter`() async {
        let linter = Linter()
        async let first = linter.lint(misspelled)
        async let second = linter.lint(misspelled)
        #expect(await first == second)
    }

    @Test func `a configuration changes severities`() throws {
        var configuration = LintConfiguration()
        configuration.rules.severities[try RulePattern("aps.misspelled-key")] = .warning
        #expect(TextLinter(configuration).lint(misspelled).diagnostics.map(\.severity) == [.warning])
        configuration = try LintConfiguration(yaml: "lint:\n  ignore: [aps.misspelled-key]\n")
        #expect(TextLinter(configuration).lint(misspelled).diagnostics.isEmpty)
    }

    @Test func `a rule that does not exist is an error`() {
        let error = #expect(throws: UnknownRule.self) { try RuleID("aps.mispelled-key") }
        #expect(error?.suggestion == "aps.misspelled-key")
        #expect(throws: ConfigurationError.self) { try LintConfiguration(yaml: "lint:\n  ignore: gmc\n") }
    }
}
