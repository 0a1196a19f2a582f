public import ExtensionHosting
package import PayloadJSON
public import PushDecoding
public import PushDevices
public import PushModel
package import PushSystem
public import RecordFraming

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
/// current chunk is reported or stored. Only a `MemoryStore` keeps what was delivered before a device stage threw. Not thread-safe.
public final class Pipeline {
    /// The configuration passed to the initializer.
    public var configuration: PipelineConfiguration { driver.configuration }
    private let driver: PipelineDriver
    private let store: any DeliveryStore

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
        self.store = store
        driver = PipelineDriver(configuration, store, stages)
    }

    private static func stages(_ own: [any DeviceStage], _ host: ExtensionHost?) -> [any DeliveryStage] {
        own.compactMap { $0 as? any DeviceEventHandler }.map(OwnEventHandler.init) as [any DeliveryStage]
            + [RegistryStage()] + own.map(OwnDeviceStage.init) + (host.map { [ServiceExtensionStage($0)] } ?? [])
    }

    /// Counts of the reported records and messages.
    public var summary: RunSummary {
        // SOUND: nothing changes the counts meanwhile.
        unsafe driver.summary
    }

    /// Per-stage timings; zero unless `PipelineConfiguration.measuresStages` is set.
    public var stageTimes: StageTimes { driver.stageTimes }

    /// How far a fixed clock has advanced: a millisecond per record, plus the advances by events.
    package var elapsedMilliseconds: Int64 { driver.delivery.clock.elapsedMilliseconds }

    /// The time of a record that came now, in milliseconds since the epoch.
    package var now: Int64 {
        let clock = driver.delivery.clock
        switch configuration.clock {
        case .wall: return clock.wallMilliseconds() &+ clock.offset
        case .fixed(let milliseconds): return milliseconds &+ clock.elapsedMilliseconds
        }
    }

    /// The machine's clock; tests replace it.
    package var wallMilliseconds: () -> Int64 {
        get { driver.delivery.clock.wallMilliseconds }
        set { driver.delivery.clock.wallMilliseconds = newValue }
    }

    /// The largest lag, in milliseconds, of the machine's clock behind an earlier delivery whose time was reused.
    package var clockLag: Int64 { driver.delivery.clock.lag }

    /// Number of lines besides those of the records themselves after which a transaction ends; tests make it small.
    package var mostConsequences: Int {
        get { driver.delivery.mostConsequences }
        set { driver.delivery.mostConsequences = newValue }
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
    package func name(_ source: InputSource?) { driver.cutter.name(source) }

    /// Adds bytes to the input, and reports every record that they complete. The bytes are copied.
    public func feed(_ bytes: some Collection<UInt8>, report: (borrowing RecordReport) throws -> Void) throws {
        // SOUND: the bytes live until the closure returns, and `feed` copies them.
        try withoutActuallyEscaping(report) { report in
            let sink = ReportSink { line, _ in try report(line) }
            let isContiguous: Void? = try bytes.withContiguousStorageIfAvailable {
                try unsafe driver.feed(UnsafeRawBufferPointer($0), to: sink)
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
        try withoutActuallyEscaping(report) { try unsafe driver.feed(bytes, to: ReportSink(lines: $0)) }
    }

    /// The same until it is the turn of others: records with many targets or consequences end it.
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
            return try unsafe driver.feedTurn(bytes, to: sink) ? sink.records : nil
        }
    }

    /// Ends the input, and lends the line of a last record without a separator. Another input with its own framing may follow.
    public func finish(report: (borrowing RecordReport) throws -> Void) throws {
        try withoutActuallyEscaping(report) { report in
            try driver.finish(to: ReportSink { line, _ in try report(line) })
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
                    try driver.read(descriptor, isStopped: isStopped, to: sink)
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
        try driver.begin(source, at: progress, descriptor)
        let sink = ReportSink(composer, isStored: isStored, text: text, flush: flush)
        try driver.read(descriptor, isStopped: isStopped, to: sink)
    }

    /// The same with a report that is passed on line by line. Messages may be traced.
    package func process(
        fileDescriptor descriptor: Int32, source: InputSource? = nil, progress: InputProgress?,
        isStopped: @escaping () -> Bool,
        report: (borrowing RecordReport) throws -> Void, flush: @escaping () throws -> Void
    ) throws {
        try driver.begin(source, at: progress, descriptor)
        try withoutActuallyEscaping(report) { report in
            let sink = ReportSink(flush: flush) { line, _ in try report(line) }
            try driver.read(descriptor, isStopped: isStopped, to: sink)
        }
    }

    /// Called with an input before each read from it, when what was read before is delivered; it may wait until there is something to read.
    /// Nil for nothing.
    package var beforeReading: ((FileDescriptor) -> Void)? {
        get { driver.beforeReading }
        set { driver.beforeReading = newValue }
    }

    /// Processed bytes of the current input, when checkpoints are kept.
    package var inputOffset: UInt64 { driver.deliveredOffset }

    /// From now on also writes records, after the report of their chunk, in input order.
    ///
    /// - Parameters:
    ///   - emission: which records, and how; `PipelineConfiguration.emits` must be set.
    ///   - write: called with any number of records.
    package func emit(_ emission: Emission, to write: @escaping (BorrowedText) throws -> Void) {
        driver.emitter = RecordEmitter(emission, configuration, to: write)
    }

    /// Counts of the records that were written.
    package var emissionSummary: EmissionSummary { driver.emitter?.summary ?? EmissionSummary() }

    // MARK: - Parts

    /// The part of a divided input that an open input is; nil for a whole one. Reads as much as it needs for that, which stays a part of
    /// the input.
    ///
    /// - Parameter isStopped: asked when a signal ends the wait for the first line; nil is returned then.
    package func part(ofInput descriptor: Int32, isStopped: () -> Bool = { false }) throws -> PartMark? {
        try driver.header(of: descriptor, isStopped: isStopped)?.part
    }

    /// The part of a divided input that was processed, and whether it was read to its end; nil for a whole one.
    package var part: PartMark? {
        guard var part = driver.delivery.part.header?.part else { return nil }
        part.isComplete = driver.delivery.part.isComplete
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

    /// The same for the devices of a part of a divided input; nil for all devices.
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

    /// The same for the devices of a part of a divided input; nil for all devices.
    ///
    /// - Parameter arePreferences: true if the text is applied after that of a file of devices.
    package func registerDevices(_ text: String, of part: PartMark?, arePreferences: Bool = false) throws {
        // SOUND: the bytes live until the closure returns, and `feed` copies them.
        try registerDevices(of: part, arePreferences: arePreferences) { driver, sink in
            var text = text
            try text.withUTF8 { try unsafe driver.feed(UnsafeRawBufferPointer($0), to: sink) }
            try driver.finish(to: sink)
        }
    }

    private func registerDevices(
        of part: PartMark?, arePreferences: Bool = false,
        warn: @escaping (_ record: UInt64, _ line: Int, _ doubt: String) throws -> Void = { _, _, _ in },
        _ read: (PipelineDriver, ReportSink) throws -> Void
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
        let registration = PipelineDriver(configuration, store, [RegistryStage()])
        registration.delivery.clock.offset = driver.delivery.clock.offset
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
        driver.delivery.clock.offset = registration.delivery.clock.offset
    }
}

/// The report of an input that arrives in pieces: its lines, in input order. Iterate over it once.
///
/// A record is reported once its last byte has arrived. Whoever ends the loop early ends the processing: what has arrived by then is stored.
/// An error of the input, of a stage or of the store ends the loop.
public struct PipelineReports<Input: AsyncSequence>: AsyncSequence where Input.Element: Collection<UInt8> {
    /// A line of the report.
    public typealias Element = PushReport
    fileprivate let pipeline: Pipeline
    fileprivate let input: Input

    /// Lines that are not yet taken, and the rest of the input.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pipeline: Pipeline
        fileprivate var input: Input.AsyncIterator
        fileprivate var reports: ArraySlice<PushReport> = []
        fileprivate var isAtEnd = false

        /// The next line; nil at the end of the input.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> PushReport? {
            while reports.isEmpty, !isAtEnd {
                var found: [PushReport] = []
                if let bytes = try await input.next(isolation: actor) {
                    try pipeline.feed(bytes) { found.append(PushReport($0)) }
                } else {
                    isAtEnd = true
                    try pipeline.finish { found.append(PushReport($0)) }
                }
                reports = found[...]
            }
            return reports.popFirst()
        }
    }

    /// Begins with the first piece of the input.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pipeline: pipeline, input: input.makeAsyncIterator())
    }
}

