import ArgumentParser
import PayloadJSON
import PushDecoding
import PushLint
import PushLintFiles
import PushLintYAML
import PushModel
import PushReports
import PushRuns
import PushSettings
import PushStreams
import PushSystem
import PushText

package enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson

    package static var `default`: ListFormat { StandardOutput.isTerminal ? .text : .ndjson }
}

struct ExplainCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "explain",
        abstract: "Explain a word of any output: rule, answer, status, outcome, reason, or kind of event.",
        discussion: """
            Explains a word, or lists the rules of a group. Without a word, lists every rule, every answer of the services, and every word of \
            reports and events. --rules lists all rules, or the named rules and groups.

              pushpipe explain aps.misspelled-key
              pushpipe explain BadTopic
              pushpipe explain silent
              pushpipe explain alerts-off
              pushpipe explain --rules aps alert
              pushpipe explain --rules --format ndjson | jq -r .id
              pushpipe explain --format ndjson | jq 'select(.kind == "answer")'
            """)

    @Argument(
        help: ArgumentHelp(
            "Rule or group of rules, reason of an answer such as BadTopic, status, outcome, its reason such as alerts-off, or kind of event. Without one, lists all.",
            valueName: "word"),
        completion: .words { RulePattern.names + Set(ReasonList.rows.map(\.word)).sorted() })
    var words: [String] = []

    @Flag(help: "List all rules of the linter, or those that the words name.")
    var rules = false

    @Option(help: "Format of what is listed.")
    var format = ListFormat.text
    @OptionGroup var common: CommonArguments

    enum Plan {
        case everything
        case rules([Rule])
        case rule(Rule)
        /// Refusals and other words of one spelling.
        case word([Rejection], [ReasonList.Row])
    }

    func plan() throws -> Plan {
        if rules { return .rules(try listed(words)) }
        guard let word = words.first else { return .everything }
        guard words.count == 1 else {
            throw ValidationError("explain takes one word; with --rules, several rules and groups.")
        }
        // Every rule has a period. Without one, the rules are not made.
        if word.contains("."), let found = Rule.named(word) { return .rule(found) }
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

    func run(_ settings: Settings) throws {
        let output = StandardOutput()
        let style = TextStyle.standardOutput
        switch (try plan(), format) {
        case (.everything, .text):
            try write(Rule.all)
            try output.append { WordList.appendText(style, to: &$0) }
        case (.everything, .ndjson):
            try write(Rule.all)
            try output.append { WordList.appendJSON(to: &$0) }
        case (.rules(let rules), _): try write(rules)
        case (.rule(let rule), .text): try output.write(RuleText.explanation(rule, style))
        case (.rule(let rule), .ndjson): try write([rule])
        case (.word(let rejections, let reasons), .text):
            let texts = [AnswerList.explanation(rejections, style), ReasonList.explanation(reasons, style)]
            try output.write(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
        case (.word(let rejections, let reasons), .ndjson):
            try output.append { WordList.appendJSON(rejections, reasons, to: &$0) }
        }
        try output.flush()
    }

    /// - Parameter names: rules and groups; none for all rules.
    private func listed(_ names: [String]) throws -> [Rule] {
        if names.isEmpty { return Rule.all }
        let ids = try names.flatMap { try RulePattern(argument: $0).rules.map(\.id) }
        return Rule.all.filter { ids.contains($0.id) }
    }

    private func write(_ rules: [Rule]) throws {
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

extension RulePattern {
    /// Reads a rule or a group from an argument.
    init(argument: String) throws {
        do { try self.init(argument) } catch { throw ValidationError("\(error) (pushpipe explain --rules lists them)") }
    }
}

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the settings in force, all keys, or a schema for editors.",
        subcommands: [Show.self, Keys.self, Schema.self])

    struct Show: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "show",
            abstract: "List the settings in force, each with the configuration and line that has it.",
            discussion: """
                The linter's settings are those for FILE, or without it those of the working directory, which apply to standard input. All \
                others are those of the working directory.

                  pushpipe config show
                  pushpipe config show payloads/order.json --set limits.pushes-per-minute=60
                """)

        @Argument(help: ArgumentHelp("Payload file.", valueName: "file"), completion: .file())
        var file: String?
        @OptionGroup var common: CommonArguments

        static let settingsName: String? = nil

        func run(_ settings: Settings) throws {
            if let file, file != "-" {
                // A misspelled name would get the settings of another place.
                do { _ = try FileStatus(file) } catch { throw PlainError("\(file): \(error)") }
            }
            let finder = ConfigurationFinder(
                settings.rulesSource, LintOptions(), reader: CommandProcess.schemas.configuration)
            let others = settings.origins.enumerated().map { index, origin in
                let isReplaced = settings.origins.dropFirst(index + 1).contains {
                    $0.key == origin.key && !$0.isIgnored && $0.place != origin.place
                }
                let note = origin.isIgnored ? "  (ignored in a file that is found)" : isReplaced ? "  (replaced)" : ""
                return (origin.place, "\(origin.key): \(origin.value)\(note)")
            }
            try StandardOutput().write(ConfigurationReport.text(for: file == "-" ? nil : file, finder, others: others))
        }
    }

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            named: "keys",
            abstract: "List the keys of the configuration that are not the linter's, with their meanings.",
            discussion: """
                Each can be in .pushpipe.yml, in the file of --config, or in --set KEY=VALUE. An asterisk marks those that count only in \
                --config and --set, because a .pushpipe.yml that is found may be a stranger's.

                  pushpipe config keys extension
                """)

        @Argument(help: ArgumentHelp("A section, such as extension. (default: all)", valueName: "section"))
        var name: String?

        func run() throws {
            let sections = SettingsTable.sections.filter { name == nil || $0.name == name }
            if sections.isEmpty {
                let names = SettingsTable.sections.map(\.name)
                let nearest = NameSuggestion.nearest(to: name ?? "", among: names).map { "did you mean \($0)?" }
                throw ValidationError(
                    "there is no section '\(TerminalText.clean(name ?? ""))'; \(nearest ?? "the sections are \(names.joined(separator: ", "))")"
                )
            }
            try StandardOutput().write(SettingsTable.text(of: sections, columns: StandardOutput.columns))
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            named: "schema",
            abstract: "Print a JSON Schema (draft 2020-12) of the configuration, for editors.")

        func run() throws { try StandardOutput().write(SettingsTable.schema) }
    }
}
