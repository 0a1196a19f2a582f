import PushDecoding
import PushJSON
import PushModel
import PushSystem

/// A request to APNs as a whole.
struct APNsRequestRules: RuleCheck {
    static let rules = [headerOutside]
    let run: LintRun

    /// `{"device":…,"headers":{…},"payload":…}`.
    func checkEnvelope(_ root: LintNode, _ payload: LintNode) {
        var around = APNsSurroundings(source: .request)
        if let headers = root["headers"], headers.kind != .null {
            around = APNsHeaderRules(run: run).check(headers, source: .request)
        }
        root.forEachMember { member in
            guard member.key.begins(with: "apns-") else { return }
            report(Self.headerOutside, "\(member.name) belongs in headers; it is not read here", at: member)
        }
        if let device = root["device"], device.isString { DeviceTokenRules(run: run).check(device) }
        guard let body = payload.isString ? JSONRules(run: run).open(payload) : payload, body.isObject else { return }
        check(body, around)
    }

    static let headerOutside = Rule(
        "apns.header-outside", .error, "an APNs header outside headers",
        "In an envelope, APNs headers belong in headers. Only headers inside headers are read.", source: .format,
        failing: #"{"apns-topic":"org.example.news","payload":{"aps":{"alert":"Late count"}}}"#,
        passing: Example.alertRequest)

    /// A payload, and how it fits its headers.
    func check(_ payload: LintNode, _ around: APNsSurroundings) {
        PayloadRules(run: run).check(payload, around)
        guard let headers = around.headers else { return }
        if around.isBroadcast { return APNsBroadcastRules(run: run).check(headers, around) }
        // Updates of Wallet passes come with an empty payload.
        if around.isForPass { return }
        var typed = around
        if LiveActivityRules.isMeant(by: payload["aps"], around) { typed.pushType = .liveactivity }
        APNsTopicRules(run: run).check(typed)
        APNsPushTypeRules(run: run).check(payload, headers, around)
    }
}

/// The context of an APNs payload, which decides how it is sent.
struct APNsSurroundings {
    enum Source {
        /// A payload without a request: a simulator file, or a request's body.
        case bare
        /// An envelope, with or without headers.
        case request
        /// A gateway sets the headers itself.
        case gateway
        /// FCM composes the payload, and sets missing headers.
        case fcm
    }

    let source: Source
    /// The object of headers, if there is one.
    var headers: LintNode?
    /// `apns-push-type`; nil if it is absent or not one of Apple's values.
    var pushType: PushType?
    var pushTypeNode: LintNode?
    /// True if the headers have an `apns-push-type`, known or not.
    var hasPushType: Bool { pushTypeNode.map { $0.kind != .null } ?? false }
    var priority: String? { priorityNode.map { $0.swiftString ?? $0.source } }
    var topicNode: LintNode?
    var priorityNode: LintNode?
    var isBroadcast = false
    /// True if text from elsewhere is shown if the payload has none.
    var hasTextElsewhere = false

    /// True if it may be sent to be seen, heard or to wake the app; also if nothing says what it is for.
    var isForNotification: Bool { pushType == nil || pushType == .alert || pushType == .background }

    /// True if its payload is what `aps` says, and not free JSON; also if nothing says what it is for.
    var isForAps: Bool {
        isForNotification || [.liveactivity, .widgets, .controls, .nowplaying].contains(pushType)
    }

    /// True if the topic is that of a Wallet pass, whose updates have an empty payload.
    var isForPass: Bool {
        guard let topic = topicNode?.string, topic.hasEscapes || topic.raw.hasPrefix("pass.") else { return false }
        return topic.string.hasPrefix("pass.")
    }
}

/// Pushes through a channel. Source: Apple, "Sending broadcast push notification requests to APNs".
struct APNsBroadcastRules: RuleCheck {
    static let rules = [broadcast, requestID]
    let run: LintRun

    static let broadcast = Rule(
        "apns.broadcast", .error, "a broadcast without a required header",
        "A push through a channel is only for Live Activities. It needs apns-push-type liveactivity, apns-expiration and apns-priority. For any other type, APNs answers 400 InvalidPushType.",
        source: .broadcast,
        failing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"alert","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"alert":"Late count"}}}"#,
        passing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    )

