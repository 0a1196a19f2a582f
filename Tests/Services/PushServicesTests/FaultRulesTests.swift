import Foundation
import PushFaults
import PushModel
import PushPipeline
import PushSystem
import ServiceTestSupport
import Testing

@testable import PushServices

struct FaultRulesTests {
    private func rules(_ text: String) throws -> FaultRules { FaultRules(try FaultFile.rules(Array(text.utf8))) }

    /// The numbers of the requests that a rule takes, of so many that come after one another.
    private func taken(_ text: String, of count: Int, every milliseconds: Int64 = 0) throws -> [Int] {
        var rules = try rules(text)
        return (0..<count).filter { rules.effect(on: push(), now: Int64($0) * milliseconds) != nil }
    }

    @Test func `each third request is taken`() throws {
        #expect(try taken("- {every: 3, cut: true}", of: 10) == [2, 5, 8])
    }

    @Test func `a rule is used at most so often`() throws {
        #expect(try taken("- {times: 2, cut: true}", of: 10) == [0, 1])
        #expect(try taken("- {every: 2, times: 2, cut: true}", of: 10) == [1, 3])
    }

    @Test func `what comes faster than the rate is taken`() throws {
        // Three at once.
        #expect(try taken("- {rate: 3/10s, cut: true}", of: 6) == [3, 4, 5])
        // One a second, of which two are there at the beginning: the bucket is empty at the fourth request, after 1.5 s, and has a new one
        // at the fifth and every second one.
        #expect(try taken("- {rate: 2/2s, cut: true}", of: 9, every: 500) == [3, 5, 7])
    }

    @Test func `a rule has its time`() throws {
        #expect(try taken("- {after: 2s, for: 3s, cut: true}", of: 10, every: 1000) == [2, 3, 4])
    }

    @Test func `chance is the same in every run, and another one with another seed`() throws {
        let first = try taken("- {probability: 0.5, cut: true}", of: 1000)
        #expect(try taken("- {probability: 0.5, cut: true}", of: 1000) == first)
        #expect(try taken("- {probability: 0.5, seed: 7, cut: true}", of: 1000) != first)
        // Nine standard deviations around the mean of the binomial distribution.
        #expect((357...643).contains(first.count))
        #expect(try taken("- {probability: 0, cut: true}", of: 100).isEmpty)
        #expect(try taken("- {probability: 1, cut: true}", of: 100).count == 100)
    }

    @Test(arguments: [
        ("device: ab*", true), ("device: AB1?", true), ("device: cd*", false), ("topic: org.example.*", true),
        ("topic: org", false),
        ("path: /3/device/*", true), ("path: /4/**", false),
    ])
    func `a pattern chooses requests`(pattern: String, matches: Bool) throws {
        var rules = try rules("- {\(pattern), cut: true}")
        #expect((rules.effect(on: push(), now: 0) != nil) == matches)
    }

