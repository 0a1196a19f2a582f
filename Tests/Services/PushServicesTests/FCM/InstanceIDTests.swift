import PushDevices
import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Source: Firebase, "Manage topic subscriptions on the server"; Google, Instance ID server reference.
struct InstanceIDTests {
    private func trial() -> SessionTrial {
        let access = GoogleAccess()
        return SessionTrial(services: [InstanceIDService(access), FCMService(access)])
    }

    private func request(_ path: String, _ body: String = "", method: String = "POST") -> GatewayRequest {
        GatewayRequest(method: method, path: path, body: Array(body.utf8))
    }

    private func batch(_ operation: String, _ tokens: [String], topic: String = "/topics/news") -> GatewayRequest {
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
        return request("/iid/v1:\(operation)", #"{"to":"\#(topic)","registration_tokens":[\#(list)]}"#)
    }

    @Test func `subscribers get the messages of a topic until they are removed`() throws {
        let trial = trial()
        #expect(try trial.answer(batch("batchAdd", ["one", "two"])).text == #"{"results":[{},{}]}"#)
        let push = send(#"{"message":{"topic":"news","notification":{"body":"Hi"}}}"#)
        #expect(try trial.answer(push).status == 200)
        #expect(trial.pipeline.summary.count(.delivered) == 2)
        #expect(try trial.answer(batch("batchRemove", ["one"])).text == #"{"results":[{}]}"#)
        #expect(try trial.answer(push).status == 200)
        #expect(trial.pipeline.summary.count(.delivered) == 3)
    }

    @Test func `a subscription is reported as the event that run knows`() throws {
        let trial = trial()
        _ = try trial.answer(batch("batchAdd", ["one"]))
        #expect(trial.lines == [#"{"seq":1,"event":"subscribe","device":"one","outcome":"applied"}"#])
    }

    @Test func `errors stand at the place of their token`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(#"{"device":"dead","platform":"android","unregistered":true}"#)
        let answer = try trial.answer(batch("batchAdd", ["one", "dead", "a b", "", "two"]))
        #expect(answer.status == 200)
        #expect(
            answer.text
                == #"{"results":[{},{"error":"NOT_FOUND"},{"error":"INVALID_ARGUMENT"},{"error":"INVALID_ARGUMENT"},{}]}"#
        )
    }

    @Test func `with unknown devices rejected an unknown token is not found`() throws {
        let trial = SessionTrial(services: [InstanceIDService(GoogleAccess())]) {
            $0.devicePolicy.rejectsUnknownDevices = true
        }
        try trial.pipeline.registerDevices(#"{"device":"one"}"#)
        let answer = try trial.answer(batch("batchAdd", ["one", "two"]))
        #expect(answer.text == #"{"results":[{},{"error":"NOT_FOUND"}]}"#)
    }

    @Test func `a request may have a thousand tokens, and no more`() throws {
        let trial = trial()
        let tokens = (0..<1000).map { "token-\($0)" }
        #expect(try trial.answer(batch("batchAdd", tokens)).status == 200)
        let answer = try trial.answer(batch("batchAdd", tokens + ["more"]))
        #expect(answer.status == 400)
        #expect(answer.object["error"] as? String == "INVALID_ARGUMENT")
    }

    @Test(arguments: [
        "news", "/topics/", "/topics/a b", "/topics/ä", "/elsewhere/news",
        "/topics/" + String(repeating: "x", count: 901),
    ])
    func `what is no topic is refused`(topic: String) throws {
        #expect(try trial().answer(batch("batchAdd", ["one"], topic: topic)).status == 400)
    }

    @Test(arguments: ["", "[]", "{}", #"{"to":"/topics/a","registration_tokens":"one"}"#])
    func `what is no request is refused`(body: String) throws {
        #expect(try trial().answer(request("/iid/v1:batchAdd", body)).status == 400)
    }

    @Test func `one token is subscribed by its path, and its topics are told`() throws {
        let trial = trial()
        let answer = try trial.answer(request("/iid/v1/bk3R:CI2k/rel/topics/movies"))
        #expect(answer.status == 200)
        #expect(answer.text == "{}")
        _ = try trial.answer(batch("batchAdd", ["bk3R:CI2k"]))
        let info = try trial.answer(request("/iid/info/bk3R:CI2k?details=true", method: "GET"))
        #expect(info.status == 200)
        let topics = (info.object["rel"] as? [String: Any])?["topics"] as? [String: Any]
        #expect(topics?.keys.sorted() == ["movies", "news"])
        #expect(info.object["platform"] as? String == "ANDROID")
        let brief = try trial.answer(request("/iid/info/bk3R:CI2k", method: "GET"))
        #expect(brief.object["rel"] == nil)
    }

    @Test func `an unknown token is not reported`() throws {
        let answer = try trial().answer(request("/iid/info/nobody?details=true", method: "GET"))
        #expect(answer.status == 404)
        #expect(answer.object["error"] as? String == "No information found about this instance id.")
    }

    @Test(arguments: ["/iid/v1:batchGet", "/iid/", "/iid/v1/a/rel/topics", "/iid/info/"])
    func `another path is a page of HTML`(path: String) throws {
        #expect(try trial().answer(request(path)).status == 404)
    }
}
