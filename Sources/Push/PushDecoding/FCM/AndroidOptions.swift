package import PayloadJSON
package import PushModel

/// The options of a message for an Android device, beside its texts. Read only for devices of which something is known that it depends on.
///
/// Sources: FCM v1, `AndroidNotification`; Firebase Cloud Messaging HTTP protocol, "Notification payload support", which knows the channel and
/// the action alone.
package struct AndroidOptions: Sendable {
    /// The channel that it names, and its place in the payload as a JSON Pointer.
    package private(set) var channel: (id: String, pointer: String)?
    /// True if it stays in the tray when it is tapped.
    package private(set) var isSticky = false
    /// The action of the intent that a tap starts; nil for the app's first activity.
    package private(set) var clickAction: String?
    /// When the event was that it is about, in milliseconds since the epoch.
    package private(set) var eventTime: Int64?
    package private(set) var visibility = Visibility.private
    /// True if it is delivered while the device is in Doze.
    package private(set) var hasHighPriority = false

    /// How much of a notification a lock screen shows. Source: FCM v1, `AndroidNotification.Visibility`.
    package enum Visibility: String, Sendable {
        case secret = "SECRET"
        /// The default.
        case `private` = "PRIVATE"
        case `public` = "PUBLIC"
    }

    fileprivate init() {}

    /// - Parameter payload: the request or message object.
    package init(_ payload: JSONView, of provider: Provider) {
        hasHighPriority = Self.hasHighPriority(payload, of: provider)
        if let notification = Self.notification(payload, of: provider) {
            read(notification, in: payload, isLegacy: provider == .gcm)
        }
    }

    /// - Parameter shown: the payload of a notification on the screen; nil for one of APNs, and for a message to other platforms alone.
    package init?(shown payload: JSONView) {
        var members = payload.members
        guard payload.isObject, payload["aps"] == nil, members.next() != nil else { return nil }
        let blocks: [StaticString] = ["android", "android_v2", "androidV2"]
        let hasBlock = blocks.contains { payload[$0] != nil }
        guard hasBlock || (payload["webpush"] == nil) == (payload["apns"] == nil) else { return nil }
        // The notification of a message of FCM v1 has no member of this kind outside these blocks.
        self.init(payload, of: hasBlock ? .fcm : .gcm)
    }

    private mutating func read(_ notification: JSONView, in payload: JSONView, isLegacy: Bool) {
        for (key, value) in notification.members {
            switch key {
            case "channel_id", "channelId", "android_channel_id":
                if let id = value.string, id.count > 0 { channel = (id.string, payload.pointer(to: value.index)) }
            case "sticky" where !isLegacy: isSticky = value.kind == .true
            case "event_time" where !isLegacy, "eventTime" where !isLegacy:
                eventTime = value.string.flatMap { EventTime.milliseconds($0.string) }
            case "visibility" where !isLegacy:
                // FCM takes the names in any case.
                visibility = FCMEnumeration.visibility.name(of: value).flatMap { Visibility(rawValue: $0) } ?? .private
            case "click_action", "clickAction":
                if let action = value.string, action.count > 0 { clickAction = action.string }
            default: break
            }
        }
    }

    /// Messages with a notification have high priority unless they say otherwise, those with data alone normal priority. Source: FCM v1,
    /// `AndroidMessagePriority`; Firebase Cloud Messaging HTTP protocol, `priority`. A message with `android_v2` cannot say it; here it counts
    /// in the same way, which is UNCONFIRMED.
    private static func hasHighPriority(_ payload: JSONView, of provider: Provider) -> Bool {
        var priority: String?
        var hasNotification: Bool
        if provider == .gcm {
            priority = payload["priority"]?.string?.string.lowercased()
            hasNotification = LegacyRequest(payload).notification != nil
        } else {
            let message = FCMMessage(payload)
            hasNotification = message.notification != nil || message.androidNotification != nil
            if let second = message.androidV2.map(AndroidV2.init) {
                hasNotification = second.isRemoteNotification
            } else {
                priority = message.android?["priority"].flatMap(FCMEnumeration.messagePriority.name)?.lowercased()
            }
        }
        guard priority == "high" || priority == "normal" else { return hasNotification }
        return priority == "high"
    }

    /// The notification in the block of the platform.
    private static func notification(_ payload: JSONView, of provider: Provider) -> JSONView? {
        if provider == .gcm { return LegacyRequest(payload).notification }
        let message = FCMMessage(payload)
        if let second = message.androidV2 { return AndroidV2(second).notification }
        return message.androidNotification
    }
}

extension TransitReader {
    package mutating func androidOptions(of message: DecodedMessage) -> AndroidOptions {
        withPayload(of: message) { $0.map { AndroidOptions($0, of: message.provider) } ?? AndroidOptions() }
    }
}
