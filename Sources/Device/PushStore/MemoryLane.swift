import DeviceScreens
import PayloadJSON
import PushDecoding
import PushDevices
import PushModel

/// The devices of one lane of a store in memory, which one thread at a time uses.
final class MemoryLane {
    // SOUND: nothing that a mutation calls comes back here, so the dynamic exclusivity check, which costs a fifth of
    // a delivery, would find nothing.
    @exclusivity(unchecked) private var uncheckedCenters: NotificationCenters
    var centers: NotificationCenters {
        _read { yield unsafe uncheckedCenters }
        _modify { yield unsafe &uncheckedCenters }
    }
    /// The registry of these devices, while they are divided.
    let registry = DeviceRegistry()
    private var recorder = NoRecorder()

    init(_ keeping: NotificationCenters.Keeping, _ hasher: SeededHash) {
        unsafe uncheckedCenters = NotificationCenters(keeping: keeping, hasher: hasher)
    }
}

extension MemoryLane: LaneScreens {
    package var nextOrder: UInt64 {
        get { centers.nextOrder }
        set { centers.nextOrder = newValue }
    }

    package var mostOnAndroid: Int {
        get { centers.mostOnAndroid }
        set { centers.mostOnAndroid = newValue }
    }

    package func isFull(for message: DecodedMessage) -> Bool { centers.isFull(for: message) }

    package func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) -> Delivery {
        centers.deliver(message, seq: seq, at: at)
    }

    package func apps(of device: BorrowedText) -> [String] { centers.apps(of: device).map(\.string) }

    package func appsShowing(on device: BorrowedText) -> [String] { centers.appsShowing(on: device) }

    package func newest(on device: BorrowedText, _ query: NotificationQuery) -> FoundNotification? {
        centers.newest(on: device, query)
    }

    package func content(
        of identifier: String, for message: DecodedMessage
    ) -> (seq: UInt64, payload: String, changes: String)? {
        centers.content(of: identifier, device: message.device, app: message.app)
            .map { ($0.seq, $0.payload, $0.changes) }
    }

    /// The app is known from now on, as in a store with a journal.
    package func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText?, seq: UInt64, at: Int64
    ) {
        centers.record(event, for: message, about: subject, seq: seq, at: at, recorder: &recorder)
    }

    package func screen(for message: DecodedMessage) -> ScreenState {
        let state = centers.state(device: message.device, app: message.app)
        return ScreenState(count: state?.count ?? 0, badge: state?.badge)
    }

    package func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) rethrows {
        try centers.forEachShown(for: message, body)
    }

    package func remove(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64
    ) -> UInt64? {
        centers.remove(identifiers, askedBy: message, seq: seq, at: at, recorder: &recorder)
    }

    // MARK: - Live Activities, which concern all lanes

    package func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) -> LiveActivities.Answer {
        var none = LiveActivities()
        return none.apply(push, seq: seq, target: target, at: at)
    }

    package func claim(activityToken: String, device: String, app: String, at: Int64) {}

    package func dismissActivity(_ identifier: String, device: String, app: String?, at: Int64) -> LiveActivity? { nil }

    package func advance(to time: Int64) {}
}
