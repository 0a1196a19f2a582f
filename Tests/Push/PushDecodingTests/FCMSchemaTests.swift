import PushJSON
import PushModel
import Testing

@testable import PushDecoding

/// The table of FCM v1's fields, and what `run` answers to a request that breaks it.
@Suite struct FCMSchemaTests {
    /// A request in which the object of this type has a member. Nil when no field leads there.
    static func request(_ object: FCMObject, _ member: String) -> String {
        if object == .request { return #"{"message":{"token":"t"},\#(member)}"# }
        if object == .message { return #"{"message":{\#(member)}}"# }
        guard let field = FCMField.table.first(where: { $0.type == .message(object) }) else { return "" }
        return request(field.object, #""\#(field.name)":{\#(member)}"#)
    }

    /// Values that a type has, and values that it has not. Source: Protocol Buffers, ProtoJSON Format.
    static func values(of type: FCMType) -> (right: [String], wrong: [String]) {
        switch type {
        case .string: ([#""x""#, #""""#], ["1", "true", "{}", #"{"a":"b"}"#, "[]", #"["x"]"#])
        case .bool: (["true", "false"], ["1", #""yes""#, #""true""#, #""""#, "{}", "[]"])
        case .int32:
            (
                ["0", "-5", "2147483647", "-2147483648", "3.0", "1e2", #""3""#, #""-3""#, #""1e1""#],
                ["2147483648", "0.5", #""x""#, #""""#, #"" 3""#, "true", "{}", "[]", #""0x3""#]
            )
        case .float:
            (
                ["0", "0.5", "-1e3", #""0.5""#, #""NaN""#, #""-Infinity""#],
                ["1e300", #""x""#, "true", "{}", "[]", #""inf""#]
            )
        case .duration:
            (
                ["\"0s\"", "\"3.5s\"", "\"0.000000001s\""],
                ["3", #""3""#, #""3m""#, #""s""#, #""3.s""#, #""3.1234567891s""#, "true", "[]"]
            )
        case .timestamp:
            (
                [#""2024-11-05T18:00:00Z""#, #""2024-11-05T18:00:00.123456789+01:00""#],
                [
                    "1730829600", #""2024-11-05""#, #""5 November 2024""#, #""2024-13-05T18:00:00Z""#,
                    #""2024-11-05T18:00:00""#, #""2024-11-05 18:00:00Z""#, #""2024-11-05T18:00:00.1234567891Z""#, "{}",
                ]
            )
        case .enumeration(let enumeration):
            (
                enumeration.names.flatMap { [#""\#($0)""#, #""\#($0.description.lowercased())""#] } + [
                    "0", "1", #""1""#, "77",
                ],
                [#""OTHER""#, #""""#, "0.5", "true", "{}", "[]", #""77""#]
            )
        case .message: (["{}"], ["1", #""x""#, "true", "[]"])
        case .stringMap:
            (["{}", #"{"k":"v"}"#], ["1", #""x""#, "[]", #"{"k":1}"#, #"{"k":{}}"#, #"{"k":[]}"#])
        case .structure: (["{}", #"{"k":[1,{"l":null}]}"#], ["1", #""x""#, "true", "[]"])
        }
    }

    @Test(arguments: FCMField.table.indices)
    func `a field takes values of its type in both spellings, null, and nothing else`(row: Int) {
        let field = FCMField.table[row]
        var (right, wrong) = Self.values(of: field.type)
        if field.isRepeated {
            wrong = wrong.map { "[\($0)]" } + ["[null]", right[0], "{}"]
            right = ["[]", "[\(right.joined(separator: ","))]"]
        }
        for name in Set([field.name.description, field.camelName]) {
            for value in right + ["null"] {
                let record = Self.request(field.object, #""\#(name)":\#(value)"#)
                #expect(Self.violations(of: record) == [], "\(record)")
            }
            for value in wrong {
                let record = Self.request(field.object, #""\#(name)":\#(value)"#)
                #expect(!Self.violations(of: record).isEmpty, "\(record)")
            }
        }
    }

    @Test(arguments: FCMObject.allCases) func `a type refuses a name that it does not have`(object: FCMObject) {
        for name in ["zzz", "Title", "analytics-label", "aps", "", #"\u0074itle\u0020"#] {
            let record = Self.request(object, #""\#(name)":null"#)
            #expect(Self.violations(of: record).count == 1, "\(record)")
        }
    }

    /// RFC 8259, section 7: an escape stands for its character, wherever it is.
    @Test(arguments: [
        #""android":{"priority":"HI\u0047H"}"#, #""android":{"priority":"\u0031"}"#, #""android":{"ttl":"36\u00300s"}"#,
        #""android":{"ttl":"3600\u0073"}"#, #""android":{"notification":{"color":"\u0023ff0000"}}"#,
        #""android":{"notification":{"visibility":"pub\u006cic","event_time":"2026-11-03T20:00:00\u005a"}}"#,
        #""android":{"notification":{"light_settings":{"color":{"red":"\u004eaN"}}}}"#,
        #""topic":"n\u0065ws""#, #""condition":"'n\u0065ws' in topics""#,
    ])
    func `a value may be written with escapes`(members: String) throws {
        let target = members.contains("topic") ? "" : #""token":"t","#
        #expect(try read("{\"message\":{\(target)\(members)}}").isAccepted)
    }

    @Test(arguments: [
        #""android":{"priority":"HI\u0048H"}"#, #""android":{"ttl":"\u002d1s"}"#, #""topic":"n\u0020ws""#,
    ])
    func `and is refused for what the escapes stand for`(members: String) throws {
        let target = members.contains("topic") ? "" : #""token":"t","#
        #expect(try !read("{\"message\":{\(target)\(members)}}").isAccepted)
    }

    @Test func `a name may be written with escapes`() {
        #expect(Self.violations(of: Self.request(.notification, #""\u0074itle":"x""#)) == [])
    }

    /// The names of Firebase's REST reference, projects.messages, written out once more.
    @Test func `every field of the REST reference exists`() throws {
        let record = ##"""
            {"validate_only":false,"message":{"name":"n","data":{"k":"v"},
            "notification":{"title":"t","body":"b","image":"https://example.org/i.png"},
            "android":{"collapse_key":"c","priority":"HIGH","ttl":"3.5s","restricted_package_name":"org.example",
            "data":{"k":"v"},"notification":{"title":"t","body":"b","icon":"i","color":"#00ff7F","sound":"s","tag":"g",
            "click_action":"a","body_loc_key":"k","body_loc_args":["a"],"title_loc_key":"k","title_loc_args":["a"],
            "channel_id":"c","ticker":"t","sticky":true,"event_time":"2024-11-05T18:00:00.045123456Z","local_only":true,
            "notification_priority":"PRIORITY_MAX","default_sound":true,"default_vibrate_timings":true,
            "default_light_settings":true,"vibrate_timings":["0.5s"],"visibility":"SECRET","notification_count":3,
            "light_settings":{"color":{"red":1,"green":0.5,"blue":0,"alpha":1},"light_on_duration":"1s",
            "light_off_duration":"1s"},"image":"https://example.org/i.png","proxy":"IF_PRIORITY_LOWERED",
            "bypass_proxy_notification":false},"fcm_options":{"analytics_label":"l"},"direct_boot_ok":true,
            "bandwidth_constrained_ok":true,"restricted_satellite_ok":true},
            "webpush":{"headers":{"TTL":"15"},"data":{"k":"v"},"notification":{"title":"t","dir":"auto"},
            "fcm_options":{"link":"https://example.org","analytics_label":"l"}},
            "apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"x"}},
            "fcm_options":{"analytics_label":"l","image":"https://example.org/i.png"},"live_activity_token":"x"},
            "fcm_options":{"analytics_label":"l"},"token":"t"}}
            """##
        let reading = try read(record)
        #expect(reading.isAccepted, "\(reading.findings)")
        // Google's pages on AndroidConfigV2 and on installation ids.
        let newer = #"""
            {"message":{"fid":"f","android_v2":{"collapseKey":"c","ttl":"5s","remoteNotification":{"mutableContent":true,
            "useAsV1DataMessage":false,"notification":{"id":4,"title":"t","lightSettings":{"lightOnDuration":"1s"}}},
            "backgroundSync":{}}}}
            """#
        #expect(try read(newer).isAccepted)
    }

    // MARK: - Google's words

    /// What the parser says about a request, a line for each violation: path, then description.
    static func violations(of record: String) -> [String] {
        var scanner = JSONScanner()
        var tape = JSONTape()
        let bytes = Array(record.utf8)
        return bytes.withUnsafeBytes { text in
            guard scanner.scan(text, into: &tape) == nil, let root = tape.root(of: text) else { return ["not JSON"] }
            return FCMMessage(request: root, isRecord: true).violations
                .flatMap { $0.fields(in: root) }.map { "\($0.path)|\($0.description)" }
        }
    }

    /// Each as it was observed, or documented; see `FCMViolation` for the threads.
    static let observed: [(record: String, said: [String])] = [
        // async-firebase issue 23.
        (
            #"{"message":{"tokens":["a"]}}"#,
            [#"message|Invalid JSON payload received. Unknown name "tokens" at 'message': Cannot find field."#]
        ),
        // sygnal pull request 387.
        (
            #"{"message":{"message":{}}}"#,
            [#"message|Invalid JSON payload received. Unknown name "message" at 'message': Cannot find field."#]
        ),
        // firebase-admin-node issue 2180.
        (
            #"{"message":{"topic":"t","notification":{"clickAction":"A"}}}"#,
            [
                #"message.notification|Invalid JSON payload received. Unknown name "clickAction" at 'message.notification': Cannot find field."#
            ]
        ),
        // laravel-notification-channels/fcm issue 95.
        (
            #"{"message":{"notification":{"data":{"a":"b"}}}}"#,
            [
                #"message.notification|Invalid JSON payload received. Unknown name "data" at 'message.notification': Cannot find field."#
            ]
        ),
        // firebase-admin-node issue 457.
        (
            #"{"message":{"android":{"notification":{"body_lock_key":"k"}}}}"#,
            [
                #"message.android.notification|Invalid JSON payload received. Unknown name "body_lock_key" at 'message.android.notification': Cannot find field."#
            ]
        ),
        // sylk-pushserver issue 16: several, in the order of the text.
        (
            #"{"message":{},"to":"x","time_to_live":5}"#,
            [
                #"|Invalid JSON payload received. Unknown name "to": Cannot find field."#,
                #"|Invalid JSON payload received. Unknown name "time_to_live": Cannot find field."#,
            ]
        ),
        // Firebase, FCM error codes.
        (
            #"{"message":{"data":{"a":12}}}"#,
            ["message.data[0].value|Invalid value at 'message.data[0].value' (TYPE_STRING), 12"]
        ),
        // MongoosePush issue 123.
        (
            #"{"message":{"android":{"data":{"a":"b","c":"d","message-count":1}}}}"#,
            ["message.android.data[2].value|Invalid value at 'message.android.data[2].value' (TYPE_STRING), 1"]
        ),
        // firebase_cloud_messenger issue 15.
        (
            #"{"message":{"android":{"data":{"a":"1","b":"2","c":"3","d":{"metadata":1}}}}}"#,
            [
                #"message.android.data[3].value|Invalid JSON payload received. Unknown name "metadata" at 'message.android.data[3].value': Cannot find field."#
            ]
        ),
        // firebase-admin-python issue 369.
        (
            #"{"message":{"android":{"notification":{"sticky":1}}}}"#,
            [
                "message.android.notification.sticky|Invalid value at 'message.android.notification.sticky' (TYPE_BOOL), 1"
            ]
        ),
        // firebase-php issue 341.
        (
            #"{"message":{"notification":[]}}"#,
            [
                #"message|Invalid JSON payload received. Unknown name "notification" at 'message': Proto field is not repeating, cannot start list."#
            ]
        ),
        // laravel-notification-channels/fcm issue 43.
        (
            #"{"message":{"token":"","topic":"t"}}"#,
            ["message|Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'"]
        ),
        // The form of magic-modules pull request 9400.
        (
            #"{"message":{"android":{"ttl":"3600"}}}"#,
            [
                "message.android.ttl|Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Illegal duration format; duration must end with 's'"
            ]
        ),
        // The form of cloud-custodian pull request 7629.
        (
            #"{"message":{"android":{"notification":{"eventTime":"2024-11-05T18:00:00"}}}}"#,
            [
                "message.android.notification.event_time|Invalid value at 'message.android.notification.event_time' (type.googleapis.com/google.protobuf.Timestamp), Field 'eventTime', Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
            ]
        ),
        // The form of AiNiee issue 746.
        (
            #"{"message":{"android":{"priority":"urgent"}}}"#,
            [
                #"message.android.priority|Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm.v1.AndroidConfig.AndroidMessagePriority), "urgent""#
            ]
        ),
    ]

    @Test(arguments: observed) func `the answer has the words that were observed`(record: String, said: [String]) {
        #expect(Self.violations(of: record) == said)
    }

    /// The published parser's words; not observed of FCM.
    @Test(arguments: [
        (#""data":[]"#, "message|Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'."),
        (
            #""data":{"a":[]}"#,
            "message.data[0].value|Invalid value at 'message.data[0].value' (Map), Cannot have repeated items ('a') within a map."
        ),
        (
            #""android":"x""#,
            #"message.android|Invalid value at 'message.android' (type.googleapis.com/google.firebase.fcm.v1.AndroidConfig), "x""#
        ),
        (
            #""android":{"ttl":3600}"#,
            "message.android.ttl|Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid data type for duration, value is 3600"
        ),
        (
            #""android":{"notification":{"vibrate_timings":["1s",100]}}"#,
            "message.android.notification.vibrate_timings[1]|Invalid value at 'message.android.notification.vibrate_timings[1]' (type.googleapis.com/google.protobuf.Duration), Field 'vibrate_timings', Invalid data type for duration, value is 100"
        ),
        (
            #""android":{"notification":{"notification_count":"x"}}"#,
            #"message.android.notification.notification_count|Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), "x""#
        ),
        (
            #""webpush":{"headers":{"TTL":5}}"#,
            "message.webpush.headers[0].value|Invalid value at 'message.webpush.headers[0].value' (TYPE_STRING), 5"
        ),
        (
            #""apns":{"payload":"x""#,
            #"message.apns.payload|Invalid value at 'message.apns.payload' (type.googleapis.com/google.protobuf.Struct), "x""#
        ),
    ])
    func `what has not been observed is said as the published parser says it`(member: String, said: String) {
        let close = String(repeating: "}", count: member.count { $0 == "{" } - member.count { $0 == "}" })
        #expect(Self.violations(of: #"{"message":{"token":"t",\#(member)\#(close)}}"#) == [said])
    }

    // MARK: - What `run` answers

    @Test func `each violation is a finding with its place, and the first one gives the verdict`() throws {
        let reading = try read(
            #"{"message":{"token":"t","tokens":[],"android":{"notification":{"sticky":"yes","x":1}}}}"#)
        #expect(reading.reason == "INVALID_ARGUMENT")
        #expect(
            reading.findings.map(\.pointer) == [
                "/message/tokens", "/message/android/notification/sticky", "/message/android/notification/x",
            ])
        #expect(reading.rules == Array(repeating: "fcm.invalid-argument", count: 3))
        #expect(
            reading.findings[1].message == #"Invalid value at 'message.android.notification.sticky' (TYPE_BOOL), "yes""#
        )
    }

    @Test func `a record may name its provider beside the request`() throws {
        #expect(try read(#"{"provider":"fcm","message":{"token":"t","data":{"a":"b"}}}"#).isAccepted)
        #expect(try read(#"{"device":"t","message":{"token":"t","data":{"a":"b"}}}"#).reason == "INVALID_ARGUMENT")
    }

    @Test func `a request of a gateway is refused at the gateway's place`() throws {
        let inner = quoted(#"{"fcmV1Message":{"message":{"token":"t","notification":{"sound":"x"}}}}"#)
        let reading = try read(#"{"default":"x","GCM":\#(inner)}"#)
        #expect(Refusal(reading)?.pointer == "/GCM/fcmV1Message/message/notification/sound")
        let airnotifier = try read(#"{"token":"t","device":"android-fcm","alert":"x","fcm":{"android":{"zzz":1}}}"#)
        #expect(airnotifier.reason == "INVALID_ARGUMENT")
    }

    @Test func `many violations and long values are cut`() throws {
        let names = (0..<200).map { #""k\#($0)":1"# }.joined(separator: ",")
        #expect(try read(#"{"message":{"token":"t",\#(names)}}"#).findings.count == 32)
        let long = try read(#"{"message":{"token":"t","data":{"a":{"\#(repeated("x", 5000))":1}}}}"#)
        #expect((long.findings.first?.message.count ?? 0) < 400)
    }

    // MARK: - Empty texts

    /// proto3 does not tell an empty string from an absent one. Source: Protocol Buffers, proto3 language guide, "Field
    /// presence".
    @Test func `an empty title or body is absent`() throws {
        let android = try read(
            #"{"message":{"token":"t","notification":{"title":"T","body":"B"},"android":{"notification":{"title":"","body":""}}}}"#
        )
        #expect(android.shown.title == "T")
        #expect(android.shown.body == "B")
        let key = try read(#"{"message":{"token":"t","android":{"notification":{"title":"","title_loc_key":"K"}}}}"#)
        #expect(key.shown.title == "K")
    }

    // MARK: - Headers for APNs

    static func headers(_ members: String, _ more: String = "") -> String {
        #"{"message":{"token":"t"\#(more),"apns":{"headers":{\#(members)},"payload":{"aps":{"alert":"x"}}}}}"#
    }

    /// APNs' reasons come back in FCM's answer: observed for DeviceTokenNotForTopic, fcm-django issue 201.
    @Test(arguments: [
        (#""apns-priority":"7""#, "apns-priority", "BadPriority"),
        (#""apns-push-type":"nope""#, "apns-push-type", "InvalidPushType"),
        (#""apns-expiration":"soon""#, "apns-expiration", "BadExpirationDate"),
        (#""apns-id":"42""#, "apns-id", "BadMessageId"),
        (#""APNS-Priority":"high""#, "APNS-Priority", "BadPriority"),
    ])
    func `a header that APNs refuses keeps the push from an Apple device`(
        header: String, name: String, reason: String
    ) throws {
        let reading = try read(Self.headers(header))
        #expect(Refusal(reading) == Refusal("INVALID_ARGUMENT", 400, at: "/message/apns/headers/\(name)"))
        #expect(reading.findings.first?.message.hasPrefix("APNs answers 400 \(reason): ") ?? false)
        // Nothing is sent to APNs for an Android device.
        #expect(try read(Self.headers(header, #","android":{}"#)).isAccepted)
    }

    /// Published words: ha-llmvision issue 545. FCM looks at this header before it knows the device.
    @Test(arguments: ["", #","android":{"priority":"high"}"#, #","webpush":{"headers":{"TTL":"60"}}"#])
    func `FCM refuses a long collapse id itself, whatever the device`(block: String) throws {
        for name in ["apns-collapse-id", "APNS-Collapse-ID"] {
            #expect(try read(Self.headers(#""\#(name)":"\#(repeated("x", 64))""#, block)).isAccepted)
            let reading = try read(Self.headers(#""\#(name)":"\#(repeated("x", 65))""#, block))
            #expect(Refusal(reading) == Refusal("INVALID_ARGUMENT", 400, at: "/message/apns/headers/\(name)"))
            #expect(
                reading.findings.first?.message
                    == "The length of [apns-collapse-id] header must not exceed [64] bytes.")
        }
        let escaped = try read(Self.headers(#""apns-collapse-id":"\#(repeated("\\u0078", 64))""#, block))
        #expect(escaped.isAccepted)
    }

    @Test(arguments: [
        #""apns-priority":"1""#, #""apns-push-type":"alert""#, #""apns-expiration":"0""#, #""apns-priority":"""#,
        #""apns-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#, #""apns-collapse-id":"\#(repeated("x", 64))""#,
    ])
    func `a header that APNs takes is passed on`(header: String) throws {
        #expect(try read(Self.headers(header)).isAccepted)
    }
}
