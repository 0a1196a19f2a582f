public import ArgumentParser
import PushDecoding
import PushDevices
import PushFraming
public import PushModel
import PushPipeline
import PushRedaction
import PushReports
package import PushRuns
import PushSQLite
package import PushSettings
import PushStreams
import PushSystem
import PushTerminal
import PushText

extension Framing: ExpressibleByArgument {}
extension RecordFormat: ExpressibleByArgument {}
extension Platform: ExpressibleByArgument {}
extension Emission.Selection: ExpressibleByArgument {}
extension Emission.Form: ExpressibleByArgument {}

extension Budget: ExpressibleByArgument {
    /// A name from the table, or a number of bytes.
    public init?(argument: String) { self.init(parsing: argument) }

    /// The values in help.
    public static var allValueStrings: [String] { table.compactMap(\.name) + ["BYTES"] }
    /// The values in completion.
    public static var defaultCompletionKind: CompletionKind { .list(table.compactMap(\.name)) }
}

struct RunCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "run",
        abstract: "Deliver payloads to simulated devices and report the outcome of each.",
        discussion: """
            Reads each FILE in turn, or standard input if there is none or FILE is -. Writes one report line per message to standard \
            output: NDJSON in a pipe, aligned text on a terminal. Prints a summary to standard error.

              pushpipe run payloads.ndjson | jq 'select(.outcome == "rejected")'
              … | pushpipe run --fit --emit accepted --report-file report.ndjson | sender
              pushpipe run --set input.skip-prefix app.log
              pushpipe run --check-answers --set answers.at=/response sender.log
              pushpipe run --replace-by orderId --screen payloads.ndjson
            """)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @OptionGroup var work: WorkArguments

    @Flag(
        help: """
            Compare each answer with the one that its sender got, the envelope's answer member. Prints totals of what differs, and exits \
            with status 1 if anything does.
            """)
    var checkAnswers = false

    @Flag(
        help: """
            Resume files where an earlier run with the same store stopped, and repeat the report of its last commit.
            """)
    var resume = false

    @Option(
        help: """
            Report format: ndjson, text or none; screens shows the screens in this terminal during the run, and no report: arrows move, q \
            quits. (default: text on a terminal, else ndjson)
            """)
    var format: RunFormat?
    @Option(help: "Write records to standard output, as --fit, --redact and --extension leave them, and no report.")
    var emit: Emission.Selection?
    @Option(help: "Write records with --emit as they came in, as envelopes, or for xcrun simctl push. (default: input)")
    var emitAs: Emission.Form?

    @Option(
        help: ArgumentHelp("Write the report to this file, or to descriptor N with fd:N.", valueName: "file"),
        completion: .file())
    var reportFile: String?

    @Flag(name: .shortAndLong, help: "Print no summary and no progress on standard error.")
    var quiet = false
    @OptionGroup var common: CommonArguments

    func run(_ settings: Settings) throws {
        let follower = format == .screens ? ScreenFollower.onTerminal(.standardOutput) : nil
        try RunPlan(self, settings).execute { try $0.run(to: $1, follower: follower) }
    }

    /// The files of a `run` without options, or without any argument; nil for other arguments.
    ///
    /// Such a run needs no parser. Parsing takes longer than the rest of the start, because it creates a type for each kind of option.
    static func files(of arguments: [String]) -> [String]? {
        guard arguments.isEmpty || arguments.first == "run" else { return nil }
        let files = arguments.dropFirst()
        return files.allSatisfy { $0 == "-" || !$0.hasPrefix("-") } ? Array(files) : nil
    }
}

package enum ReportForm: String, ExpressibleByArgument, CaseIterable {
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

enum RunFormat: String, ExpressibleByArgument, CaseIterable {
    case ndjson, text, none, screens

    /// Nil for screens, which are shown in place of a report.
    var report: ReportForm? { ReportForm(rawValue: rawValue) }
}

/// `pushpipe trace`: delivers as `run` does, shows each message stage by stage, and leaves a store as it is.
struct TraceCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "trace",
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
    @Flag(name: .shortAndLong, help: "Do not say on standard error how the input is read.") var quiet = false
    @OptionGroup var common: CommonArguments

    func run(_ settings: Settings) throws {
        let plan = try RunPlan(self, settings)
        guard let seq else { return try plan.execute() }
        guard let storePath = arguments.store ?? StoreCommand.Place.fromEnvironment else {
            throw ValidationError("--seq needs --store, a store; for a file, say FILE:LINE.")
        }
        if !source.files.isEmpty { throw ValidationError("--seq asks the store, and takes no files.") }
        let store = try StoreCommand.open(storePath)
        let device = try arguments.device.map { try store.device(named: $0) }
        let report = TraceReport(style: .standardOutput)
        guard let text = try report.text(ofRecord: seq, on: device, in: store, Advice.options) else {
            let place = device.map { " on \(TerminalText.clean($0))" } ?? ""
            let last = try store.lastSequence
            let reason =
                seq > last
                ? "the last one is \(last)"
                : "it was an event, silent or rejected, or is pruned; pushpipe trace FILE:LINE says why a push of a file does not appear, also of what serve --record has kept"
            throw PlainError(
                "store \(TerminalText.clean(storePath)) has nothing about record \(seq)\(place): \(reason)")
        }
        try StandardOutput().write(text)
    }
}

