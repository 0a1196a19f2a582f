import PushModel

/// Rules as Markdown: a section each, in one text or on pages of their own.
package enum RuleMarkdown {
    /// Columns of prose. Examples, links to sources and tables may be wider.
    private static let width = 120

    /// All rules in one text: a table, then a section for each.
    package static func text(_ rules: [Rule]) -> String {
        var text = "# Rules\n\n\(introduction(rules.count))\n\n\(tableHead)"
        for rule in rules { text += row(rule, link: "#" + rule.id.text.filter { $0 != "." }) }
        for rule in rules { text += "\n## \(rule.id)\n\n\(description(of: rule))\(examples(of: rule, heading: "###"))" }
        return text
    }

    /// One rule as a text of its own.
    package static func page(_ rule: Rule) -> String {
        "### \(rule.id)\n\n\(description(of: rule))\(examples(of: rule, heading: "####"))\n[More](\(rule.page))\n"
    }

    static func introduction(_ count: Int) -> String {
        wrapped(
            """
            What `pushpipe lint` checks: \(count) rules. `error`: a service refuses the message, or what was meant is certainly lost. \
            `warning`: it has no effect, or is unreliable. `info`: worth a look. `pushpipe explain RULE` explains one of them.
            """)
    }

    // MARK: - Tables

    static let tableHead = "| Rule | Severity | Fixable | Title |\n|---|---|---|---|\n"

    static func row(_ rule: Rule, link: String) -> String {
        "| [`\(rule.id)`](\(link)) | \(rule.severity.rawValue) | \(rule.isFixable ? "yes" : "") | \(escaped(rule.title)) |\n"
    }

    // MARK: - One rule

    /// Severity, title, explanation and source.
    static func description(of rule: Rule) -> String {
        let fixable = rule.isFixable ? ", fixable with `--fix`" : ""
        let reporter =
            rule.scope == .schema
            ? " Reported by `pushpipe lint` with a schema." : rule.isForRunAlone ? " Reported by `pushpipe run`." : ""
        return wrapped("**\(rule.severity.rawValue)**\(fixable): \(escaped(rule.title)).\(reporter)") + "\n\n"
            + wrapped(escaped(rule.explanation)) + "\n\n"
            + "Source: [\(escaped(rule.source.title))](\(rule.source.url))\n"
    }

    /// - Parameter heading: of each example, such as `##`.
    static func examples(of rule: Rule, heading: String) -> String {
        var text = ""
        if !rule.failing.isEmpty { text += "\n\(heading) Breaks the rule\n\n\(fenced(rule.failing))" }
        if !rule.passing.isEmpty { text += "\n\(heading) Satisfies it\n\n\(fenced(rule.passing))" }
        return text
    }

    private static func fenced(_ example: String) -> String { "```json\n\(RuleText.abbreviated(example))\n```\n" }

    // MARK: - Text

    /// Breaks a paragraph into lines. No line begins with a word that would make it a heading or a list.
    static func wrapped(_ paragraph: String) -> String {
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
