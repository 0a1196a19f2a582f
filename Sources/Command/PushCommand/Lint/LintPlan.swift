import ArgumentParser
import PayloadJSON
import PushDecoding
import PushFiles
import PushLint
import PushLintConfiguration
import PushLintFiles
import PushPictures
import PushPipeline
import PushStreams
import PushSystem
import PushText

/// The plan of `pushpipe lint`: its arguments, fully validated.
struct LintPlan {
    private let job: LintJob
    private var work: Work = []
    /// Paths, which are read when the plan is executed.
    private let schemas: [String]
    /// The file that is written in place of standard output.
    private let outputPath: String?
    /// True if findings do not decide the exit status.
    private let exitsZero: Bool
    /// Of the budgets; nil for lines.
    private let picture: PictureForm?

    init(_ command: LintCommand) throws {
        var job = LintJob(command.files.isEmpty ? [nil] : command.files.map { $0 == "-" ? nil : $0 })
        job.options = LintOptions(
            decoding: try command.decoding.options(), framing: try command.decoding.input.framing(),
            maximumRecordBytes: try command.decoding.input.maximumRecordBytes())
        job.options.severity = command.severity
        job.options.rules.selected =
            command.select.isEmpty ? nil : try Self.patterns(command.select)
        job.options.rules.disabled = try Self.patterns(command.ignore)
        job.options.rules.enabled = try Self.patterns(command.extend)
        job.walk.includesHidden = command.hidden
        job.walk.honoursIgnoreFiles = !command.noIgnore
        for glob in command.glob where !job.walk.globs.add(glob) {
            let shown = TerminalText.shortened(TerminalText.clean(glob), to: 60)
            throw ValidationError("--glob: '\(shown)' \(GlobList.complaint(about: glob)).")
        }
        job.format = command.format.lines ?? .text
        // The same as --budget-report --format concise.
        if command.sizes, job.format == .text { job.format = .concise }
        picture = command.format.picture
        if picture != nil, !command.budgetReport {
            throw ValidationError("--format svg, html and png need --budget-report.")
        }
        job.configuration = try Self.configuration(command)
        job.fixing = command.fix ? command.dryRun ? .show : .write : .none
        if command.dryRun, !command.fix { throw ValidationError("--dry-run needs --fix.") }
        job.jobs = try OptionValue.jobs(command.jobs)
        job.options.fitting = command.fit ? TextFitting() : nil
        job.isStrict = command.strict
        job.folds = !command.noFold
        job.countsRules = command.statistics
        job.isQuiet = command.quiet
        job.isVerbose = command.verbose
        job.allowsEmpty = command.allowEmpty
        job.inputName = command.stdinFilename
        if command.watch || command.showFiles, command.files.isEmpty { job.paths = ["."] }
        if command.showFiles { work.insert(.listingFiles) }
        if command.budgetReport || command.sizes { work.insert(.budgets) }
        if command.watch { work.insert(.watching) }
        if command.addIgnores { work.insert(.addingIgnores) }
        let conflict =
            Self.conflict(in: job, ofFiles: command.files)
            ?? Self.conflict(in: job, with: work, isForLater: command.look.pager || command.outputFile != nil)
        if let conflict { throw ValidationError(conflict) }
        if let conflict = Self.conflict(of: command) { throw ValidationError(conflict) }
        self.job = job
        schemas = command.schema
        outputPath = command.outputFile
        exitsZero = command.exitZero
    }

    /// Options that exclude each other or need a value: a sentence; nil for none.
    private static func conflict(of command: LintCommand) -> String? {
        if command.exitZero, command.strict { return "--exit-zero and --strict exclude each other." }
        if command.stdinFilename == "" { return "--stdin-filename needs a file name." }
        return command.outputFile == "" ? "--output-file needs a file name." : nil
    }

    private static func patterns(_ lists: [String]) throws -> Set<RulePattern> {
        let names = lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        return Set(try names.map(RulePattern.init(argument:)))
    }

    private static func configuration(_ command: LintCommand) throws -> ConfigurationFinder.Source {
        if command.noConfig, command.config != nil {
            throw ValidationError("--config and --no-config cannot be combined.")
        }
        if command.config == "" { throw ValidationError("--config needs a file name.") }
        return command.noConfig ? .none : command.config.map { .file($0) } ?? .nearest
    }

    // MARK: - Running

    /// Columns of a source line with `--wide`.
    private static let wideColumns = 4096

