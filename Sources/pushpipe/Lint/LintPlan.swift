import ArgumentParser
import PayloadJSON
import PushDecoding
import PushLint
import PushLintConfiguration
import StandardStreams
import SystemSupport
import TerminalStyle

/// What `pushpipe lint` will do, fully validated.
struct LintPlan {
    private let job: LintJob
    /// Whether budgets are reported in place of findings.
    private let reportsBudgets: Bool
    /// Paths, which are read when the plan is executed.
    private let schemas: [String]

    init(_ command: LintCommand) throws {
        var job = LintJob(command.files.isEmpty ? [nil] : command.files.map { $0 == "-" ? nil : $0 })
        let maximumRecordBytes = try RunPlan.byteCount(command.decoding.maxRecord)
        job.options = LintOptions(
            decoding: try command.decoding.options(), framing: command.decoding.framing,
            maximumRecordBytes: maximumRecordBytes)
        job.options.severity = command.severity
        job.options.rules.disabled = Set(try command.disable.map { try Self.pattern($0, option: "--disable") })
        job.options.rules.enabled = Set(try command.enable.map { try Self.pattern($0, option: "--enable") })
        job.format = command.format
        job.configuration = try Self.configuration(command)
        job.fixing = try Self.fixing(command)
        job.jobs = try RunPlan.jobs(command.jobs)
        guard command.fix || !command.fit else { throw ValidationError("--fit needs --fix.") }
        job.options.fitting = command.fit ? TextFitting() : nil
        job.isStrict = command.strict
        job.isQuiet = command.quiet
        job.allowsEmpty = command.allowEmpty
        if command.budgetReport {
            guard job.format == .text || job.format == .json else {
                throw ValidationError("--budget-report takes --format text or json.")
            }
            guard job.fixing == .none else { throw ValidationError("--budget-report and --fix cannot be combined.") }
        }
        self.job = job
        schemas = command.schema
        reportsBudgets = command.budgetReport
    }

    private static func pattern(_ text: String, option: String) throws -> RulePattern {
        guard let pattern = RulePattern(text) else {
            throw ValidationError("\(option): \(RulePattern.unknown(text)) (pushpipe rules lists them)")
        }
        return pattern
    }

    private static func configuration(_ command: LintCommand) throws -> ConfigurationFinder.Source {
        if command.noConfig, command.config != nil {
            throw ValidationError("--config and --no-config cannot be combined.")
        }
        if command.config == "" { throw ValidationError("--config needs a file name.") }
        return command.noConfig ? .none : command.config.map { .file($0) } ?? .nearest
    }

    private static func fixing(_ command: LintCommand) throws -> FixMode {
        guard command.fix || !command.dryRun else { throw ValidationError("--dry-run needs --fix.") }
        guard command.fix else { return .none }
        if command.dryRun { return .show }
        guard !command.files.isEmpty else {
            throw ValidationError("--fix needs a file name, or - to write the fixed text to standard output.")
        }
        guard command.files.count == 1 || !command.files.contains("-") else {
            throw ValidationError("--fix cannot combine - with files, because the fixed text goes to standard output.")
        }
        return .write
    }

    // MARK: - Running

    /// - Throws: `Failure`, `ConfigurationError`.
    func execute() throws {
        var job = job
        let files = try SchemaFiles(schemas)
        job.options.contracts = try schemas.map { try PayloadContract($0, from: files) }
        job.results = LintJob.Appearance(
            isTerminal: StandardOutput.isTerminal, style: .forTerminal(StandardOutput.isTerminal),
            width: StandardOutput.columns)
        job.notes = LintJob.Appearance(
            isTerminal: StandardError.isTerminal, style: .forTerminal(StandardError.isTerminal),
            width: StandardError.columns)
        let streams = CommandStreams()
        // While it fixes files, a signal ends the command at once: no file is left half written.
        if job.fixing == .none { StopSignal.listen() }
        if job.paths.contains(nil), !job.isQuiet { StandardInput.invite("payloads") }
        let outcome =
            reportsBudgets
            ? try job.reportBudgets(to: streams, reader: LintConfiguration.init(yaml:path:directory:))
            : try job.lint(to: streams, reader: LintConfiguration.init(yaml:path:directory:))
        if let signal = StopSignal.current {
            if let stop = outcome.stop {
                StandardError.write(
                    "pushpipe: stopped by \(StopSignal.name(of: signal)) after record \(stop.records) of "
                        + "\(TerminalText.clean(stop.input))\n")
            }
            throw Failure.stopped(signal)
        }
        if outcome.hasUnreadable || outcome.isEmpty { throw Failure.troubleTold }
        if outcome.errors > 0 || (job.isStrict && outcome.warnings > 0) { throw Failure.conditionMet }
    }
}

/// The streams of the process.
private struct CommandStreams: LintStreams {
    private let output = StandardOutput()

    func readInput(into piece: inout [UInt8], atMost limit: Int) throws(SystemError) -> Int {
        try FileDescriptor.standardInput.read(into: &piece, atMost: limit, retriesOnInterrupt: false)
    }

    var hasInput: Bool { FileDescriptor.standardInput.isReadable }

    var isStopped: Bool { StopSignal.current != nil }

    var outputIdentity: FileIdentity? {
        guard let status = try? FileStatus(FileDescriptor.standardOutput), status.kind == .regular else { return nil }
        return status.identity
    }

    func append(_ write: (inout ByteBuffer) -> Void) throws { try output.append(write) }

    func flush() throws { try output.flush() }

    func note(_ lines: String) { StandardError.write(lines) }
}