/// The lines of an input that arrives byte by byte; long ones in pieces of 16 KiB.
public struct InputLines<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    /// The bytes of a line, with its end.
    public typealias Element = [UInt8]
    fileprivate let bytes: Bytes

    /// The rest of the bytes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: Bytes.AsyncIterator

        /// The next line; nil at the end of the input.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            var line: [UInt8] = []
            while line.count < 16 * 1024, let byte = try await bytes.next(isolation: actor) {
                line.append(byte)
                if byte == UInt8(ascii: "\n") { break }
            }
            return line.isEmpty ? nil : line
        }
    }

    /// Begins with the first byte.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeAsyncIterator()) }
}

extension Pipeline {
    /// Processes an input that arrives in pieces, such as the body of a request: `for try await report in pipeline.reports(of: body)`.
    public func reports<Input: AsyncSequence>(of input: Input) -> PipelineReports<Input>
    where Input.Element: Collection<UInt8> {
        PipelineReports(pipeline: self, input: input)
    }

    /// Processes an input that arrives byte by byte, such as `FileHandle.bytes`.
    public func reports<Bytes: AsyncSequence>(of bytes: Bytes) -> PipelineReports<InputLines<Bytes>>
    where Bytes.Element == UInt8 {
        PipelineReports(pipeline: self, input: InputLines(bytes: bytes))
    }
}