    /// - Throws: `Failure`, `ConfigurationError`.
    func execute() throws {
        var job = job
        let files = try SchemaFiles(schemas)
        job.options.contracts = try schemas.map { try SchemaContract($0, from: files) }
        job.results = LintJob.Appearance(
            isTerminal: outputPath == nil && StandardOutput.isTerminal,
            style: outputPath == nil ? .standardOutput : TextStyle(hasColors: false),
            width: OutputSettings.current.isWide ? Self.wideColumns : StandardOutput.columns)
        job.notes = LintJob.Appearance(
            isTerminal: StandardError.isTerminal, style: .standardError,
            width: StandardError.columns)
        let streams = try streams()
        let picture = try picture?.checked(isTerminal: job.results.isTerminal)
        let drawing = picture.map { form in { try form.bytes(of: BudgetPicture.draw($0, leftOut: $1)) } }
        // While it writes files, a signal ends the command at once: no file is left half written.
        if job.fixing == .none, !work.contains(.addingIgnores) { StopSignal.listen() }
        if job.paths.contains(nil), !job.isQuiet { StandardInput.invite("payloads") }
        if work.contains(.watching) {
            try job.watch(to: streams, reader: LintConfiguration.init(yaml:path:directory:))
            throw Failure.stopped(StopSignal.current ?? Signal.interrupt.number)
        }
        let outcome = try outcome(of: job, streams, drawing)
        if let signal = StopSignal.current {
            if let stop = outcome.stop {
                StandardError.write(
                    "pushpipe: stopped by \(StopSignal.name(of: signal)) after record \(stop.records) of "
                        + "\(TerminalText.clean(stop.input))\n")
            }
            throw Failure.stopped(signal)
        }
        if outcome.hasUnreadable || outcome.isEmpty { throw Failure.troubleTold }
        if exitsZero { return }
        if outcome.errors > 0 || (job.isStrict && outcome.warnings > 0) { throw Failure.conditionMet }
    }

    private func outcome(
        of job: LintJob, _ streams: CommandStreams, _ drawing: (([MeasuredMessage], _ leftOut: Int) throws -> [UInt8])?
    ) throws -> LintJob.Outcome {
        let reader: ConfigurationFinder.Reader = LintConfiguration.init(yaml:path:directory:)
        if work.contains(.listingFiles) { return try job.listFiles(to: streams, reader: reader) }
        if work.contains(.addingIgnores) { return try job.addIgnores(to: streams, reader: reader) }
        guard work.contains(.budgets) else { return try job.lint(to: streams, reader: reader) }
        return try job.reportBudgets(
            to: streams, reader: reader, most: BudgetPicture.mostMessages, drawing: drawing)
    }

    /// The streams of the process, or those with a file in place of standard output.
    private func streams() throws -> CommandStreams {
        guard let outputPath else {
            try InputError.check(.standardOutput, isApartFrom: job.paths)
            return CommandStreams(.standardOutput, name: "standard output")
        }
        let name = TerminalText.clean(outputPath)
        let file: FileDescriptor
        let isInput: Bool
        do throws(SystemError) {
            file = try FileDescriptor.open(outputPath, .writeOnly, options: .create)
            let status = try FileStatus(file)
            isInput = job.paths.contains { $0.map { (try? FileStatus($0))?.identity == status.identity } ?? false }
            if !isInput, status.kind == .regular { try file.truncate() }
        } catch {
            throw Failure.trouble("--output-file: \(name): \(error)")
        }
        if isInput { throw Failure.trouble("--output-file: \(name) is also an input; name another file") }
        return CommandStreams(file, name: name)
    }
}

private struct CommandStreams: LintStreams {
    private let descriptor: FileDescriptor
    private let output: StandardOutput

    init(_ descriptor: FileDescriptor, name: String) {
        self.descriptor = descriptor
        output = StandardOutput(descriptor, name: name)
    }

    func readInput(into piece: inout [UInt8], atMost limit: Int) throws(SystemError) -> Int {
        try FileDescriptor.standardInput.read(into: &piece, atMost: limit, retriesOnInterrupt: false)
    }

    var hasInput: Bool { FileDescriptor.standardInput.isReadable }

    var isStopped: Bool { StopSignal.current != nil }

    var outputIdentity: FileIdentity? {
        guard let status = try? FileStatus(descriptor), status.kind == .regular else { return nil }
        return status.identity
    }

    func append(_ write: (inout ByteBuffer) -> Void) throws { try output.append(write) }

    func flush() throws { try output.flush() }

    func note(_ lines: String) { StandardError.write(lines) }
}
