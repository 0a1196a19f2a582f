import PayloadJSON
import PushDecoding
import PushModel

/// Messages of the protocol that GCM and FCM had before. Source: Firebase Cloud Messaging HTTP protocol.
struct GCMRules: RuleCheck {
    static let rules =
        [
            switchedOff, deprecatedKey, topicForm, dataNotString, confusingDataKey, invalidDataKey, notificationType,
            color, argumentsWithoutKey, nothingVisible,
        ] + refusals

    let run: LintRun
    /// True for the text that Amazon SNS is given, which has no target. SNS turns it into a message of HTTP v1.
    /// Source: Amazon SNS developer guide, "Using Google Firebase Cloud Messaging v1 payloads in Amazon SNS".
    var isForSNS = false

    /// A request of GCM, or of FCM's legacy HTTP protocol.
    func check(_ root: LintNode) {
        if !isForSNS {
            report(Self.switchedOff, "Google switched this protocol off in 2024; FCM HTTP v1 is in its place", at: root)
        }
        var mutable: LintMember?
        root.forEachMember { member in
            if member.key.isOne(of: GCMNameRules.keys.names) {
                if member.key == "mutable_content" {
                    mutable = member
                } else if member.key == "delay_while_idle" || member.key == "notification_key" {
                    report(Self.deprecatedKey, "\(member.name) is deprecated", at: member)
                }
            } else if member.key.isOne(of: Self.rawData) {
                // Sources: Google, "Web Push Payload Encryption"; web-push-libs/web-push pull request 118.
                report(
                    Self.deprecatedKey, "\(member.name) is an encrypted message for Chrome; Web Push is in its place",
                    at: member)
            } else if !(member.key == "provider"), !(member.key == "device") {
                GCMNameRules(run: run, isForSNS: isForSNS).check(member, in: root)
            }
        }
        if let mutable, mutable.value.kind == .true { checkMutable(mutable, root["notification"]) }
        checkTargets(root)
        checkData(root["data"])
        if !run.readers.isEmpty { SchemaRules(run: run).check(data: root["data"], of: root) }
        if let notification = root["notification"], notification.isObject { checkNotification(notification) }
    }

    private static let rawData: [StaticString] = ["raw_data", "rawData", "raw-data"]

