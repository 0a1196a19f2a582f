package import PushJSON
package import PushModel

/// How a message is queued while its device is offline: until when, and which messages it replaces.
package struct TransitOptions: Equatable, Sendable {
    /// When it expires, in milliseconds since the epoch; nil when it must not be queued at all.
    package var expiresAt: Int64?
    /// The key on Android, and the `Topic` in a browser: a queued message replaces another with the same key. Nil when it replaces none.
    package var collapseKey: String?

    /// 30 days, in milliseconds. Source: Apple, "Viewing the status of push notifications using Metrics and APNs".
    package static let longestOfAPNs: Int64 = 30 * 86_400_000
    /// Four weeks, in milliseconds. Source: Firebase Cloud Messaging HTTP protocol, `time_to_live`; FCM v1, `AndroidConfig.ttl`.
    package static let longestOfFCM: Int64 = 28 * 86_400_000
}

/// Reads `TransitOptions` from messages. Only queued messages are read, so others cost nothing.
package struct TransitReader: ~Copyable {
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    package init() {}

    /// - Parameter at: The time of sending, in milliseconds since the epoch.
    package mutating func options(of message: DecodedMessage, at: Int64) -> TransitOptions {
        switch message.platform {
        case .ios: Self.ofAPNs(message, at: at)
        case .android, .web: ofGoogle(message, at: at)
        }
    }

    /// Passes the payload to `body`, or nil if it is not JSON.
    package mutating func withPayload<Result>(of message: DecodedMessage, _ body: (JSONView?) -> Result) -> Result {
        body(root(of: message.payload))
    }

    /// The value that a text of a message is, valid until the next text is read; nil if it is not JSON.
    private mutating func root(of text: BorrowedText) -> JSONView? {
        // SOUND: the text lives as long as its message, and the tape is of this text.
        guard unsafe scanner.scan(text.bytes, into: &tape) == nil else { return nil }
        return unsafe tape.root(of: text.bytes)
    }

    /// How an APNs payload alerts the user.
    package struct Manner: Sendable {
        package var hasSound = false
        /// `interruption-level` as sent; `critical` for the sound of a critical alert.
        package var interruptionLevel: String?
        /// True if `content-available` is 1.
        package var wakesApp = false
        /// The sender of a communication notification; nil for any other.
        package var sender: String?
    }

    /// How a message alerts the user, as its service extension left it. All false unless it has an APNs payload.
    package mutating func manner(of message: DecodedMessage) -> Manner {
        guard message.platform == .ios, let aps = root(of: message.payload)?["aps"] else { return Manner() }
        var manner = Manner()
        manner.hasSound = aps["sound"].map { $0.kind != .null } ?? false
        manner.interruptionLevel = aps["interruption-level"]?.string?.string
        // The sound of a critical alert. Source: Apple, "Generating a remote notification", sound dictionary.
        if aps["sound"]?["critical"]?.isOne ?? false { manner.interruptionLevel = "critical" }
        manner.wakesApp = aps["content-available"]?.isOne ?? false
        if !message.changes.isEmpty { change(&manner, message.changes) }
        return manner
    }

    private mutating func change(_ manner: inout Manner, _ changes: BorrowedText) {
        guard let root = root(of: changes) else { return }
        if let level = root["interruptionLevel"]?.string { manner.interruptionLevel = level.string }
        if let sound = root["sound"] {
            manner.hasSound = sound.kind != .null
            if sound["critical"]?.kind == .true || sound["critical"]?.isOne ?? false {
                manner.interruptionLevel = "critical"
            }
        }
        manner.sender = root["sender"]?.string.flatMap { $0.string.isEmpty ? nil : $0.string }
    }

    /// True if a message goes to subscribers, and not to one device: to a topic, a condition, a group or a channel.
    package mutating func isForMany(_ message: DecodedMessage) -> Bool {
        let isChannel = message.headers.channelID != nil
        if message.isForTopic || isChannel || message.device.hasPrefix("/topics/") { return true }
        guard message.provider != .apns, message.platform != .ios else { return false }
        return root(of: message.payload)?["notification_key"] != nil
    }

    /// A header that is not a number has been rejected already.
    private static func ofAPNs(_ message: DecodedMessage, at: Int64) -> TransitOptions {
        let latest = at &+ TransitOptions.longestOfAPNs
        if let seconds = message.secondsKept {
            // GCM and FCM queue no message longer than for an Android device.
            let longest = message.provider == .apns ? TransitOptions.longestOfAPNs : TransitOptions.longestOfFCM
            return TransitOptions(expiresAt: seconds == 0 ? nil : at &+ min(Int64(seconds) * 1000, longest))
        }
        guard let expiration = message.headers.expiration, let seconds = Int64(expiration.string) else {
            return TransitOptions(expiresAt: latest)
        }
        if seconds == 0 { return TransitOptions(expiresAt: nil) }
        let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
        return TransitOptions(expiresAt: overflowed ? latest : min(milliseconds, latest))
    }

    private mutating func ofGoogle(_ message: DecodedMessage, at: Int64) -> TransitOptions {
        guard let root = root(of: message.payload) else {
            return TransitOptions(expiresAt: at &+ TransitOptions.longestOfFCM)
        }
        let isWeb = message.platform == .web
        let (collapseKey, ownTimeToLive, isNotification) =
            message.provider == .gcm ? Self.ofLegacy(root) : isWeb ? Self.ofWeb(root) : Self.ofFCM(root)
        let timeToLive =
            message.secondsKept.map { Int64($0) * 1000 } ?? Self.expiration(message, at: at) ?? ownTimeToLive
        let lifetime = min(max(timeToLive ?? TransitOptions.longestOfFCM, 0), TransitOptions.longestOfFCM)
        var options = TransitOptions(expiresAt: lifetime == 0 ? nil : at &+ lifetime)
        // Notification messages are always collapsible, and ignore `collapse_key`; the default key is the app's name.
        // Source: Firebase, "Non-collapsible and collapsible messages".
        options.collapseKey = isNotification && !isWeb ? message.app.string : collapseKey
        return options
    }

    /// The time left until the moment that a message of Expo's names, in milliseconds. FCM has no such moment.
    private static func expiration(_ message: DecodedMessage, at: Int64) -> Int64? {
        guard message.gateway == .expo, let seconds = message.headers.expiration.flatMap({ Int64($0.string) }) else {
            return nil
        }
        let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
        return overflowed ? nil : max(milliseconds &- at, 0)
    }

    private static func ofLegacy(_ root: JSONView) -> (key: String?, timeToLive: Int64?, isNotification: Bool) {
        let request = LegacyRequest(root)
        let seconds = request.timeToLive?.int64
        return (
            request.collapseKey?.string?.string, seconds.map { $0.multipliedReportingOverflow(by: 1000).partialValue },
            request.notification != nil
        )
    }

    /// Sources: RFC 8030, sections 5.2 and 5.4. A value that they do not allow is read as if the header were not there; what
    /// FCM does with it is not documented.
    private static func ofWeb(_ root: JSONView) -> (key: String?, timeToLive: Int64?, isNotification: Bool) {
        let headers = WebHeaders(FCMMessage(root).webHeaders)
        let longest = TransitOptions.longestOfFCM / 1000
        return (headers.topic, headers.timeToLive.map { min($0, longest) * 1000 }, false)
    }

    private static func ofFCM(_ root: JSONView) -> (key: String?, timeToLive: Int64?, isNotification: Bool) {
        let message = FCMMessage(root)
        // Both kinds of message are collapsible only if they name a key. Source: Firebase, "Migrate from FCM HTTP v1 API to
        // AndroidConfigV2".
        if let second = message.androidV2.map(AndroidV2.init) {
            return (second.collapseKey?.string?.string, milliseconds(second.timeToLive), false)
        }
        return (
            message.collapseKey?.string?.string, milliseconds(message.timeToLive),
            message.notification != nil || message.androidNotification != nil
        )
    }

    /// A duration in whole seconds, rounded down. Source: FCM v1, `AndroidConfig.ttl`.
    private static func milliseconds(_ duration: JSONView?) -> Int64? {
        let seconds = duration?.string.flatMap { Int64($0.string.prefix { $0 != "." && $0 != "s" }) }
        return seconds.map { $0.multipliedReportingOverflow(by: 1000).partialValue }
    }
}

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
    /// True if it is delivered after a restart before the device has been unlocked. Source: FCM v1, `AndroidConfig.direct_boot_ok`.
    package private(set) var isForDirectBoot = false
    /// True if it has a group that its app chose, so that the system does not bundle it. Messages of FCM name none.
    package private(set) var isGrouped = false

    /// How much of a notification a lock screen shows. Source: FCM v1, `AndroidNotification.Visibility`.
    package enum Visibility: String, Sendable {
        case secret = "SECRET"
        /// The default.
        case `private` = "PRIVATE"
        case `public` = "PUBLIC"
    }

    package init() {}

    /// - Parameter payload: the request or message object.
    package init(_ payload: JSONView, of provider: Provider) {
        readDelivery(of: payload, provider)
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
            case "group": isGrouped = !isLegacy && value.string?.nonEmpty != nil
            default: break
            }
        }
    }

    /// Messages with a notification have high priority unless they say otherwise, those with data alone normal priority. Source: FCM v1,
    /// `AndroidMessagePriority`; Firebase Cloud Messaging HTTP protocol, `priority`. A message with `android_v2` cannot say it; here it counts
    /// in the same way, which is UNCONFIRMED.
    private mutating func readDelivery(of payload: JSONView, _ provider: Provider) {
        var priority: String?
        var hasNotification: Bool
        if provider == .gcm {
            priority = payload["priority"]?.string?.string.lowercased()
            hasNotification = LegacyRequest(payload).notification != nil
        } else {
            let message = FCMMessage(payload)
            hasNotification = message.notification != nil || message.androidNotification != nil
            let block = message.androidV2 ?? message.android
            isForDirectBoot = (block?["direct_boot_ok"] ?? block?["directBootOk"])?.kind == .true
            if let second = message.androidV2.map(AndroidV2.init) {
                hasNotification = second.isRemoteNotification
            } else {
                priority = message.android?["priority"].flatMap(FCMEnumeration.messagePriority.name)?.lowercased()
            }
        }
        hasHighPriority = priority == "high" || priority != "normal" && hasNotification
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
