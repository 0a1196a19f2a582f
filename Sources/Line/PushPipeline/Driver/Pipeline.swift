public import ExtensionHosting
package import PushDecoding
public import PushDevices
import PushFraming
package import PushJSON
public import PushModel
public import PushSystem

/// The whole pipeline: reads bytes, reports each message, and delivers notifications to a store.
///
///     import PushPipeline
///
///     let store = MemoryStore()
///     let pipeline = Pipeline(store: store)
///     let input = """
///         {"device":"ab54","headers":{"apns-topic":"org.example.news","apns-collapse-id":"result"},
///          "payload":{"aps":{"alert":{"title":"Election","body":"12 of 98 districts counted"}}}}
///         """
///     try pipeline.process(input) { print($0.seq, $0.outcome, $0.byteCount) }
///     for notification in try store.notifications(device: "ab54") { print(notification.content.body ?? "") }
///
/// A malformed record does not throw: it gets a report line, and processing continues with the next record. What ends the run is thrown: a
/// `SystemError` of the input, a `StoreError`, a `StageError`, and whatever a closure throws.
///
/// Input is processed in chunks. Record stages and provider validation look at one record at a time; device stages run in input order within
/// one transaction of the store, and a message is reported once that is committed. So after a `StoreError` or `StageError` nothing of the
/// current chunk is reported or stored. Only a `MemoryStore` keeps what was delivered before a device stage threw. Not thread-safe, and not to
/// be given input by a closure that takes its report.
public final class Pipeline {
    /// The configuration passed to the initializer.
    public let configuration: PipelineConfiguration
    private let store: any DeliveryStore
    let delivery: ChunkDelivery
    private let scheduler: ChunkScheduler
    // Its mutable state changes once per chunk here, not once per record.
    var cutter: ChunkCutter
    /// True to start no more work.
    private var isStopped: () -> Bool = { false }
    /// Called with an input before each read from it, when what was read before is delivered; it may wait until there is something to read.
    /// Nil for nothing.
    package var beforeReading: ((FileDescriptor) -> Void)?
    /// Processed bytes of the current input, when checkpoints are kept.
    package private(set) var inputOffset: UInt64 = 0
    /// Nil unless records are written besides the report.
    private var emitter: RecordEmitter?
    // Changed once per message by code that never calls back, so a runtime check of exclusive access would be useless.
    @exclusivity(unchecked) private var counts = RunSummary()
    /// True if a record was read that is not malformed.
    private var hasRecord = false
    /// Per-stage timings; zero unless `PipelineConfiguration.measuresStages` is set.
    public private(set) var stageTimes = StageTimes()
    /// The time at which the delivery of the last chunk began, if a stage works ahead.
    private var deliveryStart = 0.0
    /// True while an input is fed that others take turns with.
    private var takesTurns = false
    /// True while the closures are called that take the report.
    private var isReporting = false
    /// True once the turn of such an input is over.
    private var isTurnOver = false

    /// Target durations of a chunk in seconds when a stage works ahead.
    private static let shortDelivery = 0.05
    private static let longDelivery = 0.2
    private static let firstRecordLimit = 1
    /// Bytes of a chunk for which it may have one element of an array. Ordinary records have far fewer elements, and so have those with many
    /// targets: tokens are longer.
    private static let bytesOfElement = 32
    /// Elements of arrays in a chunk, at most: as many targets take some 45 MiB until they are reported.
    private static let mostElements = 1 << 15
    /// Records of a chunk, at most: a malformed one takes some 1.5 KiB until it is reported, however short it is.
    private static let mostRecords = 3 << 14
    /// Elements of arrays in a chunk of an input that others take turns with: some 50 ms.
    private static let elementsOfTurn = 1 << 12

    /// A pipeline at the beginning of its input.
    ///
    /// - Parameters:
    ///   - configuration: how records are read, and which record stages run.
    ///   - store: where notifications are delivered.
    ///   - deviceStages: stages of your own just before delivery, in order, added to the built-in ones.
    ///   - serviceExtension: the app's service extension; nil for none. The creator of the host finishes it.
    public convenience init(
        _ configuration: PipelineConfiguration = PipelineConfiguration(), store: any PipelineStore = MemoryStore(),
        deviceStages: [any DeviceStage] = [], serviceExtension: ExtensionHost? = nil
    ) {
        self.init(configuration, deliveringTo: store.deliveries.store, Self.stages(deviceStages, serviceExtension))
    }

