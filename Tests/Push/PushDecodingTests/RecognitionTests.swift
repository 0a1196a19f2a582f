import PushDecoding
import PushModel
import Testing

@Suite struct RecognitionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let record: String
        let provider: Provider
        let gateway: Gateway?

        init(_ record: String, _ provider: Provider, _ gateway: Gateway? = nil) {
            self.record = record
            self.provider = provider
            self.gateway = gateway
        }

        var testDescription: String { record }
    }

    /// The table in Documentation/reference/formats.md.
    static let formats = [
        Case(#"{"payload":{"aps":{}}}"#, .apns),
        Case(#"{"payload":"{\"aps\":{}}"}"#, .apns),
        Case(#"{"aps":{"alert":"x"}}"#, .apns),
        Case(#"{"to":"t"}"#, .gcm),
        Case(#"{"registration_ids":["t"]}"#, .gcm),
        Case(#"{"condition":"'a' in topics"}"#, .gcm),
        Case(#"{"notification_key":"t"}"#, .gcm),
        Case(#"{"message":{"token":"t"}}"#, .fcm),
        Case(#"{"token":"t","alert":"x"}"#, .fcm, .airnotifier),
        Case(#"{"token":"t","extra":{"a":"b"}}"#, .fcm, .airnotifier),
        Case(#"{"token":"t","fcm":{}}"#, .fcm, .airnotifier),
        Case(#"{"token":"t","device":"fcm","apns":{}}"#, .fcm, .airnotifier),
        Case(#"{"token":"t","wns":{}}"#, .fcm, .airnotifier),
        Case(#"{"token":"ab","device":"ios","alert":"x"}"#, .apns, .airnotifier),
        Case(#"{"APNS":"{\"aps\":{}}"}"#, .apns, .sns),
        Case(#"{"APNS_SANDBOX":"{\"aps\":{}}"}"#, .apns, .sns),
        Case(#"{"APNS_VOIP":"{\"aps\":{}}"}"#, .apns, .sns),
        Case(#"{"APNS_VOIP_SANDBOX":"{\"aps\":{}}"}"#, .apns, .sns),
        Case(#"{"GCM":"{\"data\":{}}"}"#, .gcm, .sns),
        Case(#"{"FCM":"{\"data\":{}}"}"#, .gcm, .sns),
        Case(#"{"Message":"{\"APNS\":\"{}\"}","MessageStructure":"json"}"#, .apns, .sns),
        Case(#"{"Message":"{\"default\":\"x\"}","MessageStructure":"json"}"#, .apns, .sns),
        Case(#"{"Message":"x","TopicArn":"arn"}"#, .apns, .sns),
        Case(#"{"Message":"x","TargetArn":"arn"}"#, .apns, .sns),
        Case(#"{"deviceTokens":["ab"],"messageType":"checkEchoV1","topic":"org.example"}"#, .apns, .wikimedia),
        Case(#"{"deviceTokens":["ab"],"messageType":"checkEchoV1"}"#, .fcm, .wikimedia),
        Case(#"{"type":"message","userfrom":"Anna","alert":"x"}"#, .apns, .moodle),
    ]

    @Test(arguments: formats)
    func `a format is recognised by its keys`(example: Case) throws {
        let reading = try read(example.record)
        #expect(reading.isAccepted)
        #expect(reading.provider == example.provider)
        #expect(reading.gateway == example.gateway)
    }

    @Test(arguments: [
        #""payload":{"a":1}"#, #""payload":"text""#, #""message":{"token":"t"}"#, #""message":"hello""#,
        #""to":"Anna""#,
        #""provider":"gcm""#, #""provider":"nobody""#, #""provider":5"#, #""registration_ids":[]"#, #""APNS":"{}""#,
        #""deviceTokens":[],"messageType":"x""#, #""token":"t","alert":"x""#, #""condition":"rain""#, #""headers":{}"#,
        #""Message":"{}","MessageStructure":"json""#, #""type":"a","userfrom":"b","alert":"c""#, #""device":"zz""#,
    ])
    func `beside aps every other name is the app's own`(custom: String) throws {
        for record in [#"{"aps":{"alert":"x"},\#(custom)}"#, #"{\#(custom),"aps":{"alert":"x"}}"#] {
            let reading = try read(record)
            #expect(reading.isAccepted)
            #expect(reading.provider == .apns)
            #expect(reading.gateway == nil)
            #expect(reading.payload == record)
            #expect(reading.bytes == record.utf8.count)
            #expect(reading.device == "default")
        }
    }

    // MARK: - Explicit providers

    @Test(arguments: [
        Case(#"{"provider":"apns","payload":{"to":"x","message":{}}}"#, .apns),
        Case(#"{"provider":"apns","mdm":"magic"}"#, .apns),
        Case(#"{"provider":"gcm","to":"t","message":{"token":"u"}}"#, .gcm),
        Case(#"{"provider":"fcm","to":"t","message":{"token":"u"}}"#, .fcm),
        Case(#"{"provider":"gcm","payload":{"to":"t"}}"#, .gcm),
        Case(#"{"provider":"gcm","payload":"{\"to\":\"t\"}"}"#, .gcm),
        Case(#"{"provider":"fcm","payload":{"message":{"token":"t"}}}"#, .fcm),
        Case(#"{"provider":"fcm","payload":"{\"message\":{\"token\":\"t\"}}"}"#, .fcm),
        Case(#"{"provider":"airnotifier","token":"t"}"#, .fcm, .airnotifier),
        Case(#"{"provider":"sns","payload":{"APNS":"{}"}}"#, .apns, .sns),
        Case(#"{"provider":"moodle","alert":"x"}"#, .apns, .moodle),
        Case(#"{"provider":"wikimedia","messageType":"checkEchoV1","deviceTokens":["t"]}"#, .fcm, .wikimedia),
    ])
    func `a provider that the record names wins over its keys`(example: Case) throws {
        for forced: RecordFormat? in [nil, .apns, .gcm, .sns] {
            let reading = try read(example.record) { $0.format = forced }
            #expect(reading.decodeFailure == nil)
            #expect(reading.provider == example.provider)
            #expect(reading.gateway == example.gateway)
        }
    }

    @Test(arguments: [#""nobody""#, #""APNS""#, #""""#, "5", "{}", "true"])
    func `a provider that there is not makes the record malformed`(name: String) throws {
        let record = #"{"payload":{"aps":{}},"provider":\#(name)}"#
        let decodeFailure = try #require(try read(record).decodeFailure)
        #expect(decodeFailure.rule == "record.unknown-shape")
        // {"payload":{"aps":{}},"provider": has 33 bytes.
        #expect(decodeFailure.offset == 33)
    }

    @Test func `an enveloped request goes to the envelope's device when it names none`() throws {
        let gcm = try read(#"{"provider":"gcm","device":"phone","payload":{"data":{"k":"v"}}}"#)
        #expect(gcm.isAccepted)
        #expect(gcm.device == "phone")
        let fcm = try read(#"{"provider":"fcm","device":"phone","payload":"{\"message\":{\"data\":{\"k\":\"v\"}}}"}"#)
        #expect(fcm.isAccepted)
        #expect(fcm.device == "phone")
        #expect(try read(#"{"provider":"gcm","device":"phone","payload":{"to":"t"}}"#).device == "t")
    }

    @Test func `an enveloped request that is refused is pointed at inside the envelope`() throws {
        for payload in [#"{"to":"t","time_to_live":-1}"#, #""{\"to\":\"t\",\"time_to_live\":-1}""#] {
            #expect(
                try refusal(of: #"{"provider":"gcm","payload":\#(payload)}"#)
                    == Refusal("InvalidTtl", 200, at: "/payload/time_to_live"))
        }
        #expect(
            try refusal(of: #"{"provider":"fcm","payload":{"message":{"token":""}}}"#)
                == Refusal("INVALID_ARGUMENT", 400, at: "/payload/message/token"))
    }

    // MARK: - Forced formats

    @Test func `a forced format is read as such`() throws {
        let record = #"{"to":"t","message":{"token":"u"},"mdm":"magic"}"#
        #expect(try read(record) { $0.format = .gcm }.device == "t")
        #expect(try read(record) { $0.format = .fcm }.device == "u")
        let apns = try read(record) { $0.format = .apns }
        #expect(apns.provider == .apns)
        #expect(apns.payload == record)
        #expect(try read(#"{"mdm":"magic"}"#) { $0.format = .apns }.isAccepted)
        #expect(try read("{}") { $0.format = .gcm }.reason == "MissingRegistration")
        #expect(try read("{}") { $0.format = .fcm }.decodeFailure?.rule == "record.unknown-shape")
    }

    // MARK: - Records without a format

    @Test(arguments: ["[]", "5", "true", "null", #""text""#, #"[{"aps":{}}]"#, "  [ ]"])
    func `a record that is no object is malformed`(record: String) throws {
        let reading = try read(record)
        #expect(reading.verdict == .malformed)
        #expect(reading.decodeFailure?.rule == "record.not-an-object")
        #expect(reading.decodeFailure?.offset == record.utf8.prefix { $0 == 0x20 }.count)
    }

    @Test(arguments: [
        "{}", #"{"a":1}"#, #"{"message":"x"}"#, #"{"token":"t"}"#, #"{"alert":"x"}"#, #"{"APS":{}}"#,
        #"{"Message":"{}"}"#, #"{"MessageStructure":"json"}"#, #"{"deviceTokens":[]}"#, #"{"type":"a","userfrom":"b"}"#,
        #"{"Message":"x"}"#, #"{"Message":"x","PhoneNumber":"+1"}"#, #"{"Message":" {}","TopicArn":"arn"}"#,
        #"{"Message":"x","TopicArn":5}"#, #"{"default":"x"}"#, #"{"headers":{"apns-topic":"x"}}"#, #"{"device":"ab"}"#,
    ])
    func `an object that is none of the formats is malformed`(record: String) throws {
        let reading = try read(record)
        #expect(reading.verdict == .malformed)
        #expect(reading.decodeFailure?.rule == "record.unknown-shape")
        #expect(reading.decodeFailure?.offset == 0)
    }

    // MARK: - Members of envelopes

    /// Documentation/reference/formats.md has the members.
    @Test(arguments: [
        ("token", "device"), ("deviceToken", "device"), ("device_token", "device"), ("devise", "device"),
        ("haeders", "headers"), ("topic", "apns-topic in headers"), ("apns-topic", "apns-topic in headers"),
        ("pushType", "apns-push-type in headers"), ("collapse_id", "apns-collapse-id in headers"),
        ("apnsID", "apns-id in headers"), ("expiration", "apns-expiration in headers"), ("comment", ""), ("id", ""),
        (String(repeating: "x", count: 100), ""),
    ])
    func `a member that an envelope does not have is reported`(name: String, meant: String) throws {
        for envelope in [#""payload":{"aps":{"alert":"x"}}"#, #""provider":"gcm","payload":{"to":"t"},"answer":200"#] {
            let reading = try read(#"{\#(envelope),"\#(name)":"x"}"#)
            #expect(reading.isAccepted)
            #expect(reading.findings.map(\.rule) == ["record.unknown-member"])
            #expect(reading.findings.map(\.severity) == [.warning])
            #expect(reading.findings.map(\.pointer) == ["/\(name)"])
            let advice = meant.isEmpty ? "" : "; did you mean \(meant)?"
            #expect(reading.findings.first?.message.hasSuffix("ignored" + advice) == true)
        }
    }

    @Test(arguments: [
        #"{"payload":{"aps":{},"token":"x","topic":"y"}}"#, #"{"aps":{},"payload":{},"token":"x","haeders":{}}"#,
        #"{"provider":"apns","device":"ab","headers":{"apns-topic":"a"},"payload":{"aps":{}},"answer":200,"pushpipe-ignore":"x"}"#,
        #"{"device":"ab","headers":{"apns-topic":"a"},"payload":"{\"aps\":{}}","budget":"apns-2048"}"#,
        #"{"provider":"fcm","payload":{"message":{"token":"t"}},"answer":200}"#,
        #"{"message":{"token":"t"},"comment":"x"}"#, #"{"to":"ExponentPushToken[x]","body":"x","comment":"x"}"#,
    ])
    func `members that a format has, and those of payloads, are not`(record: String) throws {
        #expect(try read(record).findings.allSatisfy { $0.rule != "record.unknown-member" })
    }

    @Test func `many unknown members are reported up to a limit`() throws {
        let members = (0..<1000).map { #""k\#($0)":1"# }.joined(separator: ",")
        let reading = try read(#"{"payload":{"aps":{}},\#(members)}"#)
        #expect(reading.findings.count < 64)
        #expect(reading.isAccepted)
    }

    private static let advice: Advice.Wording = { "; [\($0)]" }

    @Test func `without words for advice there is none`() throws {
        #expect(try read("{}").decodeFailure?.message == "this object matches no known format")
    }

    @Test(arguments: [
        (#"{"a":1}"#, "[forceFormat]"), (#"{"data":{"k":"v"},"a":1}"#, "[forceFormat]"),
        (#"{"mdm":"x"}"#, "[readAsAPNs]"), (#"{"mdm":5}"#, "[forceFormat]"), (#"{"mdm":"x","a":1}"#, "[forceFormat]"),
        (#"{"message":"x"}"#, "[readAsFCM]"), (#"{"message":"x","a":1}"#, "[forceFormat]"),
        (#"{"message":{"aps":{}},"payload":{"message":{}}}"#, #"[readPlace(Optional("payload"))]"#),
        (#"{"data":{"aps":{"alert":"x"}}}"#, #"[readPlace(Optional("data"))]"#),
        (#"{"id":1,"a/b":{"aps":{}}}"#, "[readPlace(nil)]"),
        (#"{"$(reboot)":{"aps":{}}}"#, "[readPlace(nil)]"),
        (
            #"{"\#(String(repeating: "k", count: 33))":{"aps":{}}}"#,
            "[readPlace(nil)]"
        ),
    ])
    func `what is often sent by mistake gets advice`(record: String, advice: String) throws {
        let message = try read(record) { $0.advice = Self.advice }.decodeFailure?.message
        #expect(message == "this object matches no known format; \(advice)")
    }

    @Test(arguments: [
        #"{"notification":{"title":"x"}}"#, #"{"notification":{"title":"x"},"data":{"k":"v"}}"#,
        #"{"data":{"k":"v"}}"#,
    ])
    func `a message for FCM without a target is told what it lacks`(record: String) throws {
        let message = try read(record) { $0.advice = Self.advice }.decodeFailure?.message
        #expect(
            message
                == "this object matches no known format: an FCM message needs a token, topic or condition, and belongs in message; [forceFormat]"
        )
    }

    /// W3C, Push API: a declarative push message has the number of RFC 8030.
    @Test func `a declarative web push is named`() throws {
        let record = #"{"web_push":8030,"notification":{"title":"x","navigate":"https://example.org/"}}"#
        #expect(try read(record).decodeFailure?.message.contains("declarative web push") == true)
        #expect(try read(record.replacing("8030", with: "1")).decodeFailure?.message.contains("web push") == false)
    }

    /// aws-sdk-java issue 1991.
    @Test func `a platform of SNS in lower case is named`() throws {
        let failure = try read(#"{"gcm":{"notification":{"title":"x"}}}"#).decodeFailure
        #expect(failure?.message.contains("SNS needs GCM in capitals") == true)
    }

    @Test(arguments: [
        (#"10:00 INFO {"aps":{"alert":"x"}}"#, true), (#"push: { "aps":{}}"#, true), (#"{"aps":{}} {"aps":{}}"#, false),
        (#"{'aps':{"alert":"x"}}"#, false), (#"'{"aps":{}}'"#, false), ("10:00 INFO {}", false), ("10:00 {", false),
        ("words", false),
    ])
    func `an object after a text is one of a log`(record: String, isOne: Bool) throws {
        let failure = try #require(try read(record) { $0.advice = Self.advice }.decodeFailure)
        #expect(failure.rule == "json.syntax")
        #expect(failure.message.hasSuffix(Self.advice(.skipPrefix)) == isOne, "\(failure)")
    }

    @Test(arguments: ["5", "true", "[]", #""5""#, #""[]""#, #""\"text\"""#])
    func `a payload that is no object is malformed`(payload: String) throws {
        let reading = try read(#"{"payload":\#(payload)}"#)
        #expect(reading.verdict == .malformed)
        #expect(reading.decodeFailure?.rule == "record.payload-type")
        #expect(reading.decodeFailure?.offset == (payload.hasPrefix("\"") ? 12 : 11))
    }
}
