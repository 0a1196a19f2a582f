import ArgumentParser
import PushCommand
import PushDevices
import PushFraming
import PushPartition
import PushPipeline
import PushReports
import PushRuns
import PushSQLite
import PushSettings
import PushStreams
import PushSystem

struct PartitionCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "partition", abstract: "Divide payloads by device into parts that run takes one by one.",
        discussion: """
            Reads each FILE in turn, or standard input if there is none or FILE is -, and writes each record to the part of its device, with its \
            place in the input. pushpipe run takes a part as it is: its report and its store have the lines and rows that one run of everything \
            would have for the devices of this part. pushpipe merge joins the reports, and pushpipe merge --store the stores.

              pushpipe partition day.ndjson --parts 64 --output parts
              pushpipe run --clock 0 parts/part-00007.ndjson > reports/part-00007.ndjson
              pushpipe merge reports > report.ndjson

            A record whose outcome depends on devices of several parts ends the command with its number and the reason: a subscription to \
            a topic, a token that another device may have had, and whatever is for Live Activities. With --key-column, an engine divides the \
            lines by the first column and sorts them by the second, as a number. Give run the other options that the whole input needs, \
            without input.framing, input.at and input.skip-prefix; with another --clock, or none, lines differ in their times.

            Exit status: 0 on success, 2 for a usage error, unreadable input, such a record, or a part that cannot be written; 128 plus the \
            signal number after an orderly stop. A part without its last line is incomplete.
            """)

    @OptionGroup var source: SourceArguments
    @OptionGroup var message: MessageArguments
    @Option(help: "Device for payloads that name none. (default: \"default\")") var device: String?
    @Option(help: "What decides which part a record is in.") var by = Key.device
    @Option(help: ArgumentHelp("Number of parts.", valueName: "n")) var parts: Int

    @Option(
        help: ArgumentHelp(
            "Write part-00000.ndjson and so on into this folder; pipes of these names stay pipes.", valueName: "folder"),
        completion: .directory)
    var output: String?
    @Flag(help: "Write all parts to standard output: PART<TAB>SEQ<TAB>LINE.") var keyColumn = false
    @Flag(help: "Replace the parts in a folder that has files.") var force = false

    @OptionGroup var cores: CoreArguments
    @Option(help: ArgumentHelp("Number of the first record, if the input is a slice of a larger one.", valueName: "n"))
    var firstSeq: UInt64?
    @Flag(help: "Write no last lines: the larger input goes on.") var noEnd = false
    @Flag(name: .shortAndLong, help: "Print no summary and no progress on standard error.") var quiet = false
    @OptionGroup var common: CommonArguments

    enum Key: String, ExpressibleByArgument, CaseIterable { case device }

    func plan(_ settings: Settings) throws -> PartitionJob {
        if let conflict { throw ValidationError(conflict) }
        let target = output.map { PartitionJob.Target.folder($0, replaces: force) } ?? .keyColumn
        var job = PartitionJob(source.inputs, parts: parts, to: target)
        job.configuration.framing = try settings.framing()
        job.configuration.maximumRecordBytes = settings.configuration.maximumRecordBytes
        job.configuration.decoding = try settings.decoding(
            as: source.provider, topic: message.topic, budget: message.budget, device: device)
        job.configuration.jobs = try cores.count()
        job.isQuiet = quiet
        job.notesAreOnTerminal = StandardError.showsProgress
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

    func run(_ settings: Settings) throws { try RunPlan.conclude { try plan(settings).run(to: ProcessStreams()) } }
}

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        named: "merge", abstract: "Merge reports or stores of parts into those of a run.",
        discussion: """
            Merges the NDJSON reports of all parts that pushpipe partition has made of an input into the report of one run, on standard output. \
            In a folder, reads the files that end in .ndjson. Each report is read once, from its beginning to its end, so it may be a pipe.

              pushpipe merge reports/ > report.ndjson
              pushpipe merge reports/ | jq 'select(.outcome == "rejected")'
              pushpipe merge stores/ --store phone.db

            Where a report is cut off or damaged, or two say different things about a record, standard error names what is left out.

            With --store, joins the stores of the parts, in any order, into the store that one run of the whole input would have written; another \
            run goes on with it in the same way. All parts must be there, and each read to its end; --partial merges what is there. The store must \
            be new or empty. The merge is all or nothing. The progress of files and the last report are left out, so run --resume has nothing to \
            resume.

            Exit status: 0 on success, 2 for a usage error, a file that is not a report or a store, or output that cannot be written, 3 when \
            something was left out of a report.
            """)

    @Argument(
        help: ArgumentHelp("Reports, or stores with --store, or folders of them.", valueName: "part"),
        completion: .file())
    var parts: [String]
    @Option(help: ArgumentHelp("Merge stores, into this new or empty one.", valueName: "file"), completion: .file())
    var store: String?
    @Flag(help: "With --store, merge what is there, even if parts are missing or incomplete.") var partial = false
    @Flag(name: .shortAndLong, help: "Print no progress and no summary on standard error.") var quiet = false

    func validate() throws {
        if store == "" { throw ValidationError("--store needs a file name.") }
        if partial, store == nil { throw ValidationError("--partial needs --store.") }
    }

    func run() throws {
        if let store { return try mergeStores(into: store) }
        var job = MergeJob(parts)
        job.isQuiet = quiet
        if try !job.run(to: ProcessStreams()) { throw Failure.incomplete }
    }

    /// Merges with progress and a summary on standard error, unless it is quiet.
    ///
    /// - Throws: `StoreError`.
    private func mergeStores(into target: String) throws {
        let note = { (text: String) in if !quiet { StandardError.write(text) } }
        TemporaryFiles.keep(beside: target)
        let progress = ProgressLine(isShown: StandardError.showsProgress && !quiet, note: note)
        let counts = try StoreMerger(parts, isPartial: partial).merge(into: target) { progress.show($0) }
        progress.clear()
        note(SummaryText.line(counts, seconds: progress.seconds))
    }
}
