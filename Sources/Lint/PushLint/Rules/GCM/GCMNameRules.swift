import PayloadJSON
import PushDecoding
import PushModel

/// Names that a request of the legacy protocol and its notification do not have.
///
/// Sources: Firebase Cloud Messaging HTTP protocol; Firebase, "Migrate from legacy FCM APIs to HTTP v1".
struct GCMNameRules: RuleCheck {
    static let rules = [misspelledKey, unknownKey]

    static let keys = NameList(
        [
            "to", "registration_ids", "condition", "notification_key", "collapse_key", "priority", "content_available",
            "mutable_content", "time_to_live", "delay_while_idle", "restricted_package_name", "dry_run", "data",
            "notification",
        ], rare: ["notification_key", "delay_while_idle"])
    static let notificationKeys = NameList([
        "title", "body", "subtitle", "android_channel_id", "icon", "sound", "badge", "tag", "color", "click_action",
        "body_loc_key", "body_loc_args", "title_loc_key", "title_loc_args", "image",
    ])

    let run: LintRun
    let isForSNS: Bool

    static let misspelledKey = Rule.gcm(
        "gcm.misspelled-key", .error, "a key of the request in another spelling",
        "The legacy protocol has names with underscores. In another spelling they are not read.",
        failing: #""collapseKey":"score","data":{"score":"12"}"#,
        passing: #""collapse_key":"score","data":{"score":"12"}"#, isFixable: true)
    static let unknownKey = Rule.gcm(
        "gcm.unknown-key", .warning, "a key that the request does not have",
        "It is not read there. The message says where a key of another place or of HTTP v1 belongs; data for the app belongs in data.",
        failing: #""article":7,"data":{"score":"12"}"#, passing: #""data":{"score":"12","article":"7"}"#)

    // MARK: - Request

    /// A member of the request.
    func check(_ member: LintMember, in root: LintNode) {
        if run.isFull { return }
        let name = member.name
        guard let key = Self.keys.spelled(like: name) else {
            return reportUnknown(member, "the request", hint: hint(name), in: root, among: Self.keys)
        }
        if key.description == "delay_while_idle" || key.description == "notification_key" {
            return report(
                Self.misspelledKey, "the request has no key \"\(name)\"; \(key) is meant, and deprecated", at: member)
        }
        let form = GCMForm(member.value, of: key)
        report(
            Self.misspelledKey, "the request has no key \"\(name)\"; \(key) is meant\(form.advice)", at: member,
            edits: form.isFixable ? renaming(member, to: key, form.text, in: root) : [])
    }

    private func renaming(_ member: LintMember, to key: StaticString, _ text: String?, in root: LintNode) -> [TextEdit]
    {
        let edits = member.renamed(to: key.description, in: root)
        guard !edits.isEmpty, let text else { return edits }
        return edits + [TextEdit(member.value.range, text)]
    }

    /// A name that is near one of the keys is taken for it; any other may be data of the app.
    private func reportUnknown(
        _ member: LintMember, _ place: String, hint: String?, in object: LintNode, among names: NameList
    ) {
        let start = "\(place) has no key \"\(member.name)\""
        if let hint {
            report(Self.unknownKey, "\(start); \(hint)", at: member)
        } else if let meant = names.lookAlike(member.name) {
            report(Self.misspelledKey, start + meant.hint(in: object), at: member)
        } else {
            report(Self.unknownKey, "\(start); data for the app belongs in data", at: member)
        }
    }

    private func hint(_ name: String) -> String? {
        if let block = Self.blocks.spelled(like: name) { return hint(block: block) }
        if let hint = Self.targets[name] { return isForSNS ? "SNS sets the target" : hint }
        if let hint = Self.requestHints[name] { return hint }
        if let key = Self.notificationKeys.spelled(like: name) {
            return "for the notification it belongs in notification, as \(key), and for the app in data"
        }
        return appleHint(name)
    }

    /// Blocks of a message in HTTP v1.
    private static let blocks = NameList(["android", "apns", "webpush", "fcm_options", "android_v2"])

    private func hint(block: StaticString) -> String {
        let message = "{\"message\": {\"\(block)\": …}}"
        return "it is a block of HTTP v1, which takes it in "
            + (isForSNS ? "{\"fcmV1Message\": \(message)}" : message)
    }

    private static let targets = NameHints([
        (["token", "fid"], "it is HTTP v1's name for the target, which is to here"),
        (["topic"], "it is HTTP v1's name for a topic, which is addressed with to here, as in \"/topics/news\""),
        (["topics"], "a topic is addressed with to, as in \"/topics/news\""),
        (["registration_id", "registration_token", "device_token"], "one token is addressed with to"),
        (["tokens", "registration_tokens", "device_tokens"], "several tokens are addressed with registration_ids"),
    ])
    private static let requestHints = NameHints([
        (["validate_only"], "it is HTTP v1's name for dry_run"),
        (["ttl"], "it is HTTP v1's name for time_to_live, which is a number of seconds here"),
        (["expiration", "expiry", "apns_expiration"], "time_to_live is meant, a number of seconds from now"),
        (["collapse_id", "apns_collapse_id"], "collapse_key is meant"),
        (["package_name"], "restricted_package_name is meant"),
        (["apns_priority"], "priority is meant, which is high or normal"),
        (["alert"], "for the notification it belongs in notification, as body"),
    ])

    /// Keys of Apple's payloads that the legacy protocol cannot send.
    private func appleHint(_ name: String) -> String? {
        let aps = (isForSNS ? "fcmV1Message.message" : "message") + ".apns.payload.aps"
        if NearMiss.folded(name) == NearMiss.folded("aps") { return "HTTP v1 takes it as \(aps)" }
        if let key = APSRules.keys.spelled(like: name) { return "HTTP v1 takes it as \(aps).\(key)" }
        return AlertRules.keys.spelled(like: name).map { "HTTP v1 takes it as \(aps).alert.\($0)" }
    }

    // MARK: - Notification

    /// A member of `notification`.
    func check(notification member: LintMember, in notification: LintNode) {
        if run.isFull { return }
        let name = member.name
        if let key = Self.notificationKeys.spelled(like: name) {
            return report(
                Self.misspelledKey, "notification has no key \"\(name)\"; \(key) is meant", at: member,
                edits: member.renamed(to: key.description, in: notification))
        }
        reportUnknown(
            member, "notification", hint: notificationHint(name, member.value), in: notification,
            among: Self.notificationKeys)
    }

    private func notificationHint(_ name: String, _ value: LintNode) -> String? {
        if let key = Self.keys.spelled(like: name) {
            let form = GCMForm(value, of: key)
            let spelling = form.isFixable ? form.text.map { ", as \(key): \($0)" } : nil
            return "it belongs in the request, beside notification\(spelling ?? ", as \(key)\(form.advice)")"
        }
        if let hint = Self.notificationHints[name] { return hint }
        if let hint = Self.targets[name] { return isForSNS ? "SNS sets the target" : hint }
        if let block = Self.blocks.spelled(like: name) { return hint(block: block) }
        if let field = Self.androidFields.spelled(like: name) {
            return "HTTP v1 takes it as \(isForSNS ? "fcmV1Message.message" : "message").android.notification.\(field)"
        }
        return appleHint(name)
    }

    private static let androidFields = NameList(FCMField.all(of: .androidNotification).map(\.name))

    private static let notificationHints = NameHints([
        (["text", "message", "content", "alert"], "body is meant"),
        (["channel_id", "channel", "notification_channel"], "android_channel_id is meant"),
        (["image_url", "picture", "photo"], "image is meant"),
        (["loc_key"], "body_loc_key is meant"), (["loc_args"], "body_loc_args is meant"),
        (["category"], "click_action is meant: on Apple devices it is the category"),
        (["icon_color"], "color is meant"), (["badge_count"], "badge is meant"),
        (["ttl"], "it belongs in the request, beside notification, as time_to_live, a number of seconds"),
    ])
}

/// The form that the value of a key of the request must have, and the text to put in its place.
struct GCMForm {
    /// False if the value does not say which one is meant.
    var isFixable = true
    /// The value in the form that the key takes; nil if it has it.
    var text: String?
    /// The values that the key takes, if the value is not one of them.
    var advice = ""

    init(_ value: LintNode, of key: StaticString) {
        switch key.description {
        case "content_available", "mutable_content", "dry_run":
            if value.kind == .true || value.kind == .false { return }
            let isOff = value.source == "0" || value.swiftString == "0" || value.swiftString == "false"
            text = APSContent.isMeantAsOne(value) ? "true" : isOff ? "false" : nil
            require(", which is true or false")
        case "priority":
            let level = value.swiftString?.lowercased() ?? value.source
            if value.swiftString == "high" || value.swiftString == "normal" { return }
            // Source: Firebase, `priority`: they are 5 and 10 of APNs.
            text = ["high": "\"high\"", "normal": "\"normal\"", "10": "\"high\"", "5": "\"normal\""][level]
            require(", which is high or normal")
        case "time_to_live":
            if value.view.int64 != nil { return }
            let seconds = value.swiftString.map { $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
            text = seconds.flatMap { UInt32($0) }.map(String.init)
            require(", a number of seconds")
        case "data", "notification":
            isFixable = value.isObject
            if !isFixable { advice = ", an object" }
        case "registration_ids":
            isFixable = value.kind == .array
            if !isFixable { advice = ", an array of tokens" }
        default:
            isFixable = value.isString
            if !isFixable { advice = ", a string" }
        }
    }

    private mutating func require(_ words: String) {
        isFixable = text != nil
        advice = words
    }
}
