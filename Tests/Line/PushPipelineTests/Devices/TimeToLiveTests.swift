import PushDecoding
import PushModel
import PushPipeline
import Testing

/// How long a message is queued when that is given outside its payload. Sources: Amazon SNS developer guide, TTL; airnotifier,
/// `pushservices/apns.py`; Firebase Cloud Messaging HTTP protocol, `time_to_live`; FCM v1, `ApnsConfig.headers`.
struct TimeToLiveTests {
    private static let alert = #"{"aps":{"alert":"Text"}}"#

    private func quoted(_ json: String) -> String {
        "\"" + json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// A request to SNS that contains a platform's text, with attributes of these names.
    private func sns(_ key: String, _ text: String, _ attributes: [String: String]) -> String {
        let attributes = attributes.map {
            #""AWS.SNS.MOBILE.\#($0).TTL":{"DataType":"String","StringValue":"\#($1)"}"#
        }
        let message = quoted(#"{"default":"Text","\#(key)":\#(quoted(text))}"#)
        return #"{"TargetArn":"arn","Message":\#(message),"MessageStructure":"json","MessageAttributes":{"#
            + attributes.joined(separator: ",") + "}}"
    }

    /// Checks that a message is queued until a time, and no longer.
    private func expect(
        _ record: String, to device: String, isKept before: String, butNot after: String,
        sourceLocation: SourceLocation = #_sourceLocation, _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws {
        let records = [away(device), record]
        #expect(
            try story(records + [advance(before)], configure).last == "3 clock applied", sourceLocation: sourceLocation)
        #expect(
            try story(records + [advance(after)], configure).last == "3<2 expired expired",
            sourceLocation: sourceLocation)
    }

    // MARK: - SNS

    @Test(arguments: [
        ("APNS", alert, ["APNS": "60", "APNS_SANDBOX": "0", "FCM": "0"]),
        ("APNS_SANDBOX", alert, ["APNS_SANDBOX": "60"]),
        ("GCM", #"{"data":{"a":"1"},"time_to_live":600}"#, ["FCM": "60", "GCM": "600"]),
        ("GCM", #"{"data":{"a":"1"},"time_to_live":0}"#, ["GCM": "60"]),
        ("FCM", #"{"fcmV1Message":{"message":{"data":{"a":"1"},"android":{"ttl":"600s"}}}}"#, ["FCM": "60"]),
        (
            "GCM",
            #"{"fcmV1Message":{"message":{"apns":{"headers":{"apns-expiration":"0"},"payload":{"aps":{"alert":"A"}}}}}}"#,
            ["FCM": "60"]
        ),
    ])
    func `an SNS attribute takes precedence over the body`(
        key: String, text: String, attributes: [String: String]
    ) throws {
        try expect(sns(key, text, attributes), to: "arn", isKept: "59s", butNot: "60s")
    }

    @Test func `with the attribute 0 nothing is queued`() throws {
        #expect(try story([away("arn"), sns("APNS", Self.alert, ["APNS": "0"])]).last == "2 expired not-stored")
        let message = sns("GCM", #"{"data":{"a":"1"},"time_to_live":60}"#, ["FCM": "0"])
        #expect(try story([away("arn", platform: .android), message]).last == "2 expired not-stored")
    }

    @Test(arguments: [[:], ["FCM": "60"], ["APNS": "soon"], ["APNS": "-1"], ["APNS": "99999999999"]])
    func `without an attribute a message is queued for four weeks`(attributes: [String: String]) throws {
        try expect(sns("APNS", Self.alert, attributes), to: "arn", isKept: "27d23h", butNot: "28d")
    }

    @Test func `no attribute exceeds its service's maximum`() throws {
        try expect(sns("APNS", Self.alert, ["APNS": "9999999"]), to: "arn", isKept: "29d23h", butNot: "30d")
        try expect(
            sns("GCM", #"{"data":{"a":"1"}}"#, ["GCM": "9999999"]), to: "arn", isKept: "27d23h", butNot: "28d")
    }

    // MARK: - Others

    @Test func `pushes from Airnotifier to APNs are not queued`() throws {
        let push = #"{"token":"ab54","device":"ios","alert":"Text"}"#
        #expect(try story([away(), push]).last == "2 expired not-stored")
        #expect(try story([push]) == ["1 delivered"])
    }

    @Test func `the time to live of a legacy request applies to an Apple device too`() throws {
        try expect(data(to: "token", ttl: 60), to: "token", isKept: "59s", butNot: "60s") {
            $0.decoding.platform = .ios
        }
        let lines = try story([away("token"), data(to: "token", ttl: 0)]) { $0.decoding.platform = .ios }
        #expect(lines.last == "2 expired not-stored")
    }

    @Test func `an Apple device of FCM v1 uses the APNs header, not the android block`() throws {
        func message(_ headers: String, _ android: String = "") -> String {
            #"{"message":{"token":"t","apns":{"headers":{\#(headers)},"payload":{"aps":{"alert":"A"}}}\#(android)}}"#
        }
        #expect(try story([away("t"), message(#""apns-expiration":"0""#)]).last == "2 expired not-stored")
        // The records arrive at 2023-11-14T22:13:20Z.
        try expect(message(#""apns-expiration":"1700000060""#), to: "t", isKept: "59s", butNot: "60s")
        try expect(message("", #","android":{"ttl":"0s"}"#), to: "t", isKept: "29d23h", butNot: "30d") {
            $0.decoding.platform = .ios
        }
    }
}
