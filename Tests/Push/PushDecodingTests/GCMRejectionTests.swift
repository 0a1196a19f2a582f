import PushModel
import Testing

@Suite struct GCMRejectionTests {
    static func toOne(_ members: String) -> String { #"{"to":"token-1",\#(members)}"# }

    @Test func `a request with every field right is accepted`() throws {
        let record = Self.toOne(
            #""collapse_key":"score","priority":"high","time_to_live":3600,"dry_run":false,"content_available":true,"#
                + #""mutable_content":true,"restricted_package_name":"org.example.news","delay_while_idle":true,"#
                + #""data":{"score":"5x1"},"notification":{"title":"Score","body":"5 : 1"}"#)
        let reading = try read(record)
        #expect(reading.isAccepted)
        #expect(reading.findings.isEmpty)
        #expect(reading.provider == .gcm)
    }

    // MARK: - Targets

    @Test(arguments: [
        #"{"to":""}"#, #"{"registration_ids":[]}"#, #"{"condition":""}"#, #"{"to":null}"#, #"{"notification_key":""}"#,
        #"{"to":null,"data":{"a":"b"}}"#,
    ])
    func `a request without a target is refused`(record: String) throws {
        #expect(try refusal(of: record) == Refusal("MissingRegistration", 200, at: ""))
    }

    @Test(arguments: [
        #"{"to":"token-1"}"#, #"{"registration_ids":["token-1"]}"#, #"{"condition":"'a' in topics"}"#,
        #"{"notification_key":"group-1"}"#, #"{"to":"/topics/news"}"#,
    ])
    func `one target of any kind is enough`(record: String) throws {
        #expect(try refusal(of: record) == nil)
    }

    @Test(arguments: [
        (#"{"to":"two words"}"#, "/to"), (#"{"to":" token"}"#, "/to"), (#"{"to":"line\nfeed"}"#, "/to"),
        (#"{"registration_ids":[""]}"#, "/registration_ids/0"),
        (#"{"registration_ids":["a\tb"]}"#, "/registration_ids/0"),
        (#"{"notification_key":"two words"}"#, "/notification_key"),
    ])
    func `a token that cannot be one is refused`(record: String, pointer: String) throws {
        #expect(try refusal(of: record) == Refusal("InvalidRegistration", 200, at: pointer))
    }

    @Test func `a malformed token is refused alone among several`() {
        let readings = readAll(#"{"registration_ids":["a","b c","d"],"data":{"k":"v"}}"#)
        #expect(readings.map(\.reason) == [nil, "InvalidRegistration", nil])
        #expect(readings.map(\.target) == [0, 1, 2])
        #expect(readings.map(\.device) == ["a", "b c", "d"])
        #expect(readings[1].errors.map(\.pointer) == ["/registration_ids/1"])
    }

    @Test(arguments: [
        #"{"to":"a","registration_ids":["b"]}"#, #"{"to":"a","condition":"'b' in topics"}"#,
        #"{"registration_ids":["a"],"condition":"'b' in topics"}"#,
        #"{"to":"a","registration_ids":["b"],"condition":"'c' in topics"}"#,
    ])
    func `two targets are refused`(record: String) throws {
        #expect(try refusal(of: record) == Refusal("InvalidParameters", 400, at: ""))
    }

    @Test func `1000 registration ids are accepted, and each is a message`() {
        let ids = (0..<1000).map { "\"id-\($0)\"" }.joined(separator: ",")
        let readings = readAll(#"{"registration_ids":[\#(ids)]}"#)
        #expect(readings.count == 1000)
        #expect(readings.count { $0.isAccepted } == 1000)
        #expect(readings.last?.device == "id-999")
    }

    @Test func `1001 registration ids are refused as a whole`() {
        let ids = (0..<1001).map { "\"id-\($0)\"" }.joined(separator: ",")
        let readings = readAll(#"{"registration_ids":[\#(ids)]}"#)
        #expect(!readings.isEmpty)
        let refused = Refusal("InvalidParameters", 400, at: "/registration_ids")
        #expect(readings.allSatisfy { Refusal($0) == refused })
    }

    // MARK: - Types and values

    @Test(arguments: [
        ("collapse_key", "5"), ("collapse_key", "true"), ("collapse_key", "{}"),
        ("restricted_package_name", "5"), ("restricted_package_name", #"["org.example"]"#),
        ("data", #""text""#), ("data", "[]"), ("data", "5"), ("notification", #""text""#), ("notification", "[]"),
        ("dry_run", #""true""#), ("dry_run", "1"), ("content_available", "1"), ("content_available", #""true""#),
        ("mutable_content", "1"), ("mutable_content", #""1""#),
        ("priority", "10"), ("priority", #""urgent""#), ("priority", #""""#), ("priority", #""HIGHEST""#),
    ])
    func `a field of a wrong type or value is refused`(name: String, value: String) throws {
        let refused = try refusal(of: Self.toOne(#""\#(name)":\#(value)"#))
        #expect(refused == Refusal("InvalidParameters", 400, at: "/\(name)"))
    }

    @Test(arguments: [
        (#"{"to":5}"#, "/to"), (#"{"to":["a","b"]}"#, "/to"), (#"{"to":["a", "b"]}"#, "/to"),
        (#"{"to":{"id": "a"}}"#, "/to"), (#"{"condition":5}"#, "/condition"),
        (#"{"condition":["a", "b"]}"#, "/condition"),
        (#"{"notification_key":5}"#, "/notification_key"), (#"{"notification_key":{"a": 1}}"#, "/notification_key"),
        (#"{"registration_ids":"a"}"#, "/registration_ids"), (#"{"registration_ids":{}}"#, "/registration_ids"),
    ])
    func `a target of a wrong type is refused for its type`(record: String, pointer: String) throws {
        #expect(try refusal(of: record) == Refusal("InvalidParameters", 400, at: pointer))
    }

    @Test(arguments: [
        #""priority":"normal""#, #""priority":"high""#, #""priority":null"#, #""data":null"#, #""data":{}"#,
        #""notification":{}"#, #""dry_run":null"#, #""content_available":false"#, #""collapse_key":"""#,
    ])
    func `a field of the right type is accepted`(member: String) throws {
        #expect(try refusal(of: Self.toOne(member)) == nil)
    }

    @Test(arguments: [
        "'a' in topics", "'a' in topics && 'b' in topics", "'a' in topics || ('b' in topics && !('c' in topics))",
        "'a' in topics && 'b' in topics && 'c' in topics && 'd' in topics && 'e' in topics",
    ])
    func `a condition over at most five topics is accepted`(condition: String) throws {
        #expect(try refusal(of: #"{"condition":"\#(condition)"}"#) == nil)
    }

    @Test(arguments: [
        "'a'", "a in topics", "'a' in topics &&", "'a' in topics 'b' in topics", "('a' in topics", "'a' in topic",
        "'a' in topics && 'b' in topics && 'c' in topics && 'd' in topics && 'e' in topics && 'f' in topics",
    ])
    func `a condition that is none, or has six topics, is refused`(condition: String) throws {
        #expect(
            try refusal(of: #"{"condition":"\#(condition)"}"#) == Refusal("InvalidParameters", 400, at: "/condition"))
    }

    // MARK: - Time to live

    @Test(arguments: ["0", "1", "2419200", "null"])
    func `a time to live of up to four weeks is accepted`(seconds: String) throws {
        #expect(try refusal(of: Self.toOne(#""time_to_live":\#(seconds)"#)) == nil)
    }

    @Test(arguments: [
        "2419201", "-1", #""60""#, "1.5", "1e99", "true", #""60s""#, "99999999999999999999", "[]", "{}",
    ])
    func `any other time to live is refused`(seconds: String) throws {
        let refused = try refusal(of: Self.toOne(#""time_to_live":\#(seconds)"#))
        #expect(refused == Refusal("InvalidTtl", 200, at: "/time_to_live"))
    }

    // MARK: - Reserved names

    @Test(arguments: [
        ("from", "/data/from"), ("message_type", "/data/message_type"), ("google", "/data/google"),
        ("google.sent_time", "/data/google.sent_time"), ("gcm", "/data/gcm"), ("gcmx", "/data/gcmx"),
        ("gcm.n/e", "/data/gcm.n~1e"), ("google~", "/data/google~0"), (#"\u0066rom"#, "/data/from"),
        (#"goog\u006ce.x"#, "/data/google.x"),
    ])
    func `a reserved name in data is refused`(name: String, pointer: String) throws {
        let refused = try refusal(of: Self.toOne(#""data":{"ok":"1","\#(name)":"x"}"#))
        #expect(refused == Refusal("InvalidDataKey", 200, at: pointer))
    }

    @Test(arguments: [
        "fro", "from_user", "xfrom", "From", "message", "message_types", "goog", "Google", "agcm", "gc", "GCM",
    ])
    func `a name like a reserved one is accepted`(name: String) throws {
        #expect(try refusal(of: Self.toOne(#""data":{"\#(name)":"x"}"#)) == nil)
    }

    @Test func `values in data that are not strings are accepted`() throws {
        #expect(try refusal(of: Self.toOne(#""data":{"a":1,"b":true,"c":{"d":[]},"e":null}"#)) == nil)
    }
}