    static let requestID = Rule(
        "apns.request-id", .warning, "an apns-request-id that is not a UUID",
        "The header takes a UUID, which APNs repeats in its answer. It is for broadcasts and for requests about channels. A push to a device has apns-id instead.",
        source: .broadcast,
        failing: request(#""apns-request-id":"count 12""#),
        passing: request(#""apns-request-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#))

    private static func request(_ header: String) -> String {
        #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"10",\#(header)},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    }

    func checkRequestID(_ id: LintNode) {
        guard let text = id.kind == .number ? id.source : id.swiftString, !text.isEmpty, !APNsAcceptance.isUUID(text)
        else { return }
        report(Self.requestID, "apns-request-id must be a UUID of the form 8-4-4-4-12", at: id)
    }

    func check(_ headers: LintNode, _ around: APNsSurroundings) {
        if around.pushType != .liveactivity {
            let rejection = Self.hasValue(headers, .pushType) ? Rejection.invalidPushType : .missingPushType
            report(
                Self.broadcast, "a broadcast needs apns-push-type liveactivity; \(rejection.answer)",
                at: around.pushTypeNode ?? headers)
        }
        for header in [.expiration, .priority] as [APNsHeader] where !Self.hasValue(headers, header) {
            report(Self.broadcast, "a broadcast needs \(header.name)", at: headers)
        }
    }

    /// True if a header is there, and not empty.
    private static func hasValue(_ headers: LintNode, _ header: APNsHeader) -> Bool {
        var value: LintNode?
        headers.forEachMember { if $0.key.isInAnyCase(header.name) { value = $0.value } }
        return value.map { $0.string?.count != 0 } ?? false
    }
}

/// Refusals of APNs. `Acceptance` refuses, and `RecordLinter` reports it; the checks here find what FCM would pass on.
struct APNsRefusalRules: RuleCheck {
    static let rules = [
        duplicateHeaders,
        apns(
            .badCollapseId, "The limit is 64 bytes of UTF-8, not characters.",
            Example.alertRequest(#""apns-collapse-id":"\#(Example.repeated("ü", 33))""#),
            passing: Example.alertRequest(#""apns-collapse-id":"\#(Example.repeated("ü", 32))""#)),
        apns(
            .badPriority,
            "The priorities are 10 (immediately), 5 (based on power considerations) and 1 (without waking the device).",
            Example.alertRequest(#""apns-priority":"high""#), passing: Example.alertRequest(#""apns-priority":"10""#)),
        apns(
            .invalidPushType,
            "The types are in lower case: alert, background, voip, liveactivity and others. A topic that ends with the suffix of one, such as .voip, takes that type alone.",
            Example.request(#""apns-push-type":"Alert""#, Example.alert)),
        apns(
            .badExpirationDate, "The header is a whole number of seconds since 1970, or 0.",
            Example.alertRequest(#""apns-expiration":"tomorrow""#),
            passing: Example.alertRequest(#""apns-expiration":"0""#)
        ),
        apns(
            .badMessageId, "The identifier is a UUID in canonical form: 32 digits in groups of 8-4-4-4-12.",
            Example.alertRequest(#""apns-id":"42""#),
            passing: Example.alertRequest(#""apns-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#)),
        apns(
            .badDeviceToken, "A token is an even number of hexadecimal digits.",
            Example.request(#""apns-push-type":"alert""#, Example.alert, device: "not a token!")),
        apns(
            .missingDeviceToken, "The token is the last part of the request path.",
            Example.request(#""apns-push-type":"alert""#, Example.alert, device: "")),
        apns(
            .missingTopic, "With a provider token, or a certificate for several topics, apns-topic must name the app.",
            #"{"device":"\#(Example.token)","headers":{"apns-push-type":"alert"},"payload":\#(Example.alert)}"#),
        apns(
            .payloadEmpty, "A push needs a body, even if it is only {\"aps\":{}}.",
            #"{"device":"\#(Example.token)","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"payload":""}"#
        ),
        apns(
            .payloadTooLarge, "The whole body counts, in bytes of UTF-8: 4096 for most, 5120 for VoIP and broadcasts.",
            #"{"aps":{"alert":"\#(Example.repeated("ü", 2048))"}}"#,
            passing: #"{"aps":{"alert":"\#(Example.repeated("ü", 2037))"}}"#),
        broadcast(.missingChannelId, "A broadcast goes to a channel.", #""apns-channel-id":"""#),
        broadcast(
            .badPath,
            "The path of a push is /3/device/ and the token. The path of a broadcast ends with the bundle identifier of its app.",
            #"":path":"/4/broadcasts/apps/","apns-channel-id":"dHN0LXNyY2gtY2hubA==""#),
        broadcast(
            .topicDisallowed,
            "The path of a broadcast has the bundle identifier alone, without a suffix such as .push-type.liveactivity.",
            #"":path":"/4/broadcasts/apps/org.example.news.push-type.liveactivity","apns-channel-id":"dHN0LXNyY2gtY2hubA==""#
        ),
        broadcast(
            .badChannelId, "The id is the Base64 text that APNs returned when the channel was created.",
            #""apns-channel-id":"results 2026""#),
    ]
    let run: LintRun

    private static func apns(
        _ rejection: Rejection, _ explanation: String, _ failing: String, passing: String = Example.alertRequest
    ) -> Rule { Rule.refusal(rejection, explanation, source: .responses, failing: failing, passing: passing) }

    private static func broadcast(_ rejection: Rejection, _ explanation: String, _ channel: String) -> Rule {
        func request(_ channel: String) -> String {
            #"{"headers":{"apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"5",\#(channel)},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
        }
        return Rule.refusal(
            rejection, explanation, source: .broadcastErrors, failing: request(channel),
            passing: request(#""apns-channel-id":"dHN0LXNyY2gtY2hubA==""#))
    }

    /// Reports headers of a message for FCM that APNs would refuse.
    func checkHandedOn(_ headers: LintNode, _ around: APNsSurroundings) {
        headers.forEachMember { member in
            guard let header = APNsHeader(member.key), header != .pushType || around.pushType == nil,
                let text = member.value.swiftString, !text.isEmpty,
                let wrong = BorrowedText.with(text, { APNsAcceptance.refusal(of: $0, in: header) }),
                let rule = Rule.named(wrong.rejection.rule)
            else { return }
            let words =
                header == .id
                ? "apns-id must be a UUID of the form 8-4-4-4-12"
                : "apns-expiration is \"\(text)\", not a number of seconds since 1970"
            report(rule, "\(wrong.text ?? words); \(wrong.rejection.answer)", at: member.value)
        }
    }

    static let duplicateHeaders = apns(
        .duplicateHeaders, "HTTP ignores the case of header names.",
        Example.alertRequest(#""Apns-Push-Type":"alert""#))

    func reportRepeated(_ member: LintMember) {
        report(
            Self.duplicateHeaders,
            "\(member.name.lowercased()) appears twice, because HTTP ignores case; APNs answers 400 DuplicateHeaders",
            at: member)
    }
}

/// Refusals of the binary interface of APNs. `Acceptance` refuses, and `RecordLinter` reports it.
enum BinaryRules: RuleFamily {
    private static func binary(
        _ rejection: Rejection, _ explanation: String, failing: String = "", passing: String = Example.alert
    ) -> Rule {
        // "the binary interface" begins a sentence here.
        let answer: String = rejection.answer.prefix(1).uppercased() + rejection.answer.dropFirst()
        return Rule(
            rejection.rule, .error, rejection.row.cause.description, "\(explanation) \(answer).", source: .binary,
            failing: failing, passing: passing, scope: failing.isEmpty ? .run : .lint)
    }

    private static func moodle(_ alert: String) -> String {
        #"{"type":"moodle_forumpost","userfrom":"Anna","alert":"\#(alert)"}"#
    }

    static let rules = [
        binary(.binaryProcessingError, "Priority and expiration are numbers in the frame."),
        binary(.binaryMissingDeviceToken, "Every notification has a device token."),
        binary(.binaryMissingPayload, "Every notification has a payload, even if it is only {\"aps\":{}}."),
        binary(.binaryInvalidToken, "A token is bytes, written here as an even number of hexadecimal digits."),
        binary(.binaryInvalidTokenSize, "The 2013 interface has tokens of 32 bytes."),
        binary(
            .binaryInvalidPayloadSize,
            "Until 2014 a payload had at most 256 bytes, since then 2048. Moodle's format of 2013 has 256.",
            failing: moodle(Example.repeated("ü", 128)), passing: moodle("Week 3")),
    ]
}

/// Device tokens, the hexadecimal form of bytes.
struct DeviceTokenRules: RuleCheck {
    static let rules = [tokenForm, tokenLength]
    let run: LintRun

    func check(_ node: LintNode) {
        guard let string = node.string, string.count > 0 else { return }
        if !string.hasEscapes, string.count >= 64, DeviceToken.isHexadecimalBytes(string.raw) { return }
        let token = string.string
        let count = token.utf8.count
        if !Self.isHexadecimal(token) {
            checkOtherForm(token, node)
        } else if !count.isMultiple(of: 2) {
            reportForm("the token has \(count) hexadecimal digits; it must have an even number", node)
        } else if count < 64 {
            report(Self.tokenLength, "the token has \(count) digits, but most have 64", at: node)
        }
    }

    private static func isHexadecimal(_ text: String) -> Bool { text.utf8.allSatisfy { $0.hexadecimalDigit != nil } }

    static let tokenLength = Rule(
        "apns.token-length", .info, "a device token of an unusual length",
        "Device tokens have 64 digits today, those of Live Activities more. Apple says not to assume a length, but libraries do.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert""#, Example.alert, device: "00fc13adff785122"),
        passing: Example.alertRequest)

    static let tokenForm = Rule(
        "apns.token-form", .error, "a device token that is not hexadecimal",
        "The token in the path is the hexadecimal form of its bytes. Printed as data, it has < > and spaces. Base64 and FCM tokens have other forms. APNs answers 400 BadDeviceToken.",
        source: .responses,
        failing: Example.request(
            #""apns-push-type":"alert""#, Example.alert,
            device: "<00fc13ad ff785122 b4ad2880 9a342098 23412414 21348097 878e577c 991de8f0>"),
        passing: Example.alertRequest, isFixable: true)

    private func reportForm(_ message: String, _ node: LintNode, edits: [TextEdit] = []) {
        report(Self.tokenForm, "\(message); APNs answers 400 BadDeviceToken", at: node, edits: edits)
    }

    private func checkOtherForm(_ token: String, _ node: LintNode) {
        let bare = String(decoding: token.utf8.filter { !" <>".utf8.contains($0) }, as: UTF8.self)
        if bare != token, !bare.isEmpty, Self.isHexadecimal(bare) {
            reportForm(
                "the token is printed as data, with <, > or spaces", node, edits: [TextEdit(node.range, "\"\(bare)\"")])
        } else if token.contains(":APA91") || token.utf8.count > 120 && token.contains(":") {
            reportForm("this looks like an FCM registration token, not a device token", node)
        } else if token.utf8.count == 44, token.hasSuffix("=") {
            reportForm("this looks like Base64; APNs needs the bytes in hexadecimal", node)
        }
    }
}

/// `authorization: bearer <JWT>`.
struct ProviderTokenRules: RuleCheck {
    static let rules = [providerToken]
    let run: LintRun

    static let providerToken = Rule(
        "apns.provider-token", .error, "a provider token that APNs does not accept",
        "authorization is bearer and a JSON Web Token with alg ES256, kid and iss of 10 characters, and iat in seconds, at most an hour old. To an invalid token, APNs answers 403 InvalidProviderToken. pushpipe checks only the form of the signature, and does not check the age.",
        source: .token, failing: Example.alertRequest(#""authorization":"eyJhbGciOiJFUzI1NiJ9.e30.c2ln""#),
        passing: Example.alertRequest)

    /// Reports the faults for which `serve` refuses a token, too. Of the signature only the form is checked, and the age is not: a file of payloads may be old.
    func check(_ node: LintNode) {
        // An empty header has a rule of its own.
        guard let value = node.swiftString, !value.isEmpty else { return }
        func report(_ message: String) { self.report(Self.providerToken, message, at: node) }
        guard let token = ProviderToken.text(inAuthorization: value) else {
            return report("the value must be \"bearer\", a space, and the token")
        }
        _ = ProviderToken(token, report)
    }
}
