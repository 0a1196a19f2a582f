public import ArgumentParser
public import PushModel
import PushPipeline
import PushRuns
import PushStreams
import PushTerminal
import RecordFraming

extension Framing: ExpressibleByArgument {}
extension RecordFormat: ExpressibleByArgument {}
extension Platform: ExpressibleByArgument {}
extension Emission.Selection: ExpressibleByArgument {}
extension Emission.Form: ExpressibleByArgument {}

extension Budget: ExpressibleByArgument {
    /// A name from the table, or a number of bytes.
    public init?(argument: String) { self.init(parsing: argument) }

    /// For help and completion.
    public static var allValueStrings: [String] { table.compactMap(\.name) + ["BYTES"] }
}

struct RunCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver payloads to simulated devices and report the outcome of each.",
        discussion: CommandHelp.run)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @OptionGroup var work: WorkArguments
    @OptionGroup(title: "Answers from the field") var answers: AnswerArguments

    @Flag(
        help: """
            Resume files where an earlier run with the same store stopped, however it ended. Repeats the report of its last commit, \
            unless standard output is a file that already has it.
            """)
    var resume = false

    @Flag(
        help:
            "Read records with places although the first line of their part is missing, as from the middle of an engine's stream."
    )
    var placed = false

    @Option(help: "Report format: ndjson, text or none. (default: text on a terminal, else ndjson)")
    var format: ReportForm?
    @Option(help: "Write records to standard output, as --fit, --redact and --extension leave them, and no report.")
    var emit: Emission.Selection?
    @Option(help: "Write records with --emit as they came in, or as envelopes. (default: input)")
    var emitAs: Emission.Form?

    @Option(
        help: ArgumentHelp("Write the report to this file, or to descriptor N with fd:N.", valueName: "file"),
        completion: .file())
    var reportFile: String?

    @Flag(help: "Show the screens in this terminal during the run, and no report: arrows move, q quits.")
    var follow = false
    @Flag(help: "Accept 64 MiB of a pipe or device without a record and, with --fail-on, inputs without any record.")
    var allowEmpty = false
    @Flag(help: "Print per-stage timings on standard error at the end, per record and in total.")
    var stats = false
    @Flag(name: .shortAndLong, help: "Print no summary and no progress on standard error.")
    var quiet = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> RunPlan { try RunPlan(self) }

    func run() throws {
        let follower = follow ? ScreenFollower.onTerminal(.standardOutput) : nil
        try plan().execute { try $0.run(to: $1, follower: follower) }
    }

    /// The files of a `run` without options; nil for other arguments.
    ///
    /// Such a run needs no parser. Parsing takes longer than the rest of the start, because it creates a type for each kind of option.
    static func files(of arguments: [String]) -> [String]? {
        guard arguments.first == configuration.commandName else { return nil }
        let files = arguments.dropFirst()
        return files.allSatisfy { $0 == "-" || !$0.hasPrefix("-") } ? Array(files) : nil
    }
}

enum ReportForm: String, ExpressibleByArgument, CaseIterable {
    case ndjson, text, none

    static var `default`: ReportForm { StandardOutput.isTerminal ? .text : .ndjson }

    var output: RunJob.Output {
        switch self {
        case .ndjson: .ndjson
        case .text: .text
        case .none: .none
        }
    }
}
