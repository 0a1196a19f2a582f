import PushDecoding
import PushModel
import Testing

/// The payloads that FCM sends to APNs for messages to iOS devices.
@Suite struct DerivedPayloadTests {
    static func legacy(_ members: String) throws -> Reading {
        try read(#"{"to":"t",\#(members)}"#) { $0.platform = .ios }
    }

    static func v1(_ members: String) throws -> Reading {
        try read(#"{"message":{"token":"t",\#(members)}}"#) { $0.platform = .ios }
    }

    // MARK: - The platform

    @Test(arguments: [
        (#""apns":{}"#, Platform.ios), (#""data":{}"#, .android), (#""apns":{},"android":{}"#, .android),
        (#""apns":{},"webpush":{}"#, .android), (#""apns":null"#, .android), (#""apns":{},"android":null"#, .ios),
    ])
    func `a message with an apns block alone is for iOS`(members: String, platform: Platform) throws {
        let record = #"{"message":{"token":"t",\#(members)}}"#
        #expect(try read(record).platform == platform)
        #expect(try read(record) { $0.platform = .android }.platform == .android)
        #expect(try read(record) { $0.platform = .ios }.platform == .ios)
    }

    @Test func `it is still FCM that answers`() throws {
        #expect(try Self.v1(#""data":{}"#).provider == .fcm)
        #expect(try Self.legacy(#""data":{}"#).provider == .gcm)
        #expect(try Self.v1(#""data":{"from":"x"}"#).reason == "INVALID_ARGUMENT")
    }

    // MARK: - Pictures

    /// Firebase, "Send an image in the notification payload"; REST Resource: projects.messages, `ApnsFcmOptions.image`.
    @Test(arguments: [
        (#""apns":{"fcm_options":{"image":"a"}}"#, #"{"aps":{},"fcm_options":{"image":"a"}}"#),
        (#""apns":{"fcmOptions":{"image":"a","analyticsLabel":"l"}}"#, #"{"aps":{},"fcm_options":{"image":"a"}}"#),
        (#""notification":{"image":"a"}"#, #"{"aps":{},"fcm_options":{"image":"a"}}"#),
        (
            #""notification":{"image":"a"},"apns":{"fcm_options":{"image":"b"}}"#,
            #"{"aps":{},"fcm_options":{"image":"b"}}"#
        ),
        (
            #""notification":{"image":"a"},"apns":{"fcm_options":{"image":""}}"#,
            #"{"aps":{},"fcm_options":{"image":"a"}}"#
        ),
        (#""apns":{"fcm_options":{"image":""}}"#, #"{"aps":{}}"#),
        (#""apns":{"fcm_options":{"analytics_label":"l"}}"#, #"{"aps":{}}"#),
        // apns.payload overrides, and data never replaces what FCM adds.
        (
            #""apns":{"payload":{"aps":{},"fcm_options":{"x":1}},"fcm_options":{"image":"a"}}"#,
            #"{"aps":{},"fcm_options":{"x":1}}"#
        ),
        (
            #""data":{"fcm_options":"d","k":"v"},"apns":{"fcm_options":{"image":"a"}}"#,
            #"{"aps":{},"fcm_options":{"image":"a"},"k":"v"}"#
        ),
    ])
    func `the image stands in fcm_options beside aps, where Firebase's helper finds it`(
        members: String, payload: String
    ) throws {
        let reading = try Self.v1(members)
        #expect(reading.payload == payload)
        #expect(reading.bytes == payload.utf8.count)
    }

    @Test func `on Android the image stays where it is`() throws {
        #expect(
            try read(#"{"message":{"token":"t","notification":{"image":"a"}}}"#).payload.contains("fcm_options")
                == false)
    }

    // MARK: - Legacy requests

    @Test func `the notification becomes the alert`() throws {
        let reading = try Self.legacy(#""notification":{"title":"T","subtitle":"S","body":"B"}"#)
        #expect(reading.shown == ShownContent(title: "T", subtitle: "S", body: "B"))
        #expect(reading.payload == #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"}}}"#)
        #expect(reading.bytes == reading.payload.utf8.count)
        #expect(reading.isShown)
    }

    @Test(
        arguments: [(#""7""#, 7), ("7", 7), (#""0""#, 0), ("0", 0), (#""many""#, nil), (#""""#, nil)]
            as [(String, Int?)])
    func `the badge is a string in a request and a number in the payload`(badge: String, expected: Int?) throws {
        #expect(try Self.legacy(#""notification":{"title":"T","badge":\#(badge)}"#).shown.badge == expected)
    }

    @Test func `click_action becomes the category and sound stays`() throws {
        let reading = try Self.legacy(#""notification":{"title":"T","click_action":"REPLY","sound":"s.caf"}"#)
        let payload = reading.payload
        #expect(payload.contains(#""category":"REPLY""#))
        #expect(payload.contains(#""sound":"s.caf""#))
        #expect(!payload.contains("click_action"))
    }

    @Test func `localisation keys and arguments keep their meaning`() throws {
        let reading = try Self.legacy(
            #""notification":{"title_loc_key":"TK","title_loc_args":["a"],"body_loc_key":"BK","#
                + #""body_loc_args":["b","c"]}"#
        )
        #expect(reading.shown == ShownContent(title: "TK", body: "BK"))
        for member in [
            #""title-loc-key":"TK""#, #""title-loc-args":["a"]"#, #""loc-key":"BK""#, #""loc-args":["b","c"]"#,
        ] {
            #expect(reading.payload.contains(member), "\(member)")
        }
    }

    @Test func `content_available and mutable_content become numbers`() throws {
        let reading = try Self.legacy(
            #""content_available":true,"mutable_content":true,"notification":{"body":"B"},"data":{"k":"v"}"#)
        #expect(reading.payload.contains(#""content-available":1"#))
        #expect(reading.startsServiceExtension)
        let without = try Self.legacy(#""content_available":false,"mutable_content":false,"notification":{"body":"B"}"#)
        #expect(!without.payload.contains("content"))
        #expect(!without.startsServiceExtension)
    }

    @Test func `data stands beside aps`() throws {
        let reading = try read(#"{"to":"t","notification":{"body":"B"},"data":{"id":"m1","n":1}}"#) {
            $0.platform = .ios
            $0.replacementKey = "id"
        }
        #expect(reading.payload == #"{"aps":{"alert":{"body":"B"}},"id":"m1","n":1}"#)
        #expect(reading.customID == "m1")
    }

    @Test func `data cannot put itself in the place of aps`() throws {
        let reading = try Self.legacy(#""notification":{"body":"B"},"data":{"aps":"x","\u0061ps":{"alert":"y"}}"#)
        #expect(reading.shown.body == "B")
        #expect(reading.payload == #"{"aps":{"alert":{"body":"B"}}}"#)
    }

    @Test func `a data message is silent`() throws {
        let reading = try Self.legacy(#""data":{"alert":"no"}"#)
        #expect(!reading.isShown)
        #expect(reading.payload == #"{"aps":{},"alert":"no"}"#)
    }

    @Test func `each of several targets gets the payload`() {
        let readings = readAll(#"{"registration_ids":["a","b","c"],"notification":{"body":"B"}}"#) {
            $0.platform = .ios
        }
        #expect(readings.map(\.device) == ["a", "b", "c"])
        #expect(readings.map(\.payload) == Array(repeating: #"{"aps":{"alert":{"body":"B"}}}"#, count: 3))
        #expect(readings.map(\.shown.body) == ["B", "B", "B"])
    }

    // MARK: - HTTP v1

    @Test func `what the apns payload says wins over the notification`() throws {
        let reading = try Self.v1(
            #""notification":{"title":"common","body":"common"},"apns":{"payload":{"aps":{"alert":"mine","badge":2}}}"#)
        #expect(reading.shown == ShownContent(body: "mine", badge: 2))
        #expect(reading.payload == #"{"aps":{"alert":"mine","badge":2}}"#)
    }

    @Test func `the notification fills in what the apns payload leaves open`() throws {
        let reading = try Self.v1(
            #""notification":{"title":"T","body":"B"},"apns":{"payload":{"aps":{"mutable-content":1},"custom":1}}"#)
        #expect(reading.shown == ShownContent(title: "T", body: "B"))
        #expect(reading.startsServiceExtension)
        #expect(reading.payload == #"{"aps":{"mutable-content":1,"alert":{"title":"T","body":"B"}},"custom":1}"#)
    }

    @Test func `data stands beside aps, and gives way to the apns payload's own members`() throws {
        let reading = try Self.v1(#""data":{"a":"data","b":"data"},"apns":{"payload":{"aps":{},"a":"apns"}}"#)
        #expect(reading.payload == #"{"aps":{},"a":"apns","b":"data"}"#)
    }

    @Test func `the headers for APNs act on the device`() throws {
        let reading = try Self.v1(
            #""apns":{"headers":{"apns-collapse-id":"c1","apns-topic":"org.example"},"payload":{"aps":{"alert":"x"}}}"#)
        #expect(reading.identifier == "c1")
        #expect(reading.topic == "org.example")
        #expect(reading.app == "org.example")
    }

    @Test func `without a collapse id there is no identifier on iOS`() throws {
        let reading = try Self.v1(#""notification":{"body":"B"},"android":{"notification":{"tag":"t"}}"#)
        #expect(reading.identifier == nil)
    }

    @Test func `texts stay as they were written`() throws {
        let reading = try Self.v1(#""notification":{"body":"\u00e9\/é"},"data":{"k\u0065y":"\u0041"}"#)
        #expect(reading.payload == #"{"aps":{"alert":{"body":"\u00e9\/é"}},"k\u0065y":"\u0041"}"#)
        #expect(reading.shown.body == "é/é")
    }

    @Test func `a member that is null adds nothing to the payload`() throws {
        let reading = try Self.legacy(
            #""notification":{"body":"B","title":null,"sound":null,"badge":null,"click_action":null}"#)
        #expect(reading.payload == #"{"aps":{"alert":{"body":"B"}}}"#)
    }
}
