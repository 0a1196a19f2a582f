public import ArgumentParser
import PushDecoding
import PushFiles
import PushJSON
import PushLint
import PushLintFiles
import PushLintYAML
import PushModel
import PushPictures
import PushPipeline
import PushSettings
import PushStreams
import PushSystem
import PushText

extension Finding.Severity: ExpressibleByArgument {}

struct LintCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "lint",
        abstract: "Find errors, doubtful values and ignored keys in payloads, and fix what can be fixed.",
        discussion: """
            Reads each FILE in turn, or standard input if there is none or FILE is -. In a directory, reads what ends in \
            .json, .ndjson, .jsonl or .apns and may be a payload, except hidden files and those that .gitignore or .ignore names. \
            The nearest .pushpipe.yml above each file selects the rules.

              pushpipe lint payload.json
              pushpipe lint --fix --dry-run payload.json | patch -p0
              curl -s https://example.org/a | pushpipe lint --format ndjson | jq -r .rule
              pushpipe lint --show budgets payload.json
              pushpipe lint --show sizes --budget 256 payloads/ | grep 'too many'
              pushpipe lint --ignore gcm --extend aps.category-without-alert payloads/

            Exit status: 0 without errors, 1 with errors (or as --fail-on says), 2 for a usage error, an unreadable file, or nothing to \
            check, 128 plus the signal number after an orderly stop. pushpipe explain --rules lists the rules; pushpipe explain RULE explains one.
            """)

    @Argument(help: ArgumentHelp("Payload files and directories.", valueName: "file"), completion: .file())
    var files: [String] = []
    @Option(help: "Output format; svg, html, png and png-dark draw what --show budgets shows.")
    var format: OutputForm<LintReport.Format> = .lines(.text)
    @Option(help: "Lowest severity to show. (default: warning)")
    var severity: Finding.Severity?

    @Option(
        help: ArgumentHelp(
            "Show only these rules, whatever their severity: rules, groups such as gcm, or ALL, with commas. Repeatable.",
            valueName: "rules"), completion: .words { RulePattern.names })
    var select: [String] = []

    @Option(
        help: ArgumentHelp("Omit these rules. Repeatable.", valueName: "rules"),
        completion: .words { RulePattern.names })
    var ignore: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also show these rules, whatever the configuration. Repeatable.", valueName: "rules"),
        completion: .words { RulePattern.names })
    var extend: [String] = []

    @Option(
        name: [.customShort("g", allowingJoined: true), .long],
        help: ArgumentHelp(
            "In directories, read only what matches, or with ! what does not. Repeatable.", valueName: "glob"))
    var glob: [String] = []

    @Option(
        help: ArgumentHelp(
            "Check payloads against this JSON Schema (draft 2020-12), besides those of the configuration. Repeatable.",
            valueName: "file"),
        completion: .file())
    var schema: [String] = []

    @Flag(help: "Fix files in place where the meaning is unambiguous; with -, write to standard output.")
    var fix = false
    @Flag(help: "Add all findings to the nearest .pushpipe.yml, file by file, so that they are ignored from now on.")
    var addIgnores = false
    @Flag(help: "With --fix, also shorten the texts of an alert that exceeds its budget.")
    var fit = false

    @Flag(name: [.customShort("n"), .long], help: "With --fix, print the changes as a unified diff and write no file.")
    var dryRun = false

    @Option(
        help: """
            What to show: findings; budgets, how each message spends its bytes and how much is left; sizes, one line for each message; \
            statistics, how often each rule is broken, with [*] for rules that --fix fixes; or files, those that would be linted.
            """)
    var show = Shown.findings
    @Flag(help: "Lint again whenever a file changes, until Ctrl-C.")
    var watch = false
    @Option(
        help: ArgumentHelp(
            "Lint standard input as this file: its name, and its configuration.",
            valueName: "file"), completion: .file())
    var stdinFilename: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"), completion: .file())
    var outputFile: String?

    @OptionGroup var cores: CoreArguments
    @Option(help: "Exit with status 1 for an error, for an error or a warning, or for none.")
    var failOn = FailOn.error
    @Flag(
        name: .shortAndLong,
        help: "Show every warning, not only the first ten of a rule, and list the files that are not payloads.")
    var verbose = false
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @Option(help: "Read every record as this format. (default: recognized from its keys)")
    var provider: RecordFormat?
    @OptionGroup var message: MessageArguments
    @OptionGroup var common: CommonArguments

    enum Shown: String, ExpressibleByArgument, CaseIterable {
        case findings, budgets, sizes, statistics, files
    }

    enum FailOn: String, ExpressibleByArgument, CaseIterable {
        case error, warning, none
    }

    private var reportsBudgets: Bool { show == .budgets || show == .sizes }

    func plan(_ settings: Settings) throws -> LintJob {
        var job = LintJob(SourceArguments.inputs(files))
        job.options = try settings.lintOptions(
            settings.decoding(as: provider, topic: message.topic, budget: message.budget))
        job.options.severity = severity
        job.options.rules.selected = select.isEmpty ? nil : try Self.patterns(select)
        job.options.rules.disabled = try Self.patterns(ignore)
        job.options.rules.enabled = try Self.patterns(extend)
        job.skipsOthers = settings.skipsOthers
        job.walk.includesHidden = settings.includesHidden
        job.walk.honoursIgnoreFiles = settings.honoursIgnoreFiles
        for glob in self.glob where !job.walk.globs.add(glob) {
            let shown = TerminalText.shortened(TerminalText.clean(glob), to: 60)
            throw ValidationError("--glob: '\(shown)' \(GlobList.complaint(about: glob)).")
        }
        job.format = format.lines ?? .text
        // The same as --show budgets --format concise.
        if show == .sizes, job.format == .text { job.format = .concise }
        if format.picture != nil, show != .budgets {
            throw ValidationError("--format svg, html and png need --show budgets.")
        }
        job.configuration = settings.rulesSource
        job.fixing = fix ? dryRun ? .show : .write : .none
        if dryRun, !fix { throw ValidationError("--dry-run needs --fix.") }
        job.jobs = try cores.count()
        job.options.fitting = fit ? TextFitting() : nil
        job.isStrict = failOn == .warning
        job.folds = !verbose
        job.countsRules = show == .statistics
        job.isQuiet = quiet
        job.isVerbose = verbose
        job.allowsEmpty = settings.allowsEmpty
        job.inputName = stdinFilename
        if watch || show == .files, files.isEmpty { job.paths = ["."] }
        if let conflict = conflict(in: job, settings) { throw ValidationError(conflict) }
        return job
    }

    private static func patterns(_ lists: [String]) throws -> Set<RulePattern> {
        let names = lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        return Set(try names.map(RulePattern.init(argument:)))
    }

    /// Why options cannot be combined: a sentence; nil if they can.
    private func conflict(in job: LintJob, _ settings: Settings) -> String? {
        if job.fixing == .write {
            if files.isEmpty { return "--fix needs a file name, or - to write the fixed text to standard output." }
            if files.count > 1, files.contains("-") {
                return "--fix cannot combine - with files, because the fixed text goes to standard output."
            }
        }
        let isForLines = job.format == .text || job.format == .ndjson
        if fix, job.options.decoding.location != nil {
            return
                "--fix takes files of payloads, and cannot be combined with input.at or input.skip-prefix (pushpipe config show)."
        }
        if !fix, fit { return "--fit needs --fix." }
        if show != .findings, fix || watch || addIgnores {
            return "--show \(show) cannot be combined with --fix, --watch and --add-ignores."
        }
        if show == .statistics, !isForLines { return "--show statistics takes --format text or ndjson." }
        if reportsBudgets, !isForLines, job.format != .concise {
            return "--show \(show) takes --format text, concise or ndjson."
        }
        if watch {
            if fix || outputFile != nil || [.sarif, .gitlab, .junit].contains(job.format) {
                return
                    "--watch takes --format text, concise, ndjson, github or azure, and neither --fix nor --output-file."
            }
            if settings.usesPager { return "--watch cannot be combined with report.pager." }
            if job.paths.contains(nil) { return "--watch cannot watch standard input." }
        }
        if stdinFilename != nil, !job.paths.contains(nil) {
            return "--stdin-filename names standard input, so it needs - or no file."
        }
        let selects = !select.isEmpty || !extend.isEmpty
        let hasOther = fix || watch || job.configuration == .none
        if addIgnores, hasOther || selects || job.paths.contains(nil) {
            return
                "--add-ignores takes files, and none of --fix, --watch, --select, --extend and --config /dev/null."
        }
        if stdinFilename == "" { return "--stdin-filename needs a file name." }
        return outputFile == "" ? "--output-file needs a file name." : nil
    }

    // MARK: - Running

    /// Columns of a source line in wide output.
    private static let wideColumns = 4096

    /// - Throws: `Failure`, `ConfigurationError`.
    func run(_ settings: Settings) throws {
        var job = try plan(settings)
        job.options.contracts = try CommandProcess.schemas.contracts(schema)
        job.results = LintJob.Appearance(
            isTerminal: outputFile == nil && StandardOutput.isTerminal,
            style: outputFile == nil ? .standardOutput : TextStyle(hasColors: false),
            width: OutputSettings.current.isWide ? Self.wideColumns : StandardOutput.columns)
        job.notes = LintJob.Appearance(
            isTerminal: StandardError.isTerminal, style: .standardError, width: StandardError.columns)
        let streams = try streams(apartFrom: job.paths)
        let picture = try format.picture?.checked(isTerminal: job.results.isTerminal)
        let drawing = picture.map { form in { try form.bytes(of: BudgetPicture.draw($0, leftOut: $1)) } }
        // While it writes files, a signal ends the command at once: no file is left half written.
        if !fix, !addIgnores { StopSignal.listen() }
        if job.paths.contains(nil), !job.isQuiet { StandardInput.invite("payloads") }
        if watch {
            try job.watch(to: streams, reader: CommandProcess.schemas.configuration)
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
        if failOn == .none { return }
        if outcome.errors > 0 || (job.isStrict && outcome.warnings > 0) { throw Failure.conditionMet }
    }

    private func outcome(
        of job: LintJob, _ streams: CommandStreams, _ drawing: (([MeasuredMessage], _ leftOut: Int) throws -> [UInt8])?
    ) throws -> LintJob.Outcome {
        let reader = CommandProcess.schemas.configuration
        if show == .files { return try job.listFiles(to: streams, reader: reader) }
        if addIgnores { return try job.addIgnores(to: streams, reader: reader) }
        guard reportsBudgets else { return try job.lint(to: streams, reader: reader) }
        return try job.reportBudgets(
            to: streams, reader: reader, most: BudgetPicture.mostMessages, drawing: drawing)
    }

    /// The streams of the process, or those with a file in place of standard output.
    private func streams(apartFrom paths: [String?]) throws -> CommandStreams {
        guard let outputFile else {
            try InputFile.check(.standardOutput, isApartFrom: paths)
            return CommandStreams(.standardOutput, name: "standard output")
        }
        let name = TerminalText.clean(outputFile)
        let file: FileDescriptor
        let isInput: Bool
        do throws(SystemError) {
            file = try FileDescriptor.open(outputFile, .writeOnly, options: .create)
            let status = try FileStatus(file)
            isInput = paths.contains { $0.map { (try? FileStatus($0))?.identity == status.identity } ?? false }
            if !isInput, status.kind == .regular { try file.truncate() }
        } catch {
            throw PlainError("--output-file: \(name): \(error)")
        }
        if isInput { throw PlainError("--output-file: \(name) is also an input; name another file") }
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
