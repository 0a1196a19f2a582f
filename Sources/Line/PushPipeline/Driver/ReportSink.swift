import PushDecoding
import PushDevices
import PushJSON
import PushModel
package import PushSystem

/// Composes what is written of a chunk. Called on any thread, for several chunks at the same time.
package protocol ChunkComposer: Sendable {
    /// Composes the output of a chunk into its own memory.
    func compose(_ chunk: inout RecordChunk)
}

/// Appends the lines of a chunk's report to a buffer of the chunk.
///
/// A struct around its closure, because a closure that is itself an optional is called through two more functions, and
/// each copies the report.
struct LineComposer: ChunkComposer {
    private let body: @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void

    init(_ body: @escaping @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void) { self.body = body }

    /// Composes the report lines of a delivered chunk, without traces.
    func compose(_ chunk: inout RecordChunk) {
        chunk.report.removeAll()
        chunk.summary.removeAll()
        chunk.lines.forEach(of: chunk.batch, tracer: nil, sources: SourceFinder(chunk)) { line in
            chunk.summary.add(line)
            body(line, &chunk.report)
        }
    }
}

/// Receives what becomes of an input, one chunk at a time, once the chunk is committed.
final class ReportSink {
    /// What it takes of a chunk.
    enum Output {
        /// Each line, with the index of the record that caused it among those that the sink has received.
        case lines((borrowing RecordReport, Int) throws -> Void)
        /// The text that the composer has made of all lines.
        case text((BorrowedText) throws -> Void)
        /// The chunk as it was decoded and composed, valid for the duration of the call.
        case chunks((inout RecordChunk) throws -> Void)
    }

    let output: Output
    /// Composes a chunk's output before the sink gets it; nil if the sink takes line by line. Then its code may look at the store, which must be as
    /// the chunk has left it.
    let composer: (any ChunkComposer)?
    /// True if the text is stored in the transaction that delivers the chunk, so that a later run can repeat lines that may not have been
    /// written. The next chunk is committed only after the sink has taken the text.
    let isStored: Bool
    /// Called when readers of the report should see the lines written so far.
    let flush: () throws -> Void
    /// Number of records in the chunks that the sink has received.
    var records = 0

    /// A sink that takes line by line.
    init(flush: @escaping () throws -> Void = {}, lines: @escaping (borrowing RecordReport, Int) throws -> Void) {
        output = .lines(lines)
        composer = nil
        isStored = false
        self.flush = flush
    }

    /// A sink that takes the text of a chunk's report.
    init(
        _ composer: @escaping @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void, isStored: Bool,
        text: @escaping (BorrowedText) throws -> Void, flush: @escaping () throws -> Void
    ) {
        output = .text(text)
        self.composer = LineComposer(composer)
        self.isStored = isStored
        self.flush = flush
    }

    /// A sink that passes on what is only decoded and composed.
    init(
        _ composer: any ChunkComposer, flush: @escaping () throws -> Void,
        chunks: @escaping (inout RecordChunk) throws -> Void
    ) {
        output = .chunks(chunks)
        self.composer = composer
        isStored = false
        self.flush = flush
    }

    /// The stage that the time of taking a chunk counts toward.
    var stage: StageTimes.Stage { composer == nil ? .report : .write }
}

/// A pipeline that only decodes the records of inputs, and passes them on. Not thread-safe.
package final class DecodedInput {
    private let pipeline: Pipeline
    private let sink: ReportSink

    /// - Parameters:
    ///   - configuration: `decoding`, `framing`, `maximumRecordBytes`, `maximumBytesWithoutRecord` and `jobs` apply.
    ///   - composer: works on each chunk, on any core.
    ///   - flush: called when readers should see what is finished: the input pauses or is at its end.
    ///   - finish: called for each composed chunk, in input order. The chunk is valid for the duration of the call.
    package init(
        _ configuration: PipelineConfiguration, _ composer: any ChunkComposer, flush: @escaping () throws -> Void,
        finish: @escaping (inout RecordChunk) throws -> Void
    ) {
        var configuration = configuration
        configuration.recordStages = []
        configuration.validation = .off
        configuration.measuresStages = false
        configuration.traces = false
        configuration.emits = false
        configuration.readsPlaces = false
        configuration.onlyDecodes = true
        configuration.decoding.advice = Advice.unsaid
        pipeline = Pipeline(configuration, deliveringTo: MemoryStore(), [])
        sink = ReportSink(composer, flush: flush, chunks: finish)
    }

    package func begin(_ source: InputSource) { pipeline.name(source) }

    package func feed(_ bytes: UnsafeRawBufferPointer) throws {
        // SOUND: passes the bytes on for the duration of the call.
        try unsafe pipeline.feed(bytes, to: sink)
    }

    /// Ends the input. Another one with its own framing may follow.
    package func finish() throws { try pipeline.finish(to: sink) }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, called between two reads, returns true.
    ///
    /// - Throws: `SystemError`; `PlainError` for what goes on and on without a record; what `finish` and `flush` throw.
    package func read(_ input: FileDescriptor, isStopped: () -> Bool) throws {
        try withoutActuallyEscaping(isStopped) { try pipeline.read(input.rawValue, isStopped: $0, to: sink) }
    }
}
