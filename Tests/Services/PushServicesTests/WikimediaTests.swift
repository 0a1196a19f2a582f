import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Source: mediawiki-services-push-notifications, `src/routes/v1.ts`, `src/services/queueing.ts`.
struct WikimediaTests {
    private func request(_ provider: String, _ body: String, method: String = "POST") -> GatewayRequest {
        GatewayRequest(
            method: method, path: "/v1/message/\(provider)", headers: [HeaderField("content-type", "application/json")],
            body: Array(body.utf8))
    }

    private func body(_ tokens: [String], topic: String? = nil, isDryRun: Bool = false) -> String {
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
        let topic = topic.map { ",\"topic\":\"\($0)\"" } ?? ""
        return
            #"{"deviceTokens":[\#(list)],"messageType":"checkEchoV1"\#(topic)\#(isDryRun ? ",\"dryRun\":true" : "")}"#
    }

    @Test func `a message reaches the devices, and is answered with an empty object`() throws {
        let trial = SessionTrial(services: [WikimediaService()])
        let answer = try trial.answer(request("apns", body(["ab12", "cd34"], topic: "org.wikimedia.wikipedia")))
        #expect(answer.status == 200)
        #expect(answer.text == "{}")
        #expect(trial.pipeline.summary.count(.delivered) == 2)
        #expect(
            trial.lines.first?.contains(
                #""provider":"apns","via":"wikimedia","device":"ab12","topic":"org.wikimedia.wikipedia""#) == true)
        #expect(try trial.answer(request("fcm", body(["t1"]))).text == "{}")
        #expect(trial.lines.last?.contains(#""provider":"fcm","via":"wikimedia","device":"t1""#) == true)
    }

    @Test func `a topic is APNs' alone`() throws {
        let trial = SessionTrial(services: [WikimediaService()])
        _ = try trial.answer(request("fcm", body(["t1"], topic: "org.wikimedia.wikipedia")))
        #expect(trial.lines.last?.contains(#""provider":"fcm""#) == true)
        #expect(try trial.answer(request("apns", body(["ab12"]))).status == 400)
    }

    @Test func `a dry run delivers nothing`() throws {
        let trial = SessionTrial(services: [WikimediaService()])
        #expect(try trial.answer(request("fcm", body(["t1"], isDryRun: true))).status == 200)
        #expect(trial.lines.last?.contains(#""reason":"dry-run""#) == true)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"deviceTokens":["a"],"messageType":"other"}"#,
        #"{"deviceTokens":"a","messageType":"checkEchoV1"}"#, #"{"deviceTokens":[1],"messageType":"checkEchoV1"}"#,
    ])
    func `what is no message is 400`(body: String) throws {
        let trial = SessionTrial(services: [WikimediaService()])
        #expect(try trial.answer(request("fcm", body)).status == 400)
        #expect(trial.lines.isEmpty)
    }

    @Test func `other methods and paths are refused`() throws {
        let trial = SessionTrial(services: [WikimediaService()])
        #expect(try trial.answer(request("fcm", "", method: "GET")).status == 405)
        #expect(try trial.answer(request("wns", body(["a"]))).status == 404)
    }

    @Test func `with a delay messages are answered at once and sent later, together`() throws {
        let service = WikimediaService(delay: 60)
        service.seconds = { 1000 }
        let trial = SessionTrial(services: [service])
        for index in 0..<3 {
            #expect(try trial.answer(request("fcm", body(["t\(index)"]))).text == "{}")
        }
        _ = try trial.answer(request("apns", body(["ab12"], topic: "a.b")))
        #expect(trial.lines.isEmpty)
        let due = try #require(trial.session.nextDue)
        #expect((1000...1060).contains(due))
        #expect(try !trial.session.runDue(now: due - 1))
        #expect(try trial.session.runDue(now: 1061))
        #expect(trial.lines.count == 4)
        #expect(trial.lines.filter { $0.contains(#""seq":1,"#) }.count == 3)
        #expect(trial.session.nextDue == nil)
        #expect(try !trial.session.runDue(now: .infinity))
    }

    @Test func `messages that do not fit are sent at once, and no other request takes their lines`() throws {
        let service = WikimediaService(delay: 60)
        let trial = SessionTrial(services: [service, FCMService(GoogleAccess())])
        let long = String(repeating: "t", count: 400_000)
        let many = (0..<30).map { request("fcm", body(["\(long)\($0)"])) }
        let answers = try trial.session.answers(
            to: many + [send(#"{"message":{"token":"a b"}}"#), send(#"{"message":{"token":"t"}}"#)])
        #expect(answers.map(\.status) == many.map { _ in 200 } + [400, 200])
        #expect(trial.lines.count > 2)
        #expect(trial.lines.count < 32)
    }

    @Test func `at most 500 tokens are sent together`() throws {
        let service = WikimediaService(delay: 60)
        let trial = SessionTrial(services: [service])
        for part in 0..<4 {
            let tokens = (0..<300).map { "t\(part)-\($0)" }
            #expect(try trial.answer(request("fcm", body(tokens))).status == 200)
        }
        #expect(try trial.session.runDue(now: .infinity))
        #expect(trial.lines.count == 1200)
        #expect(trial.lines.filter { $0.contains(#""seq":1,"#) }.count == 500)
        #expect(trial.lines.last?.contains(#""seq":3,"#) == true)
    }
}
