import DeviceScreens
import PushDecoding
import PushModel

/// Whose Live Activity a push is for, where only the order of the records says so: a stream starts an activity with one token, and updates it
/// with another. O(activities) memory, without their contents.
struct ActivityOwners: ~Copyable {
    private struct Target: Hashable {
        var seq: UInt64
        var target: Int?
    }

    private var activities = LiveActivities()
    /// The pushes that wait for their devices.
    private var queued: [Target: LiveActivityPush] = [:]
    private let acceptance: Acceptance
    private var checked = MessageBatch()

    init(_ options: DecodingOptions) { acceptance = Acceptance(budget: options.budget) }

    /// True if the provider accepts a push; one that is refused starts no activity. Options that shorten messages are the run's, and not known
    /// here.
    mutating func accepts(_ message: DecodedMessage) -> Bool {
        // SOUND: the batch has one message, which is looked at before the next call removes it.
        checked.removeAll()
        checked.append(message)
        acceptance.check(0, in: &checked)
        return if case .accepted = unsafe checked.messages[0].verdict { true } else { false }
    }

    /// True if a push waits for its device.
    var hasQueued: Bool { !queued.isEmpty }

    /// The device whose activity a push to a token is for; nil if the push names the device. Notes what the push changes.
    ///
    /// - Parameter fate: the outcome of the push.
    mutating func owner(
        of push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64, fate: () -> KnownDevices.Fate
    ) -> String? {
        let owner = activities.owner(of: push, at: at)
        switch fate() {
        case .arrives: _ = activities.apply(push.withoutContents, seq: seq, target: target, at: at)
        case .isQueued: queued[Target(seq: seq, target: target)] = push.withoutContents
        case .isRefused: break
        }
        return owner
    }

    /// A push is no longer queued.
    mutating func settle(_ seq: UInt64, target: Int?, hasArrived: Bool, at: Int64) {
        guard let push = queued.removeValue(forKey: Target(seq: seq, target: target)), hasArrived else { return }
        _ = activities.apply(push, seq: seq, target: target, at: at)
    }

    /// Notes what an event of a device says about its activities.
    ///
    /// - Parameter app: the app that the event is about.
    mutating func apply(_ event: DeviceEvent, app: String?, at: Int64) {
        guard activities.count > 0, let device = event.device else { return }
        if event.name == .dismiss, let identifier = event.identifier ?? event.seq.map({ "activity-\($0)" }) {
            _ = activities.dismiss(identifier, device: device, app: event.app, at: at)
        }
        guard let tokens = event.activityTokens, let app else { return }
        for token in tokens where !token.isEmpty {
            activities.claim(DeviceToken.canonical(token), device: device, app: app, at: at)
        }
    }
}

extension LiveActivityPush {
    /// The same push with as little text as it can have.
    fileprivate var withoutContents: LiveActivityPush {
        var push = self
        push.contentState = contentState.map { _ in "" }
        push.attributes = attributes.map { _ in "" }
        push.alert = alert.map { _ in Alert() }
        push.relevanceScore = nil
        return push
    }
}
