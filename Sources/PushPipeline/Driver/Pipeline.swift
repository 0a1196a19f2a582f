import DeviceRegistry
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
    public var configuration: PipelineConfiguration { driver.configuration }
    private let driver: PipelineDriver
    private let store: any DeliveryStore

    /// A pipeline at the beginning of its input, with a store in memory.
    ///
    /// - Parameters:
    ///   - configuration: how records are read, and which record stages run.
    ///   - store: where notifications are delivered.
    ///   - deviceStages: stages between the record-local ones and the store, in order.
    public convenience init(
        _ configuration: PipelineConfiguration = PipelineConfiguration(), store: MemoryStore = MemoryStore(),
        deviceStages: [any DeviceStage] = [RegistryStage()]
    ) {
        self.init(configuration, deliveringTo: store, deviceStages: deviceStages)
    }

    /// A pipeline at the beginning of its input, with a store in a file.
    ///
    /// - Parameters:
    ///   - configuration: how records are read, and which record stages run.
    ///   - store: where notifications are delivered.
    ///   - deviceStages: stages between the record-local ones and the store, in order.
    public convenience init(
        _ configuration: PipelineConfiguration = PipelineConfiguration(), store: SQLiteStore,
        deviceStages: [any DeviceStage] = [RegistryStage()]
    ) {
        self.init(configuration, deliveringTo: store, deviceStages: deviceStages)
    }

    package init(
        _ configuration: PipelineConfiguration = PipelineConfiguration(), deliveringTo store: any DeliveryStore,
        deviceStages: [any DeviceStage] = [RegistryStage()]
    ) {
        self.store = store
        driver = PipelineDriver(configuration, store, deviceStages)
    }

    /// Counts of what has been reported.
    public var summary: RunSummary { driver.summary }

    /// Where the time went; zero unless `PipelineConfiguration.measuresStages` is set.
    public var stageTimes: StageTimes { driver.stageTimes }

    /// By how much a fixed clock has gone on: a millisecond a record, and what events have moved it.
    package var elapsedMilliseconds: Int64 { driver.delivery.clock.elapsedMilliseconds }

    /// The machine's clock; a test has one of its own.
    package var wallMilliseconds: () -> Int64 {
        get { driver.delivery.clock.wallMilliseconds }
        set { driver.delivery.clock.wallMilliseconds = newValue }
    }

    /// Milliseconds that the machine's clock was behind an earlier delivery at most, whose time was taken instead.
    package var clockLag: Int64 { driver.delivery.clock.lag }

    // MARK: - Feeding

    /// Processes a whole input.
    public func process(_ text: String, report: (RecordReport) throws -> Void) throws {
        var text = text
        try text.withUTF8 { try feed(UnsafeRawBufferPointer($0), report: report) }
        try finish(report: report)
    }

    /// Adds bytes to the input, and reports every record that they complete.
    public func feed(_ bytes: UnsafeRawBufferPointer, report: (RecordReport) throws -> Void) throws {
        try withoutActuallyEscaping(report) { try driver.feed(bytes, to: LineSink($0)) }
    }

    /// Ends the input, and reports a last record that nothing separates from the end. Another input may follow, with a framing of its own.
    public func finish(report: (RecordReport) throws -> Void) throws {
        try withoutActuallyEscaping(report) { try driver.finish(to: LineSink($0)) }
    }

    /// Reads an open file, pipe or socket to its end and processes it as one input.
    ///
    /// A chunk is closed when it is full, or when there is nothing to read for the moment: a slow sender's record is reported as soon
    /// as it is complete.
    ///
    /// - Parameters:
    ///   - descriptor: stays open.
    ///   - report: called once per report line.
    ///   - flush: called after the reports of each chunk, when whoever reads them should see them.
    /// - Throws: `SystemError` when the input cannot be read; what `report`, `flush` or the store throws.
    public func process(
        fileDescriptor descriptor: Int32, report: (RecordReport) throws -> Void, flush: () throws -> Void = {}
    ) throws {
        try withoutActuallyEscaping(report) { report in
            try withoutActuallyEscaping(flush) { flush in
                try driver.read(descriptor, isStopped: { false }, to: LineSink(report, flush: flush))
            }
        }
    }

    /// Reads an open file from where a store says that it was left, and keeps in the store how far it has come.
    ///
    /// - Parameters:
    ///   - descriptor: stands at `progress.offset`, and stays open.
    ///   - progress: nil for an input that cannot be resumed, such as a pipe.
    ///   - isStopped: asked between two reads. Once it is true, what has been read is finished, and no more is read.
    ///   - text: takes the report of a chunk as NDJSON, once it is committed with that report. The chunk after it is committed only when
    ///     this has returned.
    package func process(
        fileDescriptor descriptor: Int32, progress: InputProgress?, isStopped: @escaping () -> Bool,
        text: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if let progress { driver.begin(at: progress) }
        try driver.read(descriptor, isStopped: isStopped, to: KeptReportSink(text))
    }

    /// The same with a report of another form, which is not kept.
    package func process(
        fileDescriptor descriptor: Int32, progress: InputProgress?, isStopped: @escaping () -> Bool,
        report: (RecordReport) throws -> Void, flush: @escaping () throws -> Void
    ) throws {
        if let progress { driver.begin(at: progress) }
        try withoutActuallyEscaping(report) {
            try driver.read(descriptor, isStopped: isStopped, to: LineSink($0, flush: flush))
        }
    }

    /// Bytes of the current input that are processed, when checkpoints are kept.
    package var inputOffset: UInt64 { driver.deliveredOffset }

    // MARK: - Devices

    /// Registers the devices of an open file, before the first record: an object a line, as device events are, which need not say so.
    ///
    /// Other events may stand among them. Nothing is reported, not even what comes of queued messages, and no numbers are given out.
    ///
    /// - Parameters:
    ///   - descriptor: a file open for reading; it stays open.
    ///   - warn: called with the number of a record, from 1, that is accepted although something about it is doubtful, and with what.
    /// - Throws: `DeviceFileError` for a record that is not an event; others, before and after it, may have been registered. `SystemError`,
    ///   `StoreError`.
    public func registerDevices(
        fileDescriptor descriptor: Int32, warn: @escaping (UInt64, String) throws -> Void = { _, _ in }
    ) throws {
        try registerDevices(warn: warn) { try $0.read(descriptor, isStopped: { false }, to: $1) }
    }

    /// Registers the devices of a text, as those of a file.
    ///
    /// - Throws: `DeviceFileError`, `StoreError`.
    public func registerDevices(_ text: String) throws {
        try registerDevices { driver, sink in
            var text = text
            try text.withUTF8 { try driver.feed(UnsafeRawBufferPointer($0), to: sink) }
            try driver.finish(to: sink)
        }
    }

    private func registerDevices(
        warn: @escaping (UInt64, String) throws -> Void = { _, _ in },
        _ read: (PipelineDriver, DeviceFileSink) throws -> Void
    ) throws {
        var configuration = PipelineConfiguration()
        configuration.clock = self.configuration.clock
        configuration.decoding.readsDevices = true
        configuration.recordStages = self.configuration.recordStages
        // It says when something is to be done about the devices' tokens.
        configuration.devicePolicy.tokenLifeCycle = self.configuration.devicePolicy.tokenLifeCycle
        let registration = PipelineDriver(configuration, store, [RegistryStage()])
        registration.delivery.clock.offset = driver.delivery.clock.offset
        try read(registration, DeviceFileSink(warn))
        driver.delivery.clock.offset = registration.delivery.clock.offset
    }
}
