import ArgumentParser
import PayloadJSON
import PushLint
import PushModel
import PushPipeline
import TerminalStyle

/// `pushpipe rules`: the catalogue.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules of the linter.",
        discussion: """
            All of them, or those of the groups that are named. pushpipe explain RULE tells about one.

              pushpipe rules
              pushpipe rules aps alert
              pushpipe rules --format json | jq -r 'select(.severity == "error") | .id'
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Argument(
        help: ArgumentHelp("Rules, or groups such as gcm.", valueName: "rule"), completion: .list(RulePattern.all))
    var names: [String] = []

    @Option(help: "Form of the list.")
    var format = Form.text

    func validate() throws { _ = try rules() }

    private func rules() throws -> [Rule] {
        if names.isEmpty { return Rule.all }
        let patterns = try names.map { name in
            guard let pattern = RulePattern(name) else { throw ValidationError(RulePattern.unknown(name)) }
            return pattern
        }
        return Rule.all.filter { rule in patterns.contains { $0.text == rule.id || rule.id.hasPrefix($0.text + ".") } }
    }

    func run() throws {
        let rules = try rules()
        let output = StandardOutput()
        switch format {
        case .text:
            let style = TextStyle.forTerminal(StandardOutput.isTerminal)
            let width = rules.map(\.id.count).max() ?? 0
            for rule in rules {
                let id = TextTable.padded(rule.id, width)
                let severity = style.severity(rule.severity, TextTable.padded(rule.severity.rawValue, 7))
                let fixable = rule.isFixable ? "fixable" : "       "
                try output.append { $0.appendText("\(id)  \(severity)  \(style.dim(fixable))  \(rule.title)\n") }
            }
        case .json:
            for rule in rules { try output.append { Self.append(rule, to: &$0) } }
        case .markdown:
            try output.append { $0.appendText(RuleText.markdown(rules)) }
        }
        try output.flush()
    }

    private static func append(_ rule: Rule, to out: inout ByteBuffer) {
        out.append("{\"id\":")
        out.appendJSONString(rule.id)
        NotificationLine.append("severity", rule.severity.rawValue, to: &out)
        out.append(",\"fixable\":")
        out.appendText(rule.isFixable ? "true" : "false")
        NotificationLine.append("reportedBy", rule.isForRunAlone ? "run" : "lint", to: &out)
        NotificationLine.append("title", rule.title, to: &out)
        NotificationLine.append("explanation", rule.explanation, to: &out)
        NotificationLine.append("source", rule.source.title, to: &out)
        NotificationLine.append("url", rule.source.url, to: &out)
        NotificationLine.append("failing", rule.failing, to: &out)
        NotificationLine.append("passing", rule.passing, to: &out)
        out.append("}\n")
    }
}

/// `pushpipe explain`: one rule.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell about a rule: why it is one, who says so, what breaks it and what does not.",
        discussion: "  pushpipe explain aps.misspelled-key")

    @Argument(
        help: ArgumentHelp("Id of the rule.", valueName: "rule"), completion: .list(Rule.all.map(\.id)))
    var rule: String

    func validate() throws {
        if Rule.named(rule) == nil { throw ValidationError(message) }
    }

    private var message: String {
        if let pattern = RulePattern(rule) {
            return "'\(pattern.text)' is a group of rules; pushpipe rules \(pattern.text) lists them."
        }
        return RulePattern.unknown(rule)
    }

    func run() throws {
        guard let found = Rule.named(rule) else { throw ValidationError(message) }
        let style = TextStyle.forTerminal(StandardOutput.isTerminal)
        try StandardOutput().write(RuleText.explanation(found, style))
    }
}
