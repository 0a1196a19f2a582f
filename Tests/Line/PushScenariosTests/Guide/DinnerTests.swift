import PushScenarios
import Testing

struct DinnerTests {
    static func suite() throws -> ScenarioSuite {
        let text = """
            Feature: Dinner
              Scenario: A call to dinner is shown
                When a push '{"aps":{"alert":"Dinner is ready"}}' arrives
                Then the screen of "default" shows 1 notification
              Scenario: A call to nowhere
                When a push '{"aps":{}}' arrives
                Then the outcome is "silent"
            """
        return try ScenarioSuite([FeatureFile(text, name: "dinner.feature")], steps: .pushes())
    }

    @Test(arguments: try DinnerTests.suite().scenarios)
    func `dinner is announced`(_ scenario: Scenario) async throws { try await scenario.run() }
}
