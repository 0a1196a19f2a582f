import DeviceRegistry
import DeviceScreens
public import ExtensionHost
public import NotificationStore
import PayloadJSON
import PushDecoding
import PushModel

/// The whole line: bytes in, a report for each message out, and a store of what is on the screens.
///
///     import NotificationStore
///     import PushPipeline
///
///     let store = MemoryStore()
///     let pipeline = Pipeline(store: store)
///     let input = """
///         {"device":"ab54","headers":{"apns-topic":"org.example.news","apns-collapse-id":"result"},
///          "payload":{"aps":{"alert":{"title":"Election","body":"12 of 98 districts counted"}}}}
///         """
///     try pipeline.process(input) { print($0.seq, $0.outcome, $0.message.byteCount) }
///     for notification in try store.notifications(device: "ab54") { print(notification.content.body ?? "") }
///
/// A record is refused by value: it costs a report, and the next one is read as if nothing had happened. Only a store that cannot be
/// written throws, and then nothing of the chunk at hand was reported or kept.
///
/// Input is worked on in chunks. The stages up to the provider's checks look at one record alone; those behind them run in input
/// order within one transaction of the store, and a message is reported once that is committed. Not thread-safe.
public final class Pipeline {
    /// As given.
    public let configuration: PipelineConfiguration
    private let store: any NotificationStore
    /// Bytes that are worked on at a time when the input does not run dry before.
    let chunkBytes: Int
    private let coordinatingStages: [any CoordinatingStage]
    private let extensionHost: ExtensionHost?
    /// Nil unless messages are traced.
    private let tracer: Tracer?

    /// The record-local half of the line. Everything in it that changes is touched once a chunk from here, not once a record.
    var cutter: ChunkCutter
    private var ring: ChunkRing
    /// Whether no more is to be begun.
    var isStopped: () -> Bool = { false }
    /// Passes on what has been reported of a chunk that took its time.
    var flushChunk: () throws -> Void = {}
    /// Seconds that the chunks of a slow extension are meant to take.
    private static let shortDelivery = 0.05
    private static let longDelivery = 0.2
    private static let firstRecordLimit = 1

    /// Records of the run, those of an earlier one that this one takes up among them.
    var recordsOfRun: UInt64 = 0
    /// Whether the input is a file of devices, whose records are not counted.
    private let registersDevices: Bool
    /// Milliseconds by which events have moved the clock on.
    var clockOffset: Int64 = 0
    /// Where the input goes on behind the last chunk that was delivered.
    var deliveredOffset: UInt64 = 0

    /// The machine's clock; a test has one of its own.
    package var wallMilliseconds: () -> Int64 = PipelineClock.wallMilliseconds
    private var latestTime = Int64.min
    /// Milliseconds that the machine's clock was behind an earlier delivery at most, whose time was taken instead.
    package private(set) var clockLag: Int64 = 0

    /// Takes each chunk's report as text instead, which then is kept with the deliveries; see `process(fileDescriptor:progress:…)`.
    var textReport: ((UnsafeRawBufferPointer) throws -> Void)?
    private var chunkReport = ByteBuffer()
    /// What the chunk's events did, and what came of messages that were held before.
    private let asides: Asides
    // Changed once a message, by nothing that calls back here: a check of exclusive access at run time would check nothing.
    @exclusivity(unchecked) private var results: [Delivered] = []
    /// Counts of what has been reported.
    @exclusivity(unchecked) public private(set) var summary = RunSummary()

    /// Where the time went; nothing unless `PipelineConfiguration.measuresStages` is set.
    public internal(set) var stageTimes = StageTimes()

