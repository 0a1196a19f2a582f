import PushDecoding
import PushJSON
import PushModel
import Testing

/// The forms in which senders have answers.
///
/// Sources: Apple, "Handling notification responses from APNs"; Firebase, FCM v1 `ErrorCode`; pushiko, "FCM responses", for bodies of FCM.
struct SenderAnswerReaderTests {
    private func answer(_ json: String) throws -> SenderAnswer? {
        try #require(read(json).answer)
    }

    /// The outer optional is nil for a text that is not JSON.
    private func read(_ json: String) -> (answer: SenderAnswer??, fault: SenderAnswerReader.Fault?) {
        var reader = SenderAnswerReader()
        let answer = Array(json.utf8).withJSON { reader.answer(in: $0) }
        return (answer, reader.fault)
    }

    private static let unregistered = #"""
        {"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest"},{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}]}}
        """#

    /// Tests of five public projects, 2022 to 2026: a dead token of APNs behind that of FCM.
    private static let disabled = #"""
        {"error":{"code":400,"message":"APNs device token is disabled.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"INVALID_ARGUMENT"},{"@type":"type.googleapis.com/google.firebase.fcm.v1.ApnsError","statusCode":410,"reason":"Unregistered"}]}}
        """#

    @Test(
        arguments: [
            (disabled, 404, "UNREGISTERED"),
            (disabled.replacing("410", with: "400"), 400, "INVALID_ARGUMENT"),
            (#"{"status":400,"reason":"BadTopic"}"#, 400, "BadTopic"), (#"{"status":400}"#, 400, nil),
            ("413", 413, nil),
            (#"{"status":410,"reason":"Unregistered","timestamp":1700000000000}"#, 410, "Unregistered"),
            (#"{"reason":"Unregistered","timestamp":1700000000000}"#, nil, "Unregistered"),
            (#"{"status":200,"reason":null}"#, 200, nil), (#"{"status":200,"reason":""}"#, 200, nil),
            (#"{"status":400,"reason":"INVALID_ARGUMENT"}"#, 400, "INVALID_ARGUMENT"),
            (#""BadTopic""#, nil, "BadTopic"), (#""{\"reason\":\"BadTopic\"}""#, nil, "BadTopic"),
            (#"{"status":8,"reason":"Invalid token"}"#, 8, "Invalid token"),
            // Bodies, as sent and in a log.
            (unregistered, 404, "UNREGISTERED"), (#"{"status":404,"body":\#(unregistered)}"#, 404, "UNREGISTERED"),
            (#"{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}"#, 400, "INVALID_ARGUMENT"),
            (#"{"name":"projects/news/messages/1"}"#, 200, nil),
            (#"{"name":"redacted-00000000000000000000000000000000"}"#, 200, nil),
            (#"{"status":400,"body":"{\"reason\":\"BadTopic\"}"}"#, 400, "BadTopic"),
            (#"{"status":200,"body":""}"#, 200, nil), (#"{"status":200,"body":null}"#, 200, nil),
            (#"{"status":502,"body":"<!DOCTYPE html>"}"#, 502, nil),
        ] as [(String, Int?, String?)])
    func `an answer has a status, a reason or both`(_ json: String, _ status: Int?, _ reason: String?) throws {
        #expect(try answer(json) == SenderAnswer(status: status, reason: reason))
        #expect(read(json).fault == nil)
    }

    @Test(arguments: ["null", #""""#]) func `an empty answer says nothing`(_ json: String) throws {
        #expect(try answer(json) == nil)
        #expect(read(json).fault == nil)
    }

    @Test(arguments: [
        ("[1]", "", "expected a status"), ("true", "", "expected a status"), ("{}", "", "expected a status"),
        (#"{"status":"400"}"#, "/status", "a number"), (#"{"status":400.5}"#, "/status", "a number"),
        (#"{"status":4000}"#, "/status", "999"), (#"{"status":0}"#, "/status", "from 1"),
        (#"{"reason":7}"#, "/reason", "a number"), (#"{"reason":"größer"}"#, "/reason", "BadTopic"),
        (#"{"reason":"\#(String(repeating: "a", count: 65))"}"#, "/reason", "64 bytes"),
        (#"{"error":{"code":"x"}}"#, "/error/code", "a number"),
        (#"{"error":{"code":400,"status":5}}"#, "/error/status", "a number"),
        (#"{"error":{"details":[{},{"errorCode":5}]}}"#, "/error/details/1/errorCode", "a number"),
        (#"{"body":[1]}"#, "/body", "expected a status"), (#"{"body":{"body":{"x":1}}}"#, "/body/body", "expected"),
        // Forms of client libraries.
        (#"{"StatusCode":400,"Reason":"BadTopic"}"#, "", "expected a status"),
        (#"{"success":true,"messageId":"projects/x/messages/1"}"#, "", "expected a status"),
        (#"{"results":[{"message_id":"1"}]}"#, "", "expected a status"), (#"{"name":"Anna"}"#, "", "expected a status"),
    ])
    func `what is not an answer is a fault with a place`(_ json: String, _ pointer: String, _ words: String) {
        let (answer, fault) = read(json)
        #expect(answer == .some(.none))
        #expect(fault?.pointer == pointer)
        #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
    }

    @Test func `a reason may have 64 bytes`() throws {
        let word = String(repeating: "a", count: SenderAnswerReader.maximumReasonBytes)
        #expect(try answer(#"{"reason":"\#(word)"}"#)?.reason == word)
    }
}
