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
            #"{"message":{"token":"t","data":{"k":"\#(repeated("x", 4096))"}}}"#, "",
            "Android message is too big"
        ),
        (
            #"{"message":{"topic":"t","notification":{"body":"\#(repeated("x", 4093))"}}}"#, "",
            "Android message is too big"
        ),
        (
            #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"\#(repeated("x", 4077))"}}}}}"#, "",
            "iOS message is too big"
        ),
    ]

    @Test(arguments: FCMSentence.table)
    func `each sentence has a case`(sentence: FCMSentence) {
        #expect(Self.cases.contains { $0.text.hasPrefix(sentence.text.description) })
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