/// How a pipeline reads its input, and which stages it runs.
public struct PipelineConfiguration: Sendable {
    /// How records are read.
    public var decoding = DecodingOptions()
    /// How the input is split into records.
    public var framing = Framing.auto
    /// Longest record in bytes, without its separator. Longer ones are reported and skipped.
    public var maximumRecordBytes = 1 << 20  // 1 MiB
    /// The source of delivery times.
    public var clock = PipelineClock.wall
    /// Number of cores to use. The output does not depend on it; with 1, all work happens on the caller's thread.
    public var jobs = 1
    /// Stages that look at one message at a time, in order, after decoding. The provider's validation runs after them, and before a
    /// `RedactionStage`; put `ProviderValidation()` among them to run some after it, which see accepted messages.
    public var recordStages: [any RecordStage] = []
    /// Checks of messages, as their provider does them.
    public var validation = Validation.on
    /// Which limits of providers and devices to enforce.
    public var devicePolicy = DevicePolicy()
    /// True to measure `Pipeline.stageTimes`.
    public var measuresStages = false
    /// True if records are written again (`Pipeline.emit`), so that redacted ones are needed as a whole.
    package var emits = false
    /// True if an input that begins with the first line of a part is one. Otherwise its records are like others.
    package var readsPlaces = true
    /// True if records have places, although the input does not begin with the first line of a part.
    package var expectsPlaces = false
    /// Most bytes of an input other than a regular file between two records, as long as none was valid: `/dev/zero` has no end. Nil for any.
    package var maximumBytesWithoutRecord: UInt64? = 64 << 20  // 64 MiB
    /// True to leave out records of an engine's stream that the store has.
    package var resumes = false
    /// Which part's devices a file of devices registers; nil for all.
    package var part: PartMark?
    /// True if a file of devices holds preferences, which are applied after the others.
    package var readsPreferences = false
    /// True if records are decoded and passed on, and nothing is delivered.
    var onlyDecodes = false
    /// True to record `RecordReport.trace`, the history of each message. Costs time and memory.
    package var traces = false

    /// Reads every known format, one record per line or pretty-printed, and rejects what the providers reject.
    public init() {}

    /// Checks of messages, as their provider does them.
    public enum Validation: Sendable {
        /// Each message is checked against its budget and rejected if its provider would reject it.
        case on
        /// Every message that can be decoded is accepted, and none is measured.
        case off
    }

    /// All record stages, in order.
    var chunkStages: [any ChunkStage] {
        var stages = recordStages.map { $0 as? any ChunkStage ?? OwnRecordStage(stage: $0) }
        if validation == .off {
            stages.removeAll { $0 is ProviderValidation }
        } else if !stages.contains(where: { $0 is ProviderValidation }) {
            stages.insert(ProviderValidation(), at: stages.firstIndex { $0 is RedactionStage } ?? stages.endIndex)
        }
        return stages
    }

    /// Largest value of `maximumRecordBytes`, 1 GiB.
    package static let largestMaximumRecordBytes = 1 << 30
}

/// An invalid record in a device file.
public struct DeviceFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Number of the record in the file, from 1.
    public var record: UInt64
    /// Line in the file, from 1.
    public var line: Int
    /// Column in that line, from 1.
    public var column: Int
    /// The problem, in words.
    public var message: String

    package init(record: UInt64, at position: TextPosition, message: String) {
        self.record = record
        line = position.line
        column = position.column
        self.message = message
    }

    /// Position and reason, on one line.
    public var description: String { "record \(record), line \(line), column \(column): \(message)" }
}
