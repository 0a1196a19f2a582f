package import PushDecoding
package import PushDevices
package import PushFiles
package import PushJSON
import PushModel
package import PushPipeline
import PushReports
package import PushSystem
import PushText

/// A job at work, and where its results go.
struct RunLine<Streams: RunStreams> {
    let run: OpenRun
    let progress: ProgressLine
    /// Takes the report, the trace and the screens.
    let output: ReportOutput<Streams.Output>
    let reportDescriptor: FileDescriptor
    /// Takes records; nil unless they are written.
    let records: Streams.Output?
    let streams: Streams
    /// The first input, if it was opened to see which part it is.
    let opened = OpenedInput()
    /// Nil unless screens are shown meanwhile.
    let follower: (any RunFollower)?

    /// The part of a divided input that the first input is; nil for a whole one.
    func part(of path: String?) throws -> PartMark? {
        invite(path)
        opened.file = try path.map { try InputFile($0, store: run.file, resumes: run.job.resumes) }
        do {
            return try run.pipeline.part(ofInput: (opened.file?.descriptor ?? .standardInput).rawValue) {
                streams.isStopped
            }
        } catch let error as SystemError {
            throw PlainError.unreadable(path, error)
        }
    }

    /// Asks a person for input, once.
    private func invite(_ path: String?) {
        guard path == nil, !run.job.isQuiet, !opened.isInvited else { return }
        opened.isInvited = true
        streams.inviteInput()
    }

    /// Writes records, too, from now on.
    func emitRecords() {
        guard let records, let emission = run.job.emission else { return }
        let hasStore = run.file != nil
        run.pipeline.emit(emission) { text in
            try records.append(text)
            // A reader sees them when they are committed.
            if hasStore { try records.flush() }
        }
    }

    /// Writes what is left in the buffers.
    func finish() throws(PlainError) {
        defer { try? output.finish() }
        try records?.finish()
        try output.finish()
    }

    /// Processes the inputs until the streams ask to stop.
    func process(_ inputs: [String?]) throws {
        if run.job.resumes, run.job.output == .ndjson, let store = run.file {
            // SOUND: the slice lives until the closure returns.
            let missing = try LastReport(of: store).missing(in: reportDescriptor)
            try unsafe missing.withUnsafeBytes { try unsafe output.write($0) }
        }
        for input in inputs where !streams.isStopped { try process(input) }
    }

    private func process(_ path: String?) throws {
        run.setup.begin(path)
        let input = try opened.take() ?? path.map { try InputFile($0, store: run.file, resumes: run.job.resumes) }
        invite(path)
        if let path, let input, run.job.hasSummary, let words = notice(of: input) {
            streams.note("pushpipe: \(TerminalText.clean(path)): \(words)\n")
        }
        let given = input?.descriptor ?? .standardInput
        let converted = try ConvertedFile.text(of: given)
        if let converted, run.job.resumes {
            throw PlainError.unfit(
                path,
                "cannot be resumed, because \(converted.program) converts it; name a file that is text")
        }
        let descriptor = converted?.descriptor ?? given
        let length = InputLength(of: descriptor)
        run.pipeline.didRecognizeLog = { [streams, job = run.job, progress] location in
            if job.isQuiet { return }
            progress.clear()
            let time = job.configuration.recordTime == nil ? location.timePlace : nil
            streams.note(
                "pushpipe: \(TerminalText.clean(path ?? "standard input")): \(location.recognized(job.advice))"
                    + "\(time.map { job.advice(.takeTimes($0)) } ?? "")\n")
        }
        do {
            let source = InputSource(
                path ?? "-", isAlwaysReported: run.job.inputs.count > 1 || run.job.tracedLine != nil,
                from: input?.start ?? InputPlace(), limit: converted?.limit(run.job.configuration.decoding))
            let progress = converted == nil ? input?.progress : nil
            try process(descriptor, source, from: progress ?? progressOfStreams())
            if let converted, !streams.isStopped, !converted.finish() {
                throw PlainError.unfit(path, "is damaged: only what is reported could be read")
            }
        } catch let error as SystemError {
            throw PlainError.unreadable(path, error)
        } catch let error as PlainError where error.isReaderGone && streams.isStopped {
            // Ctrl-C ends the reader of a pipe, too, and often first. The store may have more than was reported.
            let committed = try? input?.progress.flatMap { try run.file?.progress(of: $0.path) }
            noteStop(path, input, isConverted: converted != nil, committed ?? nil)
            throw error
        }
        guard streams.isStopped else { return try length.check(path) }
        noteStop(path, input, isConverted: converted != nil)
    }

    /// A notice about an input that begins elsewhere than its reader may expect; nil for any other.
    private func notice(of input: InputFile) -> String? {
        if input.isRepeated {
            return "an earlier run read less of a file of this name; this run begins again and delivers all of it"
                + run.job.advice(.resume)
        }
        guard run.job.resumes, input.progress?.offset == 0 else { return nil }
        return "the store has nothing of it; this run begins with its first record"
    }

