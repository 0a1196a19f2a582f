import PushDecoding
import PushFiles
import PushModel
package import PushPipeline
import PushReports
package import PushRuns
import PushSystem
import PushText

/// The job of `pushpipe partition`: divides inputs by device into parts that `pushpipe run` takes one by one.
package struct PartitionJob {
    /// The place that the parts are written to.
    package enum Target: Sendable, Equatable {
        /// A file for each part in this folder, whose parts are replaced if `replaces` is set.
        case folder(String, replaces: Bool)
        /// One stream, each line after the number of its part.
        case keyColumn
    }

    /// The place of the inputs in a larger input.
    package struct Slice: Sendable, Equatable {
        /// The number of the first record in the larger input, from 1 to `RecordPlace.greatestSequence`.
        package var firstSequence: UInt64
        /// True if the larger input goes on, so that parts get no last line.
        package var goesOn: Bool

        package init(from firstSequence: UInt64, goesOn: Bool) {
            self.firstSequence = firstSequence
            self.goesOn = goesOn
        }
    }

    /// Paths; nil for standard input.
    package var inputs: [String?]
    /// Set if the inputs are a slice of a larger input. Places then have no `source`, which would be that in the slice.
    package var slice: Slice?
    package var parts: Int
    package var target: Target
    package var configuration = PipelineConfiguration()
    /// True to leave out the summary and the progress.
    package var isQuiet = false
    package var notesAreOnTerminal = false

    package init(_ inputs: [String?], parts: Int, to target: Target) {
        self.inputs = inputs
        self.parts = parts
        self.target = target
    }

    /// The most parts that can have a file each.
    package static let mostFiles = 4096

    /// Divides all inputs.
    ///
    /// - Throws: `PlainError`.
    package func run(to streams: some RunStreams) throws -> RunJob.Outcome {
        let readable = InputFile.readable(inputs) { streams.note("pushpipe: \(TerminalText.clean("\($0)"))\n") }
        if readable.isEmpty { return RunJob.Outcome(hasUnreadable: true) }
        let folder = try prepareFolder(streams)
        streams.listenForStop()
        let isStopped = { streams.isStopped }
        let output: any PartOutput
        if let folder {
            guard let files = try FolderOutput(folder, isStopped: isStopped) else {
                return RunJob.Outcome(isStopped: true)
            }
            output = files
        } else {
            output = KeyColumnOutput(streams.openOutput(writesInBackground: configuration.jobs > 1))
        }
        let partitioner = Partitioner(
            configuration, parts: parts, from: slice?.firstSequence ?? 1, writesSources: slice == nil, to: output)
        let progress = ProgressLine(isShown: !isQuiet && notesAreOnTerminal, note: streams.note)
        do {
            try partitioner.begin(reportsSources: inputs.count > 1 && slice == nil)
            let input = partitioner.makeInput()
            for path in readable where !streams.isStopped {
                partitioner.input = path
                try read(path, input, streams) {
                    progress.show(records: partitioner.summary.records, lines: partitioner.summary.lines)
                }
            }
            // Without its last line, a part says that it is incomplete.
            if !streams.isStopped, !(slice?.goesOn ?? false) { try partitioner.end() }
            try output.finish()
        } catch {
            progress.clear()
            throw error
        }
        progress.clear()
        return conclude(partitioner.summary, readable, progress.seconds, streams)
    }

    private func prepareFolder(_ streams: some RunStreams) throws -> PartFolder? {
        guard case .folder(let path, let replaces) = target else {
            let known = identities(inputs)
            if let status = try? FileStatus(streams.outputDescriptor), status.kind == .regular,
                known.contains(status.identity)
            {
                throw PlainError.unfit("standard output", "is also an input; redirect it elsewhere")
            }
            return nil
        }
        let folder = PartFolder(path, parts: parts)
        try folder.prepare(
            replaces: replaces, inputs: identities(inputs), advice: configuration.decoding.advice)
        return folder
    }

    private func identities(_ paths: [String?]) -> [FileIdentity] {
        paths.compactMap { path in
            (path.map { try? FileStatus($0) } ?? (try? FileStatus(FileDescriptor.standardInput)))?.identity
        }
    }

    private func read(
        _ path: String?, _ input: DecodedInput, _ streams: some RunStreams, _ showProgress: @escaping () -> Void
    ) throws {
        let file = try path.map { try InputFile($0) }
        if path == nil, !isQuiet { streams.inviteInput() }
        let given = file?.descriptor ?? .standardInput
        let length: InputLength
        do {
            let converted = try ConvertedFile.text(of: given)
            input.begin(
                InputSource(
                    path ?? "-", isAlwaysReported: inputs.count > 1, limit: converted?.limit(configuration.decoding)))
            let descriptor = converted?.descriptor ?? given
            length = InputLength(of: descriptor)
            try input.read(descriptor) {
                showProgress()
                return streams.isStopped
            }
            if let converted, !streams.isStopped, !converted.finish() {
                throw PlainError.unfit(path, "is damaged: only what is in the parts could be read")
            }
        } catch let error as SystemError {
            throw PlainError.unreadable(path, error)
        }
        if !streams.isStopped { try length.check(path) }
    }

    private func conclude(
        _ summary: PartitionSummary, _ readable: [String?], _ seconds: Double, _ streams: some RunStreams
    ) -> RunJob.Outcome {
        if !isQuiet { streams.note(summary.text(seconds: seconds)) }
        if streams.isStopped {
            streams.note(
                "pushpipe: stopped by \(streams.stopReason) after record \(summary.records); the parts are incomplete\n"
            )
        }
        if summary.placedBefore > 0 {
            streams.note(
                "pushpipe: warning: \(summary.placedBefore) records have a place: "
                    + "the input is a part already, which pushpipe run takes as it is\n")
        }
        var isEmpty = false
        if let location = configuration.decoding.location, summary.locatedRecords == 0, summary.records > 0 {
            streams.note("pushpipe: no \(TerminalText.clean(location.name)) in any record\n")
            isEmpty = true
        }
        return RunJob.Outcome(
            isStopped: streams.isStopped, hasUnreadable: readable.count < inputs.count, isEmpty: isEmpty)
    }
}
