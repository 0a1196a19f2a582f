import PushDecoding
import PushJSON
import PushModel

/// Messages of Amazon SNS. Source: Amazon SNS developer guide.
struct SNSRules: RuleCheck {
    static let rules = [valueNotText, platformKey, defaultMissing, tooLarge, fcmWrapper, backgroundAlert]
    let run: LintRun

    /// A message for SNS, or a `Publish` request that contains one.
    func check(_ root: LintNode) {
        var message = root
        if let text = SNSRequest.plainText(of: root.view), let size = text.string?.decodedCount {
            return checkSize(size, root)
        }
        if let text = root["Message"], text.isString {
            guard let inner = JSONRules(run: run).open(text), inner.isObject else { return }
            checkSize(text.string?.decodedCount ?? 0, text)
            message = inner
        } else {
            checkSize(root.view.text.count, root)
        }
        checkDefault(message)
        let attributes = SNSAttributes(root.view)
        message.forEachMember { member in
            checkKey(member, in: message)
            guard var platform = Self.platforms.first(where: { member.key == $0.name }) else {
                return checkOther(member)
            }
            if !platform.isGoogle, let type = attributes.pushType(member.name)?.string {
                platform.pushType = PushType(wireName: type.raw)
            }
            check(member.value, platform, isRequest: message.text !== root.text)
        }
    }

    private static let maximumBytes = 256 << 10  // 256 KiB

    static let tooLarge = Rule(
        "sns.too-large", .error, "an SNS message larger than 256 KiB",
        "SNS accepts at most 256 KiB for the whole message. Each platform's own limit applies too.", source: .sns,
        failing:
            #"{"MessageStructure":"json","Message":"{\"default\":\"Hi\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Hi\\\"}}\",\"email\":\""#
            + Example.repeated("x", 262_144) + #"\"}"}"#,
        passing:
            #"{"MessageStructure":"json","Message":"{\"default\":\"Hi\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Hi\\\"}}\"}"}"#
    )

    private func checkSize(_ size: Int, _ node: LintNode) {
        guard size > Self.maximumBytes else { return }
        report(Self.tooLarge, "the message has \(size) bytes, but SNS accepts at most \(Self.maximumBytes)", at: node)
    }

