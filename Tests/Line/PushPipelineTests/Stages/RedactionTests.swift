import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushRedaction
import Testing

/// What a pipeline with redaction passes on, and what it stores.
struct RedactionTests {
    private static let token = "dSecretA:APA91bTokenTokenTokenToken"
    private static let redaction = Redaction(.all, key: Array("a key of the tests".utf8))

    private func lines(_ input: String, _ parts: Redaction.Parts?, replaceBy key: String? = nil) throws -> [String] {
        var configuration = PipelineConfiguration()
        if let parts {
            configuration.recordStages.append(RedactionStage(Redaction(parts, key: Array("a key of the tests".utf8))))
        }
        configuration.decoding.replacementKey = key
        var lines: [String] = []
        try Pipeline(configuration).process(input) { report in
            var out = ByteBuffer()
            NDJSONReport().append(report, to: &out)
            lines.append(String(decoding: out.bytes, as: UTF8.self))
        }
        return lines
    }

    private func delivered(_ input: String, _ parts: Redaction.Parts) throws -> [DeliveredNotification] {
        var configuration = PipelineConfiguration()
        configuration.recordStages.append(RedactionStage(Redaction(parts, key: Array("a key of the tests".utf8))))
        let store = MemoryStore()
        try Pipeline(configuration, deliveringTo: store).process(input) { _ in }
        return try store.notifications()
    }

    /// The stored payload of the only notification.
    private func payload(_ input: String, _ parts: Redaction.Parts) throws -> String {
        try #require(try delivered(input, parts).first).payload
    }

    private func digest(_ text: String) -> String { Self.redaction.digest(text) }

    // MARK: - Tokens

    @Test func `halves of a token in two members are hidden`() throws {
        let halves = ["5ec2e7019f0a4b7c6d3d0c8a1b2f4e69", "0a4b7c6d3d0c8a1b2f4e695ec2e7019f"]
        let stored = try payload(#"{"aps":{"alert":"Hi"},"a":"\#(halves[0])","b":{"c":["\#(halves[1])"]}}"#, .tokens)
        for half in halves { #expect(!stored.contains(half)) }
        #expect(stored.contains(digest(halves[0])))
    }

    @Test func `a text that is a token has the digest of its device, and one with a token is hidden as a whole`() throws
    {
        let url = "https://a.example/?t=\(Self.token)"
        let input = """
            {"to":"\(Self.token)","notification":{"title":"Hi"},"data":{"self":"\(Self.token)","url":"\(url)"}}
            """
        let hidden = digest(Self.token)
        let notification = try #require(try delivered(input, .tokens).first)
        #expect(notification.device == hidden)
        #expect(
            notification.payload
                == """
                {"to":"\(hidden)","notification":{"title":"Hi"},"data":{"self":"\(hidden)","url":"\(digest(url))"}}
                """)
    }

    @Test(arguments: [
        #"{"to":"/topics/news","notification":{"title":"Hi"}}"#,
        #"{"message":{"topic":"news","notification":{"title":"Hi"}}}"#,
        #"{"condition":"'news' in topics","notification":{"title":"Hi"},"priority":"high"}"#,
        #"{"message":{"condition":"'news' in topics","notification":{"title":"Hi"}}}"#,
        #"{"aps":{"alert":"Hi"}}"#,
    ])
    func `topics, conditions and the unnamed device are not secrets`(input: String) throws {
        #expect(try delivered(input, .tokens).map(\.device) == delivered(input, .content).map(\.device))
    }

    @Test func `a text with the name of the record's device is hidden, in either case and in a string of JSON`() throws
    {
        let kept = try payload(
            #"{"device":"abababab12","payload":{"aps":{"alert":"Hi"},"link":"?t=AbAbAbAb12","j":"{\"a\":\"abababab12\"}","x":"abab ab12"}}"#,
            .tokens)
        #expect(
            kept
                == """
                {"aps":{"alert":"Hi"},"link":"\(digest("?t=AbAbAbAb12"))","j":"\(digest(#"{"a":"abababab12"}"#))","x":"abab ab12"}
                """)
        // The name of another device stays, as long as it is no token; and a short one may be part of any word.
        let other = #"{"aps":{"alert":"Hi"},"x":"abababab12"}"#
        #expect(try payload(#"{"device":"cd54","payload":\#(other)}"#, .tokens) == other)
        #expect(try payload(#"{"device":"abab12","payload":\#(other)}"#, .tokens) == other)
    }

