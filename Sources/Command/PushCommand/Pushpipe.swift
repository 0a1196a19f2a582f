package import ArgumentParser
import ExtensionPrograms
import FoundationEssentials
import PushDevices
import PushLint
package import PushLintYAML
import PushModel
import PushPipeline
package import PushReports
package import PushRuns
import PushSQLite
import PushSettings
package import PushStreams
package import PushSystem
import PushText

/// The command: arguments, then a validated plan, then the run, then one exit status.
struct Pushpipe: ParsableCommand {
    static let version = VersionText.text(
        engine: SQLiteStore.engineVersion, isWhole: CommandProcess.tools != nil,
        extensionSources: CommandProcess.tools?.extensionSources())

    static let configuration = CommandConfiguration(
        commandName: "pushpipe",
        abstract: "A Unix filter for push notifications, and a stand-in for the phone that receives them.",
        discussion: """
            Reads APNs, GCM and FCM payloads. Parses each one, checks it against its byte budget and its provider's rules, delivers it \
            to a simulated Notification Center, and reports the outcome in one line.

              echo '{"aps":{"alert":"Hi"}}' | pushpipe run
              pushpipe run --screen --device ab54 payloads.ndjson
              pushpipe trace payloads.ndjson:3
              pushpipe lint payload.json

            In a pipe, pushpipe without a command is pushpipe run.

            Exit status: 0 on success; 1 if --fail-on matched, an answer differs (--check-answers), the linter found errors, a scenario did not pass, a snapshot \
            differs, an extension build failed, a preference change was rejected or a store has no such device; 2 for a usage error, \
            unreadable input, nothing to lint or an unusable store; 128 plus the signal number after an orderly stop by SIGHUP, SIGINT or SIGTERM.
            """,
        version: version,
        groupedSubcommands: CommandList.groups)

    /// The command that the arguments call, parsed.
    ///
    /// Follows the names at the beginning to a command without subcommands and parses the rest as its arguments: parsing from the root
    /// takes several times as long. A request for help or a script is left to the root, whose texts name the whole path.
    ///
    /// - Throws: `Failure.usage`, `PlainError`, and requests for help, which are for `endOfParsing`.
    static func command(for arguments: [String]) throws -> any ParsableCommand {
        let isHelp = arguments.first == "help"
        let (type, path, rest) = commandType(for: isHelp ? Array(arguments.dropFirst()) : arguments)
        let subcommands = type.configuration.subcommands
        if path.isEmpty, let name = rest.first, CommandList.isMissing(name) {
            throw PlainError("'\(name)' needs the whole command: make build")
        }
        if let name = rest.first, !name.hasPrefix("-"), !subcommands.isEmpty, name != "help" {
            let names = subcommands.map { $0.configuration }.filter(\.shouldDisplay).compactMap(\.commandName)
            throw PlainError(UnknownCommand.message(name, in: path, names))
        }
        if isHelp { return try parseAsRoot(arguments) }
        if rest.first == "help", !subcommands.isEmpty { return try parseAsRoot(["help"] + path) }
        guard subcommands.isEmpty else { return try parseAsRoot(arguments) }
        do {
            let command = try type.parseAsRoot(rest)
            return Swift.type(of: command) == type ? command : try parseAsRoot(arguments)
        } catch {
            if type.exitCode(for: error).isSuccess || rest.contains("--version") { return try parseAsRoot(arguments) }
            throw Failure.usage(UsageText.text(of: error, in: type, named: path, rest))
        }
    }

    /// The command that the names at the beginning lead to, those names, and the arguments after them.
    static func commandType(
        for arguments: [String]
    ) -> (type: any ParsableCommand.Type, path: [String], rest: [String]) {
        var type: any ParsableCommand.Type = Self.self
        var path: [String] = []
        while path.count < arguments.count,
            let next = type.configuration.subcommands.first(where: {
                $0.configuration.commandName == arguments[path.count]
            })
        {
            type = next
            path.append(arguments[path.count])
        }
        return (type, path, Array(arguments.dropFirst(path.count)))
    }
}

/// The commands, by groups in the order of the help. The core has those of the filter; the whole command also has the tools.
private enum CommandList {
    private static let names = [
        ("Delivery", ["run", "serve", "trace", "view", "store", "preferences"]),
        ("Linter", ["lint", "explain", "schema", "config", "lsp"]),
        ("Test", ["test", "snapshot", "extension", "mcp"]),
        ("Throughput", ["bench", "generate", "partition", "merge"]),
    ]

    private static let filter: [any ParsableCommand.Type] = [
        RunCommand.self, TraceCommand.self, StoreCommand.self, LintCommand.self, ExplainCommand.self,
        ConfigCommand.self, BenchCommand.self, GenerateCommand.self,
    ]

