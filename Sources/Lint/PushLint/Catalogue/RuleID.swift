import PushModel
import PushText

/// The id of a rule, as configurations and reports write it: `aps.misspelled-key`.
public struct RuleID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Dotted kebab-case, such as `aps.misspelled-key`.
    public let text: String

    /// Reads an id from text.
    ///
    /// - Throws: an error that names the closest id, if no rule has this one.
    public init(_ text: String) throws(UnknownRule) {
        guard Rule.named(text) != nil else { throw UnknownRule(text, among: Rule.all.map(\.id.text)) }
        self.text = text
    }

    init(known text: String) { self.text = text }

    /// The rule: its texts, severity, source and examples.
    public var rule: Rule { Rule.all[Rule.position(of: self)] }

    /// The text.
    public var description: String { text }

    /// Orders by text, as reports do.
    public static func < (left: RuleID, right: RuleID) -> Bool { left.text < right.text }
}

/// A text that names no rule, and no group of rules where one may stand. A program can offer the `suggestion`.
public struct UnknownRule: Error, Sendable, Equatable, CustomStringConvertible {
    /// The text as it was written.
    public let text: String
    /// The closest name: the same name in another group, or one that differs by a few letters; nil if there is none.
    public let suggestion: String?

    /// - Parameter names: what may stand there.
    init(_ text: String, among names: [String]) {
        self.text = text
        suggestion = Self.suggestion(for: text, among: names)
    }

    /// `there is no rule 'aps.mispelled-key'; did you mean aps.misspelled-key?`
    public var description: String {
        "there is no rule '\(TerminalText.clean(text))'" + (suggestion.map { "; did you mean \($0)?" } ?? "")
    }

    private static func suggestion(for text: String, among names: [String]) -> String? {
        // A long text is not a typo, and would take long to compare.
        guard !text.isEmpty, text.utf8.count <= 100 else { return nil }
        if let rule = Rule.all.first(where: { $0.id.text.hasSuffix(".\(text)") }) { return rule.id.text }
        let typed = NearMiss.folded(text)
        let nearest = names.map { (name: $0, distance: NearMiss.distance(typed, NearMiss.folded($0))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, typed.count / 4) else { return nil }
        return nearest.name
    }
}

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

    /// The text.
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