    /// - Parameter stages: all stages between the record-local ones and the store, in order.
    package init(
        _ configuration: PipelineConfiguration = PipelineConfiguration(), deliveringTo store: any DeliveryStore,
        _ stages: [any DeliveryStage] = [RegistryStage()]
    ) {
        self.configuration = configuration
        self.store = store
        delivery = ChunkDelivery(configuration, store, stages)
        cutter = ChunkCutter(configuration)
        if delivery.worksAhead { cutter.recordLimit = Self.firstRecordLimit }
        let lanes = configuration.decoding.readsDevices || configuration.onlyDecodes ? nil : store.lanes
        lanes?.divide(into: configuration.jobs)
        scheduler = ChunkScheduler(configuration, lanes)
        stageTimes.lanes.count = lanes?.laneCount ?? 0
    }

    private static func stages(_ own: [any DeviceStage], _ host: ExtensionHost?) -> [any DeliveryStage] {
        own.compactMap { $0 as? any DeviceEventHandler }.map(OwnEventHandler.init) as [any DeliveryStage]
            + [RegistryStage()] + own.map(OwnDeviceStage.init) + (host.map { [ServiceExtensionStage($0)] } ?? [])
    }

    /// Counts of the reported records and messages, also for the report's receiver during the run.
    public var summary: RunSummary {
        // SOUND: nothing changes the counts meanwhile.
        unsafe counts
    }

    /// How far a fixed clock has advanced: a millisecond per record, plus the advances by events.
    package var elapsedMilliseconds: Int64 { delivery.clock.elapsedMilliseconds }

    /// The time of a record that came now, in milliseconds since the epoch.
    package var now: Int64 {
        let clock = delivery.clock
        switch configuration.clock {
        case .wall: return clock.wallMilliseconds() &+ clock.offset
        case .fixed(let milliseconds): return milliseconds &+ clock.elapsedMilliseconds
        }
    }

    /// The machine's clock; tests replace it.
    package var wallMilliseconds: () -> Int64 {
        get { delivery.clock.wallMilliseconds }
        set { delivery.clock.wallMilliseconds = newValue }
    }

    /// The largest lag, in milliseconds, of the machine's clock, or of times in lines, behind an earlier delivery whose time was reused.
    package var clockLag: Int64 { delivery.clock.lag }

    /// Number of lines besides those of the records themselves after which a transaction ends; tests make it small.
    package var mostConsequences: Int {
        get { delivery.mostConsequences }
        set { delivery.mostConsequences = newValue }
    }

    // MARK: - Feeding

    /// Processes a whole input, and returns its report.
    @discardableResult
    public func process(_ text: String) throws -> [PushReport] { try process(text.utf8) }

    /// Processes a whole input, such as `[UInt8]` or `Data`, and returns its report.
    @discardableResult
    public func process(_ bytes: some Collection<UInt8>) throws -> [PushReport] {
        var reports: [PushReport] = []
        try process(bytes) { reports.append(PushReport($0)) }
        return reports
    }

    /// Processes a whole input, and lends each line of its report, in input order.
    ///
    /// Lines are reported by chunks, after a chunk is stored. An error of `report` ends the processing, and no more lines are reported; records
    /// up to the end of the chunk are stored all the same.
    public func process(_ text: String, report: (borrowing RecordReport) throws -> Void) throws {
        try process(text.utf8, report: report)
    }

    /// Processes a whole input, such as `[UInt8]` or `Data`, and lends each line of its report, in input order. Errors as for text.
    public func process(
        _ bytes: some Collection<UInt8>, report: (borrowing RecordReport) throws -> Void
    ) throws {
        try feed(bytes, report: report)
        try finish(report: report)
    }

    /// Processes a whole input, and lends each line of its report, in input order.
    public func process(_ bytes: RawSpan, report: (borrowing RecordReport) throws -> Void) throws {
        try feed(bytes, report: report)
        try finish(report: report)
    }

    /// Says which input the next bytes are of, and where in it they are, so that the report has the places of records. Nil for none.
    package func name(_ source: InputSource?) { cutter.name(source) }