    /// The expectations of Base64 are those of `printf … | xxd -r -p | base64` and `printf … | base64`.
    @Test(arguments: [
        "<5ec2e701 9f0a4b7c 5ec2e701 9f0a4b7c 5ec2e701 9f0a4b7c 5ec2e701 9f0a4b7c>",
        "5E:C2:E7:01:9F:0A:4B:7C:5E:C2:E7:01:9F:0A:4B:7C:5E:C2:E7:01:9F:0A:4B:7C:5E:C2:E7:01:9F:0A:4B:7C",
        "XsLnAZ8KS3xewucBnwpLfF7C5wGfCkt8XsLnAZ8KS3w=",
        "NWVjMmU3MDE5ZjBhNGI3YzVlYzJlNzAxOWYwYTRiN2M1ZWMyZTcwMTlmMGE0YjdjNWVjMmU3MDE5ZjBhNGI3Yw==",
        "%35%65c2e7019f0a4b7c5ec2e7019f0a4b7c5ec2e7019f0a4b7c5ec2e7019f0a4b7c",
        "&#0000000053;ec2e7019f0a4b7c5ec2e7019f0a4b7c5ec2e7019f0a4b7c5ec2e7019f0a4b7c",
        "ExponentPushToken[aB3dE6gH9jK2mN5pQ8sT1v]",
    ])
    func `a text that may hold a token is hidden, also as the name of a member or in a list`(text: String) throws {
        let inner = #""a":"see \#(text)","\#(text)":[["Hi","\#(text)"],7]"#
        let hidden = digest(text)
        let kept = try payload(#"{"device":"abab","payload":{"aps":{"alert":"Hi"},\#(inner)}}"#, .tokens)
        #expect(
            kept
                == "{\"aps\":{\"alert\":\"Hi\"},\"a\":\"\(digest("see \(text)"))\",\"\(hidden)\":[[\"\(digest("Hi"))\",\"\(hidden)\"],\"\(digest("7"))\"]}"
        )
    }

    @Test func `a list of numbers that may be the bytes of a token is hidden, and one of a few is not`() throws {
        let kept = try payload(
            #"{"aps":{"alert":"Hi"},"a":[94,194,231,1,159,10],"b":[1,2,3,4,5],"c":1234567890123456}"#, .tokens)
        let bytes = ["94", "194", "231", "1", "159", "10"].map { "\"\(digest($0))\"" }.joined(separator: ",")
        #expect(
            kept
                == "{\"aps\":{\"alert\":\"Hi\"},\"a\":[\(bytes)],\"b\":[1,2,3,4,5],\"c\":\"\(digest("1234567890123456"))\"}"
        )
    }

