import PushDevices
import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Source: discovery document of FCM v1, revision 20261023, `projects.registrations.topicSubscriptions`; the names are those of the REST
/// reference.
struct TopicSubscriptionTests {
    private static let path = "/v1/projects/demo/registrations/bk3R%3ACI2k/topicSubscriptions"
    private static let resource = "projects/demo/registrations/bk3R:CI2k/topicSubscriptions"
    /// 2096-10-02T07:06:40Z, later than any token has died
    private static let now: Int64 = 4_000_000_000_000

    private func trial(_ configure: (inout PipelineConfiguration) -> Void = { _ in }) -> SessionTrial {
        let access = GoogleAccess()
        let service = InstanceIDService(access)
        access.wallMilliseconds = { Self.now }
        return SessionTrial(services: [service, FCMService(access)], configure)
    }

    private func request(_ method: String, _ rest: String, _ body: String = "{}") -> GatewayRequest {
        GatewayRequest(method: method, path: Self.path + rest, body: Array(body.utf8))
    }

    private func status(_ answer: GatewayAnswer) -> String? {
        (answer.object["error"] as? [String: Any])?["status"] as? String
    }

    private func topics(_ answer: GatewayAnswer) -> [String] {
        (answer.object["topic_subscriptions"] as? [[String: Any]] ?? []).compactMap { $0["topic_name"] as? String }
    }

    @Test(arguments: ["topic_name", "topicName"])
    func `a subscription is made, and told with its topic and time`(parameter: String) throws {
        let trial = trial()
        let made = try trial.answer(request("POST", "?\(parameter)=news&alt=json"))
        #expect(made.status == 200)
        #expect(made.object["name"] as? String == "\(Self.resource)/news")
        #expect(made.object["topic_name"] as? String == "news")
        #expect(made.object["create_time"] as? String == "2096-10-02T07:06:40.000Z")
        #expect(trial.lines == [#"{"seq":1,"event":"subscribe","device":"bk3R:CI2k","outcome":"applied"}"#])
        let told = try trial.answer(request("GET", "/news", ""))
        #expect(told.status == 200)
        #expect(told.text == made.text)
    }

    @Test func `a second creation is 409, also of two at once`() throws {
        let trial = trial()
        let creation = request("POST", "?topic_name=news")
        let answers = try trial.session.answers(to: [creation, creation, request("POST", "?topicName=sport")])
        #expect(answers.map(\.status) == [200, 409, 200])
        #expect(status(answers[1]) == "ALREADY_EXISTS")
        #expect(trial.lines.count == 2)
    }

    @Test func `an update returns what there is, and makes what is missing only if asked to`() throws {
        let trial = trial()
        #expect(status(try trial.answer(request("PATCH", "/news"))) == "NOT_FOUND")
        for parameter in ["allow_missing", "allowMissing"] {
            let topic = parameter.lowercased()
            let made = try trial.answer(request("PATCH", "/\(topic)?\(parameter)=true"))
            #expect(made.status == 200)
            #expect(made.object["topic_name"] as? String == topic)
            #expect(try trial.answer(request("PATCH", "/\(topic)")).text == made.text)
        }
        #expect(topics(try trial.answer(request("GET", "", ""))) == ["allow_missing", "allowmissing"])
        #expect(trial.lines.count == 2)
    }

    @Test func `a deletion ends it, and may be of what there is not`() throws {
        let trial = trial()
        _ = try trial.answer(request("POST", "?topic_name=news"))
        #expect(try trial.answer(request("DELETE", "/news")).text == "{}")
        #expect(status(try trial.answer(request("DELETE", "/news"))) == "NOT_FOUND")
        #expect(status(try trial.answer(request("GET", "/news", ""))) == "NOT_FOUND")
        #expect(try trial.answer(request("DELETE", "/news?allow_missing=true")).status == 200)
        #expect(try trial.answer(request("DELETE", "/news?allowMissing=true")).status == 200)
    }

    @Test func `the list has all of a registration, page by page`() throws {
        let trial = trial()
        #expect(try trial.answer(request("GET", "", "")).text == "{}")
        for topic in ["b", "a", "d", "c"] { _ = try trial.answer(request("POST", "?topic_name=\(topic)")) }
        #expect(topics(try trial.answer(request("GET", "", ""))) == ["a", "b", "c", "d"])
        #expect(topics(try trial.answer(request("GET", "?pageSize=5000", ""))) == ["a", "b", "c", "d"])
        var pages: [[String]] = []
        var token: String? = ""
        while let next = token {
            let answer = try trial.answer(request("GET", "?page_size=3&page_token=\(next)", ""))
            pages.append(topics(answer))
            token = answer.object["next_page_token"] as? String
        }
        #expect(pages == [["a", "b", "c"], ["d"]])
    }

    @Test(arguments: ["?page_size=-1", "?page_size=x", "?pageToken=x", "?page_token=-1", "?page_token=9"])
    func `a page that cannot be is refused`(query: String) throws {
        #expect(status(try trial().answer(request("GET", query, ""))) == "INVALID_ARGUMENT")
    }

    @Test func `those made by the other interface are there, too`() throws {
        let trial = trial()
        _ = try trial.answer(
            GatewayRequest(
                method: "POST", path: "/iid/v1:batchAdd",
                body: Array(#"{"to":"/topics/news","registration_tokens":["bk3R:CI2k"]}"#.utf8)))
        #expect(try trial.answer(request("GET", "/news", "")).object["create_time"] != nil)
        #expect(try trial.answer(request("POST", "?topic_name=news")).status == 409)
    }

    /// The registry does not keep times, and of a subscription by an event there is none.
    @Test func `an event's subscription has no time`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(#"{"device":"bk3R:CI2k","topics":["news"]}"#)
        #expect(
            try trial.answer(request("GET", "/news", "")).text
                == #"{"name":"\#(Self.resource)/news","topic_name":"news"}"#)
    }

    @Test func `a name has 1 to 900 characters of a topic`() throws {
        let trial = trial()
        let name = String(repeating: "x", count: 900)
        #expect(try trial.answer(request("POST", "?topic_name=\(name)")).status == 200)
        for wrong in [name + "x", "", "a%20b", "a%2Fb", "%C3%A4"] {
            #expect(status(try trial.answer(request("POST", "?topic_name=\(wrong)"))) == "INVALID_ARGUMENT")
        }
        #expect(status(try trial.answer(request("POST", ""))) == "INVALID_ARGUMENT")
        #expect(status(try trial.answer(request("GET", "/\(name)x", ""))) == "INVALID_ARGUMENT")
        #expect(try trial.answer(request("POST", "?topic_name=aZ09-_.~%25")).status == 200)
    }

    @Test func `a dead registration has none`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(#"{"device":"bk3R:CI2k","platform":"android","unregistered":true}"#)
        for (method, rest) in [("POST", "?topic_name=news"), ("GET", ""), ("PATCH", "/news?allow_missing=true")] {
            #expect(status(try trial.answer(request(method, rest))) == "NOT_FOUND")
        }
    }

    @Test(arguments: [
        ("PUT", "/news"), ("POST", "/news"), ("PATCH", ""), ("DELETE", ""), ("GET", "/news/more"), ("POST", "s"),
    ])
    func `another path or method is a page of HTML`(method: String, rest: String) throws {
        let answer = try trial().answer(request(method, rest))
        #expect(answer.status == 404)
        #expect(answer.header("content-type")?.hasPrefix("text/html") == true)
    }
}
