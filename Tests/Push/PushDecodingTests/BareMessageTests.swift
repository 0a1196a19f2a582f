import PushDecoding
import PushModel
import Testing

/// Messages as Admin SDKs take them. Source: firebase-admin-node, `messaging-api.ts` and `messaging-internal.ts`.
@Suite struct BareMessageTests {
    @Test(arguments: [
        #"{"token":"T","notification":{"title":"x"}}"#, #"{"topic":"news","data":{"k":"v"}}"#,
        #"{"fid":"F","webpush":{"notification":{"title":"x"}}}"#,
        #"{"condition":"'a' in topics","android":{"collapseKey":"c","data":{"k":"v"}}}"#,
        #"{"token":"T","android_v2":{"background_sync":{}}}"#, #"{"token":"T","fcmOptions":{"analyticsLabel":"l"}}"#,
        #"{"provider":"fcm","token":"T"}"#, #"{"provider":"fcm","token":"T","data":{"k":"v"}}"#,
    ])
    func `a message is taken, and a finding says what a request is`(record: String) throws {
        let reading = try read(record)
        #expect(reading.isAccepted, "\(reading.findings)")
        #expect(reading.provider == .fcm)
        #expect(reading.rules == ["fcm.bare-message"])
        #expect(reading.findings.first?.severity == .info)
    }

    @Test func `a forced format needs a target alone`() throws {
        #expect(try read(#"{"token":"T"}"#) { $0.format = .fcm }.isAccepted)
        #expect(try read(#"{"data":{}}"#) { $0.format = .fcm }.reason == "INVALID_ARGUMENT")
    }

