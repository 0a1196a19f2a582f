import PushJSONRepair
import PushModel
import Testing

@testable import PushLint

/// The examples of the rule catalog are its tests.
struct CatalogueTests {
    private static let linted = Rule.all.filter { $0.scope == .lint }

    @Test(arguments: linted.map(\.id)) func `a failing example breaks its rule`(_ id: RuleID) {
        let rule = id.rule
        let found = Linter().lint(rule.failing).map(\.rule.id)
        #expect(found.contains(rule.id), "found \(found) in \(rule.failing.prefix(300))")
    }

    @Test(arguments: JSONRepair.Kind.allCases) func `each mistake in JSON has its rule`(kind: JSONRepair.Kind) {
        #expect(Rule.named(kind.rawValue) != nil)
    }

    @Test(arguments: Rule.all.map(\.id)) func `a passing example breaks no rule except that the protocol is shut down`(
        _ id: RuleID
    ) {
        let rule = id.rule
        let found = Linter().lint(rule.passing).filter { $0.rule.id.text != "gcm.switched-off" }
        #expect(found.isEmpty, "\(rule.passing.prefix(300))")
    }

    @Test(arguments: linted.filter { $0.isFixable }.map(\.id)) func `a fixable rule is fixed by its edits`(
        _ id: RuleID
    ) {
        let rule = id.rule
        let diagnostics = Linter().lint(rule.failing).filter { $0.rule.id == rule.id }
        #expect(diagnostics.contains { !$0.edits.isEmpty }, "no edits in \(diagnostics)")
    }

    @Test func `ids are unique, and dotted kebab-case`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        for rule in Rule.all {
            #expect(rule.id.text.wholeMatch(of: /[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(rule.id)")
        }
    }

    @Test func `titles are one line without a full stop, and explanations are sentences`() {
        for rule in Rule.all {
            #expect(!rule.title.contains("\n") && !rule.title.hasSuffix("."), "\(rule.id)")
            #expect(rule.explanation.hasSuffix("."), "\(rule.id)")
            #expect(rule.source.url.hasPrefix("https://"), "\(rule.id)")
        }
    }
}
