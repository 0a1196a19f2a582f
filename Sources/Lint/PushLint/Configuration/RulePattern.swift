/// A rule, the group of rules whose ids begin alike, or all rules.
public struct RulePattern: Sendable, Hashable, CustomStringConvertible {
    /// The id or the group, without a dot at the end.
    package let text: String

    /// Every rule: `ALL`.
    public static let everything = RulePattern(id: "ALL")

    /// One rule: `.rule(diagnostic.rule.id)`.
    public static func rule(_ id: RuleID) -> RulePattern { RulePattern(id: id.text) }

    /// Reads a pattern as configurations write it: `aps.misspelled-key`, `aps` or `ALL`. A dot after a group is fine.
    ///
    /// - Throws: an error that names the closest rule or group, if there is none of this name.
    public init(_ text: String) throws(UnknownRule) {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let isRule = name == text && (Rule.named(name) != nil || name == Self.everything.text)
        guard isRule || Self.groups.contains(name) else { throw UnknownRule(text, among: Self.names) }
        self.text = name
    }

    private init(id: String) { text = id }

    /// As configurations write it.
    public var description: String { text }

    /// The rules that it stands for, sorted by id.
    package var rules: [Rule] { Rule.all.filter(contains) }

    /// True if it stands for a rule.
    package func contains(_ rule: Rule) -> Bool {
        rule.id.text == text || rule.id.text.hasPrefix(text + ".") || self == .everything
    }

    /// All patterns that stand for a rule, the most specific one first.
    static func all(for id: RuleID) -> [RulePattern] {
        [.rule(id), RulePattern(id: Rule.group(of: id)), .everything]
    }

    /// The first parts of all ids, sorted.
    static let groups: [String] = Set(Rule.all.map(\.group)).sorted()

    /// Every text that is a pattern.
    package static var names: [String] { [everything.text] + groups + Rule.all.map(\.id.text) }
}
