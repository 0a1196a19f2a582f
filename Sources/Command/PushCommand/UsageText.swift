import ArgumentParser
import PushModel
import PushSettings
import PushText

/// A command line that cannot be carried out: what is wrong with it, and what to write instead.
///
/// swift-argument-parser suggests the option whose name has the most letters in common. This knows the settings that options have become, what
/// other programs call an option, and leaves a suggestion out when no name comes near.
enum UsageText {
    /// The problem in one line, and a line that says where the help is.
    ///
    /// - Parameters:
    ///   - error: an error of the parser, or of a command's own checks.
    ///   - type: the command that was called.
    ///   - path: the names of the command and of those that contain it.
    ///   - arguments: those after the names.
    static func text(
        of error: any Error, in type: any ParsableCommand.Type, named path: [String], _ arguments: [String]
    ) -> String {
        var message = type.message(for: error)
        if message.hasPrefix("Unknown option '"), let option = message.split(separator: "'").dropFirst().first {
            message = unknownOption(String(option), in: type, arguments)
        } else if let second = message.dropFirst().first, second.isLowercase || second == " " {
            message = message.prefix(1).lowercased() + message.dropFirst()
        }
        let command = (["pushpipe"] + path).joined(separator: " ")
        return "\(TerminalText.cleanLines(message))\nSee '\(command) -h'."
    }

    private static func unknownOption(
        _ option: String, in type: any ParsableCommand.Type, _ arguments: [String]
    ) -> String {
        let name = String(option.drop { $0 == "-" })
        let options = HelpScreen(type.helpMessage())?.optionNames ?? []
        if options.contains("--set"),
            let row = SettingsTable.row(ofOption: name, in: type.configuration.commandName)
        {
            return setting(row, inPlaceOf: option, arguments)
        }
        let replacement = replacements.first { $0.names.contains(name) && options.contains($0.option) }
        let nearest = replacement.map { $0.written } ?? NameSuggestion.nearest(to: option, among: options)
        return "unknown option '\(TerminalText.clean(option))'" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }

    /// How to write an option that is a setting, with the value that it was given.
    private static func setting(
        _ row: SettingsTable.Row, inPlaceOf option: String, _ arguments: [String]
    ) -> String {
        let name = option.drop { $0 == "-" }
        let given = arguments.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
        let next = arguments.firstIndex(of: option).map { arguments[($0 + 1)...].first ?? "" }
        let value =
            row.isFlag
            ? nil : given ?? (next.flatMap { $0.isEmpty || $0.hasPrefix("--") ? nil : $0 } ?? "VALUE")
        let isNegated = row.isFlag && name.hasPrefix("no-")
        let assignment = row.key + (isNegated ? "=false" : value.map { "=\(TerminalText.clean($0))" } ?? "")
        let file = row.isRestricted ? "the file of --config" : ".pushpipe.yml"
        return "\(name) is a setting: --set \(assignment), or in \(file)"
    }

    /// Names that people bring from other programs, the option that they mean, and how it is written.
    private static let replacements: [(names: [String], option: String, written: String)] = [
        (["json", "jsonl", "ndjson"], "--format", "--format ndjson"),
        (["port", "host", "address", "bind"], "--listen", "--listen ADDRESS:PORT"),
        (["rule", "rules", "only"], "--select", "--select RULES"),
        (["exclude", "disable", "skip"], "--ignore", "--ignore RULES"),
        (["output", "out", "report", "o"], "--report-file", "--report-file FILE"),
        (["output", "out"], "--output-file", "--output-file FILE"),
        (["strict", "warnings-as-errors", "max-warnings"], "--fail-on", "--fail-on warning"),
        (["exit-zero", "no-fail"], "--fail-on", "--fail-on none"),
        (["budget-report", "budgets"], "--show", "--show budgets"),
        (["sizes", "size"], "--show", "--show sizes"),
        (["statistics", "stats"], "--show", "--show statistics"),
        (["show-files", "files", "list-files"], "--show", "--show files"),
        (["no-fold", "all", "v"], "--verbose", "--verbose"),
        (["follow", "live", "watch", "tui"], "--format", "--format screens"),
        (["no-config", "isolated"], "--config", "--config /dev/null"),
        (["no-color", "no-colour", "plain"], "--color", "--color never"),
        (["colour"], "--color", "--color"),
        (["silent", "no-summary", "no-progress", "s"], "--quiet", "--quiet"),
        (["threads", "cores", "workers", "parallel"], "--jobs", "--jobs N"),
        (["token", "to", "phone"], "--device", "--device NAME"),
        (["app", "bundle", "bundle-id", "package"], "--topic", "--topic APP"),
        (["db", "database", "sqlite"], "--store", "--store FILE"),
        (["now", "time", "date"], "--clock", "--clock TIME"),
        (["continue", "restart"], "--resume", "--resume"),
        (["type", "service"], "--provider", "--provider NAME"),
    ]
}
