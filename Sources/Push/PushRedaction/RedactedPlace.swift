import PayloadJSON
import PushDecoding
import PushModel
import PushSystem

/// The kind of an object in a record or payload, which determines what its members contain.
///
/// When content is hidden, only the members in this table stay: words defined by providers and systems, numbers that they act on, and
/// targets, which token redaction handles. Every other member is content.
package enum RedactedPlace {
    /// A record, or a request of GCM.
    case request
    /// A request to Expo's push service, also in an envelope.
    case expo
    /// A device event.
    case event
    /// A message of FCM HTTP v1.
    case message
    /// A payload for APNs.
    case payload
    /// A payload from a store: a message of FCM, a request of GCM, or, with `aps`, a payload for APNs.
    case stored, storedPayload
    case aps, alert, sound, headers
    /// The answer that a sender got, the `error` of Google's in it, and its details.
    case answer, answerError
    /// `notification` of GCM and FCM, with the one in `android`.
    case notification
    case android, androidV2, remoteNotification
    /// `apns` in a record: the part of Airnotifier's request, or the block of a message for FCM without the request around it.
    case apnsPart
    /// The `webpush` block of FCM, its headers, and its notification.
    case webpush, webHeaders, webNotification
    /// The `apns` block of FCM.
    case apnsBlock
    /// The state of an app on a device, as a store keeps it (`AppText`).
    case appState
    /// A category that an app has registered, its actions, and a notification channel.
    case category, action, channel
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

    private static let keptOfAps: Set = [
        "badge", "sound", "category", "content-available", "mutable-content", "interruption-level", "relevance-score",
        "timestamp", "event", "attributes-type", "stale-date", "dismissal-date", "input-push-token",
        "input-push-channel", "push_type",
    ]

    private static let postMark = LocalNotification.mark.description

    private static let rows: [RedactedPlace: Row] = [
        .request: Row(
            kept: [
                "provider", "device", "token", "to", "registration_ids", "condition", "notification_key", "priority",
                "time_to_live", "delay_while_idle", "dry_run", "dryRun", "content_available", "mutable_content",
                "restricted_package_name", "validate_only", "validateOnly", "messageType", "MessageStructure",
                "deviceTokens", "topic", "TargetArn", "TopicArn", "Simulator Target Bundle", "fid", "tokens", "fids",
            ],
            inner: [
                "headers": .headers, "payload": .payload, "message": .message, "fcm": .message, "apns": .apnsPart,
                "notification": .notification, "aps": .aps, "alert": .alert, "android": .android,
                "android_v2": .androidV2, "androidV2": .androidV2, "webpush": .webpush,
                "answer": .answer,
            ]),
        .expo: Row(
            kept: [
                "provider", "device", "to", "priority", "ttl", "expiration", "sound", "badge", "channelId",
                "categoryId", "mutableContent", "_contentAvailable", "interruptionLevel",
            ],
            inner: ["payload": .expo, "sound": .sound, "answer": .answer]),
        .answer: Row(
            kept: [
                "status", "status_code", "statusCode", "StatusCode", "reason", "Reason", "description", "timestamp",
                "success", "failure", "canonical_ids", "error", ":status", "rejectionReason", "accepted",
            ],
            inner: [
                "error": .answerError, "errorInfo": .answerError, "results": .answer, "body": .answer,
                "response": .answer, "data": .answer, "headers": .answer,
            ]),
        .answerError: Row(
            kept: ["code", "status", "errorCode", "@type", "reason"],
            inner: ["details": .answerError, "errorInfo": .answerError]),
        .message: Row(
            kept: ["token", "fid", "topic", "condition"],
            inner: [
                "notification": .notification, "android": .android, "android_v2": .androidV2, "androidV2": .androidV2,
                "apns": .apnsBlock, "webpush": .webpush,
            ]),
        .stored: Row(
            kept: [
                "to", "token", "fid", "topic", "condition", "registration_ids", "notification_key", "priority",
                "time_to_live", "delay_while_idle", "dry_run", "content_available", "mutable_content",
                "restricted_package_name", postMark,
            ],
            inner: [
                "notification": .notification, "android": .android, "android_v2": .androidV2, "androidV2": .androidV2,
                "apns": .apnsBlock, "webpush": .webpush,
            ]),
        .storedPayload: Row(kept: [postMark], inner: ["aps": .aps]),
        // Identifiers of notifications and names of screens are a sender's and an app's own words; a Focus names people, and a user types.
        .event: Row(
            kept: EventMember.names.subtracting([
                "identifier", "screen", "bell", "activities", "people", "title", "body", "tag", "text",
            ]).union(["event"]),
            inner: ["categories": .category, "channels": .channel, "bell": .screenName]),
        .category: Row(kept: ["id", "dismissal", "shows_title", "shows_subtitle"], inner: ["actions": .action]),
        .action: Row(kept: ["id", "foreground", "text"]),
        .channel: Row(kept: ["id", "importance", "sound", "badge", "default"]),
        .payload: Row(kept: ["Simulator Target Bundle"], inner: ["aps": .aps]),
        .aps: Row(kept: keptOfAps, inner: ["alert": .alert, "sound": .sound]),
        .apnsPart: Row(
            kept: keptOfAps.union(["live_activity_token", "liveActivityToken"]),
            inner: ["alert": .alert, "sound": .sound, "headers": .headers, "payload": .payload]),
        .alert: Row(kept: ["launch-image"]),
        .sound: Row(kept: ["critical", "name", "volume"]),
        .headers: Row(
            kept: Set(
                [APNsHeader.topic, .pushType, .priority, .expiration, .id, .channelID].map(\.name.description))),
        .notification: Row(kept: [
            "sound", "badge", "icon", "color", "channel_id", "channelId", "android_channel_id", "notification_priority",
            "notificationPriority", "visibility", "proxy", "sticky", "local_only", "localOnly", "default_sound",
            "defaultSound", "default_vibrate_timings", "defaultVibrateTimings", "default_light_settings",
            "defaultLightSettings", "notification_count", "notificationCount", "event_time", "eventTime",
        ]),
        .android: Row(
            kept: [
                "ttl", "priority", "restricted_package_name", "restrictedPackageName", "direct_boot_ok", "directBootOk",
            ],
            inner: ["notification": .notification]),
        .androidV2: Row(
            kept: ["ttl", "restricted_package_name", "restrictedPackageName", "direct_boot_ok", "directBootOk"],
            inner: ["remote_notification": .remoteNotification, "remoteNotification": .remoteNotification]),
        .remoteNotification: Row(
            kept: ["mutable_content", "mutableContent", "use_as_v1_data_message", "useAsV1DataMessage"],
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
                "browser", "silent_pushes", "levels", "topics", "start_token", "activity_tokens", "previews",
                "settings_off", "expo",
            ],
            inner: [
                "categories": .category, "channels": .channel,
                "screens": .appScreen, "destination": .appScreen, "restorable": .appScreen, "article": .appScreen,
                "bell_screens": .screenName,
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
        if self == .answer || self == .answerError { return .reason }
        if Self.numbers.contains(name) { return .numbers }
        // An event is pushpipe's own: one with another word is no event.
        if self != .event, let words = Self.words[name] { return .words(words) }
        return .all
    }

    /// The part of a member that stays.
    enum Keeping {
        case nothing
        /// Numbers and booleans, and strings that are written like one. Any other text in their place is the sender's.
        case numbers
        /// The words that a provider or a system defines for it, in any spelling, and numbers.
        case words(Words)
        /// A service's word, and numbers.
        case reason
        case all

        /// True if numbers and booleans stay.
        var keepsAny: Bool { if case .nothing = self { false } else { true } }

        func keeps(_ string: JSONString) -> Bool {
            switch self {
            case .nothing: false
            case .numbers: Self.isNumber(string.raw)
            case .words(let words): Self.isNumber(string.raw) || words.contains(string.string)
            case .reason: Self.isNumber(string.raw) || RedactedPlace.isReason(string.string)
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

    /// True if a text is a reason of a service: one that is known, or one that is written like one, as new reasons are: `BadTopic`,
    /// `UNREGISTERED`.
    package static func isReason(_ text: String) -> Bool {
        let letters = text.utf8
        let capitals = letters.count { 0x41...0x5A ~= $0 }
        let isWord =
            letters.count <= SenderAnswerReader.maximumReasonBytes && capitals > 1
            && letters.first.map { 0x41...0x5A ~= $0 } ?? true
            && letters.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "_") }
        return isWord || text == SenderAnswerReader.typeOfFCMError
            || SenderAnswerReader.firebaseAdminCodes[text] != nil
            || Rejection.table.contains { $0.reason.description == text }
    }

    /// Members that are kept and have numbers or booleans, wherever they are.
    private static let numbers: Set<String> = [
        "time_to_live", "delay_while_idle", "dry_run", "dryRun", "content_available", "mutable_content",
        "mutableContent", "use_as_v1_data_message", "useAsV1DataMessage", "validate_only", "validateOnly", "badge",
        "content-available", "mutable-content", "relevance-score",
        "timestamp", "stale-date", "dismissal-date", "input-push-token", "critical", "volume", "sticky", "local_only",
        "localOnly", "default_sound", "defaultSound", "default_vibrate_timings", "defaultVibrateTimings",
        "default_light_settings",
        "defaultLightSettings", "notification_count", "notificationCount", "ttl", "expiration", "_contentAvailable",
        "direct_boot_ok", "directBootOk",
        "renotify", "requireInteraction", "silent", APNsHeader.priority.name.description,
        APNsHeader.expiration.name.description, postMark,
    ]

    /// Which texts a member may have.
    enum Words {
        /// One of these, in lower case.
        case oneOf(Set<String>)
        /// A language tag as of BCP 47: a code of 2 or 3 letters, and parts of up to 8 letters and digits after hyphens.
        case language
        /// A color as `#rrggbb`, or with the alpha value.
        case color
        /// A point in time as of RFC 3339, with up to nanoseconds.
        case time

        func contains(_ text: String) -> Bool {
            switch self {
            case .oneOf(let words): return words.contains(text.lowercased())
            case .language:
                let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
                return text.utf8.count <= 35 && (2...3).contains(parts.first?.count ?? 0)
                    && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isLetter || $0.isDigit } }
            case .color:
                return text.hasPrefix("#") && [4, 7, 9].contains(text.utf8.count)
                    && text.utf8.dropFirst().allSatisfy { $0.hexadecimalDigit != nil }
            case .time: return text.utf8.count <= 35 && EventTime.milliseconds(text) != nil
            }
        }
    }

    /// Members that are kept and have one of a few words, wherever they are.
    private static let words: [String: Words] = {
        func names(_ enumeration: FCMEnumeration) -> Words {
            .oneOf(Set(enumeration.names.map { $0.description.lowercased() }))
        }
        let interruptionLevels = Words.oneOf(["passive", "active", "time-sensitive", "critical"])
        let pushTypes = Words.oneOf(Set(PushType.table.map(\.wireName.description)))
        return [
            "interruption-level": interruptionLevels, "interruptionLevel": interruptionLevels,
            "event": .oneOf(["start", "update", "end"]),
            "push_type": pushTypes, APNsHeader.pushType.name.description: pushTypes,
            "priority": names(.messagePriority),
            "notification_priority": names(.notificationPriority), "notificationPriority": names(.notificationPriority),
            "visibility": names(.visibility), "proxy": names(.proxy),
            // RFC 8030, section 5.3.
            "urgency": .oneOf(["very-low", "low", "normal", "high"]),
            // WHATWG, Notifications API, `NotificationDirection`.
            "dir": .oneOf(["auto", "ltr", "rtl"]), "lang": .language, "color": .color,
            "event_time": .time, "eventTime": .time,
            "MessageStructure": .oneOf(["json"]), "messageType": .oneOf(["checkechov1"]),
        ]
    }()

    /// True if a text here is a word of pushpipe's own: the name of a screen that every app has, or a generated identifier.
    func isOwnWord(_ text: String) -> Bool {
        switch self {
        case .screenName: DeviceEvent.ScreenName.isOwn(text)
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
