import PayloadJSON
import PushModel

/// Pushes through a channel. Source: Apple, "Sending broadcast push notification requests to APNs".
struct APNsBroadcastRules: RuleCheck {
    static let rules = [broadcast]
    let run: LintRun

    static let broadcast = Rule(
        "apns.broadcast", .error, "a broadcast without what it needs",
        "A push through a channel is only for Live Activities, and needs apns-push-type liveactivity, apns-expiration and apns-priority. APNs answers 400 InvalidPushType to another type.",
        source: Rule.Source(
            "Apple, Sending broadcast push notification requests to APNs",
            "https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns"
        ),
        failing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"alert","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"alert":"Late count"}}}"#,
        passing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    )

    func check(_ headers: LintNode, _ around: APNsSurroundings) {
        if around.pushType != .liveactivity {
            report(
                Self.broadcast, "a broadcast has apns-push-type liveactivity; APNs answers 400 InvalidPushType",
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
