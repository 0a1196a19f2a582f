package import PushGherkin

/// Runs scenarios one by one, each in its own world.
package struct ScenarioRunner<World> {
    private let library: StepLibrary<World>
    private let suggester: StepSuggester
    private let isDryRun: Bool
    private let seconds: () -> Double
    private let makeWorld: () throws -> World

    /// - Parameters:
    ///   - isDryRun: true to look steps up without running them.
    ///   - seconds: the time of a monotonic clock.
    ///   - makeWorld: called once per scenario, before its first step runs.
    package init(
        _ library: StepLibrary<World>, isDryRun: Bool = false, seconds: @escaping () -> Double,
        makeWorld: @escaping () throws -> World
    ) {
        self.library = library
        suggester = StepSuggester(library.definitions.map(\.pattern.source))
        self.isDryRun = isDryRun
        self.seconds = seconds
        self.makeWorld = makeWorld
    }

    /// - Parameters:
    ///   - file: the name of its file, for the result.
    ///   - end: called after the last step with the world; nil if no step was run.
    package func run(
        _ pickle: Pickle, of file: String = "", end: (World?) -> Void = { _ in }
    ) -> ScenarioResult {
        let start = seconds()
        var world: World?
        var results: [StepResult] = []
        var isGoingOn = !isDryRun
        for step in pickle.steps {
            let result = run(step, in: &world, isGoingOn: isGoingOn)
            if result.status != .passed { isGoingOn = false }
            results.append(result)
        }
        end(world)
        return ScenarioResult(
            pickle: pickle, file: file, steps: results, status: results.map(\.status).max() ?? .pending,
            seconds: seconds() - start)
    }

    /// Steps after one that did not pass are still looked up, so that one run reports every undefined step.
    private func run(_ step: PickleStep, in world: inout World?, isGoingOn: Bool) -> StepResult {
        switch library.lookup(step) {
        case .undefined:
            let known = suggester.nearest(to: step.text).map { "\n  did you mean: \($0)" }.joined()
            let message = "no step matches; it was read as: \(suggester.reading(of: step.text))\(known)"
            return StepResult(step: step, status: .undefined, message: message)
        case .ambiguous(let patterns):
            let message = "ambiguous step: it matches" + patterns.map { "\n  \($0)" }.joined()
            return StepResult(step: step, status: .ambiguous, message: message)
        case .unusable(let reason):
            return StepResult(step: step, status: .failed, message: reason)
        case .found(let definition, let input):
            guard isGoingOn else { return StepResult(step: step, status: .skipped, message: "") }
            do {
                var current = try world ?? makeWorld()
                defer { world = current }
                try definition.body(&current, input)
                return StepResult(step: step, status: .passed, message: "")
            } catch let failure as StepFailure {
                return StepResult(step: step, status: .failed, message: failure.message)
            } catch {
                return StepResult(step: step, status: .failed, message: "\(error)")
            }
        }
    }
}
