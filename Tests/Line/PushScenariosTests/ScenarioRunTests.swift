import PushScenarios
import Testing

/// Scenarios that run alone, with steps of one's own.
struct ScenarioRunTests {
    private static let text = """
        @a
        Feature: Dinner
          Scenario: A call to dinner is shown
            When a push '{"aps":{"alert":"Dinner is ready"}}' arrives
            Then the screen of "default" shows 1 notification
          @b
          Scenario: A call to nowhere
            When a push '{"aps":{}}' arrives
            Then the outcome is "delivered"
        """

    private func suite(_ text: String, steps: StepLibrary<ScenarioWorld>? = nil) throws -> ScenarioSuite {
        let steps = if let steps { steps } else { try StepLibrary.pushes() }
        return try ScenarioSuite([FeatureFile(text, name: "dinner.feature")], steps: steps)
    }

    /// One scenario of these steps.
    private func scenario(_ steps: String, _ library: StepLibrary<ScenarioWorld>? = nil) throws -> Scenario {
        try #require(try suite("Feature: f\nScenario: s\n\(steps)\n", steps: library).scenarios.first)
    }

    private func failure(_ scenario: Scenario) async throws -> String {
        "\(try #require(await #expect(throws: ScenarioFailure.self) { try await scenario.run() }))"
    }

    // MARK: - Elements of a suite

    @Test func `a suite reports failures by file and line, and counts`() async throws {
        var failures: [String] = []
        let summary = try await suite(Self.text).run { result in
            guard let failure = result.failure else { return }
            failures.append("\(result.file):\(failure.line): \(failure.message)")
        }
        #expect(summary.text == "2 scenarios (1 passed, 1 failed), 4 steps (3 passed, 1 failed)")
        #expect(failures == ["dinner.feature:9: record 1 is silent (no-alert), not delivered"])
    }