    /// - Parameter committed: what the store has of the input, if its report was not written.
    private func noteStop(
        _ path: String?, _ input: InputFile?, isConverted: Bool, _ committed: InputProgress? = nil
    ) {
        progress.clear()
        follower?.leave()
        let isResumable = !isConverted && input?.progress != nil
        let place =
            isResumable
            ? ", at byte \(committed?.offset ?? run.pipeline.inputOffset) of \(TerminalText.clean(path ?? ""))" : ""
        let advice = isResumable && records == nil ? run.job.advice(.resume) : ""
        let last = committed.map { $0.fileRecords &- (input?.start.records ?? 0) } ?? run.pipeline.summary.records
        streams.note(
            "pushpipe: stopped by \(streams.stopReason) after record \(last) of this run\(place)"
                + "\(advice)\n")
    }

    /// The progress of earlier runs over a stream that is resumed by the offsets in its records.
    private func progressOfStreams() throws -> InputProgress? {
        guard run.job.resumes, let store = run.file else { return nil }
        return try store.progress(of: InputProgress.streams) ?? InputProgress(path: InputProgress.streams)
    }

    private func process(_ descriptor: FileDescriptor, _ source: InputSource, from checkpoint: InputProgress?) throws {
        let pipeline = run.pipeline
        let progress = progress
        let output = output
        let records = records
        let streams = streams
        let file = descriptor.rawValue
        let composer = run.composer()
        let isStopped = { streams.isStopped }
        let shown = run.job.shownDevice
        let isShown: (borrowing RecordReport) -> Bool = { shown?.shows($0.message.device.string) ?? true }
        let flush = {
            try output.flush()
            try records?.flush()
            progress.show(pipeline.summary)
        }
        if run.job.output == .trace {
            let trace = run.job.tracedLine.map { LineTrace(line: $0) }
            var count = 0
            try pipeline.process(
                fileDescriptor: file, source: source, progress: checkpoint,
                isStopped: { isStopped() || trace?.isPast == true },
                report: { line in
                    if let trace, !trace.reaches(line) { return }
                    guard isShown(line) else { return }
                    count += 1
                    try output.append { composer(line, &$0) }
                }, flush: flush)
            if let trace, count == 0, !streams.isStopped {
                let device = shown.map { " for device \(TerminalText.clean($0.typed))" } ?? ""
                let last = trace.last > 0 ? "; the last one before it is at line \(trace.last)" : ""
                let file = TerminalText.clean(source.name)
                throw PlainError("no record\(device) at line \(trace.line) of \(file)\(last)")
            } else if count == 0, pipeline.summary.records > 0, let shown {
                let device = TerminalText.clean(shown.typed)
                streams.note("pushpipe: no record is for device \(device), or one whose name begins with it\n")
            }
        } else {
            let isStored = checkpoint != nil && run.job.output == .ndjson
            try pipeline.process(
                fileDescriptor: file, source: source, progress: checkpoint, isStopped: isStopped, composer: composer,
                isStored: isStored,
                text: { lines in
                    // SOUND: the lines are written before the call returns, and before the next commit.
                    if isStored { try unsafe output.write(lines.bytes) } else { try output.append(lines) }
                }, flush: flush)
        }
    }
}

final class OpenedInput {
    var file: InputFile?
    var isInvited = false

    func take() -> InputFile? {
        defer { file = nil }
        return file
    }
}

/// Tells the records at one line of an input from the others.
final class LineTrace {
    /// The line's number, from 1.
    let line: Int
    /// The line at which the last record before it begins; 0 if there is none.
    private(set) var last = 0
    /// True once a record after the line was reported.
    private(set) var isPast = false
    private var isAtLine = false

    init(line: Int) { self.line = line }

    /// True for a report on a record at the line, and on what follows from it. Takes all reports, in input order.
    func reaches(_ report: borrowing RecordReport) -> Bool {
        // What follows from a record has no place of its own.
        guard let start = report.source?.position.line else { return isAtLine }
        isPast = start > line
        // SOUND: the record is lent with the report.
        let lines = unsafe report.trace?.record.bytes.count { $0 == UInt8(ascii: "\n") } ?? 0
        isAtLine = !isPast && start + lines >= line
        if !isPast, !isAtLine { last = start }
        return isAtLine
    }
}

extension ConvertedFile {
    /// A compressed file, or one in UTF-16 or UTF-32, as text; nil for one that is text, and without a program that converts it: then it is one
    /// malformed record, which says what to do.
    ///
    /// - Parameter given: at the beginning of what is read.
    /// - Throws: `SystemError` if the program cannot be started.
    package static func text(of given: FileDescriptor) throws(SystemError) -> ConvertedFile? {
        try text(
            of: given, signatureBytes: ForeignText.longestSignature, ForeignText.converter)
    }

    /// The most bytes that are read of the text, and the words about a longer one.
    package func limit(_ options: DecodingOptions) -> (bytes: UInt64, problem: String) {
        limit(ratio: options.mostExpansion, advice: options.advice(.acceptRatio))
    }
}

