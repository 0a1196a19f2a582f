import Foundation
import TestSupport
import Testing

@testable import PushLint

struct RuleIDTests {
    @Test(arguments: Rule.all) func `an id is read from its text, and has its rule`(_ rule: Rule) throws {
        let id = try RuleID(rule.id.text)
        #expect(id == rule.id && id.rule == rule)
        #expect("\(id)" == id.text && "\(rule)" == id.text)
    }

    @Test(arguments: [
        ("aps.mispelled-key", "there is no rule 'aps.mispelled-key'; did you mean aps.misspelled-key?"),
        ("badge-type", "there is no rule 'badge-type'; did you mean aps.badge-type?"),
        // A group, which a pattern may be.
        ("aps", "there is no rule 'aps'"), ("ALL", "there is no rule 'ALL'"), ("", "there is no rule ''"),
    ])
    func `a text that is no id is an error with a suggestion`(text: String, message: String) throws {
        let error = try #require(throws: UnknownRule.self) { try RuleID(text) }
        #expect(error.description == message)
    }

    @Test func `a pattern stands for a rule, a group or all`() throws {
        let id = try RuleID("aps.misspelled-key")
        #expect(RulePattern.rule(id).rules == [id.rule])
        #expect(try RulePattern("aps.misspelled-key") == .rule(id))
        #expect(try RulePattern("ALL") == .everything && RulePattern.everything.rules == Rule.all)
        #expect(try RulePattern("json.") == RulePattern("json"))
    }
}

struct DiagnosticTextTests {
    /// The text of a failing `#expect(diagnostics.isEmpty)`.
    @Test func `a diagnostic is printed on one line, alone and in a list`() throws {
        let found = Linter().lint(Payload.misspelled)
        let line = "error aps.misspelled-key at /aps/mutable_content: \(try #require(found.first).message)"
        #expect("\(found)" == "[\(line)]")
        #expect(String(reflecting: found) == "[\(line)]")
    }

    @Test func `in a text the number of the record is printed, and a result prints a line per diagnostic`() {
        let result = TextLinter().lint(Payload.misspelled + "\n" + Payload.silent + "\n{\n")
        #expect(
            "\(result)".lines.map { String($0.prefix { $0 != ":" }) } == [
                "error aps.misspelled-key at /aps/mutable_content", "warning aps.nothing-visible in record 2 at /aps",
                "error json.unclosed in record 3",
            ])
    }

    @Test func `a configuration's severity is the diagnostic's`() throws {
        var configuration = LintConfiguration()
        configuration.rules.severities[try RulePattern("aps.misspelled-key")] = .info
        configuration.severity = .info
        let found = try #require(TextLinter(configuration).lint(Payload.misspelled).diagnostics.first)
        #expect(found.severity == .info && found.rule.severity == .error)
        #expect(found.finding.severity == .info)
    }
}

struct SharedLinterTests {
    @Test func `tasks share linters, and find what one finds`() async {
        let (linter, texts) = (Linter(), TextLinter())
        let (found, result) = (linter.lint(Payload.misspelled), texts.lint(Payload.silent))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    linter.lint(Payload.misspelled) == found
                        && texts.lint(Payload.silent).diagnostics == result.diagnostics
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test func `a record is a string, or bytes of any collection`() {
        let record = Payload.misspelled
        let found = Linter().lint(record)
        #expect(!found.isEmpty)
        #expect(Linter().lint(Array(record.utf8)) == found)
        #expect(Linter().lint(Data(record.utf8)) == found)
        #expect(Linter().lint(Array((" " + record).utf8)[1...]) == found)
        #expect(TextLinter().lint(Data(record.utf8)).diagnostics == found)
        #expect(TextLinter().fix(Data(record.utf8)).text == Payload.fixed)
        #expect(Linter().budgets(of: Data(record.utf8)) == Linter().budgets(of: record))
    }
}
