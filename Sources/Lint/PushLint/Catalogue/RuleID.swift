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

/// A text that names no rule, and no group of rules where one may stand.
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
