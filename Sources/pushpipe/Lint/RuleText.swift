import PushLint
import PushModel
import PushPipeline
import TerminalStyle

/// Rules for people: one at a time, and all as a page of documentation.
enum RuleText {
    /// Most characters of an example that are shown; what is longer is long for its length alone.
    private static let exampleCharacters = 400

    // MARK: - One rule

    static func explanation(_ rule: Rule, _ style: TextStyle) -> String {
        var text = "\(style.bold(rule.id)): \(rule.title)\n"
        text += style.severity(rule.severity, rule.severity.rawValue)
        text += (rule.isFixable ? ", --fix mends it" : "") + "\n\n"
        text += wrapped(rule.explanation, 100) + "\n"
        if rule.isForRunAlone { text += "Reported by pushpipe run.\n" }
        text += "\nSource: \(rule.source.title)\n        \(rule.source.url)\n"
        if !rule.failing.isEmpty { text += "\nBreaks the rule:\n" + indented(rule.failing) }
        if !rule.passing.isEmpty { text += "\nDoes not:\n" + indented(rule.passing) }
        text += "\nTo leave it out: pushpipe lint --disable \(rule.id), or in \(LintConfiguration.fileName)\n"
        return text + "  lint:\n    disable: [\(rule.id)]\n"
    }

    private static func indented(_ example: String) -> String {
        abbreviated(example).split(separator: "\n", omittingEmptySubsequences: false)
            .map { "  " + TextStyle.clean(String($0).replacingTabs) + "\n" }.joined()
    }

    private static func wrapped(_ text: String, _ width: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }

    private static func abbreviated(_ example: String) -> String {
        guard example.count > exampleCharacters else { return example }
        let half = exampleCharacters / 2
        return "\(example.prefix(half)) … \(example.count - 2 * half) characters … \(example.suffix(half))"
    }

    // MARK: - The page

    static func markdown(_ rules: [Rule]) -> String {
        var text = """
            # Rules

            What [`pushpipe lint`](../guides/lint.md) looks for: \(rules.count) rules. `error`: a service refuses the message, or what was meant is \
            certainly lost. `warning`: it has no effect, or is unreliable. `info`: worth a look. `pushpipe explain RULE` tells the same \
            about one.

            This page is the output of `pushpipe rules --format markdown`; `make rules` writes it.

            | Rule | Severity | Fixable | Title |
            |---|---|---|---|

            """
        for rule in rules {
            let link = rule.id.filter { $0 != "." }
            text += "| [`\(rule.id)`](#\(link)) | \(rule.severity.rawValue) | \(rule.isFixable ? "yes" : "") |"
            text += " \(escaped(rule.title)) |\n"
        }
        for rule in rules { text += section(rule) }
        return text
    }

    private static func section(_ rule: Rule) -> String {
        var text = "\n## \(rule.id)\n\n**\(rule.severity.rawValue)**\(rule.isFixable ? ", fixable" : "")"
        text += ": \(escaped(rule.title)).\(rule.isForRunAlone ? " Reported by `pushpipe run`." : "")\n\n"
        text += "\(escaped(rule.explanation))\n\nSource: [\(escaped(rule.source.title))](\(rule.source.url))\n"
        if !rule.failing.isEmpty { text += "\nBreaks the rule:\n\n\(fenced(rule.failing))" }
        if !rule.passing.isEmpty { text += "\nDoes not:\n\n\(fenced(rule.passing))" }
        return text
    }

    private static func fenced(_ example: String) -> String { "```json\n\(abbreviated(example))\n```\n" }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if #"\*_<>[]|`"#.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}

extension Rule {
    /// Whether the linter never reports it. It does report what only has no example, a record that is too long for instance.
    var isForRunAlone: Bool { scope == .run && !failing.isEmpty }
}

extension String {
    /// With each tab made visible, because an example may be about it.
    fileprivate var replacingTabs: String {
        split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "⇥")
    }
}
