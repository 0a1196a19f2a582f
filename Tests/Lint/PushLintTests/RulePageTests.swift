import Foundation
import PushModel
import PushSystem
import TestSupport
import Testing

@testable import PushLint

/// The pages of the rules in the documentation, which `make rules` writes and reports link to.
struct RulePageTests {
    private static let reference = packageFolder.appendingPathComponent("Documentation/reference")

    private static func page(_ id: String) throws -> String {
        try String(contentsOf: reference.appendingPathComponent("rules/\(id).md"), encoding: .utf8)
    }

    @Test func `the documentation has these pages, and no others`() throws {
        for file in RulePages.files(Rule.all) {
            let page = try String(contentsOf: Self.reference.appendingPathComponent(file.path), encoding: .utf8)
            #expect(page == file.text, "\(file.path): run make rules")
        }
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
            let parts = section.components(separatedBy: "\n\n```json\n")
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
        if rule.scope == .lint, let failing = examples["Breaks the rule"], rule.failing.count <= 400 {
            #expect(Linter().lint(failing).contains { $0.rule.id == id }, "\(failing)")
        }
        if let passing = examples["Satisfies it"], rule.passing.count <= 400 {
            #expect(Linter().lint(passing).filter { $0.rule.id != .gcmSwitchedOff }.isEmpty, "\(passing)")
        }
    }

    @Test func `pages lead from one to the next, and to the index`() throws {
        let page = try Self.page("aps.misspelled-key").replacing("\n", with: " ")
        #expect(
            page.contains("](../rules.md#aps) · previous: [`aps.key-inside-alert`](aps.key-inside-alert.md) · next: "))
        #expect(page.contains("pushpipe lint --ignore aps.misspelled-key"))
        #expect(page.contains("Since version 0.1.0."))
        #expect(try Self.page("json.bad-escape").contains("[all rules of `json`](../rules.md#json) · next: "))
        #expect(try Self.page("schema.mismatch").contains("Since version 0.2.0."))
    }

    @Test func `every group has a title, and stands in the index`() {
        let index = RulePages.files(Rule.all)[0].text
        #expect(Set(Rule.groupTitles.keys) == Set(RulePattern.groups))
        for group in RulePattern.groups { #expect(index.contains("\n## \(group)\n")) }
    }

    /// As CHANGELOG.md says. A new rule is in no release yet.
    @Test(arguments: [("0.1.0", 162), ("0.2.0", 25)]) func `a release has its rules`(version: String, count: Int) {
        #expect(Rule.all.count { $0.since == version } == count)
    }

    @Test func `pages are written into a new folder, and replace those that are there`() throws {
        let folder = try LintFolder()
        let rules = try RulePattern("sns").rules
        for _ in 0..<2 { try RulePages.write(rules, to: folder.path("pages")) }
        #expect(try folder.read("pages/rules.md").hasPrefix("# Rules\n"))
        #expect(try folder.read("pages/rules/\(rules[0].id).md").hasPrefix("# \(rules[0].id)\n"))
        try folder.write("", to: "file")
        #expect(throws: RulePages.WriteError.self) { try RulePages.write(rules, to: folder.path("file")) }
        #expect(throws: RulePages.WriteError.self) { try RulePages.write(rules, to: folder.path("no/such")) }
    }
}
