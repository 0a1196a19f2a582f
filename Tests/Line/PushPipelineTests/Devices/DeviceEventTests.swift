import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Which devices are reachable, and what a provider answers about those that are not.
struct DeviceEventTests {
    @Test func `an unregistered token gets 410 and a timestamp in milliseconds`() throws {
        var timestamps: [Int64?] = []
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        let records = [
            push(), device(#""unregistered":true"#), push(), device(#""unregistered":false"#), push(),
            device(#""unregistered_at":"2023-11-14T20:00:00Z""#), push(),
        ]
        var lines: [String] = []
        try Pipeline(configuration).process(records.joined(separator: "\n")) { report in
            guard report.note?.event == nil else { return }
            lines.append("\(report.status ?? 0) \(report.reason?.description ?? "-")")
            timestamps.append(report.note?.timestamp)
        }
        #expect(lines == ["200 -", "410 Unregistered", "200 -", "410 Unregistered"])
        #expect(timestamps == [nil, 1_700_000_000_001, nil, 1_699_992_000_000])
    }

    @Test func `a future timestamp unregisters a token when it is reached`() throws {
        #expect(
            try story([device(#""unregistered_at":1700000060"#), push(), advance("1m"), push()])
                == ["1 device applied", "2 delivered", "3 clock applied", "4 rejected Unregistered"])
    }

    @Test func `GCM and FCM have their own errors for an unregistered token`() throws {
        let dead = device(#""platform":"android","unregistered":true"#, of: "android")
        let fcm = #"{"message":{"token":"android","data":{"a":"1"}}}"#
        #expect(
            try story([dead, data(), fcm])
                == ["1 device applied", "2 rejected NotRegistered", "3 rejected UNREGISTERED"])
    }

    @Test func `only APNs reports since when a token is unregistered`() throws {
        let records = [
            device(#""unregistered":true"#), device(#""platform":"android","unregistered":true"#, of: "android"),
            push(),
            data(), #"{"message":{"token":"android","data":{"a":"1"}}}"#,
        ]
        var lines: [String] = []
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        try Pipeline(configuration).process(records.joined(separator: "\n")) { report in
            var out = ByteBuffer()
            NDJSONReport().append(report, to: &out)
            lines.append(String(decoding: out.bytes, as: UTF8.self))
        }
        #expect(lines[2].contains(#""reason":"Unregistered""#) && lines[2].contains(#""timestamp":1700000000000,"#))
        #expect(lines[3].contains(#""reason":"NotRegistered""#) && !lines[3].contains("timestamp"))
        #expect(lines[4].contains(#""reason":"UNREGISTERED""#) && !lines[4].contains("timestamp"))
    }

    @Test func `messages queued for a token are dropped when it is unregistered`() throws {
        #expect(
            try story([away(), push(), device(#""unregistered":true"#), back()])
                == ["1 device applied", "2 held", "3 device applied", "3<2 discarded unregistered", "4 device applied"])
    }

    @Test func `unknown tokens are reachable unless they are to be refused`() throws {
        let records = [push(), data(), #"{"message":{"token":"t","data":{"a":"1"}}}"#]
        #expect(try story(records) == ["1 delivered", "2 silent", "3 silent"])
        #expect(
            try story(records) { $0.devicePolicy.rejectsUnknownDevices = true }
                == ["1 rejected BadDeviceToken", "2 rejected NotRegistered", "3 rejected UNREGISTERED"])
    }

    @Test func `topics, conditions and channels are not tokens`() throws {
        let records = [
            #"{"to":"/topics/news","data":{"a":"1"}}"#,
            #"{"condition":"'a' in topics","data":{"a":"1"},"priority":"high"}"#,
            #"{"message":{"topic":"news","data":{"a":"1"}}}"#,
        ]
        #expect(
            try story(records) { $0.devicePolicy.rejectsUnknownDevices = true } == ["1 silent", "2 silent", "3 silent"])
    }

    @Test func `a token of another app is refused when tokens are checked`() throws {
        let registered = device(#""app":"org.example.other""#)
        #expect(try story([registered, push()]).last == "2 delivered")
        #expect(
            try story([registered, push()]) { $0.devicePolicy.rejectsUnknownDevices = true }.last
                == "2 rejected DeviceTokenNotForTopic")
    }

    @Test func `a device registered without an app stands for every app`() throws {
        #expect(
            try story([device(#""online":true"#), push()]) { $0.devicePolicy.rejectsUnknownDevices = true }.last
                == "2 delivered")
    }

    @Test(arguments: [
        (#""authorization":"denied""#, "denied"), (#""authorization":"not-determined""#, "not-determined"),
        (#""alerts":false"#, "alerts-off"), (#""logged_in":false"#, "logged-out"),
        (#""registration":"failed""#, "registration-failed"),
        (#""registration":"subscription-failed""#, "subscription-failed"),
    ])
    func `the reason why a push is not shown is reported`(members: String, reason: String) throws {
        #expect(try story([device(members), push()]).last == "2 suppressed \(reason)")
    }

    @Test func `an invisible push needs no permission`() throws {
        #expect(try story([device(#""authorization":"denied""#), backgroundPush()]).last == "2 silent")
        #expect(try story([device(#""logged_in":false"#), backgroundPush()]).last == "2 suppressed logged-out")
    }

    @Test func `a queued push is checked again when it arrives`() throws {
        #expect(
            try story([away(), push(), device(#""authorization":"denied""#), back()]).last == "4<2 suppressed denied")
    }

    @Test func `GCM reports the canonical registration id`() throws {
        var canonical: [String?] = []
        try Pipeline().process(
            [device(#""platform":"android","canonical":"new""#, of: "old"), data(to: "old"), data(to: "new")].joined(
                separator: "\n")
        ) { canonical.append($0.note?.canonical) }
        #expect(canonical == [nil, "new", nil])
    }

    // MARK: - Rates

    @Test func `pushes to one token over the rate limit are refused with the provider's error`() throws {
        let fcm = #"{"message":{"token":"f","data":{"a":"1"}}}"#
        let records = [push(), push(), push(to: "c0de"), data(), data(), fcm, fcm, advance("1m"), push()]
        #expect(
            try story(records) { $0.devicePolicy.pushesPerMinute = 1 }
                == [
                    "1 delivered", "2 rejected TooManyRequests", "3 delivered", "4 silent",
                    "5 rejected DeviceMessageRateExceeded", "6 silent", "7 rejected QUOTA_EXCEEDED", "8 clock applied",
                    "9 delivered",
                ])
    }

    @Test func `GCM has its own rate limit error for a topic`() throws {
        let condition = #"{"condition":"'news' in topics","data":{"a":"1"},"priority":"high"}"#
        #expect(
            try story([data(to: "/topics/news"), data(to: "/topics/news"), condition, condition]) {
                $0.devicePolicy.pushesPerMinute = 1
            } == [
                "1 silent", "2 rejected TopicsMessageRateExceeded", "3 silent", "4 rejected TopicsMessageRateExceeded",
            ])
    }

    @Test func `pushes of one app over the rate limit are refused too`() throws {
        let records = [push(to: "aa"), push(to: "bb"), push(to: "cc"), push(to: "dd", app: "org.example.other")]
        #expect(
            try story(records) { $0.devicePolicy.pushesPerMinuteOfSender = 2 }
                == ["1 delivered", "2 delivered", "3 rejected TooManyRequests", "4 delivered"])
    }

    @Test func `a device delivers a limited number of background pushes per hour`() throws {
        let records =
            [device(#""online":true"#)] + (0..<4).map { _ in backgroundPush() } + [advance("1h"), backgroundPush()]
        #expect(
            try story(records) { $0.devicePolicy.backgroundPushesPerHour = 3 }[1...]
                == [
                    "2 silent", "3 silent", "4 silent", "5 held throttled", "6 clock applied", "6<5 silent", "7 silent",
                ])
    }

    @Test func `a deferred push counts in the hour in which it arrives, for each app of the device`() throws {
        let chat = "org.example.chat"
        let records = [
            device(#""online":true"#), backgroundPush(), backgroundPush(), backgroundPush(app: chat),
            backgroundPush(app: chat),
            advance("1h"), backgroundPush(),
        ]
        #expect(
            try story(records) { $0.devicePolicy.backgroundPushesPerHour = 1 }[1...] == [
                "2 silent", "3 held throttled", "4 silent", "5 held throttled", "6 clock applied", "6<3 silent",
                "6<5 silent",
                "7 held throttled",
            ])
    }

    @Test func `of excess background pushes a device keeps the newest until the app is opened or force-quit`()
        throws
    {
        let records = [backgroundPush(), backgroundPush(), backgroundPush()]
        func once(_ records: [String]) throws -> ArraySlice<String> {
            try story(records) { $0.devicePolicy.backgroundPushesPerHour = 1 }[1...]
        }
        let held = ["2 held throttled", "3 held throttled", "3<2 discarded superseded"]
        #expect(try once(records) == held[...])
        #expect(
            try once(records + [device(#""state":"foreground""#)]) == held + [
                "4 device applied [come-to-front]", "4<3 silent [fetch]",
            ])
        #expect(
            try once(records + [device(#""state":"force-quit""#), device(#""state":"foreground""#)])
                == held + ["4 device applied", "4<3 discarded force-quit", "5 device applied [launch]"])
        #expect(
            try once([device(#""state":"foreground""#)] + records) == [
                "2 silent [fetch]", "3 silent [fetch]", "4 silent [fetch]",
            ])
        #expect(try once(records + [advance("59m"), advance("1m")]).suffix(2) == ["5 clock applied", "5<3 silent"])
    }

    /// Firebase, "FCM throttling and quotas": 20 in a burst, and one more every 3 minutes. Those that wait are replaced by newer ones.
    @Test func `FCM delays collapsible messages after a burst, if asked to`() throws {
        func fcm(_ android: String = #""collapse_key":"score""#) -> String {
            #"{"message":{"token":"dAnna","data":{"a":"1"},"android":{\#(android)}}}"#
        }
        let burst = Array(repeating: fcm(), count: 22)
        func tail(_ records: [String], isLimited: Bool = true) throws -> [String] {
            Array(try story(burst + records) { $0.devicePolicy.delaysCollapsibleBursts = isLimited }[19...])
        }
        #expect(try tail([], isLimited: false) == ["20 silent", "21 silent", "22 silent"])
        let held = ["20 silent", "21 held throttled", "22 held throttled", "22<21 discarded superseded"]
        #expect(try tail([]) == held)
        #expect(
            try tail([advance("179s"), advance("1s")]).suffix(3) == [
                "23 clock applied", "24 clock applied", "24<22 silent",
            ])
        // Each device has its own burst, and no other kind of message waits.
        #expect(try tail([fcm(#""priority":"HIGH""#)]) == held + ["23 silent"])
        #expect(try tail([fcm().replacing("dAnna", with: "eBela")]) == held + ["23 silent"])
        // After an hour the whole burst is back.
        #expect(try tail([advance("2h")] + burst.dropLast(2)).last == "43 silent")
    }

    @Test func `only device events make a token known`() throws {
        let events = [
            #"{"event":"back","device":"ab54"}"#, #"{"event":"open","device":"ab54","screen":"a"}"#,
            #"{"event":"read","device":"ab54"}"#, #"{"event":"preference","device":"ab54","type":"a","on":true}"#,
        ]
        #expect(
            try story(events + [push()]) { $0.devicePolicy.rejectsUnknownDevices = true } == [
                "1 back ignored not-possible", "2 open ignored not-possible", "3 read ignored not-possible",
                "4 preference ignored unknown-device", "5 rejected BadDeviceToken",
            ])
    }

    @Test func `a token that is unregistered while a message is queued gets nothing`() throws {
        let other = #"{"event":"device","device":"ab54","app":"org.example.other","online":true}"#
        let dies = device(#""online":false,"unregistered_at":1700000030"#)
        #expect(
            try story([dies, push(), advance("40s"), other])
                == ["1 device applied", "2 held", "3 clock applied", "4 device applied", "4<2 discarded unregistered"])
    }

    @Test func `tokens are swept in a fixed order`() throws {
        let records = ["c3", "a1", "b2"].map { device(#""confirmed":false"#, of: $0) } + [advance("2h")]
        var swept: [String] = []
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle()
        try Pipeline(configuration).process(records.joined(separator: "\n")) { line in
            if line.note?.event == "token_deleted" { swept.append(line.message.device.string) }
        }
        #expect(swept == ["a1", "b2", "c3"])
    }

    // FCM forwards messages for an Apple device to APNs (reference 6.4), which queues one message per app.
    @Test func `a registered Apple device gets from FCM and GCM what APNs would deliver`() throws {
        func fcm(_ key: String) -> String {
            #"{"message":{"token":"ida","notification":{"body":"Text"},"android":{"collapse_key":"\#(key)","notification":{"tag":"t"}},"#
                + #""apns":{"headers":{"apns-collapse-id":"\#(key)"}}}}"#
        }
        let gcm = #"{"registration_ids":["ida","bo"],"collapse_key":"k","notification":{"title":"Text","tag":"t"}}"#
        let store = MemoryStore()
        let ios = device(#""platform":"ios","online":false"#, of: "ida")
        #expect(
            try story([ios, fcm("a"), fcm("b"), back("ida"), gcm], store: store) == [
                "1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 device applied", "4<3 delivered",
                "5.0 delivered", "5.1 delivered",
            ])
        #expect(try store.notifications(device: "ida").map(\.identifier) == ["b", "push-5.0"])
        #expect(try store.notifications(device: "bo").map(\.identifier) == ["t"])
        // Its platform is unknown: an Android device, as formats.md specifies.
        #expect(
            try story([device(#""online":false"#, of: "ida"), fcm("a"), fcm("b")])
                == ["1 device applied", "2 held", "3 held", "3<2 discarded superseded"])
        let folder = try TestFolder()
        let file = try SQLiteStore(path: folder.path("phone.db"))
        #expect(
            try story([ios, fcm("a")], store: file) + story([fcm("b")], store: file) == [
                "1 device applied", "2 held", "3 held", "3<2 discarded superseded",
            ])
    }

    // MARK: - Screens

    @Test func `a tap removes the notification from the screen`() throws {
        let store = MemoryStore()
        #expect(
            try story(
                [
                    push("one"), push("two"), #"{"event":"tap","device":"ab54"}"#,
                    #"{"event":"tap","device":"ab54","identifier":"push-1"}"#, #"{"event":"tap","device":"ab54"}"#,
                ], store: store)[2...] == [
                    "3 tap applied [come-to-front] [push-centre] [clear-bell]", "4 tap applied [show-centre]",
                    "5 tap ignored no-such-notification",
                ])
        #expect(
            try store.events().filter { $0.seq < 5 }.map { "\($0.kind.name) \($0.identifier)" } == [
                "delivered push-1", "delivered push-2", "tapped push-2", "removed push-2", "come-to-front ",
                "push-centre ", "clear-bell ", "tapped push-1", "removed push-1", "show-centre ",
            ])
    }

    @Test func `the newest notification of all apps is the last delivered, even within a millisecond`() throws {
        let (news, chat) = ("org.example.news", "org.example.chat")
        let store = MemoryStore()
        let records = [
            push(app: news), push(app: chat), #"{"event":"device","device":"ab54","online":false}"#,
            push(app: chat, headers: #""apns-collapse-id":"c""#), push(app: news, headers: #""apns-collapse-id":"n""#),
            back(), #"{"event":"dismiss","device":"ab54"}"#,
        ]
        _ = try story(records, store: store)
        #expect(try store.notifications().map(\.identifier) == ["push-1", "push-2", "c"])
    }

    @Test func `a record number identifies a notification`() throws {
        let store = MemoryStore()
        _ = try story(
            [
                push("one", headers: #""apns-collapse-id":"a""#), push("two"),
                #"{"event":"dismiss","device":"ab54","app":"org.example.news","seq":1}"#,
            ], store: store)
        #expect(try store.notifications().map(\.content.body) == ["two"])
    }

    @Test func `clearing removes all notifications of a device or of one app`() throws {
        let store = MemoryStore()
        let pushes = [push(app: "org.example.a"), push(app: "org.example.b"), push(to: "c0de")]
        _ = try story(pushes + [#"{"event":"clear","device":"ab54","app":"org.example.a"}"#], store: store)
        #expect(try store.notifications().map(\.app) == ["org.example.b", "org.example.news"])
        _ = try story([#"{"event":"clear","device":"ab54"}"#], store: store)
        #expect(try store.notifications().map(\.device) == ["c0de"])
    }

    // MARK: - Records

    @Test(arguments: [
        (#"{"event":"nothing"}"#, "event.unknown"), (#"{"event":"device"}"#, "event.missing-member"),
        (#"{"event":"device","device":1}"#, "event.value"), (#"{"event":"clock"}"#, "event.missing-member"),
        (#"{"event":"clock","advance":"90"}"#, "event.value"), (#"{"event":"clock","advance":-1}"#, "event.value"),
        (#"{"event":"device","device":"a","state":"asleep"}"#, "event.value"),
        (#"{"event":"device","device":"a","unregistered_at":"yesterday"}"#, "event.value"),
        (#"{"event":"tap","device":"a","seq":-1}"#, "event.value"), (#"{"event":1}"#, "record.unknown-shape"),
    ])
    func `an unreadable event is malformed`(record: String, rule: String) throws {
        #expect(try story([record]) == ["1 malformed \(rule)"])
    }

    @Test(arguments: [
        #"{"event":"device","aps":{"alert":"Hi"}}"#,
        #"{"event":"tap","device":"ab","headers":{"apns-topic":"t"},"payload":{"aps":{"alert":"Hi"}}}"#,
    ])
    func `in a payload, event is an app's own key`(record: String) throws {
        #expect(try story([record]) == ["1 delivered"])
    }

    @Test func `an unknown member of an event gives a finding`() throws {
        var findings: [Finding] = []
        try Pipeline().process(#"{"event":"clock","advance":1,"device":"a"}"#) { findings += $0.findings }
        #expect(findings.map(\.rule) == ["event.unknown-member"])
        #expect(findings.map(\.pointer) == ["/device"])
    }

    @Test func `a duplicate unknown member is reported once`() throws {
        var findings: [Finding] = []
        let record = #"{"event":"edit","device":"a","x":1,"y":2,"x":3}"#
        try Pipeline().process(record) { findings += $0.findings.filter { $0.rule == "event.unknown-member" } }
        #expect(findings.map(\.pointer) == ["/x", "/y"])
        #expect(findings.first?.message == #"an edit event has no member "x"; it is ignored"#)
    }

    @Test func `the name of an event is no member of another, and a name that is no plain word is not repeated`() throws
    {
        var messages: [String] = []
        try Pipeline().process(#"{"event":"device","device":"a","focus":true,"a\u001b[31m":1}"#) { report in
            messages += report.findings.map(\.message)
        }
        #expect(
            messages == [
                #"a device event has no member "focus"; "focus" is an event of its own"#,
                "a device event has no member of this name; it is ignored",
            ])
    }

    @Test func `a misspelled event or member gets a suggestion`() throws {
        var messages: [String] = []
        for record in [
            #"{"event":"devcie","device":"ab"}"#, #"{"event":"device","devise":"ab"}"#,
            #"{"event":"device","device":"ab","onlin":true}"#, #"{"event":"utterly different","device":"ab"}"#,
        ] {
            try Pipeline().process(record) { report in
                messages += (report.decodeFailure.map { [$0.message] } ?? []) + report.findings.map(\.message)
            }
        }
        try #require(messages.count == 4)
        #expect(messages[0] == #"unknown event "devcie"; did you mean "device"?"#)
        #expect(messages[1] == #"a device event needs "device"; is "devise" a misspelling?"#)
        #expect(messages[2] == #"a device event has no member "onlin"; did you mean "online"?"#)
        #expect(messages[3].hasPrefix(#""event" is not one of device, "#))
    }

    @Test(arguments: [
        (#"{"event":"edit"}"#, #"an edit event needs "device""#),
        (#"{"event":"confirm","device":"a"}"#, #"a confirm event needs "answer""#),
    ])
    func `a missing member is named`(record: String, message: String) throws {
        var messages: [String] = []
        try Pipeline().process(record) { messages.append($0.decodeFailure?.message ?? "") }
        #expect(messages == [message])
    }

    @Test func `a clock cannot be moved beyond the year 9999`() throws {
        #expect(
            try story([advance("7000d"), #"{"event":"clock","advance":252000000000}"#]).last
                == "2 clock ignored clock-at-its-end")
    }
}
