import Gherkin
public import GherkinRunner
import PushPipeline
import SystemSupport

/// Scenarios and how to run them.
///
///     let file = try FeatureFile(text, name: "dinner.feature")
///     let suite = ScenarioSuite([file], steps: try .pushes())
///     let summary = try suite.run { result in print(result.status, result.path) }
///
/// Scenarios run one after the other on the caller's thread, in the order of the files. Each has a world of its own.
public struct ScenarioSuite {
    private let files: [FeatureFile]
    private let steps: StepLibrary<ScenarioWorld>
    private let selection: ScenarioSelection

    /// Whether steps are only looked up, and none is run.
    public var isDryRun = false
    /// Whether nothing is run after the first scenario that fails.
    public var stopsAtFirstFailure = false

    /// - Parameters:
    ///   - files: run in this order.
    ///   - steps: `.pushes()`, or that with steps of your own.
    ///   - selection: of the scenarios in the files; all unless given.
    public init(
        _ files: [FeatureFile], steps: StepLibrary<ScenarioWorld>, selection: ScenarioSelection = ScenarioSelection()
    ) {
        self.files = files
        self.steps = steps
        self.selection = selection
    }

    /// Runs the scenarios.
    ///
    /// - Parameter report: called after each scenario, with what became of it.
    /// - Returns: how many there were of each status.
    /// - Throws: `NothingToRun` when there is no scenario to run, and whatever `report` throws. A scenario that fails is a result, and
    ///   throws nothing.
    @discardableResult
    public func run(report: (ScenarioResult) throws -> Void = { _ in }) throws -> ScenarioSummary {
        let runner = ScenarioRunner(
            steps, isDryRun: isDryRun, seconds: SystemClock.monotonicSeconds, makeWorld: ScenarioWorld.init)
        var summary = ScenarioSummary()
        var found = 0
        for file in files {
            for pickle in Pickles(file.document) where file.lines.includes(pickle) {
                found += 1
                guard selection.includes(pickle) else { continue }
                let result = runner.run(pickle, of: file.name)
                summary.add(result)
                try report(result)
                if stopsAtFirstFailure, result.status.isFailure { return summary }
            }
        }
        guard summary.hasScenarios else { throw NothingToRun(files, found: found) }
        return summary
    }
}

/// No scenario was run, which would look like success.
public struct NothingToRun: Error, Sendable, CustomStringConvertible {
    /// Number of scenarios that the selection left out; 0 when the files, or the lines that were named, have none.
    public let found: Int
    /// Why, on one line.
    public let description: String

    init(_ files: [FeatureFile], found: Int) {
        self.found = found
        let place = files.count == 1 ? files[0].name : "the \(files.count) files"
        if found > 0 {
            description = "of \(found == 1 ? "1 scenario" : "\(found) scenarios") in \(place) none is chosen"
        } else {
            let hasLines = files.contains { !$0.lines.isEverything }
            description = "there is no scenario in \(place)\(hasLines ? ", at the lines that were named" : "")"
        }
    }
}
