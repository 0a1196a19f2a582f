import PushDecoding
import PushModel
import Testing

/// Amazon SNS developer guide, platform-specific payloads for mobile devices.
@Suite struct SNSTests {
    @Test func `the text for APNs is the body that is sent`() throws {
        let reading = try read(#"{"default":"x","APNS":"{\"aps\":{\"alert\":\"caf\u00e9\"}}"}"#)
        #expect(reading.isAccepted)
        #expect(reading.payload == #"{"aps":{"alert":"café"}}"#)
        #expect(reading.bytes == reading.payload.utf8.count)
        #expect(reading.shown.body == "café")
        #expect(reading.pushType == .alert)
        #expect(reading.target == nil)
    }

    @Test func `each platform's text is a message of its own`() {
        let readings = readAll(
            #"{"default":"x","APNS":"{\"aps\":{\"alert\":\"a\"}}","#
                + #""GCM":"{\"notification\":{\"body\":\"g\",\"tag\":\"t\"},\"data\":{\"k\":\"v\"}}"}"#)
        #expect(readings.map(\.provider) == [.apns, .gcm])
        #expect(readings.map(\.gateway) == [.sns, .sns])
        #expect(readings.map(\.shown.body) == ["a", "g"])
        #expect(readings.map(\.target) == [0, 1])
        #expect(readings.map(\.verdict) == [.accepted, .accepted])
        #expect(readings.map(\.identifier) == [nil, "t"])
    }

    @Test func `a Publish request holds the message as text in text in text`() {
        let apns = quoted(#"{"aps":{"alert":"a\nb"}}"#)
        let gcm = quoted(#"{"data":{"k":"v"}}"#)
        let message = quoted(#"{"default":"x","APNS":\#(apns),"GCM":\#(gcm)}"#)
        let readings = readAll(#"{"TargetArn":"arn:1","MessageStructure":"json","Message":\#(message)}"#)
        #expect(readings.map(\.provider) == [.apns, .gcm])
        #expect(readings.map(\.device) == ["arn:1", "arn:1"])
        #expect(readings.first?.shown.body == "a\nb")
        #expect(readings.last?.bytes == 2)
    }

    @Test(arguments: [
        (#"{\"aps\":{\"content-available\":1}}"#, PushType.background),
        (#"{\"aps\":{\"content-available\":true,\"alert\":null},\"k\":1}"#, .background),
        (#"{\"aps\":{\"content-available\":0}}"#, .alert),
        (#"{\"aps\":{\"content-available\":false}}"#, .alert),
        (#"{\"aps\":{\"content-available\":1,\"alert\":\"x\"}}"#, .alert),
        (#"{\"aps\":{\"content-available\":1,\"badge\":0}}"#, .alert),
        (#"{\"aps\":{\"content-available\":1,\"sound\":\"x\"}}"#, .alert),
        (#"{\"aps\":{\"content-available\":\"1\"}}"#, .alert), (#"{\"aps\":{}}"#, .alert), ("{}", .alert),
    ])
    func `the push type is inferred from aps, as Amazon describes it`(text: String, type: PushType) throws {
        #expect(try read(#"{"APNS":"\#(text)"}"#).pushType == type)
        #expect(try read(#"{"APNS_SANDBOX":"\#(text)"}"#).pushType == type)
    }

    /// Amazon SNS developer guide, platform-specific payloads: the default is used if there is no text for a platform. The payloads are those
    /// that aws-sdk-ruby issue 497 and phonegap-build/PushPlugin issue 356 report.
    @Test(arguments: [
        #""MessageStructure":"json","Message":"{\"default\":\"Closed\",\"email\":\"x\"}""#, #""Message":"Closed""#,
    ])
    func `a text without a platform goes to that of the endpoint`(members: String) throws {
        func arn(_ platform: String) -> String { "arn:aws:sns:eu-west-1:123456789012:endpoint/\(platform)/a/b" }
        for platform in ["APNS", "APNS_SANDBOX"] {
            let reading = try read(#"{\#(members),"TargetArn":"\#(arn(platform))"}"#)
            #expect(reading.isAccepted)
            #expect(reading.gateway == .sns)
            #expect(reading.device == arn(platform))
            #expect(reading.payload == #"{"aps":{"alert":"Closed"}}"#)
            #expect(reading.pushType == .alert)
        }
        #expect(try read(#"{\#(members),"TargetArn":"\#(arn("APNS_VOIP"))"}"#).pushType == .voip)
        let google = try read(#"{\#(members),"TargetArn":"\#(arn("GCM"))"}"#)
        #expect(google.provider == .gcm)
        #expect(google.payload == #"{"data":{"default":"Closed"}}"#)
        #expect(
            try read(#"{\#(members),"TargetArn":"\#(arn("WNS"))"}"#).decodeFailure?.rule == "record.nothing-to-send")
    }

    @Test func `a text for a topic goes to APNs, or to the platform of the options`() throws {
        let record = #"{"Message":"a \"b\"\n","TopicArn":"arn:aws:sns:eu-west-1:123456789012:news"}"#
        #expect(try read(record).shown.body == "a \"b\"\n")
        #expect(try read(record) { $0.platform = .android }.provider == .gcm)
        #expect(try read(#"{"default":"x"}"#) { $0.format = .sns }.shown.body == "x")
        let both = readAll(#"{"default":"x","APNS":"{\"aps\":{\"alert\":\"y\"}}"}"#)
        #expect(both.map(\.shown.body) == ["y"])
    }

    @Test(arguments: ["APNS_VOIP", "APNS_VOIP_SANDBOX"])
    func `a VoIP push has VoIP's budget`(key: String) throws {
        let reading = try read(#"{"\#(key)":"{\"aps\":{\"alert\":\"x\"}}"}"#)
        #expect(reading.pushType == .voip)
        #expect(reading.limit == 5120)
        #expect(!reading.isShown)
    }

    @Test func `the form of HTTP v1 is read inside the text for FCM`() throws {
        let text = #"{\"fcmV1Message\":{\"validate_only\":false,\"message\":{\"notification\":{\"body\":\"B\"}}}}"#
        let reading = try read(#"{"GCM":"\#(text)"}"#)
        #expect(reading.provider == .fcm)
        #expect(reading.isAccepted)
        #expect(reading.shown.body == "B")
        let dryRun = text.replacing("false", with: "true")
        #expect(try read(#"{"GCM":"\#(dryRun)"}"#).verdict == .suppressed("dry-run"))
    }

    /// Amazon SNS API Reference, `Publish`: the values of platforms are strings; aws-sdk-java issue 1991 has the answer.
    @Test(arguments: [
        #"{"APNS":{"aps":{"alert":"x"}}}"#, #"{"default":"x","APNS":{"aps":{"alert":"x"}}}"#,
        #"{"MessageStructure":"json","Message":"{\"default\":\"x\",\"APNS\":{\"aps\":{\"alert\":\"x\"}}}"}"#,
        #"{"default":"x","APNS_VOIP":{"call":7}}"#, #"{"default":"x","GCM":{"data":{"a":"b"}}}"#,
        #"{"default":"x","GCM":{"fcmV1Message":{"message":{"data":{"a":"b"}}}}}"#,
    ]) func `a platform's value that is an object is refused`(text: String) throws {
        let reading = try read(text)
        #expect(reading.verdict == .rejected(.snsInvalidParameter))
        #expect(reading.rules == ["sns.value-not-text"])
    }

    @Test func `a platform's value that is a string is read`() throws {
        #expect(try read(#"{"APNS":"{\"aps\":{\"alert\":\"x\"}}"}"#).findings.isEmpty)
    }

    @Test func `a refused text is pointed at inside the message`() throws {
        let refused = try refusal(of: #"{"GCM":"{\"data\":{\"from\":\"x\"}}"}"#)
        #expect(refused == Refusal("InvalidDataKey", 200, at: "/GCM/data/from"))
        let nested = #"{"MessageStructure":"json","Message":"{\"GCM\":\"{\\\"time_to_live\\\":-1}\"}"}"#
        #expect(try refusal(of: nested) == Refusal("InvalidTtl", 200, at: "/Message/GCM/time_to_live"))
    }

    @Test(arguments: ["5", "[]", "null", "true", #""5""#, #""[]""#, #""null""#])
    func `a platform's value that holds no object is malformed`(value: String) throws {
        #expect(try read(#"{"APNS":\#(value)}"#).decodeFailure?.rule == "record.payload-type")
    }

    @Test func `a platform that is malformed does not hold up the others`() {
        let readings = readAll(#"{"APNS":"{\"aps\":","GCM":"{\"data\":{\"k\":\"v\"}}"}"#)
        #expect(readings.count == 2)
        #expect(readings.count { $0.isAccepted && $0.provider == .gcm } == 1)
        #expect(readings.compactMap(\.decodeFailure?.rule) == ["json.syntax"])
    }

    @Test(arguments: [
        #"{"Message":"{\"default\":{}}","MessageStructure":"json"}"#,
        #"{"Message":"x","TargetArn":"arn:aws:sns:eu-west-1:123456789012:endpoint/ADM/a/b"}"#,
        #"{"Message":"{\"ADM\":\"{}\",\"email\":\"x\"}","MessageStructure":"json"}"#,
        #"{"Message":"{}","MessageStructure":"json"}"#,
    ])
    func `a message for other platforms alone has nothing to send`(record: String) throws {
        #expect(try read(record).decodeFailure?.rule == "record.nothing-to-send")
    }
}

/// mediawiki-services-push-notifications, `src/outgoing`.
@Suite struct WikimediaTests {
    @Test func `for APNs the payload is the service's own, byte for byte`() throws {
        let reading = try read(
            #"{"deviceTokens":["ab12"],"messageType":"checkEchoV1","topic":"org.wikimedia.wikipedia"}"#)
        let payload =
            #"{"data":{"type":"checkEchoV1"},"aps":{"alert":"checkEchoV1","thread-id":"checkEchoV1","#
            + #""mutable-content":1}}"#
        #expect(reading.isAccepted)
        #expect(reading.payload == payload)
        #expect(reading.bytes == payload.utf8.count)
        #expect(reading.limit == 4096)
        #expect(reading.topic == "org.wikimedia.wikipedia")
        #expect(reading.device == "ab12")
        #expect(reading.shown == ShownContent(body: "checkEchoV1", thread: "checkEchoV1"))
        #expect(reading.startsServiceExtension)
        #expect(reading.identifier == nil)
        #expect(reading.pushType == nil)
    }

    @Test func `without a topic it is a data message of FCM`() throws {
        let reading = try read(#"{"deviceTokens":["t:1"],"messageType":"checkEchoV1"}"#)
        #expect(reading.isAccepted)
        #expect(reading.provider == .fcm)
        #expect(reading.device == "t:1")
        #expect(reading.bytes == "type".utf8.count + "checkEchoV1".utf8.count)
        #expect(!reading.isShown)
    }

    @Test func `each token is a target, and a bad one is refused alone`() {
        let readings = readAll(#"{"deviceTokens":["ab","xyz","cd"],"messageType":"checkEchoV1","topic":"org.example"}"#)
        #expect(readings.map(\.device) == ["ab", "xyz", "cd"])
        #expect(readings.map(\.target) == [0, 1, 2])
        #expect(readings.map(\.reason) == [nil, "BadDeviceToken", nil])
    }

    @Test(arguments: [#","topic":"org.example""#, ""])
    func `a dry run is suppressed`(topic: String) throws {
        let record = #"{"deviceTokens":["ab"],"messageType":"checkEchoV1"\#(topic),"dryRun":true}"#
        #expect(try read(record).verdict == .suppressed("dry-run"))
        #expect(try read(record.replacing("true", with: "false")).isAccepted)
    }

    @Test(arguments: [
        #"{"deviceTokens":["ab"],"messageType":"other"}"#, #"{"deviceTokens":["ab"],"messageType":5}"#,
        #"{"deviceTokens":["ab"],"messageType":"checkEchoV2","topic":"x"}"#,
        #"{"deviceTokens":[],"messageType":"checkEchoV1"}"#,
        #"{"deviceTokens":"ab","messageType":"checkEchoV1"}"#,
    ])
    func `a message of another type, or to nobody, has nothing to send`(record: String) throws {
        #expect(try read(record).decodeFailure?.rule == "record.nothing-to-send")
    }
}

/// The requests of Moodle 2.4 to Airnotifier 1; Moodle, message output airnotifier.
@Suite struct MoodleTests {
    /// As people write it: the fields of the form, by hand.
    static let fields = "type:'message', userfrom:'Anna', alert:'Can\\'t come', date:1371600000, site:'campus',"

    static let payload =
        #"{"aps":{"alert":"Can't come"},"type":"message","userfrom":"Anna","date":1371600000,"site":"campus"}"#

    @Test func `the form of 2013 is an APNs payload of at most 256 bytes`() throws {
        let reading = try read("{\(Self.fields)}") { $0.acceptsRelaxedJSON = true }
        #expect(reading.isAccepted)
        #expect(reading.provider == .apns)
        #expect(reading.gateway == .moodle)
        #expect(reading.limit == 256)
        #expect(reading.shown.body == "Can't come")
        #expect(reading.payload == Self.payload)
        #expect(reading.bytes == Self.payload.utf8.count)
    }

    @Test func `token and device of the form are not part of the payload`() throws {
        let reading = try read("{\(Self.fields) token:'ab12', device:'ios'}") {
            $0.acceptsRelaxedJSON = true
            $0.format = .moodle
        }
        #expect(reading.payload == Self.payload)
    }

    @Test func `the form is recognised with the token that Moodle always sends`() throws {
        let reading = try read("{\(Self.fields) device:'ios', notif:0, token:'ab12'}") { $0.acceptsRelaxedJSON = true }
        #expect(reading.gateway == .moodle)
        #expect(reading.limit == 256)
    }

    @Test func `it is malformed as strict JSON`() throws {
        let decodeFailure = try #require(try read("{\(Self.fields)}").decodeFailure)
        #expect(decodeFailure.rule == "json.syntax")
        #expect(decodeFailure.offset == 1)
    }
}

/// Targets are checked by the same rules, whichever gateway they come from.
@Suite struct GatewayTargetTests {
    @Test func `tokens of a Wikimedia request are checked one by one`() {
        let record = #"{"deviceTokens":["","a b",null,"fine"],"messageType":"checkEchoV1"}"#
        let readings = readAll(record)
        #expect(readings.map(\.reason) == ["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT", nil])
        #expect(readings[1].errors.map(\.pointer) == ["/deviceTokens/1"])
        let apns = readAll(#"{"deviceTokens":[12,"ab"],"messageType":"checkEchoV1","topic":"org.example"}"#)
        #expect(apns.map(\.reason) == ["BadDeviceToken", nil])
    }

    @Test func `the device of an envelope is a target like any other`() {
        func reason(_ device: String) -> String? {
            readAll(#"{"provider":"gcm","device":"\#(device)","payload":{"notification":{"title":"x"}}}"#).first?.reason
        }
        #expect(reason("a b") == "InvalidRegistration")
        #expect(reason("") == "MissingRegistration")
        #expect(reason("fine") == nil)
        let fcm = #"{"provider":"fcm","device":"a b","payload":{"message":{"notification":{"title":"x"}}}}"#
        #expect(readAll(fcm).first?.errors.map(\.pointer) == ["/device"])
        let topic = readAll(#"{"provider":"gcm","device":"/topics/x","payload":{"data":{"a":"b"}}}"#)
        #expect(topic.first?.limit == 2048)
    }

    @Test func `of duplicate SNS keys the last one is used`() {
        let record = #"{"APNS":"{\"aps\":{\"alert\":\"1\"}}","APNS":"{\"aps\":{\"alert\":\"2\"}}"}"#
        #expect(readAll(record).map(\.shown.body) == ["2"])
    }

    @Test func `a request for many targets keeps its message and not the list`() {
        let readings = readAll(#"{"registration_ids":["a","b"],"notification":{"title":"x"},"priority":"high"}"#)
        #expect(
            readings.map(\.payload) == Array(repeating: #"{"notification":{"title":"x"},"priority":"high"}"#, count: 2))
        #expect(readings.map(\.shown.title) == ["x", "x"])
    }
}
