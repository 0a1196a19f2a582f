import PushDecoding
import PushJSON
import PushModel
import PushSystem

/// Messages of FCM's HTTP v1 interface, beyond the names and types of their fields.
struct FCMRequestRules: RuleCheck {
    static let rules = [
        topicPrefix, outputOnly, reservedDataKey, discouragedDataKey, imageAddress, topicSize, topicAPNsSize,
        bareMessage, invalidArgument,
    ]
    static let refusal = " (FCM answers 400 INVALID_ARGUMENT)"

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
            report(Self.outputOnly, "FCM sets name in its answer; it is not read in a request", at: name)
        }
        let target = message["token"] ?? message["fid"]
        FCMContentRules(run: run).checkToken(target)
        if isBare, target == nil { message["tokens"]?.forEachElement(FCMContentRules(run: run).checkToken) }
        checkReservedNames(message["data"])
        message["data"]?.forEachMember { member in
            guard member.key.isOne(of: APSNeighborRules.unmistakableKeys) else { return }
            let place = "apns.payload.aps; here it is app data"
            report(APSNeighborRules.apsNameOutside, "\(member.name) has an effect only in \(place)", at: member)
        }
        if !run.readers.isEmpty { SchemaRules(run: run).check(fcm: message) }
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
        "fcm.output-only", .info, "name in message",
        "FCM sets message.name in its answer. In a request it is not read.",
        failing: #""name":"projects/news/messages/7","data":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)

    /// The decoder reports it.
    private static let bareMessage = Rule(
        "fcm.bare-message", .info, "a message without the request around it",
        "An Admin SDK takes the message, and sends it as {\"message\":{…}}. It sends a multicast message once for each token. Over HTTP, FCM answers 400 INVALID_ARGUMENT to a message that is not in a request.",
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
        "fcm.topic-prefix", .error, "a topic that begins with /topics/",
        "The legacy protocol used /topics/name; v1 takes the bare name. FCM answers 400 INVALID_ARGUMENT.",
        source: .fcm, failing: #"{"message":{"topic":"/topics/results","data":{"score":"12"}}}"#,
        passing: #"{"message":{"topic":"results","data":{"score":"12"}}}"#, isFixable: true)

    private func checkTopic(_ message: LintNode) {
        guard let topic = message["topic"], let name = topic.swiftString, name.hasPrefix("/topics/") else { return }
        refuse(
            Self.topicPrefix, "name the topic without /topics/", at: topic,
            edits: [TextEdit(topic.range.lowerBound + 1..<topic.range.lowerBound + 1 + "/topics/".utf8.count, "")])
    }

    static let reservedDataKey = Rule.fcm(
        "fcm.reserved-data-key", .error, "a reserved name in data",
        "from, message_type, google.* and gcm.notification.* are reserved. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""data":{"from":"district 4"}"#, passing: #""data":{"sender":"district 4"}"#)

    static let discouragedDataKey = Rule.fcm(
        "fcm.discouraged-data-key", .warning, "a name in data that begins with google or gcm",
        "Firebase's page of error codes reserves every name that begins with google or gcm. The newer reference reserves only google.* and gcm.notification.*. Which of them FCM follows is not confirmed.",
        source: .fcmErrors, failing: #""data":{"google_id":"district 4"}"#,
        passing: #""data":{"account_id":"district 4"}"#)

    /// The decoder reports them.
    private static let topicSize = Rule(
        "fcm.topic-size", .warning, "more than 2048 bytes for a topic",
        "Firebase documents 2048 bytes for the data of a message to a topic. Senders report that larger messages pass.",
        source: .fcmErrors,
        failing: #"{"message":{"topic":"results","data":{"text":"\#(Example.repeated("x", 2045))"}}}"#,
        passing: #"{"message":{"topic":"results","data":{"text":"\#(Example.repeated("x", 2044))"}}}"#)
    private static let topicAPNsSize = Rule(
        "fcm.topic-apns-size", .error, "more than 4096 bytes for APNs in a message to a topic",
        "FCM accepts the message before it asks APNs, which takes 4096 bytes. No Apple device receives it, and the sender is not told.",
        source: .ntfy, failing: Example.topicForApple(characters: 4077),
        passing: Example.topicForApple(characters: 4076)
    )

    /// Names that FCM keeps for itself.
    func checkReservedNames(_ data: LintNode?) {
        guard let data, data.isObject else { return }
        data.forEachMember { member in
            if DataKeys.isReserved(member.key, by: .fcm) {
                refuse(Self.reservedDataKey, "FCM reserves the name \"\(member.name)\"", at: member)
            } else if DataKeys.isDiscouraged(member.key) {
                report(Self.discouragedDataKey, DataKeys.advice(against: member.name), at: member)
            }
        }
    }

    static let imageAddress = Rule.fcm(
        "fcm.image-address", .warning, "an image that is not a full URL",
        "The device downloads the image, and cannot resolve a relative URL. Firebase's Admin SDK refuses it.",
        source: .fcmAdmin, failing: #""notification":{"title":"Late count","image":"/count.png"}"#,
        passing: #""notification":{"title":"Late count","image":"https://media.example.org/count.png"}"#)

    /// The address of a picture, which devices fetch.
    func checkImage(_ block: LintNode) {
        guard let image = block["image"], let text = image.swiftString, !text.isEmpty else { return }
        let lower = text.lowercased()
        guard !lower.hasPrefix("https://"), !lower.hasPrefix("http://") else { return }
        report(
            Self.imageAddress, "image must be a full URL that begins with https://; the device downloads it", at: image
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
        let text = Example.repeated("x", characters)
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

/// Fields of a message for FCM with values that they do not take. The decoder finds them, so both refuse the same messages.
struct FCMFieldRules: RuleCheck {
    static let rules = [dataNotString, headerNotString, wrongType, unknownValue, eventTime, duration]
    let run: LintRun

    /// - Parameter root: the request, or the message if there is none around it.
    func check(_ message: FCMMessage, in root: LintNode) {
        for violation in message.violations {
            let value = LintNode(text: root.text, view: violation.value)
            let parent = LintNode(text: root.text, view: violation.parent)
            switch violation.problem {
            // The decoder says it.
            case .secondTarget: break
            case .unknownName:
                guard let key = violation.key else { continue }
                FCMNameRules(run: run).check(LintMember(key: key, value: value), in: parent, of: violation.object)
            case .wrongMapValue: checkMapValue(value, violation)
            case .wrongValue, .wrongElement:
                if let field = violation.field {
                    checkValue(value, field, isElement: violation.problem == .wrongElement)
                }
            }
        }
    }

    static let headerNotString = Rule.fcm(
        "fcm.header-not-string", .error, "an apns.headers value that is not a string",
        "Headers are strings: \"apns-priority\": \"5\". For a number, FCM answers 400 INVALID_ARGUMENT.",
        failing: #""apns":{"headers":{"apns-priority":5},"payload":{"aps":{"alert":"Late count"}}}"#,
        passing: #""apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"Late count"}}}"#, isFixable: true)
    static let dataNotString = Rule.fcm(
        "fcm.data-not-string", .error, "a data value that is not a string",
        "data maps strings to strings. For a number, a boolean or an object, FCM answers 400 INVALID_ARGUMENT; write objects as JSON text. FCM treats null as an absent value (UNCONFIRMED: Matrix's push gateway sends it).",
        failing: #""data":{"score":12}"#, passing: #""data":{"score":"12"}"#, isFixable: true)

    private func checkMapValue(_ value: LintNode, _ violation: FCMViolation) {
        if violation.field.map({ $0.name.description == "headers" }) ?? false {
            let place = violation.object == .apns ? "apns" : "webpush"
            refuse(
                Self.headerNotString, "every value of \(place).headers must be a string", at: value,
                edits: value.quotedNumber)
        } else {
            let name = violation.key?.string ?? ""
            refuse(
                Self.dataNotString, "every value of data must be a string, but \(name) is \(value.kindName)", at: value,
                edits: value.quotedScalar)
        }
    }

    private func checkValue(_ value: LintNode, _ field: FCMField, isElement: Bool) {
        let name = field.name.description
        if field.isRepeated, !isElement {
            return reportType(value, name, expected: field.type == .string ? "an array of strings" : "an array")
        }
        switch field.type {
        case .duration where name == "ttl": FCMAndroidRules(run: run).reportTimeToLive(value)
        case .duration:
            refuse(Self.duration, "a duration is a string of seconds that ends with s, such as \"0.5s\"", at: value)
        case .timestamp: refuse(Self.eventTime, "a time is a string such as 2024-11-05T18:00:00Z", at: value)
        case .enumeration(let enumeration): reportUnknown(value, name, enumeration)
        case .string where isElement:
            refuse(Self.wrongType, "\(name) takes strings, not \(value.kindName)", at: value, edits: value.quotedNumber)
        case .string: reportType(value, name, expected: "a string")
        case .bool:
            let text = value.swiftString ?? ""
            refuse(
                Self.wrongType, "\(name) must be true or false, not \(value.kindName)", at: value,
                edits: text == "true" || text == "false" ? [TextEdit(value.range, text)] : [])
        case .int32: reportType(value, name, expected: "a whole number of 32 bits")
        case .float: reportType(value, name, expected: "a number")
        case .message, .stringMap, .structure: reportType(value, name, expected: "an object")
        }
    }

    static let duration = Rule.fcm(
        "fcm.duration-form", .error, "a duration that is not a number of seconds with an s",
        "Durations of vibrate_timings and light_settings are strings of seconds that end with s, such as \"0.5s\". FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","vibrate_timings":[500]}}"#,
        passing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0.5s"]}}"#)
    static let eventTime = Rule.fcm(
        "fcm.event-time", .error, "an event time that is not RFC 3339",
        "event_time is written like 2024-11-05T18:00:00Z. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","event_time":"5 November 2024"}}"#,
        passing: #""android":{"notification":{"title":"Late count","event_time":"2024-11-05T18:00:00.5Z"}}"#)

    static let wrongType = Rule.fcm(
        "fcm.wrong-type", .error, "a field whose value has the wrong type",
        "FCM's parser checks the type of each field and answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","sticky":"no"}}"#,
        passing: #""android":{"notification":{"title":"Late count","sticky":false}}"#)

    private func reportType(_ value: LintNode, _ name: String, expected: String) {
        reportKind(Self.wrongType, value, name, expected: expected, answer: FCMRequestRules.refusal)
    }

    static let unknownValue = Rule.fcm(
        "fcm.unknown-value", .error, "an unknown enumeration value",
        "priority, notification_priority, visibility and proxy take the names in the reference, in upper or lower case. For any other name, FCM answers 400 INVALID_ARGUMENT.",
        failing: #""data":{"score":"12"},"android":{"priority":"urgent"}"#,
        passing: #""data":{"score":"12"},"android":{"priority":"HIGH"}"#)

    private func reportUnknown(_ value: LintNode, _ name: String, _ enumeration: FCMEnumeration) {
        let meant = value.swiftString.flatMap { Self.meant($0, enumeration) }
        refuse(
            Self.unknownValue,
            "\(name) must be one of \(enumeration.names.map(\.description).joined(separator: ", "))"
                + (meant.map { "; did you mean \($0)?" } ?? ""),
            at: value)
    }

    /// The value of an enumeration that a text is a misspelling of, or that it has a prefix more or less than: `HIGH` is `PRIORITY_HIGH`.
    private static func meant(_ text: String, _ enumeration: FCMEnumeration) -> String? {
        if let meant = NameList(enumeration.names).suggestion(for: text) { return meant.name }
        let folded = text.uppercased()
        return enumeration.names.map(\.description).first { $0.hasSuffix("_" + folded) || folded.hasSuffix("_" + $0) }
    }
}

/// The block `android` of a message for FCM.
struct FCMAndroidRules: RuleCheck {
    static let rules = [timeToLive, messageKind, color, argumentsWithoutKey, negativeDuration, lightSettings]
    let run: LintRun

    /// - Parameter isBare: true if it is that of a message for an Admin SDK, where `ttl` is a number of milliseconds.
    func check(_ android: LintNode, isBare: Bool = false) {
        guard android.isObject else { return }
        FCMRequestRules(run: run).checkReservedNames(android["data"])
        if let ttl = android["ttl"], ttl.kind != .null, !(isBare && ttl.kind == .number),
            !FCMMessage.isTimeToLive(ttl.view), !run.hasError(at: ttl.pointer)
        {
            reportTimeToLive(ttl)
        }
        check(notification: android["notification"])
    }

    /// `android_v2`, the preview that replaces it. The decoder reports a `ttl` out of range.
    func checkV2(_ block: LintNode) {
        guard block.isObject else { return }
        FCMRequestRules(run: run).checkReservedNames(block["data"])
        func member(_ name: StaticString, _ camel: StaticString) -> LintNode? {
            block.either(name, camel).flatMap { $0.kind == .null ? nil : $0 }
        }
        let remote = member("remote_notification", "remoteNotification")
        if (remote == nil) == (member("background_sync", "backgroundSync") == nil) {
            report(Self.messageKind, "android_v2 has exactly one of remote_notification and background_sync", at: block)
        }
        check(notification: remote?["notification"])
    }

    static let messageKind = Rule.fcm(
        "fcm.android-v2-kind", .warning, "an android_v2 without exactly one of its two kinds of message",
        "A message is a remote_notification, which is shown, or a background_sync, which is data. Firebase's Admin SDKs refuse a message that has both or neither. How FCM answers it is not documented.",
        source: .fcmAndroidV2,
        failing: #""android_v2":{"remote_notification":{"notification":{"title":"Late count"}},"background_sync":{}}"#,
        passing: #""android_v2":{"remote_notification":{"notification":{"title":"Late count"}}}"#)

    private func check(notification: LintNode?) {
        guard let notification, notification.isObject else { return }
        if let color = notification["color"], color.isString { checkColor(color, Self.color, FCMRequestRules.refusal) }
        FCMRequestRules(run: run).checkImage(notification)
        notification.either("vibrate_timings", "vibrateTimings")?.forEachElement(checkNotNegative)
        if let light = notification.either("light_settings", "lightSettings") { checkLight(light) }
        checkArguments(notification)
    }

    static let timeToLive = Rule.fcm(
        "fcm.ttl-form", .error, "a ttl that is not a duration",
        "ttl is a string of seconds that ends with s, from 0s to 2419200s, with up to nine decimals. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"ttl":3600}"#, passing: #""android":{"ttl":"3600s"}"#, isFixable: true)

    func reportTimeToLive(_ ttl: LintNode) {
        let text = ttl.swiftString ?? ttl.source
        if ttl.isString, text.hasSuffix("s"), String(text.dropLast()).isPlainNumber {
            return refuse(
                Self.timeToLive, "ttl must be from 0s to 2419200s (four weeks), with at most nine decimals", at: ttl)
        }
        let isNumber = text.isPlainNumber && !text.hasPrefix("-")
        if isNumber, let number = Double(text), number > 2_419_200 {
            return refuse(
                Self.timeToLive,
                "ttl must be seconds from 0s to 2419200s (four weeks)\(Self.millisecondsHint(text))", at: ttl)
        }
        refuse(
            Self.timeToLive, "ttl must be a string of seconds that ends with s, such as \"3600s\"", at: ttl,
            edits: isNumber ? [TextEdit(ttl.range, "\"\(text)s\"")] : [])
    }

    /// The end of a message about a number that is too large. As milliseconds it is whole minutes, which 30 days in seconds are not.
    private static func millisecondsHint(_ text: String) -> String {
        guard let number = Int(text), number % 60_000 == 0, number / 1000 <= 2_419_200 else { return "" }
        return "; \(text) looks like milliseconds; did you mean \"\(number / 1000)s\"?"
    }

    static let color = Rule.fcm(
        "fcm.color", .error, "a color that is not #rrggbb",
        "The icon color is # followed by six hexadecimal digits. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","color":"ff0000"}}"#,
        passing: ##""android":{"notification":{"title":"Late count","color":"#ff0000"}}"##, isFixable: true)

    /// `#rrggbb`.
    func checkColor(_ node: LintNode, _ rule: Rule, _ answer: String) {
        guard node.kind != .null, !FCMValue.isColor(node.view) else { return }
        let text = node.swiftString ?? ""
        let isBare = text.utf8.count == 6 && text.utf8.allSatisfy { $0.hexadecimalDigit != nil }
        report(
            rule, "a color must be written as #rrggbb\(answer)", at: node,
            edits: isBare ? [TextEdit(node.range.lowerBound + 1..<node.range.lowerBound + 1, "#")] : [])
    }

    static let argumentsWithoutKey = Rule.fcm(
        "fcm.loc-args-without-key", .warning, "loc-args without their loc-key",
        "The arguments fill in the string that the key names. The Admin SDK refuses them alone.", source: .fcmAdmin,
        failing: #""android":{"notification":{"body":"Late count","body_loc_args":["4"]}}"#,
        passing: #""android":{"notification":{"body_loc_key":"COUNT","body_loc_args":["4"]}}"#)

    private func checkArguments(_ notification: LintNode) {
        for (arguments, camel, key, camelKey) in [
            ("body_loc_args", "bodyLocArgs", "body_loc_key", "bodyLocKey"),
            ("title_loc_args", "titleLocArgs", "title_loc_key", "titleLocKey"),
        ] as [(StaticString, StaticString, StaticString, StaticString)] {
            guard let member = notification.member(arguments) ?? notification.member(camel),
                notification.either(key, camelKey) == nil
            else { continue }
            report(Self.argumentsWithoutKey, "\(arguments) has no effect without \(key)", at: member)
        }
    }

    static let negativeDuration = Rule.fcm(
        "fcm.negative-duration", .warning, "a negative vibration or light duration",
        "Durations cannot be negative. Firebase's Admin SDK refuses them.", source: .fcmAdmin,
        failing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0s","-0.5s"]}}"#,
        passing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0s","0.5s"]}}"#)

    private func checkNotNegative(_ duration: LintNode) {
        guard FCMValue.isNegative(duration.view), !run.hasError(at: duration.pointer) else { return }
        report(Self.negativeDuration, "a vibration or light duration must not be negative", at: duration)
    }

    static let lightSettings = Rule.fcm(
        "fcm.light-settings", .warning, "incomplete light settings",
        "color, light_on_duration and light_off_duration are required, and the components of the color are from 0 to 1. Whether FCM refuses other settings is not documented.",
        failing:
            #""android":{"notification":{"title":"Late count","light_settings":{"color":{"red":1},"light_on_duration":"1s"}}}"#,
        passing:
            #""android":{"notification":{"title":"Late count","light_settings":{"color":{"red":1},"light_on_duration":"1s","light_off_duration":"2s"}}}"#
    )

    /// The reference calls all three fields required; that FCM refuses a message without them is not documented.
    private func checkLight(_ light: LintNode) {
        guard light.isObject else { return }
        for (name, camel) in [
            ("color", "color"), ("light_on_duration", "lightOnDuration"), ("light_off_duration", "lightOffDuration"),
        ] as [(StaticString, StaticString)] {
            guard let value = light.either(name, camel), value.kind != .null else {
                report(Self.lightSettings, "light_settings needs \(name)", at: light)
                continue
            }
            if value.isString { checkNotNegative(value) }
            guard value.isObject else { continue }
            value.forEachMember { component in
                guard let share = component.value.view.double, !(0...1).contains(share) else { return }
                report(
                    Self.lightSettings, "\(component.name) is a color component, from 0 to 1", at: component.value)
            }
        }
    }
}

/// The block `apns` of a message for FCM.
struct FCMAppleRules: RuleCheck {
    static let rules = [fieldInPayload, backgroundDelivery, liveActivityToken, pushType]
    let run: LintRun

    /// - Parameters:
    ///   - message: the object that it is in.
    ///   - hasText: true if the message has a text that FCM puts into the payload.
    ///   - isBare: true for a message as an Admin SDK takes it.
    func check(_ apns: LintNode, in message: LintNode, hasText: Bool, isBare: Bool = false) {
        guard apns.isObject else { return }
        var around = APNsSurroundings(source: .fcm)
        if let headers = apns["headers"], headers.isObject {
            around = APNsHeaderRules(run: run).check(headers, source: .fcm)
            APNsRefusalRules(run: run).checkHandedOn(headers, around)
        }
        around.hasTextElsewhere = hasText
        let hasToken = message["topic"] == nil && message["condition"] == nil
        if hasToken, [.voip, .location].contains(around.pushType), let node = around.pushTypeNode {
            report(Self.pushType, "FCM has no token for a push of type \(node.swiftString ?? "")", at: node)
        }
        if !around.hasPushType, (apns.either("live_activity_token", "liveActivityToken")?.string?.count ?? 0) > 0 {
            around.pushType = .liveactivity
        }
        if let payload = apns["payload"], payload.isObject {
            payload.forEachMember(checkMember)
            // The payload that the Admin SDK sends has other names.
            if isBare, AdminNames.areIn(payload: payload.view) {
                return checkSilentDelivery(payload["aps"], apns, in: message, around)
            }
            APNsRequestRules(run: run).check(payload, around)
        } else if Self.isOnlyContent(of: message), around.isForNotification {
            report(PayloadRules.apsMissing, "without apns.payload.aps, the device has nothing to show", at: apns)
        }
        let aps = apns["payload"]?["aps"].flatMap { $0.isObject ? $0 : nil }
        if around.pushType == .liveactivity || LiveActivityRules.isMeant(by: aps, around) {
            checkLiveActivity(aps, apns, around)
        } else if around.isForNotification, message["notification"]?.kind ?? .null == .null {
            let hasData = message["data"]?.hasMembers ?? false
            checkDelivery(aps, apns, around, hasData: hasData, hasToken: hasToken)
        }
    }

    /// True if a message has nothing but `apns` that could reach a device.
    private static func isOnlyContent(of message: LintNode) -> Bool {
        (["notification", "data", "android", "webpush"] as [StaticString]).allSatisfy { message[$0] == nil }
    }

    private static let fields = NameList(["headers", "payload", "live_activity_token", "fcm_options"])

    static let fieldInPayload = Rule.fcm(
        "fcm.apns-field-in-payload", .warning, "an apns field inside apns.payload",
        "apns has headers, payload, live_activity_token and fcm_options. Inside payload they are app data: FCM sends no header and addresses no Live Activity.",
        failing: #""apns":{"payload":{"aps":{"alert":"Late count"},"headers":{"apns-priority":"5"}}}"#,
        passing: #""apns":{"payload":{"aps":{"alert":"Late count"}},"headers":{"apns-priority":"5"}}"#)

    /// True if a member inside `payload` is a field of `apns`. The app may have data of these names.
    static func isField(_ member: LintMember) -> Bool {
        switch fields.spelled(like: member.name)?.description {
        case nil: return false
        case "live_activity_token": return true
        case "payload": return member.value["aps"] != nil
        case "headers":
            var hasHeader = false
            member.value.forEachMember { if APNsHeader.named($0.key) != nil { hasHeader = true } }
            return hasHeader
        default: return member.value.isObject
        }
    }

    private func checkMember(_ member: LintMember) {
        guard Self.isField(member) else { return }
        report(
            Self.fieldInPayload, "\(member.name) belongs in apns, next to payload; in payload it is app data",
            at: member)
    }

    static let liveActivityToken = Rule.fcm(
        "fcm.live-activity-token", .error, "a push to a Live Activity without its live_activity_token",
        "apns.live_activity_token has the token of the activity. To start an activity, it has the app's push-to-start token. FCM sends a message without it to the app, and no activity is started, updated or ended.",
        source: .fcmLiveActivity,
        failing:
            #""apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#,
        passing:
            #""apns":{"live_activity_token":"\#(Example.token)","headers":{"apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    )

    private func checkLiveActivity(_ aps: LintNode?, _ apns: LintNode, _ around: APNsSurroundings) {
        guard let aps, (apns.either("live_activity_token", "liveActivityToken")?.string?.count ?? 0) == 0 else {
            return
        }
        // With a push type of its own the sender does something else, which is not documented; but nothing starts so.
        guard !around.hasPushType || aps["event"]?.swiftString == "start" else { return }
        report(
            Self.liveActivityToken, "FCM delivers to a Live Activity only if apns.live_activity_token is set",
            at: aps["event"] ?? aps)
    }

    static let pushType = Rule.fcm(
        "fcm.push-type", .warning, "a push type whose tokens FCM does not have",
        "VoIP and location pushes go to tokens of their own, but FCM has only the app's token: it answers 400 \"Invalid registration token\". Send these pushes directly to APNs. That FCM gives this answer to voip is not confirmed.",
        source: .fcmPushType,
        failing:
            #""data":{"call":"12"},"apns":{"headers":{"apns-push-type":"voip"},"payload":{"aps":{"alert":"Call"}}}"#,
        passing:
            #""data":{"call":"12"},"apns":{"headers":{"apns-push-type":"alert"},"payload":{"aps":{"alert":"Call"}}}"#)

    static let backgroundDelivery = Rule.fcm(
        "fcm.background-delivery", .warning, "a data message that iOS does not pass to an app in the background",
        "To wake an iOS app, a message without an alert needs content-available 1 in apns.payload.aps, and apns-priority 5 in apns.headers. Without the header FCM sends priority 10, which Apple calls an error for a background push. With an APNs header but without content-available, FCM answers 400 \"Invalid registration token\".",
        failing: #""data":{"score":"12"},"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{}}}"#,
        passing:
            #""data":{"score":"12"},"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"content-available":1}}}"#,
        isFixable: true)

    /// Source of the default priority: Firebase, REST Resource: projects.messages, `ApnsConfig.headers`.
    private func checkDelivery(
        _ aps: LintNode?, _ apns: LintNode, _ around: APNsSurroundings, hasData: Bool, hasToken: Bool
    ) {
        let content = APSContent(aps)
        guard !content.isVisible, !around.hasTextElsewhere else { return }
        if content.isContentAvailable {
            guard hasData, around.priorityNode == nil else { return }
            reportPriority(apns, around)
        } else if hasData, around.pushType != .background || aps == nil, !run.hasReported(APSRules.misspelledKey.id),
            !run.hasReported(PayloadRules.apsMissing.id)
        {
            let hasHeader = around.hasPushType ? around.pushType == .background : around.priorityNode != nil
            let isRefused = hasToken && hasHeader
            report(
                Self.backgroundDelivery,
                "without \"content-available\": 1 in apns.payload.aps, "
                    + (isRefused
                        ? "FCM answers 400 \"Invalid registration token\" for an Apple device"
                        : "the data waits until the app is opened"),
                at: aps ?? apns,
                edits: aps.map { $0["content-available"] == nil ? [$0.adding("content-available", "1")] : [] } ?? [])
        }
    }

    /// Checks a silent push in the names of an Admin SDK, which sets no header.
    private func checkSilentDelivery(
        _ aps: LintNode?, _ apns: LintNode, in message: LintNode, _ around: APNsSurroundings
    ) {
        guard around.isForNotification, !around.hasTextElsewhere, around.priorityNode == nil,
            message["notification"]?.kind ?? .null == .null, message["data"]?.hasMembers ?? false,
            let flag = aps?.either("content-available", "contentAvailable"), APSContent.isMeantAsOne(flag),
            !APSContent(aps).isVisible
        else { return }
        reportPriority(apns, around)
    }

    private func reportPriority(_ apns: LintNode, _ around: APNsSurroundings) {
        report(
            Self.backgroundDelivery, "a silent push needs apns-priority 5; without the header FCM sends 10",
            at: around.headers ?? apns, edits: around.headers.map { [$0.adding("apns-priority", "\"5\"")] } ?? [])
    }
}

/// Parts of a message for FCM that have no effect as they are.
struct FCMContentRules: RuleCheck {
    static let rules = [analyticsLabel, nothingVisible, apnsToken]
    let run: LintRun

    static let analyticsLabel = Rule.fcm(
        "fcm.analytics-label", .warning, "an invalid analytics label",
        "A label has 1 to 50 characters: ASCII letters, digits and -_.~%. Firebase's Admin SDKs refuse any other label. What FCM does with it is not documented.",
        source: .fcmLabels, failing: #""data":{"score":"12"},"fcm_options":{"analytics_label":"late count"}"#,
        passing: #""data":{"score":"12"},"fcm_options":{"analytics_label":"late-count"}"#)

    /// Checks the label of a message, or of one of its blocks.
    func checkLabel(_ block: LintNode?) {
        guard let options = block?.either("fcm_options", "fcmOptions"), options.isObject,
            let label = options.either("analytics_label", "analyticsLabel"), let text = label.swiftString
        else { return }
        let isLabel =
            (1...50).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~%".utf8.contains($0) }
        guard !isLabel else { return }
        report(Self.analyticsLabel, "an analytics label has 1 to 50 letters, digits and -_.~%", at: label)
    }

    static let nothingVisible = Rule.fcm(
        "fcm.nothing-visible", .warning, "a notification without title and body",
        "A sound, a tag or a click_action is part of a notification that has a title or a body. Without both, Android has nothing to show.",
        failing: #""android":{"notification":{"sound":"default","tag":"count"}}"#,
        passing: #""android":{"notification":{"title":"Late count","sound":"default","tag":"count"}}"#)

    /// - Parameter hasOtherText: true if another platform's block has a text, and the message none for Android.
    func checkNotification(_ common: LintNode?, _ android: LintNode?, hasOtherText: Bool) {
        guard let shown = android ?? common, shown.hasMembers, !hasOtherText || android != nil,
            !Self.hasText(common), !Self.hasText(android), !run.hasReported(FCMNameRules.unknownKey.id)
        else { return }
        report(Self.nothingVisible, "without a title or a body, there is nothing to show", at: shown)
    }

    private static let texts: [StaticString] = [
        "title", "body", "title_loc_key", "titleLocKey", "body_loc_key", "bodyLocKey",
    ]

    /// True if a notification has a text, or a key of one. A value of the wrong type has its own finding.
    static func hasText(_ notification: LintNode?) -> Bool {
        var found = false
        notification?.forEachMember { member in
            guard member.key.isOne(of: texts), member.value.kind != .null else { return }
            if member.value.string?.count != 0 { found = true }
        }
        return found
    }

    static let apnsToken = Rule(
        "fcm.apns-token", .error, "an APNs device token as the target of an FCM message",
        "64 or more hexadecimal digits are an APNs device token. FCM needs the registration token that its SDK gives to the app. To any other token it answers INVALID_ARGUMENT or InvalidRegistration.",
        source: .fcmErrors, failing: #"{"message":{"token":"\#(Example.token)","data":{"score":"12"}}}"#,
        passing: Example.fcmData)

    /// A target of FCM or GCM.
    func checkToken(_ target: LintNode?) {
        guard let target, let string = target.string, string.count >= 64, !string.hasEscapes,
            DeviceToken.isHexadecimalBytes(string.raw)
        else { return }
        report(
            Self.apnsToken, "this looks like an APNs device token, not an FCM registration token", at: target)
    }
}

/// Images in messages for FCM that no Apple device shows: only a service extension puts them there.
struct FCMImageRules: RuleCheck {
    static let rules = [notMutable]
    let run: LintRun

    static let notMutable = Rule.fcm(
        "fcm.image-not-mutable", .warning, "an image for Apple devices without mutable-content",
        "iOS shows no image by itself, and FCM does not add mutable-content. A service extension finds the image URL under fcm_options, but the system runs the extension only if mutable-content is 1.",
        source: .fcmImage,
        failing:
            #""notification":{"title":"Late count"},"apns":{"payload":{"aps":{"sound":"default"}},"fcm_options":{"image":"https://media.example.org/count.png"}}"#,
        passing:
            #""notification":{"title":"Late count"},"apns":{"payload":{"aps":{"mutable-content":1}},"fcm_options":{"image":"https://media.example.org/count.png"}}"#
    )

    /// - Parameter isBare: true if it is a message for an Admin SDK.
    func check(_ message: LintNode, isBare: Bool) {
        let apns = message["apns"]
        // Without the block, nothing says that it is for an Apple device.
        guard apns?.isObject ?? (run.options.platform == .ios) else { return }
        let aps = apns?["payload"]?["aps"]
        if aps?["mutable-content"]?.view.isOne ?? false { return }
        if isBare, (aps?["mutableContent"] ?? aps?["mutable-content"])?.kind == .true { return }
        func image(_ block: LintNode?) -> LintNode? {
            let image = block?["image"] ?? (isBare ? block?["imageUrl"] : nil)
            return image?.swiftString.flatMap { $0.isEmpty ? nil : image }
        }
        let options = apns?.either("fcm_options", "fcmOptions")
        guard let image = image(options) ?? image(message["notification"]) else { return }
        report(
            Self.notMutable, "no service extension gets the image: apns.payload.aps has no mutable-content 1", at: image
        )
    }
}

/// The block `webpush` of a message for FCM.
struct FCMWebRules: RuleCheck {
    static let rules = [webDirection, webNotification, webHeader, link]
    let run: LintRun

    func check(_ webpush: LintNode) {
        guard webpush.isObject else { return }
        if let notification = webpush["notification"], notification.isObject { checkNotification(notification) }
        webpush["headers"]?.forEachMember(checkHeader)
        if let options = webpush.either("fcm_options", "fcmOptions"), let link = options["link"] { checkLink(link) }
    }

    static let webDirection = Rule.fcm(
        "fcm.web-direction", .warning, "a text direction that browsers do not know",
        "webpush.notification.dir is auto, ltr or rtl, as in the browsers' Notification. With any other value, showNotification throws a TypeError and nothing is shown.",
        source: .webNotification, failing: #""webpush":{"notification":{"title":"Late count","dir":"left"}}"#,
        passing: #""webpush":{"notification":{"title":"Late count","dir":"ltr"}}"#)
    static let webNotification = Rule.fcm(
        "fcm.web-notification", .warning, "notification options that browsers refuse",
        "renotify needs a tag, a silent notification has no vibrate, and actions is an array of objects with action and title. Otherwise showNotification throws a TypeError and nothing is shown.",
        source: .webShow, failing: #""webpush":{"notification":{"title":"Late count","renotify":true}}"#,
        passing: #""webpush":{"notification":{"title":"Late count","renotify":true,"tag":"count"}}"#)

    private func checkNotification(_ notification: LintNode) {
        for fault in WebNotification.faults(notification.view) {
            guard let node = notification[fault.member] else { continue }
            report(fault.isDirection ? Self.webDirection : Self.webNotification, fault.message.description, at: node)
        }
    }

    static let webHeader = Rule.fcm(
        "fcm.web-header", .warning, "a header that browsers' push services do not accept",
        "TTL is a number of seconds, Urgency is very-low, low, normal or high, and Topic has at most 32 letters, digits, - and _. Push services refuse a Topic in any other form. How FCM answers it is not documented.",
        source: .webPush, failing: #""data":{"score":"12"},"webpush":{"headers":{"Urgency":"urgent"}}"#,
        passing: #""data":{"score":"12"},"webpush":{"headers":{"Urgency":"high"}}"#)

    private func checkHeader(_ member: LintMember) {
        // FCM refuses other types.
        guard member.value.kind == .string, let name = WebHeaders.Name(member.key),
            let fault = WebHeaders.fault(member.value.view, of: name)
        else { return }
        report(Self.webHeader, fault.description, at: member.value)
    }

    static let link = Rule.fcm(
        "fcm.link-https", .warning, "a link that is not HTTPS",
        "Google's reference requires an HTTPS URL in webpush.fcm_options.link, and the Admin SDKs refuse any other. FCM itself has been seen to accept it (firebase-admin-dotnet issue 346).",
        failing: #""webpush":{"fcm_options":{"link":"http://news.example.org"}}"#,
        passing: #""webpush":{"fcm_options":{"link":"https://news.example.org"}}"#)

    private func checkLink(_ link: LintNode) {
        guard let address = link.swiftString, !address.lowercased().hasPrefix("https://") else { return }
        report(Self.link, "link must begin with https://; the Admin SDKs refuse this one", at: link)
    }
}
