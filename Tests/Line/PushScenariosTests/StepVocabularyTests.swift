import Foundation
import PushScenarios
import PushText
import Testing

/// The steps, where they hold and where they do not.
struct StepVocabularyTests {
    @Test func `each step's example is a step, and each has one`() throws {
        let page = try packageFile("Documentation/reference/steps.md")
        let examples = page.components(separatedBy: "\n```gherkin\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        #expect(examples.count == page.components(separatedBy: "\n### ").count - 1)
        let text = "Feature: f\nScenario: s\n" + examples.joined(separator: "\n") + "\n"
        let trial = try ScenarioTrial(text, isDryRun: true)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
        #expect(trial.text.hasSuffix("1 scenario (1 skipped), \(examples.count) steps (\(examples.count) skipped)\n"))
    }

    @Test func `the sentences in the list of steps keep to the columns of a terminal`() throws {
        let text = StepCatalogue.text(try .pushes(), TextStyle(hasColors: false, columns: 60))
        // Patterns and examples are copied, and stay whole.
        let sentences = text.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        #expect(sentences.count > 200 && sentences.allSatisfy { TerminalText.width(String($0)) <= 60 })
    }

    @Test func `the example of the documentation goes as it is shown`() throws {
        let page = try packageFile("Documentation/guides/scenarios.md")
        func block(_ start: String) throws -> String {
            let rest = try #require(page.components(separatedBy: start).dropFirst().first)
            return try #require(rest.components(separatedBy: "\n```\n").first) + "\n"
        }
        let trial = try ScenarioTrial(block("\n```gherkin\n"), named: "dinner.feature")
        #expect(trial.text == (try block("\n```console\n$ pushpipe test dinner.feature\n")))
    }

    /// Each step of the vocabulary, where it does not hold.
    @Test(arguments: [
        ("Then the outcome is \"delivered\"", "no push has arrived yet"),
        ("When the following push arrives:\n\"\"\"\n\"\"\"", "the text below the step contains no record"),
        ("Then the outcome of record 2 is \"silent\"", "there is no record 2; records so far: 0"),
        ("\(push)\nThen the outcome is \"gone\"", "unknown outcome \"gone\"; the outcomes are delivered, "),
        ("\(push)\nThen every outcome is \"silent\"", "record 1 is delivered, not silent"),
        ("\(push)\nThen the provider answers 400", "the status of record 1 is 200, not 400"),
        ("\(push)\nThen the provider answers 413 PayloadTooLarge", "record 1 is delivered, not 413 PayloadTooLarge"),
        ("\(push)\nThen the notification replaces record 1", "record 1 replaces nothing; it is delivered"),
        (
            "When a push '{\"device\":\"anna\",\"payload\":{\"aps\":{\"alert\":\"A\"}}}' arrives\nThen the notification replaces nothing",
            "record 1 is not shown; it is rejected (400 BadDeviceToken)"
        ),
        ("\(push)\nThen the identifier is \"a\"", "the identifier of record 1 is \"push-1\", not \"a\""),
        (
            "\(push)\nThen the provider is told to go on with \"b\"", "the answer to record 1 names no other token"
        ),
        ("Given messages make the app post:\n|at|title|\n|nowhere|a|", "\"nowhere\" is neither a JSON Pointer"),
        ("Given messages make the app post:\n|tag|\n|a|", "a rule for posts needs a title or a body"),
        ("Given messages make the app post:\n|title|\n|/a~2|", "\"/a~2\" is not a JSON Pointer"),
        ("Given messages make the app post:\n|titel|\n|a|", "unknown column \"titel\"; the columns are at, like, "),
        ("Given messages make the app post:\n|title|notifications|\n|a|no|", "notifications is true or false"),
        ("Given messages make the app remove:\n|at|\n|/a|", "a rule for removals needs identifiers"),
        ("\(push)\nThen the app posts \"a\"", "the app posts nothing"),
        ("\(push)\nThen the app removes \"a\"", "the app removes nothing"),
        ("\(post)\nThen the app posts \"a\"", "the app posts \"post-1\""),
        ("\(post)\nThen the app posts nothing", "the app posts \"post-1\""),
        ("\(push)\nThen the screen of \"anna\" shows 1 notification", "the screen of \"anna\" shows 0, not 1"),
        ("\(push)\nThen the screen of \"default\" is empty", "the screen of \"default\" shows 1"),
        ("\(push)\nThen the screen of \"default\" shows:\n|body|\n|B|", "the screen has other rows:"),
        (
            "\(push)\nThen the screen of \"default\" shows:\n|colour|\n|B|",
            "unknown column \"colour\"; the columns are app, "
        ),
        ("\(push)\nThen the user sees on the screen of \"default\":\n|body|\n|B|", "the screen has other rows:"),
        (
            "Given previews of the app on \"anna\" are shown \"often\"",
            "event.value: previews must be one of always, when-unlocked, never"
        ),
        ("\(push)\nThen the screen of \"default\" shows:\n|\n|", "the table's first row names no column"),
        ("Then the journal of \"default\" is:\n|event|\n|removed|", "the journal is empty"),
        ("When a push '{' arrives\nThen the outcome is \"delivered\"", "record 1 is malformed (json.syntax: "),
    ])
    func `a step that does not hold says what there is`(steps: String, message: String) throws {
        let trial = try ScenarioTrial(steps: steps)
        #expect(trial.complaint?.hasPrefix("        \(message)") == true, "\(trial.text)")
        #expect(trial.summary.hasFailure)
    }

    private static let push = "When a push '{\"aps\":{\"alert\":\"A\"}}' arrives"
    private static let post = "When the app on \"anna\" posts a notification with:\n|title|A|"
}
