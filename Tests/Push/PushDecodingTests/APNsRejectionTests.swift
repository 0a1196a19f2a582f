import PushDecoding
import PushModel
import TestSupport
import Testing

@Suite struct APNsRejectionTests {
    @Test func `a request with every header right is accepted`() throws {
        let reading = try read(
            request(
                #""apns-id":"8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d10","apns-priority":"5","apns-expiration":"1760000000","#
                    + #""apns-collapse-id":"score","apns-push-type":"alert""#))
        #expect(reading.isAccepted)
        #expect(reading.findings.isEmpty)
        #expect(reading.provider == .apns)
    }

    // MARK: - Collapse id

    @Test(arguments: [
        repeated("c", 64), repeated("é", 32), repeated("😀", 16), repeated("日", 21) + "c",
        repeated(#"\u00e9"#, 32), repeated(#"\ud83d\ude00"#, 16), repeated(#"\n"#, 64), repeated(#"\u0041"#, 64),
    ])
    func `a collapse id of 64 bytes is accepted`(id: String) throws {
        #expect(try refusal(of: request(#""apns-collapse-id":"\#(id)""#)) == nil)
    }

    @Test(arguments: [
        repeated("c", 65), repeated("é", 32) + "c", repeated("😀", 16) + "c", repeated("日", 22),
        repeated(#"\u00e9"#, 32) + "c", repeated(#"\ud83d\ude00"#, 17), repeated(#"\n"#, 65), repeated("é", 64),
    ])
    func `a collapse id of 65 bytes is refused, and of more`(id: String) throws {
        let refused = try refusal(of: request(#""apns-collapse-id":"\#(id)""#))
        #expect(refused == Refusal("BadCollapseId", 400, at: "/headers/apns-collapse-id"))
    }

    // MARK: - Message id

    @Test(arguments: [
        "8b1d6a4e0a3f4a559c7e2f1f6f0f9d10",
        "8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d1",
        "8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d100",
        "8b1d6a4-e0a3f-4a55-9c7e-2f1f6f0f9d10",
        "8b1d6a4e-0a3f-4a55-9c7e2-f1f6f0f9d10",
        "{8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d1}",
        "8b1d6a4g-0a3f-4a55-9c7e-2f1f6f0f9d10",
        "8b1d6a4e_0a3f_4a55_9c7e_2f1f6f0f9d10",
        "8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9dé",
        "urn:uuid:8b1d6a4e-0a3f-4a55-9c7e-2f1f",
        " 8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d1",
        "1", "null",
    ])
    func `an apns-id that is no canonical UUID is refused`(id: String) throws {
        let refused = try refusal(of: request(#""apns-id":"\#(id)""#))
        #expect(refused == Refusal("BadMessageId", 400, at: "/headers/apns-id"))
    }

    @Test func `a number is no apns-id`() throws {
        #expect(
            try refusal(of: request(#""apns-id":12345678"#)) == Refusal("BadMessageId", 400, at: "/headers/apns-id"))
    }

    @Test(arguments: ["8B1D6A4E-0A3F-4A55-9C7E-2F1F6F0F9D10", "8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9D10"])
    func `an apns-id in upper case is accepted with a warning`(id: String) throws {
        let reading = try read(request(#""apns-id":"\#(id)""#))
        #expect(reading.isAccepted)
        try #require(reading.findings.count == 1)
        #expect(reading.findings[0].severity == .warning)
        #expect(reading.findings[0].pointer == "/headers/apns-id")
    }

    // MARK: - Priority and expiration

    @Test(arguments: [#""10""#, #""5""#, #""1""#, "10", "5", "1"])
    func `priorities 10, 5 and 1 are accepted as text and as numbers`(priority: String) throws {
        #expect(try refusal(of: request(#""apns-priority":\#(priority)"#)) == nil)
    }

    @Test(arguments: [
        #""0""#, #""2""#, #""6""#, #""9""#, #""11""#, #""100""#, #""05""#, #""10 ""#, #""high""#, #""-5""#, "2", "10.0",
        "true",
    ])
    func `any other priority is refused`(priority: String) throws {
        let refused = try refusal(of: request(#""apns-priority":\#(priority)"#))
        #expect(refused == Refusal("BadPriority", 400, at: "/headers/apns-priority"))
    }

    @Test(arguments: [#""0""#, "0", #""1760000000""#, "1760000000"])
    func `whole epoch seconds are an expiration`(expiration: String) throws {
        #expect(try refusal(of: request(#""apns-expiration":\#(expiration)"#)) == nil)
    }

    @Test(arguments: [
        #""soon""#, #""1.5""#, "1.5", "1e9", #""1760000000s""#, #"" 0""#, #""2026-01-01T00:00:00Z""#, "true",
        #""99999999999999999999""#,
    ])
    func `an expiration that is no whole number is refused`(expiration: String) throws {
        let refused = try refusal(of: request(#""apns-expiration":\#(expiration)"#))
        #expect(refused == Refusal("BadExpirationDate", 400, at: "/headers/apns-expiration"))
    }

    // MARK: - Topic and push type

    @Test(arguments: ["{}", #"{"apns-topic":""}"#, #"{"apns-topic":null}"#, #"{"apns-priority":"5"}"#])
    func `headers without a topic are refused`(headers: String) throws {
        let record = #"{"headers":\#(headers),"payload":{"aps":{"alert":"x"}}}"#
        #expect(try refusal(of: record) == Refusal("MissingTopic", 400, at: ""))
        #expect(try refusal(of: record) { $0.topic = "org.example.news" } == nil)
    }

    @Test func `a topic option is used where the headers name none, and only there`() throws {
        let without = try read(#"{"headers":{},"payload":{"aps":{}}}"#) { $0.topic = "org.example.option" }
        #expect(without.topic == "org.example.option")
        #expect(try read(request()) { $0.topic = "org.example.option" }.topic == "org.example.news")
    }

    @Test(arguments: [#"{"aps":{"alert":"x"}}"#, #"{"payload":{"aps":{"alert":"x"}}}"#])
    func `a record without headers is not held to a topic`(record: String) throws {
        #expect(try refusal(of: record) == nil)
    }

    @Test func `a broadcast names its app in the path and needs no topic`() throws {
        #expect(try refusal(of: Self.broadcast()) == nil)
    }

    /// Apple, "Sending broadcast push notification requests to APNs".
    private static func broadcast(
        _ change: (String, String?) = ("", nil), payload: String = #"{"aps":{"event":"update"}}"#
    ) -> String {
        let headers = [
            ("apns-channel-id", "dHN0LXNyY2gtY2hubA=="), ("apns-push-type", "liveactivity"), ("apns-expiration", "0"),
            ("apns-priority", "5"), (":path", ""),
        ].compactMap { name, value -> String? in
            let value = change.0 == name ? change.1 : name == ":path" ? nil : value
            return value.map { "\"\(name)\":\"\($0)\"" }
        }
        return #"{"headers":{\#(headers.joined(separator: ","))},"payload":\#(payload)}"#
    }

    /// Reasons: Apple, "Handling error responses from Apple Push Notification service".
    @Test(
        arguments: [
            ("apns-channel-id", "", "MissingChannelId", "/headers"),
            ("apns-channel-id", "results 2026", "BadChannelId", "/headers/apns-channel-id"),
            ("apns-channel-id", "abc===", "BadChannelId", "/headers/apns-channel-id"),
            ("apns-push-type", nil, "MissingPushType", "/headers"),
            ("apns-push-type", "alert", "InvalidPushType", "/headers/apns-push-type"),
            ("apns-expiration", "soon", "BadExpirationDate", "/headers/apns-expiration"),
            ("apns-priority", "7", "BadPriority", "/headers/apns-priority"),
            (":path", "/4/broadcasts/apps/org.example.news.push-type.liveactivity", "TopicDisallowed", "/headers"),
            (":path", "/4/broadcasts/apps/", "BadPath", "/headers/:path"),
            (":path", "/4/broadcasts/apps/?x", "BadPath", "/headers/:path"),
            (":path", "/4/broadcasts/apps/org.example.news?x=1", "BadPath", "/headers/:path"),
            (":path", "/4/broadcasts/apps/org.example.news/", "BadPath", "/headers/:path"),
            (":path", "/4/broadcasts/apps", "BadPath", "/headers/:path"),
        ] as [(String, String?, String, String)])
    func `a broadcast is refused with its own reasons`(
        name: String, value: String?, reason: String, pointer: String
    ) throws {
        let status = reason == "BadPath" ? 404 : 400
        #expect(try refusal(of: Self.broadcast((name, value))) == Refusal(reason, status, at: pointer))
    }

    @Test(arguments: ["10", "5", "1"]) func `a broadcast takes each priority, also 1`(priority: String) throws {
        #expect(try refusal(of: Self.broadcast(("apns-priority", priority))) == nil)
    }

    @Test func `the path of a broadcast names the app`() throws {
        let reading = try read(Self.broadcast((":path", "/4/broadcasts/apps/org.example.news")))
        #expect(reading.isAccepted && reading.app == "org.example.news")
        let withoutChannel = #"{"headers":{":path":"/4/broadcasts/apps/org.example.news"},"payload":{"aps":{}}}"#
        #expect(try refusal(of: withoutChannel) == Refusal("MissingChannelId", 400, at: "/headers"))
    }

    /// The request of serve with this path, and the device that it is for. Source: Apple, "Sending notification requests to APNs", `:path`.
    @Test(
        arguments: [
            ("/3/device/ab12", nil, "ab12"), ("/3/device/AB12", nil, "ab12"), ("/3/device", "BadPath", nil),
            ("/3/device/ab12/", "BadPath", nil), ("/3/device/ab/12", "BadPath", nil),
            ("/3/devices/ab12", "BadPath", nil),
            ("/3", "BadPath", nil), ("/1/apps/a.b", "BadPath", nil), ("/3/device/", "MissingDeviceToken", ""),
            ("/3/device/ab 12", "BadDeviceToken", "ab 12"), ("/3/device/ab12?x=1", "BadDeviceToken", "ab12?x=1"),
            ("/2/device/ab12", "BadPath", nil), ("/", "BadPath", nil), ("3/device/ab12", "BadPath", nil),
            // A header without a value is a missing one. This path is that of a request for a channel.
            ("", nil, nil), ("/1/apps/a.b/channels", nil, nil),
        ] as [(String, String?, String?)])
    func `the path of a push is judged, and names the device of a record without one`(
        path: String, reason: String?, device: String?
    ) throws {
        let headers = #""headers":{"apns-topic":"a.b",":path":"\#(path)"},"payload":{"aps":{}}"#
        let reading = try read("{\(headers)}")
        #expect(reading.reason == reason)
        #expect(reading.device == device ?? "default")
        #expect(reading.errors.map(\.pointer) == (reason == nil ? [] : ["/headers/:path"]))
        let named = try read(#"{"device":"cd34",\#(headers)}"#)
        #expect(named.reason == (reason == "BadPath" ? reason : nil))
        #expect(named.device == "cd34")
    }

    @Test func `a wrong path comes before the other headers`() throws {
        let wrong = try refusal(of: request(#"":path":"/3/device/ab12/","apns-id":"1","apns-priority":"7""#))
        #expect(wrong == Refusal("BadPath", 404, at: "/headers/:path"))
        let channel = #""apns-channel-id":"bWF0Y2g=",":path":"/3/device/ab12""#
        #expect(try read(request(channel)).isAccepted)
    }

    @Test(arguments: PushTypeFact.all)
    func `each of Apple's push types is accepted`(fact: PushTypeFact) throws {
        #expect(try refusal(of: request(#""apns-push-type":"\#(fact.name)""#)) == nil)
    }

    @Test(arguments: [#""Alert""#, #""ALERT""#, #""silent""#, #""live-activity""#, #""alert ""#, "1", "true"])
    func `any other push type is refused`(type: String) throws {
        let refused = try refusal(of: request(#""apns-push-type":\#(type)"#))
        #expect(refused == Refusal("InvalidPushType", 400, at: "/headers/apns-push-type"))
    }

    /// AndrewBarba/apns2, issue 23; Pr0Ger/PyAPNs2, issue 87; sideshow/apns2, issue 149: `.voip` with alert or background, not without a type.
    @Test(arguments: PushTypeFact.all.filter { !$0.suffix.isEmpty })
    func `a topic with the suffix of another push type is refused`(fact: PushTypeFact) throws {
        func refusal(_ topic: String, _ type: String?) throws -> Refusal? {
            let type = type.map { #","apns-push-type":"\#($0)""# } ?? ""
            return try PushDecodingTests.refusal(
                of: #"{"device":"ab12","headers":{"apns-topic":"\#(topic)"\#(type)},"payload":{"aps":{}}}"#)
        }
        let topic = "org.example.news" + fact.suffix
        for other in PushTypeFact.all {
            let isRight = other.name == fact.name || other.name == "mdm"
            let expected = isRight ? nil : Refusal("InvalidPushType", 400, at: "/headers/apns-push-type")
            #expect(try refusal(topic, other.name) == expected, "\(other.name)")
        }
        #expect(try refusal(topic, nil) == nil)
        for similar in [topic + "s", topic.uppercased(), topic + ".app", "org.example" + fact.suffix.dropFirst()] {
            #expect(try refusal(similar, "alert") == nil, "\(similar)")
        }
        // No answer to it is known.
        #expect(try refusal("org.example.news", fact.name) == nil)
    }

    // MARK: - Device token

    @Test(arguments: [2, 64, 160, 200])
    func `a token of any even number of hexadecimal digits is accepted`(digits: Int) throws {
        #expect(try refusal(of: request(device: "\"" + repeated("aB", digits / 2) + "\"")) == nil)
        #expect(try refusal(of: request(device: "\"" + repeated("09", digits / 2) + "\"")) == nil)
    }

    @Test(arguments: [
        "a", repeated("a", 63), repeated("a", 65), "xy", "ab cd", "<ab12>", "ab12 ", "0xab", "ab-1", "é", "абвг",
        "q83vEjRWeJA=",
    ])
    func `a token that is not the hexadecimal form of bytes is refused`(token: String) throws {
        let refused = try refusal(of: request(device: "\"\(token)\""))
        #expect(refused == Refusal("BadDeviceToken", 400, at: "/device"))
    }

    @Test func `an empty token is a missing one`() throws {
        #expect(try refusal(of: request(device: #""""#)) == Refusal("MissingDeviceToken", 400, at: "/device"))
    }

    @Test(arguments: ["my phone", "xyz"])
    func `the device option may be any name`(name: String) throws {
        let reading = try read(#"{"aps":{"alert":"x"}}"#) { $0.device = name }
        #expect(reading.isAccepted)
        #expect(reading.device == name)
        #expect(try read(#"{"device":null,"payload":{"aps":{}}}"#) { $0.device = name }.device == name)
    }

    @Test func `a record that names no device has the default one`() throws {
        #expect(try read(#"{"aps":{"alert":"x"}}"#).device == "default")
    }

    // MARK: - Repeated headers and empty bodies

    @Test(arguments: [
        #""apns-priority":"5","apns-priority":"5""#, #""apns-priority":"5","APNS-Priority":"10""#,
        #""Apns-Topic":"org.example.news""#, #""apns-collapse-id":"a","apns-collapse-id":"b""#,
        #""apns-push-type":"alert","apns-PUSH-type":"alert""#,
    ])
    func `a repeated header is refused, whatever its case`(headers: String) throws {
        #expect(try refusal(of: request(headers)) == Refusal("DuplicateHeaders", 400, at: "/headers"))
    }

    @Test(arguments: APNsHeader.allCases.filter { $0 != .requestID })
    func `every header that is read is found by its name, in lower case and in capitals`(header: APNsHeader) throws {
        let name = header.name.description
        let value = header == .id ? "8b1d6a4e-0a3f-4a55-9c7e-2f1f6f0f9d10" : "5"
        for repetition in [name, name.uppercased()] {
            let headers = #""\#(name)":"\#(value)","\#(repetition)":"\#(value)""#
            #expect(try refusal(of: request(headers)) == Refusal("DuplicateHeaders", 400, at: "/headers"))
        }
    }

    @Test func `headers that differ are not repeated`() throws {
        #expect(try refusal(of: request(#""apns-priority":"5","APNS-EXPIRATION":"0""#)) == nil)
    }

    @Test func `an empty body is refused, and a body of two bytes is not`() throws {
        #expect(try refusal(of: request(payload: #""""#)) == Refusal("PayloadEmpty", 400, at: "/payload"))
        #expect(try refusal(of: request(payload: #""{}""#)) == nil)
        #expect(try refusal(of: request(payload: "{}")) == nil)
    }

    /// pushy's mock server, `ValidatingPushNotificationHandler`: a request without a body is `PayloadEmpty`.
    @Test func `a body of null is no body`() throws {
        #expect(try refusal(of: request(payload: "null")) == Refusal("PayloadEmpty", 400, at: "/payload"))
        #expect(try read(#"{"payload":null}"#).reason == "PayloadEmpty")
    }

    /// pushy's mock server measures a body and does not read it. Within the limit the emulator reads it, as APNs must.
    @Test(arguments: [repeated("x", 4097), repeated("[", 5000), "[" + repeated(" ", 4096), repeated("é", 2049)])
    func `a body over the limit is refused for its size before it is read`(body: String) throws {
        let refused = try refusal(of: request(payload: quoted(body)))
        #expect(refused == Refusal("PayloadTooLarge", 413, at: "/payload"))
        // The limit is that of the request.
        let voip = try read(request(#""apns-push-type":"voip""#, payload: quoted(body)))
        #expect(voip.verdict == .malformed)
        #expect(try read(request(payload: quoted(body))) { $0.budget = Budget(bytes: 9000) }.verdict == .malformed)
    }

    /// Only the path comes before the size. For a body that is JSON the order is that of pushy's mock server.
    @Test func `the size of a body that is not JSON comes before the other headers and the device`() throws {
        let (text, json) = (quoted(repeated("x", 5000)), #"{"a":"\#(repeated("x", 5000))"}"#)
        for (headers, reason) in [
            (#""apns-topic":"a.b","apns-priority":"7""#, "BadPriority"), (#""apns-priority":"5""#, "MissingTopic"),
            (#""apns-topic":"a.b","apns-id":"1""#, "BadMessageId"),
            (#""apns-topic":"a.b","apns-push-type":"x""#, "InvalidPushType"),
        ] {
            let start = #"{"device":"ab12","headers":{\#(headers)},"payload":"#
            #expect(try refusal(of: start + text + "}") == Refusal("PayloadTooLarge", 413, at: "/payload"))
            #expect(try read(start + json + "}").reason == reason)
        }
        for device in ["", "xyz"] {
            #expect(try read(request(device: quoted(device), payload: text)).reason == "PayloadTooLarge")
        }
        #expect(try read(request(#"":path":"/3/device""#, payload: text)).reason == "BadPath")
        let binary = try read(#"{"device":"xy","budget":"apns-2048","payload":\#(text)}"#)
        #expect(binary.reason == "Invalid token")
    }

    @Test(arguments: [(#"["t"]"#, "an array"), (#"{"t":1}"#, "an object")])
    func `a header that is an array or an object is no text`(value: String, kind: String) throws {
        let topic = try read(#"{"headers":{"apns-topic":\#(value)},"payload":{"aps":{"alert":"x"}}}"#)
        #expect(topic.app.isEmpty)
        #expect(topic.reason == "MissingTopic")
        #expect(topic.findings.first?.rule == "apns.header-type")
        #expect(topic.findings.first?.pointer == "/headers/apns-topic")
        #expect(topic.findings.first?.message == "a header must be a string, not \(kind)")
        let id = try read(request(#""apns-collapse-id":\#(value)"#, payload: #""{\"aps\":{\"alert\":\"x\"}}""#))
        #expect(id.isAccepted)
        #expect(id.identifier == nil)
        #expect(id.rules == ["apns.header-type"])
    }

    @Test func `what the documents do not say is refused is accepted`() throws {
        // A background push with priority 10, an unknown header, no aps, wrong types in aps.
        #expect(try refusal(of: request(#""apns-push-type":"background","apns-priority":"10""#)) == nil)
        #expect(try refusal(of: request(#""mutable-content":"1","x":{},"x":1"#)) == nil)
        #expect(try refusal(of: request(payload: #"{"mdm":"magic"}"#)) == nil)
        #expect(try refusal(of: request(payload: #"{"aps":{"alert":5,"badge":"1","sound":[]}}"#)) == nil)
    }
}
