import PushDevices
import PushJSON
import PushModel
import PushPipeline

/// A store in memory that can be reset, so that a pipeline can be used again.
final class FreshStore: DeliveryStore {
    var deliveries: StoreDeliveries { StoreDeliveries(to: self) }
    private var inner = MemoryStore(keepsJournal: false)

    func reset() { inner = MemoryStore(keepsJournal: false) }

    func transaction(replacing rule: ReplacementRule?, _ body: (StoreTransaction) throws -> Void) throws {
        try inner.transaction(replacing: rule, body)
    }

    func forEachNotification(device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void) throws {
        try inner.forEachNotification(device: device, app: app, body)
    }

    func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        try inner.forEachEvent(device: device, body)
    }
}

/// A pipeline that is fed inputs in pieces, with an empty store for each. Events that move the clock also affect the next input.
final class FedPipeline {
    private let store = FreshStore()
    private let pipeline: Pipeline
    /// The records of the last input that were written.
    private(set) var emitted: [UInt8] = []

    init(_ configuration: PipelineConfiguration) {
        pipeline = Pipeline(configuration, deliveringTo: store)
    }

    /// From now on writes records, too.
    func emit(_ emission: Emission) {
        pipeline.emit(emission) { [unowned self] text in emitted += text.buffer }
    }

    /// Records written for all inputs so far.
    var emittedCount: UInt64 { pipeline.emissionSummary.written }

    /// Feeds an input in pieces, and ends it.
    func read(
        _ text: UnsafeRawBufferPointer, _ size: (Int) -> Int = { _ in .max },
        _ report: (borrowing RecordReport) throws -> Void
    ) throws {
        store.reset()
        emitted = []
        var rest = text[...]
        while !rest.isEmpty {
            let part = rest.prefix(max(size(rest.startIndex), 1))
            try UnsafeRawBufferPointer(rebasing: part).withCopy { try pipeline.feed($0, report: report) }
            rest = rest.dropFirst(part.count)
        }
        try pipeline.finish(report: report)
    }
}