    /// A pipeline at the beginning of its input.
    ///
    /// - Parameters:
    ///   - configuration: how records are read, and which stages run.
    ///   - store: where notifications are delivered to; one in memory unless given.
    ///   - coordinatingStages: stages before the service extension and delivery, in order.
    ///   - extensionHost: runs the app's service extension; without one, every push is shown as it came.
    public init(
        _ configuration: PipelineConfiguration = PipelineConfiguration(), store: any NotificationStore = MemoryStore(),
        coordinatingStages: [any CoordinatingStage] = [], extensionHost: ExtensionHost? = nil
    ) {
        self.configuration = configuration
        registersDevices = configuration.decoding.readsDevices
        self.store = store
        chunkBytes = max(store.preferredTransactionBytes, 1)
        self.coordinatingStages = coordinatingStages
        self.extensionHost = extensionHost
        extensionHost?.traces = configuration.traces
        tracer = configuration.traces ? Tracer(extensionHost) : nil
        cutter = ChunkCutter(configuration)
        asides = Asides(configuration)
        if extensionHost != nil { cutter.recordLimit = Self.firstRecordLimit }
        ring = ChunkRing(configuration)
    }

    /// By how much a fixed clock has gone on: a millisecond a record, and what events have moved it.
    package var elapsedMilliseconds: Int64 { Int64(truncatingIfNeeded: recordsOfRun) &+ clockOffset }

    /// Registers the devices of an open file, before the first record: an object a line, as device events are, which need not say so.
    ///
    /// Other events may stand among them. Nothing is reported, not even what comes of messages that were held, and no numbers are given out.
    ///
    /// - Parameters:
    ///   - descriptor: a file open for reading; it stays open.
    ///   - warn: called with the number of a record, from 1, that is accepted although something about it is doubtful, and with what.
    /// - Throws: `DeviceFileError` for a record that is none; others, before it and behind it, may have been registered. `SystemError`,
    ///   `StoreError`.
    public func registerDevices(
        fileDescriptor descriptor: Int32, warn: @escaping (UInt64, String) throws -> Void = { _, _ in }
    ) throws {
        try registerDevices(by: { try $0.process(fileDescriptor: descriptor, report: $1) }, warn: warn)
    }

    /// Registers the devices of a text, as those of a file.
    ///
    /// - Throws: `DeviceFileError`, `StoreError`.
    public func registerDevices(_ text: String) throws {
        try registerDevices(by: { try $0.process(text, report: $1) }, warn: { _, _ in })
    }

    private func registerDevices(
        by process: (Pipeline, (RecordReport) throws -> Void) throws -> Void,
        warn: @escaping (UInt64, String) throws -> Void
    ) throws {
        var configuration = PipelineConfiguration()
        configuration.clock = self.configuration.clock
        configuration.decoding.readsDevices = true
        configuration.redaction = self.configuration.redaction
        // It says when something is to be done about them.
        configuration.devicePolicy.tokenLifeCycle = self.configuration.devicePolicy.tokenLifeCycle
        let registration = Pipeline(configuration, store: store)
        registration.clockOffset = clockOffset
        var record: UInt64 = 0
        try process(registration) { line in
            // What comes of messages and tokens has the event of a record before it, and no record of its own.
            if line.note?.original != nil || line.note?.isConsequence == true { return }
            record += 1
            for finding in line.findings {
                let member = finding.pointer.isEmpty ? "" : "\(finding.pointer): "
                try warn(record, member + finding.message)
            }
            guard let decodeFailure = line.decodeFailure else { return }
            throw DeviceFileError(
                record: record, line: decodeFailure.position.line, column: decodeFailure.position.column,
                message: decodeFailure.message)
        }
        clockOffset = registration.clockOffset
    }

    // MARK: - Feeding

    /// Processes a whole input.
    public func process(_ text: String, report: (RecordReport) throws -> Void) throws {
        var text = text
        try text.withUTF8 { try feed(UnsafeRawBufferPointer($0), report: report) }
        try finish(report: report)
    }

