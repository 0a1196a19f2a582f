import ArgumentParser
import PushLint
import PushModel
import PushReports
import PushStreams
import PushText

/// How a list is written.
struct RuleListArguments: ParsableArguments {
    @Option(help: "Format of what is listed.")
    var format = Form.text

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, ndjson
    }

    /// - Parameter names: rules and groups; none for all rules.
    func rules(_ names: [String]) throws -> [Rule] {
        if names.isEmpty { return Rule.all }
        let ids = try names.flatMap { name in
            try RulePattern(argument: name).rules.map(\.id)
        }
        return Rule.all.filter { ids.contains($0.id) }
    }

    func write(_ rules: [Rule]) throws {
        let output = StandardOutput()
        switch format {
        case .text:
            let style = TextStyle.standardOutput
            try output.append { RuleText.appendList(of: rules, style, to: &$0) }
        case .ndjson:
            for rule in rules { try output.append { RuleText.appendJSON(rule, to: &$0) } }
        }
        try output.flush()
    }
}

struct ExplainCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a word of any output: rule, answer, status, outcome, reason, or kind of event.",
        discussion: CommandHelp.explain)

    @Argument(
        help: ArgumentHelp(
            "Rule or group of rules, reason of an answer such as BadTopic, status, outcome, its reason such as alerts-off, or kind of event. Without one, lists all.",
            valueName: "word"),
        completion: .list(RulePattern.names + Set(ReasonList.rows.map(\.word)).sorted()))
    var words: [String] = []

    @Flag(help: "List all rules of the linter, or those that the words name.")
    var rules = false

    @OptionGroup var list: RuleListArguments
    @OptionGroup(title: "Appearance") var look: OutputArguments

    enum Plan {
        case everything
        case rules([Rule])
        case rule(Rule)
        /// Of a service's answer, and of other words of the same spelling.
        case word([Rejection], [ReasonList.Row])
    }

    func plan() throws -> Plan {
        if rules { return .rules(try list.rules(words)) }
        guard let word = words.first else { return .everything }
        guard words.count == 1 else {
            throw ValidationError("explain takes one word; with --rules, several rules and groups.")
        }
        if let found = Rule.named(word) { return .rule(found) }
        let rejections = AnswerList.rejections(named: word)
        let reasons = ReasonList.rows(named: word)
        if !rejections.isEmpty || !reasons.isEmpty { return .word(rejections, reasons) }
        let refusals = AnswerList.rejections(withStatus: word)
        if !refusals.isEmpty { return .word(refusals, []) }
        do { return .rules(try RulePattern(word).rules) } catch {
            let nearest = AnswerList.reason(like: word) ?? error.suggestion ?? ReasonList.word(like: word)
            throw ValidationError(
                "there is no rule, answer, outcome or reason '\(TerminalText.clean(word))'"
                    + (nearest.map { "; did you mean \($0)?" } ?? "")
                    + " (pushpipe explain lists them)")
        }
    }

    func run() throws {
        let output = StandardOutput()
        let style = TextStyle.standardOutput
        switch (try plan(), list.format) {
        case (.everything, .text):
            try list.write(Rule.all)
            try output.append { WordList.appendText(style, to: &$0) }
        case (.everything, .ndjson):
            try list.write(Rule.all)
            try output.append { WordList.appendJSON(to: &$0) }
        case (.rules(let rules), _): try list.write(rules)
        case (.rule(let rule), .text): try output.write(RuleText.explanation(rule, style))
        case (.rule(let rule), .ndjson): try list.write([rule])
        case (.word(let rejections, let reasons), .text):
            let texts = [AnswerList.explanation(rejections, style), ReasonList.explanation(reasons, style)]
            try output.write(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
        case (.word(let rejections, let reasons), .ndjson):
            try output.append { WordList.appendJSON(rejections, reasons, to: &$0) }
        }
        try output.flush()
    }
}

extension RulePattern {
    /// Reads a rule or a group from an argument.
    init(argument: String) throws {
        do { try self.init(argument) } catch { throw ValidationError("\(error) (pushpipe explain --rules lists them)") }
    }
}