    /// Adds bytes to the input, and reports every record that they complete. The bytes are copied.
    public func feed(_ bytes: some Collection<UInt8>, report: (borrowing RecordReport) throws -> Void) throws {
        // SOUND: the bytes live until the closure returns, and `feed` copies them.
        try withoutActuallyEscaping(report) { report in
            let sink = ReportSink { line, _ in try report(line) }
            let isContiguous: Void? = try bytes.withContiguousStorageIfAvailable {
                try unsafe feed(UnsafeRawBufferPointer($0), to: sink)
            }
            if isContiguous == nil { try feed(Array(bytes), report: report) }
        }
    }

    /// Adds bytes to the input, and reports every record that they complete. The bytes are copied.
    public func feed(_ bytes: RawSpan, report: (borrowing RecordReport) throws -> Void) throws {
        // SOUND: as above.
        try unsafe bytes.withUnsafeBytes { try unsafe feed($0, report: report) }
    }

    /// Adds bytes to the input. Each line comes with the index of the record that caused it, among the records that the bytes complete.
    package func feed(_ bytes: UnsafeRawBufferPointer, report: (borrowing RecordReport, Int) throws -> Void) throws {
        // SOUND: as above.
        try withoutActuallyEscaping(report) { try unsafe feed(bytes, to: ReportSink(lines: $0)) }
    }

    /// Adds records to the input, and reports them until it is the turn of others: to the end of a transaction that ended early, because its
    /// records have many targets or consequences.
    ///
    /// - Parameter bytes: whole records.
    /// - Returns: how many of the records were processed, from the first on, and at least one; nil for all. The others are forgotten, as if they had
    ///   not been added.
    package func feedTurn(
        _ bytes: UnsafeRawBufferPointer, report: (borrowing RecordReport, Int) throws -> Void
    ) throws -> Int? {
        // SOUND: as above.
        try withoutActuallyEscaping(report) { report in
            let sink = ReportSink(lines: report)
            takesTurns = true
            defer {
                takesTurns = false
                isTurnOver = false
            }
            try unsafe feed(bytes, to: sink)
            guard isTurnOver else { return nil }
            cutter.dropInput()
            return sink.records
        }
    }

    /// Ends the input, and lends the line of a last record without a separator. Another input with its own framing may follow.
    public func finish(report: (borrowing RecordReport) throws -> Void) throws {
        try withoutActuallyEscaping(report) { report in
            try finish(to: ReportSink { line, _ in try report(line) })
        }
    }

    /// Reads an open file, pipe or socket to its end and processes it as one input.
    ///
    /// A chunk is closed when it is full or no input is currently available: a slow sender's record is reported as soon as it is
    /// complete.
    ///
    /// - Parameters:
    ///   - descriptor: stays open.
    ///   - isStopped: called between two reads. Once it returns true, the bytes read so far are processed, and no more are read.
    ///   - report: called once per report line.
    ///   - flush: called after the reports of each chunk, when readers should see them.
    /// - Throws: `SystemError` if the input cannot be read; errors of stages, `report`, `flush` or the store.
    public func process(
        fileDescriptor descriptor: Int32, isStopped: () -> Bool = { false },
        report: (borrowing RecordReport) throws -> Void, flush: () throws -> Void = {}
    ) throws {
        try withoutActuallyEscaping(report) { report in
            try withoutActuallyEscaping(flush) { flush in
                try withoutActuallyEscaping(isStopped) { isStopped in
                    let sink = ReportSink(flush: flush) { line, _ in try report(line) }
                    try read(descriptor, isStopped: isStopped, to: sink)
                }
            }
        }
    }

    /// Reads an open file from its checkpoint in the store, stores new checkpoints, and passes on the report, composed on as many cores as there are
    /// jobs.
    ///
    /// - Parameters:
    ///   - descriptor: positioned at `progress.offset`; stays open.
    ///   - source: the input's name for the report; nil to report no places in it.
    ///   - progress: nil for an input that cannot be resumed, such as a pipe.
    ///   - isStopped: called between two reads. Once it returns true, the bytes read so far are processed, and no more are read.
    ///   - composer: appends a line to the report; called on any thread.
    ///   - isStored: true to store the report of each chunk with its deliveries. The next chunk is committed only after `text` returns.
    ///   - text: called with the report of a chunk after it is committed, in input order.
    ///   - flush: called when readers should see it.
    package func process(
        fileDescriptor descriptor: Int32, source: InputSource? = nil, progress: InputProgress?,
        isStopped: @escaping () -> Bool,
        composer: @escaping @Sendable (borrowing RecordReport, inout ByteBuffer) -> Void, isStored: Bool = false,
        text: @escaping (BorrowedText) throws -> Void, flush: @escaping () throws -> Void
    ) throws {
        try begin(source, at: progress, descriptor)
        let sink = ReportSink(composer, isStored: isStored, text: text, flush: flush)
        try read(descriptor, isStopped: isStopped, to: sink)
    }

