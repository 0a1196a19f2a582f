import PushDecoding
import PushModel
import Testing

/// Headers of APNs that SNS takes from attributes. Source: Amazon SNS developer guide, "Reserved message attributes for mobile
/// push notifications" and "Specifying custom APNs header values".
@Suite struct SNSAttributeTests {
    /// A request that publishes a text for one platform.
    private func publish(
        _ key: String, _ attributes: [String: String], text: String = #"{"aps":{"alert":"Polls have closed"}}"#,
        member: String = "StringValue"
    ) -> String {
        let members = attributes.sorted(by: <).map {
            #""AWS.SNS.MOBILE.\#($0)":{"DataType":"String","\#(member)":"\#($1)"}"#
        }
        let message = quoted(#"{"default":"x","\#(key)":\#(quoted(text))}"#)
        return #"{"TargetArn":"arn","MessageStructure":"json","Message":\#(message),"MessageAttributes":{"#
            + members.joined(separator: ",") + "}}"
    }

    @Test(arguments: ["StringValue", "Value"])
    func `attributes become the headers of the push`(member: String) throws {
        let attributes = [
            "APNS.COLLAPSE_ID": "score", "APNS.PRIORITY": "5", "APNS.PUSH_TYPE": "background",
            "APNS.TOPIC": "org.example.news",
        ]
        let reading = try read(publish("APNS", attributes, member: member))
        #expect(reading.isAccepted)
        #expect(reading.identifier == "score")
        #expect(reading.topic == "org.example.news")
        #expect(reading.pushType == .background)
    }

    @Test func `the attributes of APNS apply to its sandbox, and its own attributes come first`() throws {
        let shared = ["APNS.COLLAPSE_ID": "score", "APNS.TOPIC": "org.example.news"]
        #expect(try read(publish("APNS_SANDBOX", shared)).identifier == "score")
        let own = shared.merging(["APNS_SANDBOX.COLLAPSE_ID": "trial"]) { $1 }
        let reading = try read(publish("APNS_SANDBOX", own))
        #expect(reading.identifier == "trial")
        #expect(reading.topic == "org.example.news")
        #expect(try read(publish("APNS", own)).identifier == "score")
    }

    @Test(arguments: ["APNS_VOIP", "APNS_VOIP_SANDBOX"])
    func `a VoIP push takes its own attributes alone`(key: String) throws {
        let alert = ["APNS.PUSH_TYPE": "alert", "APNS.TOPIC": "org.example.calls"]
        let reading = try read(publish(key, alert))
        #expect(reading.pushType == .voip)
        #expect(reading.topic.isEmpty)
        #expect(reading.limit == 5120)
        let own = try read(publish(key, ["\(key).TOPIC": "org.example.calls.voip"]))
        #expect(own.topic == "org.example.calls.voip")
        #expect(own.app == "org.example.calls")
    }

    @Test func `an attribute makes a push one to a Live Activity, also beside no other`() throws {
        var batch = MessageBatch()
        var decoder = RecordDecoder(options: DecodingOptions())
        let record = publish("APNS", ["APNS.PUSH_TYPE": "liveactivity"], text: #"{"aps":{"event":"update"}}"#)
        Array(record.utf8).withUnsafeBytes { decoder.decode($0, record: 0, into: &batch) }
        let isNoted = batch.hasLiveActivities
        #expect(isNoted)
    }

    @Test func `the push type of an attribute decides the budget`() throws {
        let reading = try read(publish("APNS", ["APNS.PUSH_TYPE": "voip"]))
        #expect(reading.pushType == .voip)
        #expect(reading.limit == 5120)
    }

    @Test func `attributes of APNs change nothing for Google`() throws {
        let attributes = ["APNS.COLLAPSE_ID": "score", "APNS.TOPIC": "org.example.news"]
        let reading = try read(publish("GCM", attributes, text: #"{"notification":{"body":"x"}}"#))
        #expect(reading.identifier == nil)
        #expect(reading.topic.isEmpty)
    }

    /// "Apple will reject Amazon SNS notifications if message attributes do not meet their requirements."
    @Test(arguments: [
        ("PRIORITY", "7", "BadPriority"), ("PUSH_TYPE", "nope", "InvalidPushType"),
        ("COLLAPSE_ID", repeated("c", 65), "BadCollapseId"),
    ])
    func `APNs refuses an attribute as it does a header`(name: String, value: String, reason: String) throws {
        let pointer = "/MessageAttributes/AWS.SNS.MOBILE.APNS.\(name)/StringValue"
        #expect(
            try refusal(of: publish("APNS", ["APNS.\(name)": value])) == Refusal(reason, 400, at: pointer))
        #expect(
            try refusal(of: publish("APNS_SANDBOX", ["APNS.\(name)": value])) == Refusal(reason, 400, at: pointer))
    }

    @Test func `in an envelope the pointer leads there too`() throws {
        let record = #"{"provider":"sns","payload":\#(publish("APNS", ["APNS.PRIORITY": "7"], member: "Value"))}"#
        let pointer = "/payload/MessageAttributes/AWS.SNS.MOBILE.APNS.PRIORITY/Value"
        #expect(try refusal(of: record) == Refusal("BadPriority", 400, at: pointer))
    }

    @Test(arguments: [
        #"null"#, #"5"#, #"[]"#, #"{"AWS.SNS.MOBILE.APNS.TOPIC":null}"#, #"{"AWS.SNS.MOBILE.APNS.TOPIC":{}}"#,
    ])
    func `attributes of another kind change nothing`(attributes: String) throws {
        let record = #"{"APNS":"{\"aps\":{\"alert\":\"x\"}}","MessageAttributes":\#(attributes)}"#
        let reading = try read(record)
        #expect(reading.isAccepted)
        #expect(reading.topic.isEmpty)
    }
}
