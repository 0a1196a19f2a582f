import ArgumentParser
import CPushReferencePages
import PushDecoding
import PushJSON
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
        abstract: "Explain a word of any output or request: rule, answer, status, reason, header, key, event.",
        discussion: """
            Says what a word means, and what to do. A whole line also works, such as that of an error. A group of rules has a list of them, \
            as has --rules. Without a word, prints these examples, and with --format ndjson every rule, answer and word of a report.

              pushpipe explain aps.misspelled-key             # a rule
              pushpipe explain BadTopic                       # an answer, or its status
              pushpipe explain '{"reason":"BadDeviceToken"}'  # a line
              pushpipe explain messaging/server-unavailable   # a code of Firebase's SDKs
              pushpipe explain alerts-off                     # an outcome, or its reason
              pushpipe explain apns-topic                     # a header or a key
              pushpipe explain previews                       # an event, or its member
              pushpipe explain input.at                       # a setting
              pushpipe explain "goes away"                    # a step of scenarios
              pushpipe explain --rules aps alert
              pushpipe explain --rules --format ndjson | jq -r .id
              pushpipe explain --format ndjson | jq 'select(.kind == "answer")'
            """)

    @Argument(
        help: ArgumentHelp(
            "Rule or group of rules, reason of an answer such as BadTopic, status, outcome, its reason such as alerts-off, event, name in a request, or a line that has one. Without one, prints examples.",
            valueName: "word"),
        completion: .words { RulePattern.names + KnownWords.spellings.filter { !$0.contains(" ") } })
    var words: [String] = []

    @Flag(help: "List all rules of lint and run, or those that the words name.")
    var rules = false

    @Option(help: "Format of what is listed.")
    var format = ListFormat.text
    @OptionGroup var common: CommonArguments

    enum Plan {
        case everything
        case rule(Rule)
        /// Refusals, other words, and rules.
        case list([Rejection], [ReasonList.Row], [Rule])
    }

    func plan() throws -> Plan {
        if rules { return .list([], [], try listed(words)) }
        guard let word = words.first else { return .everything }
        guard words.count == 1 else {
            throw ValidationError("explain takes one word or quoted line; with --rules, several rules and groups.")
        }
        // Every rule has a period. Without one, the rules are not made.
        if word.contains("."), let found = KnownWords.parts(of: word).lazy.compactMap(Rule.named).first {
            return .rule(found)
        }
        let (rejections, rows) = KnownWords.meanings(of: word)
        if !rejections.isEmpty { return .list(rejections, rows, []) }
        if let group = try? RulePattern(word).rules { return .list([], rows, group) }
        if let name = rows.first?.word { return .list([], rows, KnownWords.rules(about: name)) }
        let nearest = NameSuggestion.nearest(to: word, among: KnownWords.spellings + RulePattern.names)
        throw ValidationError(
            "nothing is known about '\(TerminalText.clean(word))'" + (nearest.map { "; did you mean \($0)?" } ?? "")
                + " (pushpipe explain has examples)")
    }

    func run(_ settings: Settings) throws {
        let output = StandardOutput()
        let style = TextStyle.standardOutput
        switch (try plan(), format) {
        case (.everything, .text):
            try output.write(TerminalText.wrappedLines(Self.configuration.discussion, to: style.columns ?? 100) + "\n")
        case (.everything, .ndjson):
            for rule in Rule.all { try output.append { RuleText.appendJSON(rule, to: &$0) } }
            try output.append { WordList.appendJSON(to: &$0) }
        case (.rule(let rule), .text): try output.write(RuleText.explanation(rule, style))
        case (.rule(let rule), .ndjson): try output.append { RuleText.appendJSON(rule, to: &$0) }
        case (.list(let rejections, let rows, let rules), .text):
            let words = WordList.text(rejections, rows, style)
            try output.append { out in
                out.appendText(words.isEmpty || rules.isEmpty ? words : words + "\n")
                RuleText.appendList(of: rules, style, to: &out)
            }
        case (.list(let rejections, let rows, let rules), .ndjson):
            try output.append { WordList.appendJSON(rejections, rows, to: &$0) }
            for rule in rules { try output.append { RuleText.appendJSON(rule, to: &$0) } }
        }
        try output.flush()
    }

    /// - Parameter names: rules and groups; none for all rules.
    private func listed(_ names: [String]) throws -> [Rule] {
        if names.isEmpty { return Rule.all }
        let ids = try names.flatMap { try RulePattern(argument: $0).rules.map(\.id) }
        return Rule.all.filter { ids.contains($0.id) }
    }
}