    static let groups = names.map { title, names in
        let commands = filter + (CommandProcess.tools?.commands ?? [])
        return CommandGroup(
            name: title,
            subcommands: names.compactMap { name in commands.first { $0.configuration.commandName == name } })
    }.filter { !$0.subcommands.isEmpty }

    /// True if only the whole command has it.
    static func isMissing(_ name: String) -> Bool {
        CommandProcess.tools == nil && names.contains { $1.contains(name) }
            && !filter.contains { $0.configuration.commandName == name }
    }
}

/// Why a command does not end with status 0. Only `CommandProcess` decides exit statuses.
package enum Failure: Error {
    /// The work is done and found a problem: `--fail-on` matched, the linter or compiler reported errors, a scenario did not pass. The output
    /// has already said so.
    case conditionMet
    /// The work is done only in part, and what is missing has been reported on standard error.
    case incomplete
    /// An error that has been reported on standard error, for example because the linter continued with the next file.
    case troubleTold
    /// The arguments are wrong: what is wrong, and where the help is.
    case usage(String)
    /// A signal stopped the run between two chunks.
    case stopped(Int32)
}

/// The commands, and what they need, that only the whole command has.
package struct CommandTools: Sendable {
    let commands: [any ParsableCommand.Type]
    let schemas: SchemaReader
    /// Finds the folder with the sources that extensions are built with.
    let extensionSources: @Sendable () -> String?
    /// Returns the steps of scenarios that a line calls, or that have its words.
    let steps: @Sendable (String) -> [ReasonList.Row]

    package init(
        _ commands: [any ParsableCommand.Type], schemas: SchemaReader,
        steps: @escaping @Sendable (String) -> [ReasonList.Row],
        extensionSources: @escaping @Sendable () -> String?
    ) {
        self.commands = commands
        self.schemas = schemas
        self.steps = steps
        self.extensionSources = extensionSources
    }
}

package enum CommandProcess {
    /// Nil in the core.
    @TaskLocal static var tools: CommandTools?

    /// Reads JSON Schemas.
    static var schemas: SchemaReader { tools?.schemas ?? .missing("JSON Schema needs the whole command: make build") }

    /// The path of this program; nil if unknown.
    package static var path: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first.flatMap { $0.contains("/") ? $0 : nil }
    }

    /// Runs what the arguments of the process say, and ends the process.
    ///
    /// - Parameter tools: nil for the core.
    package static func main(with tools: CommandTools? = nil) -> Never {
        // `write` reports a closed pipe, so no signal is needed.
        Signal.brokenPipe.ignore()
        // The same for a file that exceeds its size limit (ulimit -f), which is treated like a full disk.
        Signal.fileSizeExceeded.ignore()
        StopSignal.unblock()
        FileDescriptor.fillStandardGaps()
        ChildProcesses.claim()
        CurrentProcess.exit($tools.withValue(tools) { run() })
    }

    /// The exit status for trouble. After a signal it is that of the signal, which may be why something failed: it interrupts the opening of a pipe.
    private static var statusOfTrouble: Int32 { StopSignal.current.map { 128 + $0 } ?? 2 }

    /// True if standard input is a pipe or a file, and so has payloads for whoever names no command. A terminal and `/dev/null` have none.
    private static var isFed: Bool {
        guard let status = try? FileStatus(FileDescriptor.standardInput) else { return false }
        return status.isPipe || status.kind == .regular
    }

    private static func run() -> Int32 {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            // Two that need no parser, and are started often.
            if arguments == ["--version"] {
                try StandardOutput().write(Pushpipe.version + "\n")
            } else if let files = RunCommand.files(of: arguments), !arguments.isEmpty || isFed {
                // cat payloads.ndjson | pushpipe
                let settings = try Settings.read(for: "run", file: nil) { StandardError.complain($0) }
                OutputSettings.current = OutputSettings(colors: .auto, isWide: settings.isWide)
                try RunPlan(files: files, settings).execute()
            } else if arguments.count == 3, arguments.starts(with: BuiltinExtension.command) {
                try serve(BuiltinExtension(parsing: arguments[2]))
            } else {
                var command = try Pushpipe.command(for: arguments)
                if let command = command as? any ConfiguredCommand {
                    try command.runConfigured()
                } else {
                    try command.run()
                }
            }
            return 0
        } catch let error as ValidationError {
            let (type, path, rest) = Pushpipe.commandType(for: arguments)
            StandardError.write("pushpipe: \(UsageText.text(of: error, in: type, named: path, rest))\n")
            return 2
        } catch {
            guard let (complaint, status) = end(for: error) else { return endOfParsing(error) }
            if let complaint { StandardError.write("pushpipe: \(complaint)\n") }
            return status
        }
    }

    /// Answers as the process of a built-in extension, which a run has started.
    private static func serve(_ builtin: BuiltinExtension) throws {
        var server = try builtin.server(language: Environment.nonEmptyVariable("PUSHPIPE_LANGUAGE"))
        let output = StandardOutput()
        while let line = readLine() {
            try output.append { server.answer(line, into: &$0) }
            try output.flush()
        }
    }

    /// The complaint about an error, cleaned, unless there is nothing left to say, and the exit status. Nil for what the parser throws.
    private static func end(for error: any Error) -> (complaint: String?, status: Int32)? {
        func trouble(_ message: String) -> (String?, Int32) { (TerminalText.clean(message), statusOfTrouble) }
        return switch error {
        case Failure.conditionMet: (nil, 1)
        case Failure.incomplete: (nil, 3)
        case Failure.stopped(let signal): (nil, 128 + signal)
        case Failure.usage(let text): (text, 2)
        case Failure.troubleTold: (nil, statusOfTrouble)
        // A reader that has seen enough closes the pipe, and so does one that Ctrl-C has ended.
        case let error as PlainError where error.isReaderGone: (nil, StopSignal.current.map { 128 + $0 } ?? 0)
        case let error as PlainError: trouble(error.namingOption)
        case is ConfigurationError: trouble("\(error)")
        case let error as StoreError: trouble("store \(error)\(error.advice.map(Advice.options) ?? "")")
        case let error as NameError: (TerminalText.cleanLines("\(error)"), error.candidates.isEmpty ? 1 : 2)
        default: nil
        }
    }

    /// Writes what the parser has to say: what is wrong with the arguments, help, the version, or a completion script.
    private static func endOfParsing(_ error: any Error) -> Int32 {
        guard Pushpipe.exitCode(for: error).isSuccess else {
            StandardError.write("pushpipe: \(UsageText.text(of: error, in: Pushpipe.self, named: [], []))\n")
            return 2
        }
        let message = Pushpipe.fullMessage(for: error)
        let arguments = CommandLine.arguments
        let isShort = arguments.contains("-h") && !arguments.contains("--help")
        let text = HelpScreen(message).map { isShort ? $0.short() : $0.full() } ?? message
        do { try StandardOutput().write(text.isEmpty ? "" : text + "\n") } catch {
            let (complaint, status) = end(for: error) ?? (nil, 2)
            if let complaint { StandardError.complain(complaint) }
            return status
        }
        return 0
    }
}

