import ArgumentParser
import PushCommand
import PushDecoding
import PushGherkinRunner
import PushPipeline
import PushRuns
import PushScenarios
import PushSettings
public import PushSnapshots
import PushStreams
import PushSystem
import PushText

struct TestCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "test",
        abstract: "Run Given/When/Then files against the emulator.",
        discussion: """
            Reads feature files (Gherkin), or standard input when there is no FILE; - is standard input too. In a directory, it reads all \
            .feature files at any depth, except hidden ones. FILE:LINE runs the scenario, examples row, rule or feature at that line. \
            Each scenario has its own devices.

              pushpipe test Samples/Scenarios
              pushpipe test --dry-run replacement.feature
              pushpipe test --tags "@android and not @slow" features/
              pushpipe test --format junit features/ > report.xml
              pushpipe test --list-steps

            Exit status: 0 when every scenario passed, 1 when one failed or has an undefined or ambiguous step, 2 for wrong usage, when \
            there is no scenario to run, or when a file cannot be read or is not Gherkin; then nothing is run.
            """)

    @Argument(help: ArgumentHelp("Feature files and directories of them.", valueName: "file"), completion: .file())
    var files: [String] = []
    @Option(help: "Format of the report. ndjson is for --list-steps.")
    var format = TestFormat.text
    @Flag(name: [.customShort("n"), .long], help: "Run nothing: parse the files and report undefined steps.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Run the scenarios whose tags match, such as \"@a and not (@b or @c)\".", valueName: "expression"))
    var tags: String?

    @Option(help: ArgumentHelp("Run the scenarios whose name contains this text. May be repeated.", valueName: "text"))
    var name: [String] = []
    @Flag(help: "Stop after the first scenario that fails.")
    var failFast = false
    @Flag(help: "Print all steps, with an example of each.")
    var listSteps = false
    @Flag(name: .shortAndLong, help: "In a text report, print only the scenarios that did not pass.")
    var quiet = false
    /// `pushpipe mcp` runs texts of an assistant.
    @Option(help: ArgumentHelp("Read files only below this folder, and start no extension.", visibility: .hidden))
    var confine: [String] = []
    @OptionGroup var common: CommonArguments

    enum Plan {
        case run(ScenarioReport.Format, ScenarioSelection)
        case listSteps(asJSON: Bool)
    }

    /// Nil is standard input.
    private var inputs: [String?] { SourceArguments.inputs(files) }

    func plan() throws -> Plan {
        guard inputs.count(where: { $0 == nil }) <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
        if listSteps {
            guard files.isEmpty, !dryRun, tags == nil, name.isEmpty, !failFast else {
                throw ValidationError("--list-steps can be combined only with --format.")
            }
            guard format == .text || format == .ndjson else {
                throw ValidationError("--list-steps takes --format text or ndjson.")
            }
            return .listSteps(asJSON: format == .ndjson)
        }
        guard let report = ScenarioReport.Format(rawValue: format.rawValue) else {
            throw ValidationError(
                "--format ndjson works only with --list-steps; a report is text, tap, junit, github or azure.")
        }
        do throws(ExpressionError) {
            return .run(report, ScenarioSelection(tags: try tags.map(TagExpression.init), names: name))
        } catch {
            throw ValidationError("--tags \(error).")
        }
    }

    /// - Throws: `Failure`.
    func run(_ settings: Settings) throws {
        let steps = try StepLibrary.pushes()
        let output = StandardOutput()
        let style = TextStyle.standardOutput
        switch try plan() {
        case .listSteps(asJSON: true):
            try output.append { StepCatalogue.appendJSON(steps, to: &$0) }
            try output.flush()
        case .listSteps(asJSON: false): try output.write(StepCatalogue.text(steps, style))
        case .run(let format, let selection):
            if inputs.contains(nil) { StandardInput.invite("features") }
            let suite = try suite(try features(), steps, selection)
            try run(suite, ScenarioReport(format, hasColors: style.hasColors, isQuiet: quiet), output)
        }
    }

    private func suite(
        _ features: [FeatureFile], _ steps: StepLibrary<ScenarioWorld>, _ selection: ScenarioSelection
    ) throws -> ScenarioSuite {
        do throws(FeatureFileError) {
            var suite = try ScenarioSuite(features, steps: steps, selection: selection)
            suite.isDryRun = dryRun
            suite.stopsAtFirstFailure = failFast
            suite.command = CommandProcess.path
            suite.confinement = confine.isEmpty ? nil : confine
            return suite
        } catch {
            let filters = (tags.map { ["--tags \"\($0)\""] } ?? []) + name.map { "--name \"\($0)\"" }
            let found = error.unselected > 0 ? " " + filters.joined(separator: ", ") : ""
            throw PlainError("nothing to run: \(error)\(found)")
        }
    }

    private func run(_ suite: ScenarioSuite, _ report: ScenarioReport, _ output: StandardOutput) throws {
        var report = report
        var text = ""
        let summary = try suite.runDirectly { result, _ in
            report.add(result, to: &text)
            try output.write(text)
            text = ""
        }
        report.finish(to: &text)
        try output.write(text)
        if summary.hasFailure { throw Failure.conditionMet }
    }

    private func features() throws -> [FeatureFile] {
        do throws(FeatureFileError) {
            return try FeatureFile.read(inputs: inputs)
        } catch {
            for problem in error.problems { StandardError.complain("\(problem)") }
            throw Failure.troubleTold
        }
    }
}

