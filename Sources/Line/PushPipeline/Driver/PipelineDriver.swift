import PayloadJSON
import PushDecoding
import PushModel
import PushStore
public import PushSystem

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
    func feedTurn(_ bytes: UnsafeRawBufferPointer, to sink: ReportSink) throws -> Bool {
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
                delivery.part.resume(header)
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
