import PushDecoding
import PushGherkin
public import PushGherkinRunner
package import PushPipeline
package import PushStore
import PushSystem

/// Scenarios and how to run them.
///
///     let file = try FeatureFile(text, name: "dinner.feature")
///     let suite = ScenarioSuite([file], steps: try .pushes())
///     let summary = try suite.run { result in print(result.status, result.path) }
///
/// Scenarios run one after the other on the caller's thread, in the order of the files. Each has its own
/// `ScenarioWorld`.
public struct ScenarioSuite {
    private let files: [FeatureFile]
    private let steps: StepLibrary<ScenarioWorld>
    private let selection: ScenarioSelection

    /// The path of the `pushpipe` command, which runs built-in extensions. Without it, a scenario cannot use them.
    public var command: String?
    /// True if steps are only looked up, and none is run.
    public var isDryRun = false
    /// True if nothing is run after the first scenario that fails.
    public var stopsAtFirstFailure = false

    /// - Parameters:
    ///   - files: run in this order.
    ///   - steps: `.pushes()`, or that with steps of your own.
    ///   - selection: which scenarios of the files to run; all by default.
    public init(
        _ files: [FeatureFile], steps: StepLibrary<ScenarioWorld>, selection: ScenarioSelection = ScenarioSelection()
    ) {
        self.files = files
        self.steps = steps
        self.selection = selection
    }

    /// Runs the scenarios.
    ///
    /// - Parameter report: called after each scenario, with its result.
    /// - Returns: the numbers of scenarios and steps by status.
    /// - Throws: `NothingToRun` when there is no scenario to run, and whatever `report` throws. A failed scenario is a
    ///   result, not an error.
    @discardableResult
    public func run(report: (ScenarioResult) throws -> Void = { _ in }) throws -> ScenarioSummary {
        try run(observing: nil) { result, _ in try report(result) }
    }

    /// The device of pushes that name none, unless a step says otherwise.
    package static var defaultDevice: String { PipelineConfiguration().decoding.device }

    /// The same for an observer of what happens in each scenario.
    ///
    /// - Parameters:
    ///   - observer: called with each line of the report that `pushpipe run` would write.
    ///   - report: called after each scenario, with its result and its store; nil if no step was run.
    @discardableResult
    package func run(
        observing observer: ((RecordReport) -> Void)?, report: (ScenarioResult, MemoryStore?) throws -> Void
    ) throws -> ScenarioSummary {
        var summary = ScenarioSummary()
        var found = 0
        for file in files {
            let runner = ScenarioRunner(
                steps, isDryRun: isDryRun, seconds: SystemClock.monotonicSeconds
            ) {
                var world = ScenarioWorld(folder: file.folder, command: command)
                world.observer = observer
                return world
            }
            for pickle in Pickles(file.document) where file.lines.includes(pickle) {
                found += 1
                guard selection.includes(pickle) else { continue }
                var store: MemoryStore?
                let result = runner.run(pickle, of: file.name) { store = $0?.store }
                summary.add(result)
                try report(result, store)
                if stopsAtFirstFailure, result.status.isFailure { return summary }
            }
        }
        guard summary.hasScenarios else { throw NothingToRun(files, found: found) }
        return summary
    }
}

/// There was no scenario to run. Without this error, the run would look like a success.
public struct NothingToRun: Error, Sendable, CustomStringConvertible {
    /// Number of scenarios, none of which matches the selection; 0 when the files have none at all, or none at the
    /// given lines.
    public let found: Int
    /// Why, on one line.
    public let description: String

    init(_ files: [FeatureFile], found: Int) {
        self.found = found
        let place = files.count == 1 ? files[0].name : "the \(files.count) files"
        if found > 0 {
            description =
                found == 1
                ? "the scenario in \(place) does not match" : "none of the \(found) scenarios in \(place) matches"
        } else {
            let hasLines = files.contains { !$0.lines.isEverything }
            description = "no scenario in \(place)\(hasLines ? " at the given lines" : "")"
        }
    }
}
