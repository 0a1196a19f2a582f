import DeviceRegistry
import DeviceScreens
import NotificationStore
import PayloadJSON
import PushModel
import PushPipeline
import Testing

/// The machine's clock may be set while a run is going on, and between two of them.
struct ClockTests {
    /// Delivers a record at each of these readings of the clock, and returns the times of the deliveries.
    private func times(
        _ readings: [Int64], _ clock: PipelineClock = .wall, store: any NotificationStore = MemoryStore()
    ) throws -> (at: [Int64], lag: Int64) {
        let pipeline = Pipeline(configuration { $0.clock = clock }, store: store)
        for reading in readings {
            pipeline.wallMilliseconds = { reading }
            try pipeline.process(apns("x") + "\n") { _ in }
        }
        return (try store.events().map(\.at), pipeline.clockLag)
    }

    @Test func `a clock that goes back holds the time of the last delivery until it has caught up`() throws {
        let (at, lag) = try times([5000, 6000, 4000, 5999, 6000, 7000, 6999])
        #expect(at == [5000, 6000, 6000, 6000, 6000, 7000, 7000])
        #expect(lag == 2000)
    }

    @Test func `a clock that goes on is taken as it is`() throws {
        let (at, lag) = try times([-5, 0, 0, 7, 1_000_000])
        #expect(at == [-5, 0, 0, 7, 1_000_000])
        #expect(lag == 0)
    }

    @Test func `a clock that counts records does not ask the machine's`() throws {
        let (at, lag) = try times([9000, 1000, 5000], .fixed(milliseconds: 10))
        #expect(at == [10, 11, 12])
        #expect(lag == 0)
    }

    /// Tells what an earlier run left.
    final class OlderStore: NotificationStore {
        private let store = MemoryStore()
        private let latest: Int64?
        init(latest: Int64?) { self.latest = latest }

        func transaction(replacementKey: String?, _ body: (any DeliverySession) throws -> Void) throws {
            try store.transaction(replacementKey: replacementKey) { try body(Session($0, latest)) }
        }
        func forEachNotification(
            device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
        ) throws { try store.forEachNotification(device: device, app: app, body) }
        func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
            try store.forEachEvent(device: device, body)
        }
    }

    final class Session: DeliverySession {
        private let session: any DeliverySession
        let latestTime: Int64?
        init(_ session: any DeliverySession, _ latestTime: Int64?) {
            self.session = session
            self.latestTime = latestTime
        }

        var lastSequence: UInt64 {
            get { session.lastSequence }
            set { session.lastSequence = newValue }
        }
        var log: DeliveryLog? {
            get { session.log }
            set { session.log = newValue }
        }
        func screen(for message: PushMessage) throws -> ScreenState { try session.screen(for: message) }
        func deliver(_ message: PushMessage, seq: UInt64, at: Int64) throws -> Delivery {
            try session.deliver(message, seq: seq, at: at)
        }
        var registry: DeviceRegistry { session.registry }

        func apps(of device: BorrowedText) throws -> [String] { try session.apps(of: device) }

        func record(_ event: JournalKind, for message: PushMessage, seq: UInt64, at: Int64) throws {
            try session.record(event, for: message, seq: seq, at: at)
        }

        func keep(_ progress: InputProgress?, report: UnsafeRawBufferPointer) throws {
            try session.keep(progress, report: report)
        }
        func forEachShown(for message: PushMessage, _ body: (ShownNotification) throws -> Void) throws {
            try session.forEachShown(for: message, body)
        }
        func remove(
            _ identifiers: [String]?, askedBy message: PushMessage, seq: UInt64, at: Int64
        ) throws -> UInt64? { try session.remove(identifiers, askedBy: message, seq: seq, at: at) }
    }

    @Test(
        arguments: [
            // Nothing is known of an earlier run; it was before; it was later; its time is in no calendar.
            (nil, [100, 200], 0), (50, [100, 200], 0), (150, [150, 200], 50), (900, [900, 900], 800),
            (253_402_300_799_999, [253_402_300_799_999, 253_402_300_799_999], 253_402_300_799_899),
            (253_402_300_800_000, [100, 200], 0), (Int64.max, [100, 200], 0), (Int64.min, [100, 200], 0),
        ] as [(Int64?, [Int64], Int64)])
    func `a run goes on with the time of the newest notification in its store`(
        latest: Int64?, expected: [Int64], lag: Int64
    ) throws {
        let result = try times([100, 200], store: OlderStore(latest: latest))
        #expect(result.at == expected)
        #expect(result.lag == lag)
    }
}
