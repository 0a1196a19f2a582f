import PushModel
import Testing

@Suite struct FCMRejectionTests {
    static func toOne(_ members: String) -> String { #"{"message":{"token":"token-1",\#(members)}}"# }
    static func notification(_ member: String) -> String { toOne(#""android":{"notification":{\#(member)}}"#) }
    static func invalid(at pointer: String) -> Refusal { Refusal("INVALID_ARGUMENT", 400, at: "/message" + pointer) }

    @Test func `a message with every field right is accepted`() throws {
        let record = Self.toOne(
            #""data":{"k":"v"},"notification":{"title":"t","body":"b","image":"https://example.org/i.png"},"#
                + #""android":{"collapse_key":"c","priority":"HIGH","ttl":"3.5s","#
                + #""restricted_package_name":"org.example","#
                + ##""data":{"k":"w"},"direct_boot_ok":true,"notification":{"color":"#00ff7F","tag":"t","##
                + #""notification_priority":"PRIORITY_MAX","visibility":"SECRET","proxy":"IF_PRIORITY_LOWERED"}},"#
                + #""apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{}},"fcm_options":{}},"#
                + #""webpush":{"headers":{"TTL":"5"}},"fcm_options":{"analytics_label":"l"}"#)
        let reading = try read(record)
        #expect(reading.isAccepted)
        #expect(reading.findings.isEmpty)
        #expect(reading.provider == .fcm)
    }

    // MARK: - Targets

    @Test(arguments: [
        #"{"message":{}}"#, #"{"message":{"data":{"a":"b"}}}"#, #"{"message":{"token":null}}"#,
        #"{"message":{"token":"a","topic":"b"}}"#, #"{"message":{"token":"a","condition":"'b' in topics"}}"#,
        #"{"message":{"topic":"a","condition":"'b' in topics"}}"#, #"{"message":{"token":"a","fid":"b"}}"#,
        #"{"message":{"token":"a","topic":"b","condition":"'c' in topics"}}"#,
    ])
    func `none or several of token, topic and condition are refused`(record: String) throws {
        #expect(try refusal(of: record) == Self.invalid(at: ""))
    }

    @Test(arguments: [
        #""token":"a""#, #""fid":"a""#, #""topic":"news""#, #""topic":"aZ09-_.~%""#, #""condition":"'a' in topics""#,
        #""token":"a","topic":null"#,
    ])
    func `exactly one target is accepted`(target: String) throws {
        #expect(try refusal(of: #"{"message":{\#(target)}}"#) == nil)
    }

    @Test(arguments: [#""""#, #""two words""#, #""a\nb""#, "5", "{}", #"["a"]"#, "true"])
    func `a token that cannot be one is refused`(token: String) throws {
        #expect(try refusal(of: #"{"message":{"token":\#(token)}}"#) == Self.invalid(at: "/token"))
    }

    @Test(arguments: [#""""#, #""/topics/news""#, #""two words""#, #""a/b""#, #""é""#, #""a+b""#, #""a@b""#, "5", "[]"])
    func `a topic name with other characters is refused`(topic: String) throws {
        #expect(try refusal(of: #"{"message":{"topic":\#(topic)}}"#) == Self.invalid(at: "/topic"))
    }

    /// Source: discovery document of FCM v1, `TopicSubscription.topicName`.
    @Test func `a topic name has at most 900 characters`() throws {
        for (count, isValid) in [(900, true), (901, false)] {
            let name = repeated("n", count)
            #expect(
                try refusal(of: #"{"message":{"topic":"\#(name)"}}"#) == (isValid ? nil : Self.invalid(at: "/topic")))
            #expect(
                try refusal(of: #"{"message":{"condition":"'\#(name)' in topics"}}"#)
                    == (isValid ? nil : Self.invalid(at: "/condition")))
        }
    }

    @Test(arguments: [
        "'a' in topics", "'a' in topics && ('b' in topics || 'c' in topics)", "!('a' in topics)",
        "'a' in topics||'b' in topics", "  'a'  in  topics  ", "!'a' in topics", "(('a' in topics))",
        "'a' in topics && 'b' in topics || 'c' in topics && 'd' in topics && 'e' in topics", "'a-_.~%9' in topics",
    ])
    func `a condition over at most five topics is accepted`(condition: String) throws {
        #expect(try refusal(of: #"{"message":{"condition":"\#(condition)"}}"#) == nil)
    }

    @Test(arguments: [
        "", " ", "a", "'a'", "'a' in", "'a' in topic", "a in topics", "'' in topics", "'a b' in topics",
        "'a' IN topics",
        "'a' in topics &", "'a' in topics & 'b' in topics", "'a' in topics and 'b' in topics", "&& 'a' in topics",
        "'a' in topics)", "('a' in topics", "()", "!", "'a in topics", "'a' in topics 'b' in topics",
        "'a' in topics && && 'b' in topics", "'a' in topics;", "'/topics/a' in topics",
        "'a' in topics && 'b' in topics || 'c' in topics && 'd' in topics && 'e' in topics && 'f' in topics",
    ])
    func `a condition that is none, or has six topics, is refused`(condition: String) throws {
        #expect(try refusal(of: #"{"message":{"condition":"\#(condition)"}}"#) == Self.invalid(at: "/condition"))
    }

    @Test(arguments: ["5", "{}", #"["'a' in topics"]"#])
    func `a condition that is no text is refused`(condition: String) throws {
        #expect(try refusal(of: #"{"message":{"condition":\#(condition)}}"#) == Self.invalid(at: "/condition"))
    }

    @Test func `a deeply nested condition neither passes nor ends the process`() throws {
        let record = #"{"message":{"condition":"\#(repeated("(", 50_000))'a' in topics\#(repeated(")", 50_000))"}}"#
        #expect(try refusal(of: record) == Self.invalid(at: "/condition"))
    }

    // MARK: - Data

    @Test(arguments: ["5", "true", "false", "{}", "[]", "1.5"])
    func `a value in data that is no string is refused`(value: String) throws {
        #expect(try refusal(of: Self.toOne(#""data":{"ok":"1","a/b":\#(value)}"#)) == Self.invalid(at: "/data/a~1b"))
        #expect(
            try refusal(of: Self.toOne(#""android":{"data":{"a":\#(value)}}"#)) == Self.invalid(at: "/android/data/a"))
    }

    /// Matrix's push gateway sends these: sygnal, gcmpushkin.py.
    @Test func `a null in data is absent`() throws {
        #expect(try refusal(of: Self.toOne(#""data":{"ok":"1","sender":null}"#)) == nil)
    }

    /// FCM v1, `Message.data`, in the REST reference and in the discovery document of 2026.
    @Test(arguments: ["from", "message_type", "google.", "google.ttl", "gcm.notification.", "gcm.notification.e"])
    func `a reserved name in data is refused`(name: String) throws {
        #expect(try refusal(of: Self.toOne(#""data":{"\#(name)":"x"}"#)) == Self.invalid(at: "/data/\(name)"))
        #expect(
            try refusal(of: Self.toOne(#""android":{"data":{"\#(name)":"x"}}"#))
                == Self.invalid(at: "/android/data/\(name)"))
    }

    /// FCM v1, `ErrorCode`, has the older and wider words.
    @Test(arguments: [
        "google", "google_id", "googleMapsUrl", "gcm", "gcm_sender", "gcm.n.e", "gcm.notification", #"\u0067oogle_id"#,
    ])
    func `a name that only one page reserves is accepted with a warning`(name: String) throws {
        for (members, pointer) in [
            (#""data":{"ok":"1","\#(name)":"x"}"#, "/message/data/"),
            (#""android":{"data":{"\#(name)":"x"}}"#, "/message/android/data/"),
        ] {
            let reading = try read(Self.toOne(members))
            #expect(reading.isAccepted)
            #expect(reading.rules == ["fcm.discouraged-data-key"])
            #expect(reading.findings.first?.severity == .warning)
            #expect(reading.findings.first?.pointer == pointer + name.replacing(#"\u0067"#, with: "g"))
        }
    }

    @Test func `each such name has its warning, and a reserved one its refusal`() throws {
        let both = try read(Self.toOne(#""data":{"gcm_a":"1","google_b":"2"}"#))
        #expect(both.findings.map(\.pointer) == ["/message/data/gcm_a", "/message/data/google_b"])
        let refused = try read(Self.toOne(#""data":{"gcm_a":"1","google.b":"2"}"#))
        #expect(refused.rules == ["fcm.invalid-argument"])
    }

    @Test(arguments: ["from_user", "From", "messageType", "goog", "xgcm", "collapse_key"])
    func `a name like a reserved one is accepted`(name: String) throws {
        #expect(try refusal(of: Self.toOne(#""data":{"\#(name)":"x"}"#)) == nil)
    }

    // MARK: - Android

    @Test(arguments: ["0s", "1s", "3.5s", "0.000000001s", "2419200s", "3600.123456789s"])
    func `a time to live in seconds with an s is accepted`(ttl: String) throws {
        #expect(try refusal(of: Self.toOne(#""android":{"ttl":"\#(ttl)"}"#)) == nil)
    }

    @Test(arguments: [
        "3600", "0", "3.5", #""3600""#, #""2419201s""#, #""-1s""#, #""3.1234567890s""#, #""s""#, #""""#, #"" 1s""#,
        #""1 s""#, #""1S""#, #""1m""#, #""1ss""#, #""1.2.3s""#, #""1e3s""#, "true", "{}", #""99999999999999999999s""#,
    ])
    func `a time to live of any other form is refused`(ttl: String) throws {
        #expect(try refusal(of: Self.toOne(#""android":{"ttl":\#(ttl)}"#)) == Self.invalid(at: "/android/ttl"))
    }

    @Test func `Android priorities are NORMAL and HIGH`() throws {
        for name in ["NORMAL", "HIGH"] {
            #expect(try refusal(of: Self.toOne(#""android":{"priority":"\#(name)"}"#)) == nil)
        }
        for value in [#""URGENT""#, #""5""#, #""""#, "true", #""PRIORITY_HIGH""#] {
            let refused = try refusal(of: Self.toOne(#""android":{"priority":\#(value)}"#))
            #expect(refused == Self.invalid(at: "/android/priority"), "\(value)")
        }
    }

    @Test func `a colour is a number sign and six hexadecimal digits`() throws {
        for color in ["#000000", "#ffFFff", "#12abEF"] {
            #expect(try refusal(of: Self.notification(#""color":"\#(color)""#)) == nil, "\(color)")
        }
        for value in ["000000", "#fff", "#gggggg", "#ffffff00", "red", "", "##12345", "#12345é"] {
            let refused = try refusal(of: Self.notification(#""color":"\#(value)""#))
            #expect(refused == Self.invalid(at: "/android/notification/color"), "\(value)")
        }
    }

    /// FCM v1, `AndroidNotification`.
    static let enumerations: [(name: String, cases: [String])] = [
        (
            "notification_priority",
            [
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH",
                "PRIORITY_MAX",
            ]
        ),
        (
            "notificationPriority",
            [
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH",
                "PRIORITY_MAX",
            ]
        ),
        ("visibility", ["PRIVATE", "PUBLIC", "SECRET"]),
        ("proxy", ["ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
    ]

    @Test(arguments: enumerations)
    func `an enumeration takes its documented names and no other`(name: String, cases: [String]) throws {
        for value in cases {
            #expect(try refusal(of: Self.notification(#""\#(name)":"\#(value)""#)) == nil, "\(value)")
        }
        for value in [#""OTHER""#, #""""#, "true", "{}", #""\#(cases[0])_""#] {
            let refused = try refusal(of: Self.notification(#""\#(name)":\#(value)"#))
            #expect(refused == Self.invalid(at: "/android/notification/\(name)"), "\(value)")
        }
    }

    // MARK: - Objects and headers

    @Test(arguments: [
        (#""data":"x""#, "/data"), (#""data":[]"#, "/data"), (#""notification":"x""#, "/notification"),
        (#""android":5"#, "/android"), (#""apns":"x""#, "/apns"), (#""webpush":[]"#, "/webpush"),
        (#""android":{"notification":"x"}"#, "/android/notification"), (#""android":{"data":[]}"#, "/android/data"),
        (#""apns":{"headers":[]}"#, "/apns/headers"), (#""apns":{"payload":"{}"}"#, "/apns/payload"),
        (#""apns":{"payload":5}"#, "/apns/payload"),
    ])
    func `a part that must be an object is refused as anything else`(member: String, pointer: String) throws {
        #expect(try refusal(of: Self.toOne(member)) == Self.invalid(at: pointer))
    }

    @Test(arguments: ["data", "notification", "android", "apns", "webpush"])
    func `a part that is null is absent`(name: String) throws {
        #expect(try refusal(of: Self.toOne(#""\#(name)":null"#)) == nil)
    }

    @Test(arguments: ["5", "true", "null", "{}"])
    func `a value in the headers for APNs that is no string is refused`(value: String) throws {
        let refused = try refusal(of: Self.toOne(#""apns":{"headers":{"apns-id":"x","apns-priority":\#(value)}}"#))
        #expect(refused == Self.invalid(at: "/apns/headers/apns-priority"))
    }

    // MARK: - Names in lowerCamelCase

    @Test func `names in lowerCamelCase mean the same`() throws {
        let record = #"""
            {"validateOnly":true,"message":{"token":"t","android":{"restrictedPackageName":"org.example",
            "collapseKey":"c","notification":{"titleLocKey":"T","bodyLocKey":"B"}}}}
            """#
        let reading = try read(record)
        #expect(reading.verdict == .suppressed("dry-run"))
        #expect(reading.topic == "org.example")
        #expect(reading.shown.title == "T")
        #expect(reading.shown.body == "B")
    }
}