    @Test func `names that an app's programmers chose may have more capitals than texts`() throws {
        let name = "didReceiveRemoteNotification"
        let kept = try payload(#"{"aps":{"alert":"Hi","category":"\#(name)"},"\#(name)":"\#(name)"}"#, .tokens)
        #expect(kept == "{\"aps\":{\"alert\":\"Hi\",\"category\":\"\(name)\"},\"\(name)\":\"\(digest(name))\"}")
    }

    @Test func `a target that the request must not name is hidden too`() throws {
        let lines = try lines(
            #"{"to":"secret-other-token","registration_ids":["secret-token-one"],"data":{"a":"b"}}"#, .tokens)
        #expect(lines.allSatisfy { !$0.contains("secret") })
        #expect(lines.allSatisfy { $0.contains("InvalidParameters") })
    }

    // MARK: - Content

    @Test func `content is replaced by digests, and values that systems act on stay`() throws {
        let kept = try payload(
            """
            {"device":"ab54","payload": {"aps":{"alert":{"title":"Secret","body":"","loc-args":["x"]},"badge":3,"sound":"s.caf",\
            "mutable-content":1,"thread-id":"t"},"count":7,"on":true,"none":null,"aps2":{"badge":4}}}
            """, .content)
        #expect(
            kept == """
                {"aps":{"alert":{"title":"\(digest("Secret"))","body":"","loc-args":["\(digest("x"))"]},"badge":3,"sound":"s.caf",\
                "mutable-content":1,"thread-id":"\(digest("t"))"},"count":"\(digest("7"))","on":"\(digest("true"))","none":null,\
                "aps2":{"badge":"\(digest("4"))"}}
                """)
    }

    @Test func `a text where a number belongs is content`() throws {
        let kept = try payload(
            """
            {"aps":{"alert":"Hi","badge":"3","timestamp":"secret","stale-date":["secret"],"sound":{"volume":"loud","critical":"1"}}}
            """, .content)
        #expect(
            kept == """
                {"aps":{"alert":"\(digest("Hi"))","badge":"3","timestamp":"\(digest("secret"))","stale-date":["\(digest("secret"))"],\
                "sound":{"volume":"\(digest("loud"))","critical":"1"}}}
                """)
        let android = try payload(
            #"{"message":{"token":"t","android":{"ttl":"3.5s","notification":{"title":"Hi","sticky":true}}}}"#, .content
        )
        #expect(
            android
                == "{\"token\":\"t\",\"android\":{\"ttl\":\"3.5s\",\"notification\":{\"title\":\"\(digest("Hi"))\",\"sticky\":true}}}"
        )
    }

    /// A word that Apple, Google or a browser defines, in any spelling; anything else is the sender's.
    @Test func `a text where a defined word belongs is content`() throws {
        func aps(_ alert: String, _ level: String, _ event: String) -> String {
            #"{"aps":{"alert":"\#(alert)","interruption-level":"\#(level)","event":"\#(event)"}}"#
        }
        #expect(
            try payload(aps("Hi", "Time-Sensitive", "end"), .content) == aps(digest("Hi"), "Time-Sensitive", "end"))
        #expect(
            try payload(aps("Hi", "for Anna", "end of Anna"), .content)
                == aps(digest("Hi"), digest("for Anna"), digest("end of Anna")))
        func message(_ title: String, _ android: String, _ web: String) -> String {
            #"{"token":"t","notification":{"title":"\#(title)"},"android":{\#(android)},"webpush":{\#(web)}}"#
        }
        let android = ##""priority":"high","notification":{"visibility":"PUBLIC","color":"#FF00aa"}"##
        let web = #""headers":{"Urgency":"very-low"},"notification":{"dir":"rtl","lang":"zh-Hant-TW"}"#
        #expect(
            try payload(#"{"message":\#(message("Hi", android, web))}"#, .content)
                == message(digest("Hi"), android, web))
        // A browser ignores what it does not know, so FCM passes it on.
        func own(_ direction: String, _ language: String) -> String {
            #""notification":{"dir":"\#(direction)","lang":"\#(language)"}"#
        }
        let sent = #"{"message":\#(message("Hi", "", own("left of Anna", "Anna")))}"#
        let expected = message(digest("Hi"), "", own(digest("left of Anna"), digest("Anna")))
        #expect(try payload(sent, .content) == expected)
    }

    @Test func `content keeps tokens, and all hides both`() throws {
        let input =
            #"{"message":{"token":"secret-token-one","android":{"notification":{"title":"Hi","tag":"t"}}}}"#
        let content = try #require(try delivered(input, .content).first)
        #expect(content.device == "secret-token-one")
        #expect(content.content.title == digest("Hi"))
        #expect(content.identifier == digest("t"))
        let all = try #require(try delivered(input, .all).first)
        #expect(all.device == digest("secret-token-one"))
        #expect(
            all.payload
                == "{\"token\":\"\(digest("secret-token-one"))\",\"android\":{\"notification\":{\"title\":\"\(digest("Hi"))\",\"tag\":\"\(digest("t"))\"}}}"
        )
    }

    @Test func `sizes and refusals are those of the original message`() throws {
        let long = String(repeating: "x", count: 4096)
        let input = #"{"device":"ab54","headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"\#(long)"}}}"#
        let plain = try lines(input, nil)
        let redacted = try lines(input, .all)
        #expect(redacted.map { $0.replacing(digest("ab54"), with: "ab54") } == plain)
    }

    @Test(arguments: [
        #""data":{"pin":90417}"#, #""android":{"ttl":90417}"#, #""android":{"notification":{"event_time":"90417Z"}}"#,
        #""android":{"priority":"90417"}"#, #""notification":{"90417":1}"#,
    ])
    func `values that FCM's parser quotes are content`(member: String) throws {
        let input = #"{"message":{"token":"t",\#(member)}}"#
        // With its capitals, "Field 'event_time', Invalid time format: 90417Z" may hold a token.
        #expect(try lines(input, .tokens)[0].contains("90417") == !member.contains("event_time"))
        let message = try lines(input, .content)[0].split(separator: #""message":"#).last ?? ""
        #expect(message.contains("Invalid"))
        #expect(!message.contains("90417"))
    }

    /// FCM v1, `AndroidNotification.event_time`: "Notifications in the panel are sorted by this time."
    @Test(arguments: ["2026-11-03T20:00:00.123456789+01:00", "2026-11-03T20:00:00Z"])
    func `the time of an Android event stays, because it is an order and no content`(time: String) throws {
        let options = #"{"title":"Hi","event_time":"\#(time)"}"#
        let input = #"{"message":{"token":"t","android":{"notification":\#(options)}}}"#
        #expect(try payload(input, .content).contains(time))
    }

    @Test func `quoted values in a message are content`() throws {
        let input =
            #"{"device":"ab54","headers":{"apns-topic":"a","apns-priority":"secret"},"payload":{"aps":{"alert":"Hi"}}}"#
        #expect(try lines(input, .tokens)[0].contains("secret"))
        let line = try lines(input, .content)[0]
        #expect(!line.contains("secret"))
        #expect(line.contains(#"apns-priority is \"…\", but only 10, 5 and 1 are allowed"#))
    }

    // MARK: - Results

    @Test(arguments: Redaction.Parts.allCases)
    func `redaction does not change which notification replaces which`(parts: Redaction.Parts) throws {
        let input = """
            {"device":"ab54","headers":{"apns-topic":"a","apns-collapse-id":"one"},"payload":{"aps":{"alert":"1"}}}
            {"device":"ab54","headers":{"apns-topic":"a","apns-collapse-id":"one"},"payload":{"aps":{"alert":"2"}}}
            {"device":"ab55","headers":{"apns-topic":"a","apns-collapse-id":"one"},"payload":{"aps":{"alert":"3"}}}
            {"device":"ab54","headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"4","mutable-content":1},"match":7}}
            {"device":"ab54","headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"5","mutable-content":1},"match":"7"}}
            {"to":"android-token","notification":{"title":"6","tag":"t"}}
            {"to":"android-token","notification":{"title":"7","tag":"t"}}
            """
        func results(_ lines: [String]) -> [String] {
            lines.map { line in
                let outcome = line.split(separator: "\"outcome\":\"")[1].prefix { $0 != "\"" }
                let replaces = line.split(separator: "\"replaces\":").dropFirst().first?.prefix { $0.isNumber } ?? ""
                return "\(outcome) \(replaces)"
            }
        }
        let plain = try results(lines(input, nil, replaceBy: "match"))
        #expect(plain.filter { $0.hasPrefix("replaced") || $0.hasPrefix("reposted") }.count == 3)
        #expect(try results(lines(input, parts, replaceBy: "match")) == plain)
    }

    @Test func `digests do not depend on the number of jobs`() throws {
        let input = (0..<2000).map { "{\"device\":\"ab\($0 % 90 + 10)\",\"payload\":{\"aps\":{\"alert\":\"\($0)\"}}}" }
        func text(_ jobs: Int) throws -> String {
            var configuration = PipelineConfiguration()
            configuration.recordStages.append(RedactionStage(Self.redaction))
            configuration.jobs = jobs
            var out = ByteBuffer()
            try Pipeline(configuration).process(input.joined(separator: "\n")) { NDJSONReport().append($0, to: &out) }
            return String(decoding: out.bytes, as: UTF8.self)
        }
        #expect(try text(1) == text(3))
    }
}