    static let switchedOff = Rule(
        "gcm.switched-off", .warning, "a request of the legacy protocol",
        "GCM ended in 2019, and FCM's legacy HTTP protocol was switched off from June 2024 on. FCM HTTP v1 is in its place. It is reported once a file.",
        source: .legacy, failing: Example.gcm(#""data":{"score":"12"}"#), passing: Example.fcmData)
    static let deprecatedKey = Rule.gcm(
        "gcm.deprecated-key", .info, "a key that is deprecated",
        "delay_while_idle and notification_key are deprecated; a device group is addressed with to. raw_data carried encrypted messages to Chrome before it took Web Push.",
        failing: #""delay_while_idle":true,"data":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)

    /// Reports mutable-content without text, because the extension changes what is shown. Source: Firebase, `mutable_content`; observed: firebase-ios-sdk issue 2048.
    private func checkMutable(_ mutable: LintMember, _ notification: LintNode?) {
        let texts: [StaticString] = ["title", "body", "subtitle", "title_loc_key", "body_loc_key"]
        if texts.contains(where: { (notification?[$0]?.string?.count ?? 0) > 0 }) { return }
        report(
            APSCombinationRules.mutableWithoutAlert,
            "without a notification to show, an Apple device does not run the extension; add title or body in notification",
            at: mutable)
    }

    static let topicForm = Rule(
        "gcm.topic-form", .error, "a topic that is not addressed as /topics/name",
        "to takes /topics/ and the name. registration_ids takes only tokens.", source: .legacy,
        failing: #"{"to":"/topic/results","data":{"score":"12"}}"#,
        passing: #"{"to":"/topics/results","data":{"score":"12"}}"#)

    /// Misspellings of the prefix of topics.
    private func checkTargets(_ root: LintNode) {
        let content = FCMContentRules(run: run)
        content.checkToken(root["to"])
        root["registration_ids"]?.forEachElement(content.checkToken)
        if let to = root["to"], let string = to.string,
            string.hasEscapes || string.raw.hasPrefix("/topic/") || string.raw.hasPrefix("topic")
        {
            let name = string.string
            for form in ["/topic/", "topics/", "topic/"] where name.hasPrefix(form) {
                report(Self.topicForm, "a topic is addressed as /topics/ and its name", at: to)
            }
        }
        root["registration_ids"]?.forEachElement { element in
            guard let string = element.string, string.hasEscapes || string.raw.hasPrefix("/topics/"),
                string.string.hasPrefix("/topics/")
            else { return }
            report(Self.topicForm, "registration_ids takes tokens; a topic is addressed with to", at: element)
        }
    }

    static let dataNotString = Rule.gcm(
        "gcm.data-not-string", .warning, "a value of data that is not a string",
        "The values should be strings: the server turns others into strings, and the app gets text.",
        failing: #""data":{"score":12}"#, passing: #""data":{"score":"12"}"#, isFixable: true)
    static let confusingDataKey = Rule.gcm(
        "gcm.confusing-data-key", .warning, "a name of the request in data",
        "Google advises against names such as collapse_key in data. There they have no effect on the delivery.",
        failing: #""data":{"collapse_key":"score"}"#, passing: #""collapse_key":"score","data":{"score":"12"}"#)

    /// `Acceptance` refuses it, too.
    private static let invalidDataKey = refusal(
        .invalidDataKey, "from, message_type, and names that begin with google or gcm are reserved.",
        Example.gcm(#""data":{"google.sent":"1"}"#))

    private func checkData(_ data: LintNode?) {
        guard let data, data.isObject else { return }
        data.forEachMember { member in
            if !member.value.isString {
                report(
                    Self.dataNotString,
                    "\(member.name) is \(member.value.kindName); values of data are strings, and the server turns others into them",
                    at: member.value, edits: member.value.quotedScalar)
            }
            if DataKeys.isReserved(member.key, by: .gcm) {
                report(
                    Self.invalidDataKey,
                    "GCM keeps the name \"\(member.name)\" for itself; GCM answers 200 InvalidDataKey", at: member)
            } else if member.key.isOne(of: GCMNameRules.keys.names),
                !["data", "notification", "to", "condition", "priority"].contains(member.name)
            {
                report(
                    Self.confusingDataKey,
                    "\(member.name) is a name of the request; in data it is the app's own, and Google advises against it",
                    at: member)
            }
        }
    }

    static let nothingVisible = Rule.gcm(
        "gcm.nothing-visible", .warning, "a notification without title and body",
        "A sound, a tag or a click_action is part of a notification that has a title or a body. Android has nothing to show for one without both; for iOS a badge alone will do.",
        failing: #""notification":{"sound":"default","tag":"count"}"#,
        passing: #""notification":{"title":"Late count","sound":"default","tag":"count"}"#)

    static let notificationType = Rule.gcm(
        "gcm.notification-type", .warning, "a value of notification that is not a string",
        "The values of notification are strings, the badge too; the loc-args are an array of strings.",
        failing: #""notification":{"title":"Late count","badge":3}"#,
        passing: #""notification":{"title":"Late count","badge":"3"}"#, isFixable: true)
    static let color = Rule.gcm(
        "gcm.color", .warning, "a color that is not #rrggbb", "The icon's color is # and six hexadecimal digits.",
        failing: #""notification":{"title":"Late count","color":"red"}"#,
        passing: ##""notification":{"title":"Late count","color":"#ff0000"}"##)
    static let argumentsWithoutKey = Rule.gcm(
        "gcm.loc-args-without-key", .warning, "loc-args without the loc-key that they belong to",
        "Arguments fill the text that the key names.",
        failing: #""notification":{"body":"Late count","body_loc_args":["4"]}"#,
        passing: #""notification":{"body_loc_key":"COUNT","body_loc_args":["4"]}"#)

    private func checkNotification(_ notification: LintNode) {
        // Looked up once: a hostile object may repeat a name thousands of times.
        let bodyKey = notification["body_loc_key"]
        let titleKey = notification["title_loc_key"]
        notification.forEachMember { member in
            let value = member.value
            guard member.key.isOne(of: GCMNameRules.notificationKeys.names) else {
                return GCMNameRules(run: run, isForSNS: isForSNS).check(notification: member, in: notification)
            }
            guard value.kind != .null else { return }
            switch member.key {
            case "body_loc_args", "title_loc_args":
                // In the reference they are a string that contains an array.
                if !value.isString { checkArguments(Self.notificationType, member.name, value) }
                if (member.key == "body_loc_args" ? bodyKey : titleKey) == nil {
                    report(
                        Self.argumentsWithoutKey, "\(member.name) has no effect without \(member.name.dropLast(4))key",
                        at: member)
                }
            case "color": FCMAndroidRules(run: run).checkColor(value, Self.color, "")
            default: if !value.isString { reportKind(Self.notificationType, value, member.name, expected: "a string") }
            }
        }
        if notification.hasMembers, !FCMContentRules.hasText(notification), notification["badge"] == nil,
            notification["subtitle"] == nil,
            !run.hasReported(GCMNameRules.misspelledKey.id)
        {
            report(Self.nothingVisible, "without a title or a body there is nothing to show", at: notification)
        }
    }

    /// Refusals of `Acceptance`, which `RecordLinter` reports.
    private static let refusals = [
        refusal(
            .missingRegistration, "to, registration_ids or condition names whom the message is for.",
            #"{"registration_ids":[],"data":{"score":"12"}}"#),
        refusal(
            .invalidRegistration, "The token must be the one that the app got, without anything added.",
            #"{"to":"has a space","data":{"score":"12"}}"#),
        refusal(
            .invalidParameters, "Each parameter has a type and a range.",
            Example.gcm(#""priority":10,"data":{"score":"12"}"#), passing: #""priority":"high","data":{"score":"12"}"#),
        refusal(
            .messageTooBig,
            "Keys and values of notification and data count, 4096 bytes for a device and 2048 for a topic.",
            Example.gcm(#""data":{"text":"\#(Example.repeated("x", 4093))"}"#),
            passing: #""data":{"text":"\#(Example.repeated("x", 4092))"}"#),
        refusal(
            .invalidTtl, "time_to_live is a number of seconds, at most four weeks.",
            Example.gcm(#""time_to_live":2419201,"data":{"score":"12"}"#),
            passing: #""time_to_live":2419200,"data":{"score":"12"}"#),
    ]

    private static func refusal(
        _ rejection: Rejection, _ explanation: String, _ failing: String, passing: String = #""data":{"score":"12"}"#
    ) -> Rule { Rule.refusal(rejection, explanation, source: .legacy, failing: failing, passing: Example.gcm(passing)) }
}

extension Rule {
    /// A rule about a request for a token.
    static func gcm(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String, failing: String,
        passing: String, isFixable: Bool = false
    ) -> Rule {
        Rule(
            id, severity, title, explanation, source: .legacy, failing: Example.gcm(failing),
            passing: Example.gcm(passing), isFixable: isFixable)
    }
}

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
        } else if let meant = names.suggestion(for: member.name) {
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
