import PayloadJSON
import PushDecoding
import PushModel

/// Messages of FCM's HTTP v1 interface, beyond the names and types of their fields.
struct FCMRequestRules: RuleCheck {
    static let rules = [
        topicPrefix, outputOnly, reservedDataKey, discouragedDataKey, imageAddress, topicSize, topicAPNsSize,
        bareMessage, invalidArgument,
    ]
    static let refusal = "; FCM answers 400 INVALID_ARGUMENT"

    let run: LintRun

    /// `{"message":{…},"validate_only":…}`.
    ///
    /// - Parameter isRecord: true if the request is a record of its own, which may be a message without the request around it.
    func check(_ root: LintNode, isRecord: Bool = false) {
        guard root.isObject else { return }
        let isBare = isRecord && root["message"] == nil && TopLevelKeys(of: root.view).hasMessageTarget
        FCMFieldRules(run: run).check(
            isBare ? FCMMessage(bare: root.view) : FCMMessage(request: root.view, isRecord: isRecord), in: root)
        guard let message = isBare ? root : root["message"], message.isObject else { return }
        checkTopic(message)
        if let name = message.member("name"), name.value.kind != .null {
            report(Self.outputOnly, "name is set by FCM in its answer, and not read in a request", at: name)
        }
        let target = message["token"] ?? message["fid"]
        FCMContentRules(run: run).checkToken(target)
        if isBare, target == nil { message["tokens"]?.forEachElement(FCMContentRules(run: run).checkToken) }
        checkReservedNames(message["data"])
        if !run.readers.isEmpty { SchemaRules(run: run).check(data: message["data"], of: message) }
        let notification = message["notification"]
        if let notification { checkImage(notification) }
        FCMContentRules(run: run).checkLabel(message)
        checkBlocks(
            message, notification, hasText: notification?["title"] != nil || notification?["body"] != nil,
            isBare: isBare)
    }

    /// The blocks of the platforms.
    ///
    /// - Parameters:
    ///   - message: the object that they are in.
    ///   - notification: the notification for all platforms.
    ///   - hasText: true if it has a text.
    ///   - isBare: true for a message as an Admin SDK takes it.
    func checkBlocks(_ message: LintNode, _ notification: LintNode?, hasText: Bool, isBare: Bool = false) {
        let (android, webpush, apns) = (message["android"], message["webpush"], message["apns"])
        let content = FCMContentRules(run: run)
        if let android { FCMAndroidRules(run: run).check(android, isBare: isBare) }
        if let second = message.either("android_v2", "androidV2") { FCMAndroidRules(run: run).checkV2(second) }
        FCMImageRules(run: run).check(message, isBare: isBare)
        if let webpush { FCMWebRules(run: run).check(webpush) }
        if let apns {
            if apns.isObject, let options = apns.either("fcm_options", "fcmOptions") { checkImage(options) }
            FCMAppleRules(run: run).check(apns, in: message, hasText: hasText, isBare: isBare)
        }
        for block in [android, webpush, apns] { content.checkLabel(block) }
        if notification == nil, hasText { return }
        let isForOthers =
            APSContent(apns?["payload"]?["aps"]).isVisible || FCMContentRules.hasText(webpush?["notification"])
        content.checkNotification(notification, android?["notification"], hasOtherText: isForOthers)
    }