    static let defaultMissing = Rule(
        "sns.default-missing", .warning, "an SNS message without default",
        "Subscribers whose platform has no text get the default text. A message to a topic needs it.", source: .sns,
        failing: #"{"APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#,
        passing: #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#)

    private func checkDefault(_ message: LintNode) {
        guard let text = message["default"] else {
            return report(
                Self.defaultMissing, "without a \"default\" text, SNS refuses a message to a topic", at: message)
        }
        if !text.isString { report(Self.valueNotText, "default must be a string, not \(text.kindName)", at: text) }
    }

    private typealias Platform = (name: StaticString, pushType: PushType?, isGoogle: Bool)

    private static let platforms: [Platform] = [
        ("APNS", nil, false), ("APNS_SANDBOX", nil, false), ("APNS_VOIP", .voip, false),
        ("APNS_VOIP_SANDBOX", .voip, false), ("GCM", nil, true), ("FCM", nil, true),
    ]

    /// The platforms of phones and computers.
    private static let platformKeys = NameList([
        "APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "MACOS", "MACOS_SANDBOX", "GCM", "ADM", "BAIDU",
        "WNS",
        "MPNS",
    ])

    /// Names that people take for those of platforms, folded.
    private static let mistakenKeys: [String: StaticString] = [
        "fcm": "GCM", "firebase": "GCM", "android": "GCM", "google": "GCM", "fcmv1": "GCM", "gcmv1": "GCM",
        "apn": "APNS",
        "apple": "APNS", "ios": "APNS", "apnsprod": "APNS", "apnsproduction": "APNS", "iossandbox": "APNS_SANDBOX",
        "apnsdev": "APNS_SANDBOX", "apnsdevelopment": "APNS_SANDBOX", "voip": "APNS_VOIP", "iosvoip": "APNS_VOIP",
    ]

    static let platformKey = Rule(
        "sns.platform-key", .warning, "a platform's payload under an unknown key",
        "The keys are in capitals: APNS, APNS_SANDBOX, APNS_VOIP, APNS_VOIP_SANDBOX, GCM for Firebase, and others. SNS ignores a key that it does not know. Some older pages of the guide show FCM instead of GCM.",
        source: .sns, failing: #"{"default":"Hi","FCM":"{\"notification\":{\"title\":\"Hi\"}}"}"#,
        passing: #"{"default":"Hi","GCM":"{\"notification\":{\"title\":\"Hi\"}}"}"#, isFixable: true)

    /// Checks the names of an object that has a default text, and no key that SNS knows.
    func checkNames(in message: LintNode) {
        guard message["default"]?.isString ?? false else { return }
        message.forEachMember { if $0.value.isString { checkKey($0, in: message) } }
    }

    private func checkKey(_ member: LintMember, in message: LintNode) {
        guard !member.key.isOne(of: Self.platformKeys.names),
            member.value.isObject || (member.value.string?.raw.hasPrefix("{") ?? false)
        else { return }
        let name = member.name
        let folded = String(decoding: NearMiss.folded(name), as: UTF8.self)
        guard let meant = Self.mistakenKeys[folded] ?? Self.platformKeys.spelled(like: name) else { return }
        report(
            Self.platformKey,
            "SNS has no key \"\(name)\"; did you mean \(meant)\(message[meant] == nil ? "" : " (also set)")?",
            at: member,
            edits: member.renamed(to: meant.description, in: message))
    }

    static let valueNotText = Rule(
        "sns.value-not-text", .error, "a platform's payload that is not a string",
        "Message is an object of strings: each platform's JSON is a string, with its quotes escaped. For an object, SNS answers 400 InvalidParameter or sends the default text instead.",
        source: .snsPublish, failing: #"{"default":"Hi","APNS":{"aps":{"alert":"Hi"}}}"#,
        passing: #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#, isFixable: true)

    /// - Parameter isRequest: true if the attributes stand beside the message.
    private func check(_ value: LintNode, _ platform: Platform, isRequest: Bool) {
        if value.isString {
            guard let inner = JSONRules(run: run).open(value) else { return }
            checkPayload(inner, platform)
            if isRequest, !platform.isGoogle { checkInferredType(inner, platform) }
        } else if value.isObject {
            report(
                Self.valueNotText, "SNS needs each platform's payload as a string that contains the JSON",
                at: value, edits: [value.quotedText])
            checkPayload(value, platform)
        } else {
            report(Self.valueNotText, "SNS needs each platform's payload as a string, not \(value.kindName)", at: value)
        }
    }

    /// Keys whose values are not looked at.
    private static let otherKeys: [StaticString] = [
        "MACOS", "MACOS_SANDBOX", "ADM", "BAIDU", "WNS", "MPNS", "email", "email-json", "sms", "http", "https", "sqs",
        "lambda", "application", "firehose",
    ]

    private func checkOther(_ member: LintMember) {
        guard member.value.isObject, member.key.isOne(of: Self.otherKeys) else { return }
        report(
            Self.valueNotText, "SNS needs the value of \(member.name) as a string, not an object", at: member.value,
            edits: [member.value.quotedText])
    }

    private func checkPayload(_ payload: LintNode, _ platform: Platform) {
        guard payload.isObject else { return }
        if platform.isGoogle { checkGoogle(payload) } else { checkApple(payload, platform.pushType) }
    }

    static let fcmWrapper = Rule(
        "sns.fcm-wrapper", .error, "an FCM v1 message without its wrapper",
        "In the GCM text, a v1 message belongs in fcmV1Message. Without fcmV1Message, SNS reads the text in the legacy format, which has no message.",
        source: .sns, failing: #"{"default":"Hi","GCM":"{\"message\":{\"data\":{\"n\":\"1\"}}}"}"#,
        passing: #"{"default":"Hi","GCM":"{\"fcmV1Message\":{\"message\":{\"data\":{\"n\":\"1\"}}}}"}"#)

    private func checkGoogle(_ payload: LintNode) {
        if let request = payload["fcmV1Message"] {
            FCMRequestRules(run: run).check(request)
        } else if payload["message"]?.isObject ?? false {
            report(
                Self.fcmWrapper, "SNS takes an FCM v1 message as {\"fcmV1Message\": {\"message\": {…}}}", at: payload)
        } else {
            GCMRules(run: run, isForSNS: true).check(payload)
        }
    }

    static let backgroundAlert = Rule(
        "sns.background-alert", .warning, "an alert that SNS sends as a background push",
        "SNS takes apns-push-type from the attribute AWS.SNS.MOBILE.APNS.PUSH_TYPE, even if it is background and the payload has an alert. A push whose type does not fit may be delayed, dropped or refused. Without the attribute, SNS infers a type that fits.",
        source: .sns, failing: publish(type: "background"), passing: publish(type: "alert"))

    private func checkApple(_ payload: LintNode, _ pushType: PushType?) {
        var around = APNsSurroundings(source: .gateway)
        // Without one SNS infers a type that fits.
        around.pushType = pushType
        PayloadRules(run: run).check(payload, around)
        if pushType == .background, let visible = APSContent(payload["aps"]).firstVisible {
            report(
                Self.backgroundAlert,
                "the attribute makes this a background push, but the payload has \"\(visible)\": it may not be shown",
                at: payload)
        }
    }

    /// Reports a Live Activity without its attribute: SNS infers `alert` or `background` for it.
    private func checkInferredType(_ payload: LintNode, _ platform: Platform) {
        let around = APNsSurroundings(source: .gateway)
        guard platform.pushType == nil, let aps = payload["aps"], LiveActivityRules.isMeant(by: aps, around) else {
            return
        }
        report(
            LiveActivityRules.pushType,
            "SNS sends apns-push-type alert; to send liveactivity, set the attribute AWS.SNS.MOBILE.APNS.PUSH_TYPE",
            at: aps["event"] ?? aps)
    }

    private static func publish(type: String) -> String {
        #"{"MessageStructure":"json","Message":"{\"default\":\"Hi\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Hi\\\"}}\"}","#
            + #""MessageAttributes":{"AWS.SNS.MOBILE.APNS.PUSH_TYPE":{"DataType":"String","StringValue":"\#(type)"}}}"#
    }
}

/// Requests to Airnotifier, a gateway for APNs and FCM. Source: its api/push.py and pushservices/apns.py.
struct AirnotifierRules: RuleCheck {
    static let rules = [droppedKey, invalidDeviceType]
    let run: LintRun

    func check(_ root: LintNode) {
        let device = root["device"]?.swiftString?.lowercased() ?? "fcm"
        if device.hasSuffix("fcm") { return checkGoogle(root) }
        guard device == "ios" else { return }
        if let apns = root["apns"], apns.isObject {
            apns.forEachMember { member in
                if !member.key.isOne(of: Self.keys) {
                    let meant = Self.names.spelled(like: member.name).map { "; did you mean \($0)?" } ?? ""
                    report(Self.droppedKey, "Airnotifier does not pass \(member.name) on to APNs\(meant)", at: member)
                } else if !(member.key == "push_type"), member.value.kind != .null {
                    APSRules(run: run, isInAirnotifier: true).checkKey(member, in: apns, isLiveActivity: false)
                }
            }
        }
        if let alert = root["alert"], alert.isObject {
            AlertRules(run: run, isInAirnotifier: true).check(alert, isLiveActivity: false)
        }
        checkText(root)
    }

    /// Reports a request without an alert, for which Airnotifier sends empty texts and the default sound.
    private func checkText(_ root: LintNode) {
        guard root["alert"].map({ $0.kind == .null || $0.string?.count == 0 }) ?? true else { return }
        let apns = root["apns"]
        guard apns?["alert"] == nil, apns?["badge"] == nil, apns?["content-available"] == nil else { return }
        report(
            AlertRules.empty, "without an alert, Airnotifier sends empty texts, which show nothing",
            at: root["alert"] ?? root)
    }

    /// A request that Airnotifier passes on to FCM. Of Moodle's it composes the message itself.
    private func checkGoogle(_ root: LintNode) {
        FCMContentRules(run: run).checkToken(root["token"])
        guard root["extra"]?["processor"]?.swiftString != "moodle", let fcm = root["fcm"], fcm.isObject else { return }
        let alert = root["alert"]
        let hasText = (alert?.string?.count ?? 0) > 0 || FCMContentRules.hasText(alert)
        FCMRequestRules(run: run).checkBlocks(fcm, nil, hasText: hasText)
    }

    /// The members of `apns` that are passed on.
    static let keys: [StaticString] = [
        "thread-id", "category", "content-available", "sound", "badge", "alert", "push_type",
    ]

    private static let names = NameList(keys)

    static let droppedKey = Rule(
        "airnotifier.dropped-key", .warning, "a key that Airnotifier does not pass on",
        "From apns, Airnotifier passes on alert, badge, sound, category, thread-id, content-available and push_type. It drops everything else, including mutable-content and custom data.",
        source: .airnotifier,
        failing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi","apns":{"mutable-content":1}}"#,
        passing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi","apns":{"badge":1}}"#)

    /// The decoder reports it.
    private static let invalidDeviceType = Rule.refusal(
        .invalidDeviceType, "Airnotifier sends to ios and to devices whose name ends with fcm.", source: .airnotifier,
        failing: #"{"device":"blackberry","token":"\#(Example.token)","alert":"Hi"}"#,
        passing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi"}"#)
}
