public import ArgumentParser
public import PushModel
import PushPipeline
import RecordFraming

extension Framing: ExpressibleByArgument {}
extension RecordFormat: ExpressibleByArgument {}
extension Platform: ExpressibleByArgument {}

extension Budget: ExpressibleByArgument {
    /// A name from the table, or a number of bytes.
    public init?(argument: String) { self.init(parsing: argument) }

    /// For help and completion.
    public static var allValueStrings: [String] { table.compactMap(\.name) + ["BYTES"] }
}

/// `pushpipe run`.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver payloads to simulated devices, and report what becomes of each.",
        discussion: """
            Reads FILE after FILE, or standard input; - stands for standard input. Reports go to standard output, a line each: NDJSON in \
            a pipe, aligned text on a terminal. A summary goes to standard error.

              pushpipe run payloads.ndjson | jq 'select(.outcome == "rejected")'
            """)

    @OptionGroup var arguments: RunArguments

    @Flag(help: "Hold every record against the linter's rules too, and add what they find to its report.")
    var rules = false

    @Flag(
        help: """
            Go on with files where an earlier run with the same store left them, however it ended. Repeats the report of what it \
            committed last, unless standard output is a file that has it.
            """)
    var resume = false

    @Option(help: "Form of the report: ndjson, text or none. (default: text on a terminal, else ndjson)")
    var report: ReportForm?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Cores to keep busy; the output is the same for every number. (default: all)", valueName: "n"))
    var jobs: Int?

    @Flag(
        help: "Show each message on its way, station by station, in the place of the report; see pushpipe help trace.")
    var trace = false

    @Flag(help: "Tell on standard error at the end where the time went: how long each stage took, a record and in all.")
    var stats = false

    @Flag(name: .shortAndLong, help: "No summary and no progress on standard error.")
    var quiet = false

    /// Validates here, so that errors come with the usage of this command.
    func validate() throws { _ = try RunPlan(self) }

    func run() throws {
        try RunPlan(self).execute()
    }
}

enum ReportForm: String, ExpressibleByArgument, CaseIterable {
    case ndjson, text, none
}

enum FailureCondition: String, ExpressibleByArgument, CaseIterable {
    case malformed, rejected, error, warning

    func isMet(by summary: RunSummary) -> Bool {
        switch self {
        case .malformed: summary.count(.malformed) > 0
        case .rejected: summary.count(.rejected) > 0
        case .error: summary.count(Finding.Severity.error) > 0
        case .warning: summary.count(Finding.Severity.warning) + summary.count(Finding.Severity.error) > 0
        }
    }
}
