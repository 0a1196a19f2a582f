import PushDecoding
import PushJSON
import PushModel

/// Names that the objects of a message for FCM do not have.
struct FCMNameRules: RuleCheck {
    static let rules = [unknownKey, legacyKey, misplacedKey]
    let run: LintRun

    func check(_ member: LintMember, in object: LintNode, of type: FCMObject) {
        let name = member.name
        if type == .message, let hint = FCMPlaces.legacyHint(name) {
            refuse(Self.legacyKey, "\(name) is not a field of message; \(hint)", at: member)
        } else if type == .apns, name == "aps" {
            refuse(Self.legacyKey, "aps belongs in apns.payload", at: member)
        } else if type == .notification, name == "badge" {
            refuse(
                Self.misplacedKey,
                "badge belongs in apns.payload.aps, or in android.notification as notification_count",
                at: member)
        } else if type == .notification, FCMFieldIndex.shared.field(member.key, of: .androidNotification) != nil {
            refuse(
                Self.misplacedKey,
                "\(name) belongs in android.notification\(Self.applePlace(of: name)); notification has title, body and image",
                at: member)
        } else {
            checkUnknown(member, in: object, of: type)
        }
    }

    /// The place of the same value for Apple devices, as the end of a message.
    private static func applePlace(of name: String) -> String {
        let key =
            APSRules.keys.spelled(like: name)?.description
            ?? AlertRules.shownKeys.spelled(like: name).map { "alert.\($0)" }
        return key.map { ", and for Apple devices in apns.payload.aps.\($0)" } ?? ""
    }

