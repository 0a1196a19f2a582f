import PushDecoding
package import PushDevices
import PushGherkin
public import PushGherkinRunner
package import PushPipeline
import PushSystem
import PushText

/// Scenarios and how to run them.
///
///     let file = try FeatureFile(text, name: "dinner.feature")
///     let suite = try ScenarioSuite([file], steps: .pushes())
///     let summary = try await suite.run { result in print(result.status, result.path) }
///
/// Scenarios run one after the other, in the order of the files. Each has its own `ScenarioWorld`.
public struct ScenarioSuite: Sendable {
    private let files: [FeatureFile]
    private let steps: StepLibrary<ScenarioWorld>
    private let selection: ScenarioSelection

    /// The path of the `pushpipe` command, which runs built-in extensions. Without it, a scenario cannot use them.
    public var command: String?
    /// The folders whose files steps may read, without links; nil for all. Where they are named, no step starts a service extension.
    package var confinement: [String]?
    /// True if steps are only looked up, and none is run.
    public var isDryRun = false
    /// True if `run` runs nothing after the first scenario that fails.
    public var stopsAtFirstFailure = false

    /// - Parameters:
    ///   - files: run in this order.
    ///   - steps: `.pushes()`, or that with steps of your own.
    ///   - selection: which scenarios of the files to run; all by default.
    /// - Throws: `FeatureFileError` without problems if that is no scenario.
    public init(
        _ files: [FeatureFile], steps: StepLibrary<ScenarioWorld>, selection: ScenarioSelection = ScenarioSelection()
    ) throws(FeatureFileError) {
        self.files = files
        self.steps = steps
        self.selection = selection
        if !pickles.contains(where: { _ in true }) { throw FeatureFileError(withoutScenario: files) }
    }

    /// The scenarios that the suite runs, one at least, such as arguments of a test:
    ///
    ///     @Test(arguments: try dinner().scenarios)
    ///     func `dinner is announced`(_ scenario: Scenario) async throws { try await scenario.run() }
    public var scenarios: [Scenario] { Array(selected) }

    /// Made one by one: examples may be many.
    private var selected: some Sequence<Scenario> {
        let runner = ScenarioRunner(steps, isDryRun: isDryRun, seconds: { SystemClock.monotonicSeconds() })
        return pickles.lazy.map { [command, confinement] file, pickle in
            Scenario(pickle, of: file, runner, command: command, confinement: confinement)
        }
    }

    private var pickles: some Sequence<(FeatureFile, Pickle)> {
        files.lazy.flatMap { [selection] file in
            Pickles(file.document).lazy.filter { file.lines.includes($0) && selection.includes($0) }.map { (file, $0) }
        }
    }

    /// Runs the scenarios.
    ///
    /// - Parameter report: called after each scenario, with its result.
    /// - Returns: the numbers of scenarios and steps by status.
    /// - Throws: `CancellationError` between scenarios if the task is cancelled, and whatever `report` throws. A failed
    ///   scenario is a result, not an error.
    @discardableResult
    public nonisolated(nonsending) func run(
        report: (ScenarioResult) throws -> Void = { _ in }
    ) async throws -> ScenarioSummary {
        var summary = ScenarioSummary()
        for scenario in selected {
            try Task.checkCancellation()
            let result = await scenario.result()
            summary.add(result)
            try report(result)
            if stopsAtFirstFailure, result.status.isFailure { break }
        }
        return summary
    }

    /// The device of pushes that name none, unless a step says otherwise.
    package static var defaultDevice: String { PipelineConfiguration().decoding.device }

    /// Runs the scenarios, whose steps await nothing; a step that does fails.
    ///
    /// - Parameters:
    ///   - observer: called with each line of the report that `pushpipe run` would write.
    ///   - report: called after each scenario, with its result and its store; nil if no step was run.
    @discardableResult
    package func runDirectly(
        observing observer: ((borrowing RecordReport) -> Void)? = nil,
        report: (ScenarioResult, MemoryStore?) throws -> Void
    ) throws -> ScenarioSummary {
        var summary = ScenarioSummary()
        for scenario in selected {
            var store: MemoryStore?
            let result = scenario.resultDirectly(observing: observer) { store = $0 }
            summary.add(result)
            try report(result, store)
            if stopsAtFirstFailure, result.status.isFailure { break }
        }
        return summary
    }
}

/// A scenario of a `ScenarioSuite`, or one examples row of an outline, which can run alone.
public struct Scenario: Sendable, Identifiable, CustomStringConvertible {
    private let pickle: Pickle
    private let source: FeatureFile
    private let runner: ScenarioRunner<ScenarioWorld>
    private let command: String?
    private let confinement: [String]?

    init(
        _ pickle: Pickle, of source: FeatureFile, _ runner: ScenarioRunner<ScenarioWorld>, command: String?,
        confinement: [String]?
    ) {
        self.pickle = pickle
        self.source = source
        self.runner = runner
        self.command = command
        self.confinement = confinement
    }

    /// The name of its feature file.
    public var file: String { source.name }
    /// The line of its title, or of its examples row.
    public var line: Int { pickle.location.line }
    /// The name of the scenario. Rows of an outline may share it.
    public var name: String { pickle.name }
    /// The tags with their `@`, with those of the feature, rule and examples.
    public var tags: [String] { pickle.tags.map(\.name) }
    /// `file:line`
    public var id: String { "\(file):\(line)" }
    /// `Feature › Rule › Scenario (file:line)`, with control characters escaped.
    public var description: String { TextStyle.clean("\(pickle.path.isEmpty ? "" : "\(pickle.path) ")(\(id))") }

    /// Runs the scenario in a world of its own, on the actor of the caller.
    ///
    /// - Returns: the results of its steps. A dry run, and a scenario without steps, pass.
    /// - Throws: `ScenarioFailure` if a step fails, is undefined or ambiguous.
    @discardableResult
    public nonisolated(nonsending) func run() async throws(ScenarioFailure) -> ScenarioResult {
        let result = await result()
        guard let step = result.failure else { return result }
        throw ScenarioFailure(result: result, step: step)
    }

    nonisolated(nonsending) func result() async -> ScenarioResult {
        await runner.run(pickle, of: file, makeWorld: makeWorld)
    }

    /// - Parameter end: called after the last step with the store; nil if no step was run.
    func resultDirectly(
        observing observer: ((borrowing RecordReport) -> Void)?, end: (MemoryStore?) -> Void
    ) -> ScenarioResult {
        runner.runDirectly(pickle, of: file) {
            var world = makeWorld()
            world.observer = observer
            return world
        } end: {
            end($0?.store)
        }
    }

    private func makeWorld() -> ScenarioWorld {
        ScenarioWorld(folder: source.folder, command: command, confinement: confinement)
    }
}

/// A scenario that does not hold. It prints the step, its place, and the reason, as `pushpipe test` does.
public struct ScenarioFailure: Error, Sendable, CustomStringConvertible {
    /// The results of all steps.
    public let result: ScenarioResult
    /// The first step that fails the scenario.
    public let step: StepResult

    /// `file:line:column: step: reason`, with control characters escaped. A reason may have more lines.
    public var description: String {
        "\(step.place(in: result.file)): \(step.quote): \(step.message)".split(separator: "\n")
            .map { TextStyle.clean(String($0)) }.joined(separator: "\n")
    }
}
