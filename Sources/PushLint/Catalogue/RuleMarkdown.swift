import PushModel

/// The catalogue as a page of documentation.
package enum RuleMarkdown {
    package static func text(_ rules: [Rule]) -> String {
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
