public import ArgumentParser
import ExtensionHosting
import PushDecoding
import PushDevices
public import PushModel
import PushPipeline
import PushRedaction
import PushReports
import PushRuns
import PushSQLite
import PushServices
import PushStreams
import PushSystem
import PushTerminal
import PushText
import RecordFraming

extension Framing: ExpressibleByArgument {}
extension RecordFormat: ExpressibleByArgument {}
extension Platform: ExpressibleByArgument {}
extension Emission.Selection: ExpressibleByArgument {}
extension Emission.Form: ExpressibleByArgument {}

extension Budget: ExpressibleByArgument {
    /// A name from the table, or a number of bytes.
    public init?(argument: String) { self.init(parsing: argument) }

    /// The values in help and completion.
    public static var allValueStrings: [String] { table.compactMap(\.name) + ["BYTES"] }
}

struct RunCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver payloads to simulated devices and report the outcome of each.",
        discussion: """
            Reads each FILE in turn, or standard input if there is none or FILE is -. Writes one report line per message to standard \
            output: NDJSON in a pipe, aligned text on a terminal. Prints a summary to standard error.

              pushpipe run payloads.ndjson | jq 'select(.outcome == "rejected")'
              … | pushpipe run --fit --emit accepted --report-file report.ndjson | sender
              pushpipe run --skip-prefix app.log
              pushpipe run --at /push --answer-at /response sender.log
              pushpipe run --replace-by orderId --screen payloads.ndjson
            """)

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

/// `pushpipe trace`: delivers as `run` does, shows each message stage by stage, and leaves a store as it is.
struct TraceCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Say why each message appears or not, stage by stage, from the record to the screen.",
        discussion: """
            Reads and delivers as run does. Instead of report lines, shows for each message what was decoded from the record, what --fit \
            and --extension changed, what the linter found, and how the screen changed. A store stays as it is: --store is read into \
            memory. FILE:LINE traces one record, after those before it.

              pushpipe trace payloads.ndjson:3
              pushpipe trace --store phone.db --seq 3
              head -1 payloads.ndjson | pushpipe trace --extension NotificationService.appex
            """)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @Option(
        help: ArgumentHelp(
            "Instead of reading payloads, show how the record with this number was delivered into the store, and what became of it.",
            valueName: "number"))
    var seq: UInt64?
    @Flag(help: "Accept 64 MiB of a pipe or device without a record and, with --fail-on, inputs without any record.")
    var allowEmpty = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> RunPlan {
        guard seq != nil else { return try RunPlan(self) }
        if storePath == nil { throw ValidationError("--seq needs --store, a store; for a file, say FILE:LINE.") }
        if !source.files.isEmpty { throw ValidationError("--seq asks the store, and takes no files.") }
        return try RunPlan(self)
    }

    private var storePath: String? { arguments.store ?? (seq == nil ? nil : StoreCommand.Place.fromEnvironment) }

    func run() throws {
        guard let seq, let storePath else { return try plan().execute() }
        let store = try StoreCommand.open(storePath)
        let device = try arguments.message.device.map { try store.device(named: $0) }
        guard let text = try TraceReport(style: .standardOutput).text(ofRecord: seq, on: device, in: store) else {
            let place = device.map { " on \(TerminalText.clean($0))" } ?? ""
            throw PlainError(
                "store \(TerminalText.clean(storePath)) has nothing about record \(seq)\(place): it reached no screen, or was pruned; "
                    + "pushpipe trace FILE:LINE says why it does not appear")
        }
        try StandardOutput().write(text)
    }
}

/// The plan of `pushpipe run`, `trace`, `bench` or `serve`: the arguments, validated.
struct RunPlan {
    let job: RunJob

    /// `pushpipe run FILE…` without options, which is what parsing those arguments gives.
    init(files: [String]) {
        var job = RunJob(Self.inputs(files), output: ReportForm.default.output)
        job.configuration.jobs = OptionValue.defaultJobs
        job.configuration.decoding.advice = Advice.options
        job.store = StoreCommand.Place.fromEnvironment.map { .sqlite($0) }
        self.job = job
    }

