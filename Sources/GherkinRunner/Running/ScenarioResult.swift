package import Gherkin

/// What became of a step or a scenario. A scenario is what the worst of its steps is; they stand here from good to bad.
public enum ScenarioStatus: String, CaseIterable, Comparable, Sendable {
    /// All of it holds.
    case passed
    /// Not run, because a step before it did not pass, or because it is only a dry run.
    case skipped
    /// A scenario without steps: it holds nothing, and so it does not pass either.
    case pending
    /// There is no such step.
    case undefined
    /// Several steps match.
    case ambiguous
    /// It does not hold, or was used wrongly.
    case failed

    /// From good to bad.
    public static func < (left: ScenarioStatus, right: ScenarioStatus) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether it makes a run fail.
    public var isFailure: Bool { self >= .undefined }
}

/// What became of one step.
public struct StepResult: Sendable {
    package let step: PickleStep
    /// What became of it.
    public let status: ScenarioStatus
    /// Why it is not passed: lines for people. Empty when there is nothing to say.
    public let message: String

    /// Keyword and text, as they stand in the file.
    public var text: String { step.keyword + step.text }
    /// Where it stands in its file, from 1.
    public var line: Int { step.location.line }
    /// In code points from 1.
    public var column: Int { step.location.column }
}

/// What became of one scenario.
public struct ScenarioResult: Sendable {
    package let pickle: Pickle
    /// The name of its feature file.
    public let file: String
    /// In the order of the scenario, those of backgrounds first.
    public let steps: [StepResult]
    /// What the worst of its steps is.
    public let status: ScenarioStatus
    /// How long it took.
    public let seconds: Double

    /// The name of the feature.
    public var feature: String { pickle.feature }
    /// The name of the rule that it stands in, if any.
    public var rule: String? { pickle.rule }
    /// The name of the scenario; rows of an outline may have the same one.
    public var name: String { pickle.name }
    /// With their `@`, those of feature, rule and examples included.
    public var tags: [String] { pickle.tags.map(\.name) }
    /// The line of its title, or of its row of examples.
    public var line: Int { pickle.location.line }

    /// The first step that makes the run fail.
    public var failure: StepResult? { steps.first { $0.status.isFailure } }

    /// `Feature › Rule › Scenario`, without those that have no name.
    public var path: String {
        [pickle.feature, pickle.rule ?? "", pickle.name].filter { !$0.isEmpty }.joined(separator: " › ")
    }
}

/// Counts of what has been run.
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

    /// Whether anything has been run, or looked up.
    package var hasScenarios: Bool { !scenarios.isEmpty }

    /// Whether the run fails.
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
