package import Gherkin

/// What became of a step or a scenario. A scenario is what the worst of its steps is; they stand here from good to bad.
package enum ScenarioStatus: String, CaseIterable, Comparable, Sendable {
    case passed
    /// Not run, because a step before it did not pass, or because it is only a dry run.
    case skipped
    /// A scenario without steps: it holds nothing, and so it does not pass either.
    case pending
    case undefined
    case ambiguous
    case failed

    package static func < (left: ScenarioStatus, right: ScenarioStatus) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether it makes a run fail.
    package var isFailure: Bool { self >= .undefined }
}

package struct StepResult: Sendable {
    package let step: PickleStep
    package let status: ScenarioStatus
    /// Why it is not passed: lines for people. Empty when there is nothing to say.
    package let message: String
}

package struct ScenarioResult: Sendable {
    package let pickle: Pickle
    package let steps: [StepResult]
    package let status: ScenarioStatus
    package let seconds: Double

    /// The first step that makes the run fail.
    package var failure: StepResult? { steps.first { $0.status.isFailure } }

    /// `Feature › Rule › Scenario`, without those that have no name.
    package var path: String {
        [pickle.feature, pickle.rule ?? "", pickle.name].filter { !$0.isEmpty }.joined(separator: " › ")
    }
}

/// Counts of what has been run.
package struct ScenarioSummary: Sendable {
    package private(set) var scenarios: [ScenarioStatus: Int] = [:]
    package private(set) var steps: [ScenarioStatus: Int] = [:]

    package init() {}

    package mutating func add(_ result: ScenarioResult) {
        scenarios[result.status, default: 0] += 1
        for step in result.steps { steps[step.status, default: 0] += 1 }
    }

    /// Whether anything has been run, or looked up.
    package var hasScenarios: Bool { !scenarios.isEmpty }

    package var hasFailure: Bool { scenarios.keys.contains(where: \.isFailure) }

    /// `12 scenarios (11 passed, 1 failed), 54 steps (53 passed, 1 failed)`
    package var text: String { "\(Self.text(scenarios, "scenario")), \(Self.text(steps, "step"))" }

    private static func text(_ counts: [ScenarioStatus: Int], _ noun: String) -> String {
        let total = counts.values.reduce(0, +)
        let parts = ScenarioStatus.allCases.compactMap { status in counts[status].map { "\($0) \(status.rawValue)" } }
        let details = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "\(total) \(noun)\(total == 1 ? "" : "s")\(details)"
    }
}
