import AppSimulation
import PushDecoding
import PushJSON
import PushModel
import Testing

struct PreferenceMappingTests {
    private typealias Rule = PreferenceMapping.Rule

    private func type(of record: String, _ rules: [Rule]) throws -> NotificationType? {
        var batch = MessageBatch()
        var decoder = RecordDecoder(options: DecodingOptions())
        return try Array(record.utf8).withUnsafeBytes { text in
            decoder.decode(text, record: 0, into: &batch)
            let message = try #require(batch.messages.first)
            var scanner = JSONScanner()
            var tape = JSONTape()
            let isJSON = scanner.scan(message.payload.bytes, into: &tape) == nil
            let payload = isJSON ? tape.root(of: message.payload.bytes) : nil
            return PreferenceMapping(rules).type(of: message, payload: payload)
        }
    }

    private let record = #"""
        {"device":"ab","headers":{"apns-topic":"org.example.news","apns-collapse-id":"match-17"},
        "payload":{"aps":{"alert":"x","category":"TALK_PAGE","thread-id":"t/1"},"meta":{"kind":7,"a/b":["z","y"],"e":"","n":null}}}
        """#

    @Test(arguments: [
        ("category", "TALK_PAGE"), ("thread-id", "t/1"), ("collapse-id", "match-17"), ("topic", "org.example.news"),
        ("/meta/kind", "7"), ("/meta/a~1b/1", "y"),
    ])
    func `a rule without a type takes what stands there`(place: String, expected: String) throws {
        let place = try #require(PreferenceMapping.Place(place))
        #expect(try type(of: record, [Rule(at: place)]) == NotificationType(expected))
    }

    @Test(arguments: ["/meta/e", "/meta/n", "/meta", "/meta/a~1b", "/absent/kind"])
    func `what is empty, null, a list, an object or absent is no type`(pointer: String) throws {
        let place = try #require(PreferenceMapping.Place(pointer))
        #expect(try type(of: record, [Rule(at: place)]) == nil)
    }

    @Test func `the first rule that fits decides`() throws {
        let rules = [
            Rule(at: .category, like: "OTHER", type: "a"), Rule(at: .collapseID, like: "match-*", type: "b"),
            Rule(at: .category, like: "TALK_*", type: "c"),
        ]
        #expect(try type(of: record, rules) == "b")
        #expect(try type(of: #"{"aps":{"alert":"x","category":"TALK_X"}}"#, rules) == "c")
        #expect(try type(of: #"{"aps":{"alert":"x"}}"#, rules) == nil)
        #expect(try type(of: record, []) == nil)
    }

    @Test func `Wikimedia's push is known by its thread or by what its data say`() throws {
        let push =
            #"{"data":{"type":"checkEchoV1"},"aps":{"alert":"checkEchoV1","thread-id":"checkEchoV1","mutable-content":1}}"#
        #expect(try type(of: push, [Rule(at: .threadID, like: "checkEchoV1", type: "mention")]) == "mention")
        #expect(try type(of: push, [Rule(at: .pointer("/data/type"))]) == "checkEchoV1")
    }

    @Test(arguments: [
        ("", "", true), ("a", "", false), ("", "*", true), ("abc", "abc", true), ("abc", "a*c", true),
        ("abc", "a*b", false),
        ("aXbXc", "a*X*c", true), ("aaa", "*a", true), ("aab", "*ab*", true), ("abc", "**", true), ("a*c", "a*c", true),
        ("abcd", "*bc", false),
    ])
    func `a star stands for any run`(text: String, pattern: String, isMatch: Bool) throws {
        let record = #"{"aps":{"alert":"x","category":"<\#(text)>"}}"#
        let found = try type(of: record, [Rule(at: .category, like: "<\(pattern)>", type: "hit")])
        #expect((found != nil) == isMatch)
    }

    @Test(arguments: ["thread", "meta/kind", "/a~", "/a~2", ""])
    func `what is no name and no pointer is no place`(text: String) {
        #expect(PreferenceMapping.Place(text) == nil)
    }
}
