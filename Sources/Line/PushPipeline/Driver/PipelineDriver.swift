import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
public import PushSystem

/// Moves an input through the pipeline: cuts chunks, runs the record-local stages on any core, delivers chunks in order, and passes
/// their reports to a sink. It knows stages, but no features.
final class PipelineDriver {
    let configuration: PipelineConfiguration
    let delivery: ChunkDelivery
    /// Size of a chunk in bytes, unless the input pauses earlier.
    var chunkBytes: Int { max(store.preferredTransactionBytes, 1) }
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
    /// Counts of the reported records and messages, readable by the report's receiver during the run.
    // Changed once per message by code that never calls back, so a runtime check of exclusive access would be useless.
    @exclusivity(unchecked) private(set) var summary = RunSummary()
    /// True if a record was read that is not malformed.
    private var hasRecord = false
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
        let lanes = configuration.decoding.readsDevices || configuration.onlyDecodes ? nil : store.lanes
        lanes?.divide(into: configuration.jobs)
        scheduler = ChunkScheduler(configuration, lanes)
        stageTimes.lanes.count = lanes?.laneCount ?? 0
    }

    /// Adds bytes to the input, and reports every record that they complete.
    func feed(_ bytes: UnsafeRawBufferPointer, to sink: ReportSink) throws {
        // SOUND: each part is within the bytes that the caller vouches for, and is copied.
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty, !isTurnOver {
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
    func feedTurn(_ bytes: UnsafeRawBufferPointer, to sink: ReportSink) throws -> Bool {
        // SOUND: passes the bytes on.
        takesTurns = true
        defer { (takesTurns, isTurnOver) = (false, false) }
        try unsafe feed(bytes, to: sink)
        if isTurnOver { cutter.dropInput() }
        return isTurnOver
    }

    /// Ends the input, and reports a last record without a separator. Another input with its own framing may follow.
    func finish(to sink: ReportSink) throws {
        try advance(isEnd: true, to: sink)
        try drain(to: sink)
        cutter.beginInput()
    }

    /// Starts processing all complete records, and reports the oldest chunks if too many are in flight.
    func advance(isEnd: Bool, to sink: ReportSink) throws {
        var hasMore = true
        while hasMore {
            while scheduler.isFull || (takesTurns && scheduler.count > 0) { try finishOldest(to: sink) }
            if takesTurns, isTurnOver { return }
            if scheduler.count == 0 { scheduler.setComposer(sink.isStored ? nil : sink.composer) }
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
    func drain(to sink: ReportSink) throws {
        while scheduler.count > 0 { try finishOldest(to: sink) }
    }

    /// Delivers what is decoded, as far as its order allows.
    private func deliverDecoded(to sink: ReportSink) throws {
        try scheduler.deliver { chunk, isOldest in
            // SOUND: the chunk stays where it is until it is taken.
            if configuration.onlyDecodes {
                delivery.passBy(&chunk)
                return .done
            }
            var watch = Stopwatch(isOn: configuration.measuresStages)
            deliveryStart = delivery.worksAhead ? SystemClock.monotonicSeconds() : 0
            defer {
                watch.lap(.deliver, count: 0, &stageTimes)
                if takesTurns, chunk.rest != nil {
                    chunk.rest = nil
                    isTurnOver = true
                }
            }
            if sink.composer == nil, !isOldest { return .refused }
            return try unsafe withUnsafeMutablePointer(to: &chunk) {
                try unsafe delivery.deliver(
                    $0, isOldest: isOldest, &stageTimes.lanes, storing: sink.isStored ? sink.composer : nil, scheduler)
            }
        }
    }

    private func finishOldest(to sink: ReportSink) throws {
        while true {
            try deliverDecoded(to: sink)
            if scheduler.isOldestReady { break }
            scheduler.advance(&stageTimes)
        }
        // SOUND: nothing else uses the counts meanwhile.
        try scheduler.takeOldest { chunk, times in
            stageTimes.add(times)
            let count = chunk.lines.count
            stageTimes.countDelivered(count, composed: sink.composer != nil && !sink.isStored)
            var watch = Stopwatch(isOn: configuration.measuresStages)
            try write(&chunk, to: sink)
            try emitter?.emit(chunk)
            watch.lap(sink.stage, count: sink.stage == .report ? count : 0, &stageTimes)
            if delivery.worksAhead {
                adaptChunks(to: SystemClock.monotonicSeconds() - deliveryStart, count)
                try sink.flush()
            }
            let records = chunk.places?.recordCount ?? chunk.frames.count
            hasRecord = hasRecord || records > chunk.batch.decodeFailures.count
            unsafe summary.records &+= UInt64(records)
            if let places = chunk.places { unsafe summary.skippedRecords &+= UInt64(places.skippedCount) }
            unsafe summary.emptyLines &+= UInt64(chunk.emptyLines)
            unsafe summary.locatedRecords &+= UInt64(chunk.locatedRecords)
            if let end = chunk.end { deliveredOffset = end.offset }
        }
    }

    /// Counts the lines of a chunk, and passes them on.
    private func write(_ chunk: inout RecordChunk, to sink: ReportSink) throws {
        // SOUND: the batch and its traces stay as they are until the next chunk is delivered, and adding a line calls nothing that could use the
        // counts meanwhile.
        switch sink.output {
        case .lines(let report):
            let first = chunk.lines.firstSequence
            let before = sink.records
            try unsafe chunk.lines.forEach(of: chunk.batch, traces: delivery.traces, sources: SourceFinder(chunk)) {
                unsafe summary.add($0)
                try report($0, before &+ Int(truncatingIfNeeded: $0.seq &- first))
            }
        case .text(let text):
            unsafe summary.add(chunk.summary)
            try chunk.report.withText(text)
        case .chunks(let work): try work.finish(&chunk)
        }
        sink.records += chunk.recordCount
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

/// The operating system's error for an input that cannot be read.
public typealias SystemError = PushSystem.SystemError

extension PipelineDriver {
    /// Begins an input: names it, and continues where it was left.
    ///
    /// - Parameter descriptor: the input.
    func begin(_ source: InputSource?, at progress: InputProgress?, _ descriptor: Int32) throws {
        if let progress, progress.path == InputProgress.streams {
            continueRun(at: progress)
        } else if let progress {
            begin(at: progress)
            if progress.offset > 0 { try cutter.continueInsideValue(of: FileDescriptor(rawValue: descriptor)) }
            if progress.offset > 0, let header = try header(of: descriptor) {
                delivery.part.header = header
                cutter.continuePart()
            }
        }
        cutter.name(source)
    }

    /// The first line of a part, decoded; nil for another input. Bytes that are read of an input that is not a regular file are kept.
    ///
    /// - Parameter isStopped: asked when a signal ends the wait for the first line; nil is returned then.
    func header(of descriptor: Int32, isStopped: () -> Bool = { false }) throws -> ChunkPlaces.Header? {
        // SOUND: the piece is a part of the buffer's free space, which nothing else changes while it is read into.
        let input = FileDescriptor(rawValue: descriptor)
        var first = [UInt8](repeating: 0, count: Self.longestHeader)
        if (try? FileStatus(input))?.kind == .regular {
            first.removeLast(first.count - (try input.read(into: &first, at: 0)))
            return unsafe first.withUnsafeBytes { unsafe ChunkPlaces.Header(beginning: $0) }
        }
        while cutter.input.count < Self.longestHeader, unsafe !cutter.input.bytes.contains(UInt8(ascii: "\n")) {
            let space = unsafe cutter.input.freeSpace(atLeast: Self.longestHeader)
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<Self.longestHeader])
            do throws(SystemError) {
                let count = try unsafe input.read(into: piece, retriesOnInterrupt: false)
                if count == 0 { break }
                cutter.input.didWrite(count)
            } catch {
                if error == .interrupted {
                    if isStopped() { return nil }
                    continue
                }
                guard error == .wouldBlock else { throw error }
                input.waitUntilReadable()
            }
        }
        return unsafe ChunkPlaces.Header(beginning: cutter.input.bytes)
    }

    /// In bytes.
    private static let longestHeader = 4096

    /// Continues where an input was left.
    private func begin(at progress: InputProgress) {
        cutter.beginInput(at: progress)
        if progress.offset > 0 { continueRun(at: progress) }
        deliveredOffset = progress.offset
    }

    /// Continues the numbers and the clock of an earlier run.
    private func continueRun(at progress: InputProgress) {
        delivery.isResumed = progress.records > 0
        delivery.clock.records = progress.records
        delivery.clock.offset = progress.clockOffset
    }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, called between two reads, returns true. Processes all bytes read
    /// by then.
    func read(_ descriptor: Int32, isStopped: @escaping () -> Bool, to sink: ReportSink) throws {
        // SOUND: the piece is a part of the buffer's free space, which nothing else changes while it is read into.
        self.isStopped = isStopped
        defer { self.isStopped = { false } }
        let input = FileDescriptor(rawValue: descriptor)
        let isRegular = (try? FileStatus(input))?.kind == .regular
        while !isStopped() {
            if let beforeReading {
                // It looks at the store, which lanes change meanwhile.
                try drain(to: sink)
                beforeReading(input)
                if isStopped() { break }
            }
            let space = unsafe cutter.input.freeSpace(atLeast: spaceToRead(isRegular: isRegular))
            var watch = Stopwatch(isOn: configuration.measuresStages)
            let count: Int
            do throws(SystemError) {
                let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<min(space.count, chunkBytes)])
                count = try unsafe input.read(into: piece, retriesOnInterrupt: false)
            } catch {
                if error == .interrupted { continue }
                guard error == .wouldBlock else { throw error }
                // The stream was opened as non-blocking; wait as a blocking one would.
                try drain(to: sink)
                try sink.flush()
                input.waitUntilReadable()
                continue
            }
            watch.lap(.read, count: 0, &stageTimes)
            if count == 0 {
                try finish(to: sink)
                return try flush(sink)
            }
            cutter.input.didWrite(count)
            // A file always is, also at its end.
            let hasMore = isRegular || input.isReadable
            if hasMore, cutter.input.count < chunkBytes { continue }
            try advance(isEnd: false, to: sink)
            if !hasMore { try drain(to: sink) }
            try flush(sink)
            if !isRegular { try checkForRecords(to: sink) }
        }
        try drain(to: sink)
        try flush(sink)
    }

    /// The space that the next read needs: what is missing of a chunk, so that the buffer is not enlarged, and all that is in it copied, in the
    /// middle of one. A stream may bring less.
    private func spaceToRead(isRegular: Bool) -> Int {
        let missing = chunkBytes - cutter.input.count
        let half = chunkBytes / 2
        return missing <= 0 ? half : isRegular ? missing : min(missing, half)
    }

    /// Ends an input that goes on and on without a record.
    ///
    /// - Throws: `InputError`, after what came before has been reported.
    private func checkForRecords(to sink: ReportSink) throws {
        guard let most = configuration.maximumBytesWithoutRecord, cutter.bytesWithoutRecord > most else { return }
        try drain(to: sink)
        try flush(sink)
        if hasRecord { return }
        throw InputError.endless(cutter.title, without: most, configuration.decoding.advice(.acceptEmpty))
    }

    private func flush(_ sink: ReportSink) throws {
        var watch = Stopwatch(isOn: configuration.measuresStages)
        try sink.flush()
        watch.lap(.write, count: 0, &stageTimes)
    }
}

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

    func append(_ report: borrowing RecordReport, to out: inout ByteBuffer) { body(report, &out) }

    func compose(_ chunk: inout RecordChunk) { chunk.compose(self) }
}

