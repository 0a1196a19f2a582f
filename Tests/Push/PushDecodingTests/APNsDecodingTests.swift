import PushDecoding
import PushModel
import TestSupport
import Testing

@Suite struct APNsDecodingTests {
    static func shown(_ aps: String) throws -> ShownContent { try read(#"{"aps":{\#(aps)}}"#).shown }

    // MARK: - Content

    @Test func `a string alert is the body`() throws {
        let reading = try read(#"{"aps":{"alert":"Hello"}}"#)
        #expect(reading.shown == ShownContent(body: "Hello"))
        #expect(reading.isShown)
    }

    @Test func `an alert object has title, subtitle and body`() throws {
        let content = try Self.shown(#""alert":{"title":"T","subtitle":"S","body":"B"},"thread-id":"chat","badge":3"#)
        #expect(content == ShownContent(title: "T", subtitle: "S", body: "B", thread: "chat", badge: 3))
    }

    @Test func `a localisation key stands for a text that is not given`() throws {
        let keys = #""title-loc-key":"TK","subtitle-loc-key":"SK","loc-key":"BK""#
        #expect(try Self.shown(#""alert":{\#(keys)}"#) == ShownContent(title: "TK", subtitle: "SK", body: "BK"))
        #expect(
            try Self.shown(#""alert":{\#(keys),"title":"T","subtitle":"S"}"#)
                == ShownContent(title: "T", subtitle: "S", body: "BK"))
    }

    @Test(
        arguments: [
            (#""badge":1"#, 1), (#""badge":0"#, 0), (#""badge":99999"#, 99999), (#""badge":"1""#, nil),
            (#""badge":null"#, nil),
            (#""badge":true"#, nil), (#""sound":"default""#, nil), (#""badge":1.5"#, nil),
        ] as [(String, Int?)])
    func `a badge is a whole number, and its absence is not zero`(member: String, badge: Int?) throws {
        #expect(try Self.shown(member).badge == badge)
    }

    @Test(arguments: [("1", true), ("0", false), ("true", false), (#""1""#, false), ("null", false), ("2", false)])
    func `mutable-content takes effect as the number 1`(value: String, isMutable: Bool) throws {
        #expect(
            try read(#"{"aps":{"alert":"x","mutable-content":\#(value)}}"#).startsServiceExtension == isMutable)
    }

    @Test(arguments: [
        #""sound":"default""#, #""badge":1"#, #""content-available":1"#, #""alert":"""#, #""alert":{}"#,
        #""alert":{"title":"","body":""}"#, #""alert":{"launch-image":"x"}"#, #""alert":5"#, #""alert":null"#,
    ])
    func `a payload without text shows nothing and starts no extension`(member: String) throws {
        let reading = try read(#"{"aps":{"mutable-content":1,\#(member)}}"#)
        #expect(reading.isAccepted)
        #expect(!reading.isShown)
        #expect(!reading.startsServiceExtension)
    }

    @Test(arguments: [
        #""alert":"x""#, #""alert":{"title":"x"}"#, #""alert":{"subtitle":"x"}"#, #""alert":{"body":"x"}"#,
        #""alert":{"loc-key":"x"}"#,
    ])
    func `any text is shown`(member: String) throws {
        #expect(try read(#"{"aps":{\#(member)}}"#).isShown)
        #expect(try read(#"{"aps":{\#(member),"mutable-content":1}}"#).startsServiceExtension)
    }

    @Test func `escapes are decoded`() throws {
        let content = try Self.shown(#""\u0061lert":"\u00e9\n\ud83d\ude00\"\/","thread-id":"a\tb""#)
        #expect(content == ShownContent(body: "é\n😀\"/", thread: "a\tb"))
    }

    @Test func `of duplicate names the last one wins, and a warning says so`() throws {
        let reading = try read(
            #"{"aps":{"alert":"lost"},"aps":{"alert":{"title":"lost"},"alert":"kept","badge":1,"badge":2}}"#)
        #expect(reading.shown == ShownContent(body: "kept", badge: 2))
        let duplicates = reading.findings.filter { $0.rule == "json.duplicate-key" }
        #expect(duplicates.map(\.pointer) == ["/aps", "/aps/alert", "/aps/badge"])
        #expect(duplicates.map(\.severity) == [.warning, .warning, .warning])
    }

    @Test func `a later value of a wrong type takes the earlier one's place`() throws {
        #expect(
            try Self.shown(#""alert":"x","alert":5,"badge":1,"badge":"1","thread-id":"t","thread-id":1"#)
                == ShownContent())
        #expect(try Self.shown(#""alert":{"title":"x","title":5,"body":"b"}"#) == ShownContent(body: "b"))
    }

    @Test func `findings in a string payload are pointed at inside it`() throws {
        let reading = try read(#"{"payload":"{\"aps\":{\"alert\":\"a\",\"alert\":\"b\"},\"n\":1e999}"}"#)
        #expect(reading.shown.body == "b")
        #expect(Set(reading.findings.map(\.pointer)) == ["/payload/aps/alert", "/payload/n"])
        #expect(Set(reading.rules) == ["json.duplicate-key", "json.number-out-of-range"])
    }

    // MARK: - Envelope

    @Test func `header names are compared without regard to case`() throws {
        let reading = try read(
            #"{"headers":{"APNS-Topic":"org.example","Apns-Collapse-Id":"c","APNS-PUSH-TYPE":"voip"},"#
                + #""payload":{"aps":{}}}"#
        )
        #expect(reading.isAccepted)
        #expect(reading.topic == "org.example")
        #expect(reading.identifier == "c")
        #expect(reading.pushType == .voip)
    }

    @Test func `a number as a header's value counts as its text`() throws {
        #expect(try read(request(#""apns-collapse-id":42"#)).identifier == "42")
        #expect(try read(request(#""apns-priority":5,"apns-expiration":0"#)).isAccepted)
    }

    @Test func `the identifier is the collapse id with escapes decoded`() throws {
        #expect(try read(request(#""apns-collapse-id":"caf\u00e9""#)).identifier == "café")
        #expect(try read(request()).identifier == nil)
        #expect(try read(request(#""apns-collapse-id":"""#)).identifier == nil)
    }

    @Test(arguments: PushTypeFact.all)
    func `the app is the topic without its push type's suffix`(fact: PushTypeFact) throws {
        let record =
            #"{"headers":{"apns-topic":"org.example\#(fact.suffix)","apns-push-type":"\#(fact.name)"},"payload":{}}"#
        let reading = try read(record)
        #expect(reading.app == "org.example")
        #expect(reading.topic == "org.example" + fact.suffix)
    }

    @Test func `a suffix of another push type stays`() throws {
        let voip = #"{"headers":{"apns-topic":"org.example.voip","apns-push-type":"alert"},"payload":{}}"#
        #expect(try read(voip).app == "org.example.voip")
        #expect(try read(#"{"headers":{"apns-topic":"org.example.voip"},"payload":{}}"#).app == "org.example.voip")
    }

    @Test(arguments: PushTypeFact.all)
    func `push types that the system never shows show nothing`(fact: PushTypeFact) throws {
        let payload = #"{"aps":{"alert":"x","mutable-content":1}}"#
        let reading = try read(request(#""apns-push-type":"\#(fact.name)""#, payload: payload))
        #expect(reading.isAccepted)
        #expect(reading.isShown == fact.isShown)
        #expect(reading.startsServiceExtension == fact.isShown)
    }

    @Test func `a simulator file names its app, and keeps the name in its payload`() throws {
        let record = #"{"Simulator Target Bundle":"org.example.app","aps":{"alert":"x"}}"#
        let reading = try read(record) { $0.topic = "org.example.option" }
        #expect(reading.isAccepted)
        #expect(reading.topic == "org.example.app")
        #expect(reading.bytes == record.utf8.count)
    }

    @Test func `the payload is what is sent, byte for byte`() throws {
        let payload = "{ \"aps\" : {\"alert\":\"caf\\u00e9 é\"},\r\n \"a\":1.50 }"
        #expect(try read(request(payload: payload)).payload == payload)
        let string = #""{ \"aps\" : {\"alert\":\"caf\u00e9 \\u00e9\"}}""#
        #expect(try read(request(payload: string)).payload == #"{ "aps" : {"alert":"café \u00e9"}}"#)
    }

    // MARK: - Custom ids

    @Test(
        arguments: [
            ("id", #""id":"m1""#, "m1"), ("id", #""id":42"#, "42"), ("id", #""id":true"#, "true"),
            ("id", #""id":null"#, nil),
            ("id", #""id":{}"#, nil), ("id", #""ID":"m1""#, nil), ("id", #""i\u0064":"\u006d1""#, "m1"),
            ("/m/id", #""m":{"id":"m1"}"#, "m1"), ("/m/0", #""m":["m1"]"#, "m1"), ("/m/id", #""m":{}"#, nil),
            ("/a~1b", #""a/b":"m1""#, "m1"), ("id", #""id":"a","id":"b""#, "b"),
        ] as [(String, String, String?)])
    func `the custom id is found by name or pointer`(key: String, member: String, expected: String?) throws {
        for record in [#"{"aps":{"alert":"x"},\#(member)}"#, #"{\#(member),"aps":{"alert":"x"}}"#] {
            #expect(try read(record) { $0.replacementKey = key }.customID == expected)
        }
        #expect(try read(#"{"aps":{"alert":"x"},\#(member)}"#).customID == nil)
    }
}
