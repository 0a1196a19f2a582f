import PushDecoding
import PushJSON
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
            report(Self.switchedOff, "Google shut this protocol down in 2024; use FCM HTTP v1", at: root)
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
                    Self.deprecatedKey, "\(member.name) is an encrypted message for Chrome; use Web Push",
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
        "GCM ended in 2019, and Google shut down FCM's legacy HTTP protocol from June 2024 on. Use FCM HTTP v1. Reported once per file.",
        source: .legacy, failing: Example.gcm(#""data":{"score":"12"}"#), passing: Example.fcmData)
    static let deprecatedKey = Rule.gcm(
        "gcm.deprecated-key", .info, "a deprecated key",
        "delay_while_idle and notification_key are deprecated. Address a device group with to. raw_data carried encrypted messages to Chrome before Chrome supported Web Push.",
        failing: #""delay_while_idle":true,"data":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)

    /// Reports mutable-content without text, because the extension changes what is shown. Source: Firebase, `mutable_content`; observed: firebase-ios-sdk issue 2048.
    private func checkMutable(_ mutable: LintMember, _ notification: LintNode?) {
        let texts: [StaticString] = ["title", "body", "subtitle", "title_loc_key", "body_loc_key"]
        if texts.contains(where: { (notification?[$0]?.string?.count ?? 0) > 0 }) { return }
        report(
            APSCombinationRules.mutableWithoutAlert,
            "without a notification to show, an Apple device does not run the service extension; add title or body to notification",
            at: mutable)
    }

    static let topicForm = Rule(
        "gcm.topic-form", .error, "a topic that is not addressed as /topics/name",
        "to takes /topics/ followed by the name. registration_ids takes only tokens.", source: .legacy,
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
                report(Self.topicForm, "address a topic as /topics/ followed by its name", at: to)
            }
        }
        root["registration_ids"]?.forEachElement { element in
            guard let string = element.string, string.hasEscapes || string.raw.hasPrefix("/topics/"),
                string.string.hasPrefix("/topics/")
            else { return }
            report(Self.topicForm, "registration_ids takes tokens; use to for a topic", at: element)
        }
    }

    static let dataNotString = Rule.gcm(
        "gcm.data-not-string", .warning, "a data value that is not a string",
        "Values should be strings. The server turns other values into strings, and the app receives text.",
        failing: #""data":{"score":12}"#, passing: #""data":{"score":"12"}"#, isFixable: true)
    static let confusingDataKey = Rule.gcm(
        "gcm.confusing-data-key", .warning, "a request key in data",
        "Google advises against names such as collapse_key in data. There they have no effect on delivery.",
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
                    "\(member.name) is \(member.value.kindName), which the server turns into a string",
                    at: member.value, edits: member.value.quotedScalar)
            }
            if DataKeys.isReserved(member.key, by: .gcm) {
                report(
                    Self.invalidDataKey,
                    "GCM reserves the name \"\(member.name)\"; GCM answers 200 InvalidDataKey", at: member)
            } else if member.key.isOne(of: GCMNameRules.keys.names),
                !["data", "notification", "to", "condition", "priority"].contains(member.name)
            {
                report(
                    Self.confusingDataKey,
                    "\(member.name) is a request key; in data it is only app data, and Google advises against it",
                    at: member)
            }
        }
    }

    static let nothingVisible = Rule.gcm(
        "gcm.nothing-visible", .warning, "a notification without title and body",
        "A sound, a tag or a click_action is part of a notification that has a title or a body. Without both, Android has nothing to show. For iOS, a badge alone is enough.",
        failing: #""notification":{"sound":"default","tag":"count"}"#,
        passing: #""notification":{"title":"Late count","sound":"default","tag":"count"}"#)

    static let notificationType = Rule.gcm(
        "gcm.notification-type", .warning, "a notification value that is not a string",
        "The values of notification are strings, including the badge. The loc-args are an array of strings.",
        failing: #""notification":{"title":"Late count","badge":3}"#,
        passing: #""notification":{"title":"Late count","badge":"3"}"#, isFixable: true)
    static let color = Rule.gcm(
        "gcm.color", .warning, "a color that is not #rrggbb", "The icon color is # followed by six hexadecimal digits.",
        failing: #""notification":{"title":"Late count","color":"red"}"#,
        passing: ##""notification":{"title":"Late count","color":"#ff0000"}"##)
    static let argumentsWithoutKey = Rule.gcm(
        "gcm.loc-args-without-key", .warning, "loc-args without their loc-key",
        "The arguments fill in the string that the key names.",
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
            report(Self.nothingVisible, "without a title or a body, there is nothing to show", at: notification)
        }
    }

    /// Refusals of `Acceptance`, which `RecordLinter` reports.
    private static let refusals = [
        refusal(
            .missingRegistration, "to, registration_ids or condition says who receives the message.",
            #"{"registration_ids":[],"data":{"score":"12"}}"#),
        refusal(
            .invalidRegistration, "The token must be exactly the one that the app received.",
            #"{"to":"has a space","data":{"score":"12"}}"#),
        refusal(
            .invalidParameters, "Each parameter has a type and a range.",
            Example.gcm(#""priority":10,"data":{"score":"12"}"#), passing: #""priority":"high","data":{"score":"12"}"#),
        refusal(
            .messageTooBig,
            "Keys and values of notification and data count: 4096 bytes for a device, 2048 for a topic.",
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
        "gcm.misspelled-key", .error, "a misspelled request key",
        "Names in the legacy protocol have underscores. Other spellings are ignored.",
        failing: #""collapseKey":"score","data":{"score":"12"}"#,
        passing: #""collapse_key":"score","data":{"score":"12"}"#, isFixable: true)
    static let unknownKey = Rule.gcm(
        "gcm.unknown-key", .warning, "an unknown request key",
        "The key is ignored. The message says where a key of another object or of HTTP v1 belongs. Put app data in data.",
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
                Self.misspelledKey, "unknown key \"\(name)\"; did you mean \(key), which is deprecated?", at: member)
        }
        let form = GCMForm(member.value, of: key)
        report(
            Self.misspelledKey, "unknown key \"\(name)\"; did you mean \(key)\(form.advice)?", at: member,
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
        let start = "unknown key \"\(member.name)\" in \(place)"
        if let hint {
            report(Self.unknownKey, "\(start); \(hint)", at: member)
        } else if let meant = names.suggestion(for: member.name) {
            report(Self.misspelledKey, start + meant.hint(in: object), at: member)
        } else {
            report(Self.unknownKey, "\(start); put app data in data", at: member)
        }
    }

    private func hint(_ name: String) -> String? {
        if let block = Self.blocks.spelled(like: name) { return hint(block: block) }
        if let hint = Self.targets[name] { return isForSNS ? "SNS sets the target" : hint }
        if let hint = Self.requestHints[name] { return hint }
        if let key = Self.notificationKeys.spelled(like: name) {
            return "use notification.\(key) for the notification, or data for the app"
        }
        return appleHint(name)
    }

    /// Blocks of a message in HTTP v1.
    private static let blocks = NameList(["android", "apns", "webpush", "fcm_options", "android_v2"])

    private func hint(block: StaticString) -> String {
        let message = "{\"message\": {\"\(block)\": …}}"
        return "it belongs in an HTTP v1 message: "
            + (isForSNS ? "{\"fcmV1Message\": \(message)}" : message)
    }

    private static let targets = NameHints([
        (["token", "fid"], "this is the HTTP v1 name of the target; use to"),
        (["topic"], "this is the HTTP v1 name for a topic; use to, as in \"/topics/news\""),
        (["topics"], "use to for a topic, as in \"/topics/news\""),
        (["registration_id", "registration_token", "device_token"], "use to for one token"),
        (["tokens", "registration_tokens", "device_tokens"], "use registration_ids for several tokens"),
    ])
    private static let requestHints = NameHints([
        (["validate_only"], "this is the HTTP v1 name of dry_run"),
        (["ttl"], "this is the HTTP v1 name of time_to_live, a number of seconds"),
        (["expiration", "expiry", "apns_expiration"], "did you mean time_to_live (a number of seconds from now)?"),
        (["collapse_id", "apns_collapse_id"], "did you mean collapse_key?"),
        (["package_name"], "did you mean restricted_package_name?"),
        (["apns_priority"], "did you mean priority (high or normal)?"),
        (["alert"], "use notification.body for the notification"),
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
                Self.misspelledKey, "unknown key \"\(name)\" in notification; did you mean \(key)?", at: member,
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
            return "it belongs in the request, next to notification\(spelling ?? ", as \(key)\(form.advice)")"
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
        (["text", "message", "content", "alert"], "did you mean body?"),
        (["channel_id", "channel", "notification_channel"], "did you mean android_channel_id?"),
        (["image_url", "picture", "photo"], "did you mean image?"),
        (["loc_key"], "did you mean body_loc_key?"), (["loc_args"], "did you mean body_loc_args?"),
        (["category"], "did you mean click_action (the category on Apple devices)?"),
        (["icon_color"], "did you mean color?"), (["badge_count"], "did you mean badge?"),
        (["ttl"], "it belongs in the request, next to notification, as time_to_live (a number of seconds)"),
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
            require(" (true or false)")
        case "priority":
            let level = value.swiftString?.lowercased() ?? value.source
            if value.swiftString == "high" || value.swiftString == "normal" { return }
            // Source: Firebase, `priority`: they are 5 and 10 of APNs.
            text = ["high": "\"high\"", "normal": "\"normal\"", "10": "\"high\"", "5": "\"normal\""][level]
            require(" (high or normal)")
        case "time_to_live":
            if value.view.int64 != nil { return }
            let seconds = value.swiftString.map { $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
            text = seconds.flatMap { UInt32($0) }.map(String.init)
            require(" (a number of seconds)")
        case "data", "notification":
            isFixable = value.isObject
            if !isFixable { advice = " (an object)" }
        case "registration_ids":
            isFixable = value.kind == .array
            if !isFixable { advice = " (an array of tokens)" }
        default:
            isFixable = value.isString
            if !isFixable { advice = " (a string)" }
        }
    }

    private mutating func require(_ words: String) {
        isFixable = text != nil
        advice = words
    }
}
