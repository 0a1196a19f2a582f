import ArgumentParser
import PayloadJSON
import PushLint
import PushModel
import StandardStreams
import TerminalStyle

/// `pushpipe rules`: the catalogue.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules of the linter.",
        discussion: """
            Lists all rules, or only the named rules and groups. pushpipe explain RULE explains one.

              pushpipe rules
              pushpipe rules aps alert
              pushpipe rules --format json | jq -r 'select(.severity == "error") | .id'
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Argument(
        help: ArgumentHelp("Rules or groups such as gcm.", valueName: "rule"), completion: .list(RulePattern.all))
    var names: [String] = []

    @Option(help: "Output format.")
    var format = Form.text

    func validate() throws { _ = try rules() }

    private func rules() throws -> [Rule] {
        if names.isEmpty { return Rule.all }
        let ids = try names.flatMap { name in
            guard let pattern = RulePattern(name) else { throw ValidationError(RulePattern.unknown(name)) }
            return pattern.rules.map(\.id)
        }
        return Rule.all.filter { ids.contains($0.id) }
    }

    func run() throws {
        let rules = try rules()
        let output = StandardOutput()
        switch format {
        case .text:
            let style = TextStyle.forTerminal(StandardOutput.isTerminal)
            try output.append { RuleText.appendList(of: rules, style, to: &$0) }
        case .json:
            for rule in rules { try output.append { RuleText.appendJSON(rule, to: &$0) } }
        case .markdown:
            try output.append { $0.appendText(RuleMarkdown.text(rules)) }
        }
        try output.flush()
    }
}

/// `pushpipe explain`: one rule.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a rule: its reason, its source, and examples that break and satisfy it.",
        discussion: "  pushpipe explain aps.misspelled-key")

    @Argument(
        help: ArgumentHelp("Rule id.", valueName: "rule"), completion: .list(Rule.all.map(\.id)))
    var rule: String

    func validate() throws { _ = try found() }

    private func found() throws -> Rule {
        if let found = Rule.named(rule) { return found }
        if let pattern = RulePattern(rule) {
            throw ValidationError(
                "'\(pattern.text)' is a group of rules; pushpipe rules \(pattern.text) lists them.")
        }
        throw ValidationError(RulePattern.unknown(rule))
    }

    func run() throws {
        try StandardOutput().write(RuleText.explanation(found(), .forTerminal(StandardOutput.isTerminal)))
    }
}
