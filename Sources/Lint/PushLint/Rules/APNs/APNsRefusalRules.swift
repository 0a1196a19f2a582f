import PayloadJSON
import PushDecoding
import PushModel

/// Refusals of APNs. `Acceptance` refuses, and `RecordLinter` reports it; the checks here find what FCM would pass on.
struct APNsRefusalRules: RuleCheck {
    static let rules = [
        duplicateHeaders,
        apns(
            .badCollapseId, "The limit is 64 bytes of UTF-8, not characters.",
            Example.alertRequest(#""apns-collapse-id":"\#(String(repeating: "ü", count: 33))""#),
            passing: Example.alertRequest(#""apns-collapse-id":"\#(String(repeating: "ü", count: 32))""#)),
        apns(
            .badPriority,
            "The priorities are 10, immediately, 5, based on power considerations, and 1, without waking the device.",
            Example.alertRequest(#""apns-priority":"high""#), passing: Example.alertRequest(#""apns-priority":"10""#)),
        apns(
            .invalidPushType, "The types are written in lower case: alert, background, voip, liveactivity and others.",
            Example.request(#""apns-push-type":"Alert""#, Example.alert)),
        apns(
            .badExpirationDate, "The header is a whole number of seconds since 1970, or 0.",
            Example.alertRequest(#""apns-expiration":"tomorrow""#),
            passing: Example.alertRequest(#""apns-expiration":"0""#)
        ),
        apns(
            .badMessageId, "The identifier is a UUID in its canonical form, 32 digits in groups of 8-4-4-4-12.",
            Example.alertRequest(#""apns-id":"42""#),
            passing: Example.alertRequest(#""apns-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#)),
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
                ? "apns-id is not a UUID of the form 8-4-4-4-12"
                : "apns-expiration is \"\(text)\", not a number of epoch seconds"
            report(rule, "\(wrong.text ?? words); \(wrong.rejection.answer)", at: member.value)
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
        binary(.binaryMissingPayload, "Every notification has a payload, if only {\"aps\":{}}."),
        binary(.binaryInvalidToken, "A token is bytes, written here as an even number of hexadecimal digits."),
        binary(.binaryInvalidTokenSize, "The interface of 2013 has tokens of 32 bytes."),
        binary(
            .binaryInvalidPayloadSize,
            "Until 2014 a payload had at most 256 bytes, from then on 2048. Moodle's form of 2013 has 256.",
            failing: moodle(String(repeating: "ü", count: 128)), passing: moodle("Week 3")),
    ]
}
