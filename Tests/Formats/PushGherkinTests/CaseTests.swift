import Testing

@testable import PushGherkin

/// The corpus. What is expected was checked against the official parser for Python, version 42.0.1; in what becomes of
/// placeholders, against the files that all official parsers are tested with (cucumber/gherkin,
/// `testdata/good/scenario_outline_replacements.feature`).
struct CaseTests {
    @Test(arguments: GherkinCase.all(in: "good"))
    func `a feature file gives the pickles that stand beside it`(_ gherkinCase: GherkinCase) {
        #expect(outcome(gherkinCase.bytes) == gherkinCase.expected)
    }

    @Test(arguments: GherkinCase.all(in: "bad"))
    func `a file that is not Gherkin gives the errors that stand beside it`(_ gherkinCase: GherkinCase) {
        #expect(outcome(gherkinCase.bytes) == gherkinCase.expected)
    }

    @Test func `the corpus is there`() {
        #expect(GherkinCase.all(in: "good").count >= 10)
        #expect(GherkinCase.all(in: "bad").count >= 8)
    }

    @Test(arguments: GherkinCase.all(in: "good") + GherkinCase.all(in: "bad"))
    func `carriage returns and a byte order mark change nothing`(_ gherkinCase: GherkinCase) {
        let lines = gherkinCase.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let returned = Array(lines.joined(separator: [0x0D, 0x0A]))
        #expect(outcome(returned) == gherkinCase.expected)
        #expect(outcome([0xEF, 0xBB, 0xBF] + gherkinCase.bytes) == gherkinCase.expected)
    }
}
