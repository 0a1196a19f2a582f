import ArgumentParser
import PushDevices
import PushLint
import PushModel
import PushPartition
import PushPipeline
import PushRuns
import PushSQLite
package import PushServices
import PushStreams
import PushSystem
import PushText

/// The command: arguments, then a validated plan, then the run, then one exit status.
struct Pushpipe: ParsableCommand {
    static let version = VersionText.text(
        engine: SQLiteStore.engineVersion, command: ExtensionCommand.ownPath,
        sources: Environment.nonEmptyVariable("PUSHPIPE_SOURCES"))

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
        groupedSubcommands: [
            CommandGroup(
                name: "Delivery",
                subcommands: [
                    RunCommand.self, ServeCommand.self, TraceCommand.self, ViewCommand.self, StoreCommand.self,
                    PreferencesCommand.self,
                ]),
            CommandGroup(
                name: "Linter",
                subcommands: [
                    LintCommand.self, ExplainCommand.self, SchemaCommand.self, ConfigCommand.self,
                    LanguageServerCommand.self,
                ]),
            CommandGroup(
                name: "Test",
                subcommands: [
                    TestCommand.self, SnapshotCommand.self, ExtensionCommand.self, AssistantCommand.self,
                ]),
            CommandGroup(
                name: "Throughput",
                subcommands: [BenchCommand.self, GenerateCommand.self, PartitionCommand.self, MergeCommand.self]),
        ])

    /// The command that the arguments call, parsed and validated.
    ///
    /// Follows the names at the beginning to a command without subcommands and parses the rest as its arguments: parsing from the root
    /// takes several times as long. A request for help or a script, and whatever does not parse, is left to the root, whose messages name
    /// the whole path.
    static func command(for arguments: [String]) throws -> any ParsableCommand {
        var type: any ParsableCommand.Type = Self.self
        var rest = arguments[...]
        let isHelp = rest.first == "help"
        if isHelp { rest.removeFirst() }
        while let name = rest.first,
            let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        {
            type = next
            rest.removeFirst()
        }
        if let name = rest.first, !name.hasPrefix("-"), !type.configuration.subcommands.isEmpty, name != "help" {
            let names = type.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
                .compactMap(\.commandName)
            let group = arguments.dropLast(rest.count).filter { $0 != "help" }
            throw PlainError(UnknownCommand.message(name, in: Array(group), names))
        }
        if isHelp { return try parseAsRoot(arguments) }
        if rest.first == "help", !type.configuration.subcommands.isEmpty {
            return try parseAsRoot(["help"] + arguments.dropLast(rest.count))
        }
        if type.configuration.subcommands.isEmpty, let command = try? type.parseAsRoot(Array(rest)),
            Swift.type(of: command) == type
        {
            return command
        }
        return try parseAsRoot(arguments)
    }
}

/// Why a command does not end with status 0. Only `CommandProcess` decides exit statuses.
enum Failure: Error {
    /// The work is done and found a problem: `--fail-on` matched, the linter or compiler reported errors, a scenario did not pass. The output
    /// has already said so.
    case conditionMet
    /// The work is done only in part, and what is missing has been reported on standard error.
    case incomplete
    /// An error that has been reported on standard error, for example because the linter continued with the next file.
    case troubleTold
    /// A signal stopped the run between two chunks.
    case stopped(Int32)
}

