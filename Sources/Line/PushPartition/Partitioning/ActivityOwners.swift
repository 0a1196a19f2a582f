import DeviceScreens
import PayloadJSON
import PushDecoding
import PushModel

/// The Live Activities of all devices, as a run has them: a stream starts an activity with one token and updates it with another, and a
/// broadcast changes those of a channel. O(activities) memory, without their contents.
struct ActivityOwners: ~Copyable {
    private struct Target: Hashable {
        var seq: UInt64
        var target: Int?
    }

    private var activities = LiveActivities()
    /// The pushes that wait for their devices.
    private var queued: [Target: LiveActivityPush] = [:]
    /// Apps and channels of pushes that a run may refuse, with the records of the taps that decide it.
    private var doubtfulApps: [String: UInt64] = [:]
    private var doubtfulChannels: [String: UInt64] = [:]
    private let acceptance: Acceptance
    private let prioritiesPerHour: Int?
    private var checked = MessageBatch()

    init(_ options: DecodingOptions, prioritiesPerHour: Int?) {
        acceptance = Acceptance(budget: options.budget)
        self.prioritiesPerHour = prioritiesPerHour
    }

    /// True if the provider accepts a push; one that is refused starts no activity. Options that shorten messages are the run's, and not known
    /// here.
    mutating func accepts(_ message: DecodedMessage) -> Bool {
        // SOUND: the batch has one message, which is looked at before the next call removes it.
        checked.removeAll()
        checked.append(message)
        acceptance.check(0, in: &checked)
        return if case .accepted = unsafe checked.messages[0].verdict { true } else { false }
    }

    /// The device whose activity a push to a token is for; nil if the push names the device.
    mutating func device(of push: LiveActivityPush, at: Int64) -> String? { activities.owner(of: push, at: at) }

    /// The device whose activity a push to a token is for; nil if the push names the device. Notes what the push changes.
    ///
    /// - Parameters:
    ///   - doubt: the record of a tap, if only a run knows whether the device takes the push.
    ///   - fate: the outcome of the push.
    mutating func owner(
        of push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64, doubt: UInt64?, fate: KnownDevices.Fate
    ) throws(UnknownOutcome) -> String? {
        let isBound = activities.hasToken(of: push)
        let owner = activities.owner(of: push, at: at)
        if push.mayBeOfOtherDevice, !isBound, push.event != .start,
            let cause = owner.flatMap({ _ in doubt }) ?? doubtfulApps[push.app]
        {
            throw UnknownOutcome(cause: cause, text: "the token may be that of an activity on another device")
        }
        if let doubt {
            doubtfulApps[push.app] = doubtfulApps[push.app] ?? doubt
            if let channel = push.inputChannel { doubtfulChannels[channel] = doubtfulChannels[channel] ?? doubt }
        }
        switch fate {
        case .arrives: apply(push, seq: seq, target: target, at: at)
        case .isQueued: queued[Target(seq: seq, target: target)] = push.withoutContents
        case .isRefused: break
        }
        return owner
    }

    /// The devices whose activities a broadcast changes. If there are none, the one that says why; nil if the channel is unknown, and the
    /// broadcast begins an activity on the device of the request.
    mutating func devices(
        changedBy push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64
    ) throws(UnknownOutcome) -> [String]? {
        if let channel = push.channel, let cause = doubtfulChannels[channel] {
            throw UnknownOutcome(cause: cause, text: "a broadcast is for the activities of its channel")
        }
        let addressees = activities.addressees(of: push, at: at)
        let answer = apply(push, seq: seq, target: target, at: at)
        guard let addressees else { return nil }
        return answer.changed.isEmpty ? addressees.suffix(1) : answer.changed.map(\.device)
    }

    @discardableResult
    private mutating func apply(
        _ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64
    ) -> LiveActivities.Answer {
        var push = push.withoutContents
        if push.channel == nil { push.prioritiesPerHour = prioritiesPerHour }
        return activities.apply(push, seq: seq, target: target, at: at)
    }

    /// A push is no longer queued.
    ///
    /// - Parameter startsActivities: true if a token starts activities on a device now. It may not have when the push was queued.
    mutating func settle(
        _ seq: UInt64, target: Int?, hasArrived: Bool, at: Int64,
        startsActivities: (_ token: String, _ device: BorrowedText) -> Bool
    ) {
        guard var push = queued.removeValue(forKey: Target(seq: seq, target: target)), hasArrived else { return }
        push.isForStartToken = BorrowedText.with(push.device) { startsActivities(push.token, $0) }
        apply(push, seq: seq, target: target, at: at)
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