    /// Adds bytes to the input, and reports every record that they complete.
    public func feed(_ bytes: UnsafeRawBufferPointer, report: (RecordReport) throws -> Void) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(chunkBytes))
            cutter.input.append(part)
            rest = rest.dropFirst(part.count)
            try advance(isEnd: false, report: report)
        }
        try drain(report: report)
    }

    /// Ends the input, and reports a last record that nothing separates from the end. Another input may follow, with a framing of its
    /// own.
    public func finish(report: (RecordReport) throws -> Void) throws {
        try advance(isEnd: true, report: report)
        try drain(report: report)
        cutter.beginInput()
    }

    /// Has every whole record that has been read worked on, and reports the oldest chunk when there are too many in flight.
    func advance(isEnd: Bool, report: (RecordReport) throws -> Void) throws {
        var hasMore = true
        while hasMore {
            if ring.isFull { try finishOldest(report: report) }
            var watch = Stopwatch(isOn: configuration.measuresStages)
            let records = ring.cut(from: &cutter, isEnd: isEnd)
            watch.lap(.frame, count: records, &stageTimes)
            if records > 0 { ring.workOnNewest() }
            hasMore = records > 0 && cutter.recordLimit < .max && !isStopped()
        }
    }

    /// Makes chunks as large as is good for whoever reads the reports: an extension may take its time for each push.
    private func adaptChunks(to seconds: Double) {
        if seconds < Self.shortDelivery {
            cutter.recordLimit = cutter.recordLimit > Int.max / 2 ? .max : cutter.recordLimit * 2
        } else if seconds > Self.longDelivery {
            cutter.recordLimit = max(min(cutter.recordLimit, results.count) / 2, 1)
        }
    }

    /// Reports all that is in flight.
    func drain(report: (RecordReport) throws -> Void) throws {
        while ring.count > 0 { try finishOldest(report: report) }
    }

    private func finishOldest(report: (RecordReport) throws -> Void) throws {
        var watch = Stopwatch(isOn: configuration.measuresStages)
        ring.waitForOldest()
        try ring.takeOldest { chunk in
            watch.lap(.wait, count: chunk.frames.count, &stageTimes)
            stageTimes.add(chunk.times)
            tracer?.begin(chunk)
            let start = extensionHost == nil ? 0 : PipelineClock.monotonicSeconds()
            if let textReport {
                let counted = try deliver(&chunk, asText: true)
                summary = counted
                watch.lap(.deliver, count: results.count, &stageTimes)
                try textReport(chunkReport.bytes)
                watch.lap(.write, count: 0, &stageTimes)
            } else {
                _ = try deliver(&chunk, asText: false)
                watch.lap(.deliver, count: results.count, &stageTimes)
                try forEachReport(of: chunk.batch) { line in
                    summary.add(line)
                    try report(line)
                }
                watch.lap(.report, count: results.count, &stageTimes)
            }
            if extensionHost != nil {
                adaptChunks(to: PipelineClock.monotonicSeconds() - start)
                try flushChunk()
            }
            summary.records &+= UInt64(chunk.frames.count)
            recordsOfRun &+= UInt64(chunk.frames.count)
            if let end = chunk.end { deliveredOffset = end.offset }
        }
    }

    // MARK: - Coordinating stages

    /// Delivers a chunk in one transaction.
    ///
    /// - Parameter asText: leaves the report in `chunkReport`, which is kept in the same transaction.
    /// - Returns: the counts with those of the chunk, when it was reported as text.
    private func deliver(_ chunk: inout Chunk, asText: Bool) throws -> RunSummary {
        results.removeAll(keepingCapacity: true)
        var counted = summary
        let tracer = tracer
        try store.transaction(replacementKey: configuration.decoding.replacementKey) { session in
            if let tracer { session.log = tracer.log }
            defer { if tracer != nil { session.log = nil } }
            var times = ChunkTimes(
                firstSequence: session.lastSequence &+ 1, recordsBefore: recordsOfRun, clock: configuration.clock,
                offset: clockOffset, now: configuration.clock == .wall ? timeOfChunk(session) : 0)
            asides.begin(session)
            if let extensionHost {
                try deliver(&chunk.batch, &times, session, through: extensionHost)
            } else {
                let messages = chunk.batch.messages
                // Asked once, and after each event: most streams have neither stages nor devices.
                var mustPrepare = !coordinatingStages.isEmpty || !asides.isIdle
                for index in messages.indices {
                    let (seq, at) = times.of(messages[index])
                    if mustPrepare { try prepare(index, of: &chunk.batch, seq: seq, at: at, session) }
                    if case .event = messages[index].verdict {
                        results.append(try handleEvent(index, of: chunk.batch, &times, session))
                        mustPrepare = !coordinatingStages.isEmpty || !asides.isIdle
                    } else {
                        results.append(try deliver(messages[index], seq: seq, at: at, session))
                    }
                    try tracer?.didDeliver(messages[index], index, session)
                }
            }
            clockOffset = times.offset
            if !registersDevices { session.lastSequence = times.firstSequence &+ UInt64(chunk.frames.count) &- 1 }
            chunkReport.removeAll()
            if asText {
                let writer = NDJSONReport()
                forEachReport(of: chunk.batch) { line in
                    counted.add(line)
                    writer.append(line, to: &chunkReport)
                }
            }
            if var end = chunk.end {
                end.records = recordsOfRun &+ UInt64(chunk.frames.count)
                end.clockOffset = clockOffset
                try session.keep(end, report: chunkReport.bytes)
            }
        }
        return counted
    }

    /// What the machine's clock says, unless it has gone back behind an earlier delivery, of this run or of one before.
    private func timeOfChunk(_ session: any DeliverySession) -> Int64 {
        let now = wallMilliseconds()
        // A later one that no calendar has is in a store that somebody edited.
        // The ones of this run are later by what events have moved its clock on.
        let known = session.latestTime.flatMap { $0 <= PipelineClock.latestMilliseconds ? $0 &- clockOffset : nil }
        latestTime = max(latestTime, now, known ?? now)
        clockLag = max(clockLag, latestTime &- now)
        return latestTime
    }

    /// Numbers and times of the records of a chunk.
    private struct ChunkTimes {
        let firstSequence: UInt64
        let recordsBefore: UInt64
        let clock: PipelineClock
        /// Milliseconds by which events have moved the clock on.
        var offset: Int64
        /// Of the machine's clock.
        let now: Int64

        func of(_ message: borrowing PushMessage) -> (seq: UInt64, at: Int64) {
            let record = UInt64(truncatingIfNeeded: message.record)
            let at: Int64 =
                switch clock {
                case .wall: now &+ offset
                case .fixed(let milliseconds):
                    milliseconds &+ Int64(truncatingIfNeeded: recordsBefore &+ record) &+ offset
                }
            return (firstSequence &+ record, at)
        }
    }

    /// The same with extensions, which take their time: they begin as many messages ahead as they may.
    private func deliver(
        _ batch: inout MessageBatch, _ times: inout ChunkTimes, _ session: any DeliverySession,
        through host: ExtensionHost
    ) throws {
        let messages = batch.messages
        host.beginChunk()
        var ahead = 0
        var isPrepared = false
        for index in messages.indices {
            if case .event = messages[index].verdict {
                results.append(try handleEvent(index, of: batch, &times, session))
                ahead = index + 1
                try tracer?.didDeliver(messages[index], index, session)
                continue
            }
            // Not beyond an event: what comes behind it depends on what it does.
            while ahead < messages.count {
                if case .event = messages[ahead].verdict { break }
                let (seq, at) = times.of(messages[ahead])
                if !isPrepared { try prepare(ahead, of: &batch, seq: seq, at: at, session) }
                isPrepared = true
                guard host.begin(messages[ahead], index: ahead, seq: seq, at: at) else { break }
                isPrepared = false
                ahead += 1
            }
            let (seq, at) = times.of(messages[index])
            var findings: [Finding] = []
            let delivery = try host.deliver(
                &messages[index], index: index, seq: seq, at: at, to: session, findings: &findings)
            for finding in findings { batch.report(finding, message: index) }
            if let delivery {
                results.append(Delivered(seq: seq, outcome: delivery.outcome, replaces: delivery.replaces))
            } else {
                results.append(try deliver(messages[index], seq: seq, at: at, session))
            }
            try tracer?.didDeliver(messages[index], index, session)
        }
    }

    /// Everything that comes before the service extension.
    private func prepare(
        _ index: Int, of batch: inout MessageBatch, seq: UInt64, at: Int64, _ session: any DeliverySession
    ) throws {
        let messages = batch.messages
        for stage in coordinatingStages {
            guard case .accepted = messages[index].verdict else { return }
            stage.process(&messages[index], seq: seq, at: at)
        }
        if !asides.isIdle { asides.prefetch(index, of: batch) }
        if !asides.isIdle, case .accepted = messages[index].verdict {
            try asides.decide(index, of: &batch, seq: seq, at: at)
            try deliverReleased(at: at, session)
        }
    }

    /// Lets something happen at a device, and delivers what was held until then.
    private func handleEvent(
        _ index: Int, of batch: borrowing MessageBatch, _ times: inout ChunkTimes, _ session: any DeliverySession
    ) throws -> Delivered {
        let (seq, at) = times.of(batch.messages[index])
        let result = try asides.handleEvent(index, of: batch, seq: seq, at: at, clockOffset: &times.offset)
        // On a clock that the event may have moved on.
        try deliverReleased(at: times.of(batch.messages[index]).at, session)
        return result
    }

    private func deliverReleased(at: Int64, _ session: any DeliverySession) throws {
        let extensionHost = extensionHost
        try asides.deliverReleased(at: at) { message, original, findings in
            if let extensionHost,
                let delivery = try extensionHost.deliverAtOnce(
                    &message, seq: original, at: at, to: session, findings: &findings)
            {
                return Delivered(seq: original, outcome: delivery.outcome, replaces: delivery.replaces)
            }
            return try deliver(message, seq: original, at: at, session)
        }
    }

    private func deliver(
        _ message: borrowing PushMessage, seq: UInt64, at: Int64, _ session: any DeliverySession
    ) throws -> Delivered {
        switch message.verdict {
        case .malformed: return Delivered(seq: seq, outcome: .malformed)
        case .rejected: return Delivered(seq: seq, outcome: .rejected)
        case .suppressed: return Delivered(seq: seq, outcome: .suppressed)
        case .held: return Delivered(seq: seq, outcome: .held)
        case .expired: return Delivered(seq: seq, outcome: .expired)
        case .discarded: return Delivered(seq: seq, outcome: .discarded)
        case .event: return Delivered(seq: seq, outcome: .applied)
        case .accepted:
            let delivery = try session.deliver(copy message, seq: seq, at: at)
            return Delivered(seq: seq, outcome: delivery.outcome, replaces: delivery.replaces)
        }
    }

    // MARK: - Reports

    private func forEachReport(
        of batch: borrowing MessageBatch, _ body: (RecordReport) throws -> Void
    ) rethrows {
        guard let messages = batch.messages.baseAddress else { return }
        let traces = tracer?.base
        let findings = batch.findings
        let texts = findings.map(\.finding)
        let hasAsides = !asides.isEmpty
        var nextFinding = 0
        var nextFailure = 0
        var nextAside = 0
        for (index, result) in results.enumerated() {
            let first = nextFinding
            while nextFinding < texts.count, findings[nextFinding].message == index { nextFinding += 1 }
            var decodeFailure: DecodeFailure?
            if nextFailure < batch.decodeFailures.count, batch.decodeFailures[nextFailure].message == index {
                decodeFailure = batch.decodeFailures[nextFailure].decodeFailure
                nextFailure += 1
            }
            let line = RecordReport(
                seq: result.seq, outcome: result.outcome, replaces: result.replaces, borrowing: messages + index,
                findings: texts[first..<nextFinding], decodeFailure: decodeFailure,
                trace: traces.map { $0 + index }, note: hasAsides ? asides.note(about: index) : nil)
            try body(line)
            if hasAsides { try asides.forEachLine(behind: index, &nextAside, body) }
        }
    }
}
