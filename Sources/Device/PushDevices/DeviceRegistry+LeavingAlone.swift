import PayloadJSON
import PushDecoding
package import PushModel

/// Messages about which there is nothing to decide: their devices are reachable, and nothing but the default is known of their apps.
extension DeviceRegistry {
    /// Number of messages whose devices are prefetched together.
    private static let prefetchCount = 256

    /// True if some messages arrive as if their devices were unknown, so that they need not come one after the other: `decide` would change
    /// neither them nor anything here, and nothing is due until they have come. Devices that are in a file are not looked at.
    ///
    /// - Parameter end: the time of the last message, in milliseconds since the epoch.
    package func leavesAlone(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, until end: Int64) -> Bool {
        guard rows == nil, followUps.isEmpty, due > end, !policy.rejectsUnknownDevices, policy.messageRules == nil,
            policy.pushesPerMinute == nil, policy.pushesPerMinuteOfSender == nil
        else { return false }
        let delaysBackground = policy.backgroundPushesPerHour != nil
        var start = 0
        while start < messages.count {
            // SOUND: the range is within the messages, which the caller keeps for the duration of the call.
            let range = start..<min(start + Self.prefetchCount, messages.count)
            unsafe prefetch(messages, Array(range))
            for index in range {
                if unsafe delaysBackground && messages[index].isBackground { return false }
                guard unsafe leavesAlone(messages[index]) else { return false }
            }
            start = range.upperBound
        }
        return true
    }

    private func leavesAlone(_ message: borrowing DecodedMessage) -> Bool {
        // Without subscribers, a topic is a device like others.
        if message.isForTopic, table.hasSubscribers { return false }
        guard case .accepted = message.verdict else { return true }
        let type = message.headers.pushType
        guard message.gateway != .expo, message.headers.channelID == nil, type != .liveactivity else { return false }
        let isOfAPNs = message.provider == .apns
        guard let device = table.find(message.device), table[device: device].isKnown else {
            if isOfAPNs { return true }
            // An event may have written it in capitals.
            return !DeviceToken.isFolded(message.device)
        }
        guard table.isReachable(device), table[focusOf: device] == nil else { return false }
        if !isOfAPNs, let platform = table[device: device].platform, platform != message.platform { return false }
        var app = findApp(of: message, on: device)
        if isOfAPNs, app == nil || type?.hasOwnToken == true {
            guard findKind(of: message, on: device, &app) else { return false }
        }
        guard let app else { return true }
        guard hasOnlyDefaults(app) else { return false }
        if !message.app.isEmpty { return true }
        // An entry without a name stands for all apps, and says nothing about one.
        guard table.name(ofApp: app).isEmpty else { return false }
        if message.isTopicOfTarget { return true }
        return message.topic.isEmpty
    }
}
