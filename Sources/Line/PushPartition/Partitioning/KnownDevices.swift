import PayloadJSON
import PushDecoding
package import PushDevices
package import PushModel

/// Who is subscribed to the topics of GCM and FCM, and which devices can be reached, from the events of the stream and of a file of devices.
///
/// Keeps the devices that events name with their apps and topics, and little else of them. O(devices) memory.
package struct KnownDevices {
    private let registry = DeviceRegistry()
    private var hasDevices = false

    package init() {}

    /// Applies an event of a device; others change nothing.
    ///
    /// - Parameter at: milliseconds since the epoch.
    package mutating func apply(_ event: DeviceEvent, at: Int64) {
        guard let event = Self.reduced(event) else { return }
        hasDevices = true
        // Only a store can fail, and there is none.
        try? registry.advance(to: at)
        _ = try? registry.apply(event, at: at)
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
        guard message.gateway == .expo, hasDevices, case .accepted = message.verdict else { return nil }
        return ((try? registry.target(ofExpoToken: message.device)) ?? nil).map { function.part(of: $0.device) }
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
        push.isForStartToken = hasDevices && (try? registry.startsActivities(push.token, on: message.device)) ?? false
        let isKnown = hasDevices && (try? registry.knows(message.device)) ?? false
        push.mayBeOfOtherDevice = message.provider == .apns && push.token == push.device && !isDefault && !isKnown
    }

    /// The name of the app that an event of a device is about.
    func appName(of event: DeviceEvent) -> String? { (try? registry.appName(of: event)) ?? nil }

    /// The outcome of a push when it is sent.
    package enum Fate: Sendable {
        case arrives, isQueued, isRefused
    }

    /// The outcome of an accepted push, as far as events determine it. One that is queued is kept.
    package mutating func fate(of message: DecodedMessage, seq: UInt64, at: Int64) -> Fate {
        guard hasDevices else { return .arrives }
        var message = message
        try? registry.advance(to: at)
        _ = try? registry.decide(&message, seq: seq, at: at)
        switch message.verdict {
        case .accepted: return .arrives
        case .held: return .isQueued
        default: return .isRefused
        }
    }

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
    package func recipients(of message: DecodedMessage, at: Int64) -> [DeviceRegistry.Recipient]? {
        guard hasDevices else { return nil }
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
            reduced.platform = event.platform
            reduced.isLoggedIn = event.isLoggedIn
            reduced.authorization = event.authorization
            reduced.registration = event.registration
        case .subscribe, .unsubscribe: reduced.topic = event.topic
        // They make a device and an app known.
        case .preference: reduced.type = ""
        case .focus, .summary: reduced.isOn = false
        case .tap, .dismiss, .clear, .open, .back, .close, .edit, .save, .confirm, .read, .post, .clock: return nil
        }
        return reduced
    }
}