extension RulePattern {
    /// Reads a rule or a group from an argument.
    init(argument: String) throws {
        do { try self.init(argument) } catch { throw ValidationError("\(error) (pushpipe explain --rules lists them)") }
    }
}

/// The words that `pushpipe explain` knows besides the linter's rules: rows of the tables by which the commands work.
enum KnownWords {
    static let rows: [ReasonList.Row] = {
        let events = "reference/events.md"
        var rows = ReasonList.rows + reportKeys
        rows += EventMember.table.map { .init("\($0.name)", "event", "\($0.words) Takes \($0.form.words).", events) }
        rows += EventWord.table.map { .init($0.word, "\($0.member)", "\($0.meaning)", events) }
        rows += PayloadKey.known.map { .init($0.name, $0.path, $0.text, $0.source.url) }
        rows += FCMField.table.flatMap { field in
            let place = "\(field.object.typeName).\(field.name)"
            var type = field.type.wireName(of: field)
            var values: [ReasonList.Row] = []
            if case .enumeration(let enumeration) = field.type {
                type += ", one of \(enumeration.names)"
                values = enumeration.names.map { .init("\($0)", place, "a value of \(field.name)", "FCM v1") }
            }
            let row = ReasonList.Row(
                "\(field.name)", place, (field.isRepeated ? "a list of " : "a value of ") + type, "FCM v1")
            return [row] + values
        }
        rows += PushType.table.map {
            .init(
                "\($0.wireName)", "apns-push-type", "for the topic BUNDLE-ID\($0.topicSuffix)", "reference/formats.md")
        }
        rows += RecordFormat.allCases.map { .init($0.rawValue, "format", "a form of records", "reference/formats.md") }
        rows += Budget.table.map { .init($0.name ?? "", "budget", "at most \($0.bytes) bytes", $0.source) }
        rows += SettingsTable.sections.flatMap(\.rows).map {
            .init($0.name, $0.key, "\($0.words) Takes \($0.takes).", "reference/configuration.md")
        }
        let schema = try? JSONValue(parsing: SettingsTable.schema)
        if case .object(let keys)? = schema?[["properties", "lint", "properties"]] {
            rows += keys.map { key in
                .init(key.name, "lint.\(key.name)", key.value["description"]?.string ?? "", "reference/lint.md")
            }
        }
        return rows
    }()

    /// The keys of a report's lines, from the table on their page.
    private static var reportKeys: [ReasonList.Row] {
        let pages = (0..<reference_page_count()).lazy.compactMap { unsafe reference_page_at($0)?.pointee }
        guard let page = unsafe pages.first(where: { unsafe String(cString: $0.name) == "report" }) else { return [] }
        // SOUND: the text is a constant of the program, and the count is that of its bytes.
        let text = unsafe String(decoding: UnsafeBufferPointer(start: page.bytes, count: page.count), as: UTF8.self)
        return text.split(separator: "\n").flatMap { line -> [ReasonList.Row] in
            let cells = line.split(separator: "|", maxSplits: 1)
            guard line.hasPrefix("| `"), cells.count == 2 else { return [] }
            // The meaning, without the marks of code and links.
            let parts = cells[1].dropLast().split(separator: "](")
            let words = parts.enumerated().map { index, part in
                var words = Array(index == 0 ? part : part.drop { $0 != ")" }.dropFirst())
                if index + 1 < parts.count, let bracket = words.lastIndex(of: "[") { words.remove(at: bracket) }
                return String(words)
            }
            let meaning = words.joined().filter { $0 != "`" }.split(separator: " ").joined(separator: " ")
            return cells[0].split { "`, ".contains($0) }.map {
                .init("\($0)", "report", meaning, "reference/report.md")
            }
        }
    }

