import ArgumentParser
import PayloadJSON
import PushLint
import PushModel
import PushReports
import PushStreams
import PushText

/// How a list of rules is written.
struct RuleListArguments: ParsableArguments {
    @Option(help: "Format of a list of rules.")
    var format = Form.text

    @Option(
        help: ArgumentHelp("With --format markdown, write a page per rule and an index there.", valueName: "directory"),
        completion: .directory)
    var output: String?

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, ndjson, markdown

        /// `json` is what `ndjson` was called until 0.1.
        init?(argument: String) { self.init(rawValue: argument == "json" ? "ndjson" : argument) }
    }

    func validate() throws {
        guard output == nil || format == .markdown else { throw ValidationError("--output needs --format markdown.") }
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
        if let directory = output { return try RulePages.write(rules, to: directory) }
        let output = StandardOutput()
        switch format {
        case .text:
            let style = TextStyle.standardOutput
            try output.append { RuleText.appendList(of: rules, style, to: &$0) }
        case .ndjson:
            for rule in rules { try output.append { RuleText.appendJSON(rule, to: &$0) } }
        case .markdown:
            try output.append { $0.appendText(RuleMarkdown.text(rules)) }
        }
        try output.flush()
    }
}

/// The name of `pushpipe explain --rules` until 0.2, which works for one more release.
struct RulesCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "The old name of pushpipe explain --rules.", shouldDisplay: false)

    @Argument(
        help: ArgumentHelp("Rules or groups such as gcm.", valueName: "rule"), completion: .list(RulePattern.names))
    var names: [String] = []
    @OptionGroup var list: RuleListArguments
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> [Rule] { try list.rules(names) }

    func run() throws { try list.write(plan()) }
}

struct ExplainCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a word of any output: rule, answer, status, outcome, reason, or kind of event.",
        discussion: CommandHelp.explain)

    @Argument(
        help: ArgumentHelp(
            "Rule or group of rules, reason of an answer such as BadTopic, status, outcome, its reason such as alerts-off, or kind of event.",
            valueName: "word"),
        completion: .list(RulePattern.names + Set(ReasonList.rows.map(\.word)).sorted()))
    var words: [String] = []

    @Flag(help: "List all rules of the linter, or those that the words name.")
    var rules = false

    @Flag(help: "Print every answer of the services and how it is known, in Markdown.")
    var answers = false

    @Flag(name: .customLong("words"), help: "Print every word of reports, of the journal and of events, in Markdown.")
    var everyWord = false

    @OptionGroup var list: RuleListArguments
    @OptionGroup(title: "Appearance") var look: OutputArguments

    enum Plan {
        case rules([Rule])
        case rule(Rule)
        /// Of a service's answer, and of other words of the same spelling.
        case word([Rejection], [ReasonList.Row])
        case answers
        case words
    }

    func plan() throws -> Plan {
        let modes = [rules, answers, everyWord].count { $0 }
        if rules, modes == 1 { return .rules(try list.rules(words)) }
        if list.format != .text { throw ValidationError("--format is for a list of rules, and needs --rules.") }
        if modes == 1, words.isEmpty { return answers ? .answers : .words }
        guard let word = words.first, words.count == 1, modes == 0 else {
            throw ValidationError("explain takes either a word, --rules, --answers or --words.")
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
                    + " (pushpipe explain --rules and --answers list them)")
        }
    }

    func run() throws {
        let output = StandardOutput()
        switch try plan() {
        case .rules(let rules): try list.write(rules)
        case .rule(let rule): try output.write(RuleText.explanation(rule, .standardOutput))
        case .word(let rejections, let reasons):
            let texts = [
                AnswerList.explanation(rejections, .standardOutput), ReasonList.explanation(reasons, .standardOutput),
            ]
            try output.write(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
        case .answers: try output.write(AnswerList.markdown)
        case .words: try output.write(WordList.markdown)
        }
    }
}

extension RulePattern {
    /// Reads a rule or a group from an argument.
    init(argument: String) throws {
        do { try self.init(argument) } catch { throw ValidationError("\(error) (pushpipe explain --rules lists them)") }
    }
}
