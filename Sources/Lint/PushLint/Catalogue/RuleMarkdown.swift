import PushModel

/// A rule as Markdown, for editors.
package enum RuleMarkdown {
    /// Columns of prose. Examples, links to sources and tables may be wider.
    private static let width = 120

    /// A section with the rule's explanation and examples.
    package static func page(_ rule: Rule) -> String {
        "### \(rule.id)\n\n\(description(of: rule))\(examples(of: rule))\n[More](\(rule.page))\n"
    }

    /// Severity, title, explanation and source.
    private static func description(of rule: Rule) -> String {
        let fixable = rule.isFixable ? ", fixable with `--fix`" : ""
        let reporter =
            rule.scope == .schema
            ? " Reported by `pushpipe lint` with a schema." : rule.isForRunAlone ? " Reported by `pushpipe run`." : ""
        return wrapped("**\(rule.severity.rawValue)**\(fixable): \(escaped(rule.title)).\(reporter)") + "\n\n"
            + wrapped(escaped(rule.explanation)) + "\n\n"
            + "Source: [\(escaped(rule.source.title))](\(rule.source.url))\n"
    }

    private static func examples(of rule: Rule) -> String {
        var text = ""
        if !rule.failing.isEmpty { text += "\n#### Breaks the rule\n\n\(fenced(rule.failing))" }
        if !rule.passing.isEmpty { text += "\n#### Satisfies it\n\n\(fenced(rule.passing))" }
        return text
    }

    private static func fenced(_ example: String) -> String { "```json\n\(RuleText.abbreviated(example))\n```\n" }

    // MARK: - Text

    /// Breaks a paragraph into lines. No line begins with a word that would make it a heading or a list.
    private static func wrapped(_ paragraph: String) -> String {
        var lines: [String] = []
        for word in paragraph.split(separator: " ") {
            guard var line = lines.popLast() else {
                lines = [String(word)]
                continue
            }
            if line.count + 1 + word.count <= width || beginsBlock(word) {
                line += " " + word
                lines.append(line)
            } else {
                lines += [line, String(word)]
            }
        }
        return lines.joined(separator: "\n")
    }

    /// True if a line that begins with the word could be more than a part of its paragraph.
    private static func beginsBlock(_ word: Substring) -> Bool {
        guard let first = word.first else { return false }
        return "#+-=~".contains(first) || first.isNumber && (word.hasSuffix(".") || word.hasSuffix(")"))
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if #"\*_<>[]|`"#.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
