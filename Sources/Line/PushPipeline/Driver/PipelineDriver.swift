import PayloadJSON
import PushDecoding
import PushModel
import PushStore
import PushSystem

/// Moves an input through the pipeline: cuts chunks, runs the record-local stages on any core, delivers chunks in order, and passes
/// their reports to a sink. It knows stages, but no features.
final class PipelineDriver {
    let configuration: PipelineConfiguration
    let delivery: ChunkDelivery
    /// Size of a chunk in bytes, unless the input pauses earlier.
    var chunkBytes: Int { max(store.preferredTransactionBytes(after: scheduler.count), 1) }
    private let store: any DeliveryStore
    /// Its mutable state changes once per chunk here, not once per record.
    var cutter: ChunkCutter
    private let scheduler: ChunkScheduler
    /// True to start no more work.
    var isStopped: () -> Bool = { false }
    /// Called before each read, when what was read before is reported; may wait until there is something to read.
    var beforeReading: ((FileDescriptor) -> Void)?
    /// Where the input continues after the last delivered chunk.
    var deliveredOffset: UInt64 = 0
    /// Nil unless records are written besides the report.
    var emitter: RecordEmitter?
    private let counter = SummaryCounter()
    var stageTimes = StageTimes()
    /// When the delivery of the last chunk began, if a stage works ahead.
    private var deliveryStart = 0.0
    /// True while an input is fed that others take turns with, and once its turn is over.
    private var takesTurns = false
    private var isTurnOver = false

    /// Target duration of a chunk in seconds when a stage works ahead.
    private static let shortDelivery = 0.05
    private static let longDelivery = 0.2
    private static let firstRecordLimit = 1
    /// Bytes of a chunk for which it may have one element of an array. Ordinary records have far fewer elements, and so have those with many
    /// targets: tokens are longer.
    private static let bytesOfElement = 32
    /// Elements of arrays in a chunk, at most: as many targets take some 45 MiB until they are reported.
    private static let mostElements = 1 << 15
    /// The same in an input that others take turns with: some 50 ms.
    private static let elementsOfTurn = 1 << 12

    init(_ configuration: PipelineConfiguration, _ store: any DeliveryStore, _ stages: [any DeliveryStage]) {
        self.configuration = configuration
        delivery = ChunkDelivery(configuration, store, stages)
        self.store = store
        cutter = ChunkCutter(configuration)
        if delivery.worksAhead { cutter.recordLimit = Self.firstRecordLimit }
        let lanes = configuration.decoding.readsDevices ? nil : store.lanes
        lanes?.divide(into: configuration.jobs)
        scheduler = ChunkScheduler(configuration, lanes)
        stageTimes.lanes.count = lanes?.laneCount ?? 0
    }

    /// Counts of the reported records and messages.
    var summary: RunSummary {
        // SOUND: nothing changes the counts meanwhile.
        unsafe counter.summary
    }

