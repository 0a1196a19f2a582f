import PayloadJSON
import PushDecoding
import PushModel
import Testing

/// The forms in which senders get answers.
///
/// Sources: Apple, "Handling notification responses from APNs"; Firebase, FCM v1 `ErrorCode`, and "Firebase Cloud Messaging HTTP protocol",
/// downstream response; Google, "HTTP Connection Server" of GCM, for plain text; pushiko, "FCM responses", for bodies of FCM.
struct SenderAnswerReaderTests {
    private func answers(_ json: String) throws -> [SenderAnswer] {
        let result = Array(json.utf8).withJSON { view in
            Result { () throws(SenderAnswerReader.Fault) in try SenderAnswerReader.answers(in: view) }
        }
        return try #require(result).get().answers
    }

    private func fault(_ json: String) -> SenderAnswerReader.Fault? {
        do {
            _ = try answers(json)
            return nil
        } catch { return error as? SenderAnswerReader.Fault }
    }

    private static let unregistered = #"""
        {"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest"},{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}]}}
        """#

    struct Form: Sendable, CustomTestStringConvertible {
        let json: String
        let answer: SenderAnswer

        init(_ json: String, _ status: Int?, _ reason: SenderAnswer.Reason) {
            self.json = json
            answer = SenderAnswer(status: status, reason: reason)
        }

        var testDescription: String { json }
    }

    static let forms: [Form] = [
        Form(#"{"status":400,"reason":"BadTopic"}"#, 400, .word("BadTopic")),
        Form(#"{"reason":"BadTopic","status":"400"}"#, 400, .word("BadTopic")),
        Form(#"{"status":410,"reason":"Unregistered","timestamp":1700000000000}"#, 410, .word("Unregistered")),
        Form(#"{"reason":"Unregistered","timestamp":1700000000000}"#, nil, .word("Unregistered")),
        Form(#"{"status":200}"#, 200, .unsaid), Form(#"{"status":200,"reason":null}"#, 200, .unsaid),
        Form(#"{"status":200,"reason":""}"#, 200, .unsaid), Form("413", 413, .unsaid), Form(#""413""#, 413, .unsaid),
        Form(#""BadTopic""#, nil, .word("BadTopic")), Form(#""400 BadTopic""#, 400, .word("BadTopic")),
        Form(#""400 Bad Request""#, 400, .unsaid),
        Form(#"{"StatusCode":400,"Reason":"BadTopic","ApnsID":"1"}"#, 400, .word("BadTopic")),
        Form(#"{"status":"400","response":{"reason":"BadDeviceToken"}}"#, 400, .word("BadDeviceToken")),
        Form(#"{"status":"400","description":"BadDeviceToken"}"#, 400, .word("BadDeviceToken")),
        Form(#"{"status_code":400,"body":"{\"reason\":\"BadTopic\"}"}"#, 400, .word("BadTopic")),
        Form(#"{"status":200,"body":""}"#, 200, .unsaid), Form(#""{\"reason\":\"BadTopic\"}""#, nil, .word("BadTopic")),
        Form(#"{"status":400,"reason":"INVALID_ARGUMENT"}"#, 400, .word("INVALID_ARGUMENT")),
        Form(unregistered, 404, .word("UNREGISTERED")),
        Form(#"{"status":404,"body":\#(unregistered)}"#, 404, .word("UNREGISTERED")),
        Form(#"{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}"#, 400, .word("INVALID_ARGUMENT")),
        Form(#"{"status":"NOT_FOUND"}"#, nil, .word("NOT_FOUND")),
        Form(#"{"name":"projects/news/messages/1"}"#, 200, .none), Form(#"{"message_id":42}"#, 200, .none),
        Form(#"{"success":2,"failure":0}"#, 200, .none),
        Form(
            #"{"multicast_id":1,"success":0,"failure":1,"results":[{"error":"NotRegistered"}]}"#, 200,
            .word("NotRegistered")),
        Form(#"{"results":[{"message_id":"0:1","registration_id":"new"}]}"#, 200, .none),
        Form(#"{"error":"TopicsMessageRateExceeded"}"#, nil, .word("TopicsMessageRateExceeded")),
        Form(#"{"status":400,"error":"Invalid device type"}"#, 400, .word("Invalid device type")),
        Form(#""Error=NotRegistered""#, 200, .word("NotRegistered")), Form(#""id=0:12345""#, 200, .none),
        // google.rpc.Code; the inner object of Google's body; a page of HTML, as pushiko has for 502.
        Form(#""OK""#, 200, .none), Form(#"{"status":"ok"}"#, 200, .none),
        Form(#"{"code":404,"status":"NOT_FOUND"}"#, 404, .word("NOT_FOUND")),
        Form(#"{"status":502,"body":"<!DOCTYPE html>"}"#, 502, .unsaid),
        Form(
            #"{"status":400,"body":"InvalidParameters: a sentence that is longer than any word of a service may be"}"#,
            400, .unsaid),
        Form(#"{"status":200,"body":"Error=NotRegistered"}"#, 200, .word("NotRegistered")),
        Form(#"{"status":8,"reason":"Invalid token"}"#, 8, .word("Invalid token")),
    ]

    /// RFC 9110, 15: a phrase is a description of the status. Apple has `Forbidden` as a reason in its body.
    static let phrases: [Form] = [
        Form(#"{"status_code":200,"reason":"OK"}"#, 200, .unsaid), Form(#"{"reason":"Bad Request"}"#, 400, .unsaid),
        Form(
            #"{"status":400,"reason":"Bad Request","body":"{\"reason\":\"BadTopic\"}"}"#, 400, .word("BadTopic")),
        Form(#"{"status":413,"reason":"Payload Too Large"}"#, 413, .unsaid),
        Form(#"{"status":403,"reason":"Forbidden"}"#, 403, .unsaid), Form(#""403 Forbidden""#, 403, .unsaid),
        Form(#"{"reason":"Forbidden"}"#, nil, .word("Forbidden")),
        Form(
            #"{"status":403,"reason":"Forbidden","body":{"reason":"Forbidden"}}"#, 403, .word("Forbidden")),
        Form(#"{"status":503,"error":"Service Unavailable"}"#, 503, .unsaid), Form(#""Not Found""#, 404, .unsaid),
    ]

    /// The first number among the names of a status counts, whatever words a log has beside it.
    static let statuses: [Form] = [
        Form(#"{"status":"200 OK","statusCode":200}"#, 200, .unsaid),
        Form(#"{"status":"410 Gone","StatusCode":410}"#, 410, .unsaid),
        Form(#"{"status":"failed","statusCode":400,"reason":"BadTopic"}"#, 400, .word("BadTopic")),
        Form(#"{"status":null,"StatusCode":200}"#, 200, .unsaid),
        Form(#"{"status":"ERROR","statusCode":400,"reason":"BadTopic"}"#, 400, .word("BadTopic")),
        Form(#"{"status":"ERROR","statusCode":400}"#, 400, .unsaid),
        Form(#"{"status":"OK","statusCode":400}"#, 400, .unsaid),
        Form(#"{"status":"UNREGISTERED","statusCode":404}"#, 404, .word("UNREGISTERED")),
        Form(#"{"statusCode":200.0}"#, 200, .unsaid), Form(#"{":status":400}"#, 400, .unsaid),
        Form(#"{"headers":{":status":"400"},"body":{"reason":"BadTopic"}}"#, 400, .word("BadTopic")),
        Form(#"{"status":0,"response":{"statusCode":410,"reason":"Unregistered"}}"#, 410, .word("Unregistered")),
    ]

    /// Forms of clients: pushy, `PushNotificationResponse`; axios, response schema; firebase-admin-node, `SendResponse` and
    /// `FirebaseMessagingError`; Google's APIs, which answer a batch with an array.
    static let clients: [Form] = [
        Form(#""projects/x/messages/0:1500%31""#, 200, .none),
        Form(#"{"status":200,"body":"projects/x/messages/0:1500%31"}"#, 200, .none),
        Form(#"{"statusCode":400,"rejectionReason":"BadTopic","accepted":false}"#, 400, .word("BadTopic")),
        Form(#"{"rejectionReason":"BadTopic","accepted":false}"#, nil, .word("BadTopic")),
        Form(#"{"accepted":true,"rejectionReason":null}"#, 200, .none),
        Form(#"{"success":true,"messageId":"projects/x/messages/1"}"#, 200, .none),
        Form(
            #"{"success":false,"error":{"code":"messaging/registration-token-not-registered"}}"#, nil,
            .word("UNREGISTERED")),
        Form(#"{"errorInfo":{"code":"messaging/invalid-argument","message":"m"}}"#, nil, .word("INVALID_ARGUMENT")),
        Form(#"{"error":{"errorInfo":{"code":"messaging/mismatched-credential"}}}"#, nil, .word("SENDER_ID_MISMATCH")),
        Form(#"{"code":"messaging/message-rate-exceeded","message":"m"}"#, nil, .word("QUOTA_EXCEEDED")),
        Form(#"{"code":"messaging/server-unavailable"}"#, nil, .word("UNAVAILABLE")),
        Form(#"{"code":"messaging/internal-error"}"#, nil, .word("INTERNAL")),
        Form(#"{"code":"messaging/third-party-auth-error"}"#, nil, .word("THIRD_PARTY_AUTH_ERROR")),
        Form(#"{"code":"messaging/unknown-error"}"#, nil, .word("messaging/unknown-error")),
        Form(#"{"status":400,"data":{"reason":"BadTopic"}}"#, 400, .word("BadTopic")),
        Form(#"{"status":200,"data":{"user":1}}"#, 200, .unsaid), Form(#"{"status":200,"data":""}"#, 200, .unsaid),
        Form(#"{"status":400,"error":{"reason":"BadTopic"}}"#, 400, .word("BadTopic")),
        Form(#"{"status":400,"error":{"reason":"the topic is not known"}}"#, 400, .unsaid),
        Form("[\(unregistered)]", 404, .word("UNREGISTERED")),
        Form(#"{"status":400,"body":"[{\"error\":{\"code\":400}}]"}"#, 400, .unsaid),
        Form(#"{"status":200,"error":false}"#, 200, .unsaid), Form(#"{"status":200,"error":[]}"#, 200, .unsaid),
        Form(#"{"status":200,"error":null}"#, 200, .unsaid),
    ]

    /// Expo, "Send notifications with Expo's Push API": tickets, receipts, errors of requests; and what its SDKs return.
    static let expo: [Form] = [
        Form(#"{"data":{"status":"ok","id":"0f8f"}}"#, 200, .taken), Form(#"{"status":"ok","id":"0f8f"}"#, 200, .taken),
        Form(#"{"data":[{"status":"ok","id":"0f8f"}]}"#, 200, .taken),
        Form(#"[{"status":"ok","id":"0f8f"}]"#, 200, .taken),
        Form(
            #"{"status":"error","message":"m","details":{"error":"DeviceNotRegistered"}}"#, 200,
            .word("DeviceNotRegistered")),
        Form(
            #"{"data":{"0f8f":{"status":"error","message":"m","details":{"error":"MessageTooBig"}}}}"#, 200,
            .word("MessageTooBig")),
        Form(#"{"data":{"0f8f":{"status":"ok"}}}"#, 200, .none),
        Form(#"{"errors":[{"code":"UNAUTHORIZED","message":"m"}]}"#, nil, .word("UNAUTHORIZED")),
        Form(
            #"{"status":429,"data":{"errors":[{"code":"TOO_MANY_REQUESTS","message":"m"}]}}"#, 429,
            .word("TOO_MANY_REQUESTS")),
        Form(#"{"status":200,"body":"{\"data\":[{\"status\":\"ok\",\"id\":\"0f8f\"}]}"}"#, 200, .taken),
        Form(#"{"status":200,"data":{"data":[{"status":"ok","id":"0f8f"}]}}"#, 200, .taken),
        // No word of Expo's: a log's own.
        Form(#"{"status":500,"errors":["x"]}"#, 500, .unsaid),
    ]

    @Test func `each message and token has a ticket`() throws {
        let json = #"{"data":[{"status":"ok","id":"1"},{"status":"error","details":{"error":"DeviceNotRegistered"}}]}"#
        #expect(try answers(json).map(\.reason) == [.taken, .word("DeviceNotRegistered")])
    }

    @Test(arguments: forms + phrases + statuses + clients + expo)
    func `each form has a status, a reason or both`(_ form: Form) throws {
        #expect(try answers(form.json) == [form.answer])
    }

    @Test func `an answer to a request for several targets has one for each`() throws {
        let json = #"{"results":[{"message_id":"1"},{"error":"NotRegistered"},{"error":"Unavailable"}]}"#
        #expect(try answers(json).map(\.reason) == [.none, .word("NotRegistered"), .word("Unavailable")])
    }

    /// Status 0 is what clients have for a request without an answer; RFC 9110 has none below 100.
    @Test(arguments: [
        "null", #""""#, #"" ""#, "0", #"{"status":0,"error":"timeout"}"#, #"{"error":{}}"#, #"{"status":0,"error":{}}"#,
        #"{"status":0,"reason":"getaddrinfo ENOTFOUND, and more words than any reason of a service may have"}"#,
    ])
    func `an empty answer says nothing`(_ json: String) throws {
        #expect(try answers(json).isEmpty)
    }

    @Test(arguments: [
        ("[1]", "", "an array"), (#"[{"error":{"code":400}},{}]"#, "", "an array"), ("true", "", "true"),
        ("{}", "", "neither a status nor a reason"),
        (#"{"status":"bad"}"#, "/status", "\"bad\""), (#"{"status":400.5}"#, "/status", "\"400.5\""),
        (#"{"status":"bad","statusCode":"worse"}"#, "/status", "\"bad\""),
        (#"{"status":[400]}"#, "/status", "an array"), (#"{"status":4000}"#, "/status", "\"4000\""),
        (#"{"status":-1}"#, "/status", "\"-1\""),
        (#"{"reason":7}"#, "/reason", "a number"), (#"{"reason":"größer"}"#, "/reason", "BadTopic"),
        (#"{"reason":"\#(String(repeating: "a", count: 65))"}"#, "/reason", "64 bytes"),
        (#"{"error":{"code":"x"}}"#, "", "neither"),
        (#"{"error":{"code":400,"status":5}}"#, "/error/status", "a number"),
        (#"{"results":[{"error":1}]}"#, "/results/0/error", "a number"),
        (#"{"results":[7]}"#, "/results/0", "a number"),
        (#""{\"reason\":""#, "", "not JSON"), (#"{"status":400,"body":[1]}"#, "/body", "an array"),
        (#"{"body":{"body":{"body":{"body":{"status":1}}}}}"#, "/body/body/body/body", "too many"),
        (#"{"name":"Anna"}"#, "", "neither"),
        (#"{"data":[{"status":"error","message":"m","details":{}}]}"#, "/data/0", "no word"),
        (#"{"data":{"1":{"status":"ok"},"2":{"status":"ok"}}}"#, "/data", "2 receipts"),
    ])
    func `what is not an answer is a fault with a place`(_ json: String, _ pointer: String, _ words: String) throws {
        let fault = try #require(self.fault(json))
        #expect(fault.pointer == pointer)
        #expect(fault.message.contains(words), "\(fault.message)")
    }

    @Test func `a reason may have 64 bytes`() throws {
        let word = String(repeating: "a", count: SenderAnswerReader.maximumReasonBytes)
        #expect(try answers(#"{"reason":"\#(word)"}"#).first?.word == word)
    }
}
