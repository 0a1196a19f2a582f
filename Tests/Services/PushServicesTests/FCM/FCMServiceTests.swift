import PushDevices
import PushFaults
import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Answers are those of Firebase, FCM v1 `ErrorCode`, and of pushiko, "FCM responses".
struct FCMServiceTests {
    private func trial(_ configure: (inout PipelineConfiguration) -> Void = { _ in }) -> SessionTrial {
        SessionTrial(services: [FCMService(GoogleAccess())], configure)
    }

    private let push = #"{"message":{"token":"bk3RNwTe3H0:CI2k","notification":{"title":"FCM","body":"Hi"}}}"#

    /// `error` of an answer, and the details by the last part of their type.
    private func error(_ answer: GatewayAnswer) -> (error: [String: Any], details: [String: [String: Any]]) {
        let error = answer.object["error"] as? [String: Any] ?? [:]
        var details: [String: [String: Any]] = [:]
        for case let detail as [String: Any] in error["details"] as? [Any] ?? [] {
            details[(detail["@type"] as? String ?? "").split(separator: ".").last.map(String.init) ?? ""] = detail
        }
        return (error, details)
    }

    @Test func `a message is delivered, reported and answered with its name`() throws {
        let trial = trial()
        let answer = try trial.answer(send(push))
        #expect(answer.status == 200)
        #expect(answer.header("content-type") == "application/json; charset=UTF-8")
        let name = try #require(answer.object["name"] as? String)
        #expect(name.wholeMatch(of: #/projects/demo/messages/0:\d{16}%[0-9a-f]{16}/#) != nil, "\(name)")
        #expect(answer.object.count == 1)
        #expect(trial.lines.count == 1)
        #expect(
            trial.lines.first?.hasPrefix(
                #"{"seq":1,"provider":"fcm","device":"bk3RNwTe3H0:CI2k","outcome":"delivered""#)
                == true)
    }

    @Test func `each message has a name of its own`() throws {
        let answers = try trial().session.answers(to: [send(push), send(push)])
        #expect(Set(answers.compactMap { $0.object["name"] as? String }).count == 2)
    }