package enum CommandProcess {
    /// Sockets and TLS, for `serve` and the page of `view`; nil in a build without them.
    @TaskLocal static var network: (any GatewayNetwork)?

    /// Runs what the arguments of the process say, and ends the process.
    ///
    /// - Parameter network: nil for a command without `serve`.
    package static func main(over network: (any GatewayNetwork)?) -> Never {
        // `write` reports a closed pipe, so no signal is needed.
        Signal.brokenPipe.ignore()
        // The same for a file that exceeds its size limit (ulimit -f), which is treated like a full disk.
        Signal.fileSizeExceeded.ignore()
        FileDescriptor.fillStandardGaps()
        ChildProcesses.claim()
        CurrentProcess.exit($network.withValue(network) { run() })
    }

    /// - Throws: `PlainError` in a build without the network.
    static func neededNetwork() throws -> any GatewayNetwork {
        guard let network else {
            throw PlainError(
                "pushpipe-core has no network; make build builds the whole command, .build/release/pushpipe")
        }
        return network
    }

    /// The exit status for trouble. After a signal it is that of the signal, which may be why something failed: it interrupts the opening of a pipe.
    private static var statusOfTrouble: Int32 { StopSignal.current.map { 128 + $0 } ?? 2 }

    /// True if standard input is a pipe or a file, and so has payloads for whoever names no command. A terminal and `/dev/null` have none.
    private static var isFed: Bool {
        guard let status = try? FileStatus(FileDescriptor.standardInput) else { return false }
        return status.isPipe || status.kind == .regular
    }

    private static func run() -> Int32 {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            // Two that need no parser, and are started often.
            if arguments == ["--version"] {
                try? StandardOutput().write(Pushpipe.version + "\n")
            } else if arguments.isEmpty, isFed {
                // cat payloads.ndjson | pushpipe
                try RunPlan(files: []).execute()
            } else if let files = RunCommand.files(of: arguments) {
                try RunPlan(files: files).execute()
            } else {
                var command = try Pushpipe.command(for: arguments)
                let pager = (command as? any TextCommand)?.applyLook()
                defer { pager?.finish() }
                try command.run()
            }
            return 0
        } catch {
            guard let (complaint, status) = end(for: error) else { return endOfParsing(error) }
            if let complaint { StandardError.write("pushpipe: \(complaint)\n") }
            return status
        }
    }

    /// The complaint about an error, cleaned, unless there is nothing left to say, and the exit status. Nil for what the parser throws.
    private static func end(for error: any Error) -> (complaint: String?, status: Int32)? {
        func trouble(_ message: String) -> (String?, Int32) { (TerminalText.clean(message), statusOfTrouble) }
        return switch error {
        case Failure.conditionMet: (nil, 1)
        case Failure.incomplete: (nil, 3)
        case Failure.stopped(let signal): (nil, 128 + signal)
        case Failure.troubleTold: (nil, statusOfTrouble)
        // A reader that has seen enough closes the pipe.
        case let error as PlainError where error.isReaderGone: (nil, 0)
        case let error as PlainError: trouble(error.namingOption)
        case is ConfigurationError: trouble("\(error)")
        case let error as StoreError: trouble("store \(error)\(error.advice.map(Advice.options) ?? "")")
        case let error as NameError: (TerminalText.cleanLines("\(error)"), error.candidates.isEmpty ? 1 : 2)
        default: nil
        }
    }

    /// Writes what the parser has to say: what is wrong with the arguments, help, the version, or a completion script.
    private static func endOfParsing(_ error: any Error) -> Int32 {
        let message = Pushpipe.fullMessage(for: error)
        guard Pushpipe.exitCode(for: error).isSuccess else {
            StandardError.write(TerminalText.cleanLines(message) + "\n")
            return 2
        }
        let arguments = CommandLine.arguments
        let isShort = arguments.contains("-h") && !arguments.contains("--help")
        let text = HelpScreen(message).map { isShort ? $0.short() : $0.full() } ?? message
        try? StandardOutput().write(text.isEmpty ? "" : text + "\n")
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
        if SQLiteStore.isDatabase(word) { return ["store list", "view"] }
        if word.hasSuffix(".feature") { return ["test"] }
        let isDirectory = (try? FileStatus(word))?.kind == .directory
        return isDirectory ? ["lint", "test"] : ["run", "lint"]
    }

    /// The commands of groups that take the name of a file alone.
    private static let readers = ["store list", "schema infer", "config show", "extension build"]
}

extension StandardOutput: RunOutput {}

/// The streams of the process, as a run uses them.
struct ProcessStreams: RunStreams {
    func openOutput(writesInBackground: Bool) -> StandardOutput {
        StandardOutput(writesInBackground: writesInBackground)
    }

    func openOutput(to report: OpenReport, writesInBackground: Bool) -> StandardOutput {
        StandardOutput(report.descriptor, name: report.name, writesInBackground: writesInBackground)
    }

    var outputDescriptor: FileDescriptor { .standardOutput }

    func note(_ text: String) { StandardError.write(text) }

    func inviteInput() { StandardInput.invite("payloads") }

    func listenForStop() { StopSignal.listen() }

    var isStopped: Bool { StopSignal.current != nil }

    var stopReason: String { StopSignal.current.map(StopSignal.name) ?? "" }
}