enum TestFormat: String, ExpressibleByArgument, CaseIterable {
    case text, tap, junit, github, azure, ndjson
}

extension SnapshotReport.Format: ExpressibleByArgument {}

struct SnapshotCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "snapshot",
        abstract: "Compare what phones show for payloads and scenarios with what was approved.",
        discussion: """
            Runs each FILE on phones of its own; in a directory, each that ends in .json, .ndjson, .jsonl, .apns or .feature, except \
            hidden files, those that .gitignore or .ignore names, and .json files that cannot be payloads. What the phones show is \
            approved in a file with the same name and .phone after it.

              pushpipe snapshot payloads/
              pushpipe snapshot --update payloads/
              pushpipe snapshot --compare old.json new.json

            Two runs must not differ, so --store, --clock wall and --redact without a key are refused.

            Exit status: 0 if all is as approved, 1 if something differs or is new, an input is gone, or a scenario does not pass, \
            2 for a usage error, an unreadable file, or nothing to run.
            """)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @Flag(help: "Also check every record against the linter's rules.")
    var rules = false

    @Flag(
        name: .shortAndLong,
        help: "Approve what differs and what is new, and delete approved files whose input is gone.")
    var update = false

    @Option(
        help: ArgumentHelp("Say what changes since this file, instead of since what was approved.", valueName: "file"),
        completion: .file())
    var compare: String?

    @Option(help: "Format of the report.")
    var format = SnapshotReport.Format.text
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @OptionGroup var common: CommonArguments

    func plan(_ settings: Settings) throws -> SnapshotJob {
        var arguments = arguments
        arguments.clock = arguments.clock ?? SnapshotJob.start
        var delivery = try RunPlan.job(source, arguments, settings, .none)
        delivery.command = CommandProcess.path
        delivery.appliesRules = rules
        delivery.isQuiet = quiet
        delivery.style = .standardOutput
        delivery.noteStyle = .standardError
        if let compare {
            if update { throw ValidationError("--compare approves nothing, so there is no --update beside it.") }
            let files = [compare] + delivery.inputs.compactMap(\.self)
            let areFiles = files.allSatisfy { (try? FileStatus($0).kind) != .directory }
            guard !source.files.isEmpty, delivery.inputs.count == 1, areFiles else {
                throw ValidationError("--compare takes two files: pushpipe snapshot --compare OLD NEW")
            }
        }
        if let conflict = Self.conflict(of: delivery) { throw ValidationError(conflict) }
        var job = SnapshotJob(delivery)
        job.base = compare
        job.format = format
        job.updates = update
        job.allowsEmpty = settings.allowsEmpty
        return job
    }

    /// An option that would make two runs differ, or standard input: a sentence; nil for none.
    private static func conflict(of delivery: RunJob) -> String? {
        if delivery.inputs.contains(nil) {
            return "Name files or directories: a snapshot is approved in a file beside its input."
        }
        if delivery.store != nil { return "Each input has phones of its own, so there is no --store." }
        if delivery.configuration.clock == .wall { return "--clock wall would make each run differ from the last." }
        guard delivery.redaction?.isKeyRandom ?? false else { return nil }
        return
            "--redact needs --set redact.key-file=FILE or PUSHPIPE_REDACT_KEY here; a random key would make each run differ from the last."
    }

    func run(_ settings: Settings) throws {
        let outcome = try plan(settings).run(to: ProcessStreams())
        if outcome.isStopped, let signal = StopSignal.current { throw Failure.stopped(signal) }
        if outcome.hasUnreadable || outcome.isEmpty { throw Failure.troubleTold }
        if outcome.hasDifference { throw Failure.conditionMet }
    }
}
