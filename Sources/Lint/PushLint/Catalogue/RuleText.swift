package import PushJSON
import PushModel
package import PushText

/// Rules for people and programs, as `pushpipe explain --rules` and `pushpipe explain` print them.
package enum RuleText {
    /// The most characters of an example to show. A longer one is only about its length.
    private static let exampleCharacters = 600

    // MARK: - Lists

    /// Appends one line for each rule.
    package static func appendList(of rules: [Rule], _ style: TextStyle, to out: inout ByteBuffer) {
        let width = rules.map(\.id.text.count).max() ?? 0
        for rule in rules {
            var line = FlowingLine(style, indent: 4)
            line.appendCell(rule.id.text, to: width + 2) { style.link($0, to: rule.page) }
            line.appendCell(rule.severity.rawValue, to: 9) { style.severity(rule.severity, $0) }
            line.appendCell(rule.isFixable ? "fixable" : rule.isForRunAlone ? "run only" : "", to: 9, style.dim)
            line.appendWords(rule.title)
            out.appendText(line.text + "\n")
        }
    }

    /// Appends a rule as one line of JSON.
    package static func appendJSON(_ rule: Rule, to out: inout ByteBuffer) {
        out.append("{\"id\":")
        out.appendJSONString(rule.id.text)
        out.appendMember("severity", rule.severity.rawValue)
        out.appendMember("fixable", rule.isFixable)
        out.appendMember("reportedBy", rule.isForRunAlone ? "run" : "lint")
        out.appendMember("title", rule.title)
        out.appendMember("explanation", rule.explanation)
        out.appendMember("source", rule.source.title)
        out.appendMember("url", rule.source.url)
        out.appendMember("page", rule.page)
        out.appendMember("failing", rule.failing)
        out.appendMember("passing", rule.passing)
        out.append("}\n")
    }

    // MARK: - One rule

    package static func explanation(_ rule: Rule, _ style: TextStyle) -> String {
        /// Words at most so wide as text is read well.
        func paragraph(_ words: String, indent: Int = 0) -> String {
            let columns = min(style.columns ?? 100, 100)
            let space = String(repeating: " ", count: indent)
            return TerminalText.wrapped(words, to: columns - indent).joined(separator: "\n" + space) + "\n"
        }
        var head = FlowingLine(style, indent: 2)
        head.appendCell("\(rule.id):", to: 0) { _ in style.bold(style.link(rule.id.text, to: rule.page)) + ":" }
        head.appendWords(rule.title)
        var text = head.text + "\n"
        text += style.severity(rule.severity, rule.severity.rawValue)
        text += (rule.isFixable ? ", fixable with --fix" : "") + "\n\n"
        text += paragraph(rule.explanation)
        if rule.isForRunAlone { text += paragraph("Reported by pushpipe run.") }
        if rule.scope == .schema {
            text += paragraph(
                "Reported by pushpipe lint with --schema, or with schemas in \(LintConfiguration.fileName).")
        }
        text += "\nSource: " + paragraph(rule.source.title, indent: 8)
        // Addresses and examples stay whole, so that they can be copied.
        text += "        \(rule.source.url)\nPage:   \(rule.page)\n"
        if !rule.failing.isEmpty { text += "\nBreaks the rule:\n" + indented(rule.failing) }
        // Without a record that breaks it, one that does not says nothing.
        if !rule.failing.isEmpty, !rule.passing.isEmpty { text += "\nDoes not:\n" + indented(rule.passing) }
        if rule.scope == .device, !rule.isOfExtension { return text }
        let way = rule.isOfExtension ? "" : " pushpipe lint --ignore \(rule.id), or"
        text += "\n" + paragraph("To ignore it:\(way) in \(LintConfiguration.fileName)")
        return text + "  lint:\n    ignore: [\(rule.id)]\n"
    }

    private static func indented(_ example: String) -> String {
        abbreviated(example).split(separator: "\n", omittingEmptySubsequences: false)
            .map { "  " + TextStyle.clean(String($0).replacingTabs) + "\n" }.joined()
    }

    static func abbreviated(_ example: String) -> String {
        guard example.count > exampleCharacters else { return example }
        let half = exampleCharacters / 2
        return "\(example.prefix(half)) … \(example.count - 2 * half) characters … \(example.suffix(half))"
    }
}

extension Rule {
    /// True if it is about what a service extension does in a run.
    var isOfExtension: Bool { scope == .device && id.text.hasPrefix("extension.") }

    /// True if only `pushpipe run` reports it. A rule that merely has no example, such as the one about records that are too long, is the
    /// linter's.
    var isForRunAlone: Bool { scope == .device || (scope == .run && !failing.isEmpty) }
}

extension String {
    /// The text with visible tabs, because an example may be about them.
    fileprivate var replacingTabs: String {
        split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "⇥")
    }
}

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

    private static func fenced(_ example: String) -> String {
        let text = RuleText.abbreviated(example)
        // What is cut inside is not JSON.
        return "```\(text == example ? "json" : "text")\n\(text)\n```\n"
    }

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