/// Receives what becomes of an input, one chunk at a time, once the chunk is committed.
final class ReportSink {
    /// What it takes of a chunk.
    enum Output {
        /// Each line, with the index of the record that caused it among those that the sink has received.
        case lines((borrowing RecordReport, Int) throws -> Void)
        /// The text that the composer has made of all lines.
        case text((BorrowedText) throws -> Void)
        /// The chunk as it was decoded.
        case chunks(any ChunkWork)
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

    /// A sink that passes on what is only decoded.
    init(_ work: any ChunkWork) {
        output = .chunks(work)
        composer = work.composer
        isStored = false
        flush = { try work.flush() }
    }

    /// The stage that the time of taking a chunk counts toward.
    var stage: StageTimes.Stage { composer == nil ? .report : .write }
}

/// Work on decoded records that needs neither devices nor a store.
package protocol ChunkWork: AnyObject {
    var composer: any ChunkComposer { get }

    /// Called for each composed chunk, in input order. The chunk and what was composed are valid for the duration of the call.
    func finish(_ chunk: inout RecordChunk) throws

    /// Called when readers should see what is finished: the input pauses or is at its end.
    func flush() throws
}

/// A pipeline that only decodes the records of inputs, and passes them on. Not thread-safe.
package final class DecodedInput {
    private let driver: PipelineDriver
    private let sink: ReportSink

    /// - Parameter configuration: `decoding`, `framing`, `maximumRecordBytes`, `maximumBytesWithoutRecord` and `jobs` apply.
    package init(_ configuration: PipelineConfiguration, _ work: any ChunkWork) {
        var configuration = configuration
        configuration.recordStages = []
        configuration.validation = .off
        configuration.measuresStages = false
        configuration.traces = false
        configuration.emits = false
        configuration.readsPlaces = false
        configuration.onlyDecodes = true
        configuration.decoding.advice = Advice.unsaid
        driver = PipelineDriver(configuration, MemoryStore(), [])
        sink = ReportSink(work)
    }

    /// Names the input that begins.
    package func begin(_ source: InputSource) { driver.cutter.name(source) }

    /// Adds bytes to the input.
    package func feed(_ bytes: UnsafeRawBufferPointer) throws {
        // SOUND: passes the bytes on for the duration of the call.
        try unsafe driver.feed(bytes, to: sink)
    }

    /// Ends the input. Another one with its own framing may follow.
    package func finish() throws { try driver.finish(to: sink) }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, called between two reads, returns true.
    ///
    /// - Throws: `SystemError`; `InputError` for what goes on and on without a record; what the work throws.
    package func read(_ input: FileDescriptor, isStopped: () -> Bool) throws {
        try withoutActuallyEscaping(isStopped) { try driver.read(input.rawValue, isStopped: $0, to: sink) }
    }
}
