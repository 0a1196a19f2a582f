public import PushModel

/// Which rules to show, and how severe they are: one configuration's choice, or the command line's.
///
/// A choice for a rule takes precedence over one for its group, and that over one for all. A severity is no choice against `enabled`: what is
/// shown whatever its severity stays so.
public struct RuleChoice: Sendable {
    /// Severities that replace the rules' own.
    public var severities: [RulePattern: Finding.Severity] = [:]
    /// Rules to leave out.
    public var disabled: Set<RulePattern> = []
    /// Rules to show whatever their severity. Takes precedence over `disabled`.
    public var enabled: Set<RulePattern> = []
    /// The only rules to show besides `enabled`, whatever their severity; nil for those that are severe enough. `disabled` takes precedence.
    public var selected: Set<RulePattern>?

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

    /// The choice for the rule itself, else for its group, else for all; nil for none.
    fileprivate func state(of id: RuleID) -> State? {
        var hasSeverity = false
        for pattern in RulePattern.all(for: id) {
            if enabled.contains(pattern) { return .wanted }
            if disabled.contains(pattern) { return hasSeverity ? .plain : .off }
            if let selected {
                if selected.contains(pattern) { return .wanted }
            } else if severities[pattern] != nil {
                hasSeverity = true
            }
        }
        if selected != nil { return .off }
        return hasSeverity ? .plain : nil
    }

    fileprivate func severity(of id: RuleID) -> Finding.Severity? {
        RulePattern.all(for: id).lazy.compactMap { severities[$0] }.first
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
    private var verdicts: [RuleID: Verdict] = [:]

    /// - Parameter settings: a later one takes precedence over those before it.
    init(_ settings: [RuleSettings]) {
        choices = settings.map(\.rules)
        least = settings.last { $0.severity != nil }?.severity ?? LintConfiguration.defaultSeverity
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
            if let next = choice.state(of: rule.id), next != .plain || state != .wanted { state = next }
        }
        switch state {
        case .off: return .off
        case .wanted: return .shown(severity)
        case .plain: return severity < least ? .below(severity) : .shown(severity)
        }
    }
}
