import PayloadJSON

/// Takes the report of a run, a chunk at a time.
protocol ReportSink: AnyObject {
    /// What the time of `write` is counted as.
    var stage: StageTimes.Stage { get }

    /// Called within the transaction, with the report of the chunk complete.
    ///
    /// - Parameters:
    ///   - forEachLine: hands out the lines, in input order.
    ///   - summary: counts of what has been reported before.
    /// - Returns: bytes to keep with the chunk's deliveries, valid until the next call; nil for none.
    func compose(_ forEachLine: LineSource, _ summary: RunSummary) -> UnsafeRawBufferPointer?

    /// Called once the chunk is committed. Adds its lines to the counts, each before it is handed out.
    func write(_ forEachLine: LineSource, _ counter: SummaryCounter) throws

    /// Called when whoever reads the report should see what has been written.
    func flush() throws
}

/// Hands out lines, each valid for the duration of the call.
typealias LineSource = ((RecordReport) throws -> Void) throws -> Void

/// The counts of a run, which whoever takes a report may read meanwhile.
final class SummaryCounter {
    // Changed once a message, by nothing that calls back here: a check of exclusive access at run time would check nothing.
    @exclusivity(unchecked) var summary = RunSummary()
}

/// Hands each line to a closure once its chunk is committed.
final class LineSink: ReportSink {
    let stage = StageTimes.Stage.report
    private let report: (RecordReport) throws -> Void
    private let flushReport: () throws -> Void

    init(_ report: @escaping (RecordReport) throws -> Void, flush: @escaping () throws -> Void = {}) {
        self.report = report
        flushReport = flush
    }

    func compose(_ forEachLine: LineSource, _ summary: RunSummary) -> UnsafeRawBufferPointer? { nil }

    func write(_ forEachLine: LineSource, _ counter: SummaryCounter) throws {
        try forEachLine { line in
            counter.summary.add(line)
            try report(line)
        }
    }

    func flush() throws { try flushReport() }
}

/// Writes each chunk's report as NDJSON, which is kept in the transaction that delivered it, so that a later run can repeat what may not have
/// been read.
final class KeptReportSink: ReportSink {
    let stage = StageTimes.Stage.write
    private let text: (UnsafeRawBufferPointer) throws -> Void
    private var lines = ByteBuffer()
    private var counted = RunSummary()

    /// - Parameter text: takes the report of a chunk. The next chunk is committed only when this has returned.
    init(_ text: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.text = text }

    func compose(_ forEachLine: LineSource, _ summary: RunSummary) -> UnsafeRawBufferPointer? {
        lines.removeAll()
        counted = summary
        let writer = NDJSONReport()
        // Composing a line throws nothing.
        try? forEachLine { line in
            counted.add(line)
            writer.append(line, to: &lines)
        }
        return lines.bytes
    }

    func write(_ forEachLine: LineSource, _ counter: SummaryCounter) throws {
        counter.summary = counted
        try text(lines.bytes)
    }

    func flush() {}
}
