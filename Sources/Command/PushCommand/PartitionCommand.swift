import ArgumentParser
import PushPartition
import PushPipeline
import PushServices
import RecordFraming

struct PartitionCommand: PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "partition", abstract: "Divide payloads by device into parts that run takes one by one.",
        discussion: CommandHelp.partition)

    @OptionGroup var source: SourceArguments
    @OptionGroup var message: MessageArguments
    @Option(help: "What decides which part a record is in.") var by = Key.device
    @Option(help: ArgumentHelp("Number of parts.", valueName: "n")) var parts: Int

    @Option(
        help: ArgumentHelp(
            "Write part-00000.ndjson and so on into this folder; pipes of these names stay pipes.", valueName: "folder"),
        completion: .directory)
    var output: String?
    @Flag(help: "Write all parts to standard output: PART<TAB>SEQ<TAB>LINE.") var keyColumn = false
    @Flag(help: "Replace the parts in a folder that has files.") var force = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("Number of cores to use; the output does not depend on it. (default: all)", valueName: "n"))
    var jobs: Int?
    @Option(
        help: ArgumentHelp("Number of the first record, if the input is a slice of a larger one.", valueName: "n"))
    var firstSeq: UInt64?
    @Flag(help: "Write no last lines: the larger input goes on.") var noEnd = false
    @Flag(name: .shortAndLong, help: "Print no summary and no progress on standard error.") var quiet = false

    enum Key: String, ExpressibleByArgument, CaseIterable { case device }

    func plan() throws -> PartitionJob {
        if let conflict { throw ValidationError(conflict) }
        let target = output.map { PartitionJob.Target.folder($0, replaces: force) } ?? .keyColumn
        var job = PartitionJob(RunPlan.inputs(source.files), parts: parts, to: target)
        job.configuration.framing = try source.input.framing()
        job.configuration.maximumRecordBytes = try source.input.maximumRecordBytes()
        job.configuration.decoding = try message.options(source.input)
        job.configuration.jobs = try OptionValue.jobs(jobs)
        job.isQuiet = quiet
        if firstSeq != nil || noEnd { job.slice = PartitionJob.Slice(from: firstSeq ?? 1, goesOn: noEnd) }
        return job
    }

    /// Why options cannot be combined, or have their values: a sentence; nil if there is nothing like that.
    private var conflict: String? {
        let most = keyColumn ? RecordPlace.maximumParts : PartitionJob.mostFiles
        if !(1...most).contains(parts) { return "--parts takes a number from 1 to \(most)." }
        if output == "" { return "--output needs the name of a folder." }
        if output != nil, keyColumn { return "--output cannot be combined with --key-column." }
        if output == nil, !keyColumn { return "Name a folder with --output, or use --key-column." }
        if force, keyColumn { return "--force is for the files of --output." }
        if firstSeq == 0 { return "--first-seq counts from 1." }
        guard let firstSeq, firstSeq > RecordPlace.greatestSequence else { return nil }
        return "--first-seq is at most \(RecordPlace.greatestSequence): run takes no larger numbers."
    }

    func run() throws { try RunPlan.conclude { try plan().run(to: ProcessStreams()) } }
}

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge reports or stores of parts into those of a run.",
        discussion: CommandHelp.merge)

    @Argument(
        help: ArgumentHelp("Reports, or stores with --store, or folders of them.", valueName: "part"),
        completion: .file())
    var parts: [String]
    @Option(
        help: ArgumentHelp("Merge stores, into this new or empty one.", valueName: "file"), completion: .file())
    var store: String?
    @Flag(help: "With --store, merge what is there, even if parts are missing or incomplete.") var partial = false
    @Flag(name: .shortAndLong, help: "Print no progress and no summary on standard error.") var quiet = false

    func validate() throws {
        if store == "" { throw ValidationError("--store needs a file name.") }
        if partial, store == nil { throw ValidationError("--partial needs --store.") }
    }

    func run() throws {
        if let store { return try StoreMergeJob(parts, into: store, isPartial: partial).run(isQuiet: quiet) }
        var job = MergeJob(parts)
        job.isQuiet = quiet
        if try !job.run(to: ProcessStreams()) { throw Failure.incomplete }
    }
}
