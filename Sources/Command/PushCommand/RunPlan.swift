import ArgumentParser
import ExtensionHosting
import PushDecoding
import PushModel
import PushPipeline
import PushRedaction
import PushRuns
import PushSQLite
import PushServices
import PushStore
import PushStreams
import PushSystem
import PushText

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
        job.configuration.jobs = try command.work.jobCount()
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
        job.configuration.jobs = try command.work.jobCount()
        job.appliesRules = command.work.rules ?? false
        job.isQuiet = true
        self.job = job
    }

    init(_ command: ServeCommand) throws {
        var arguments = command.arguments
        arguments.store = arguments.store ?? StoreCommand.Place.fromEnvironment
        var job = try Self.job(command.source, arguments, command.end, (command.format ?? .default).output)
        job.configuration.jobs = try command.work.jobCount()
        job.appliesRules = command.work.rules ?? true
        job.isQuiet = command.quiet
        self.job = job
    }

    /// With what these commands and `snapshot` share.
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
