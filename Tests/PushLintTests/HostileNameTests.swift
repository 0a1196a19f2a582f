import PushLint
import Testing

/// Names that are made to be looked at.
struct HostileNameTests {
    @Test func `what is said about a name with a line break in it is one line`() {
        let found = Linter().lint(#"{"a\nb":null,"aps":{"al\u2028ert":1,"alert":"x"}}"#)
        #expect(found.contains { $0.rule.id == "payload.null-value" })
        for diagnostic in found { #expect(!diagnostic.message.contains { $0.isNewline }, "\(diagnostic.message)") }
    }

    // An edit for each of them, most of which nobody sees, took a walk over all of them: half a minute for 5000 names.
    @Test func `thousands of names that look like another are looked at once each`() {
        let names = (0..<1000).map { _ in #""content_available":1"# }.joined(separator: ",")
        let found = Linter().lint(#"{"aps":{"alert":"x",\#(names)}}"#)
        #expect(found.count == Linter.maximumFindings)
        #expect(found.contains { !$0.edits.isEmpty })
    }
}
