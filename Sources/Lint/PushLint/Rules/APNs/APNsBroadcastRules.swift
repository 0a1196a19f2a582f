import PayloadJSON
import PushDecoding
import PushModel

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