    init(_ command: RunCommand) throws {
        var arguments = command.arguments
        arguments.store = arguments.store ?? StoreCommand.Place.fromEnvironment
        let file = try command.reportFile.map(OptionValue.reportFile)
        let form =
            command.format ?? file.map { $0.isTerminal ? .text : .ndjson } ?? (command.emit == nil ? .default : .none)
        var job = try Self.job(command.source, arguments, command.end, form.output)
        job.reportFile = file
        job.emission = try OptionValue.emission(command.emit, command.emitAs, of: job, resumes: command.resume)
        job.configuration.jobs = try command.work.cores.count()
        job.configuration.measuresStages = command.stats
        job.appliesRules = command.work.rules ?? false
        job.isQuiet = command.quiet
        job.resumes = command.resume
        job.configuration.expectsPlaces = command.placed
        job.allowsEmpty = command.allowEmpty
        if command.allowEmpty { job.configuration.maximumBytesWithoutRecord = nil }
        job.answers = try command.answers.stage(skipsPrefix: command.source.input.skipPrefix)
        job.follows = command.follow
        if job.follows, job.emission != nil {
            throw ValidationError("--follow shows screens in the terminal and cannot be combined with --emit.")
        }
        if job.resumes, job.store == nil {
            throw ValidationError("--resume needs --store, which records how far a run got.")
        }
        if job.resumes, job.answers != nil {
            throw ValidationError(
                "--check-answers cannot be combined with --resume: the store does not keep earlier comparisons.")
        }
        self.job = job
    }

    init(_ command: TraceCommand) throws {
        var job = try Self.job(command.source, command.arguments, command.end, .trace)
        // A question changes nothing.
        job.store = job.store.map { .sqlite(copyOf: $0.path) }
        if job.inputs.count == 1, let path = job.inputs[0], let (file, line) = Self.place(path) {
            job.inputs = [file]
            job.tracedLine = line
        }
        job.appliesRules = true
        job.isQuiet = true
        job.allowsEmpty = command.allowEmpty
        if command.allowEmpty { job.configuration.maximumBytesWithoutRecord = nil }
        self.job = job
    }

    init(_ command: BenchCommand) throws {
        var job = try Self.job(command.source, command.arguments, nil, .none)
        job.configuration.jobs = try command.work.cores.count()
        job.appliesRules = command.work.rules ?? false
        job.isQuiet = true
        self.job = job
    }

    init(_ command: ServeCommand) throws {
        var arguments = command.arguments
        arguments.store = arguments.store ?? StoreCommand.Place.fromEnvironment
        var job = try Self.job(command.source, arguments, command.end, (command.format ?? .default).output)
        job.configuration.jobs = try command.work.cores.count()
        job.appliesRules = command.work.rules ?? true
        job.isQuiet = command.quiet
        self.job = job
    }

    /// A job with the arguments that these commands and `snapshot` share.
    static func job(
        _ source: SourceArguments, _ arguments: RunArguments, _ end: EndArguments?, _ output: RunJob.Output
    ) throws -> RunJob {
        var job = RunJob(inputs(source.files), output: output)
        job.configuration.framing = try source.input.framing()
        job.configuration.maximumRecordBytes = try source.input.maximumRecordBytes()
        job.configuration.clock = try OptionValue.clock(arguments.clock ?? "wall")
        job.configuration.decoding = try arguments.message.options(source.input)
        job.fitOrder =
            try arguments.fitOrder.map { order in try OptionValue.fitOrder(order) }
            ?? (arguments.fit ? AlertText.allCases : nil)
        let extensionConfiguration = try arguments.serviceExtension.configuration()
        job.configuration.decoding.replacement = try arguments.replacement.rule()
        job.configuration.decoding.replacement?.removal = extensionConfiguration.removal
        job.configuration.decoding.replacement?.wait = extensionConfiguration.removalWait
        job.configuration.decoding.assumesMutable = arguments.serviceExtension.assumeMutable
        let settings = try arguments.deviceOptions.settings()
        job.configuration.devicePolicy = try arguments.deviceOptions.policy(settings)
        job.devicesPath = arguments.deviceOptions.devices
        job.preferencesPath = settings.preferencesPath
        job.typesPath = settings.mappingPath
        job.configuration.traces = output == .trace
        if arguments.serviceExtension.path != nil {
            job.serviceExtension = extensionConfiguration
            job.command = ExtensionCommand.ownPath
        }
        job.redaction = arguments.redaction.request
        // A digest is not what was typed.
        if job.redaction == nil { job.shownDevice = arguments.message.device.map(ShownDevice.init) }
        let namesRemoval = (arguments.serviceExtension.removal ?? arguments.serviceExtension.removalWait) != nil
        job.store = arguments.store.map { .sqlite($0) }
        if let conflict = conflict(of: job, namesRemoval: namesRemoval) { throw ValidationError(conflict) }
        job.showsScreen = end?.screen ?? false
        job.screenFile = try end?.screenFile.map(OptionValue.screenFile)
        job.failOn = end?.failOn.flatMap(\.self) ?? []
        return job
    }

