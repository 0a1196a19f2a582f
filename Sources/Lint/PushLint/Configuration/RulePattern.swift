import PushModel
import PushText

/// A rule, the group of rules whose ids begin alike, or all rules: `aps.misspelled-key`, `aps`, `ALL`.
public struct RulePattern: Sendable, Hashable {
    /// The id or the group, without a dot at the end.
    public let text: String

    /// Every rule.
    static let everything = RulePattern(id: "ALL")

    /// Nil if there is no such rule or group. A dot after a group is fine.
    public init?(_ text: String) {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let isRule = name == text && (Rule.named(name) != nil || name == Self.everything.text)
        guard isRule || Self.groups.contains(name) else { return nil }
        self.text = name
    }

    init(id: String) { text = id }

    init(groupOf id: String) { text = Rule.group(of: id) }

    /// The rules that it stands for, sorted by id.
    public var rules: [Rule] { Rule.all.filter(contains) }

    /// True if it stands for a rule.
    package func contains(_ rule: Rule) -> Bool {
        rule.id == text || rule.id.hasPrefix(text + ".") || self == .everything
    }

    /// All patterns that stand for a rule, the most specific one first.
    static func all(for id: String) -> [RulePattern] { [RulePattern(id: id), RulePattern(groupOf: id), .everything] }

    /// The first parts of all ids, sorted.
    static let groups: [String] = Set(Rule.all.map(\.group)).sorted()

    /// Every text that is a pattern.
    package static var all: [String] { [everything.text] + groups + Rule.all.map(\.id) }

    // MARK: - Unknown names

    /// `there is no rule 'aps.mispelled-key'; did you mean aps.misspelled-key?`
    package static func unknown(_ text: String) -> String {
        let name = TerminalText.clean(text)
        return "there is no rule '\(name)'" + (suggestion(for: text).map { "; did you mean \($0)?" } ?? "")
    }

    /// The closest name: the same name in another group, or one that differs by a few letters.
    private static func suggestion(for text: String) -> String? {
        // A long text is not a typo, and would take long to compare.
        guard !text.isEmpty, text.utf8.count <= 100 else { return nil }
        if let rule = Rule.all.first(where: { $0.id.hasSuffix(".\(text)") }) { return rule.id }
        let typed = NearMiss.folded(text)
        let nearest = all.map { (name: $0, distance: NearMiss.distance(typed, NearMiss.folded($0))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, typed.count / 4) else { return nil }
        return nearest.name
    }
}