    static let legacyKey = Rule.fcm(
        "fcm.legacy-key", .error, "a legacy name in a v1 message",
        "to, registration_ids, priority, time_to_live and similar names have other places in v1. In message, FCM does not know them and answers 400 INVALID_ARGUMENT.",
        failing: #""data":{"score":"12"},"priority":"high""#,
        passing: #""data":{"score":"12"},"android":{"priority":"HIGH"}"#)
    static let misplacedKey = Rule.fcm(
        "fcm.misplaced-key", .error, "a field of android.notification in the common notification",
        "notification has title, body and image, which every platform understands. Icon, sound, tag and similar fields belong in android.notification, a badge in apns.payload.aps. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""notification":{"title":"Late count","sound":"default"}"#,
        passing: #""notification":{"title":"Late count"},"android":{"notification":{"sound":"default"}}"#)

    /// The names of each type, for finding the one that was meant.
    private static let names = FCMObject.allCases.map {
        // FCM sets name itself.
        NameList(FCMField.all(of: $0).map(\.name), rare: $0 == .message ? ["name"] : [])
    }
    static let unknownKey = Rule.fcm(
        "fcm.unknown-key", .error, "a field that does not exist",
        "FCM's parser knows every field. To any other name, it answers 400 INVALID_ARGUMENT: Cannot find field. Put app data in data.",
        source: .fcmUnknownName, failing: #""datas":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)

    private func checkUnknown(_ member: LintMember, in object: LintNode, of type: FCMObject) {
        let hint = FCMPlaces.hint(member.name, in: type)
        let meant = hint == nil ? Self.names[Int(type.rawValue)].suggestion(for: member.name) : nil
        refuse(
            Self.unknownKey,
            "\(Self.place(of: type)) has no field \"\(member.name)\"\(hint.map { "; \($0)" } ?? meant?.hint ?? "")",
            at: member, edits: meant?.renaming(member, in: object) ?? [])
    }

    /// The field that holds a type, as people know it.
    private static func place(of type: FCMObject) -> String {
        switch type {
        case .request: "the request"
        case .androidNotification: "android.notification"
        case .notificationV2: "remote_notification.notification"
        case .fcmOptions, .androidOptions, .webpushOptions, .apnsOptions: "fcm_options"
        default: FCMField.table.first { $0.type == .message(type) }?.name.description ?? "message"
        }
    }
}

/// The right places in a message of HTTP v1 for values whose names stand somewhere else.
///
/// Sources: Firebase, REST Resource: projects.messages; "Migrate from legacy FCM APIs to HTTP v1"; Firebase Admin SDK for Node.js, whose names
/// differ from those of the interface.
enum FCMPlaces {
    /// Advice about a name of the legacy request; nil for any other.
    static func legacyHint(_ name: String) -> String? {
        withoutSuccessor[name] ?? legacy[name].map { "use \($0)" }
    }

    private static let withoutSuccessor = NameHints([(["delay_while_idle"], "it has no successor; omit it")])

    /// Names of the legacy request, and where their values belong.
    private static let legacy = NameHints([
        (["to"], "message.token"), (["registration_ids", "tokens"], "message.token, one request per token"),
        (["registration_token", "registration_id"], "message.token"),
        (["registration_tokens"], "message.token, one request per token"),
        (["topics"], "message.topic, one request per topic"),
        (["collapse_key"], "message.android.collapse_key"), (["priority"], "message.android.priority"),
        (["time_to_live", "ttl"], "message.android.ttl, as in \"3600s\""),
        (["restricted_package_name", "package_name"], "message.android.restricted_package_name"),
        (["dry_run", "validate_only"], "validate_only, next to message"),
        (["content_available"], "content-available: 1 in message.apns.payload.aps"),
        (["mutable_content"], "mutable-content: 1 in message.apns.payload.aps"),
        (["aps"], "message.apns.payload.aps"),
        (["headers"], "message.apns.headers or message.webpush.headers"), (["payload"], "message.apns.payload"),
    ])

    /// Advice about a name that a type does not have; nil if nothing is known about it.
    static func hint(_ name: String, in type: FCMObject) -> String? {
        if fields[type]?.spelled(like: name) != nil { return nil }
        if let hint = own[type]?[name] { return hint }
        return withoutSuccessor[name] ?? place(of: name, in: type).map { "use \($0)" }
    }

    private static func place(of name: String, in type: FCMObject) -> String? {
        switch type {
        case .request:
            if let field = fields[.message]?.spelled(like: name) { return "message.\(field)" }
        case .apns, .apnsOptions:
            if let place = applePlace(of: name) { return place }
        case .webpush, .webpushOptions:
            if let place = webPlaces[name] { return place }
        default: break
        }
        return legacy[name] ?? fieldPlace(of: name, outside: type) ?? applePlace(of: name)
    }

    // MARK: - Other names

    private static let notification = NameHints([
        (["badge", "badge_count", "number", "count"], "did you mean notification_count?"),
        (["event_timestamp", "timestamp", "when"], "did you mean event_time, as in \"2024-11-05T18:00:00Z\"?"),
        (["image_url", "picture", "photo"], "did you mean image?"),
        (["android_channel_id", "channel", "notification_channel"], "did you mean channel_id?"),
        (
            ["priority"],
            "did you mean notification_priority, as in PRIORITY_HIGH, or message.android.priority for the delivery, as in HIGH?"
        ),
        (["default_vibrate"], "did you mean default_vibrate_timings?"),
        (["default_lights"], "did you mean default_light_settings?"),
        (["vibrate_timings_millis", "vibrate"], "did you mean vibrate_timings, as in [\"0.5s\"]?"),
        (["lights"], "did you mean light_settings?"), (["icon_color"], "did you mean color?"),
        (["small_icon"], "did you mean icon?"),
        (["ticker_text"], "did you mean ticker?"),
        (["sound_name"], "did you mean sound?"), (["loc_key"], "did you mean body_loc_key?"),
        (["loc_args"], "did you mean body_loc_args?"), (["text", "message"], "did you mean body?"),
    ])
    private static let light = NameHints([
        (["light_on_duration_millis"], "did you mean light_on_duration, as in \"0.5s\"?"),
        (["light_off_duration_millis"], "did you mean light_off_duration, as in \"0.5s\"?"),
    ])

    /// Names for what the type itself has.
    private static let own: [FCMObject: NameHints] = [
        .request: NameHints([
            (["dry_run"], "did you mean validate_only?"), (["messages"], "use message, one request per message"),
        ]),
        .message: NameHints([
            (["image_url", "picture", "photo"], "use message.notification.image"),
            (["ios", "apple"], "did you mean apns?"), (["web"], "did you mean webpush?"),
        ]),
        .fcmOptions: NameHints([(["image_url"], "use message.notification.image")]),
        .notification: NameHints([
            (["image_url", "picture", "photo"], "did you mean image?"), (["text", "message"], "did you mean body?"),
            (["android_channel_id"], "use message.android.notification.channel_id"),
            (["event_timestamp"], "use message.android.notification.event_time"),
        ]),
        .android: NameHints([
            (["time_to_live"], "use ttl, as in \"3600s\""), (["package_name"], "use restricted_package_name"),
            (["android_channel_id"], "use message.android.notification.channel_id"),
            (["image_url"], "use message.android.notification.image"),
        ]),
        .androidNotification: notification, .notificationV2: notification, .lightSettings: light,
        .lightSettingsV2: light,
        .apns: NameHints([
            (["aps"], "use message.apns.payload.aps"),
            (
                ["ttl", "time_to_live"],
                "use apns-expiration in message.apns.headers, as a string of seconds since 1970"
            ), (["collapse_key"], "use apns-collapse-id in message.apns.headers"),
            (["image_url"], "use message.apns.fcm_options.image"),
        ]),
        .apnsOptions: NameHints([(["image_url", "picture", "photo"], "did you mean image?")]),
        .webpush: NameHints([
            (["image_url"], "use message.webpush.notification.image"),
            (["payload"], "its content belongs in message.webpush.notification or message.webpush.data"),
            (["collapse_key"], "use Topic in message.webpush.headers"),
            (["sound"], "a browser's notification has no sound; omit it"),
        ]),
        .webpushOptions: NameHints([
            (["url", "click_action"], "did you mean link?"),
            (["image_url"], "use message.webpush.notification.image"),
        ]),
    ]

    /// Options of a browser's notification, and what stands beside them.
    private static let webPlaces = NameHints(
        [
            "title", "body", "icon", "image", "badge", "tag", "actions", "dir", "lang", "silent", "vibrate", "renotify",
            "requireInteraction", "timestamp",
        ].map { ([$0], "message.webpush.notification.\($0)") }
            + [
                (["ttl", "time_to_live"], "TTL in message.webpush.headers, a string"),
                (["urgency", "priority"], "Urgency in message.webpush.headers"),
                (["topic"], "Topic in message.webpush.headers"),
                (["click_action", "url"], "message.webpush.fcm_options.link"),
            ])

    // MARK: - Fields of other types

    private static let fields: [FCMObject: NameList] = Dictionary(
        uniqueKeysWithValues: FCMObject.allCases.map { type in
            (type, NameList(FCMField.all(of: type).map(\.name).filter { type != .message || $0.description != "name" }))
        })

    /// The types of which a field may have been meant, in the order in which they are likely.
    private static let others: [(type: FCMObject, path: String)] = [
        (.message, "message"), (.notification, "message.notification"), (.android, "message.android"),
        (.androidNotification, "message.android.notification"), (.fcmOptions, "message.fcm_options"),
        (.webpushOptions, "message.webpush.fcm_options"), (.apns, "message.apns"),
        (.lightSettings, "message.android.notification.light_settings"),
    ]

    private static func fieldPlace(of name: String, outside type: FCMObject) -> String? {
        for (other, path) in others where other != type {
            if let field = fields[other]?.spelled(like: name) { return "\(path).\(field)" }
        }
        return nil
    }

    /// The place of a key of Apple's payloads, or of a header of APNs.
    private static func applePlace(of name: String) -> String? {
        if NearMiss.folded(name) == NearMiss.folded("image") { return "message.apns.fcm_options.image" }
        if let key = APSRules.keys.spelled(like: name) { return "message.apns.payload.aps.\(key)" }
        if let key = AlertRules.keys.spelled(like: name) { return "message.apns.payload.aps.alert.\(key)" }
        let header = APNsHeader.names.spelled(like: name)?.description
        return (header ?? APNsHeader.suggestion(withoutPrefix: name)?.name).map {
            "\($0) in message.apns.headers, a string"
        }
    }
}
