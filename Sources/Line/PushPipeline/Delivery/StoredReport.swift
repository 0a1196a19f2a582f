import PayloadJSON
import PushModel

/// The report of a chunk, for the transaction of its deliveries. It is composed while their rows are written, if a helper has the time.
@safe  // SOUND: who begins it vouches for the chunk, and until it is finished one thread alone uses the bytes.
final class StoredReport {
    private let sink: any ReportSink
    private let counter: SummaryCounter
    private let scheduler: ChunkScheduler
    private var bytes: UnsafeRawBufferPointer?

    init(_ sink: any ReportSink, _ counter: SummaryCounter, _ scheduler: ChunkScheduler) {
        self.sink = sink
        self.counter = counter
        self.scheduler = scheduler
    }

    /// Begins it. The chunk and its traces must stay as they are until it is finished.
    @unsafe
    func begin(_ chunk: UnsafePointer<RecordChunk>, _ traces: UnsafePointer<MessageTrace>?) {
        // SOUND: nothing changes the counts before the chunk is written.
        let summary = unsafe counter.summary
        unsafe scheduler.beginWork(records: chunk.pointee.recordCount) { [self] in
            unsafe bytes = sink.compose(
                {
                    try unsafe chunk.pointee.lines.forEach(
                        of: chunk.pointee.batch, traces: traces, sources: SourceFinder(chunk.pointee), $0)
                }, summary)
        }
    }

    /// Finishes it, if it has begun.
    ///
    /// - Returns: what to store, valid until the next report begins; nil for nothing.
    @discardableResult
    func finish() -> BorrowedText? {
        // SOUND: the sink keeps the bytes until it composes the next report.
        scheduler.finishWork()
        guard let bytes = unsafe bytes, let start = bytes.baseAddress else { return nil }
        return unsafe BorrowedText(start: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }
}