    @Test func `a scenario prints its feature, its name and its place`() throws {
        let scenarios = try suite(Self.text).scenarios
        #expect(
            scenarios.map { "\($0)" } == [
                "Dinner › A call to dinner is shown (dinner.feature:3)",
                "Dinner › A call to nowhere (dinner.feature:7)",
            ])
        #expect(scenarios.map(\.id) == ["dinner.feature:3", "dinner.feature:7"])
        #expect(scenarios.map(\.tags) == [["@a"], ["@a", "@b"]])
        #expect(try suite("Feature:\nScenario:\n").scenarios.map { "\($0)" } == ["(dinner.feature:2)"])
        #expect(try suite("Feature: \u{1B}\nScenario:\n").scenarios.allSatisfy { !"\($0)".contains("\u{1B}") })
    }

    @Test func `rows of an outline are scenarios of their own`() async throws {
        let text = """
            Feature: Taps
            Scenario Outline: <outcome>
              When a push '<payload>' arrives
              Then the outcome is "<outcome>"
            Examples:
              | payload | outcome |
              | {"aps":{"alert":"A"}} | delivered |
              | {"aps":{}} | delivered |
            """
        let scenarios = try suite(text).scenarios
        #expect(scenarios.map(\.line) == [7, 8])
        try await scenarios[0].run()
        #expect(
            try await failure(scenarios[1])
                == #"dinner.feature:4:3: Then the outcome is "delivered": record 1 is silent (no-alert), not delivered"#
        )
    }

    @Test func `one that holds returns its results, and one that does not throws them`() async throws {
        let scenarios = try suite(Self.text).scenarios
        #expect(try await scenarios[0].run().steps.map(\.status) == [.passed, .passed])
        let error = try #require(
            await #expect(throws: ScenarioFailure.self) { try await scenarios[1].run() })
        #expect(error.step.line == 9)
        #expect(error.result.steps.map(\.status) == [.passed, .failed])
        #expect(
            "\(error)"
                == #"dinner.feature:9:5: Then the outcome is "delivered": record 1 is silent (no-alert), not delivered"#
        )
    }

    @Test func `a failure with suggestions has a line for each`() async throws {
        let lines = try await failure(scenario("Then the outcome was \"delivered\"")).split(separator: "\n")
        #expect(
            lines == [
                "dinner.feature:3:1: Then the outcome was \"delivered\": no step matches; it was read as: the outcome was {string}",
                "  did you mean: the outcome is {string}",
            ])
    }

    @Test(arguments: [
        (
            #"When a push "{"aps":{}}" arrives"#,
            "  a quotation mark ends a text: put one that has such marks in the other ones, '…'"
        ),
        (
            #"When the device "a" is back/online"#,
            #"  did you mean: the device {string} is back/online, as in "the device "anna" is back""#
        ),
    ])
    func `a suggestion is not the step itself`(step: String, suggestion: String) async throws {
        let lines = try await failure(scenario(step)).split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == suggestion, "\(lines)")
    }

    @Test func `a suggestion shows how a word is written`() async throws {
        let lines = try await failure(scenario("When 5 minutes pass")).split(separator: "\n")
        #expect(lines.last == #"  did you mean: {word} pass(es), as in "90s pass""#)
    }

    @Test func `a dry run and a scenario without steps throw nothing`() async throws {
        #expect(try await scenario("").run().status == .pending)
        var suite = try suite(Self.text)
        suite.isDryRun = true
        for scenario in suite.scenarios { #expect(try await scenario.run().status == .skipped) }
    }

    @Test func `scenarios may run at once`() async throws {
        let scenario = try #require(try suite(Self.text).scenarios.first)
        try await withThrowingTaskGroup(of: ScenarioResult.self) { group in
            for _ in 0..<20 { group.addTask { try await scenario.run() } }
            for try await result in group { #expect(result.status == .passed) }
        }
    }

    @Test func `a canceled suite ends`() async throws {
        let suite = try suite(Self.text)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await suite.run { _ in Issue.record("a scenario was run") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a suite chooses scenarios, and stops at the first that fails`() async throws {
        let text =
            "Feature:\n@a\nScenario: fails\n* a push '{}' arrives\n* the outcome is \"held\"\n@a\nScenario: other\n"
        let file = try FeatureFile(text, name: "f.feature")
        let selection = ScenarioSelection(tags: try TagExpression("@a and not @slow"))
        var suite = try ScenarioSuite([file], steps: .pushes(), selection: selection)
        #expect(try await suite.run().scenarios == [.failed: 1, .pending: 1])
        suite.stopsAtFirstFailure = true
        #expect(try await suite.run().scenarios == [.failed: 1])
    }

    @Test func `results become a report`() async throws {
        var report = ScenarioReport(.tap)
        var text = ""
        try await suite("Feature: f\nScenario: s\n* a push '{}' arrives\n").run { report.add($0, to: &text) }
        report.finish(to: &text)
        #expect(text == "TAP version 13\nok 1 - f › s\n1..1\n")
    }

    // MARK: - Steps of one's own

    private struct Count: ScenarioState {
        var number = 0
    }

    private final class Names: ScenarioState {
        var names: [String] = []
    }

    private func countingSteps() throws -> StepLibrary<ScenarioWorld> {
        var steps = try StepLibrary.pushes()
        try steps.add(.when, "I count", summary: "Counts.", example: "When I count") { world, _ in
            world[Count.self].number += 1
            world[Names.self].names.append("I")
        }
        try steps.add(.when, "they count", summary: "Counts.", example: "When they count") { world, _ in
            await Task.yield()
            world[Count.self].number += 1
            world[Names.self].names.append("they")
        }
        try steps.add(.then, "the count is {int} by {string}", summary: "Tells.", example: "") { world, step in
            let (count, names) = (world[Count.self].number, world[Names.self].names.joined(separator: " "))
            guard count == (try step.int(0)), names == (try step.text(1)) else {
                throw StepFailure("it is \(count) by \(names)")
            }
        }
        return steps
    }

    @Test func `steps share values of a scenario, and each scenario begins anew`() async throws {
        let scenario = try scenario(
            "Then the count is 0 by \"\"\nWhen I count\nAnd they count\nThen the count is 2 by \"I they\"",
            countingSteps())
        for _ in 0..<2 { try await scenario.run() }
        #expect(
            try await failure(self.scenario("When they count\nThen the count is 3 by \"\"", countingSteps()))
                == "dinner.feature:4:1: Then the count is 3 by \"\": it is 1 by they")
    }

    @Test func `a step that awaits something fails with its error`() async throws {
        var steps = try StepLibrary.pushes()
        try steps.add(.when, "the server answers", summary: "", example: "") { _, _ in
            await Task.yield()
            throw CancellationError()
        }
        #expect(
            try await failure(scenario("When the server answers", steps))
                == "dinner.feature:3:1: When the server answers: CancellationError()")
    }

    @MainActor
    @Test func `steps run where the scenario is awaited`() async throws {
        var steps = try StepLibrary.pushes()
        try steps.add(.when, "somebody waits", summary: "", example: "") { _, _ in
            await Task.yield()
            #expect(#isolation === MainActor.shared)
        }
        var results: [ScenarioResult] = []
        try await suite("Feature: f\nScenario: s\nWhen somebody waits\n", steps: steps).run { results.append($0) }
        #expect(results.map(\.status) == [.passed])
    }
}
