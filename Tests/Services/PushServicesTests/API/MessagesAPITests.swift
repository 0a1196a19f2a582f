import Foundation
import PushJSON
import PushModel
import PushPipeline
import PushRedaction
import PushSystem
import ServiceTestSupport
import Testing

@testable import PushServices

struct MessagesAPITests {
    private func ids(_ answer: GatewayAnswer) throws -> [Int] {
        try answer.list("messages").compactMap { $0["id"] as? Int }
    }

    @Test func `a list has each request with its answer and its report lines, newest last`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: [push(), push(to: "not-a-token")])
        let answer = try trial.get("/api/v1/messages")
        #expect(answer.status == 200)
        #expect(answer.header("content-type") == "application/json")
        let messages = try answer.list("messages")
        try #require(messages.count == 2)
        #expect(messages.map { $0["id"] as? Int } == [1, 2])
        #expect(messages.map { $0["status"] as? Int } == [200, 400])
        #expect(messages.map { $0["service"] as? String } == ["apns", "apns"])
        #expect(messages.map { $0["path"] as? String } == ["/3/device/ab12", "/3/device/not-a-token"])
        let lines = messages.compactMap { ($0["report"] as? [[String: Any]])?.first }
        #expect(lines.map { $0["outcome"] as? String } == ["delivered", "rejected"])
        #expect(lines.last?["reason"] as? String == "BadDeviceToken")
    }

    @Test func `the API's own requests are no messages, and those for nobody's path are`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.get("/api/v1/messages")
        _ = try trial.get("/api/v1/nothing")
        #expect(try trial.get("/elsewhere").status == 404)
        let messages = try trial.get("/api/v1/messages").list("messages")
        #expect(messages.map { $0["service"] as? String } == ["none"])
        #expect((messages.first?["report"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [
        ("/2", 1, [1, 3]), ("", 3, []), ("?outcome=delivered", 2, [2]), ("?device=CD34", 1, [1, 2]),
        ("?text=hI", 2, [3]),
        ("?provider=fcm", 0, [1, 2, 3]),
    ])
    func `messages are deleted, one, all, or those that match`(target: String, count: Int, left: [Int]) throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: [
            push(), push(to: "not-a-token"), push(#"{"aps":{"alert":"No"}}"#, to: "cd34"),
        ])
        let answer = try trial.send("", "/api/v1/messages\(target)", method: "DELETE")
        #expect(answer.text == "{\"messages\":\(count)}\n")
        #expect(try ids(trial.get("/api/v1/messages")) == left)
        #expect(try ids(trial.get("/api/v1/messages?after=0")) == left)
        #expect(try trial.get("/metrics").text.contains("\npushpipe_messages_kept \(left.count)\n"))
        for id in [1, 2, 3] {
            #expect(try trial.get("/api/v1/messages/\(id)").status == (left.contains(id) ? 200 : 404))
        }
        // Ids go on.
        _ = try trial.answer(push())
        #expect(try ids(trial.get("/api/v1/messages")) == left + [4])
        // What a phone shows stays.
        #expect(try !trial.get("/api/v1/devices").list("devices").isEmpty)
    }

    @Test func `a deletion names what there is not`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.answer(push())
        #expect(try trial.send("", "/api/v1/messages/2", method: "DELETE").status == 404)
        #expect(
            try trial.send("", "/api/v1/messages?limit=1", method: "DELETE").error.contains("unknown parameter limit"))
        #expect(try trial.send("", "/api/v1/messages?outcome=none", method: "DELETE").status == 400)
        #expect(try trial.send("", "/api/v1/messages/1", method: "DELETE").status == 200)
        #expect(try trial.send("", "/api/v1/messages/1", method: "DELETE").error == "message 1 is no longer kept")
    }

    @Test(arguments: [
        ("outcome=delivered", [1, 3]), ("outcome=rejected", [2]), ("reason=BadDeviceToken", [2]),
        ("device=ab12", [1]), ("device=CD34", [3]), ("app=org.example.app", [1, 2]), ("app=org.example.other", [3]),
        ("provider=apns", [1, 2, 3]), ("provider=fcm", []), ("text=GR%C3%9CSSE", []), ("text=Gr%C3%BC%C3%9Fe", [3]),
        ("text=hI", [1, 2]), ("outcome=delivered&app=org.example.app", [1]), ("after=1", [2, 3]), ("before=3", [1, 2]),
        ("limit=2", [2, 3]), ("after=0&limit=2", [1, 2]), ("after=9", []), ("before=1", []), ("after=1&before=3", [2]),
    ])
    func `a filter chooses messages`(query: String, expected: [Int]) throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: [
            push(), push(to: "not-a-token"),
            push(
                #"{"aps":{"alert":"Gr\u00fc\u00dfe"}}"#, to: "cd34", headers: [("apns-topic", "org.example.other")]),
        ])
        #expect(try ids(trial.get("/api/v1/messages?\(query)")) == expected)
    }

    @Test(arguments: [
        "outcome=lost", "limit=0", "limit=1001", "limit=x", "after=-1", "wait=5h", "wait=301",
        "wait=-1s", "wait=", "count=0", "colour=red", "text=%zz", "wait=nan", "wait=1e300", "wait=.",
        "after=18446744073709551615", "before=9223372036854775808", "app=\(String(repeating: "a", count: 257))",
    ])
    func `a parameter that cannot be is refused and named`(query: String) throws {
        let answer = try SessionTrial.withAPI().get("/api/v1/messages?\(query)")
        #expect(answer.status == 400)
        #expect(
            try answer.error.contains(
                query.prefix { $0.isLetter } == "text" ? "escape" : "\(query.prefix { $0.isLetter })"))
    }

    @Test func `pages lead through all messages in both directions`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: (10..<17).map { push(to: "aa\($0)") })
        var found: [Int] = []
        var path: String? = "/api/v1/messages?limit=3&outcome=delivered"
        while let current = path {
            let answer = try trial.get(current)
            found = try ids(answer) + found
            path = try answer.parsed()["previous"] as? String
        }
        #expect(found == Array(1...7))
        found = []
        path = "/api/v1/messages?after=0&limit=3&outcome=delivered"
        while let current = path {
            let answer = try trial.get(current)
            path = try ids(answer).isEmpty ? nil : answer.parsed()["next"] as? String
            found += try ids(answer)
        }
        #expect(found == Array(1...7))
    }

    @Test func `one message has request, answer, records and report, and no secret`() throws {
        let trial = SessionTrial.withAPI(authentication: try ProviderAuthentication(isOff: true, keyPath: nil, .none))
        _ = try trial.answer(
            push(headers: [
                ("apns-topic", "org.example.app"), ("authorization", "bearer Secret1"), ("x-an-app-key", "Secret2"),
                ("apns-id", "0F0E0D0C-1111-2222-3333-444455556666"),
            ]))
        let answer = try trial.get("/api/v1/messages/1")
        let message = try answer.parsed()
        #expect(!answer.text.contains("Secret"))
        let request = try #require(message["request"] as? [String: Any])
        #expect(request["body"] as? String == #"{"aps":{"alert":"Hi"}}"#)
        #expect(request["bytes"] as? Int == 22)
        let headers = try #require(request["headers"] as? [[String: Any]])
        #expect(headers.first?["value"] as? String == "org.example.app")
        #expect(headers.map { $0["hidden"] as? Bool ?? false } == [false, true, true, false])
        let reply = try #require(message["answer"] as? [String: Any])
        #expect(reply["status"] as? Int == 200)
        let returned = try #require(reply["headers"] as? [[String: Any]])
        #expect(returned.first?["name"] as? String == "apns-id")
        let records = try #require(message["records"] as? [[String: Any]])
        #expect(records.first?["device"] as? String == "ab12")
        #expect((message["report"] as? [[String: Any]])?.first?["outcome"] as? String == "delivered")
    }

    @Test func `a body that is no text is shown in Base64`() throws {
        let trial = SessionTrial.withAPI()
        var request = push()
        request.body = [0xFF, 0x00]
        _ = try trial.answer(request)
        let message = try trial.get("/api/v1/messages/1").parsed()
        #expect((message["request"] as? [String: Any])?["body_base64"] as? String == "/wA=")
        let record = (message["records"] as? [[String: Any]])?.first?["base64"] as? String
        #expect(record.flatMap { Data(base64Encoded: $0) }?.contains(0xFF) == true)
    }

    @Test func `a message that is not there is 404, and says whether it was`() throws {
        let trial = SessionTrial.withAPI(log: MessageLog(maximumCount: 1))
        _ = try trial.session.answers(to: [push(), push()])
        #expect(try trial.get("/api/v1/messages/1").error.contains("no longer"))
        #expect(try trial.get("/api/v1/messages/3").error.contains("yet"))
        #expect(try trial.get("/api/v1/messages/2").status == 200)
        #expect(try trial.get("/api/v1/messages/0").status == 404)
        #expect(try trial.get("/api/v1/messages/x").status == 400)
        #expect(try trial.get("/api/v1/messages/99999999999999999999").status == 400)
    }

    @Test func `with redaction a message shows no more than its report`() throws {
        let trial = SessionTrial.withAPI(isRedacted: true) {
            $0.recordStages.append(RedactionStage(Redaction(.all, key: [1])))
        }
        let token = String(repeating: "ab12", count: 16)
        var request = push(
            #"{"aps":{"alert":"Private"}}"#, to: token,
            headers: [("apns-topic", "org.example.app"), ("apns-collapse-id", "private-id")])
        request.sender = RequestSender(address: "10.0.0.7")
        _ = try trial.answer(request)
        for path in ["/api/v1/messages", "/api/v1/messages/1"] {
            let answer = try trial.get(path)
            #expect(answer.status == 200)
            #expect(answer.text.contains("redacted-"))
            for secret in [token, "Private", "private-id", "10.0.0.7"] {
                #expect(!answer.text.contains(secret), "\(path)")
            }
        }
        #expect(try ids(trial.get("/api/v1/messages?text=Private")) == [])
    }

    @Test func `a message has the trace of its record alone`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: [push(), push(to: "no-token"), GatewayRequest(method: "GET", path: "/no")])
        let trace = try #require(try trial.get("/api/v1/messages/2").parsed()["trace"] as? String)
        #expect(trace.hasPrefix("record 1\n"))
        #expect(trace.contains("BadDeviceToken"))
        #expect(try trial.get("/api/v1/messages/3").parsed()["trace"] == nil)
        // Which changes nothing.
        #expect(trial.pipeline.summary.messages == 2)
    }

    @Test func `what a message brings about is in its report`() throws {
        let trial = SessionTrial.withAPI()
        try trial.pipeline.registerDevices(#"{"device":"ab12","app":"org.example.app","topics":["news"]}"#)
        try trial.pipeline.registerDevices(#"{"device":"ab12","app":"org.example.app","online":false}"#)
        _ = try trial.answer(push())
        let line = try trial.get("/api/v1/messages/1").parsed()["report"] as? [[String: Any]]
        #expect(line?.first?["outcome"] as? String == "held")
    }

    @Test(arguments: [("POST", "/api/v1/messages", 405), ("GET", "/api/v1/nothing", 404), ("GET", "/api/v1", 404)])
    func `another method or path is refused in JSON`(method: String, path: String, status: Int) throws {
        let answer = try SessionTrial.withAPI().get(path, method: method)
        #expect(answer.status == status)
        #expect(answer.header("allow") == (status == 405 ? "GET, DELETE" : nil))
        #expect(try !answer.error.isEmpty)
    }

    @Test(arguments: ["/api/v10/messages", "/metricsx", "/api/v2/push", "/healthzz"])
    func `paths of others are left to them`(path: String) throws {
        #expect(try SessionTrial.withAPI().get(path).reason == "BadPath")
    }
}

struct MessageLogTests {
    private func message(bytes: Int = 0) -> LoggedMessage {
        LoggedMessage(
            id: 0, at: 0, service: "apns",
            request: GatewayRequest(method: "POST", path: "", body: Array(repeating: 0x20, count: bytes)),
            requestBytes: bytes, answer: GatewayAnswer(status: 200), records: [], report: [], isReportCut: false)
    }

    @Test func `the newest messages are kept, up to a number of them`() {
        var log = MessageLog(maximumCount: 3)
        for _ in 0..<5000 { log.append(message()) }
        #expect(log.all.map(\.id) == [4998, 4999, 5000])
        #expect(log.firstID == 4998)
        #expect(log.messages(after: 4998).map(\.id) == [4999, 5000])
        #expect(log.messages(after: 3).count == 3)
        #expect(log.messages(after: 5000).isEmpty)
        #expect(log.messages(after: .max).isEmpty)
        #expect(log.messages(before: 5000).map(\.id) == [4998, 4999])
        #expect(log.messages(before: 0).isEmpty)
        #expect(log[4997] == nil)
        #expect(log[4998]?.id == 4998)
        #expect(log[5001] == nil)
    }

    @Test func `the newest messages are kept, up to a number of bytes`() {
        let one = message(bytes: 1000).memory
        var log = MessageLog(maximumBytes: 3 * one)
        for _ in 0..<4 { log.append(message(bytes: 1000)) }
        #expect(log.all.map(\.id) == [2, 3, 4])
        log.append(message(bytes: 100_000))
        #expect(log.all.map(\.id) == [5])
    }

    @Test func `ids go on when the messages are forgotten`() {
        var log = MessageLog()
        log.append(message())
        log.removeAll()
        #expect(log.all.isEmpty)
        #expect(log.firstID == 2)
        log.append(message())
        #expect(log.all.map(\.id) == [2])
    }
}
