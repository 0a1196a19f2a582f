import PayloadJSON
import PushDecoding
package import PushDevices
package import PushModel

/// Who is subscribed to the topics of GCM and FCM, and which devices can be reached, from the events of the stream and of a file of devices.
///
/// Keeps the devices that events name with their apps and topics, what is queued for those that are offline, and little else of them.
/// O(devices) memory.
package struct KnownDevices {
    private let registry = DeviceRegistry()
    private var hasDevices = false
    private var doubts = TapDoubts()
    /// The devices whose pushes count for another token, that of a Live Activity, with the time of the last one.
    private var strayCounts: [String: (device: String, at: Int64)] = [:]

    /// - Parameter policy: the limits of the runs.
    package init(_ policy: DevicePolicy = DevicePolicy()) { registry.policy = policy }

    /// Sets the limits of the runs.
    func enforce(_ policy: DevicePolicy) { registry.policy = policy }

    /// Applies an event of a device; others change nothing.
    ///
    /// - Parameters:
    ///   - seq: the number of the record; 0 in a file of devices.
    ///   - at: milliseconds since the epoch.
    /// - Throws: `UnknownOutcome` if the event means something else after an earlier tap, and only the screens say whether that had a target.
    package mutating func apply(_ event: DeviceEvent, seq: UInt64 = 0, at: Int64) throws(UnknownOutcome) {
        try doubts.check(event) { device in
            registry.policy.rejectsUnknownDevices
                && BorrowedText.with(device) { device in (try? registry.knows(device)) != true }
        }
        if event.app == "" { doubts.mayShowForNone = true }
        if event.name == .post, event.app == nil, let device = event.device {
            BorrowedText.with(device) { noteShown(on: $0) }
        }
        // Only a store can fail, and there is none.
        if event.name == .tap || event.name == .post, let device = event.device,
            let addition = (try? registry.addition(of: event.app, to: device)) ?? nil
        {
            doubts.note(addition, on: device, seq: seq)
        }
        guard let event = Self.reduced(event) else { return }
        hasDevices = true
        try? registry.advance(to: at)
        _ = try? registry.apply(event, at: at)
    }

    /// The record of a tap that may have made an app on a device known, which a push to that device would then be refused for.
    func doubt(about device: String) -> UInt64? { doubts.isEmpty ? nil : doubts.seq(of: device) }

    /// Throws if a push is for an app that a tap may have made the first one of its device.
    func checkApp(of message: DecodedMessage, for device: String) throws(UnknownOutcome) {
        guard !doubts.isEmpty, message.app.isEmpty, let cause = doubts.seqOfFirstApp(of: device) else { return }
        throw UnknownOutcome(cause: cause, text: "the push names no app, so it is for the device's first one")
    }

    /// A message that names no app, and whose device is not known, is shown for none.
    mutating func noteShown(_ message: borrowing DecodedMessage) {
        guard !doubts.mayShowForNone, message.app.isEmpty, !message.isForTopic else { return }
        if case .accepted = message.verdict { noteShown(on: message.device) }
    }

    private mutating func noteShown(on device: BorrowedText) {
        if !hasDevices || (try? registry.knows(device)) != true { doubts.mayShowForNone = true }
    }

    /// True if the outcome of a message may change that of later ones: its device is known, or a limit counts it.
    func concerns(_ message: DecodedMessage) -> Bool {
        if registry.policy.pushesPerMinute != nil || registry.policy.backgroundPushesPerHour != nil { return true }
        return hasDevices && (try? registry.knows(message.device)) ?? false
    }

    /// True if messages may concern each other.
    var isIdle: Bool {
        !hasDevices && registry.policy.pushesPerMinute == nil && registry.policy.backgroundPushesPerHour == nil
    }

    /// The platform of a message's device, if that is another one than the message is decoded for.
    func otherPlatform(of message: DecodedMessage) -> Platform? {
        guard hasDevices, message.provider != .apns || message.gateway == .expo,
            let platform = (try? registry.platform(of: message.device)) ?? nil, platform != message.platform
        else { return nil }
        return platform
    }

    /// True if there are too many messages to a topic.
    func refuses(_ message: DecodedMessage, at: Int64) -> Bool {
        guard registry.policy.pushesPerMinute != nil else { return false }
        var message = message
        message.verdict = .accepted
        registry.limitRate(&message, at: at)
        return if case .accepted = message.verdict { false } else { true }
    }

    /// A push to a token counts towards a limit in the part of the device that it is for.
    ///
    /// - Throws: `UnknownOutcome` if one that counts together with it is in another part. Call it before `fate`.
    mutating func count(_ token: String, for device: String, at: Int64) throws(UnknownOutcome) {
        let isOwn = token == device
        guard registry.policy.pushesPerMinute != nil, !isOwn || !strayCounts.isEmpty else { return }
        if let window = registry.openWindow(of: token, at: at) {
            let stray = strayCounts[token].flatMap { $0.at >= window.start ? $0.device : nil }
            guard (stray ?? token) == device else {
                throw UnknownOutcome(
                    cause: nil,
                    text:
                        "its token is that of a device, and of an activity on another one: their pushes may be too many together"
                )
            }
        }
        if !isOwn { strayCounts[token] = (device, at) }
    }

    /// Addresses a push to a token of Live Activities to the device that it belongs to, and returns the token; nil if it names its device.
    func replaceActivityToken(of message: inout DecodedMessage) -> String? {
        guard message.provider == .apns, message.headers.channelID == nil, hasDevices else { return nil }
        let token = message.device.string
        guard let owner = (try? registry.owner(ofActivityToken: token)) ?? nil else { return nil }
        message.device = owner
        return token
    }

    /// The part of the device that the token of an accepted message of Expo's leads to; nil for any other message, and without an event that
    /// names the token.
    func part(of message: DecodedMessage, _ function: PartFunction) -> Int? {
        target(ofExpoTokenOf: message).map { function.part(of: $0.device) }
    }

    /// Where that token leads.
    func target(ofExpoTokenOf message: DecodedMessage) -> DeviceRegistry.ExpoTarget? {
        guard message.gateway == .expo, hasDevices, case .accepted = message.verdict else { return nil }
        return (try? registry.target(ofExpoToken: message.device)) ?? nil
    }

    /// The part of the app from which an event takes a token of Expo's; nil if it takes none.
    func part(losingTokenTo event: DeviceEvent, _ function: PartFunction) -> Int? {
        guard hasDevices, let token = event.expoToken, !token.isEmpty else { return nil }
        return registry.device(withExpoToken: token).map { function.part(of: $0) }
    }

    /// Says what events know of the token of a push.
    ///
    /// - Parameters:
    ///   - token: that of a Live Activity, if the message named it in place of its device.
    ///   - isDefault: true if the record of the message names no device.
    func address(
        _ push: inout LiveActivityPush, of message: DecodedMessage, token: String?, isDefault: Bool
    ) {
        if let token { push.token = token }
        push.isForStartToken = startsActivities(push.token, on: message.device)
        let isKnown = hasDevices && (try? registry.knows(message.device)) ?? false
        push.mayBeOfOtherDevice = message.provider == .apns && push.token == push.device && !isDefault && !isKnown
    }

    /// True if a token starts Live Activities on a device.
    func startsActivities(_ token: String, on device: BorrowedText) -> Bool {
        hasDevices && (try? registry.startsActivities(token, on: device)) ?? false
    }

    /// The name of the app that an event of a device is about.
    func appName(of event: DeviceEvent) -> String? { (try? registry.appName(of: event)) ?? nil }

    /// The outcome of a push when it is sent.
    package enum Fate: Sendable {
        case arrives, isQueued, isRefused
    }

    /// The outcome of an accepted push, which gets the app of its device if it names none. One that is queued is kept.
    ///
    /// - Parameters:
    ///   - token: that of a Live Activity, if the message named it in place of its device.
    ///   - isFannedOut: true for the copy of a message to a topic.
    @discardableResult
    package mutating func fate(
        of message: inout DecodedMessage, token: String? = nil, seq: UInt64, at: Int64, isFannedOut: Bool = false
    ) -> Fate {
        guard hasDevices || registry.policy != DevicePolicy() else { return .arrives }
        try? registry.advance(to: at)
        _ = try? registry.decide(&message, activityToken: token, seq: seq, at: at, isFannedOut: isFannedOut)
        switch message.verdict {
        case .accepted: return .arrives
        case .held: return .isQueued
        default: return .isRefused
        }
    }

    /// True if pushes are no longer queued since the last call of `settled`.
    var hasSettled: Bool { registry.hasFollowUps }

    /// The pushes that are no longer queued since the last call, and whether they have arrived.
    package mutating func settled() -> [(seq: UInt64, target: Int?, hasArrived: Bool)] {
        registry.takeFollowUps().compactMap { followUp in
            switch followUp {
            case .release(let message): (message.seq, message.target, true)
            case .expired(let message), .discarded(let message, _): (message.seq, message.target, false)
            case .deletedMessages, .token: nil
            }
        }
    }

    /// Whom a message to a topic is for, in the order of their names; nil if it is like one to a device, because nobody is known to be
    /// subscribed.
    ///
    /// - Throws: `UnknownOutcome` if only the effect of an earlier tap says whether a subscriber is registered.
    package func recipients(
        of message: DecodedMessage, at: Int64
    ) throws(UnknownOutcome) -> [DeviceRegistry.Recipient]? {
        guard hasDevices else { return nil }
        if doubts.areRegistrationsUnknown {
            // Before all time every subscriber was registered.
            let subscribers = (try? registry.recipients(of: message, at: .min)) ?? nil
            for subscriber in subscribers ?? [] { try doubts.check(subscriber: subscriber.device) }
        }
        return (try? registry.recipients(of: message, at: at)) ?? nil
    }

    /// The part of an event that decides a device's apps, their subscriptions to topics, and whether pushes reach them. An event
    /// without an app is about the device's first one, so the others count, too.
    private static func reduced(_ event: DeviceEvent) -> DeviceEvent? {
        var reduced = DeviceEvent(event.name, device: event.device, app: event.app)
        switch event.name {
        case .device:
            reduced.topics = event.topics
            reduced.startToken = event.startToken
            reduced.activityTokens = event.activityTokens
            reduced.expoToken = event.expoToken
            reduced.isUnregistered = event.isUnregistered
            reduced.unregisteredAt = event.unregisteredAt
            reduced.isOnline = event.isOnline
            reduced.isDozing = event.isDozing
            reduced.appState = event.appState
            reduced.isConfirmed = event.isConfirmed
            reduced.token = event.token
            reduced.tokenSince = event.tokenSince
            reduced.platform = event.platform
            reduced.isLoggedIn = event.isLoggedIn
            reduced.authorization = event.authorization
            reduced.registration = event.registration
        case .subscribe, .unsubscribe: reduced.topic = event.topic
        // They make a device and an app known.
        case .preference: reduced.type = ""
        case .focus, .summary: reduced.isOn = event.isOn
        case .tap, .dismiss, .clear, .open, .back, .close, .edit, .save, .confirm, .read, .post, .clock: return nil
        }
        return reduced
    }
}