/// The streams of a run. Whoever runs the job decides what they are.
package protocol RunStreams {
    associatedtype Output: RunOutput

    /// Opens the stream that the results are written to: the report or trace, and the screens. Called once.
    ///
    /// - Parameter writesInBackground: true if a separate thread writes, so that the run need not wait for the reader.
    func openOutput(writesInBackground: Bool) -> Output

    /// Opens the stream that results are written to if it is not standard output. Called instead of the other one, which then is for
    /// records.
    ///
    /// - Parameter report: stays open until the run has ended.
    func openOutput(to report: OpenReport, writesInBackground: Bool) -> Output

    /// The descriptor that the results are written to. It is looked at, and not written to.
    var outputDescriptor: FileDescriptor { get }

    /// Writes text about the run, which is not a result: warnings, progress, the summary.
    func note(_ text: String)

    /// Tells somebody at a terminal that the run waits for payloads, if standard input is one.
    func inviteInput()

    /// Called once, when everything is open: from now on a signal ends the run after the current chunk, and not at once.
    func listenForStop()

    /// True to read no more. Asked between two reads.
    var isStopped: Bool { get }

    /// The cause of the stop, such as `SIGINT`. Asked only once `isStopped` is true.
    var stopReason: String { get }
}

/// A buffered stream that takes results. Used on one thread.
package protocol RunOutput: AnyObject {
    /// Lets `body` append to the buffer, and writes the buffer once it is large enough.
    func append(_ body: (inout ByteBuffer) -> Void) throws(PlainError)

    /// Appends bytes, which are valid only for the duration of the call.
    func append(_ bytes: BorrowedText) throws(PlainError)

    /// Writes the buffer and then these bytes, and returns when both are written.
    func write(_ bytes: UnsafeRawBufferPointer) throws(PlainError)

    /// Writes the buffer, or hands it to the writing thread.
    func flush() throws(PlainError)

    /// Writes the buffer, and returns once everything is written.
    func finish() throws(PlainError)
}

/// The stream of a report. If records are written too, the run goes on for them when nobody reads the report any more.
final class ReportOutput<Output: RunOutput>: RunOutput {
    private let output: Output
    private let isOptional: Bool
    private var isGone = false

    /// - Parameter isOptional: true if the run goes on without a reader.
    init(_ output: Output, isOptional: Bool) {
        self.output = output
        self.isOptional = isOptional
    }

    private func attempt(_ body: () throws(PlainError) -> Void) throws(PlainError) {
        if isGone { return }
        do throws(PlainError) {
            try body()
        } catch {
            guard isOptional, error.isReaderGone else { throw error }
            isGone = true
        }
    }

    func append(_ body: (inout ByteBuffer) -> Void) throws(PlainError) {
        try attempt { () throws(PlainError) in try output.append(body) }
    }

    func append(_ bytes: BorrowedText) throws(PlainError) {
        try attempt { () throws(PlainError) in try output.append(bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlainError) {
        // SOUND: passes the bytes on for the duration of the call.
        try attempt { () throws(PlainError) in try unsafe output.write(bytes) }
    }

    func flush() throws(PlainError) { try attempt { () throws(PlainError) in try output.flush() } }

    func finish() throws(PlainError) { try attempt { () throws(PlainError) in try output.finish() } }
}

/// Shows what is on screens while a run goes on. Called on the run's thread, from one place after the other.
package protocol RunFollower: AnyObject {
    /// Called once, before the first record.
    ///
    /// - Parameters:
    ///   - store: the store that the run delivers to. Between two calls it may change.
    ///   - isStopped: returns true if the run is to end.
    func begin(_ store: any BrowsableStore, isStopped: @escaping () -> Bool)

    /// Called before each read of an input. Returns once there is something to read, or the run is to end.
    func pause(before input: FileDescriptor)

    /// Called after the last record. Returns when nobody looks any more.
    func end()

    /// Called before something else is written to the terminal, at any time and any number of times.
    func leave()
}

extension RunJob {
    /// Runs all inputs, and writes what `output` asks for.
    ///
    /// - Parameter follower: shows the screens of a job that is followed. Without one, or if the records are typed into the same terminal,
    ///   they are written at the end. While it shows them, no report goes to the terminal.
    /// - Throws: `StoreError`, `PlainError`, and what `setUp` throws.
    package func run(to streams: some RunStreams, follower: (any RunFollower)? = nil) throws -> Outcome {
        guard follows else { return try deliver(to: streams, follower: nil) }
        var job = self
        let isTyped = inputs.contains(nil) && Terminal.isTerminal(.standardInput)
        guard let follower, !isTyped else {
            job.showsScreen = true
            return try job.deliver(to: streams, follower: nil)
        }
        if reportFile == nil { job.output = .none }
        defer { follower.leave() }
        return try job.deliver(to: streams, follower: follower)
    }
}