    static let outputOnly = Rule.fcm(
        "fcm.output-only", .info, "a name in message",
        "message.name is set by FCM in its answer. In a request it is not read.",
        failing: #""name":"projects/news/messages/7","data":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)

    /// The decoder reports it.
    private static let bareMessage = Rule(
        "fcm.bare-message", .info, "a message without the request around it",
        "An Admin SDK takes the message, and sends it as {\"message\":{…}}; a multicast message once for each token. Over HTTP, FCM answers 400 INVALID_ARGUMENT to a message that is not in a request.",
        source: .fcmAdmin,
        failing: #"{"token":"cXwZ9kT3R0m:APA91bHun4","notification":{"title":"Late count"}}"#,
        passing: #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","notification":{"title":"Late count"}}}"#)

    /// The decoder reports it.
    private static let invalidArgument = Rule.refusal(
        .invalidArgument, "FCM checks the type and range of every field, and the size of the message.",
        source: .fcmErrors,
        failing: #"{"message":{"topic":"results","token":"cXwZ9kT3R0m:APA91bHun4","data":{"score":"12"}}}"#,
        passing: Example.fcmData)

    static let topicPrefix = Rule(
        "fcm.topic-prefix", .error, "a topic with /topics/ before its name",
        "The legacy protocol addressed /topics/name; v1 takes the bare name. FCM answers 400 INVALID_ARGUMENT.",
        source: .fcm, failing: #"{"message":{"topic":"/topics/results","data":{"score":"12"}}}"#,
        passing: #"{"message":{"topic":"results","data":{"score":"12"}}}"#, isFixable: true)

    private func checkTopic(_ message: LintNode) {
        guard let topic = message["topic"], let name = topic.swiftString, name.hasPrefix("/topics/") else { return }
        refuse(
            Self.topicPrefix, "a topic is named without /topics/", at: topic,
            edits: [TextEdit(topic.range.lowerBound + 1..<topic.range.lowerBound + 1 + "/topics/".utf8.count, "")])
    }

    static let reservedDataKey = Rule.fcm(
        "fcm.reserved-data-key", .error, "a name in data that FCM keeps for itself",
        "from, message_type, google.* and gcm.notification.* are reserved. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""data":{"from":"district 4"}"#, passing: #""data":{"sender":"district 4"}"#)

    static let discouragedDataKey = Rule.fcm(
        "fcm.discouraged-data-key", .warning, "a name in data that begins with google or gcm",
        "Firebase's page of error codes reserves every name that begins with google or gcm; the newer reference reserves google.* and gcm.notification.* alone. Which of them FCM follows is not confirmed.",
        source: .fcmErrors, failing: #""data":{"google_id":"district 4"}"#,
        passing: #""data":{"account_id":"district 4"}"#)

    /// The decoder reports them.
    private static let topicSize = Rule(
        "fcm.topic-size", .warning, "more than 2048 bytes for a topic",
        "Firebase documents 2048 bytes for the data of a message to a topic. Senders report that more passes.",
        source: .fcmErrors,
        failing: #"{"message":{"topic":"results","data":{"text":"\#(String(repeating: "x", count: 2045))"}}}"#,
        passing: #"{"message":{"topic":"results","data":{"text":"\#(String(repeating: "x", count: 2044))"}}}"#)
    private static let topicAPNsSize = Rule(
        "fcm.topic-apns-size", .error, "more than 4096 bytes for APNs in a message to a topic",
        "FCM accepts the message before it asks APNs, which takes 4096 bytes. No Apple device gets it, and nobody is told.",
        source: .ntfy, failing: Example.topicForApple(characters: 4077),
        passing: Example.topicForApple(characters: 4076)
    )

    /// Names that FCM keeps for itself.
    func checkReservedNames(_ data: LintNode?) {
        guard let data, data.isObject else { return }
        data.forEachMember { member in
            if DataKeys.isReserved(member.key, by: .fcm) {
                refuse(Self.reservedDataKey, "FCM keeps the name \"\(member.name)\" for itself", at: member)
            } else if DataKeys.isDiscouraged(member.key) {
                report(Self.discouragedDataKey, DataKeys.advice(against: member.name), at: member)
            }
        }
    }

    static let imageAddress = Rule.fcm(
        "fcm.image-address", .warning, "an image without a whole address",
        "The device fetches the image, and has nothing that a relative address could refer to. Firebase's Admin SDK refuses it.",
        source: .fcmAdmin, failing: #""notification":{"title":"Late count","image":"/count.png"}"#,
        passing: #""notification":{"title":"Late count","image":"https://media.example.org/count.png"}"#)

    /// The address of a picture, which devices fetch.
    func checkImage(_ block: LintNode) {
        guard let image = block["image"], let text = image.swiftString, !text.isEmpty else { return }
        let lower = text.lowercased()
        guard !lower.hasPrefix("https://"), !lower.hasPrefix("http://") else { return }
        report(
            Self.imageAddress, "image is a whole address that begins with https://, which the device fetches", at: image
        )
    }
}

extension Rule {
    /// A rule about a message for a token.
    static func fcm(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String, source: Source = .fcm,
        failing: String, passing: String, isFixable: Bool = false
    ) -> Rule {
        Rule(
            id, severity, title, explanation, source: source, failing: Example.fcm(failing),
            passing: Example.fcm(passing), isFixable: isFixable)
    }
}

extension Example {
    /// A message to a topic whose payload for APNs has 20 bytes besides the text.
    fileprivate static func topicForApple(characters: Int) -> String {
        let text = String(repeating: "x", count: characters)
        return #"{"message":{"topic":"results","apns":{"payload":{"aps":{"alert":"\#(text)"}}}}}"#
    }
}

extension RuleCheck {
    /// Reports what FCM refuses.
    func refuse(
        _ rule: Rule, _ message: @autoclosure () -> String, at place: some FindingPlace,
        edits: @autoclosure () -> [TextEdit] = []
    ) { report(rule, message() + FCMRequestRules.refusal, at: place, edits: edits()) }
}

extension LintNode {
    /// The member with either name.
    func either(_ name: StaticString, _ other: StaticString) -> LintNode? { self[name] ?? self[other] }
}
