import PushScenarios
import Testing

/// Cuts titles after the first word, as the app's extension does.
struct FirstWord: RecordStage {
    func process(_ message: inout PushMessage, context: StageContext) {
        guard let word = message.title?.split(separator: " ").first else { return }
        try? context.set(.title, to: String(word), of: &message)
    }
}

struct StageTests {
    static func suite() throws -> ScenarioSuite {
        let text = """
            Feature: Titles
              Scenario: A long title is cut
                Given titles that are cut after the first word
                When a push '{"aps":{"alert":{"title":"Lunch today"}}}' arrives
                Then the screen of "default" shows:
                  | title |
                  | Lunch |
            """
        var steps = try StepLibrary.pushes()
        try steps.add(
            .given, "titles that are cut after the first word", summary: "As the app's extension does.",
            example: "Given titles that are cut after the first word"
        ) { world, _ in
            world.configuration.recordStages.append(FirstWord())
        }
        return try ScenarioSuite([FeatureFile(text, name: "titles.feature")], steps: steps)
    }

    @Test(arguments: try StageTests.suite().scenarios)
    func `titles are short`(_ scenario: Scenario) async throws { try await scenario.run() }
}
