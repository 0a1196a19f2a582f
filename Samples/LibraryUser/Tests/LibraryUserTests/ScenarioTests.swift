import PushScenarios
import Testing

/// Scenarios with steps of one's own, by one import.
struct ScenarioTests {
    private struct Guests: ScenarioState {
        var names: [String] = []
    }

    private static func steps() throws -> StepLibrary<ScenarioWorld> {
        var steps = try StepLibrary.pushes()
        try steps.add(.given, "the guest {word}", summary: "Is invited.", example: "Given the guest aa") {
            world, step in
            world[Guests.self].names.append(try step.text(0))
        }
        try steps.add(
            .when, "the guests are called", summary: "By a push each.", example: "When the guests are called"
        ) { world, _ in
            for name in world[Guests.self].names {
                await Task.yield()
                try world.receive(#"{"token":"\#(name)","payload":{"aps":{"alert":"Dinner is ready"}}}"#)
            }
        }
        try steps.add(.then, "{int} guest(s) came", summary: "By the report.", example: "Then 2 guests came") {
            world, step in
            let count = world.lines.count { $0.outcome == .delivered && $0.status == 200 }
            guard count == (try step.int(0)) else { throw StepFailure("it was \(try world.last())") }
        }
        return steps
    }

    private static let text = "Given the guest aa\nAnd the guest bb\nWhen the guests are called\nThen 2 guests came"

    private static func suite(_ steps: String = text) throws -> ScenarioSuite {
        let text = "Feature: Dinner\n  Scenario: Guests\n    \(steps)\n"
        return try ScenarioSuite([FeatureFile(text, name: "dinner.feature")], steps: Self.steps())
    }

    @Test(arguments: try ScenarioTests.suite().scenarios)
    func `guests come`(_ scenario: Scenario) async throws {
        #expect("\(scenario)" == "Dinner › Guests (dinner.feature:2)")
        try await scenario.run()
    }

    @Test func `a scenario that does not hold says where and why`() async throws {
        let text = "When a push '{\"aps\":{}}' arrives\nThen 1 guest came"
        let scenario = try #require(try Self.suite(text).scenarios.first)
        let failure = try #require(await #expect(throws: ScenarioFailure.self) { try await scenario.run() })
        #expect("\(failure)" == "dinner.feature:4:1: Then 1 guest came: it was silent")
    }
}