    /// Adds bytes to the input, and reports every record that they complete.
    func feed(_ bytes: UnsafeRawBufferPointer, to sink: any ReportSink) throws {
        // SOUND: each part is within the bytes that the caller vouches for, and is copied.
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(chunkBytes))
            unsafe cutter.input.append(part)
            unsafe rest = unsafe rest.dropFirst(part.count)
            try advance(isEnd: false, to: sink)
        }
        try drain(to: sink)
    }

    /// Adds whole records to the input, and reports them until it is the turn of others: to the end of a transaction that ended early, because
    /// its records have many targets or consequences. The other records are forgotten, as if they had not been added.
    ///
    /// - Returns: true if it ended early. Then at least one record was reported.
    func feedTurn(_ bytes: UnsafeRawBufferPointer, to sink: any ReportSink) throws -> Bool {
        takesTurns = true
        isTurnOver = false
        defer { takesTurns = false }
        // SOUND: as in `feed`.
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty, !isTurnOver {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(chunkBytes))
            unsafe cutter.input.append(part)
            unsafe rest = unsafe rest.dropFirst(part.count)
            try advance(isEnd: false, to: sink)
        }
        try drain(to: sink)
        if isTurnOver { cutter.dropInput() }
        return isTurnOver
    }

    /// Ends the input, and reports a last record without a separator. Another input with its own framing may follow.
    func finish(to sink: any ReportSink) throws {
        try advance(isEnd: true, to: sink)
        try drain(to: sink)
        cutter.beginInput()
    }

    /// Starts processing all complete records, and reports the oldest chunks if too many are in flight.
    func advance(isEnd: Bool, to sink: any ReportSink) throws {
        var hasMore = true
        while hasMore {
            while scheduler.isFull || (takesTurns && scheduler.count > 0) { try finishOldest(to: sink) }
            if takesTurns, isTurnOver { return }
            if scheduler.count == 0 { scheduler.setComposer(sink.composer) }
            var watch = Stopwatch(isOn: configuration.measuresStages)
            cutter.elementLimit = min(
                max(chunkBytes / Self.bytesOfElement, 1), takesTurns ? Self.elementsOfTurn : Self.mostElements)
            let records = scheduler.cut(from: &cutter, isEnd: isEnd)
            watch.lap(.frame, count: records, &stageTimes)
            if records > 0, !delivery.worksAhead { try deliverDecoded(to: sink) }
            if takesTurns, cutter.isCutShort {
                try drain(to: sink)
                isTurnOver = true
                return
            }
            hasMore = records > 0 && (cutter.recordLimit < .max ? !isStopped() : cutter.isCutShort)
        }
    }

    /// Reports all chunks in flight.
    func drain(to sink: any ReportSink) throws {
        while scheduler.count > 0 { try finishOldest(to: sink) }
    }

    /// Delivers what is decoded, as far as its order allows.
    private func deliverDecoded(to sink: any ReportSink) throws {
        try scheduler.deliver { chunk, isOldest in
            // SOUND: the batch and its traces stay as they are until the next chunk is delivered.
            var watch = Stopwatch(isOn: configuration.measuresStages)
            deliveryStart = delivery.worksAhead ? SystemClock.monotonicSeconds() : 0
            defer {
                watch.lap(.deliver, count: 0, &stageTimes)
                if takesTurns, chunk.rest != nil {
                    chunk.rest = nil
                    isTurnOver = true
                }
            }
            let isStored = sink.composesInTransaction
            if !isStored, sink.maySeeStore, !isOldest { return .refused }
            let report = isStored ? StoredReport(sink, counter, scheduler) : nil
            return try unsafe withUnsafeMutablePointer(to: &chunk) {
                try unsafe delivery.deliver($0, isOldest: isOldest, &stageTimes.lanes, storing: report)
            }
        }
    }

    private func finishOldest(to sink: any ReportSink) throws {
        while true {
            try deliverDecoded(to: sink)
            if scheduler.isOldestReady { break }
            scheduler.advance(&stageTimes)
        }
        // SOUND: as above.
        try scheduler.takeOldest { chunk, times in
            stageTimes.add(times)
            let lines = chunk.lines
            stageTimes.countDelivered(lines.count, composed: sink.composer != nil)
            var watch = Stopwatch(isOn: configuration.measuresStages)
            try sink.write(
                chunk,
                {
                    try unsafe lines.forEach(
                        of: chunk.batch, traces: delivery.traces, sources: SourceFinder(chunk), $0)
                }, counter)
            try emitter?.emit(chunk)
            watch.lap(sink.stage, count: sink.stage == .report ? lines.count : 0, &stageTimes)
            if delivery.worksAhead {
                adaptChunks(to: SystemClock.monotonicSeconds() - deliveryStart, lines.count)
                try sink.flush()
            }
            unsafe counter.summary.records &+= UInt64(chunk.places?.recordCount ?? chunk.frames.count)
            if let places = chunk.places { unsafe counter.summary.skippedRecords &+= UInt64(places.skippedCount) }
            unsafe counter.summary.emptyLines &+= UInt64(chunk.emptyLines)
            unsafe counter.summary.locatedRecords &+= UInt64(chunk.locatedRecords)
            if let end = chunk.end { deliveredOffset = end.offset }
        }
    }

    /// Adjusts the chunk size so that reports appear promptly even if a stage that works ahead is slow per push.
    private func adaptChunks(to seconds: Double, _ lines: Int) {
        if seconds < Self.shortDelivery {
            cutter.recordLimit = cutter.recordLimit > Int.max / 2 ? .max : cutter.recordLimit * 2
        } else if seconds > Self.longDelivery {
            cutter.recordLimit = max(min(cutter.recordLimit, lines) / 2, 1)
        }
    }
}
