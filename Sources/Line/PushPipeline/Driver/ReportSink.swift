import PayloadJSON

/// Receives the report of a run, one chunk at a time.
protocol ReportSink: AnyObject {
    /// The stage that the time of `write` counts toward.
    var stage: StageTimes.Stage { get }

    /// Composes a line, on any thread, before `write` gets the chunk; nil if `write` composes the lines itself.
    var composer: LineComposer? { get }

    /// True if `compose` must be called within the transaction.
    var composesInTransaction: Bool { get }

    /// True if `write` calls code that may look at the store, which must then be as the chunk has left it.
    var maySeeStore: Bool { get }

    /// Called within the transaction, on any thread, with the complete report of the chunk, before `write` gets it.
    ///
    /// - Parameters:
    ///   - forEachLine: passes the lines in input order.
    ///   - summary: counts before this chunk.
    /// - Returns: bytes to store with the chunk's deliveries, valid until the next call; nil for none.
    func compose(_ forEachLine: LineSource, _ summary: RunSummary) -> UnsafeRawBufferPointer?

    /// Called after the chunk is committed. Adds each line to the counts before passing it on.
    func write(_ chunk: borrowing RecordChunk, _ forEachLine: LineSource, _ counter: SummaryCounter) throws

    /// Called when readers of the report should see the lines written so far.
    func flush() throws
}

extension ReportSink {
    var composer: LineComposer? { nil }
    var composesInTransaction: Bool { false }
    var maySeeStore: Bool { true }
    func compose(_ forEachLine: LineSource, _ summary: RunSummary) -> UnsafeRawBufferPointer? { nil }
}

/// Appends a report line to a buffer. Called on any thread.
///
/// A struct around its closure, because a closure that is itself an optional is called through two more functions, and
/// each copies the report.
struct LineComposer: ChunkComposer {
    private let body: @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void

    init(_ body: @escaping @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void) { self.body = body }

    func append(_ report: borrowing RecordReport, to out: inout ByteBuffer) { body(report, &out) }

    func compose(_ chunk: inout RecordChunk) { chunk.compose(self) }
}

/// Passes lines, each valid for the duration of the call.
typealias LineSource = ((borrowing RecordReport) throws -> Void) throws -> Void

/// The counts of a run, readable by a report's receiver during the run.
final class SummaryCounter {
    // Changed once per message by code that never calls back, so a runtime check of exclusive access would be useless.
    @exclusivity(unchecked) var summary = RunSummary()
}

/// Passes each line to a closure after its chunk is committed.
final class LineSink: ReportSink {
    let stage = StageTimes.Stage.report
    private let report: (borrowing RecordReport) throws -> Void
    private let flushReport: () throws -> Void

    init(_ report: @escaping (borrowing RecordReport) throws -> Void, flush: @escaping () throws -> Void = {}) {
        self.report = report
        flushReport = flush
    }

    func write(_ chunk: borrowing RecordChunk, _ forEachLine: LineSource, _ counter: SummaryCounter) throws {
        try forEachLine { line in
            // SOUND: adding a line calls nothing that could use the counts meanwhile.
            unsafe counter.summary.add(line)
            try report(line)
        }
    }

    func flush() throws { try flushReport() }
}

/// The same, with the index of the record that caused the line, among those that the sink has received.
final class RecordLineSink: ReportSink {
    let stage = StageTimes.Stage.report
    private let report: (borrowing RecordReport, Int) throws -> Void
    /// Number of records in earlier chunks.
    private(set) var records = 0

    init(_ report: @escaping (borrowing RecordReport, Int) throws -> Void) { self.report = report }

    func write(_ chunk: borrowing RecordChunk, _ forEachLine: LineSource, _ counter: SummaryCounter) throws {
        let first = chunk.lines.firstSequence
        try forEachLine { line in
            // SOUND: as above.
            unsafe counter.summary.add(line)
            try report(line, records + Int(truncatingIfNeeded: line.seq &- first))
        }
        records += chunk.recordCount
    }

    func flush() {}
}

/// Passes on the text of each chunk's report, whose lines are composed on any thread.
final class ComposedReportSink: ReportSink {
    let stage = StageTimes.Stage.write
    let maySeeStore = false
    let composer: LineComposer?
    private let text: (BorrowedText) throws -> Void
    private let flushReport: () throws -> Void

    init(
        _ composer: LineComposer, _ text: @escaping (BorrowedText) throws -> Void,
        flush: @escaping () throws -> Void
    ) {
        self.composer = composer
        self.text = text
        flushReport = flush
    }

    func write(_ chunk: borrowing RecordChunk, _ forEachLine: LineSource, _ counter: SummaryCounter) throws {
        // SOUND: nothing else uses the counts meanwhile.
        unsafe counter.summary.add(chunk.summary)
        try chunk.report.withText(text)
    }

    func flush() throws { try flushReport() }
}

/// Writes each chunk's report as NDJSON and stores it in the transaction that delivers the chunk, so that a later run can repeat lines that
/// may not have been written.
@safe  // SOUND: hands out only its own buffer, for the duration of a call.
final class KeptReportSink: ReportSink {
    let stage = StageTimes.Stage.write
    let composesInTransaction = true
    private let text: (UnsafeRawBufferPointer) throws -> Void
    private var lines = ByteBuffer()
    private var counted = RunSummary()

    /// - Parameter text: called with the report of a chunk. The next chunk is committed only after this returns.
    init(_ text: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        // SOUND: keeps a closure, and calls it with memory that lives as long as the call.
        unsafe self.text = unsafe text
    }

    func compose(_ forEachLine: LineSource, _ summary: RunSummary) -> UnsafeRawBufferPointer? {
        // SOUND: the lines stay as they are until the next chunk is composed.
        lines.removeAll()
        counted = summary
        let writer = NDJSONReport()
        // Composing a line does not throw.
        try? forEachLine { line in
            counted.add(line)
            writer.append(line, to: &lines)
        }
        return unsafe lines.bytes
    }

    func write(_ chunk: borrowing RecordChunk, _ forEachLine: LineSource, _ counter: SummaryCounter) throws {
        // SOUND: nothing else uses the counts meanwhile, and the lines stay as they are until the next chunk is composed.
        unsafe counter.summary = counted
        try unsafe text(lines.bytes)
    }

    func flush() {}
}