/// The plan of `pushpipe run`, `trace`, `bench` or `serve`: the arguments and the settings, validated.
package struct RunPlan {
    package let job: RunJob

    /// `pushpipe run FILE…` without options, which is what parsing those arguments gives.
    init(files: [String], _ settings: Settings) throws {
        var job = try Self.job(SourceArguments.inputs(files), settings, ReportForm.default.output)
        job.configuration.jobs = OptionValue.defaultJobs
        job.store = StoreCommand.Place.fromEnvironment.map { .sqlite($0) }
        self.job = job
    }

    init(_ command: RunCommand, _ settings: Settings) throws {
        var arguments = command.arguments
        arguments.store = arguments.store ?? StoreCommand.Place.fromEnvironment
        let file = try command.reportFile.map(OptionValue.reportFile)
        let follows = command.format == .screens
        let form =
            follows
            ? .default
            : command.format?.report ?? file.map { $0.isTerminal ? .text : .ndjson }
                ?? (command.emit == nil ? .default : .none)
        var job = try Self.job(command.source, arguments, settings, form.output)
        job.showsScreen = command.end.screen
        job.failOn = command.end.failOn.flatMap(\.self)
        job.reportFile = file
        if file != nil, job.output == .none, !job.showsScreen {
            throw ValidationError(
                "--format none writes no report, so that --report-file would be empty; leave out one of them.")
        }
        job.emission = try OptionValue.emission(command.emit, command.emitAs, of: job, resumes: command.resume)
        job.configuration.jobs = try command.work.coreCount()
        job.appliesRules = command.work.rules ?? false
        job.isQuiet = command.quiet
        job.resumes = command.resume
        if command.checkAnswers {
            job.answers =
                settings.answerPlace
                .flatMap { RecordLocation(pointer: $0, skipsPrefix: settings.skipsPrefix) }.map(AnswerStage.init(at:))
                ?? AnswerStage()
        } else if settings.assignedKeys.contains("answers.at") {
            throw ValidationError("answers.at needs --check-answers.")
        }
        job.follows = follows
        if job.follows, job.emission != nil {
            throw ValidationError("--format screens shows screens in the terminal and cannot be combined with --emit.")
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

    init(_ command: TraceCommand, _ settings: Settings) throws {
        var job = try Self.job(command.source, command.arguments, settings, .trace)
        job.showsScreen = command.end.screen
        job.failOn = command.end.failOn.flatMap(\.self)
        // A question changes nothing.
        job.store = job.store.map { .sqlite(copyOf: $0.path) }
        if job.inputs.count == 1, let path = job.inputs[0], let (file, line) = Self.place(path) {
            job.inputs = [file]
            job.tracedLine = line
        }
        job.appliesRules = true
        job.isQuiet = command.quiet
        self.job = job
    }

    init(_ command: BenchCommand, _ settings: Settings) throws {
        var job = try Self.job(command.source, command.arguments, settings, .none)
        job.configuration.jobs = try command.work.coreCount()
        job.appliesRules = command.work.rules ?? false
        job.isQuiet = true
        self.job = job
    }

    /// The plan of `serve`, which has no files: a request's path says what it is.
    package init(
        serving arguments: RunArguments, _ end: EndArguments, _ settings: Settings,
        _ format: ReportForm?
    ) throws {
        var arguments = arguments
        arguments.store = arguments.store ?? StoreCommand.Place.fromEnvironment
        var job = try Self.job(nil, arguments, settings, (format ?? .default).output)
        job.configuration.decoding.advice = Advice.requests
        job.showsScreen = end.screen
        job.failOn = end.failOn.flatMap(\.self)
        self.job = job
    }

    /// A job as the settings say.
    private static func job(_ inputs: [String?], _ settings: Settings, _ output: RunJob.Output) throws -> RunJob {
        var job = RunJob(inputs, output: output)
        job.configuration = settings.configuration
        job.configuration.framing = try settings.framing()
        job.configuration.decoding = try settings.decoding()
        job.configuration.recognizesLogs = settings.mayBeLog(job.configuration.decoding, job.configuration.framing)
        if settings.maintainsTokens { job.configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        if settings.allowsEmpty { job.configuration.maximumBytesWithoutRecord = nil }
        job.configuration.traces = output == .trace
        job.rulesSource = settings.rulesSource
        job.allowsEmpty = settings.allowsEmpty
        job.preferencesPath = settings.preferences
        job.typesPath = settings.mapping
        job.screenFile = try settings.screenFile.map(OptionValue.screenFile)
        return job
    }

    /// A job with the arguments that these commands and `snapshot` share.
    ///
    /// - Parameter source: nil for `serve`.
    package static func job(
        _ source: SourceArguments?, _ arguments: RunArguments, _ settings: Settings, _ output: RunJob.Output
    ) throws -> RunJob {
        var job = try job(source?.inputs ?? [nil], settings, output)
        job.schemas = CommandProcess.schemas
        if source == nil { job.configuration.recognizesLogs = false }
        job.configuration.clock = try OptionValue.clock(arguments.clock ?? "wall")
        let device = arguments.device
        job.configuration.decoding = try settings.decoding(
            as: source?.provider, topic: arguments.topic, budget: arguments.budget, device: device)
        job.fitOrder = arguments.fit ? settings.fitOrder ?? AlertText.allCases : nil
        if arguments.replaceBy == "" { throw ValidationError("--replace-by needs the name of a payload member.") }
        if let key = arguments.replaceBy {
            var rule = settings.replacement
            rule.key = key
            rule.removal = settings.serviceExtension.removal
            rule.wait = settings.serviceExtension.removalWait
            job.configuration.decoding.replacement = rule
        }
        job.devicesPath = arguments.devices
        if let path = arguments.extensionPath {
            job.serviceExtension = try settings.serviceExtension(at: path)
            job.command = CommandProcess.path
        }
        if job.serviceExtension != nil || arguments.replaceBy != nil {
            job.configuration.decoding.assumesMutable = settings.assumesMutable
        }
        job.redaction = arguments.redact.map { RedactionRequest($0, keyPath: settings.redactionKey) }
        // A digest is not what was typed.
        if job.redaction == nil { job.shownDevice = device.map(ShownDevice.init) }
        job.store = arguments.store.map { .sqlite($0) }
        if let conflict = conflict(of: job, settings) { throw ValidationError(conflict) }
        return job
    }

    /// Why options cannot be combined: a sentence; nil if they can.
    private static func conflict(of job: RunJob, _ settings: Settings) -> String? {
        let paths = [
            ("--devices", job.devicesPath), ("--store", job.store?.path),
            ("--extension", job.serviceExtension?.executable),
        ]
        if let (option, _) = paths.first(where: { $1 == "" }) { return "\(option) needs a file name." }
        let rule = job.configuration.decoding.replacement
        if job.serviceExtension != nil, rule != nil {
            return "--replace-by acts as an extension and cannot be combined with --extension."
        }
        for key in settings.assignedKeys {
            if let need = need(of: key, in: job) { return "\(key) needs \(need)." }
        }
        guard let parts = job.redaction?.parts, parts != .tokens else { return nil }
        if let rule, rule.comparison != .text {
            return "--redact \(parts) makes every id a string; use --set replace.compare=text."
        }
        return job.serviceExtension == nil
            ? nil
            : "--redact \(parts) cannot be combined with --extension, which would get digests; use --redact tokens."
    }

    /// The option that a setting needs to have an effect; nil if it has one.
    private static func need(of key: String, in job: RunJob) -> String? {
        let replaces = job.configuration.decoding.replacement != nil
        let isEmulated = ["removal", "removal-wait", "assume-mutable"].contains { key == "extension.\($0)" }
        return switch key.prefix(while: { $0 != "." }) {
        case "replace" where !replaces: "--replace-by"
        case "extension" where job.serviceExtension == nil && !(replaces && isEmulated):
            isEmulated ? "--extension or --replace-by" : "--extension"
        case "fit" where job.fitOrder == nil: "--fit"
        case "redact" where job.redaction == nil: "--redact tokens, content or all"
        default: nil
        }
    }

    /// The file and the line of `payloads.ndjson:17`; nil for the name of a file, and for anything else.
    private static func place(_ text: String) -> (file: String, line: Int)? {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let line = Int(text[text.index(after: colon)...]), line > 0, !FileSystem.hasAccess(text, .existence)
        else { return nil }
        return (String(text[..<colon]), line)
    }

    /// - Throws: `Failure`, and what `RunJob.run` throws.
    package func execute(_ run: (RunJob, ProcessStreams) throws -> RunJob.Outcome = { try $0.run(to: $1) }) throws {
        var job = job
        job.outputIsTerminal = job.reportFile?.isTerminal ?? StandardOutput.isTerminal
        job.notesAreOnTerminal = StandardError.showsProgress
        let fileStyle = job.reportFile.map {
            $0.isStandardError ? TextStyle.standardError : TextStyle(hasColors: false)
        }
        job.style = fileStyle ?? .standardOutput
        job.noteStyle = .standardError
        try Self.conclude { try run(job, ProcessStreams()) }
    }

    package static func conclude(_ work: () throws -> RunJob.Outcome) throws {
        let outcome = try work()
        if outcome.isStopped, let signal = StopSignal.current { throw Failure.stopped(signal) }
        if outcome.hasUnreadable || outcome.hasUnwritten || outcome.isEmpty { throw Failure.troubleTold }
        if outcome.hasFailed { throw Failure.conditionMet }
    }
}
