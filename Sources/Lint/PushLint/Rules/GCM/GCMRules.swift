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

    /// As on the phone: the extension changes what is shown. Source: Firebase, `mutable_content`; observed: firebase-ios-sdk issue 2048.
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
            Example.gcm(#""data":{"text":"\#(String(repeating: "x", count: 4093))"}"#),
            passing: #""data":{"text":"\#(String(repeating: "x", count: 4092))"}"#),
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
