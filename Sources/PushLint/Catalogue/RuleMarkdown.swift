import PushModel

/// The catalogue as a page of documentation.
package enum RuleMarkdown {
    /// Columns of prose. Examples, links to sources and the table may be wider.
    private static let width = 120

    package static func text(_ rules: [Rule]) -> String {
        var text = """
            # Rules

            \(wrapped(introduction(rules.count)))

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

    private static func introduction(_ count: Int) -> String {
        """
        What [`pushpipe lint`](../guides/lint.md) checks: \(count) rules. `error`: a service refuses the message, or what was \
        meant is certainly lost. `warning`: it has no effect, or is unreliable. `info`: worth a look. `pushpipe explain RULE` \
        explains one of them.
        """
    }

    private static func section(_ rule: Rule) -> String {
        let fixable = rule.isFixable ? ", fixable" : ""
        let reporter =
            rule.scope == .schema
            ? " Reported by `pushpipe lint` with a schema." : rule.isForRunAlone ? " Reported by `pushpipe run`." : ""
        var text = "\n## \(rule.id)\n\n"
        text += wrapped("**\(rule.severity.rawValue)**\(fixable): \(escaped(rule.title)).\(reporter)") + "\n\n"
        text += wrapped(escaped(rule.explanation)) + "\n\n"
        text += "Source: [\(escaped(rule.source.title))](\(rule.source.url))\n"
        if !rule.failing.isEmpty { text += "\nBreaks the rule:\n\n\(fenced(rule.failing))" }
        if !rule.passing.isEmpty { text += "\nDoes not:\n\n\(fenced(rule.passing))" }
        return text
    }

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

    /// Whether a line that begins with the word could be more than a part of its paragraph.
    private static func beginsBlock(_ word: Substring) -> Bool {
        guard let first = word.first else { return false }
        return "#+-=~".contains(first) || first.isNumber && (word.hasSuffix(".") || word.hasSuffix(")"))
    }

    private static func fenced(_ example: String) -> String { "```json\n\(RuleText.abbreviated(example))\n```\n" }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if #"\*_<>[]|`"#.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
