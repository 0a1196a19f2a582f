import ArgumentParser
import PayloadJSON
import PushDecoding
import PushJSONSchema
import PushLint
import PushLintConfiguration
import PushLintFiles
import PushModel
import PushReports
import PushServices
import PushStreams
import PushSystem
import PushText

enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson

    static var `default`: ListFormat { StandardOutput.isTerminal ? .text : .ndjson }
}

/// How a list is written.
struct RuleListArguments: ParsableArguments {
    @Option(help: "Format of what is listed.")
    var format = ListFormat.text

    /// - Parameter names: rules and groups; none for all rules.
    func rules(_ names: [String]) throws -> [Rule] {
        if names.isEmpty { return Rule.all }
        let ids = try names.flatMap { try RulePattern(argument: $0).rules.map(\.id) }
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
        /// Refusals and other words of one spelling.
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

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the linter's settings, or schemas for editors.",
        subcommands: [Show.self, Schema.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "List the settings that apply to a file, each with the configuration and line that has it.",
            discussion:
                "Without FILE, lists those of the working directory, which apply to standard input.")

        @Argument(help: ArgumentHelp("Payload file.", valueName: "file"), completion: .file())
        var file: String?

        @Option(
            help: ArgumentHelp("Read this configuration instead of the nearest.", valueName: "file"),
            completion: .file())
        var config: String?

        func run() throws {
            if let file, file != "-" {
                // A misspelled name would get the settings of another place.
                do { _ = try FileStatus(file) } catch { throw PlainError("\(file): \(error)") }
            }
            let finder = ConfigurationFinder(
                config.map { .file($0) } ?? .nearest, LintOptions(),
                reader: LintConfiguration.init(yaml:path:directory:))
            try StandardOutput().write(ConfigurationReport.text(for: file == "-" ? nil : file, finder))
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema",
            abstract: "Print a JSON Schema (draft 2020-12) of a configuration, for editors.")

        enum Name: String, ExpressibleByArgument, CaseIterable {
            case lint, gateway
        }

        @Argument(help: ArgumentHelp("That of .pushpipe.yml, or of serve --config.", valueName: "which"))
        var name = Name.lint

        func run() throws {
            switch name {
            case .lint: try StandardOutput().write(LintConfiguration.schema)
            case .gateway: try StandardOutput().write(GatewayFile.schema)
            }
        }
    }
}

/// `pushpipe schema`: contracts for the data that an app gets, and for device events.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print JSON Schemas: of events, and of the data in payloads, which lint --schema checks.",
        subcommands: [SchemaInferCommand.self, Events.self])

    struct Events: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "events", abstract: "Print the JSON Schema (draft 2020-12) of event records.")

        func run() throws { try StandardOutput().write(EventSchema.text) }
    }
}

struct SchemaInferCommand: PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Write a JSON Schema (draft 2020-12) that fits the custom data of all payloads.",
        discussion: """
            Reads each FILE in turn, or standard input if there is none or FILE is -. The schema lists the properties with their types, \
            requires those that every payload has, and names the formats date-time, date, uuid and uri where all strings have it. What \
            Apple defines, aps, is left out.

              pushpipe schema infer pushes.ndjson > push.schema.json
              pushpipe lint --schema push.schema.json pushes.ndjson
            """)

    @Argument(help: ArgumentHelp("Files with records.", valueName: "file"), completion: .file())
    var files: [String] = []
    @Option(help: ArgumentHelp("Describe only this part of payloads, such as /order.", valueName: "json-pointer"))
    var pointer = ""
    @Flag(name: .customLong("enum"), help: "List the values of strings that are few, short and repeated.")
    var enumerations = false
    @Flag(help: "Permit no other properties than those that the samples have.")
    var closed = false
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @OptionGroup var decoding: DecodingArguments

    func plan() throws -> SchemaSampler {
        guard let tokens = JSONPointer.tokens(pointer) else {
            throw ValidationError("--pointer is a JSON Pointer such as /order.")
        }
        var inference = SchemaInference.Options()
        inference.hasEnumerations = enumerations
        inference.isClosed = closed
        return SchemaSampler(try decoding.options(), inference, pointer: tokens)
    }

    func run() throws {
        let sampler = try plan()
        if !quiet, files.isEmpty || files.contains("-") { StandardInput.invite("payloads") }
        for file in files.isEmpty ? ["-"] : files { try sampler.read(file == "-" ? nil : file) }
        guard sampler.count > 0 else { throw PlainError("no payload found to infer a schema from") }
        try StandardOutput().write(sampler.schema())
        if quiet { return }
        let skipped = sampler.malformed == 0 ? "" : "; \(sampler.malformed) records are not JSON, and were left out"
        let payloads = sampler.count == 1 ? "1 payload" : "\(sampler.count) payloads"
        StandardError.write("pushpipe: inferred from \(payloads)\(skipped)\n")
    }
}
