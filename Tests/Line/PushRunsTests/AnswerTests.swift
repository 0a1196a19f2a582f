import Foundation
import PushDecoding
import PushJSON
import PushModel
import PushPipeline
import PushRedaction
import TestSupport
import Testing

@testable import PushRuns

/// `run --check-answers`: the answers that senders got, compared with those here.
struct AnswerTests {
    private struct Result {
        var lines: [String]
        var notes: String
        var outcome: RunJob.Outcome
    }

    private func run(_ input: String, _ configure: (inout RunJob) throws -> Void = { _ in }) throws -> Result {
        let folder = try Folder(["in": input])
        var job = RunJob([folder["in"]], output: .ndjson)
        job.configuration.clock = .fixed(milliseconds: 0)
        job.answers = AnswerStage()
        job.isQuiet = true
        try configure(&job)
        let streams = CollectedStreams()
        let outcome = try job.run(to: streams)
        let text = streams.text.replacing(folder["in"], with: "in")
        return Result(lines: text.split(separator: "\n").map(String.init), notes: streams.notes, outcome: outcome)
    }

    /// A push that APNs accepts, with the answer that its sender got.
    private func push(_ answer: String, device: String = "ab54") -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example"},"payload":{"aps":{"alert":"Hi"}},"answer":\#(answer)}"#
    }

    private func fcm(_ data: String, _ answer: String) -> String {
        #"{"provider":"fcm","payload":{"message":{"token":"t","data":{"a":\#(data)}}},"answer":\#(answer)}"#
    }

    private static let unregistered =
        #"{"error":{"code":404,"status":"NOT_FOUND","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}]}}"#

    // MARK: - Comparing

    /// The message of UNREGISTERED in 2026, and FCM's other answer for a dead token: see `SenderAnswerReader`.
    @Test(arguments: [
        #"{"reason":"NotRegistered"}"#, unregistered, #"{"status":404}"#,
        #"{"error":{"code":400,"message":"APNs device token is disabled.","status":"INVALID_ARGUMENT","details":[{"errorCode":"INVALID_ARGUMENT"},{"statusCode":410,"reason":"Unregistered"}]}}"#,
    ])
    func `the answers about a dead token are the same`(answer: String) throws {
        let dead = #"{"event":"device","device":"t","platform":"ios","unregistered":true}"#
        #expect(try run(dead + "\n" + fcm(#""b""#, answer)).notes == "answers compared 1, different 0\n")
        #expect(try run(fcm(#""b""#, answer)).notes.hasPrefix("answers compared 1, different 1\n"))
    }

    @Test func `equal answers are no difference`() throws {
        let input = [
            push(#"{"status":200}"#), push("200"), push(#"{"status":200,"reason":null}"#),
            push(#"{"status":400,"reason":"BadDeviceToken"}"#, device: "xyz"),
            push(#"{"reason":"BadDeviceToken"}"#, device: "xyz"), push(#"{"status":400}"#, device: "xyz"),
            fcm(#""b""#, #"{"name":"projects/p/messages/1"}"#),
            fcm("1", #"{"status":400,"reason":"INVALID_ARGUMENT"}"#),
            fcm("1", #"{"error":{"code":400,"status":"INVALID_ARGUMENT"}}"#),
            #"{"provider":"gcm","payload":{"to":"a","data":{"from":"b"}},"answer":{"status":200,"reason":"InvalidDataKey"}}"#,
        ]
        let result = try run(input.joined(separator: "\n"))
        #expect(result.outcome == RunJob.Outcome())
        #expect(result.notes == "answers compared 10, different 0\n")
        #expect(result.lines.allSatisfy { !$0.contains("sender_answer") })
    }

    @Test func `differences are on their lines, and in the table by frequency`() throws {
        let input = [
            push(#"{"status":400,"reason":"BadTopic"}"#), push("200"), push(#"{"status":400,"reason":"BadTopic"}"#),
            fcm(#""b""#, Self.unregistered), push("200", device: "xyz"), push(#"{"reason":"BadTopic"}"#, device: "xyz"),
        ]
        let result = try run(input.joined(separator: "\n"))
        #expect(result.outcome.hasFailed)
        #expect(
            result.notes == """
                answers compared 6, different 5
                         2  apns  200 → 400 BadTopic
                         1  apns  400 BadDeviceToken → 200
                         1  apns  400 BadDeviceToken → BadTopic
                         1  fcm   200 → 404 UNREGISTERED

                """)
        #expect(result.lines[0].hasSuffix(#","sender_answer":{"status":400,"reason":"BadTopic"}}"#))
        #expect(result.lines[0].contains(#""source":{"file":"#))
        #expect(!result.lines[1].contains("sender_answer") && !result.lines[1].contains("source"))
        #expect(result.lines[5].contains(#""sender_answer":{"reason":"BadTopic"}"#))
    }

    @Test(arguments: [
        // Airnotifier accepts with 202.
        (#"{"status":202}"#, "ab54", true), (#"{"status":302}"#, "ab54", false),
        (#"{"name":"projects/p/messages/1"}"#, "xyz", false),
        (#"{"status":400,"reason":"badDeviceToken"}"#, "xyz", false),
        (#"{"status":403,"reason":"BadDeviceToken"}"#, "xyz", false),
    ])
    func `what is given is compared`(_ answer: String, _ device: String, _ isEqual: Bool) throws {
        #expect(try run(push(answer, device: device)).outcome.hasFailed != isEqual)
    }

    /// Google's general status stands in an answer without FCM's own word; pushiko, "FCM responses".
    @Test func `Google's status is enough`() throws {
        let refused = #"{"provider":"fcm","payload":{"message":{"token":"t"}},"refused":"UNREGISTERED","answer":"#
        #expect(try !run(refused + #"{"error":{"code":404,"status":"NOT_FOUND"}}}"#).outcome.hasFailed)
        #expect(try run(refused + #"{"error":{"code":404,"status":"PERMISSION_DENIED"}}}"#).outcome.hasFailed)
    }

    private func expo(_ members: String, _ answer: String) -> String {
        #"{"provider":"expo","payload":{"to":"ExponentPushToken[a]",\#(members)},"answer":\#(answer)}"#
    }

    /// Expo, "Send notifications with Expo's Push API": the word is in the `details` of a receipt, whose response is a 200.
    @Test(arguments: [
        (#""title":"Hi""#, "200", true), (#""title":"Hi""#, #"{"status":200,"reason":"DeviceNotRegistered"}"#, false),
        (#""body":"\#(String(repeating: "x", count: 4097))""#, #"{"status":200,"reason":"MessageTooBig"}"#, true),
        (#""body":"\#(String(repeating: "x", count: 4097))""#, #"{"reason":"DeviceNotRegistered"}"#, false),
    ])
    func `words of Expo are compared`(_ members: String, _ answer: String, _ isEqual: Bool) throws {
        let result = try run(expo(members, answer))
        #expect(result.outcome.hasFailed != isEqual, "\(result.notes)")
    }

    @Test func `an answer is that of every target of the request`() throws {
        let request = #"{"provider":"gcm","payload":{"registration_ids":["a1","b2"],"data":{"a":"b"}},"answer":"#
        #expect(try run(request + "200}").notes == "answers compared 2, different 0\n")
        let result = try run(request + #"{"results":[{"message_id":"1"},{"error":"NotRegistered"}]}}"#)
        #expect(result.notes == "answers compared 0, different 0, unreadable 2\n")
        let words = #""pointer":"/answer","message":"expected a status (400), a reason (BadTopic)"#
        #expect(result.lines[0].contains(words))
    }

    @Test func `a malformed record has an answer too`() throws {
        let record = #"{"device":"ab54","payload":"{\"aps\":","answer":"#
        let result = try run(record + "200}\n" + record + "400}")
        #expect(result.notes == "answers compared 2, different 1\n         1  -     400 (malformed) → 200\n")
        #expect(result.lines[0].contains(#""sender_answer":{"status":200},"error":{"#))
    }

    @Test func `an answer that cannot be read is a finding with a place, and fails the run`() throws {
        let result = try run(push(#"{"status":"bad"}"#))
        #expect(result.outcome.hasFailed)
        #expect(result.notes == "answers compared 0, different 0, unreadable 1\n")
        let finding = #"{"rule":"record.answer","severity":"warning","pointer":"/answer/status","#
        #expect(
            result.lines[0].contains(finding + #""message":"a status must be a number from 1 to 999, such as 400"}"#))
    }

    // MARK: - Where answers are

    /// Next to `aps` every name is the app's own, and requests of Google and gateways have members of their own.
    @Test func `only an envelope has an answer`() throws {
        let input = [
            #"{"aps":{"alert":"Hi"},"answer":{"status":400}}"#, #"{"aps":{},"payload":{},"answer":{"status":400}}"#,
            #"{"to":"a","data":{"a":"b"},"answer":{"status":400}}"#, push("200"), push("null"),
            #"{"event":"device","device":"ab54","answer":{"status":400}}"#,
        ]
        let result = try run(input.joined(separator: "\n"))
        #expect(result.notes == "answers compared 1, different 0, missing 4\n")
        #expect(!result.outcome.hasFailed)
    }

    @Test func `without the option an answer is not looked at`() throws {
        let plain = push("0").replacing(#","answer":0"#, with: "")
        for answer in [#"{"status":400,"reason":"BadTopic"}"#, "[]", "null", #""x""#] {
            let with = try run(push(answer)) { $0.answers = nil }
            #expect(try with.lines == run(plain) { $0.answers = nil }.lines)
            #expect(with.notes.isEmpty && with.outcome == RunJob.Outcome())
        }
    }

    private func location(_ pointer: String, skipsPrefix: Bool = false) -> AnswerStage {
        AnswerStage(at: RecordLocation(pointer: pointer, skipsPrefix: skipsPrefix))
    }

    @Test(arguments: [
        ("/response", #"{"push":{"aps":{"alert":"Hi"}},"response":{"status":410,"reason":"Unregistered"}}"#),
        ("/response/body", #"{"push":{"aps":{"alert":"Hi"}},"response":{"body":"{\"reason\":\"Unregistered\"}"}}"#),
        ("/code", #"{"push":{"aps":{"alert":"Hi"}},"code":410}"#),
        ("", #"{"push":{"aps":{"alert":"Hi"}},"status":410,"reason":"Unregistered","level":"info"}"#),
        ("/log/r", #"{"log":"{\"r\":{\"status\":410}}","push":{"aps":{}}}"#),
        ("/r", #"{"push":"{\"aps\":{}}","r":"Unregistered"}"#),
    ])
    func `an answer may be anywhere in the line`(_ pointer: String, _ line: String) throws {
        for prefix in ["", "10:00:00 app: "] {
            let result = try run(prefix + line) { job in
                job.configuration.decoding.location = RecordLocation(pointer: "/push", skipsPrefix: !prefix.isEmpty)
                job.configuration.framing = .ndjson
                job.answers = location(pointer, skipsPrefix: !prefix.isEmpty)
            }
            #expect(result.outcome.hasFailed)
            #expect(result.notes.hasPrefix("answers compared 1, different 1\n"), "\(result.notes)")
        }
    }

    @Test func `lines without an answer are counted, and none at all is a mistake`() throws {
        let lines = #"{"aps":{"alert":"Hi"},"r":200}"# + "\n" + #"{"aps":{"alert":"Hi"}}"#
        let some = try run(lines) { $0.answers = location("/r") }
        #expect(some.notes == "answers compared 1, different 0, missing 1\n")
        let none = try run(lines) { $0.answers = location("/response") }
        #expect(none.notes.hasSuffix("pushpipe: no answer at /response in any record\n"))
        #expect(none.outcome.isEmpty && !none.outcome.hasFailed)
        #expect(try run("").outcome.isEmpty)
    }

    @Test func `relaxed JSON has answers`() throws {
        let record = push("{'status':400}")
        let result = try run(record) { $0.configuration.decoding.acceptsRelaxedJSON = true }
        #expect(result.notes.hasPrefix("answers compared 1, different 1\n"))
    }

    // MARK: - Whole runs

    @Test func `the output does not depend on the number of jobs`() throws {
        let kinds = [
            push("200"), push(#"{"reason":"BadTopic"}"#), fcm(#""b""#, Self.unregistered), push("{}"),
            push("413", device: "xyz"), #"{"aps":{"alert":"Hi"}}"#,
        ]
        let input = (0..<3000).map { kinds[$0 % kinds.count] }.joined(separator: "\n")
        let one = try run(input)
        let four = try run(input) { $0.configuration.jobs = 4 }
        #expect(one.notes.hasPrefix("answers compared 2,000, different 1,500, unreadable 500, missing 500\n"))
        #expect(one.notes == four.notes)
        let isSame = one.lines == four.lines
        #expect(isSame)
    }

    /// A run's own answers, as the report has them, fed back.
    @Test func `a run agrees with its own answers`() throws {
        let names = [
            "every-bad-record", "quickstart", "gcm-score-updates", "fcm-v1-apns-block", "sns-mobile-push", "web-push",
            "wikimedia-checkechov1", "live-score", "night-flight",
        ]
        let records = try names.flatMap { name in
            let file = packageFolder.appendingPathComponent("Samples/\(name).ndjson")
            return String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
        }
        let own = try run(records.map { #"{"push":\#($0)}"# }.joined(separator: "\n")) { job in
            job.answers = nil
            job.configuration.decoding.location = RecordLocation(pointer: "/push")
        }
        let reports = own.lines.compactMap { PushReport(json: $0) }.filter { $0.status != nil && $0.original == nil }
        let answered = zip(1..., records).map { number, record in
            let answers = Set(
                reports.filter { $0.seq == number }.map { report in
                    let reason = report.outcome == .rejected ? #","reason":"\#(report.reason ?? "")""# : ""
                    return #"{"status":\#(report.status ?? 0)\#(reason)}"#
                })
            // An answer of APNs or FCM is about one target.
            return #"{"push":\#(record),"r":\#(answers.count == 1 ? answers.first ?? "" : "null")}"#
        }
        let again = try run(answered.joined(separator: "\n")) { job in
            job.configuration.decoding.location = RecordLocation(pointer: "/push")
            job.answers = location("/r")
        }
        #expect(again.notes.hasPrefix("answers compared"))
        #expect(again.notes.contains("different 0, missing"), "\(again.notes)")
        #expect(!again.outcome.hasFailed && !again.outcome.isEmpty)
    }

    @Test func `a redacted run shows only words of services`() throws {
        func reason(_ word: String) throws -> String {
            let folder = try Folder(["key": "0123456789abcdef"])
            let result = try run(push(#"{"status":400,"reason":"\#(word)"}"#)) { job in
                job.redaction = RedactionRequest(.all, keyPath: folder["key"])
            }
            return result.lines[0]
        }
        #expect(try reason("BrandNewReason").contains(#""sender_answer":{"status":400,"reason":"BrandNewReason"}"#))
        #expect(try reason("No permission to send notification").contains("No permission to send notification"))
        #expect(try !reason("hello anna").contains("anna"))
        #expect(try !reason("ab54").contains("ab54"))
    }

    @Test func `text for people says what the sender got`() throws {
        let result = try run(push(#"{"status":400,"reason":"BadTopic"}"#)) { $0.output = .text }
        #expect(result.lines[0].contains("the sender got 400 BadTopic"))
        let trace = try run(push(#"{"status":400,"reason":"BadTopic"}"#)) { job in
            job.output = .trace
            job.configuration.traces = true
        }
        #expect(trace.lines.contains { $0.contains("the sender got 400 BadTopic") })
    }
}
