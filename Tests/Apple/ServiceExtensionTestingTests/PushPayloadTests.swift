#if os(Linux)
    import Foundation
    import ServiceExtensionTesting
    import Testing

    @Suite struct PushPayloadTests {
        @Test func `a payload has mutable-content and its texts`() throws {
            let push = PushPayload(title: "Ada", subtitle: "Climbing", body: "Are you coming?")
            #expect(
                try push.json()
                    == #"{"aps":{"alert":{"body":"Are you coming?","subtitle":"Climbing","title":"Ada"},"mutable-content":1}}"#
            )
        }

        @Test func `every function sets the member that Apple's documentation names`() throws {
            let push = PushPayload().localizedTitle("T", "a", "b").localizedSubtitle("S").localizedBody("B")
                .badge(3).sound().thread("t").category("c").interruptionLevel(.timeSensitive).relevanceScore(0.5)
                .mutable(false)
            #expect(
                try push.json() == #"{"aps":{"alert":{"loc-key":"B","subtitle-loc-key":"S","#
                    + #""title-loc-args":["a","b"],"title-loc-key":"T"},"badge":3,"category":"c","#
                    + #""interruption-level":"time-sensitive","relevance-score":0.5,"sound":"default","thread-id":"t"}}"#
            )
        }

        private struct Message: Encodable {
            var id = 7
            var tags = ["a", "b"]
        }

        @Test func `members of the app are literals, texts, addresses and encoded values`() throws {
            let name = "Ada"
            let url = try #require(URL(string: "https://example.org/a/b"))
            let push = try PushPayload().custom("sender", name).custom("image", url)
                .custom("nested", ["n": .null, "on": true, "list": [1, 2.5, "\(name)!"]])
                .custom("message", encoding: Message())
                .custom("aps", "not the app's")
            #expect(
                try push.json() == #"{"aps":{"mutable-content":1},"image":"https://example.org/a/b","#
                    + #""message":{"id":7,"tags":["a","b"]},"nested":{"list":[1,2.5,"Ada!"],"n":null,"on":true},"#
                    + #""sender":"Ada"}"#)
        }

        @Test func `headers travel with the payload`() async throws {
            let harness = ServiceExtensionHarness { UNNotificationServiceExtension() }
            let result = try await harness.deliver(PushPayload(body: "Goal").collapseID("match"))
            #expect(result.identifier == "match")
            let silent = try await harness.deliver(PushPayload(body: "Goal").pushType("voip"))
            #expect(silent.outcome == .notStarted(.pushType))
        }

        @Test func `a number that JSON does not have is an error`() {
            #expect(throws: EncodingError.self) { try PushPayload().custom("n", .number(.nan)).json() }
        }
    }
#endif
