public import PushModel

/// Which rules to show, and how severe they are: one configuration's choice, or the command line's.
///
/// What is chosen for a rule takes precedence over what is chosen for its group.
public struct RuleChoice: Sendable {
    /// Severities that replace the rules' own.
    public var severities: [RulePattern: Finding.Severity] = [:]
    /// Rules to leave out.
    public var disabled: Set<RulePattern> = []
    /// Rules to show whatever their severity. Takes precedence over `disabled`.
    public var enabled: Set<RulePattern> = []

    /// Chooses nothing.
    public init() {}

    fileprivate enum State {
        /// Left out.
        case off
        /// Shown whatever its severity.
        case wanted
        /// Shown if it is severe enough.
        case plain
    }

    /// What is chosen for the rule itself, else for its group; nil if nothing is.
    fileprivate func state(of id: String) -> State? {
        for pattern in [RulePattern(id: id), RulePattern(groupOf: id)] {
            if enabled.contains(pattern) { return .wanted }
            if disabled.contains(pattern) { return .off }
            if severities[pattern] != nil { return .plain }
        }
        return nil
    }

    fileprivate func severity(of id: String) -> Finding.Severity? {
        severities[RulePattern(id: id)] ?? severities[RulePattern(groupOf: id)]
    }
}

/// Decides what is shown, and how severe it is.
final class RuleFilter {
    enum Verdict {
        /// Left out, and not counted.
        case off
        /// Not severe enough to be shown.
        case below(Finding.Severity)
        case shown(Finding.Severity)
    }

    private let choices: [RuleChoice]
    private let least: Finding.Severity
    private var verdicts: [String: Verdict] = [:]

    /// - Parameters:
    ///   - choices: a later one takes precedence over those before it.
    ///   - least: the least severity that is shown.
    init(_ choices: [RuleChoice], least: Finding.Severity) {
        self.choices = choices
        self.least = least
    }

    func verdict(on rule: Rule) -> Verdict {
        if let verdict = verdicts[rule.id] { return verdict }
        let verdict = decide(rule)
        verdicts[rule.id] = verdict
        return verdict
    }

    private func decide(_ rule: Rule) -> Verdict {
        var severity = rule.severity
        var state = RuleChoice.State.plain
        for choice in choices {
            severity = choice.severity(of: rule.id) ?? severity
            state = choice.state(of: rule.id) ?? state
        }
        switch state {
        case .off: return .off
        case .wanted: return .shown(severity)
        case .plain: return severity < least ? .below(severity) : .shown(severity)
        }
    }
}
