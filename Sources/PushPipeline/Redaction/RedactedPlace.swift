import AppSimulation
import PayloadJSON
import PushDecoding
import PushModel

/// The kind of an object in a record or payload, which determines what its members contain.
///
/// When content is hidden, only the members in this table stay: words defined by providers and systems, numbers that they act on, and
/// targets, which token redaction handles. Every other member is content.
enum RedactedPlace {
    /// A record, or a request of GCM.
    case request
    /// A device event.
    case event
    /// A message of FCM HTTP v1.
    case message
    /// A payload for APNs.
    case payload
    /// A payload from a store: a message of FCM, a request of GCM, or, with `aps`, a payload for APNs.
    case stored
    case aps, alert, sound, headers
    /// `notification` of GCM and FCM, with the one in `android`.
    case notification
    case android
    /// The `webpush` block of FCM, its headers, and its notification.
    case webpush, webHeaders, webNotification
    /// The `apns` block of FCM.
    case apnsBlock
    /// The state of an app on a device, as a store keeps it (`AppText`).
    case appState
    /// A screen of an app, and its name, or those that show its bell.
    case appScreen, screenName
    /// A notification in an app's own list, or its banner, and its identifier.
    case appNotification, identifier
    /// A text that is shown, where a number or a boolean is none.
    case text
    /// Custom data of the app.
    case custom

    private struct Row {
        /// Members whose strings, numbers and booleans stay.
        var kept: Set<String> = []
        /// Members that are objects, or arrays of objects, with rows of their own. All others hold custom data.
        var inner: [String: RedactedPlace] = [:]
    }

    private static let rows: [RedactedPlace: Row] = [
        .request: Row(
            kept: [
                "provider", "device", "token", "to", "registration_ids", "condition", "notification_key", "priority",
                "time_to_live", "delay_while_idle", "dry_run", "dryRun", "content_available", "mutable_content",
                "restricted_package_name", "validate_only", "validateOnly", "messageType", "MessageStructure",
                "deviceTokens", "topic", "TargetArn", "TopicArn", "Simulator Target Bundle",
            ],
            inner: [
                "headers": .headers, "payload": .payload, "message": .message, "fcm": .message, "apns": .aps,
                "notification": .notification, "aps": .aps, "alert": .alert,
            ]),
        .message: Row(
            kept: ["token", "fid", "topic", "condition"],
            inner: [
                "notification": .notification, "android": .android, "apns": .apnsBlock, "webpush": .webpush,
            ]),
        .stored: Row(
            kept: [
                "to", "token", "fid", "topic", "condition", "registration_ids", "notification_key", "priority",
                "time_to_live", "delay_while_idle", "dry_run", "content_available", "mutable_content",
                "restricted_package_name",
            ],
            inner: [
                "notification": .notification, "android": .android, "apns": .apnsBlock, "webpush": .webpush,
            ]),
        // Identifiers of notifications and names of screens are a sender's and an app's own words.
        .event: Row(kept: EventMember.names.subtracting(["identifier", "screen", "bell"]).union(["event"])),
        .payload: Row(kept: ["Simulator Target Bundle"], inner: ["aps": .aps]),
        .aps: Row(
            kept: [
                "badge", "sound", "category", "content-available", "mutable-content", "interruption-level",
                "relevance-score", "timestamp", "event", "attributes-type", "stale-date", "dismissal-date",
                "input-push-token", "input-push-channel", "push_type",
            ],
            inner: ["alert": .alert, "sound": .sound]),
        .alert: Row(kept: ["launch-image"]),
        .sound: Row(kept: ["critical", "name", "volume"]),
        .headers: Row(kept: [
            "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-id", "apns-channel-id",
        ]),
        .notification: Row(kept: [
            "sound", "badge", "icon", "color", "channel_id", "channelId", "android_channel_id", "notification_priority",
            "notificationPriority", "visibility", "proxy", "sticky", "local_only", "localOnly", "default_sound",
            "defaultSound", "default_vibrate_timings", "defaultVibrateTimings", "default_light_settings",
            "defaultLightSettings", "notification_count", "notificationCount",
        ]),
        .android: Row(
            kept: [
                "ttl", "priority", "restricted_package_name", "restrictedPackageName", "direct_boot_ok", "directBootOk",
            ],
            inner: ["notification": .notification]),
        .webpush: Row(inner: ["headers": .webHeaders, "notification": .webNotification]),
        .webHeaders: Row(kept: ["ttl", "urgency"]),
        .webNotification: Row(kept: [
            "dir", "lang", "renotify", "requireInteraction", "silent", "timestamp",
        ]),
        .apnsBlock: Row(
            kept: ["live_activity_token", "liveActivityToken"], inner: ["headers": .headers, "payload": .payload]),
        // What the events that lead to this state keep.
        .appState: Row(
            kept: [
                "question", "bell", "background_since", "delegate", "will_present", "toast", "types", "summary",
                "levels",
                "topics",
            ],
            inner: [
                "screens": .appScreen, "destination": .appScreen, "restorable": .appScreen, "bell_screens": .screenName,
                "notifications": .appNotification, "banner": .appNotification,
            ]),
        .appScreen: Row(kept: ["kind", "modal", "unsaved"], inner: ["name": .screenName]),
        .appNotification: Row(kept: ["read", "seq", "at"], inner: ["id": .identifier]),
    ]

