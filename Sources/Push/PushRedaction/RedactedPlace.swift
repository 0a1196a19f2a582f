import PushDecoding
import PushJSON
import PushModel
import PushSystem

/// The kind of an object in a record or payload, which determines what its members contain.
///
/// When content is hidden, only the members in this table stay: words defined by providers and systems, numbers that they act on, names of
/// the app's own, and targets. Every other member is content.
package enum RedactedPlace {
    /// A record, a request to a provider or a gateway, or an object in one that the provider defines, such as `aps` or `android`.
    case request
    /// A payload for APNs: next to `aps` every other name is the app's own.
    case payload
    case alert, sound, headers
    /// `notification` of GCM and FCM.
    case notification
    /// The `webpush` block of FCM, its headers, and its notification.
    case webpush, webHeaders, webNotification
    /// The answer that a sender got, and the `error` of Google's in it.
    case answer
    /// A device event.
    case event
    /// The state of an app on a device, as a store keeps it (`AppText`).
    case appState
    /// A category that an app has registered, its actions, and a notification channel.
    case registered
    /// A screen of an app, and its name, or those that show its bell.
    case appScreen, screenName
    /// A notification in an app's own list, or its banner, and its identifier.
    case appNotification, identifier
    /// A text that is shown, where a number or a boolean is none.
    case text
    /// Custom data of the app.
    case custom

    private struct Row {
        /// Members whose numbers and booleans stay, and strings as `keeping` says.
        var kept: Set<String> = []
        /// Members that are objects, or arrays of objects, with rows of their own. All others hold custom data.
        var inner: [String: RedactedPlace] = [:]
    }

    private static let rows: [RedactedPlace: Row] = [
        .request: requestRow,
        .notification: requestRow,
        .payload: Row(kept: ["Simulator Target Bundle", LocalNotification.mark.description], inner: ["aps": .request]),
        .alert: Row(kept: ["launch-image"]),
        .sound: Row(kept: ["critical", "name", "volume"]),
        .headers: Row(
            kept: Set(
                [APNsHeader.topic, .pushType, .priority, .expiration, .id, .channelID].map(\.name.description))),
        .webpush: Row(inner: ["headers": .webHeaders, "notification": .webNotification]),
        .webHeaders: Row(kept: ["ttl", "urgency"]),
        .webNotification: Row(kept: ["dir", "lang", "renotify", "requireInteraction", "silent", "timestamp"]),
        .answer: Row(
            kept: ["status", "reason", "timestamp", "code", "errorCode"],
            inner: ["body": .answer, "error": .answer, "details": .answer]),
        // Identifiers of notifications and names of screens are a sender's and an app's own words; a Focus names people, and a user types.
        .event: Row(
            kept: namesOfEvents,
            inner: ["categories": .registered, "channels": .registered, "bell": .screenName]),
        .registered: Row(
            kept: [
                "id", "dismissal", "shows_title", "shows_subtitle", "foreground", "text", "importance", "sound",
                "badge", "default",
            ],
            inner: ["actions": .registered]),
        // What the events that lead to this state keep.
        .appState: Row(
            kept: namesOfEvents.union(["question", "bell", "background_since", "summary", "settings_off"]),
            inner: [
                "categories": .registered, "channels": .registered,
                "screens": .appScreen, "destination": .appScreen, "restorable": .appScreen, "article": .appScreen,
                "bell_screens": .screenName,
                "notifications": .appNotification, "banner": .appNotification,
            ]),
        .appScreen: Row(kept: ["kind", "modal", "unsaved"], inner: ["name": .screenName]),
        .appNotification: Row(kept: ["read", "seq", "at"], inner: ["id": .identifier, "payload": .request]),
    ]

    private static let namesOfEvents = Set(
        EventMember.table.lazy.filter { $0.secret == nil || $0.secret == .token || $0.secret == .name }
            .map(\.name.description) + ["event"])

    /// The members that APNs, GCM, FCM, Expo and gateways define, wherever they are in a request.
    private static let requestRow = Row(
        kept: names.subtracting(["name"]).union(topics).union([
            "provider", "priority", "time_to_live", "delay_while_idle", "dry_run", "dryRun", "validate_only",
            "validateOnly",
            "content_available", "mutable_content", "mutableContent", "_contentAvailable", "messageType",
            "MessageStructure", "ttl", "expiration", "interruptionLevel", "direct_boot_ok", "directBootOk",
            "use_as_v1_data_message", "useAsV1DataMessage",
            // `aps`.
            "badge", "content-available", "mutable-content", "interruption-level", "relevance-score", "timestamp",
            "event", "stale-date", "dismissal-date", "input-push-token", "push_type",
            // `notification`.
            "color", "notification_priority", "notificationPriority", "visibility", "proxy", "sticky", "local_only",
            "localOnly", "default_sound", "defaultSound", "default_vibrate_timings", "defaultVibrateTimings",
            "default_light_settings", "defaultLightSettings", "notification_count", "notificationCount", "event_time",
            "eventTime", LocalNotification.mark.description,
        ]),
        inner: [
            "headers": .headers, "payload": .request, "message": .request, "fcm": .request, "apns": .request,
            "notification": .notification, "aps": .request, "alert": .alert, "sound": .sound, "android": .request,
            "android_v2": .request, "androidV2": .request, "remote_notification": .request,
            "remoteNotification": .request, "webpush": .webpush, "answer": .answer,
            // Amazon SNS.
            "Message": .request, "GCM": .request, "FCM": .request, "fcmV1Message": .request, "APNS": .request,
            "APNS_SANDBOX": .request, "APNS_VOIP": .request, "APNS_VOIP_SANDBOX": .request,
        ])

    /// Which strings, numbers and booleans in a member stay as they are.
    func keeping(_ name: String) -> Keeping {
        guard let row = Self.rows[self] else { return .nothing }
        // Header names are case-insensitive.
        let name = self == .headers || self == .webHeaders ? name.lowercased() : name
        guard row.kept.contains(name) else { return .nothing }
        if self == .answer { return .reason }
        if Self.topics.contains(name) { return .always }
        return isOwn || Self.names.contains(name) ? .name : .defined(name)
    }

    /// The part of a member that stays.
    enum Keeping {
        case nothing
        /// Numbers and booleans, strings that are written like one, and words that providers and systems define. Any other text in their
        /// place is the sender's.
        case defined(String)
        /// A service's word, and numbers.
        case reason
        /// A name that the app's programmers chose.
        case name
        /// The target of a request, unless it is a topic.
        case target
        /// A part of a token.
        case token
        case always

        /// True if numbers and booleans stay.
        var keepsNumbers: Bool { if case .nothing = self { false } else { true } }

        var isTarget: Bool {
            switch self {
            case .target, .token: true
            case .nothing, .defined, .reason, .name, .always: false
            }
        }

        /// The meaning of a string here; nil for one that stays.
        func kind(of string: JSONString) -> Redactor.Kind? {
            switch self {
            case .nothing: .content
            case .defined(let name): RedactedPlace.isDefined(string.string, for: name) ? nil : .content
            case .reason: RedactedPlace.isReason(string.string) ? nil : .content
            case .name: .name
            // `default` is the device of records that name none.
            case .target: string == "default" || string.string.hasPrefix("/topics/") ? nil : .device
            case .token: .device
            case .always: nil
            }
        }
    }

    /// True if a text is a reason of a service: one that is known, or one that is written like one, as new reasons are: `BadTopic`,
    /// `UNREGISTERED`.
    package static func isReason(_ text: String) -> Bool {
        let letters = text.utf8
        let isWord =
            letters.count <= SenderAnswerReader.maximumReasonBytes && letters.count { 0x41...0x5A ~= $0 } > 1
            && letters.first.map { 0x41...0x5A ~= $0 } ?? true
            && letters.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "_") }
        return isWord || isNumber(text) || Rejection.table.contains { $0.reason.description == text }
    }

    /// Names of kept members that hold a name of the app's own, or of a target.
    private static let names: Set = [
        "device", "token", "fid", "tokens", "fids", "to", "registration_ids", "notification_key",
        "deviceTokens", "TargetArn", "TopicArn", "live_activity_token", "liveActivityToken", "restricted_package_name",
        "restrictedPackageName", "Simulator Target Bundle", "sound", "name", "category", "categoryId", "channelId",
        "channel_id", "android_channel_id", "attributes-type", "input-push-channel", "launch-image", "icon",
        APNsHeader.topic.name.description, APNsHeader.channelID.name.description,
    ]

    /// Topics and conditions are no secrets.
    private static let topics: Set = ["topic", "topics", "condition"]

    // MARK: - Targets

    /// Names that mean a token wherever they occur, in lower case and without `_` and `-`.
    private static let tokenNames: Set = [
        "token", "tokens", "fid", "fids", "registrationid", "registrationids", "registrationtoken",
        "registrationtokens", "notificationkey", "devicetoken", "devicetokens", "pushtoken", "pushtokens", "fcmtoken",
        "gcmtoken", "apnstoken", "liveactivitytoken", "starttoken", "activitytokens",
    ]
    /// Names that mean a target in a request, and may mean anything in an app's data.
    private static let targetNames: Set = ["to", "device", "targetarn", "topicarn", "endpointarn", "expo", "canonical"]

    /// True if a member holds a token or another target.
    func isTarget(_ name: String) -> Bool {
        let name = name.lowercased().filter { $0 != "_" && $0 != "-" }
        if Self.tokenNames.contains(name) { return true }
        return switch self {
        case .request, .event, .appState: Self.targetNames.contains(name)
        default: false
        }
    }

    // MARK: - Defined words

    /// True if a text is a number, a boolean, a word that a provider or a system defines, or has the form that a member or header requires.
    package static func isDefined(_ text: String, for name: String) -> Bool {
        if isNumber(text) || wordMembers.contains(name) && words.contains(text.lowercased()) { return true }
        return switch name {
        case "provider": RecordFormat(rawValue: text) != nil
        case "lang": isLanguage(text)
        case "color":
            text.hasPrefix("#") && [4, 7, 9].contains(text.utf8.count)
                && text.utf8.dropFirst().allSatisfy { $0.hexadecimalDigit != nil }
        // A point in time as of RFC 3339, with up to nanoseconds.
        case "event_time", "eventTime": text.utf8.count <= 35 && EventTime.milliseconds(text) != nil
        // A UUID.
        case "apns-id": text.utf8.count <= 36 && text.utf8.allSatisfy { $0.hexadecimalDigit != nil || $0 == 0x2D }
        default: false
        }
    }

    /// The longest number, in bytes.
    private static let longestNumber = 24

    /// A number, which may have a unit as in `3600s`, or a boolean.
    private static func isNumber(_ text: String) -> Bool {
        if text.isEmpty || text == "true" || text == "false" { return true }
        let digits = text.utf8.dropLast(text.utf8.count > 1 && text.hasSuffix("s") ? 1 : 0)
        return text.utf8.count <= longestNumber && digits.allSatisfy { $0.isDigit || "+-.".utf8.contains($0) }
    }

    /// A language tag as of BCP 47: a code of 2 or 3 letters, and parts of up to 8 letters and digits after hyphens.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return text.utf8.count <= 35 && (2...3).contains(parts.first?.count ?? 0)
            && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isLetter || $0.isDigit } }
    }

    /// Members and headers that have one of a few words.
    private static let wordMembers: Set = [
        "interruption-level", "interruptionLevel", "event", "push_type", "priority", "notification_priority",
        "notificationPriority", "visibility", "proxy", "urgency", "dir", "MessageStructure", "messageType",
        APNsHeader.pushType.name.description,
    ]

    /// Values that providers and systems define for them, in lower case.
    private static let words: Set<String> = {
        let enumerations: [FCMEnumeration] = [.messagePriority, .notificationPriority, .visibility, .proxy]
        let names = enumerations.flatMap(\.names).map(\.description) + PushType.table.map(\.wireName.description)
        return Set(names.map { $0.lowercased() }).union([
            "passive", "active", "time-sensitive", "critical", "start", "update", "end",
            // RFC 8030, section 5.3.
            "very-low", "low", "normal", "high",
            // WHATWG, Notifications API, `NotificationDirection`.
            "auto", "ltr", "rtl",
            // Amazon SNS, and Wikimedia.
            "json", "checkechov1",
        ])
    }()

    // MARK: - Own words

    /// True for a record or a state of pushpipe's own, whose members have names and words of its own.
    var isOwn: Bool {
        switch self {
        case .event, .appState, .registered, .appScreen, .appNotification: true
        default: false
        }
    }

    /// True if a text here is shown, where a number or a boolean is none.
    var isShown: Bool { self == .text || self == .alert }

    /// True if a member is known here.
    func defines(_ name: String) -> Bool {
        guard let row = Self.rows[self] else { return false }
        return row.kept.contains(name) || row.inner[name] != nil
    }

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
