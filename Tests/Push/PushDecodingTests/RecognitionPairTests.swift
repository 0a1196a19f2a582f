import PushDecoding
import PushModel
import Testing

/// What tells two formats apart that share names. The table in Documentation/reference/formats.md.
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
        (#"{"token":"ab","apns":{"badge":1,"sound":"default"}}"#, "airnotifier"),
        (#"{"token":"ab","apns":{}}"#, "airnotifier"),
        (#"{"token":"ab","apns":null}"#, "airnotifier"),
        (#"{"token":"ab","device":"fcm","apns":{"payload":{}}}"#, "airnotifier"),
        (#"{"token":"ab","alert":"x","apns":{"payload":{"aps":{}}}}"#, "airnotifier"),
        (#"{"token":"ab","fcm":{"apns":{"payload":{"aps":{}}}}}"#, "airnotifier"),
        // Both have condition, notification and data.
        (#"{"condition":"'a' in topics","notification":{"title":"x"}}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"}}"#, "gcm"),
        (#"{"condition":"'a' in topics","data":{"k":"v"},"android":{"ttl":"5s"}}"#, "message"),
        (#"{"condition":"'a' in topics","apns":{"payload":{"aps":{"alert":"x"}}}}"#, "message"),
        (#"{"condition":"'a' in topics","fcm_options":{"analytics_label":"x"},"data":{}}"#, "message"),
        (#"{"to":"T","notification":{"title":"x"},"android":{"ttl":"5s"}}"#, "gcm"),
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
        #"{"apns":{"payload":{"aps":{}}}}"#, #"{"device":"ios","alert":"x"}"#, #"{"fcm":{"data":{}}}"#,
    ])
    func `a record without all that a format must have is of none`(record: String) throws {
        #expect(try read(record).decodeFailure?.rule == "record.unknown-shape")
    }

    @Test func `an event stays one beside the names of a message`() throws {
        let reading = try read(#"{"event":"device","device":"a","token":"confirmed","data":{}}"#)
        #expect(reading.verdict == .event)
    }
}