    /// Every text that has a meaning, without the rules.
    static var spellings: [String] {
        rows.map(\.word) + rows.map(\.place).filter { $0.contains(".") } + AnswerList.texts.map(\.text)
    }

    /// The meanings of a word, or else of the known ones in a line: sentences, words that differ from the line in case and marks alone, and those
    /// that are not plain English. A line without any has those of the statuses in it.
    static func meanings(of text: String) -> (rejections: [Rejection], rows: [ReasonList.Row]) {
        let found = meanings(spelled: [text])
        if !found.rejections.isEmpty || !found.rows.isEmpty { return found }
        let outcome = meaningsOfReportLine(text)
        if !outcome.rows.isEmpty { return outcome }
        if text.contains(" "), let steps = CommandProcess.tools?.steps(text), !steps.isEmpty { return ([], steps) }
        let (line, header, parts) = (
            normal(text), normal("apns-" + text.replacing(" ", with: "-")), Set(parts(of: text))
        )
        let known = spellings.filter { word in
            if word.contains(" ") {
                return line.contains(normal(word)) || text.contains(".") && Self.parts(of: word).contains(text)
            }
            return normal(word) == line || normal(word) == header
                || parts.contains(word) && !word.allSatisfy(\.isLowercase)
        }
        if known.isEmpty {
            let statuses = statuses(in: text)
            return (Rejection.allCases.filter { statuses.contains("\($0.status)") }, [])
        }
        return meanings(spelled: Set(known))
    }

    /// The meanings of a report line's outcome and of its reason, be it of a service or of the device.
    private static func meaningsOfReportLine(
        _ text: String
    ) -> (rejections: [Rejection], rows: [ReasonList.Row]) {
        var words = parts(of: text)[...]
        var places: [String: String] = [:]
        if let line = try? JSONValue(parsing: text), case .object = line {
            words = ["outcome", "reason"].compactMap { line[$0]?.string }[...]
            for name in ["extension", "quiet"] { places[name] = line[name]?.string }
        } else if words.first.flatMap({ Int($0) }) != nil {
            words = words.dropFirst()
        }
        guard let outcome = words.first else { return ([], []) }
        let rows = ReasonList.rows.filter { row in
            switch row.place {
            case "outcome": row.word == outcome
            case outcome: words.contains(row.word)
            default: places[row.place] == row.word
            }
        }
        if rows.isEmpty { return ([], []) }
        return (outcome == "rejected" ? AnswerList.rejections(named: Set(words)) : [], rows)
    }

    private static func meanings(spelled words: Set<String>) -> (rejections: [Rejection], rows: [ReasonList.Row]) {
        let rejections = AnswerList.rejections(named: words)
        // A reason has no other meaning.
        if !rejections.isEmpty { return (rejections, ReasonList.rows.filter { words.contains($0.word) }) }
        return ([], rows.filter { words.contains($0.word) || words.contains($0.place) && $0.place.contains(".") })
    }

    /// The words that a status can be: the first one of a line, and one behind the name of a status.
    private static func statuses(in text: String) -> [String] {
        let parts = parts(of: text)
        let names = [""] + parts.map { $0.lowercased() }
        return zip(names, parts).compactMap { name, part in
            name.isEmpty || name.hasPrefix("http") || name == "status" || name == "code" ? part : nil
        }
    }

    /// The words of a text, without the marks around them.
    static func parts(of text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || "-_/.".contains($0)) }.map {
            $0.hasSuffix(".") ? "\($0.dropLast())" : "\($0)"
        }
    }

    private static func normal(_ text: String) -> String { parts(of: text).joined(separator: " ").lowercased() }

    /// The rules that have a name in their id or, if it is not plain English, in their texts.
    static func rules(about name: String) -> [Rule] {
        Rule.all.filter { rule in
            "-\(rule.id)-".replacing(".", with: "-").contains("-\(name)-")
                || !name.allSatisfy(\.isLowercase) && parts(of: "\(rule.title) \(rule.explanation)").contains(name)
        }
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