    /// Reads an open file from its checkpoint in the store, stores new checkpoints, and passes on the report line by line. Messages may be traced.
    package func process(
        fileDescriptor descriptor: Int32, source: InputSource? = nil, progress: InputProgress?,
        isStopped: () -> Bool, report: (borrowing RecordReport) throws -> Void, flush: () throws -> Void
    ) throws {
        try begin(source, at: progress, descriptor)
        try process(fileDescriptor: descriptor, isStopped: isStopped, report: report, flush: flush)
    }

    /// Writes records, too, from now on: after the report of their chunk, in input order.
    ///
    /// - Parameters:
    ///   - emission: which records, and how; `PipelineConfiguration.emits` must be set.
    ///   - write: called with any number of records.
    package func emit(_ emission: Emission, to write: @escaping (BorrowedText) throws -> Void) {
        emitter = RecordEmitter(emission, configuration, to: write)
    }

    /// Has traces compare notifications with one that was on a screen before the run.
    package func remember(_ entry: JournalEntry) { delivery.context.tracer?.history.add(entry) }

    package var emissionSummary: EmissionSummary { emitter?.summary ?? EmissionSummary() }

    // MARK: - Parts

    /// The part of a divided input that an open input is; nil for a whole one. Reads as much as it needs for that, which stays a part of
    /// the input.
    ///
    /// - Parameter isStopped: asked when a signal ends the wait for the first line; nil is returned then.
    package func part(ofInput descriptor: Int32, isStopped: () -> Bool = { false }) throws -> PartMark? {
        try header(of: descriptor, isStopped: isStopped)?.part
    }

    /// The part of a divided input that was processed, and whether it was read to its end; nil for a whole one.
    package var part: PartMark? {
        guard var part = delivery.part.header?.part else { return nil }
        part.isComplete = delivery.part.isComplete
        return part
    }

    // MARK: - Devices

    /// The known tokens; nil for each that is unknown. Not to be called while input is processed.
    package func knownTokens(_ tokens: [String]) throws -> [KnownToken?] {
        var found: [KnownToken?] = []
        try store.readRegistry(replacing: configuration.decoding.replacement) { registry in
            found = try tokens.map { try registry.knownToken($0) }
        }
        return found
    }

    /// True if a push to APNs that passes provider validation is accepted whatever comes before it, unless that is an event. Not to be
    /// called while input is processed.
    ///
    /// - Parameter app: empty for none.
    package func surelyAccepts(_ device: String, app: String) throws -> Bool {
        let policy = configuration.devicePolicy
        guard policy.pushesPerMinute == nil, policy.pushesPerMinuteOfSender == nil else { return false }
        var isReachable = false
        try store.readRegistry(replacing: configuration.decoding.replacement) {
            isReachable = try $0.isReachable(device, app: app, rejectsUnknown: policy.rejectsUnknownDevices)
        }
        return isReachable
    }

    /// Tokens that a provider must delete or replace. Not to be called while input is processed.
    package func forEachDeadToken(_ body: (DeadToken) throws -> Void) throws {
        try store.forEachDeadToken(since: .min, body)
    }

    /// Registers the devices of an open file before the first record: one object per line, like device events, with an optional `event` member.
    ///
    /// The file may contain other events. Nothing is reported, not even the outcome of queued messages, and no record numbers are assigned.
    ///
    /// - Parameters:
    ///   - descriptor: a file open for reading; it stays open.
    ///   - warn: called with the number, from 1, of an accepted but doubtful record, and a description.
    /// - Throws: `DeviceFileError` for a record that is not an event; other records may have been registered. `SystemError`,
    ///   `StoreError`.
    public func registerDevices(
        fileDescriptor descriptor: Int32, warn: @escaping (UInt64, String) throws -> Void = { _, _ in }
    ) throws {
        try registerDevices(fileDescriptor: descriptor, of: nil) { record, _, doubt in try warn(record, doubt) }
    }

