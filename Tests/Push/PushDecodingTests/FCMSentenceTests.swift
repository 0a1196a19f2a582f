import PushDecoding
import PushModel
import Testing

/// FCM's own sentences, as the threads have them that the rows name.
@Suite struct FCMSentenceTests {
    /// A record that FCM refuses for a cause, and the sentence.
    private static let cases: [(record: String, field: String, text: String)] = [
        (#"{"message":{}}"#, "message", "Recipient of the message is not set."),
        (
            #"{"message":{"token":"a b"}}"#, "message.token",
            "The registration token is not a valid FCM registration token"
        ),
        (
            #"{"message":{"token":"t","data":{"from":"x"}}}"#, "message.data",
            "Invalid data payload key: from"
        ),
        (
            #"{"message":{"token":"t","android":{"data":{"google.ttl":"x"}}}}"#, "message.android.data",
            "Invalid data payload key: google.ttl"
        ),
        (
            #"{"message":{"topic":"t","data":{"a":"b","gcm.notification.e":"x"}}}"#, "message.data",
            "Invalid data payload key: gcm.notification.e"
        ),
        (
            #"{"message":{"token":"t","apns":{"headers":{"apns-collapse-id":"\#(repeated("x", 65))"},"payload":{"aps":{}}}}}"#,
            "message.apns.headers", "The length of [apns-collapse-id] header must not exceed [64] bytes."
        ),
        (
            #"{"message":{"token":"t","apns":{"payload":{"alert":"x"}}}}"#, "message.apns.payload",
            "Payload of Apple Push Notification Service must contain an [aps] key."
        ),
        // fcm-cloudflare-workers issue 10 has this one.
        (
            #"{"message":{"topic":"t","notification":{"title":"x"},"apns":{"payload":{"sound":"default"}}}}"#,
            "message.apns.payload", "Payload of Apple Push Notification Service must contain an [aps] key."
        ),
        (
            #"{"message":{"token":"t","apns":{"payload":{"aps":[]}}}}"#, "message.apns.payload.aps",
            "Value of [aps] must be a non-empty dictionary."
        ),
        (
            #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":{"title":5}}}}}}"#,
            "message.apns.payload.aps.alert.title", "Value type for APS key [title] is a String."
        ),
        (
            #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":{"body":"x","title":null}}}}}}"#,
            "message.apns.payload.aps.alert.title", "Value type for APS key [title] is a String."
        ),
        (
            #"{"message":{"token":"t","android":{},"apns":{"payload":{"aps":{"alert":"x","badge":"1"}}}}}"#,
            "message.apns.payload.aps.badge", "Value type for APS key [badge] is a number."
        ),
        (
            #"{"message":{"token":"t","data":{"k":"\#(repeated("x", 4096))"}}}"#, "",
            "Message is too large. The maximum is 4K (4096 bytes)."
        ),
        (
            #"{"message":{"topic":"t","notification":{"body":"\#(repeated("x", 4093))"}}}"#, "",
            "Message is too large. The maximum is 4K (4096 bytes)."
        ),
        (
            #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"\#(repeated("x", 4077))"}}}}}"#, "",
            "Message is too large. The maximum is 4K (4096 bytes)."
        ),
    ]

    @Test(arguments: FCMSentence.table)
    func `each sentence has a case`(sentence: FCMSentence) {
        #expect((Self.cases + Self.casesOfIOS).contains { $0.text.hasPrefix(sentence.text.description) })
    }

    @Test(arguments: cases)
    func `a refused message has the sentence`(
        record: String, field: String, text: String
    ) throws {
        let reading = try read(record)
        #expect(reading.reason == "INVALID_ARGUMENT")
        #expect(reading.errors.map(\.detail) == [.fcmError(field: field, description: text)])
    }

    /// The collapse id of 64 bytes, and what APNs does not get.
    @Test(arguments: [
        #"{"message":{"token":"t","apns":{"headers":{"apns-collapse-id":"\#(repeated("x", 64))"}}}}"#,
        #"{"message":{"token":"t","data":{"from_":"x","message_types":"x","Google.x":"x"}}}"#,
        #"{"message":{"token":"t","data":{"k":"\#(repeated("x", 4095))"}}}"#,
    ])
    func `what is similar and right has none`(record: String) throws {
        let reading = try read(record)
        #expect(reading.isAccepted)
        #expect(reading.findings.isEmpty)
    }

    /// No source has a refusal of an empty payload, an empty or absent `aps`, booleans, other keys than `badge` and `title`, or the app's own.
    @Test(arguments: [
        #"{}"#, #"{"aps":{}}"#, #"{"aps":{},"k":5}"#, #"{"aps":null}"#, #"{"aps":{"content-available":true}}"#,
        #"{"aps":{"alert":5,"sound":null,"k":{},"title":5}}"#, #"{"aps":{"alert":{"loc-args":5,"badge":"1"}}}"#,
        #"{"aps":{"alert":"x","badge":0,"relevance-score":0.5,"category":"c"},"badge":"1"}"#,
        #"{"aps":{"alert":{"body":null},"thread-id":7,"category":null,"content-available":"1"}}"#,
    ])
    func `a payload that FCM may take has none`(payload: String) throws {
        #expect(try read(#"{"message":{"token":"t","apns":{"payload":\#(payload)}}}"#).isAccepted)
    }

    /// Refusals for devices that are known to be Apple's. Sources: firebase-ios-sdk issue 4605, firebase-php issue 700, firebase-admin-node issue 1224,
    /// firebase-admin-java issue 607.
    private static let casesOfIOS: [(record: String, field: String, text: String)] = [
        (data(#""headers":{"apns-priority":"5","apns-push-type":"background"}"#), "message.token", invalidToken),
        (data(#""headers":{"apns-priority":"10"}"#), "message.token", invalidToken),
        (
            data(#""headers":{"apns-push-type":"background"},"payload":{"aps":{"content_available":1}}"#),
            "message.token", invalidToken
        ),
        (
            data(#""headers":{"apns-push-type":"location"},"payload":{"aps":{"content-available":1}}"#),
            "message.token", invalidToken
        ),
        (
            data(#""headers":{"apns-push-type":"voip"},"payload":{"aps":{"alert":"x"}}"#), "message.token", invalidToken
        ),
    ]
    private static let invalidToken = "Invalid registration token"

    private static func data(_ apns: String, to target: String = "token") -> String {
        #"{"message":{"\#(target)":"t","data":{"k":"v"},"apns":{\#(apns)}}}"#
    }

    @Test(arguments: casesOfIOS)
    func `what only an app's own token could not get is refused for an Apple device`(
        record: String, field: String, text: String
    ) throws {
        let reading = try read(record) { $0.platform = .ios }
        #expect(Refusal(reading) == Refusal("INVALID_ARGUMENT", 400, at: "/message/apns"))
        #expect(reading.errors.map(\.detail) == [.fcmError(field: field, description: text)])
        // Nothing says that the token is one of an Apple device.
        #expect(try read(record).isAccepted)
    }

    @Test(arguments: [
        data(""), data(#""headers":{"apns-priority":"5"},"payload":{"aps":{"content-available":1}}"#),
        data(#""headers":{"apns-priority":"5"},"payload":{"aps":{"badge":0}}"#),
        data(#""headers":{"apns-push-type":"alert"},"payload":{"aps":{}}"#),
        data(#""headers":{"apns-priority":"5","apns-push-type":"background"}"#, to: "topic"),
        data(#""headers":{"apns-priority":"5"}},"notification":{"title":"x""#),
        #"{"message":{"token":"t","apns":{"headers":{"apns-priority":"10"}}}}"#,
    ])
    func `what the threads do not have is accepted for an Apple device`(record: String) throws {
        #expect(try read(record) { $0.platform = .ios }.isAccepted)
    }

    // MARK: - Requests without a message

    /// sylk-pushserver issue 16 has the first; the wrong types are those of the parser's published ancestor.
    @Test(
        arguments: [
            (
                #"{"to":"t","time_to_live":60,"priority":"high","data":{"a":"b"}}"#,
                ["to", "time_to_live", "priority", "data"].map(unknown)
            ),
            (
                #"{"registration_ids":["a","b"],"notification":{"title":"x"}}"#,
                ["registration_ids", "notification"].map(unknown)
            ),
            (#"{"token":"t","notification":{"title":"x"}}"#, ["token", "notification"].map(unknown)),
            (#"{"topic":"news","android":{}}"#, ["topic", "android"].map(unknown)),
            (
                #"{"message":"x"}"#,
                [#"Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message), "x""#]
            ),
            (#"{"message":5}"#, ["Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message), 5"]),
            (
                #"{"message":true}"#,
                ["Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message), true"]
            ),
            (
                #"{"message":[{"token":"t"}]}"#,
                [
                    #"Invalid JSON payload received. Unknown name "message": Proto field is not repeating, cannot start list."#
                ]
            ),
            (#"{"validate_only":true,"tokens":["a"]}"#, [unknown("tokens")]),
        ] as [(String, [String])])
    func `a request without a message is refused in the words of Google's parser`(
        request: String, sentences: [String]
    ) throws {
        for record in [
            #"{"provider":"fcm","payload":\#(request)}"#, #"{"provider":"fcm","payload":\#(quoted(request))}"#,
        ] {
            let reading = try read(record)
            #expect(reading.reason == "INVALID_ARGUMENT")
            #expect(reading.errors.map(\.message) == sentences)
            #expect(
                reading.errors.allSatisfy { if case .fieldViolation = $0.detail { true } else { false } }, "\(record)")
        }
    }

    private static func unknown(_ name: String) -> String {
        #"Invalid JSON payload received. Unknown name "\#(name)": Cannot find field."#
    }

    @Test(arguments: [("token", "token"), ("to", "to"), ("topic", "topic")])
    func `its target is that of the request`(name: String, _: String) throws {
        #expect(try read(#"{"provider":"fcm","payload":{"\#(name)":"bela","data":{}}}"#).device == "bela")
    }

    /// FCM's answer to them is not known.
    @Test(arguments: ["{}", #"{"validate_only":true}"#, #"{"message":null}"#])
    func `an empty request contains no message`(request: String) throws {
        #expect(try read(request) { $0.format = .fcm }.decodeFailure?.rule == "record.unknown-shape")
    }
}
