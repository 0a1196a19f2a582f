import PushLint
import Testing

/// Names crafted to be slow to examine.
struct HostileNameTests {
    @Test func `a message about a name with a line break is one line`() {
        let found = Linter().lint(#"{"a\nb":null,"aps":{"al\u2028ert":1,"alert":"x"}}"#)
        #expect(found.contains { $0.rule.id.text == "payload.null-value" })
        for diagnostic in found { #expect(!diagnostic.message.contains { $0.isNewline }, "\(diagnostic.message)") }
    }

    // An edit for each of them, most of which are never shown, walked over all of them: half a minute for 5000 names.
    @Test func `thousands of similar names are examined once each`() {
        let names = (0..<1000).map { _ in #""content_available":1"# }.joined(separator: ",")
        let found = Linter().lint(#"{"aps":{"alert":"x",\#(names)}}"#)
        #expect(found.count == Linter.maximumDiagnostics)
        #expect(found.contains { !$0.edits.isEmpty })
    }
}
