import PushScenarios
import Testing

/// Which scenarios a suite runs, and how far.
struct ScenarioSuiteTests {
    // MARK: - Selection

    private static let three = "Feature:\n@a\nScenario: 1\n@b\nScenario: 2\nScenario: 3"

    @Test(arguments: [
        ("@a", [], ["1"]), ("not @a", [], ["2", "3"]), ("@a or @b", [], ["1", "2"]), (nil, ["3"], ["3"]),
        ("@b", ["1", "2"], ["2"]), (nil, [], ["1", "2", "3"]),
    ])
    func `scenarios are chosen by tags and names`(tags: String?, names: [String], chosen: [String]) throws {
        let selection = ScenarioSelection(tags: try tags.map(TagExpression.init), names: names)
        let trial = try ScenarioTrial([FeatureFile(Self.three, name: "three.feature")], selection: selection)
        #expect(trial.results.map(\.name) == chosen)
    }

    @Test func `after the first failure nothing is run when it stops there`() throws {
        let file = try FeatureFile(ScenarioReportTests.feature, name: "kinds.feature")
        let trial = try ScenarioTrial([file], stopsAtFirstFailure: true)
        #expect(trial.text.hasSuffix("2 scenarios (1 passed, 1 failed), 5 steps (3 passed, 1 skipped, 1 failed)\n"))
        #expect(trial.summary.hasFailure)
    }

    // MARK: - Nothing to run

    private static let two = "Feature: f\n@a\nScenario: one\n* a push '{}' arrives\n@b\nScenario: two\n"

    @Test(
        arguments: [("@typo", []), ("@a and @b", []), (nil, ["zzz"]), ("@b", ["one"])] as [(String?, [String])],
        [false, true])
    func `a selection that leaves nothing is an error, and nothing is reported`(
        choice: (tags: String?, names: [String]), isDryRun: Bool
    ) throws {
        let selection = ScenarioSelection(tags: try choice.tags.map(TagExpression.init), names: choice.names)
        let file = try FeatureFile(Self.two, name: "two.feature")
        let error = #expect(throws: FeatureFileError.self) {
            try ScenarioTrial([file], selection: selection, isDryRun: isDryRun)
        }
        #expect(error?.description == "none of the 2 scenarios in two.feature matches")
        #expect(error?.unselected == 2)
    }

    @Test(
        arguments: ["", "# nothing\n", "Feature: f\n", "Feature: f\nScenario Outline: <n>\n* x\nExamples:\n|n|\n"],
        [false, true])
    func `a file without a scenario is an error`(text: String, isDryRun: Bool) throws {
        let error = #expect(throws: FeatureFileError.self) {
            try ScenarioTrial(text, named: "two.feature", isDryRun: isDryRun)
        }
        #expect(error?.description == "no scenario in two.feature")
        #expect(error?.unselected == 0)
        #expect(error?.problems.isEmpty == true)
    }

    @Test func `a file without a scenario does no harm beside one that has some`() throws {
        let (later, empty) = try (
            FeatureFile("Feature: later\n", name: "later.feature"), FeatureFile("", name: "empty")
        )
        let trial = try ScenarioTrial([later, FeatureFile(Self.two, name: "two.feature"), empty])
        #expect(trial.text.contains("2 scenarios (1 passed, 1 pending)"))
        #expect(!trial.summary.hasFailure)
        let error = #expect(throws: FeatureFileError.self) { try ScenarioTrial([later, empty]) }
        #expect(error?.description == "no scenario in the 2 files")
    }

    @Test func `a file is a suite only with a scenario at the given lines`() throws {
        let file = try FeatureFile(Array(Self.two.utf8), name: "two.feature", lines: [3])
        #expect(try ScenarioSuite([file], steps: .pushes()).scenarios.map(\.name) == ["one"])
        let empty = try FeatureFile(Array("Feature: f\nRule: r\n".utf8), name: "two.feature", lines: [2])
        let error = #expect(throws: FeatureFileError.self) { try ScenarioSuite([empty], steps: .pushes()) }
        #expect(error?.description == "no scenario in two.feature at the given lines")
    }

    // MARK: - Dry runs

    @Test func `a dry run passes when there are all steps, and runs none`() throws {
        let text = "Feature: f\nScenario: s\nThen the outcome is \"silent\"\n"
        let trial = try ScenarioTrial(text, .tap, isDryRun: true)
        #expect(trial.text == "TAP version 13\nok 1 - f › s # SKIP dry run\n1..1\n")
        #expect(!trial.summary.hasFailure)
    }

    @Test func `a dry run fails on a step that there is not, and suggests what was meant`() throws {
        let trial = try ScenarioTrial(ScenarioReportTests.feature, isDryRun: true)
        #expect(trial.text.contains("did you mean: the outcome is {string}"))
        #expect(trial.text.contains("4 scenarios (2 skipped, 1 pending, 1 undefined)"))
        #expect(trial.summary.hasFailure)
    }
}