    /// Registers the devices of an open file that belong to a part of a divided input; nil for all of them.
    package func registerDevices(
        fileDescriptor descriptor: Int32, of part: PartMark?,
        warn: @escaping (_ record: UInt64, _ line: Int, _ doubt: String) throws -> Void
    ) throws {
        try registerDevices(of: part, warn: warn) { try $0.read(descriptor, isStopped: { false }, to: $1) }
    }

    /// Registers the devices of a text, in the format of a device file.
    ///
    /// - Throws: `DeviceFileError`, `StoreError`.
    public func registerDevices(_ text: String) throws { try registerDevices(text, of: nil) }

    /// Registers the devices of a text that belong to a part of a divided input; nil for all of them.
    ///
    /// - Parameter arePreferences: true if the text is applied after that of a file of devices.
    package func registerDevices(_ text: String, of part: PartMark?, arePreferences: Bool = false) throws {
        // SOUND: the bytes live until the closure returns, and `feed` copies them.
        try registerDevices(of: part, arePreferences: arePreferences) { pipeline, sink in
            var text = text
            try text.withUTF8 { try unsafe pipeline.feed(UnsafeRawBufferPointer($0), to: sink) }
            try pipeline.finish(to: sink)
        }
    }

    private func registerDevices(
        of part: PartMark?, arePreferences: Bool = false,
        warn: @escaping (_ record: UInt64, _ line: Int, _ doubt: String) throws -> Void = { _, _, _ in },
        _ read: (Pipeline, ReportSink) throws -> Void
    ) throws {
        var configuration = PipelineConfiguration()
        configuration.clock = self.configuration.clock
        configuration.decoding.readsDevices = true
        configuration.part = part
        configuration.readsPreferences = arePreferences
        configuration.recordStages = self.configuration.recordStages
        configuration.validation = self.configuration.validation
        // It determines when the devices' tokens are due for maintenance.
        configuration.devicePolicy.tokenLifeCycle = self.configuration.devicePolicy.tokenLifeCycle
        let registration = Pipeline(configuration, deliveringTo: store)
        registration.delivery.clock.offset = delivery.clock.offset
        // An error says the line of the text. The caller knows its name.
        registration.cutter.name(InputSource("-"))
        var record: UInt64 = 0
        let sink = ReportSink { line, _ in
            // Lines about messages and tokens follow the line of an event and have no record of their own.
            if line.note?.isConsequence == true { return }
            record += 1
            for finding in line.findings {
                let member = finding.pointer.isEmpty ? "" : "\(finding.pointer): "
                try warn(record, line.source?.position.line ?? 1, member + finding.message)
            }
            guard let failure = line.decodeFailure else { return }
            let position = line.source?.position(of: failure.position) ?? failure.position
            throw DeviceFileError(record: record, at: position, message: failure.message)
        }
        try read(registration, sink)
        delivery.clock.offset = registration.delivery.clock.offset
    }
}

/// How an input moves: chunks are cut, decoded on any core, and delivered in order; their reports go to a sink.
extension Pipeline {
    /// Size of a chunk in bytes, unless the input pauses earlier.
    private var chunkBytes: Int { max(store.preferredTransactionBytes, 1) }

