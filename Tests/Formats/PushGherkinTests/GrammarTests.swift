import Testing

@testable import PushGherkin

/// The state machine that is made of the grammar. What is expected are the words of the official parsers' errors, which
/// list the transitions of a state in their order.
struct GrammarTests {
    private func expected(behind text: String) -> String {
        // A line that stands nowhere: what an error lists is what may stand there. Where any line may, there is no
        // error.
        outcome("\(text)words\n")
    }

    @Test(arguments: [
        ("", "#EOF, #Language, #TagLine, #FeatureLine, #Comment, #Empty"),
        ("# language: en\n", "#TagLine, #FeatureLine, #Comment, #Empty"),
        ("@a\n", "#TagLine, #FeatureLine, #Comment, #Empty"),
        (
            "Feature: f\nBackground:\nGiven g\n",
            "#EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ScenarioLine, #RuleLine, #Comment, #Empty"
        ),
        (
            "Feature: f\nScenario:\nGiven g\n|a|\n",
            "#EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, "
                + "#Comment, #Empty"
        ),
        (
            "Feature: f\nScenario:\nExamples:\n|a|\n",
            "#EOF, #TableRow, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, #Comment, #Empty"
        ),
        ("Feature: f\nScenario:\nGiven g\n@a\nScenario:\nGiven g\n@b\n", "#TagLine, #RuleLine, #Comment, #Empty"),
        ("Feature: f\n@a\n#\n@b\n\nScenario: s\nGiven g\n\"\"\"\n", "#DocStringSeparator, #Other"),
    ])
    func `an error lists what may stand there`(text: String, list: String) {
        #expect(expected(behind: text).contains("expected: \(list)"))
    }

    @Test func `tags belong to the rule, the scenario or the examples that follow them`() throws {
        let text = """
            Feature: f
              Scenario Outline: a
                Given <x>
              @e

              # comment
              @e2
              Examples:
                | x |
                | 1 |
              @s
              Scenario: b
              @r
              Rule: c
                @s2
                Example: d
                @r2
              Rule: e
            """
        let parts = try #require(GherkinParser.parse(Array(text.utf8))).parts
        #expect(parts.map { $0.tags.map(\.name) } == [[], ["@r"], ["@r2"]])
        #expect(parts[0].scenarios.map { $0.tags.map(\.name) } == [[], ["@s"]])
        #expect(parts[0].scenarios[0].examples.map { $0.tags.map(\.name) } == [["@e", "@e2"]])
        #expect(parts[1].scenarios.map { $0.tags.map(\.name) } == [["@s2"]])
    }
}
