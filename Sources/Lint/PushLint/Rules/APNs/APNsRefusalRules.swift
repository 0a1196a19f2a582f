import PayloadJSON
import PushDecoding
import PushModel

/// Refusals of APNs. `Acceptance` refuses, and `RecordLinter` reports it; the checks here find what FCM would pass on.
struct APNsRefusalRules: RuleCheck {
    static let rules = [
        badCollapseID, badPriority, invalidPushType, badExpirationDate, badMessageID, duplicateHeaders,
        apns(
            .badDeviceToken, "A token is an even number of hexadecimal digits.",
            Example.request(#""apns-push-type":"alert""#, Example.alert, device: "not a token!")),
        apns(
            .missingDeviceToken, "The token is the last part of the request's path.",
            Example.request(#""apns-push-type":"alert""#, Example.alert, device: "")),
        apns(
            .missingTopic, "With a provider token, or a certificate for several topics, apns-topic must name the app.",
            #"{"device":"\#(Example.token)","headers":{"apns-push-type":"alert"},"payload":\#(Example.alert)}"#),
        apns(
            .payloadEmpty, "A push needs a body, if only {\"aps\":{}}.",
            #"{"device":"\#(Example.token)","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"payload":""}"#
        ),
        apns(
            .payloadTooLarge, "The whole body counts, in bytes of UTF-8: 4096 for most, 5120 for VoIP and broadcasts.",
            #"{"aps":{"alert":"\#(String(repeating: "ü", count: 2048))"}}"#,
            passing: #"{"aps":{"alert":"\#(String(repeating: "ü", count: 2037))"}}"#),
        broadcast(.missingChannelId, "A broadcast goes to a channel.", #""apns-channel-id":"""#),
        broadcast(
            .badPath,
            "The path of a push is /3/device/ and the token; that of a broadcast ends with the bundle identifier of its app.",
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

    static let badCollapseID = apns(
        .badCollapseId, "The limit is 64 bytes of UTF-8, not characters.",
        Example.alertRequest(#""apns-collapse-id":"\#(String(repeating: "ü", count: 33))""#),
        passing: Example.alertRequest(#""apns-collapse-id":"\#(String(repeating: "ü", count: 32))""#))
    static let badPriority = apns(
        .badPriority,
        "The priorities are 10, immediately, 5, based on power considerations, and 1, without waking the device.",
        Example.alertRequest(#""apns-priority":"high""#), passing: Example.alertRequest(#""apns-priority":"10""#))
    static let invalidPushType = apns(
        .invalidPushType, "The types are written in lower case: alert, background, voip, liveactivity and others.",
        Example.request(#""apns-push-type":"Alert""#, Example.alert))
    static let badExpirationDate = apns(
        .badExpirationDate, "The header is a whole number of seconds since 1970, or 0.",
        Example.alertRequest(#""apns-expiration":"tomorrow""#), passing: Example.alertRequest(#""apns-expiration":"0""#)
    )
    static let badMessageID = apns(
        .badMessageId, "The identifier is a UUID in its canonical form, 32 digits in groups of 8-4-4-4-12.",
        Example.alertRequest(#""apns-id":"42""#),
        passing: Example.alertRequest(#""apns-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#))

    /// Reports headers of a message for FCM that APNs would refuse.
    func checkHandedOn(_ headers: LintNode, _ around: APNsSurroundings) {
        headers.forEachMember { member in
            guard let text = member.value.swiftString, !text.isEmpty else { return }
            func refuse(_ rule: Rule, _ what: String, _ rejection: Rejection) {
                report(rule, "\(what); \(rejection.answer)", at: member.value)
            }
            switch APNsHeader.named(member.key) {
            case .collapseID where text.utf8.count > APNsAcceptance.maximumCollapseIDBytes:
                refuse(
                    Self.badCollapseID, "the collapse id has \(text.utf8.count) bytes, 64 are allowed", .badCollapseId)
            case .priority where !["10", "5", "1"].contains(text):
                refuse(Self.badPriority, "apns-priority is \"\(text)\"; 10, 5 and 1 are allowed", .badPriority)
            case .pushType where around.pushType == nil:
                refuse(
                    Self.invalidPushType, "apns-push-type is \"\(text)\", which is not one of Apple's values",
                    .invalidPushType)
            case .expiration where Int64(text) == nil || text.hasPrefix("+"):
                refuse(
                    Self.badExpirationDate, "apns-expiration is \"\(text)\", not a number of epoch seconds",
                    .badExpirationDate)
            case .id where !APNsAcceptance.isUUID(text):
                refuse(Self.badMessageID, "apns-id is not a UUID of the form 8-4-4-4-12", .badMessageId)
            default: break
            }
        }
    }

    static let duplicateHeaders = apns(
        .duplicateHeaders, "HTTP compares names without regard to case.",
        Example.alertRequest(#""Apns-Push-Type":"alert""#))

    func reportRepeated(_ member: LintMember) {
        report(
            Self.duplicateHeaders,
            "\(member.name.lowercased()) appears twice, because HTTP ignores case; APNs answers 400 DuplicateHeaders",
            at: member)
    }
}