    /// Why options cannot be combined: a sentence; nil if they can.
    private static func conflict(of job: RunJob, namesRemoval: Bool) -> String? {
        let paths = [
            ("--devices", job.devicesPath), ("--mapping", job.typesPath),
            ("--store", job.store?.path), ("--extension", job.serviceExtension?.executable),
            ("--attachments", job.serviceExtension?.attachments), ("--redact-key-file", job.redaction?.keyPath),
        ]
        if let (option, _) = paths.first(where: { $1 == "" }) { return "\(option) needs a file name." }
        let rule = job.configuration.decoding.replacement
        if job.serviceExtension != nil, rule != nil {
            return "--replace-by acts as an extension and cannot be combined with --extension."
        }
        if namesRemoval, job.serviceExtension == nil, rule == nil {
            return "--removal and --removal-wait need --extension or --replace-by."
        }
        if job.configuration.decoding.assumesMutable, job.serviceExtension == nil, rule == nil {
            return "--assume-mutable needs --extension or --replace-by."
        }
        guard let parts = job.redaction?.parts, parts != .tokens else { return nil }
        if let rule, rule.comparison != .text {
            return "--redact \(parts) makes every id a string; use --replace-compare text."
        }
        return job.serviceExtension == nil
            ? nil
            : "--redact \(parts) cannot be combined with --extension, which would get digests; use --redact tokens."
    }

    /// The file and the line of `payloads.ndjson:17`; nil for the name of a file, and for anything else.
    private static func place(_ text: String) -> (file: String, line: Int)? {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let line = Int(text[text.index(after: colon)...]), line > 0, !FileSystem.hasAccess(text, .existence)
        else { return nil }
        return (String(text[..<colon]), line)
    }

    static func inputs(_ files: [String]) -> [String?] {
        files.isEmpty ? [nil] : files.map { $0 == "-" ? nil : $0 }
    }

    /// - Throws: `Failure`, and what `RunJob.run` throws.
    func execute(_ run: (RunJob, ProcessStreams) throws -> RunJob.Outcome = { try $0.run(to: $1) }) throws {
        var job = job
        job.outputIsTerminal = job.reportFile?.isTerminal ?? StandardOutput.isTerminal
        job.notesAreOnTerminal = StandardError.isTerminal
        let fileStyle = job.reportFile.map {
            $0.isStandardError ? TextStyle.standardError : TextStyle(hasColors: false)
        }
        job.style = fileStyle ?? .standardOutput
        job.noteStyle = .standardError
        try Self.conclude { try run(job, ProcessStreams()) }
    }

    static func conclude(_ work: () throws -> RunJob.Outcome) throws {
        let outcome = try work()
        if outcome.isStopped, let signal = StopSignal.current { throw Failure.stopped(signal) }
        if outcome.hasUnreadable || outcome.hasUnwritten || outcome.isEmpty { throw Failure.troubleTold }
        if outcome.hasFailed { throw Failure.conditionMet }
    }
}
