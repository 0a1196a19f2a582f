import PushGherkin
public import PushGherkinRunner
import PushPipeline
import PushStore
import PushText

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
    /// With their `@`, and with those of the feature, rule and examples.
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
