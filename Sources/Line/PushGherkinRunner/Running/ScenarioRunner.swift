package import PushGherkin

/// Runs scenarios one by one, each in its own world.
package struct ScenarioRunner<World>: Sendable {
    private let library: StepLibrary<World>
    private let suggester: StepSuggester
    private let isDryRun: Bool
    private let seconds: @Sendable () -> Double

    /// - Parameters:
    ///   - isDryRun: true to look steps up without running them.
    ///   - seconds: the time of a monotonic clock.
    package init(_ library: StepLibrary<World>, isDryRun: Bool = false, seconds: @escaping @Sendable () -> Double) {
        self.library = library
        suggester = StepSuggester(library.definitions.map(\.pattern.source))
        self.isDryRun = isDryRun
        self.seconds = seconds
    }

    /// - Parameters:
    ///   - file: the name of its file, for the result.
    ///   - makeWorld: called once, before the first step runs.
    package nonisolated(nonsending) func run(
        _ pickle: Pickle, of file: String = "", makeWorld: () throws -> World
    ) async -> ScenarioResult {
        let start = seconds()
        var progress = Progress(isDryRun, pickle.steps)
        while let (action, input) = advance(&progress, makeWorld) {
            do {
                var world = try progress.world.take() ?? makeWorld()
                defer { progress.world = world }
                try await action(&world, input)
                progress.end(.passed)
            } catch {
                progress.end(.failed, "\(error)")
            }
        }
        return result(progress, pickle, file, start)
    }

    /// The same for steps none of which awaits anything; one that does fails.
    ///
    /// - Parameter end: called after the last step with the world; nil if no step was run.
    package func runDirectly(
        _ pickle: Pickle, of file: String = "", makeWorld: () throws -> World, end: (World?) -> Void = { _ in }
    ) -> ScenarioResult {
        let start = seconds()
        var progress = Progress(isDryRun, pickle.steps)
        while advance(&progress, makeWorld) != nil {
            progress.end(.failed, "this step awaits something, and this run cannot")
        }
        end(progress.world)
        return result(progress, pickle, file, start)
    }

    /// One scenario as it runs.
    private struct Progress {
        var world: World?
        var steps: ArraySlice<PickleStep>
        private(set) var results: [StepResult] = []
        private(set) var isGoingOn: Bool

        init(_ isDryRun: Bool, _ steps: [PickleStep]) {
            self.steps = steps[...]
            isGoingOn = !isDryRun
        }

        /// Ends the first of the steps that are left.
        mutating func end(_ status: ScenarioStatus, _ message: String = "") {
            if status != .passed { isGoingOn = false }
            results.append(StepResult(step: steps.removeFirst(), status: status, message: message))
        }
    }

    /// Runs steps until one has to be awaited. Steps after one that did not pass are still looked up, so that one run
    /// reports every undefined step.
    ///
    /// - Returns: what to await before the next call; nil at the end of the scenario.
    private func advance(
        _ progress: inout Progress, _ makeWorld: () throws -> World
    ) -> (action: StepAction<World>.AsyncAction, input: StepInput)? {
        while let step = progress.steps.first {
            switch library.lookup(step) {
            case .undefined:
                let known = suggester.nearest(to: step.text).map { "\n  did you mean: \($0)" }.joined()
                progress.end(
                    .undefined, "no step matches; it was read as: \(suggester.reading(of: step.text))\(known)")
            case .ambiguous(let patterns):
                progress.end(.ambiguous, "ambiguous step: it matches" + patterns.map { "\n  \($0)" }.joined())
            case .unusable(let reason):
                progress.end(.failed, reason)
            case .found where !progress.isGoingOn:
                progress.end(.skipped)
            case .found(.awaited(let action), let input):
                return (action, input)
            case .found(.direct(let action), let input):
                do {
                    var world = try progress.world.take() ?? makeWorld()
                    defer { progress.world = world }
                    try action(&world, input)
                    progress.end(.passed)
                } catch {
                    progress.end(.failed, "\(error)")
                }
            }
        }
        return nil
    }

    private func result(_ progress: Progress, _ pickle: Pickle, _ file: String, _ start: Double) -> ScenarioResult {
        ScenarioResult(
            pickle: pickle, file: file, steps: progress.results,
            status: progress.results.map(\.status).max() ?? .pending, seconds: seconds() - start)
    }
}
