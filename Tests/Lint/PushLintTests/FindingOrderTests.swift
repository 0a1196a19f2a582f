import PushModel
import Testing

@testable import PushLint

struct FindingOrderTests {
    private static let rules = Array(Rule.all.prefix(3))

    private static func diagnostic(_ rule: Int, _ range: Range<Int>, _ message: String) -> Diagnostic {
        Diagnostic(rule: rules[rule], message: message, pointer: "", range: range)
    }

    @Test func `findings are in the order of their places, and of their discovery at one place`() {
        let found = [(0, 5..<9, "a"), (1, 2..<3, "b"), (2, 5..<6, "c"), (0, 2..<3, "d")].map(Self.diagnostic)
        #expect(LintRun.sorted(found).map(\.message) == ["b", "d", "a", "c"])
    }

    @Test func `a finding that is there twice is left out, whatever stands between`() {
        let found = [(0, 2..<3, "a"), (1, 2..<3, "a"), (0, 2..<4, "a"), (0, 2..<3, "b"), (0, 2..<3, "a")]
            .map(Self.diagnostic)
        #expect(LintRun.sorted(found) == Array(found.prefix(4)))
    }

    @Test func `so many are kept and no more`() {
        let most = Linter.maximumDiagnostics
        let found = (0...most).map { Self.diagnostic(0, $0..<$0 + 1, "a") }
        #expect(LintRun.sorted(found).count == most)
        // One that is left out makes room for the next.
        #expect(LintRun.sorted([found[0]] + found.prefix(most)) == Array(found.prefix(most)))
    }
}