    /// FCM sees the request that the SDK sends.
    @Test(arguments: [
        (#"{"token":"T","data":{"n":5}}"#, "/data/n", "Invalid value at 'message.data[0].value' (TYPE_STRING), 5"),
        (
            #"{"token":"T","data":{},"priority":"high"}"#, "/priority",
            "Invalid JSON payload received. Unknown name \"priority\" at 'message': Cannot find field."
        ),
        (
            #"{"token":"T","notification":{"sound":"x"}}"#, "/notification/sound",
            "Invalid JSON payload received. Unknown name \"sound\" at 'message.notification': Cannot find field."
        ),
        (
            #"{"topic":"a b","data":{}}"#, "/topic",
            "a topic name must have 1 to 900 letters, digits and -_.~%, without /topics/"
        ),
        (#"{"token":"T","data":{"from":"x"}}"#, "/data/from", "the name \"from\" is reserved"),
        (
            #"{"token":"T","apns":{"headers":{"apns-priority":"7"},"payload":{"aps":{"alert":"x"}}}}"#,
            "/apns/headers/apns-priority",
            "APNs answers 400 BadPriority: apns-priority is \"7\", but only 10, 5 and 1 are allowed"
        ),
    ])
    func `what FCM refuses is pointed at in the record`(record: String, pointer: String, message: String) throws {
        let reading = try read(record)
        #expect(Refusal(reading) == Refusal("INVALID_ARGUMENT", 400, at: pointer))
        #expect(reading.errors.first?.message == message)
    }

    @Test func `the blocks of the platforms have their effect`() throws {
        let ios = try read(#"{"token":"T","notification":{"title":"x"},"apns":{"payload":{"aps":{"badge":1}}}}"#)
        #expect(ios.platform == .ios)
        #expect(ios.payload == #"{"aps":{"badge":1,"alert":{"title":"x"}}}"#)
        let android = try read(#"{"token":"T","android":{"notification":{"title":"x","tag":"g"}}}"#)
        #expect(android.platform == .android)
        #expect(android.identifier == "g")
    }

    // MARK: - Multicast

    @Test func `a multicast message is one for each of its targets`() throws {
        let readings = readAll(#"{"tokens":["a","b",""],"fids":["c"],"notification":{"title":"x"}}"#)
        #expect(readings.map(\.device) == ["a", "b", "", "c"])
        #expect(readings.map(\.target) == [0, 1, 2, 3])
        #expect(readings.map(\.isAccepted) == [true, true, false, true])
        #expect(Refusal(readings[2]) == Refusal("INVALID_ARGUMENT", 400, at: "/tokens/2"))
        #expect(readings.allSatisfy { $0.payload == #"{"notification":{"title":"x"}}"# && $0.bytes == 6 })
    }

    @Test func `a multicast message that FCM refuses is refused for each target`() {
        let readings = readAll(#"{"tokens":["a","b"],"data":{"n":5}}"#)
        #expect(readings.map(\.reason) == ["INVALID_ARGUMENT", "INVALID_ARGUMENT"])
        #expect(readings.first?.errors.first?.pointer == "/data/n")
    }

    @Test func `a multicast message needs targets, and has no other`() throws {
        #expect(try read(#"{"tokens":[],"data":{"k":"v"}}"#).decodeFailure?.rule == "record.nothing-to-send")
        #expect(try read(#"{"tokens":["a"],"token":"T","data":{"k":"v"}}"#).reason == "INVALID_ARGUMENT")
    }

    // MARK: - Names of the SDK for Node.js

    @Test(arguments: [
        (
            #""notification":{"imageUrl":"https://a.example/i.png"}"#,
            #""notification":{"image":"https://a.example/i.png"}"#
        ),
        (#""android":{"ttl":3600000}"#, #""android":{"ttl":"3600s"}"#),
        (#""android":{"ttl":1500}"#, #""android":{"ttl":"1.500000000s"}"#),
        (
            #""android":{"notification":{"priority":"high","eventTimestamp":"2024-11-05T18:00:00Z"}}"#,
            #""android":{"notification":{"notification_priority":"PRIORITY_HIGH","event_time":"2024-11-05T18:00:00Z"}}"#
        ),
        (
            #""android":{"notification":{"vibrateTimingsMillis":[100,0]}}"#,
            #""android":{"notification":{"vibrate_timings":["0.100000000s","0s"]}}"#
        ),
        (
            ##""android":{"notification":{"lightSettings":{"color":"#ff0000","lightOnDurationMillis":1,"lightOffDurationMillis":0}}}"##,
            #""android":{"notification":{"lightSettings":{"color":{"red":1.0,"green":0.0,"blue":0.0,"alpha":1.0},"#
                + #""light_on_duration":"0.001000000s","light_off_duration":"0s"}}}"#
        ),
    ])
    func `its names and units are those of FCM when it sends`(members: String, sent: String) throws {
        let reading = try read(#"{"token":"T",\#(members)}"#)
        #expect(reading.isAccepted, "\(reading.findings)")
        #expect(reading.payload == #"{"token":"T",\#(sent)}"#)
    }

    @Test func `so are those of aps`() throws {
        let reading = try read(
            #"{"token":"T","apns":{"payload":{"aps":{"contentAvailable":false,"mutableContent":true,"threadId":"t","#
                + #""alert":{"locKey":"K","title":"x"},"sound":{"critical":true,"name":"n"}}}}}"#)
        #expect(
            reading.payload
                == #"{"aps":{"mutable-content":1,"thread-id":"t","alert":{"loc-key":"K","title":"x"},"#
                + #""sound":{"critical":1,"name":"n"}}}"#)
        #expect(reading.startsServiceExtension)
    }

    @Test(arguments: [
        #""android":{"ttl":-5}"#, #""android":{"ttl":"5"}"#, #""android":{"notification":{"priority":5}}"#,
        #""notification":{"imageUrl":"x","bady":"y"}"#, #""android":{"imageUrl":"x"}"#,
    ])
    func `another value or place is refused`(members: String) throws {
        #expect(try read(#"{"token":"T",\#(members)}"#).reason == "INVALID_ARGUMENT")
    }

    /// A request has FCM's names.
    @Test func `in a request they are unknown`() throws {
        let request = #"{"message":{"token":"T","notification":{"imageUrl":"https://a.example/i.png"}}}"#
        #expect(try read(request).reason == "INVALID_ARGUMENT")
    }

    /// A request that a gateway gets over HTTP stands in an envelope.
    @Test func `a body without a request around it is no request`() throws {
        let record = #"{"provider":"fcm","payload":{"token":"T","data":{"k":"v"}}}"#
        #expect(try !read(record).isAccepted)
    }
}
