import PayloadJSON
import PushDecoding
import PushModel

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
            report(Self.headerOutside, "\(member.name) belongs in headers; here it is not read", at: member)
        }
        if let device = root["device"], device.isString { DeviceTokenRules(run: run).check(device) }
        guard let body = payload.isString ? JSONRules(run: run).open(payload) : payload, body.isObject else { return }
        check(body, around)
    }

    static let headerOutside = Rule(
        "apns.header-outside", .error, "a header beside headers",
        "In an envelope the request's headers are in headers. Beside it they are not read.", source: .format,
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
        isForNotification || pushType == .liveactivity || pushType == .widgets || pushType == .controls
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
        "apns.broadcast", .error, "a broadcast without what it needs",
        "A push through a channel is only for Live Activities, and needs apns-push-type liveactivity, apns-expiration and apns-priority. APNs answers 400 InvalidPushType to another type.",
        source: .broadcast,
        failing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"alert","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"alert":"Late count"}}}"#,
        passing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    )

    static let requestID = Rule(
        "apns.request-id", .warning, "an apns-request-id that is not a UUID",
        "The header takes a UUID, which APNs repeats in its answer. It belongs to broadcasts and to requests about channels; a push to a device has apns-id.",
        source: .broadcast,
        failing: request(#""apns-request-id":"count 12""#),
        passing: request(#""apns-request-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#))

    private static func request(_ header: String) -> String {
        #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"10",\#(header)},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    }

    func checkRequestID(_ id: LintNode) {
        guard let text = id.kind == .number ? id.source : id.swiftString, !text.isEmpty, !APNsAcceptance.isUUID(text)
        else { return }
        report(Self.requestID, "apns-request-id is not a UUID of the form 8-4-4-4-12", at: id)
    }

    func check(_ headers: LintNode, _ around: APNsSurroundings) {
        if around.pushType != .liveactivity {
            let rejection = Self.hasValue(headers, .pushType) ? Rejection.invalidPushType : .missingPushType
            report(
                Self.broadcast, "a broadcast has apns-push-type liveactivity; \(rejection.answer)",
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
