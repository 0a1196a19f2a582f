import AppSimulation
import PushJSON
import PushModel
import Testing

/// Rules for what an app does by itself with messages.
struct MessageRuleTests {
    private static let message = #"""
        {"data":{"type":"chat","sender":"Anna","count":3,"read":["chat-1","chat-2"],"gone":"[\"chat-3\",4]","one":"chat-5","none":[]}}
        """#

    private func reaction(
        _ rules: MessageRules, isHanded: Bool = true, platform: Platform = .android
    ) throws -> AppReaction {
        let reaction = Array(Self.message.utf8).withJSON { payload in
            var message = DecodedMessage(record: 0, device: .empty)
            message.platform = platform
            return rules.reaction(to: message, payload, isHanded: isHanded)
        }
        return try #require(reaction)
    }

    private func post(_ title: String, _ condition: MessageRules.Condition = .init()) -> MessageRules.Post {
        var rule = MessageRules.Post()
        rule.title = MessageText(title)
        rule.condition = condition
        return rule
    }

    private func title(_ rules: [MessageRules.Post], isHanded: Bool = true) throws -> String? {
        var all = MessageRules()
        all.posts = rules
        return try reaction(all, isHanded: isHanded).post?.title
    }

    private func withdrawn(_ rules: [MessageRules.Removal]) throws -> [String] {
        var all = MessageRules()
        all.removals = rules
        return try reaction(all).withdrawn
    }

    private func removal(_ identifiers: String, _ condition: MessageRules.Condition = .init()) -> MessageRules.Removal {
        var rule = MessageRules.Removal()
        rule.identifiers = MessageText(identifiers)
        rule.condition = condition
        return rule
    }

    @Test(arguments: [
        ("New message", "New message"), ("/data/sender", "Anna"), ("/data/count", "3"),
        ("{/data/sender} wrote", "Anna wrote"), ("{/data/sender}: {/data/count}", "Anna: 3"), ("{data}", "{data}"),
        ("{data or so}", "{data or so}"), ("", ""),
    ])
    func `a text is one, or a value, or has values in it`(text: String, found: String) throws {
        #expect(try title([post(text)]) == found)
    }

    @Test(arguments: ["/data/missing", "from {/data/missing}", "/data/read", "/data"])
    func `there is no text without its values`(text: String) throws {
        #expect(try title([post(text)]) == nil)
    }

    @Test(arguments: ["/a~2", "by {/a~}", "{/data/sender", "{data/sender} wrote", "{/a} {data/b}"])
    func `a pointer that cannot be one is refused`(text: String) {
        #expect(MessageText(text) == nil)
    }

    @Test func `the first rule that matches decides`() throws {
        let type = PreferenceMapping.Place.pointer("/data/type")
        let rules = [
            post("news", .init(at: type, like: "news*")), post("chat", .init(at: type, like: "ch*")),
            post("any"),
        ]
        #expect(try title(rules) == "chat")
        #expect(try title([rules[0], rules[2]]) == "any")
        #expect(try title([rules[0]]) == nil)
        #expect(try title([post("x", .init(at: .pointer("/data/missing")))]) == nil)
    }

    @Test func `what the app does not get is for rules that say so`() throws {
        #expect(try title([post("any")], isHanded: false) == nil)
        #expect(try title([post("any"), post("all", .init(includesNotifications: true))], isHanded: false) == "all")
        var rules = MessageRules()
        rules.posts = [post("all", .init(includesNotifications: true))]
        #expect(try reaction(rules, isHanded: false, platform: .ios).isEmpty)
    }

    @Test(arguments: [
        ("/data/read", ["chat-1", "chat-2"]), ("/data/gone", ["chat-3", "4"]), ("/data/one", ["chat-5"]),
        ("chat-{/data/count}", ["chat-3"]), ("/data/none", []), ("", []), ("/data/missing", []),
    ])
    func `identifiers are a list, a list in a string, or one`(text: String, found: [String]) throws {
        #expect(try withdrawn([removal(text)]) == found)
    }

    @Test func `a rule for removals without identifiers in the message is for other messages`() throws {
        #expect(try withdrawn([removal("/data/missing"), removal("/data/one")]) == ["chat-5"])
    }

    @Test func `a rule that can do nothing is a mistake`() throws {
        #expect(MessageRules.Post().mistake != nil)
        #expect(MessageRules.Removal().mistake != nil)
        #expect(post("x").mistake == nil)
        #expect(post("x", .init(like: "a")).mistake != nil)
        #expect(removal("/x").mistake == nil)
        #expect(removal("/x", .init(like: "a")).mistake != nil)
    }
}
