import ArgumentParser
import PushDecoding
import PushPipeline
import PushRuns
public import PushSnapshots
import PushStreams
import PushSystem

extension SnapshotReport.Format: ExpressibleByArgument {}

struct SnapshotCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Compare what phones show for payloads and scenarios with what was approved.",
        discussion: CommandHelp.snapshot)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @Flag(help: "Also check every record against the linter's rules.")
    var rules = false

    @Flag(
        name: .shortAndLong,
        help: "Approve what differs and what is new, and delete approved files whose input is gone.")
    var update = false

    @Option(help: "Format of the report.")
    var format = SnapshotReport.Format.text
    @Flag(help: "Exit with status 0, not 2, if there is nothing to run.")
    var allowEmpty = false
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> SnapshotJob {
        var arguments = arguments
        arguments.clock = arguments.clock ?? SnapshotJob.start
        var delivery = try RunPlan.job(source, arguments, nil, .none)
        delivery.command = ExtensionCommand.ownPath
        delivery.appliesRules = rules
        delivery.isQuiet = quiet
        delivery.style = .standardOutput
        delivery.noteStyle = .standardError
        if let conflict = Self.conflict(of: delivery) { throw ValidationError(conflict) }
        var job = SnapshotJob(delivery)
        job.format = format
        job.updates = update
        job.allowsEmpty = allowEmpty
        return job
    }

    /// An option that would make two runs differ, or standard input: a sentence; nil for none.
    private static func conflict(of delivery: RunJob) -> String? {
        if delivery.inputs.contains(nil) {
            return "Name files or directories: a snapshot is approved in a file beside its input."
        }
        if delivery.store != nil { return "Each input has phones of its own, so there is no --store." }
        if delivery.configuration.decoding.location != nil {
            return "A snapshot is of payloads, so there is no --at and no --skip-prefix."
        }
        if delivery.configuration.clock == .wall { return "--clock wall would make each run differ from the last." }
        guard delivery.redaction?.isKeyRandom ?? false else { return nil }
        return
            "--redact needs --redact-key-file or PUSHPIPE_REDACT_KEY here; a random key would make each run differ from the last."
    }

    func run() throws {
        let outcome = try plan().run(to: ProcessStreams())
        if outcome.isStopped, let signal = StopSignal.current { throw Failure.stopped(signal) }
        if outcome.hasUnreadable || outcome.isEmpty { throw Failure.troubleTold }
        if outcome.hasDifference { throw Failure.conditionMet }
    }
}
