import PushModel

/// What the emulated services refuse, as rules. The reasons themselves stand in `Rejection.table`.
extension Rule {
    private static func refusal(_ rejection: Rejection, why: String, source: Source, failing: String, passing: String)
        -> Rule
    {
        Rule(
            rejection.rule, .error, rejection.row.cause.description, why: why + " " + rejection.answer + ".",
            source: source,
            failing: failing, passing: passing)
    }

    private static func apns(
        _ rejection: Rejection, why: String, _ failing: String, passing: String = Example.alertRequest
    ) -> Rule {
        refusal(rejection, why: why, source: .responses, failing: failing, passing: passing)
    }

    private static func broadcast(_ rejection: Rejection, why: String, _ channel: String) -> Rule {
        func request(_ channel: String) -> String {
            #"{"headers":{"apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"5",\#(channel)},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
        }
        return refusal(
            rejection, why: why, source: .broadcastErrors, failing: request(channel),
            passing: request(#""apns-channel-id":"dHN0LXNyY2gtY2hubA==""#))
    }

    private static func alert(_ headers: String) -> String {
        Example.request(#""apns-push-type":"alert","# + headers, Example.alert)
    }

    private static func gcm(
        _ rejection: Rejection, why: String, _ failing: String, passing: String = #""data":{"score":"12"}"#
    ) -> Rule {
        refusal(rejection, why: why, source: .legacy, failing: failing, passing: Example.gcm(passing))
    }

    static let gcmInvalidDataKey = gcm(
        .invalidDataKey, why: "from, message_type, and names that begin with google or gcm are reserved.",
        Example.gcm(#""data":{"google.sent":"1"}"#))

    static let apnsBadCollapseID = apns(
        .badCollapseId, why: "The limit is 64 bytes of UTF-8, not characters.",
        alert(#""apns-collapse-id":"\#(String(repeating: "ü", count: 33))""#),
        passing: alert(#""apns-collapse-id":"\#(String(repeating: "ü", count: 32))""#))
    static let apnsBadPriority = apns(
        .badPriority,
        why: "The priorities are 10, immediately, 5, based on power considerations, and 1, without waking the device.",
        alert(#""apns-priority":"high""#), passing: alert(#""apns-priority":"10""#))
    static let apnsInvalidPushType = apns(
        .invalidPushType,
        why: "The types are written in lower case: alert, background, voip, liveactivity and others.",
        Example.request(#""apns-push-type":"Alert""#, Example.alert))
    static let apnsBadExpirationDate = apns(
        .badExpirationDate, why: "The header is a whole number of seconds since 1970, or 0.",
        alert(#""apns-expiration":"tomorrow""#), passing: alert(#""apns-expiration":"0""#))
    static let apnsBadMessageID = apns(
        .badMessageId, why: "The identifier is a UUID in its canonical form, 32 digits in groups of 8-4-4-4-12.",
        alert(#""apns-id":"42""#),
        passing: alert(#""apns-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#))
    static let apnsDuplicateHeaders = apns(
        .duplicateHeaders, why: "HTTP compares names without regard to case.", alert(#""Apns-Push-Type":"alert""#))

    /// What only a forced budget of the binary interface leads to has no example.
    private static func binary(
        _ rejection: Rejection, why: String, failing: String = "", passing: String = Example.alert
    ) -> Rule {
        // "the binary interface" begins a sentence here.
        let answer: String = rejection.answer.prefix(1).uppercased() + rejection.answer.dropFirst()
        return Rule(
            rejection.rule, .error, rejection.row.cause.description, why: "\(why) \(answer).",
            source: .binary, failing: failing, passing: passing, scope: failing.isEmpty ? .run : .lint)
    }

    static let refusalRules = [
        binary(.binaryProcessingError, why: "Priority and expiration are numbers in the frame."),
        binary(.binaryMissingDeviceToken, why: "Every notification has a device token."),
        binary(.binaryMissingPayload, why: "Every notification has a payload, if only {\"aps\":{}}."),
        binary(.binaryInvalidToken, why: "A token is bytes, written here as an even number of hexadecimal digits."),
        binary(.binaryInvalidTokenSize, why: "The interface of 2013 has tokens of 32 bytes."),
        binary(
            .binaryInvalidPayloadSize,
            why: "Until 2014 a payload had at most 256 bytes, from then on 2048. Moodle's form of 2013 has 256.",
            failing: Example.moodle(String(repeating: "ü", count: 128)), passing: Example.moodle("Week 3")),
        apnsBadCollapseID,
        apns(
            .badDeviceToken, why: "A token is an even number of hexadecimal digits.",
            Example.request(#""apns-push-type":"alert""#, Example.alert, device: "not a token!")),
        apnsBadExpirationDate,
        apnsBadMessageID,
        apnsBadPriority,
        apnsDuplicateHeaders,
        apnsInvalidPushType,
        apns(
            .missingDeviceToken, why: "The token is the last part of the request's path.",
            Example.request(#""apns-push-type":"alert""#, Example.alert, device: "")),
        apns(
            .missingTopic,
            why: "With a provider token, or a certificate for several topics, apns-topic must name the app.",
            #"{"device":"\#(Example.token)","headers":{"apns-push-type":"alert"},"payload":\#(Example.alert)}"#),
        apns(
            .payloadEmpty, why: "A push needs a body, if only {\"aps\":{}}.",
            #"{"device":"\#(Example.token)","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"payload":""}"#
        ),
        apns(
            .payloadTooLarge,
            why: "The whole body counts, in bytes of UTF-8: 4096 for most, 5120 for VoIP and broadcasts.",
            #"{"aps":{"alert":"\#(String(repeating: "ü", count: 2048))"}}"#,
            passing: #"{"aps":{"alert":"\#(String(repeating: "ü", count: 2037))"}}"#),
        broadcast(
            .missingChannelId, why: "A broadcast goes to a channel.", #""apns-channel-id":"""#),
        broadcast(
            .badPath, why: "The path of a broadcast ends with the bundle identifier of its app.",
            #"":path":"/4/broadcasts/apps/","apns-channel-id":"dHN0LXNyY2gtY2hubA==""#),
        broadcast(
            .badChannelId, why: "The id is the Base64 text that APNs returned when the channel was created.",
            #""apns-channel-id":"results 2026""#),
        gcm(
            .missingRegistration, why: "to, registration_ids or condition names whom the message is for.",
            #"{"registration_ids":[],"data":{"score":"12"}}"#),
        gcm(
            .invalidRegistration, why: "The token must be the one that the app got, without anything added.",
            #"{"to":"has a space","data":{"score":"12"}}"#),
        gcm(
            .invalidParameters, why: "Each parameter has a type and a range.",
            Example.gcm(#""priority":10,"data":{"score":"12"}"#), passing: #""priority":"high","data":{"score":"12"}"#),
        gcm(
            .messageTooBig,
            why: "Keys and values of notification and data count, 4096 bytes for a device and 2048 for a topic.",
            Example.gcm(#""data":{"text":"\#(String(repeating: "x", count: 4093))"}"#),
            passing: #""data":{"text":"\#(String(repeating: "x", count: 4092))"}"#),
        gcmInvalidDataKey,
        gcm(
            .invalidTtl, why: "time_to_live is a number of seconds, at most four weeks.",
            Example.gcm(#""time_to_live":2419201,"data":{"score":"12"}"#),
            passing: #""time_to_live":2419200,"data":{"score":"12"}"#),
        refusal(
            .invalidArgument,
            why: "FCM checks the type and range of every field, and the size of the message.",
            source: .fcmErrors,
            failing: #"{"message":{"topic":"results","token":"cXwZ9kT3R0m:APA91bHun4","data":{"score":"12"}}}"#,
            passing: Example.fcmData),
        refusal(
            .invalidDeviceType, why: "Airnotifier sends to ios, and to devices whose name ends with fcm.",
            source: .airnotifier,
            failing: #"{"device":"blackberry","token":"\#(Example.token)","alert":"Hi"}"#,
            passing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi"}"#),
    ]
}
