import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import Testing

/// The machine's clock may be set during a run, and between two runs.
struct ClockTests {
    /// Delivers a record at each of these readings of the clock, and returns the times of the deliveries.
    private func times(
        _ readings: [Int64], _ clock: PipelineClock = .wall, store: any DeliveryStore = MemoryStore(),
        replacing rule: ReplacementRule? = nil
    ) throws -> (at: [Int64], lag: Int64) {
        let pipeline = Pipeline(
            configuration {
                $0.clock = clock
                $0.decoding.replacement = rule
            }, deliveringTo: store)
        for reading in readings {
            pipeline.wallMilliseconds = { reading }
            try pipeline.process(apns("x") + "\n") { _ in }
        }
        return (try store.events().map(\.at), pipeline.clockLag)
    }

    @Test func `when the clock goes back, deliveries keep the last time until it catches up`() throws {
        let (at, lag) = try times([5000, 6000, 4000, 5999, 6000, 7000, 6999])
        #expect(at == [5000, 6000, 6000, 6000, 6000, 7000, 7000])
        #expect(lag == 2000)
    }

    @Test func `a fixed clock starts at a duration since the epoch, rounded down to a millisecond`() {
        #expect(PipelineClock.fixed(.seconds(1_700_000_000)) == .fixed(milliseconds: 1_700_000_000_000))
        #expect(PipelineClock.fixed(.microseconds(1_999)) == .fixed(milliseconds: 1))
    }

    @Test func `a clock that advances is used as it is`() throws {
        let (at, lag) = try times([-5, 0, 0, 7, 1_000_000])
        #expect(at == [-5, 0, 0, 7, 1_000_000])
        #expect(lag == 0)
    }

    @Test func `a clock that counts records does not read the system clock`() throws {
        let (at, lag) = try times([9000, 1000, 5000], .fixed(milliseconds: 10))
        #expect(at == [10, 11, 12])
        #expect(lag == 0)
    }

    /// An extension that waits 200 ms after a removal leaves a notification that is 200 ms later than its record.
    @Test func `a notification that waited for a removal does not make the clock late`() throws {
        var rule = ReplacementRule(key: "id")
        rule.wait = .milliseconds(200)
        let result = try times([1000, 1100], store: OlderStore(latest: 1150), replacing: rule)
        #expect(result.at == [1000, 1100])
        #expect(result.lag == 0)
    }

    /// Provides the state that an earlier run left.
    final class OlderStore: DeliveryStore {
        var deliveries: StoreDeliveries { StoreDeliveries(to: self) }
        private let store = MemoryStore()
        private let latest: Int64?
        init(latest: Int64?) { self.latest = latest }

        func transaction(replacing rule: ReplacementRule?, _ body: (StoreTransaction) throws -> Void) throws {
            try store.transaction(replacing: rule) {
                try body(
                    StoreTransaction(
                        screens: $0.screens, registry: $0.registry, progress: Progress($0.progress, latest)))
            }
        }
        func forEachNotification(
            device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
        ) throws { try store.forEachNotification(device: device, app: app, body) }
        func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
            try store.forEachEvent(device: device, body)
        }
    }

    final class Progress: ProgressKeeper {
        private let progress: any ProgressKeeper
        let latestTime: Int64?

        init(_ progress: any ProgressKeeper, _ latestTime: Int64?) {
            self.progress = progress
            self.latestTime = latestTime
        }

        var lastSequence: UInt64 {
            get { progress.lastSequence }
            set { progress.lastSequence = newValue }
        }

        func checkpoint(_ progress: InputProgress?, report: @escaping () -> BorrowedText?) throws {
            try self.progress.checkpoint(progress, report: report)
        }
    }

    @Test(
        arguments: [
            // No earlier run is known; it was earlier; it was later; its time is outside the calendar.
            (nil, [100, 200], 0), (50, [100, 200], 0), (150, [150, 200], 50), (900, [900, 900], 800),
            (253_402_300_799_999, [253_402_300_799_999, 253_402_300_799_999], 253_402_300_799_899),
            (253_402_300_800_000, [100, 200], 0), (Int64.max, [100, 200], 0), (Int64.min, [100, 200], 0),
        ] as [(Int64?, [Int64], Int64)])
    func `a run continues from the time of the newest notification in its store`(
        latest: Int64?, expected: [Int64], lag: Int64
    ) throws {
        let result = try times([100, 200], store: OlderStore(latest: latest))
        #expect(result.at == expected)
        #expect(result.lag == lag)
    }
}
