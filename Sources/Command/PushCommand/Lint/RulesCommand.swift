import ArgumentParser
import PayloadJSON
import PushLint
import PushModel
import PushReports
import PushStreams
import PushText

struct RulesCommand: TextCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List the rules of the linter.",
        discussion: CommandHelp.rules)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, ndjson, markdown

        /// `json` is what `ndjson` was called until 0.1.
        init?(argument: String) { self.init(rawValue: argument == "json" ? "ndjson" : argument) }
    }

    @Argument(
        help: ArgumentHelp("Rules or groups such as gcm.", valueName: "rule"), completion: .list(RulePattern.names))
    var names: [String] = []

    @Option(help: "Output format.")
    var format = Form.text

    @Option(
        help: ArgumentHelp("With --format markdown, write a page per rule and an index there.", valueName: "directory"),
        completion: .directory)
    var output: String?

    @OptionGroup(title: "Appearance") var look: OutputArguments

    func validate() throws {
        _ = try rules()
        guard output == nil || format == .markdown else { throw ValidationError("--output needs --format markdown.") }
    }

    private func rules() throws -> [Rule] {
        if names.isEmpty { return Rule.all }
        let ids = try names.flatMap { name in
            try RulePattern(argument: name).rules.map(\.id)
        }
        return Rule.all.filter { ids.contains($0.id) }
    }

    func run() throws {
        let rules = try rules()
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

struct ExplainCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a word of any output: rule, answer, status, outcome, reason, or kind of event.",
        discussion: CommandHelp.explain)

    @Argument(
        help: ArgumentHelp(
            "Rule id, reason of an answer such as BadTopic, status, outcome, its reason such as alerts-off, or kind of event.",
            valueName: "word"),
        completion: .list(Rule.all.map(\.id.text) + Set(ReasonList.rows.map(\.word)).sorted()))
    var word: String?

    @Flag(help: "Print every answer of the services and how it is known, in Markdown.")
    var answers = false

    @OptionGroup(title: "Appearance") var look: OutputArguments

    enum Plan {
        case rule(Rule)
        case rejections([Rejection])
        case reasons([ReasonList.Row])
        case answers
    }

    func plan() throws -> Plan {
        guard let word, !answers else {
            if word == nil, answers { return .answers }
            throw ValidationError("explain takes either a word or --answers.")
        }
        if let found = Rule.named(word) { return .rule(found) }
        let rejections = AnswerList.rejections(named: word)
        if !rejections.isEmpty { return .rejections(rejections) }
        let reasons = ReasonList.rows(named: word)
        if !reasons.isEmpty { return .reasons(reasons) }
        let refusals = AnswerList.rejections(withStatus: word)
        if !refusals.isEmpty { return .rejections(refusals) }
        let pattern: RulePattern
        do { pattern = try RulePattern(word) } catch {
            let nearest = AnswerList.reason(like: word) ?? error.suggestion ?? ReasonList.word(like: word)
            throw ValidationError(
                "there is no rule, answer, outcome or reason '\(TerminalText.clean(word))'"
                    + (nearest.map { "; did you mean \($0)?" } ?? "")
                    + " (pushpipe rules and pushpipe explain --answers list them)")
        }
        throw ValidationError("'\(pattern)' is a group of rules; pushpipe rules \(pattern) lists them.")
    }

    func run() throws {
        let text =
            switch try plan() {
            case .rule(let rule): RuleText.explanation(rule, .standardOutput)
            case .rejections(let rejections): AnswerList.explanation(rejections, .standardOutput)
            case .reasons(let reasons): ReasonList.explanation(reasons, .standardOutput)
            case .answers: AnswerList.markdown
            }
        try StandardOutput().write(text)
    }
}

extension RulePattern {
    /// Reads a rule or a group from an argument.
    init(argument: String) throws {
        do { try self.init(argument) } catch { throw ValidationError("\(error) (pushpipe rules lists them)") }
    }
}