/// A word that stands where a command is expected.
enum UnknownCommand {
    /// The suggestion: the command for a file of that name, a command with a similar name, or one of all.
    ///
    /// - Parameters:
    ///   - group: the commands before it, such as `store`.
    ///   - names: the commands that may follow.
    /// - Returns: one line.
    static func message(_ word: String, in group: [String], _ names: [String]) -> String {
        let lines = commands(for: word, in: group, names).map { "'\((group + [$0, word]).joined(separator: " "))'" }
        let near = NameSuggestion.nearest(to: word, among: names).map { "'\($0)'" }
        let meant = lines.isEmpty ? near.map { [$0] } ?? [] : lines
        let advice =
            meant.isEmpty
            ? "the commands are \(names.joined(separator: ", "))" : "did you mean \(meant.joined(separator: " or "))?"
        return "there is no command '\(word)'; \(advice)"
    }

    /// Those that read the file or directory of that name; empty if there is none.
    private static func commands(for word: String, in group: [String], _ names: [String]) -> [String] {
        guard (try? FileStatus(word)) != nil else { return [] }
        guard group.isEmpty else {
            return names.filter { readers.contains("\(group.joined(separator: " ")) \($0)") }
        }
        let isDirectory = (try? FileStatus(word))?.kind == .directory
        let commands =
            SQLiteStore.isDatabase(word)
            ? ["store list", "view"]
            : word.hasSuffix(".feature") ? ["test"] : isDirectory ? ["lint", "test"] : ["run", "lint"]
        // The core does not have all.
        return commands.filter { command in names.contains { command == $0 || command.hasPrefix($0 + " ") } }
    }

    /// The commands of groups that take the name of a file alone.
    private static let readers = ["store list", "schema infer", "config show", "extension build"]
}

extension StandardOutput: RunOutput {}

/// The streams of the process, as a run uses them.
package struct ProcessStreams: RunStreams {
    package init() {}

    package func openOutput(writesInBackground: Bool) -> StandardOutput {
        StandardOutput(writesInBackground: writesInBackground)
    }

    package func openOutput(to report: OpenReport, writesInBackground: Bool) -> StandardOutput {
        StandardOutput(report.descriptor, name: report.name, writesInBackground: writesInBackground)
    }

    package var outputDescriptor: FileDescriptor { .standardOutput }

    package func note(_ text: String) { StandardError.write(text) }

    package func inviteInput() { StandardInput.invite("payloads") }

    package func listenForStop() { StopSignal.listen() }

    package var isStopped: Bool { StopSignal.current != nil }

    package var stopReason: String { StopSignal.current.map(StopSignal.name) ?? "" }
}
