import PushDecoding
import PushModel
import Testing

@testable import PushLint

/// `lint` has an error for whatever `run` refuses as APNs, and none for what it accepts. Reasons: Apple, "Handling notification responses from
/// APNs" and "Handling error responses from Apple Push Notification service".
struct APNsAgreementTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var rejection: Rejection
        var refused: String
        var accepted: String
        var testDescription: String { rejection.reason }
    }

    private static let token = "7f3c1a09be52d4868107c1f5d2a94be36c08f7715a3b9d20e46fc8b1a75d0e93"
    private static let alert = #"{"aps":{"alert":"Hi"}}"#

    private static func push(
        _ headers: String = "", type: String = "alert", topic: String = "org.example.news", device: String = token,
        payload: String = alert
    ) -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"\#(topic)","apns-push-type":"\#(type)"\#(headers)},"payload":\#(payload)}"#
    }

    private static func broadcast(
        _ channel: String = #""apns-channel-id":"dHN0LXNyY2gtY2hubA==""#,
        type: String = #","apns-push-type":"liveactivity""#, path: String = "/4/broadcasts/apps/org.example.news"
    ) -> String {
        #"{"headers":{\#(channel),":path":"\#(path)","apns-expiration":"0","apns-priority":"5"\#(type)},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"goals":1}}}}"#
    }

    private static func binary(_ members: String, device: String = token) -> String {
        #"{"device":"\#(device)","budget":"apns-256",\#(members)}"#
    }

    private static func text(_ bytes: Int) -> String {
        #"{"aps":{"alert":"\#(String(repeating: "x", count: bytes - 20))"}}"#
    }

    private static func id(_ digits: Int) -> String { String(repeating: "c", count: digits) }

    static let rows: [Row] =
        [
            (.badCollapseId, push(#","apns-collapse-id":"\#(id(65))""#), push(#","apns-collapse-id":"\#(id(64))""#)),
            (.badDeviceToken, push(device: "\(token)a"), push()),
            (.badDeviceToken, push(device: "not a token"), push(device: token.uppercased())),
            (.badDeviceToken, push(device: "dLx0aZ4TQkK"), push(device: token + token)),
            (.badExpirationDate, push(#","apns-expiration":"soon""#), push(#","apns-expiration":"0""#)),
            (.badExpirationDate, push(#","apns-expiration":1.5"#), push(#","apns-expiration":1793000000"#)),
            (.badMessageId, push(#","apns-id":"42""#), push(#","apns-id":"8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d10""#)),
            (.badPriority, push(#","apns-priority":"7""#), push(#","apns-priority":1"#)),
            (.duplicateHeaders, push(#","Apns-Topic":"org.example.news""#), push(#","apns-priority":"5""#)),
            (.invalidPushType, push(type: "Alert"), push()),
            (.missingDeviceToken, push(device: ""), push()),
            (
                .missingTopic, #"{"headers":{"apns-push-type":"alert"},"payload":\#(alert)}"#,
                #"{"headers":{"apns-push-type":"alert","apns-topic":"a.b"},"payload":\#(alert)}"#
            ),
            (.payloadEmpty, push(payload: #""""#), push(payload: #""{\"aps\":{\"alert\":\"Hi\"}}""#)),
            (.payloadEmpty, push(payload: "null"), push()),
            (.payloadTooLarge, push(payload: text(4097)), push(payload: text(4096))),
            (
                .payloadTooLarge, push(type: "voip", topic: "a.b.voip", payload: text(5121)),
                push(#","apns-expiration":"0""#, type: "voip", topic: "a.b.voip", payload: text(5120))
            ),
            (.missingChannelId, broadcast(#""apns-channel-id":"""#), broadcast()),
            (
                .missingChannelId,
                #"{"headers":{":path":"/4/broadcasts/apps/a.b","apns-push-type":"liveactivity"},"payload":{"aps":{}}}"#,
                broadcast()
            ),
            (.badChannelId, broadcast(#""apns-channel-id":"cup final""#), broadcast(#""apns-channel-id":"bWF0Y2g=""#)),
            (.missingPushType, broadcast(type: ""), broadcast(type: #","apns-push-type":"LiveActivity""#)),
            (.invalidPushType, broadcast(type: #","apns-push-type":"alert""#), broadcast()),
            (.badPath, broadcast(path: "/4/broadcasts/apps/"), broadcast()),
            (.badPath, broadcast(path: "/4/broadcasts/apps/?x"), broadcast()),
            (.badPath, broadcast(path: "/4/broadcasts/apps/a.b?x"), broadcast(path: "/4/broadcasts/apps/a.b")),
            (.badPath, push(#",":path":"/3/device""#), push(#",":path":"/3/device/\#(token)""#)),
            (.badPath, push(#",":path":"/3/device/ab12/","apns-id":"42""#), push(#",":path":"/3/device/ab12""#)),
            (.binaryInvalidPayloadSize, binary(#""payload":\#(text(257))"#), binary(#""payload":\#(text(256))"#)),
            (.binaryInvalidToken, binary(#""payload":\#(alert)"#, device: "xy"), binary(#""payload":\#(alert)"#)),
            (.binaryMissingDeviceToken, binary(#""payload":\#(alert)"#, device: ""), binary(#""payload":\#(alert)"#)),
            (.binaryMissingPayload, binary(#""payload":null"#), binary(#""payload":\#(alert)"#)),
            (
                .binaryProcessingError, binary(#""headers":{"apns-priority":"7"},"payload":\#(alert)"#),
                binary(#""headers":{"apns-priority":"5"},"payload":\#(alert)"#)
            ),
        ].map { Row(rejection: $0, refused: $1, accepted: $2) }
        + suffixes.map {
            Row(
                rejection: .topicDisallowed, refused: broadcast(path: "/4/broadcasts/apps/a.b" + $0),
                accepted: broadcast(path: "/4/broadcasts/apps/a.b" + $0 + "s"))
        }
        + suffixes.map {
            Row(
                rejection: .invalidPushType, refused: push(topic: "a.b" + $0), accepted: push(topic: "a.b" + $0 + "s"))
        }

    /// Source: Apple, "Sending notification requests to APNs".
    private static let suffixes = [
        ".voip", ".complication", ".pushkit.fileprovider", ".location-query", ".push-type.liveactivity", ".voip-ptt",
        ".push-type.controls", ".push-type.widgets", ".push-type.nowplaying",
    ]

    /// Refusals by `run` because of devices, clients, credentials or itself, and not because of a record.
    private static let others: Set<Rejection> = [
        // Devices and channels.
        .deviceTokenNotForTopic, .expiredToken, .unregistered, .tooManyRequests, .channelNotRegistered,
        // Clients and their credentials.
        .idleTimeout, .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden,
        .invalidProviderToken, .missingProviderToken, .unrelatedKeyIdInToken, .badEnvironmentKeyIdInToken,
        .badEnvironmentKeyInToken, .tooManyProviderTokenUpdates, .topicMismatch, .badTopic, .featureNotEnabled,
        .binaryInvalidTokenSize,
        // The requests that manage channels, and methods, which records have not.
        .methodNotAllowed, .badRequestParams, .badRequestPayload, .cannotCreateChannelConfig,
        // The service.
        .internalServerError, .serviceUnavailable, .shutdown,
    ]

    private func rejection(of record: String) -> Rejection? {
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        return Array(record.utf8).withUnsafeBytes { text in
            decoder.decode(text, record: 0, into: &batch)
            for index in batch.messages.indices { Acceptance(budget: nil).check(index, in: &batch) }
            defer { withExtendedLifetime(decoder) {} }
            guard case .rejected(let rejection) = batch.messages.first?.verdict else { return nil }
            return rejection
        }
    }

    private func errors(in record: String) -> [Diagnostic] { Linter().lint(record).filter { $0.severity == .error } }

    @Test(arguments: rows) func `what run refuses has an error in lint`(row: Row) {
        #expect(rejection(of: row.refused) == row.rejection, "\(row.refused)")
        #expect(!errors(in: row.refused).isEmpty, "\(row.refused)")
    }

    @Test(arguments: rows) func `what run accepts has none`(row: Row) {
        #expect(rejection(of: row.accepted) == nil, "\(row.accepted)")
        #expect(errors(in: row.accepted) == [], "\(row.accepted)")
    }

    /// A body is measured before it is read: Apple, "Handling notification responses from APNs", 413.
    @Test(arguments: [0x78, 0xE9, 0xFF] as [UInt8]) func `the size of a body that is not JSON is an error, too`(
        byte: UInt8
    ) {
        func rules(_ before: String, _ bytes: Int, _ after: String) -> [String] {
            let record = Array(before.utf8) + [UInt8](repeating: byte, count: bytes) + Array(after.utf8)
            return Linter().lint(record).filter { $0.severity == .error }.map(\.rule.id.text).sorted()
        }
        let head = #"{"device":"\#(Self.token)","headers":{"apns-topic":"a.b","apns-push-type":"alert"},"payload":""#
        let syntax = byte < 0x80 ? "json.syntax" : "json.invalid-utf8"
        #expect(rules(head, 4097, #""}"#) == ["apns.payload-too-large", syntax])
        #expect(rules(head, 4096, #""}"#) == [syntax])
        let bare = rules(#"{"aps":{"alert":""#, 4077, #""}}"#)
        #expect(bare == ["apns.payload-too-large"] + (byte < 0x80 ? [] : [syntax]))
        #expect(rules(#"{"aps":{"alert":""#, 4076, #""}}"#) == (byte < 0x80 ? [] : [syntax]))
    }

    @Test func `every reason has a record, or nothing to do with records`() {
        let ofAPNs = Rejection.allCases.filter { ["apns", "binary"].contains($0.row.speaker.description) }
        let covered = Set(Self.rows.map(\.rejection))
        #expect(covered.isDisjoint(with: Self.others))
        #expect(Set(ofAPNs) == covered.union(Self.others))
    }

    /// The examples are requests of their own.
    @Test func `run accepts the good example of every rule about a refusal, and refuses the bad one`() {
        for rejection in Set(Self.rows.map(\.rejection)) {
            guard let rule = Rule.all.first(where: { $0.id.text == rejection.rule }), !rule.failing.isEmpty else {
                continue
            }
            #expect(self.rejection(of: rule.failing) == rejection, "\(rule.id)")
            #expect(self.rejection(of: rule.passing) == nil, "\(rule.id)")
        }
    }
}
