import Foundation
import PushpipeTesting
import Testing

/// Messages in a sender's own tests, with the one import of a user.
struct MessageTests {
    /// A sender's own type has the name, too.
    private struct Message {
        var text: String
    }

    private struct News: Decodable {
        struct APS: Decodable {
            var alert: String
            var category: String?
        }

        var aps: APS
        var article: Int
        var date: Date?
    }

    private func push(_ body: String) -> PushpipeServer.Message { .init(id: 3, body: Array(body.utf8)) }

    @Test func `a message can be made up`() throws {
        let report = try #require(
            PushReport(json: #"{"seq":1,"device":"ab12","topic":"org.example.news","outcome":"delivered"}"#))
        let push = PushpipeServer.Message(
            headers: [.init(name: "apns-topic", value: "org.example.news")], body: Array("{}".utf8), report: [report])
        #expect(push.outcome == .delivered)
        #expect(push.device == "ab12")
        #expect(push.app == "org.example.news")
        #expect(push.reason == nil)
        #expect(push.header("apns-topic") == "org.example.news")
        #expect(push.text == "{}")
        #expect(Message(text: push.text).text == "{}")
        #expect(PushReport(json: "{}") == nil)
        #expect(PushReport(json: "no line") == nil)
        let shown = PushpipeServer.ShownNotification(app: "org.example.news", identifier: "a", body: "Hi")
        #expect(shown.body == "Hi")
        #expect(shown.title == nil)
    }

    @Test func `a body is decoded as a type`() throws {
        let push = push(#"{"aps":{"alert":"12 of 98"},"article":7,"date":"2026-01-01T12:00:00Z"}"#)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let news = try push.decodedPayload(as: News.self, using: decoder)
        #expect(news.aps.alert == "12 of 98")
        #expect(news.article == 7)
        #expect(news.date == Date(timeIntervalSince1970: 1_767_268_800))
    }

    @Test func `a body with another form is an error that says where`() throws {
        let cases = [
            (#"{"aps":{"alert":"Hi"}}"#, #"the object has no "article""#),
            (#"{"aps":{},"article":7}"#, #"/aps has no "alert""#),
            (#"{"aps":{"alert":7},"article":7}"#, "/aps/alert: "),
            (#"{"aps""#, "the body is {"),
            ("", "its body is empty"),
        ]
        for (body, words) in cases {
            let failure = #expect(throws: PushpipeServer.Failure.self) {
                try push(body).decodedPayload(as: News.self)
            }
            #expect(failure?.code == .invalidPayload)
            #expect(failure?.description.hasPrefix("message 3 cannot be decoded as News: ") == true)
            #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        }
        let long = #expect(throws: PushpipeServer.Failure.self) {
            try push("[" + String(repeating: " ", count: 5_000) + "]").decodedPayload(as: News.self)
        }
        #expect(long?.description.hasSuffix("…") == true)
    }
}