    /// Adds bytes to the input, and reports every record that they complete.
    func feed(_ bytes: UnsafeRawBufferPointer, to sink: ReportSink) throws {
        // SOUND: each part is within the bytes that the caller vouches for, and is copied.
        checkCaller()
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty, !isTurnOver {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(chunkBytes))
            unsafe cutter.input.append(part)
            unsafe rest = unsafe rest.dropFirst(part.count)
            try advance(isEnd: false, to: sink)
        }
        try drain(to: sink)
    }

    /// Ends the input, and reports a last record without a separator. Another input with its own framing may follow.
    func finish(to sink: ReportSink) throws {
        checkCaller()
        try advance(isEnd: true, to: sink)
        try drain(to: sink)
        cutter.beginInput()
    }

    private func checkCaller() {
        // A mistake in the caller's code, which would otherwise end in an access conflict without a sentence.
        precondition(
            !isReporting, "a Pipeline was given input by a closure that takes its report; wait until the call returns")
    }

    /// Starts processing all complete records, and reports the oldest chunks if too many are in flight.
    private func advance(isEnd: Bool, to sink: ReportSink) throws {
        var hasMore = true
        while hasMore {
            while scheduler.isFull || (takesTurns && scheduler.count > 0) { try finishOldest(to: sink) }
            if takesTurns, isTurnOver { return }
            if scheduler.count == 0 { scheduler.setComposer(sink.isStored ? nil : sink.composer) }
            var watch = Stopwatch(isOn: configuration.measuresStages)
            cutter.elementLimit = min(
                max(chunkBytes / Self.bytesOfElement, 1), takesTurns ? Self.elementsOfTurn : Self.mostElements)
            cutter.mostRecords = min(max(chunkBytes / Self.bytesOfElement, 1), Self.mostRecords)
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

    private func drain(to sink: ReportSink) throws {
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
            unsafe counts.records &+= UInt64(records)
            if let places = chunk.places { unsafe counts.skippedRecords &+= UInt64(places.skippedCount) }
            unsafe counts.emptyLines &+= UInt64(chunk.emptyLines)
            unsafe counts.locatedRecords &+= UInt64(chunk.locatedRecords)
            if configuration.recordTime != nil { unsafe counts.untimedRecords &+= UInt64(chunk.untimedRecords) }
            if let end = chunk.end { inputOffset = end.offset }
        }
    }

    /// Counts the lines of a chunk, and passes them on.
    private func write(_ chunk: inout RecordChunk, to sink: ReportSink) throws {
        // SOUND: the batch stays as it is until the next chunk is delivered, and adding a line calls nothing that could use the
        // counts meanwhile.
        isReporting = true
        defer { isReporting = false }
        switch sink.output {
        case .lines(let report):
            let first = chunk.lines.firstSequence
            let before = sink.records
            try chunk.lines.forEach(of: chunk.batch, tracer: delivery.context.tracer, sources: SourceFinder(chunk)) {
                unsafe counts.add($0)
                try report($0, before &+ Int(truncatingIfNeeded: $0.seq &- first))
            }
        case .text(let text):
            unsafe counts.add(chunk.summary)
            try chunk.report.withText(text)
        case .chunks(let finish): try finish(&chunk)
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

/// Inputs in files, and their beginnings.
extension Pipeline {
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

    /// Called with the place of the records in an input that is recognized as a log.
    package var didRecognizeLog: ((RecordLocation) -> Void)? {
        get { cutter.didRecognize }
        set { cutter.didRecognize = newValue }
    }

    /// The most bytes of a part's first line.
    private static let longestHeader = 4096

    /// Continues where an input was left.
    private func begin(at progress: InputProgress) {
        cutter.beginInput(at: progress)
        if progress.offset > 0 { continueRun(at: progress) }
        inputOffset = progress.offset
    }

    /// Continues the numbers and the clock of an earlier run.
    private func continueRun(at progress: InputProgress) {
        delivery.isResumed = progress.records > 0
        delivery.clock.records = progress.records
        delivery.clock.offset = progress.clockOffset
        delivery.clock.recordTime = progress.recordTime
    }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, called between two reads, returns true. Processes all bytes read
    /// by then.
    func read(_ descriptor: Int32, isStopped: @escaping () -> Bool, to sink: ReportSink) throws {
        // SOUND: the piece is a part of the buffer's free space, which nothing else changes while it is read into.
        checkCaller()
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
            cutter.isPaused = !hasMore
            try advance(isEnd: false, to: sink)
            if !hasMore { try drain(to: sink) }
            try flush(sink)
            if !isRegular { try checkLength(to: sink) }
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

    /// Ends an input that goes on and on without a valid record, or is a longer text than its file may have.
    ///
    /// - Throws: `PlainError`, after what came before has been reported.
    private func checkLength(to sink: ReportSink) throws {
        let limit = cutter.source?.limit
        let isTooLong = limit.map { cutter.length > $0.bytes } ?? false
        let most = configuration.maximumBytesWithoutRecord ?? .max
        guard isTooLong || !hasRecord && cutter.length > most else { return }
        try drain(to: sink)
        try flush(sink)
        let title = cutter.source?.title ?? "input"
        if isTooLong, let limit { throw PlainError.unfit(title, limit.problem) }
        if hasRecord { return }
        throw PlainError.unfit(
            title,
            "no valid record in \(most >> 20) MiB; the input may have no end"
                + configuration.decoding.advice(.acceptEmpty))
    }

    private func flush(_ sink: ReportSink) throws {
        var watch = Stopwatch(isOn: configuration.measuresStages)
        try sink.flush()
        watch.lap(.write, count: 0, &stageTimes)
    }
}
