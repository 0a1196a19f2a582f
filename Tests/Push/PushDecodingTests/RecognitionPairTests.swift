import PushDecoding
import PushModel
import Testing

/// The differences between formats that share names. The table in Documentation/reference/formats.md.
@Suite struct RecognitionPairTests {
    struct Format: Sendable, CustomTestStringConvertible {
        let name: String
        let members: String
        let provider: Provider
        var gateway: Gateway?
        /// True if the record is a message for FCM without the request around it.
        var isBare = false

        var testDescription: String { name }
    }

    /// In the order of their precedence.
    static let formats = [
        Format(name: "apns", members: #""payload":{"aps":{"alert":"x"}}"#, provider: .apns),
        Format(name: "fcm", members: #""message":{"token":"t"}"#, provider: .fcm),
        Format(
            name: "wikimedia", members: #""deviceTokens":["ab"],"messageType":"checkEchoV1""#, provider: .fcm,
            gateway: .wikimedia),
        Format(name: "sns", members: #""GCM":"{\"data\":{}}""#, provider: .gcm, gateway: .sns),
        Format(name: "gcm", members: #""to":"t""#, provider: .gcm),
        Format(
            name: "moodle", members: #""type":"message","userfrom":"Anna","alert":"x""#, provider: .apns,
            gateway: .moodle),
        Format(name: "airnotifier", members: #""token":"ab","alert":"x""#, provider: .fcm, gateway: .airnotifier),
        Format(
            name: "message", members: #""fid":"F","notification":{"title":"x"}"#, provider: .fcm, isBare: true),
    ]

    static let pairs = formats.indices.flatMap { first in formats.indices.filter { $0 > first }.map { (first, $0) } }

    private static func format(of record: String) throws -> String? {
        let readings = readAll(record)
        let reading = try #require(readings.first)
        let isBare = readings.contains { $0.rules.contains("fcm.bare-message") }
        return formats.first {
            reading.decodeFailure == nil && $0.provider == reading.provider && $0.gateway == reading.gateway
                && $0.isBare == isBare
        }?.name
    }

    @Test(arguments: formats) func `a format is recognized by what it must have`(format: Format) throws {
        #expect(try Self.format(of: "{\(format.members)}") == format.name)
    }

    @Test(arguments: pairs)
    func `a record with what two formats must have is of the one that comes first`(pair: (Int, Int)) throws {
        let (first, second) = (Self.formats[pair.0], Self.formats[pair.1])
        for record in ["{\(first.members),\(second.members)}", "{\(second.members),\(first.members)}"] {
            #expect(try Self.format(of: record) == first.name, "\(record)")
        }
    }

    // MARK: - Pairs that share names

    /// Sources: airnotifier, `api/push.py` and `pushservices/apns.py`; Firebase, REST Resource: projects.messages; firebase-admin-node,
    /// `messaging-api.ts`.
    @Test(arguments: [
        // Both have token and apns.
        (#"{"token":"T","notification":{"title":"x"},"apns":{"payload":{"aps":{"badge":1}}}}"#, "message"),
        (#"{"apns":{"payload":{"aps":{"badge":1}}},"token":"T","data":{"k":"v"}}"#, "message"),
        (#"{"token":"T","apns":{"payload":{"aps":{"alert":"x"}}}}"#, "message"),
        (#"{"token":"T","apns":{"headers":{"apns-priority":"5"}}}"#, "message"),
        (#"{"token":"T","apns":{"fcmOptions":{"image":"https://example.org/i.png"}}}"#, "message"),
        (#"{"token":"T","apns":{"live_activity_token":"ab"}}"#, "message"),
        (#"{"token":"T","android":{"priority":"high"},"apns":{}}"#, "message"),
        (#"{"token":"T","webpush":{"headers":{"TTL":"5"}},"apns":{}}"#, "message"),
        // Airnotifier reads apns for the device ios, and a message has no device.
        (#"{"token":"T","apns":{}}"#, "message"),
        (#"{"token":"T","apns":{"alert":"x"}}"#, "message"),
        (#"{"token":"T","apns":{"aps":{"alert":"x"}}}"#, "message"),
        (#"{"token":"ab","device":"fcm","apns":{"badge":1,"sound":"default"}}"#, "airnotifier"),
        (#"{"token":"ab","device":"fcm","apns":{}}"#, "airnotifier"),
        (#"{"token":"ab","device":"fcm","apns":null}"#, "airnotifier"),
        // A part with nothing in it decides only if nothing else does.
        (#"{"token":"T","notification":{"title":"x"},"extra":{}}"#, "message"),
        (#"{"token":"T","notification":{"title":"x"},"fcm":null}"#, "message"),
        (#"{"token":"T","notification":{"title":"x"},"wns":null}"#, "message"),
        (#"{"token":"T","data":{"k":"v"},"fcm":{}}"#, "message"),
        (#"{"token":"T","data":{"k":"v"},"device":"fcm","fcm":{}}"#, "airnotifier"),
        (#"{"token":"T","data":{"k":"v"},"extra":{"a":"b"}}"#, "airnotifier"),
        (#"{"token":"T","fcm":null}"#, "airnotifier"),
        (#"{"token":"ab","device":"fcm","apns":{"payload":{}}}"#, "airnotifier"),
        (#"{"token":"ab","alert":"x","apns":{"payload":{"aps":{}}}}"#, "airnotifier"),
        (#"{"token":"ab","fcm":{"apns":{"payload":{"aps":{}}}}}"#, "airnotifier"),
        // Both have condition, notification and data.
        // Google has switched the legacy protocol off; Firebase Cloud Messaging HTTP protocol has its options.
        (#"{"condition":"'a' in topics","notification":{"title":"x"}}"#, "message"),
        (#"{"condition":"'a' in topics || 'b' in topics","data":{"k":"v"}}"#, "message"),
        (#"{"condition":"'a' in topics","notification":{"title":"x"},"priority":"high"}"#, "gcm"),
        (#"{"condition":"'a' in topics","notification":{"title":"x"},"collapse_key":"k"}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"time_to_live":60}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"content_available":true}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"mutable_content":true}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"dry_run":true}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"delay_while_idle":true}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"restricted_package_name":"org.example"}"#, "gcm"),
        (#"{"condition":"'a' in topics"}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"to":"T"}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"android":{"ttl":"5s"}}"#, "message"),
        (#"{"condition":"'a' in topics","apns":{"payload":{"aps":{"alert":"x"}}}}"#, "message"),
        (#"{"condition":"'a' in topics","fcm_options":{"analytics_label":"x"},"data":{}}"#, "message"),
        (#"{"to":"T","notification":{"title":"x"},"android":{"ttl":"5s"}}"#, "gcm"),
        // Many services have a target under to, and the legacy protocol does not refuse names that it does not know.
        (#"{"to":"T"}"#, "gcm"),
        (#"{"to":"T","title":"x","notification":{"body":"y"}}"#, "gcm"),
        (#"{"to":"T","title":"x","data":{"k":"v"}}"#, "gcm"),
        (#"{"to":"T","message":"x","collapse_key":"k"}"#, "gcm"),
        (#"{"to":"T","subject":"x","priority":"high"}"#, "gcm"),
        (#"{"to":"/topics/news","body":"x"}"#, "gcm"),
        (#"{"to":"\/topics\/news","body":"x"}"#, "gcm"),
        (#"{"registration_ids":["T"],"title":"x","body":"y"}"#, "gcm"),
        // Both have token and alert.
        (#"{"type":"message","userfrom":"Anna","alert":"x","token":"ab","device":"ios"}"#, "moodle"),
        (#"{"type":"message","alert":"x","token":"ab"}"#, "airnotifier"),
        // Both have topic.
        (#"{"deviceTokens":["ab"],"messageType":"checkEchoV1","topic":"t","data":{}}"#, "wikimedia-apns"),
    ])
    func `names that two formats share do not decide`(record: String, format: String) throws {
        if format == "wikimedia-apns" {
            #expect(try read(record).gateway == .wikimedia)
        } else {
            #expect(try Self.format(of: record) == format)
        }
    }

    // MARK: - Neither

    @Test(arguments: [
        #"{"token":"T"}"#, #"{"topic":"news"}"#, #"{"tokens":["a"]}"#, #"{"fid":"f"}"#,
        #"{"token":5,"notification":{"title":"x"}}"#, #"{"topic":["news"],"data":{"k":"v"}}"#,
        #"{"tokens":"a","data":{"k":"v"}}"#, #"{"token":"T","notification":"x"}"#, #"{"token":"T","data":[1]}"#,
        #"{"token":"T","apns":"x"}"#, #"{"token":"T","extra":"x"}"#, #"{"token":"T","fcm":true}"#,
        #"{"token":5,"alert":"x"}"#, #"{"token":null,"alert":"x"}"#,
        #"{"notification":{"title":"x"},"data":{"k":"v"}}"#,
        #"{"token":"T","apns":null}"#,
        #"{"to":"bob@example.org","subject":"hi","data":{"a":"b"}}"#, #"{"to":"+4912","body":"sms"}"#,
        #"{"to":"T","message":"hello"}"#, #"{"to":"T","title":"x"}"#,
        #"{"apns":{"payload":{"aps":{}}}}"#, #"{"device":"ios","alert":"x"}"#, #"{"fcm":{"data":{}}}"#,
    ])
    func `a record without all that a format must have is of none`(record: String) throws {
        #expect(try read(record).decodeFailure?.rule == "record.unknown-shape")
    }

    // MARK: - Payloads of others

    /// Sources: Firebase, REST Resource: projects.messages, `Message`; Firebase Cloud Messaging HTTP protocol.
    @Test(arguments: [
        #"{"notification":{"title":"x"}}"#, #"{"message":{"token":"T","notification":{"title":"x"}}}"#,
        #"{"to":"T","notification":{"title":"x"}}"#, #"{"notification":{},"data":{"k":"v"}}"#,
    ])
    func `a payload for Google needs a provider, or the surroundings of a request to APNs`(payload: String) throws {
        let text = #""\#(payload.replacing("\"", with: #"\""#))""#
        for payload in [payload, text] {
            for record in [#"{"payload":\#(payload)}"#, #"{"device":"ab","payload":\#(payload)}"#] {
                let failure = try #require(try read(record) { $0.advice = { "; [\($0)]" } }.decodeFailure, "\(record)")
                #expect(failure.rule == "record.unknown-shape")
                #expect(failure.message.hasSuffix(#"; [readPlace(Optional("payload"))]"#))
            }
            for envelope in [#""provider":"apns""#, #""headers":{"apns-topic":"org.example"}"#] {
                let reading = try read(#"{\#(envelope),"payload":\#(payload)}"#)
                #expect(reading.decodeFailure == nil)
                #expect(reading.provider == .apns)
            }
            #expect(try read(#"{"payload":\#(payload)}"#) { $0.format = .apns }.provider == .apns)
        }
    }

    @Test(arguments: [
        "{}", #"{"user":1}"#, #"{"message":"x"}"#, #"{"notification":"x"}"#, #"{"notification":{},"aps":{}}"#,
        #"{"aps":{"alert":"x"},"message":{"id":1}}"#, #"{"data":{"k":"v"}}"#,
    ])
    func `any other payload is one for APNs`(payload: String) throws {
        let text = #""\#(payload.replacing("\"", with: #"\""#))""#
        for record in [#"{"payload":\#(payload)}"#, #"{"id":1,"payload":\#(payload)}"#, #"{"payload":\#(text)}"#] {
            let reading = try read(record)
            #expect(reading.decodeFailure == nil, "\(record)")
            #expect(reading.provider == .apns)
        }
    }

    @Test func `an event stays one beside the names of a message`() throws {
        let reading = try read(#"{"event":"device","device":"a","token":"confirmed","data":{}}"#)
        #expect(reading.verdict == .event)
    }
}
