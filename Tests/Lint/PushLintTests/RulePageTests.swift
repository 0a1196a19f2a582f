import Foundation
import TestSupport
import Testing

@testable import PushLint

/// The pages of the rules in the documentation, which Scripts/reference-pages.py writes and reports link to.
struct RulePageTests {
    private static let reference = packageFolder.appendingPathComponent("Documentation/reference")

    private static func page(_ id: String) throws -> String {
        try String(contentsOf: reference.appendingPathComponent("rules/\(id).md"), encoding: .utf8)
    }

    @Test func `each rule has a page, and each page a rule`() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Self.reference.appendingPathComponent("rules").path)
        #expect(names.sorted() == Rule.all.map { "\($0.id).md" }.sorted())
    }

    @Test(arguments: Rule.all.map(\.id)) func `the address in reports is that of the page`(_ id: RuleID) throws {
        let rule = id.rule
        let prefix = "https://github.com/pushpipe/pushpipe/blob/main/Documentation/reference/"
        #expect(rule.page.hasPrefix(prefix))
        let path = String(rule.page.dropFirst(prefix.count))
        #expect(FileManager.default.fileExists(atPath: Self.reference.appendingPathComponent(path).path))
    }

    /// The blocks of JSON below each heading.
    private func examples(_ page: String) -> [String: String] {
        var examples: [String: String] = [:]
        for section in page.components(separatedBy: "\n## ").dropFirst() {
            // One that is cut inside is a text.
            let parts = section.replacing("```text\n", with: "```json\n").components(separatedBy: "\n\n```json\n")
            if parts.count == 2 { examples[parts[0]] = parts[1].components(separatedBy: "\n```\n")[0] }
        }
        return examples
    }

    @Test(arguments: Rule.all.map(\.id)) func `the linter agrees with the examples of a page`(_ id: RuleID) throws {
        let rule = id.rule
        let examples = examples(try Self.page(id.text))
        #expect(examples["Breaks the rule"] != nil || rule.failing.isEmpty)
        #expect(examples["Satisfies it"] != nil || rule.passing.isEmpty)
        // A longer one is only about its length, and is shown in part.
        if rule.scope == .lint, let failing = examples["Breaks the rule"], rule.failing.count <= 600 {
            #expect(Linter().lint(failing).contains { $0.rule.id == id }, "\(failing)")
        }
        if let passing = examples["Satisfies it"], rule.passing.count <= 600 {
            #expect(Linter().lint(passing).filter { $0.rule.id.text != "gcm.switched-off" }.isEmpty, "\(passing)")
        }
    }

    @Test func `pages lead from one to the next, and to the index`() throws {
        let page = try Self.page("aps.misspelled-key").replacing("\n", with: " ")
        #expect(
            page.contains("](../rules.md#aps) · previous: [`aps.key-inside-alert`](aps.key-inside-alert.md) · next: "))
        #expect(page.contains("pushpipe lint --ignore aps.misspelled-key"))
        #expect(try Self.page("json.bad-escape").contains("[all rules of `json`](../rules.md#json) · next: "))
    }
}