    @Test func `the token of FCM is in the body`() throws {
        var rules = try rules("- {device: dead, reason: UNREGISTERED}")
        for (body, matches) in [
            (#"{"message":{"token":"dead"}}"#, true), (#"{"message":{"token":"live"}}"#, false), ("no JSON", false),
        ] {
            let request = GatewayRequest(
                method: "POST", path: "/v1/projects/p/messages:send", body: Array(body.utf8))
            #expect((rules.effect(on: request, now: 0) != nil) == matches, "\(body)")
        }
    }

    @Test func `the first rule that takes a request decides`() throws {
        var rules = try rules("- {every: 2, status: 503}\n- {delay: 1s}")
        #expect(rules.effect(on: push(), now: 0)?.transport.delayMilliseconds == 1000)
        #expect(rules.effect(on: push(), now: 0)?.reason == "ServiceUnavailable")
        #expect(rules.uses == [1, 1])
    }

    @Test func `a refused push is not delivered, and its record is refused in a replay`() throws {
        let trial = SessionTrial()
        trial.session.faults.rules = try rules("- {times: 1, status: 429, retry_after: 5}")
        let answers = try trial.session.answers(to: [push(), push()])
        #expect(answers.map(\.status) == [429, 200])
        #expect(answers[0].reason == "TooManyRequests")
        #expect(answers[0].header("retry-after") == "5")
        #expect(answers[1].header("retry-after") == nil)
        #expect(trial.lines.first?.contains(#""outcome":"rejected","status":429,"reason":"TooManyRequests""#) == true)
        #expect(trial.pipeline.summary.count(.delivered) == 1)
    }

    /// Apple, "Handling notification responses from APNs": `timestamp` is in the body of each 410, and of nothing else.
    @Test(arguments: [("Unregistered", true), ("ExpiredToken", true), ("BadDeviceToken", false)])
    func `the report has the time of a 410, as the answer has it`(reason: String, hasTime: Bool) throws {
        let trial = SessionTrial { $0.clock = .fixed(milliseconds: 1_700_000_000_000) }
        trial.session.faults.rules = try rules("- {every: 2, reason: \(reason)}")
        let answers = try trial.session.answers(to: [push(), push()])
        #expect(answers[1].text.contains(#""timestamp":1700000000001"#) == hasTime, "\(answers[1].text)")
        #expect(trial.lines.last?.contains(#","timestamp":1700000000001,"#) == hasTime, "\(trial.lines)")
    }

    @Test func `a lost answer is delivered`() throws {
        let trial = SessionTrial()
        trial.session.faults.rules = try rules("- cut: true")
        #expect(try trial.answer(push()).fault?.ending == .cut)
        #expect(trial.pipeline.summary.count(.delivered) == 1)
    }

    @Test func `one reason suits senders of APNs and of FCM`() {
        var effect = FaultEffect()
        effect.reason = "Unregistered"
        #expect(effect.refusal(by: "apns") == .unregistered)
        #expect(effect.refusal(by: "fcm") == .fcmUnregistered)
        #expect(effect.refusal(by: "gcm") == .notRegistered)
        effect.reason = "QUOTA_EXCEEDED"
        #expect(effect.refusal(by: "apns") == .tooManyRequests)
        effect.reason = "BadTopic"
        #expect(effect.refusal(by: "fcm") == nil)
    }

    @Test func `the example is read`() throws {
        let rules = try FaultFile.rules(Array(GatewayJob.faultExamples.utf8))
        #expect(rules.count == 1)
        // What is commented out, too.
        let all = GatewayJob.faultExamples.split(separator: "\n").map { line in
            line.hasPrefix("# - ") || line.hasPrefix("#   ") && !line.hasPrefix("#    ")
                ? String(line.dropFirst(2)) : String(line)
        }
        #expect(try FaultFile.rules(Array(all.joined(separator: "\n").utf8)).count == 6)
    }

    @Test(arguments: [
        ("- {every: 0, cut: true}", ":1:11", "every takes a whole number from 1 to"),
        ("- {evry: 1, cut: true}", ":1:4", "a rule has no key 'evry'"),
        ("- every: 1", ":1:3", "a rule says what happens"),
        ("- {status: 418}", ":1:3", "status 418 needs a reason"),
        ("- {reason: Nope}", ":1:12", "reason takes one of APNs'"),
        ("- {cut: true, silence: true}", ":1:3", "exclude each other"),
        ("- {rate: 5, cut: true}", ":1:10", "rate takes a number of requests and a time"),
        ("- {retry_after: 5}", ":1:3", "a rule says what happens"),
        ("- {goaway: false}", ":1:12", "goaway takes true or"),
        ("- {seed: 5}", ":1:3", "a rule says what happens"),
        ("- {delay: soon}", ":1:11", "delay takes a time such as 250ms"),
        ("- {reset: NOPE}", ":1:11", "reset takes true or one of CANCEL"),
        ("- {probability: 2, cut: true}", ":1:17", "probability takes a number from 0 to 1"),
    ])
    func `what a rule cannot say is an error with its place`(text: String, place: String, words: String) {
        let error = #expect(throws: PlainError.self) { try FaultFile.rules(Array(text.utf8)) }
        #expect(error?.place == place)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `what the rule does not refuse keeps its own status`() throws {
        let trial = SessionTrial()
        trial.session.faults.rules = try rules("- {status: 503, retry_after: 9}")
        let answer = try trial.answer(GatewayRequest(method: "POST", path: "/3/nothing"))
        #expect(answer.status == 404)
        #expect(answer.header("retry-after") == nil)
    }

    @Test func `a refusal by a rule has the time of 410`() throws {
        let trial = SessionTrial()
        trial.session.faults.rules = try rules("- reason: Unregistered")
        #expect(try trial.answer(push()).text.hasPrefix(#"{"reason":"Unregistered","timestamp":"#))
    }

    @Test func `the legacy protocol has errors of the server outside of its 200`() throws {
        let trial = SessionTrial(services: [LegacyFCMService(try GoogleAccess(isOff: false, path: nil, .none))])
        trial.session.faults.rules = try rules("- {status: 503, retry_after: 9}")
        let body = #"{"to":"t1","data":{"a":"b"}}"#
        let answer = try trial.answer(
            GatewayRequest(
                method: "POST", path: "/fcm/send",
                headers: [HeaderField("content-type", "application/json"), HeaderField("authorization", "key=x")],
                body: Array(body.utf8)))
        #expect(answer.status == 503)
        #expect(answer.header("retry-after") == "9")
    }

    @Test func `a refusal by FCM is JSON also for a body that is too large`() throws {
        let trial = SessionTrial(services: [FCMService(try GoogleAccess(isOff: false, path: nil, .none))])
        trial.session.faults.rules = try rules("- reason: QUOTA_EXCEEDED")
        var request = GatewayRequest(method: "POST", path: "/v1/projects/p/messages:send")
        request.isTooLarge = true
        let answer = try trial.answer(request)
        #expect(answer.status == 429)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(answer.body)) }
    }
}
