import Foundation
import PushPipeline
import Testing

/// The body of FCM's answer in the report, as it was observed or documented.
struct FCMAnswerTests {
    private static let badRequest = #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":"#
    private static let fcmError =
        #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"INVALID_ARGUMENT"}"#

    private func answer(_ record: String) throws -> String? {
        let lines = try Pipeline(configuration()).reports(record).map(\.line)
        let line = lines.first?.trimmingCharacters(in: .newlines) ?? ""
        guard let start = line.range(of: #","answer":"#) else { return nil }
        return String(line[start.upperBound...].dropLast())
    }

    /// async-firebase issue 23.
    @Test func `an unknown name`() throws {
        let words = #"Invalid JSON payload received. Unknown name \"tokens\" at 'message': Cannot find field."#
        #expect(
            try answer(#"{"message":{"tokens":["a"]}}"#)
                == #"{"error":{"code":400,"message":"\#(words)","status":"INVALID_ARGUMENT","details":["#
                + Self.badRequest + #"[{"description":"\#(words)","field":"message"}]}]}}"#)
    }

    /// sylk-pushserver issue 16: one line for each, and no field for the request itself.
    @Test func `several unknown names`() throws {
        let words = ["to", "priority"].map {
            #"Invalid JSON payload received. Unknown name \"\#($0)\": Cannot find field."#
        }
        #expect(
            try answer(#"{"message":{"token":"t"},"to":"x","priority":"high"}"#)
                == #"{"error":{"code":400,"message":"\#(words.joined(separator: "\\n"))","status":"INVALID_ARGUMENT","#
                + #""details":["# + Self.badRequest
                + #"[{"description":"\#(words[0])"},{"description":"\#(words[1])"}]}]}}"#)
    }

    /// firebase-admin-dotnet issue 45.
    @Test func `a malformed token`() throws {
        let words = "The registration token is not a valid FCM registration token"
        #expect(
            try answer(#"{"message":{"token":"a b"}}"#)
                == #"{"error":{"code":400,"message":"\#(words)","status":"INVALID_ARGUMENT","details":["#
                + Self.fcmError + "," + Self.badRequest
                + #"[{"description":"\#(words)","field":"message.token"}]}]}}"#)
    }

    /// fcm-django issue 201, with another reason of APNs.
    @Test func `a header that APNs refuses`() throws {
        #expect(
            try answer(
                #"{"message":{"token":"t","apns":{"headers":{"apns-priority":"7"},"payload":{"aps":{"alert":"x"}}}}}"#)
                == #"{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT","#
                + #""details":["# + Self.fcmError
                + #",{"@type":"type.googleapis.com/google.firebase.fcm.v1.ApnsError","statusCode":400,"reason":"BadPriority"}]}}"#
        )
    }

    /// reown-com/push-server pull request 346: a `BadRequest` that lists nothing. firebase-admin-go issue 580.
    @Test(arguments: [
        #""data":{"k":"\#(String(repeating: "x", count: 4096))"}"#,
        #""apns":{"payload":{"aps":{"alert":"\#(String(repeating: "x", count: 4077))"}}}"#,
    ])
    func `a message that is too large`(members: String) throws {
        #expect(
            try answer(#"{"message":{"token":"t",\#(members)}}"#)
                == #"{"error":{"code":400,"message":"Message is too large. The maximum is 4K (4096 bytes).","status":"INVALID_ARGUMENT","#
                + #""details":["# + Self.fcmError + #",{"@type":"type.googleapis.com/google.rpc.BadRequest"}]}}"#)
    }

    /// async-firebase pull request 5.
    @Test func `a value of the wrong type in aps`() throws {
        let words = "Value type for APS key [badge] is a number."
        #expect(
            try answer(#"{"message":{"token":"t","apns":{"payload":{"aps":{"badge":"1"}}}}}"#)
                == #"{"error":{"code":400,"message":"\#(words)","status":"INVALID_ARGUMENT","details":["#
                + Self.fcmError + "," + Self.badRequest
                + #"[{"description":"\#(words)","field":"message.apns.payload.aps.badge"}]}]}}"#)
    }

    /// firebase-php issue 574.
    @Test func `a reserved name in data`() throws {
        let words = "Invalid data payload key: from"
        #expect(
            try answer(#"{"message":{"token":"t","data":{"from":"x"}}}"#)
                == #"{"error":{"code":400,"message":"\#(words)","status":"INVALID_ARGUMENT","details":["#
                + Self.fcmError + "," + Self.badRequest
                + #"[{"description":"\#(words)","field":"message.data"}]}]}}"#)
    }

    /// ha-llmvision issue 545.
    @Test func `a collapse id of 65 bytes`() throws {
        let id = String(repeating: "x", count: 65)
        let words = "The length of [apns-collapse-id] header must not exceed [64] bytes."
        #expect(
            try answer(
                #"{"message":{"token":"t","apns":{"headers":{"apns-collapse-id":"\#(id)"},"payload":{"aps":{}}}}}"#)
                == #"{"error":{"code":400,"message":"\#(words)","status":"INVALID_ARGUMENT","details":["#
                + Self.fcmError + "," + Self.badRequest
                + #"[{"description":"\#(words)","field":"message.apns.headers"}]}]}}"#)
    }

    /// sylk-pushserver issue 16: a request of the legacy protocol.
    @Test func `a request without a message`() throws {
        let words = ["to", "data"].map {
            #"Invalid JSON payload received. Unknown name \"\#($0)\": Cannot find field."#
        }
        #expect(
            try answer(#"{"provider":"fcm","payload":{"to":"t","data":{"a":"b"}}}"#)
                == #"{"error":{"code":400,"message":"\#(words.joined(separator: "\\n"))","status":"INVALID_ARGUMENT","#
                + #""details":["# + Self.badRequest
                + #"[{"description":"\#(words[0])"},{"description":"\#(words[1])"}]}]}}"#)
    }

    /// The words for these are not known.
    @Test(arguments: [
        #"{"message":{"topic":"a b"}}"#,
        #"{"message":{"token":"t","data":{"k":"v"}}}"#, #"{"to":"t","time_to_live":-1}"#,
    ])
    func `there is no answer without known words`(record: String) throws {
        #expect(try answer(record) == nil)
    }

    /// A registered Apple device gets what FCM would hand on to APNs.
    @Test func `a registered Apple device does not get a push that APNs refuses`() throws {
        let records = [
            #"{"event":"device","device":"ida","platform":"ios"}"#,
            #"{"message":{"token":"ida","notification":{"title":"x"},"android":{},"apns":{"headers":{"apns-push-type":"nope"}}}}"#,
        ]
        let line = try Pipeline(configuration()).reports(records.joined(separator: "\n")).map(\.line).last ?? ""
        #expect(line.contains(#""outcome":"rejected","status":400,"reason":"INVALID_ARGUMENT""#))
        #expect(line.contains(#""pointer":"/message/apns/headers/apns-push-type""#))
        #expect(line.contains(#""reason":"InvalidPushType"}]"#))
    }
}
