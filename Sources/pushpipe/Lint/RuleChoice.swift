import PushLint
import PushModel
import PushPipeline
import TerminalStyle

/// A rule, or the group of those whose ids begin alike: `aps.misspelled-key`, `aps`.
struct RulePattern: Hashable {
    /// Without a dot at the end.
    let text: String

    /// Nil when there is no such rule or group. A dot behind a group is fine.
    init?(_ text: String) {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        guard Rule.named(name) != nil && name == text || Self.groups.contains(name) else { return nil }
        self.text = name
    }

    init(id: String) { text = id }

    init(groupOf id: String) { text = Self.group(of: id) }

    private static func group(of id: String) -> String { String(id.prefix { $0 != "." }) }

    /// The first parts of all ids, sorted.
    static let groups: [String] = Set(Rule.all.map { group(of: $0.id) }).sorted()

    /// Every text that is a pattern.
    static var all: [String] { groups + Rule.all.map(\.id) }

    // MARK: - Unknown names

    /// `there is no rule 'aps.mispelled-key'; did you mean aps.misspelled-key?`
    static func unknown(_ text: String) -> String {
        let name = TextStyle.clean(text)
        return "there is no rule '\(name)'" + (suggestion(for: text).map { "; did you mean \($0)?" } ?? "")
    }

    /// What comes nearest: the same name in another group, or one that differs by a few letters.
    private static func suggestion(for text: String) -> String? {
        // A long text is no slip of the pen, and would take long to compare.
        guard !text.isEmpty, text.utf8.count <= 100 else { return nil }
        if let rule = Rule.all.first(where: { $0.id.hasSuffix(".\(text)") }) { return rule.id }
        let typed = NearMiss.folded(text)
        let nearest = all.map { (name: $0, distance: NearMiss.distance(typed, NearMiss.folded($0))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, typed.count / 4) else { return nil }
        return nearest.name
    }
}

/// What one place, a configuration or the command line, says about rules.
struct RuleChoice {
    var severities: [RulePattern: Finding.Severity] = [:]
    var disabled: Set<RulePattern> = []
    var enabled: Set<RulePattern> = []

    fileprivate enum State {
        /// Left out.
        case off
        /// Shown whatever its severity.
        case wanted
        /// Shown when it is severe enough.
        case plain
    }

    /// What is said about the rule itself, else about its group; nil when that is nothing.
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
    ///   - choices: a later one overrules those before it.
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