    @Test func `a validated message is answered with the fake id, and changes nothing`() throws {
        let trial = trial()
        let answer = try trial.answer(send(#"{"validate_only":true,"# + push.dropFirst()))
        #expect(answer.status == 200)
        #expect(answer.object["name"] as? String == "projects/demo/messages/fake_message_id")
        #expect(trial.pipeline.summary.count(.delivered) == 0)
        #expect(trial.lines.first?.contains(#""outcome":"suppressed""#) == true)
    }

    @Test(arguments: [
        #"{"message":{"topic":"news","data":{"a":"b"}}}"#,
        #"{"message":{"condition":"'news' in topics && !('sport' in topics)"}}"#,
        #"{"message":{"fid":"cX1-_f3Q"}}"#,
        #"{"validateOnly":false,"message":{"token":"t","android":{"collapseKey":"k","ttl":"3.5s"}}}"#,
        "{\n \"message\": {\"token\": \"t\"}\n}",
    ])
    func `every kind of target is taken`(body: String) throws {
        #expect(try trial().answer(send(body)).status == 200)
    }

    @Test func `a dead token is 404 with UNREGISTERED`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(#"{"device":"dead","platform":"android","unregistered":true}"#)
        let answer = try trial.answer(send(#"{"message":{"token":"dead"}}"#))
        #expect(answer.status == 404)
        let (error, details) = error(answer)
        #expect(error["code"] as? Int == 404)
        #expect(error["status"] as? String == "NOT_FOUND")
        #expect(error["message"] as? String == "Requested entity was not found.")
        #expect(details["FcmError"]?["errorCode"] as? String == "UNREGISTERED")
    }

    /// firebase-ios-sdk issue 4605: it depends on what the token is for.
    @Test(arguments: [("ios", 400), ("android", 200), (nil, 200)] as [(String?, Int)])
    func `data with headers of APNs needs content-available on an Apple device`(platform: String?, status: Int) throws {
        let trial = trial()
        if let platform { try trial.pipeline.registerDevices(#"{"device":"phone","platform":"\#(platform)"}"#) }
        let headers = #""headers":{"apns-priority":"5","apns-push-type":"background"}"#
        for android in ["", #","android":{"priority":"HIGH"}"#] {
            let answer = try trial.answer(
                send(#"{"message":{"token":"phone","data":{"a":"b"},"apns":{\#(headers)}\#(android)}}"#))
            #expect(answer.status == status)
            guard status == 400 else { continue }
            let (error, details) = error(answer)
            #expect(error["message"] as? String == "Invalid registration token")
            #expect(details["FcmError"]?["errorCode"] as? String == "INVALID_ARGUMENT")
        }
        let payload = #","payload":{"aps":{"content-available":1}}"#
        let right = #"{"message":{"token":"phone","data":{"a":"b"},"apns":{\#(headers)\#(payload)}}}"#
        #expect(try trial.answer(send(right)).status == 200)
        let subscriber = #"{"event":"subscribe","device":"phone","topic":"news"}"#
        if platform != nil { try trial.pipeline.registerDevices(subscriber) }
        #expect(
            try trial.answer(send(#"{"message":{"topic":"news","data":{"a":"b"},"apns":{\#(headers)}}}"#)).status == 200
        )
    }

    /// Tests of public projects in Elixir and Python; in Ruby and TypeScript; answers of August 2026.
    @Test(
        arguments: [
            (
                "APNs device token is disabled.", 400, "APNs device token is disabled.", "INVALID_ARGUMENT",
                "INVALID_ARGUMENT", "410 Unregistered"
            ),
            (
                "THIRD_PARTY_AUTH_ERROR", 401, "Auth error from APNS or Web Push Service", "UNAUTHENTICATED",
                "THIRD_PARTY_AUTH_ERROR", "403 InvalidProviderToken"
            ),
            (
                "BadEnvironmentKeyIdInToken", 401, "Auth error from APNS or Web Push Service", "UNAUTHENTICATED",
                "THIRD_PARTY_AUTH_ERROR", "403 BadEnvironmentKeyInToken"
            ),
            (
                "BadEnvironmentKeyInToken", 401, "Auth error from APNS or Web Push Service", "UNAUTHENTICATED",
                "THIRD_PARTY_AUTH_ERROR", "403 BadEnvironmentKeyInToken"
            ),
            ("NotRegistered", 404, "NotRegistered", "NOT_FOUND", "UNREGISTERED", nil),
            ("Unregistered", 404, "Requested entity was not found.", "NOT_FOUND", "UNREGISTERED", nil),
            ("UNSPECIFIED_ERROR", 500, "Unknown Error.", "UNKNOWN", "UNSPECIFIED_ERROR", nil),
        ] as [(String, Int, String, String, String, String?)])
    func `a fault rule gives the answers that FCM gives`(
        reason: String, status: Int, message: String, name: String, code: String, apns: String?
    ) throws {
        let trial = trial()
        trial.session.faults.rules = FaultRules(try FaultFile.rules(Array(#"[{"reason":"\#(reason)"}]"#.utf8)))
        let answer = try trial.answer(send(push))
        #expect(answer.status == status)
        let (error, details) = error(answer)
        #expect(error["code"] as? Int == status)
        #expect(error["message"] as? String == message)
        #expect(error["status"] as? String == name)
        #expect(details["FcmError"]?["errorCode"] as? String == code)
        let own = details["ApnsError"].map { "\($0["statusCode"] as? Int ?? 0) \($0["reason"] as? String ?? "")" }
        #expect(own == apns)
        #expect(details.count == (apns == nil ? 1 : 2))
    }

    @Test func `a malformed token is 400 with the field`() throws {
        let (error, details) = error(try trial().answer(send(#"{"message":{"token":"a b"}}"#)))
        #expect(error["code"] as? Int == 400)
        #expect(error["status"] as? String == "INVALID_ARGUMENT")
        #expect(details["FcmError"]?["errorCode"] as? String == "INVALID_ARGUMENT")
        let violations = try #require(details["BadRequest"]?["fieldViolations"] as? [[String: String]])
        #expect(violations.map { $0["field"] } == ["message.token"])
    }

    @Test func `a message without a target is 400 with the field`() throws {
        let (error, details) = error(try trial().answer(send(#"{"message":{}}"#)))
        #expect(error["message"] as? String == "Recipient of the message is not set.")
        #expect(details["FcmError"]?["errorCode"] as? String == "INVALID_ARGUMENT")
        let violations = try #require(details["BadRequest"]?["fieldViolations"] as? [[String: String]])
        #expect(violations.map { $0["field"] } == ["message"])
    }

    /// firebase-admin-go issue 580, reown-com/push-server pull request 346: senders look for the words.
    @Test(arguments: [
        #""token":"t","data":{"a":"\#(long)"}"#, #""token":"t","notification":{"body":"\#(long)"}"#,
        #""topic":"t","data":{"a":"\#(long)"}"#, #""token":"t","apns":{"payload":{"aps":{"alert":"\#(long)"}}}"#,
    ])
    func `a message over the limit is 400 in FCM's words`(members: String) throws {
        let answer = try trial().answer(send(#"{"message":{\#(members)}}"#))
        #expect(answer.status == 400)
        let (error, details) = error(answer)
        #expect(error["status"] as? String == "INVALID_ARGUMENT")
        #expect(error["message"] as? String == "Message is too large. The maximum is 4K (4096 bytes).")
        #expect(details["FcmError"]?["errorCode"] as? String == "INVALID_ARGUMENT")
        #expect(details["BadRequest"]?.count == 1)
    }

    private static let long = String(repeating: "x", count: 4096)

    @Test func `a body that was too large to be read is a message over the limit`() throws {
        var request = send("")
        request.isTooLarge = true
        let (error, details) = error(try trial().answer(request))
        #expect(error["message"] as? String == "Message is too large. The maximum is 4K (4096 bytes).")
        #expect(details.keys.sorted() == ["BadRequest", "FcmError"])
    }

    /// FCM's own sentences, and those of Google's parser about a request without a message: sylk-pushserver issue 16. `run` answers
    /// the same.
    @Test(
        arguments: [
            (#"{"message":{"token":"t","data":{"from":"x"}}}"#, ["Invalid data payload key: from"]),
            (
                #"{"message":{"token":"t","apns":{"headers":{"apns-collapse-id":"\#(String(repeating: "x", count: 65))"},"payload":{"aps":{}}}}}"#,
                ["The length of [apns-collapse-id] header must not exceed [64] bytes."]
            ),
            (#"{"to":"t","notification":{"title":"x"}}"#, ["to", "notification"].map(unknown)),
            (#"{"registration_ids":["t"],"data":{"a":"b"}}"#, ["registration_ids", "data"].map(unknown)),
            (#"{"token":"t","notification":{"title":"x"}}"#, ["token", "notification"].map(unknown)),
            ("{\n\"to\": \"t\"}", [unknown("to")]),
            (
                #"{"message":"x"}"#,
                [#"Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message), "x""#]
            ),
            (#"{"message":{},"to":"t"}"#, [unknown("to")]),
        ] as [(String, [String])])
    func `a refusal is answered in FCM's words, as run reports it`(body: String, sentences: [String]) throws {
        let trial = trial()
        let answer = try trial.answer(send(body))
        #expect(answer.status == 400)
        let (error, details) = error(answer)
        #expect(error["message"] as? String == sentences.joined(separator: "\n"))
        let violations = try #require(details["BadRequest"]?["fieldViolations"] as? [[String: String]])
        #expect(violations.map { $0["description"] } == sentences)
        let line = try #require(trial.lines.first)
        #expect(line.contains(#""outcome":"rejected","status":400,"reason":"INVALID_ARGUMENT""#))
        #expect(line.contains(#","answer":\#(answer.text)"#))
    }

    private static func unknown(_ name: String) -> String {
        #"Invalid JSON payload received. Unknown name "\#(name)": Cannot find field."#
    }

    /// binwiederhier/ntfy-android issue 186.
    @Test func `what is too large for APNs in a message to a topic is answered 200`() throws {
        let trial = trial()
        let body = #"{"message":{"topic":"t","apns":{"payload":{"aps":{"alert":"\#(Self.long)"}}}}}"#
        #expect(try trial.answer(send(body)).object["name"] != nil)
        #expect(
            trial.lines.first?.contains(#""outcome":"suppressed","status":200,"reason":"too-large-for-apns""#) == true)
    }

    @Test func `too many messages for a token are 429`() throws {
        let trial = trial { $0.devicePolicy.pushesPerMinute = 1 }
        let answers = try trial.session.answers(to: [send(push), send(push)])
        #expect(answers.map(\.status) == [200, 429])
        let (error, details) = error(answers[1])
        #expect(error["status"] as? String == "RESOURCE_EXHAUSTED")
        #expect(details["FcmError"]?["errorCode"] as? String == "QUOTA_EXCEEDED")
        #expect(details["QuotaFailure"] != nil)
    }

    @Test func `a data value that is no string is 400 in the words of Google's parser`() throws {
        let (error, details) = error(
            try trial().answer(send(#"{"message":{"token":"t","data":{"a":12}}}"#)))
        #expect(error["message"] as? String == "Invalid value at 'message.data[0].value' (TYPE_STRING), 12")
        #expect(details.keys.sorted() == ["BadRequest"])
    }

    @Test(arguments: [
        ("", "INVALID_ARGUMENT"), ("{}", "INVALID_ARGUMENT"), ("[1]", "Root element must be a message."),
        ("not JSON", "Unexpected token.\nnot JSON\n ^"), (#"{"message":"#, "Unexpected end of string.\n"),
        (#"{"message":"text"}"#, "INVALID_ARGUMENT"), (#"{"aps":{},"device":"ab"}"#, "INVALID_ARGUMENT"),
        (#"{"event":"device","device":"ab","online":false}"#, "INVALID_ARGUMENT"), ("\u{0}", "Unexpected token."),
    ])
    func `a body that is no request is 400, and only its own request`(body: String, says: String) throws {
        let trial = trial()
        let answers = try trial.session.answers(to: [send(push), send(body), send(push)])
        #expect(answers.map(\.status) == [200, 400, 200])
        let (error, _) = error(answers[1])
        #expect(error["status"] as? String == "INVALID_ARGUMENT")
        let message = error["message"] as? String
        #expect(says == "INVALID_ARGUMENT" || message?.contains(says) == true, "\(message ?? "")")
        #expect(trial.lines.count == 3)
    }

    @Test func `APNs' reason for a header stands in the details`() throws {
        let body =
            #"{"message":{"token":"t","apns":{"headers":{"apns-priority":"7"},"payload":{"aps":{"alert":"a"}}}}}"#
        let (error, details) = error(try trial().answer(send(body)))
        #expect(error["code"] as? Int == 400)
        #expect(details["ApnsError"]?["reason"] as? String == "BadPriority")
        #expect(details["ApnsError"]?["statusCode"] as? Int == 400)
    }

    @Test(arguments: [
        ("GET", "/v1/projects/p/messages:send"), ("POST", "/v1/projects/p/messages"), ("POST", "/v1/projects/"),
        ("POST", "/v1/projects/p/messages:send/more"),
    ])
    func `another path or method is a page of HTML`(method: String, path: String) throws {
        let trial = trial()
        let answer = try trial.answer(GatewayRequest(method: method, path: path))
        #expect(answer.status == 404)
        #expect(answer.header("content-type")?.hasPrefix("text/html") == true)
        #expect(trial.lines.isEmpty)
    }

    @Test func `a colon in the path may be escaped`() throws {
        var request = send(push)
        request.path = "/v1/projects/demo/messages%3Asend?alt=json"
        #expect(try trial().answer(request).status == 200)
    }
}
