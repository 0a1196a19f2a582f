import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import Testing

/// A store that cannot be written ends the run, and nothing is reported that was not saved.
struct PipelineFailureTests {
    struct Trouble: Error {}

    /// Fails in one of its transactions, before or after the deliveries, or during them.
    final class FailingStore: DeliveryStore {
        var deliveries: StoreDeliveries { StoreDeliveries(to: self) }
        enum Moment: CaseIterable {
            case before
            case delivery
            case commit
        }

        private let store = MemoryStore()
        private let moment: Moment
        private let failing: Int
        private(set) var transactions = 0

        init(_ moment: Moment, inTransaction failing: Int) {
            self.moment = moment
            self.failing = failing
        }

        func transaction(replacing rule: ReplacementRule?, _ body: (StoreTransaction) throws -> Void) throws {
            transactions += 1
            guard transactions == failing else { return try store.transaction(replacing: rule, body) }
            if moment == .before { throw Trouble() }
            let session = Session(isFailing: moment == .delivery)
            try body(
                StoreTransaction(screens: session, registry: DeviceRegistry(), progress: session))
            throw Trouble()
        }

        func forEachNotification(
            device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
        ) throws {
            try store.forEachNotification(device: device, app: app, body)
        }

        func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
            try store.forEachEvent(device: device, body)
        }
    }

    final class Session: DeliverySession, ProgressKeeper {
        private let isFailing: Bool
        private var deliveries = 0
        var lastSequence: UInt64 = 0
        var log: DeliveryLog?
        var mostOnAndroid = 50
        let latestTime: Int64? = nil

        init(isFailing: Bool) { self.isFailing = isFailing }

        func isFull(for message: DecodedMessage) -> Bool { false }

        func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) throws -> Delivery {
            deliveries += 1
            if isFailing, deliveries == 2 { throw Trouble() }
            return Delivery(outcome: .delivered)
        }

        func apps(of device: BorrowedText) throws -> [String] { [] }

        func appsShowing(on device: BorrowedText) throws -> [String] { [] }

        func newest(on device: BorrowedText, _ query: NotificationQuery) throws -> FoundNotification? { nil }

        func content(
            of identifier: String, for message: DecodedMessage
        ) throws -> (seq: UInt64, payload: String, changes: String)? { nil }

        func record(
            _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText?, seq: UInt64, at: Int64
        ) throws {}

        func apply(
            _ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64
        ) throws -> LiveActivities.Answer { throw Trouble() }

        func claim(_: [String], of known: [String], device: String, app: String, at: Int64) -> [String] { [] }
        func dismissActivities(_ identifier: String?, device: String, app: String?, at: Int64) -> [LiveActivity] { [] }
        func advance(to time: Int64) {}

        func checkpoint(_ progress: InputProgress?, report: @escaping () -> BorrowedText?) throws {}

        func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) throws {}

        func remove(
            _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64
        ) throws -> UInt64? { nil }

        func screen(for message: DecodedMessage) throws -> ScreenState { ScreenState(count: 0, badge: nil) }
    }

    @Test(arguments: FailingStore.Moment.allCases)
    func `no record of a chunk is reported when the store cannot save it`(_ moment: FailingStore.Moment) throws {
        let pipeline = Pipeline(configuration(), deliveringTo: FailingStore(moment, inTransaction: 1))
        var count = 0
        #expect(throws: Trouble.self) {
            try pipeline.process([apns("a"), "{", apns("b"), apns("c")].joined(separator: "\n")) { _ in count += 1 }
        }
        #expect(count == 0)
        #expect(pipeline.summary == Pipeline(configuration()).summary)
    }

    @Test(arguments: FailingStore.Moment.allCases)
    func `records saved before a failure are reported`(_ moment: FailingStore.Moment) throws {
        let pipeline = Pipeline(configuration(), deliveringTo: FailingStore(moment, inTransaction: 3))
        var seqs: [UInt64] = []
        func feed(_ text: String) throws {
            try Array(text.utf8).withUnsafeBytes { bytes in try pipeline.feed(bytes) { seqs.append($0.seq) } }
        }
        try feed(apns("a") + "\n")
        try feed(apns("b") + "\n" + apns("c") + "\n")
        #expect(throws: Trouble.self) { try feed(apns("d") + "\n" + apns("e") + "\n") }
        #expect(seqs == [1, 2, 3])
        #expect(pipeline.summary.messages == 3)
        #expect(pipeline.summary.records == 3)
    }

    @Test func `a record is reported only after its chunk is committed`() throws {
        let store = FailingStore(.before, inTransaction: 0)
        let pipeline = Pipeline(configuration(), deliveringTo: store)
        let bytes = try workload(1500, seed: 9)
        var transactionsAtReport: Set<Int> = []
        try bytes.withUnsafeBytes { bytes in
            try pipeline.feed(bytes) { _ in transactionsAtReport.insert(store.transactions) }
        }
        try pipeline.finish { _ in transactionsAtReport.insert(store.transactions) }
        #expect(transactionsAtReport == Set(1...store.transactions))
        #expect(store.transactions > 1)
    }

    @Test func `a throwing reader ends the run with its own error`() {
        let pipeline = Pipeline(configuration())
        var count = 0
        #expect(throws: Trouble.self) {
            try pipeline.process([apns("a"), apns("b")].joined(separator: "\n")) { _ in
                count += 1
                throw Trouble()
            }
        }
        #expect(count == 1)
    }

    @Test(arguments: [1, 3]) func `a chunk that could not be saved is lost, and the next one is complete`(jobs: Int)
        throws
    {
        let store = FailingStore(.before, inTransaction: 1)
        let pipeline = Pipeline(configuration { $0.jobs = jobs }, deliveringTo: store)
        #expect(throws: Trouble.self) { try pipeline.reports("\(apns("lost"))\n\(apns("lost too"))\n") }
        for round in 1...8 {
            let reports = try pipeline.reports("\(apns("kept \(round)"))\n")
            #expect(reports.map(\.seq) == [UInt64(round)])
        }
        #expect(try store.notifications().map(\.content.body) == (1...8).map { "kept \($0)" })
    }
}
