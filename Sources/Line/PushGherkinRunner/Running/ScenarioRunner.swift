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

    /// Runs a scenario whose steps await nothing; a step that does fails.
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
        var steps: ArraySlice<Step>
        private(set) var results: [StepResult] = []
        private(set) var isGoingOn: Bool

        init(_ isDryRun: Bool, _ steps: [Step]) {
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
                let reading = suggester.reading(of: step.text)
                let known = suggester.nearest(to: step.text).map { pattern in
                    pattern == reading && !pattern.contains("/")
                        ? "\n  a quotation mark ends a text: put one that has such marks in the other ones, '…'"
                        : "\n  did you mean: \(pattern)\(example(of: pattern))"
                }
                progress.end(.undefined, "no step matches; it was read as: \(reading)\(known.joined())")
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

    /// An example of a step whose value is a word, because its form cannot be seen, or of which one of several words is written; else nothing.
    private func example(of pattern: String) -> String {
        guard pattern.contains("{word}") || pattern.contains("/"),
            let step = library.definitions.first(where: { $0.pattern.source == pattern })
        else { return "" }
        let use = step.example.prefix { $0 != "\n" }.dropFirst(step.keyword.rawValue.count + 1)
        return ", as in \"\(use)\""
    }

    private func result(_ progress: Progress, _ pickle: Pickle, _ file: String, _ start: Double) -> ScenarioResult {
        ScenarioResult(
            pickle: pickle, file: file, steps: progress.results,
            status: progress.results.map(\.status).max() ?? .pending, seconds: seconds() - start)
    }
}

/// The result of a step or a scenario, from best to worst. A scenario has the status of its worst step.
public enum ScenarioStatus: String, CaseIterable, Comparable, Sendable {
    /// Everything holds.
    case passed
    /// A step that is not run, because an earlier step did not pass or because it is a dry run.
    case skipped
    /// A scenario without steps: it checks nothing, so it does not pass either.
    case pending
    /// No step matches.
    case undefined
    /// Several steps match.
    case ambiguous
    /// It does not hold, or is used incorrectly.
    case failed

    /// Orders statuses from good to bad.
    public static func < (left: ScenarioStatus, right: ScenarioStatus) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// True if it fails the run.
    public var isFailure: Bool { self >= .undefined }
}

/// The result of one step.
public struct StepResult: Sendable {
    package let step: Step
    /// Its status.
    public let status: ScenarioStatus
    /// Why it did not pass, in one or more lines. Empty when there is nothing to say.
    public let message: String

    /// Keyword and text, as in the file.
    public var text: String { step.keyword + step.text }
    /// Line in the file, from 1.
    public var line: Int { step.location.line }
    /// Column in code points, from 1.
    public var column: Int { step.location.column }
}

/// The result of one scenario.
public struct ScenarioResult: Sendable {
    package let pickle: Pickle
    /// The name of its feature file.
    public let file: String
    /// The results of its steps in the order in which they ran, those of backgrounds first.
    public let steps: [StepResult]
    /// The status of its worst step; `pending` without steps.
    public let status: ScenarioStatus
    /// How long it took.
    public let seconds: Double

    /// The name of the feature.
    public var feature: String { pickle.feature }
    /// The name of its rule, if it has one.
    public var rule: String? { pickle.rule }
    /// The name of the scenario. Rows of an outline may share it.
    public var name: String { pickle.name }
    /// The tags with their `@`, with those of the feature, rule and examples.
    public var tags: [String] { pickle.tags.map(\.name) }
    /// The line of its title, or of its examples row.
    public var line: Int { pickle.location.line }

    /// The first step that fails the run.
    public var failure: StepResult? { steps.first { $0.status.isFailure } }

    /// `Feature › Rule › Scenario`, without empty names.
    public var path: String { pickle.path }
}

extension Pickle {
    /// `Feature › Rule › Scenario`, without empty names.
    package var path: String {
        [feature, rule ?? "", name].filter { !$0.isEmpty }.joined(separator: " › ")
    }
}

/// Numbers of scenarios and steps by status.
public struct ScenarioSummary: Sendable {
    /// Number of scenarios by status.
    public private(set) var scenarios: [ScenarioStatus: Int] = [:]
    /// Number of steps by status.
    public private(set) var steps: [ScenarioStatus: Int] = [:]

    package init() {}

    package mutating func add(_ result: ScenarioResult) {
        scenarios[result.status, default: 0] += 1
        for step in result.steps { steps[step.status, default: 0] += 1 }
    }

    /// True if the run fails.
    public var hasFailure: Bool { scenarios.keys.contains(where: \.isFailure) }

    /// `12 scenarios (11 passed, 1 failed), 54 steps (53 passed, 1 failed)`
    public var text: String { "\(Self.text(scenarios, "scenario")), \(Self.text(steps, "step"))" }

    private static func text(_ counts: [ScenarioStatus: Int], _ noun: String) -> String {
        let total = counts.values.reduce(0, +)
        let parts = ScenarioStatus.allCases.compactMap { status in counts[status].map { "\($0) \(status.rawValue)" } }
        let details = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "\(total) \(noun)\(total == 1 ? "" : "s")\(details)"
    }
}