    /// Which strings, numbers and booleans in a member stay as they are.
    func keeping(_ name: String) -> Keeping {
        guard let row = Self.rows[self] else { return .nothing }
        // Header names are case-insensitive.
        let name = self == .headers || self == .webHeaders ? name.lowercased() : name
        guard row.kept.contains(name) else { return .nothing }
        return Self.numbers.contains(name) ? .numbers : .all
    }

    /// What stays of a member.
    enum Keeping {
        case nothing
        /// Numbers and booleans, and strings that are written like one. Any other text in their place is the sender's.
        case numbers
        case all

        func keeps(_ string: JSONString) -> Bool {
            switch self {
            case .nothing: false
            case .numbers: Self.isNumber(string.raw)
            case .all: true
            }
        }

        /// A number, which may have a unit as in `3600s`, or a boolean.
        private static func isNumber(_ text: BorrowedText) -> Bool {
            // SOUND: the bytes are looked at during the call.
            if text.isEmpty || text == "true" || text == "false" { return true }
            return unsafe text.count <= longestNumber
                && text.buffer.enumerated().allSatisfy { index, byte in
                    switch byte {
                    case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): true
                    case UInt8(ascii: "s"): index == text.count - 1 && index > 0
                    default: false
                    }
                }
        }

        private static let longestNumber = 24
    }

    /// Members that are kept and have numbers or booleans, wherever they are.
    private static let numbers: Set<String> = [
        "time_to_live", "delay_while_idle", "dry_run", "dryRun", "content_available", "mutable_content",
        "validate_only", "validateOnly", "badge", "content-available", "mutable-content", "relevance-score",
        "timestamp", "stale-date", "dismissal-date", "input-push-token", "critical", "volume", "sticky", "local_only",
        "localOnly", "default_sound", "defaultSound", "default_vibrate_timings", "defaultVibrateTimings",
        "default_light_settings",
        "defaultLightSettings", "notification_count", "notificationCount", "ttl", "direct_boot_ok", "directBootOk",
        "renotify", "requireInteraction", "silent",
    ]

    /// Whether a text here is a word of pushpipe's own: the name of a screen that every app has, or a generated identifier.
    func isOwnWord(_ text: String) -> Bool {
        switch self {
        case .screenName: text == AppScreen.main.name || text == AppScreen.center.name
        case .identifier: Redaction.isMadeUp(text)
        default: false
        }
    }

    /// The kind of an object in a member.
    func inner(_ name: String) -> RedactedPlace { Self.rows[self]?.inner[name] ?? (holdsTexts(name) ? .text : .custom) }

    /// A browser makes a text of any `tag`, so it tells numbers apart.
    private func holdsTexts(_ name: String) -> Bool {
        self == .alert || self == .notification || self == .webNotification && name != "tag"
    }
}
