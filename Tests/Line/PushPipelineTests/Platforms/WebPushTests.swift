import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushRedaction
import PushSQLite
import TestSupport
import Testing

/// Web push through FCM on a registered browser.
///
/// Sources: FCM v1, WebpushConfig; WHATWG, Notifications API; RFC 8030, section 5; firebase-js-sdk, `sw-listeners.ts`.
struct WebPushTests {
    private static func push(_ webpush: String, _ common: String = "") -> String {
        #"{"message":{"token":"t1",\#(common)"webpush":{\#(webpush)}}}"#
    }

    private static func notification(_ members: String) -> String { push(#""notification":{\#(members)}"#) }

    private static let browser = device(#""platform":"web","app":"https://news.example.org""#, of: "t1")
    private static let away = device(#""online":false"#, of: "t1")

    /// The report's lines, without those of events.
    private func report(_ records: [String], store: any DeliveryStore = MemoryStore()) throws -> [String] {
        try reportLines(
            [Self.browser] + records, store: store,
            line: { report in
                guard report.note?.event == nil else { return nil }
                var out = ByteBuffer()
                NDJSONReport().append(report, to: &out)
                return String(decoding: out.bytes.dropLast(), as: UTF8.self)
            })
    }

    @Test(
        "FCM v1, WebpushConfig: title and body override those of the common notification",
        arguments: [
            (#""title":"W""#, "W", "B"), (#""body":"W""#, "T", "W"), (#""title":"W","body":"X""#, "W", "X"),
            (#""icon":"https://news.example.org/i.png""#, "T", "B"), (#""title":null"#, "T", "B"),
        ])
    func merging(members: String, title: String, body: String) throws {
        let common = #""notification":{"title":"T","body":"B"},"#
        let store = MemoryStore()
        let lines = try report([Self.push(#""notification":{\#(members)}"#, common)], store: store)
        #expect(lines.first?.contains(#""outcome":"delivered""#) == true)
        #expect(try store.notifications().map(\.content) == [ShownContent(title: title, body: body)])
    }

    @Test(
        "a message without a notification is for the page's or the service worker's own code",
        arguments: [
            #""data":{"k":"v"}"#, #""headers":{"TTL":"5"}"#, #""notification":{}"#,
            #""fcm_options":{"link":"https://news.example.org"}"#,
        ])
    func silence(members: String) throws {
        #expect(try report([Self.push(members)]).first?.contains(#""outcome":"silent""#) == true)
    }

    @Test("firebase-js-sdk: a notification without a title is shown with an empty one")
    func untitled() throws {
        let store = MemoryStore()
        _ = try report([Self.notification(#""icon":"https://news.example.org/i.png""#)], store: store)
        #expect(try store.notifications().map(\.identifier) == ["push-2"])
        #expect(try store.notifications().map(\.content) == [ShownContent()])
    }

    @Test(
        "Notifications API: a notification with the same tag and origin is replaced, quietly unless it renotifies",
        arguments: [
            (#""tag":"count""#, "replaced", "no-renotify"), (#""tag":"count","renotify":true"#, "replaced", nil),
            (#""tag":"count","renotify":true,"silent":true"#, "replaced", "silent"),
            (#""tag":"count","renotify":false"#, "replaced", "no-renotify"), (#""tag":"polls""#, "delivered", nil),
            (#""tag":"polls","silent":true"#, "delivered", "silent"), (#""tag":"""#, "delivered", nil),
        ])
    func replacement(members: String, outcome: String, quiet: String?) throws {
        let store = MemoryStore()
        let lines = try report(
            [Self.notification(#""title":"12","tag":"count""#), Self.notification(#""title":"13",\#(members)"#)],
            store: store)
        #expect(lines[1].contains(#""outcome":"\#(outcome)""#))
        #expect(lines[1].contains(#""quiet":"#) == (quiet != nil))
        if let quiet { #expect(lines[1].hasSuffix(#","quiet":"\#(quiet)"}"#)) }
        #expect(try store.notifications().map(\.content.title).last == "13")
        #expect(try store.notifications().count == (outcome == "replaced" ? 1 : 2))
        #expect(try store.events().map(\.kind).last == (outcome == "replaced" ? .replaced : .delivered))
    }

    @Test func `a tag replaces nothing of another origin or in another browser`() throws {
        let store = MemoryStore()
        let other = device(#""platform":"web","app":"https://chess.example.org""#, of: "t2")
        _ = try report(
            [
                other, Self.notification(#""title":"1","tag":"count""#),
                Self.notification(#""title":"2","tag":"count""#).replacing("t1", with: "t2"),
            ], store: store)
        #expect(try store.notifications().map(\.app) == ["https://news.example.org", "https://chess.example.org"])
    }

    @Test(arguments: ["7", "7.0", "0.7e1"])
    func `a number is the tag that JavaScript makes of it`(number: String) throws {
        let store = MemoryStore()
        _ = try report(
            [Self.notification(#""title":"1","tag":\#(number)"#), Self.notification(#""title":"2","tag":"7""#)],
            store: store)
        #expect(try store.notifications().map(\.identifier) == ["7"])
    }

    @Test(
        "Notifications API: options for which a TypeError is thrown show nothing, and a finding says why",
        arguments: [
            (#""renotify":true"#, "fcm.web-notification", "renotify"),
            (#""renotify":true,"tag":"""#, "fcm.web-notification", "renotify"),
            (#""silent":true,"vibrate":[100]"#, "fcm.web-notification", "vibrate"),
            (#""actions":[{"title":"Read"}]"#, "fcm.web-notification", "actions"),
            (#""actions":"read""#, "fcm.web-notification", "actions"), (#""dir":"left""#, "fcm.web-direction", "dir"),
        ])
    func refusals(members: String, rule: String, member: String) throws {
        let line = try #require(report([Self.notification(#""title":"T",\#(members)"#)]).first)
        #expect(line.contains(#""outcome":"silent","status":200"#))
        #expect(
            line.contains(
                #"{"rule":"\#(rule)","severity":"warning","pointer":"/message/webpush/notification/\#(member)""#))
    }

    @Test("firebase-js-sdk: a page that is visible gets the message, and nothing is shown")
    func foreground() throws {
        let store = MemoryStore()
        let visible = device(#""state":"foreground""#, of: "t1")
        let lines = try report([visible, Self.notification(#""title":"T""#)], store: store)
        #expect(lines.first?.contains(#""outcome":"silent""#) == true)
        #expect(try store.notifications().isEmpty)
    }

    // MARK: - Offline

    @Test(
        "RFC 8030, 5.4: a message replaces the queued one with the same topic, and no other, whatever is redacted",
        arguments: [nil, .tokens, .content, .all] as [Redaction.Parts?])
    func topics(hidden: Redaction.Parts?) throws {
        func push(_ title: String, _ headers: String) -> String {
            Self.push(#""headers":{\#(headers)},"notification":{"title":"\#(title)"}"#)
        }
        let records = [
            Self.browser, Self.away, push("1", #""Topic":"count""#), push("2", #""topic":"polls""#), push("3", ""),
            push("4", ""), push("5", #""Topic":"count""#), back("t1"),
        ]
        let store = MemoryStore()
        #expect(
            try story(records, store: store) { configuration in
                guard let hidden else { return }
                configuration.recordStages.append(RedactionStage(Redaction(hidden, key: Array("key".utf8))))
            } == [
                "1 device applied", "2 device applied", "3 held", "4 held", "5 held", "6 held", "7 held",
                "7<3 discarded superseded", "8 device applied", "8<4 delivered", "8<5 delivered", "8<6 delivered",
                "8<7 delivered",
            ])
        if hidden == nil { #expect(try store.notifications().map(\.content.title) == ["2", "3", "4", "5"]) }
    }

    @Test("RFC 8030, 5.4: topics are not limited to four")
    func manyTopics() throws {
        let records = (1...6).map { Self.push(#""headers":{"Topic":"t\#($0)"},"notification":{"title":"T"}"#) }
        #expect(try story([Self.browser, Self.away] + records).suffix(6).allSatisfy { $0.hasSuffix(" held") })
    }

    @Test(
        "RFC 8030, 5.2: TTL in seconds; with 0 a message is not kept. FCM keeps none for more than four weeks",
        arguments: [
            (#""TTL":"60""#, "59s", "delivered"), (#""TTL":"60""#, "61s", "expired expired"),
            (#""ttl":"60""#, "61s", "expired expired"), ("", "27d", "delivered"), ("", "29d", "expired expired"),
            (#""TTL":"9999999""#, "29d", "expired expired"),
            (#""TTL":"99999999999999999999""#, "29d", "expired expired"),
            (#""TTL":"soon""#, "27d", "delivered"),
        ])
    func timeToLive(header: String, wait: String, outcome: String) throws {
        let push = Self.push(#""headers":{\#(header)},"notification":{"title":"T"}"#)
        let lines = try story([Self.browser, Self.away, push, advance(wait), back("t1")])
        #expect(lines.contains { $0.hasSuffix("<3 \(outcome)") }, "\(lines)")
        let now = Self.push(#""headers":{"TTL":"0"},"notification":{"title":"T"}"#)
        #expect(try story([Self.browser, Self.away, now]).last == "3 expired not-stored")
        #expect(try story([Self.browser, now]).last == "2 delivered")
    }

    @Test func `the legacy protocol reaches a browser too`() throws {
        let store = MemoryStore()
        let request =
            #"{"to":"t1","notification":{"title":"T","body":"B","click_action":"https://news.example.org/7"}}"#
        #expect(try report([request], store: store).first?.contains("delivered") == true)
        #expect(try store.notifications().map(\.content) == [ShownContent(title: "T", body: "B")])
    }

    @Test func `a file has the texts of the browser's notification`() throws {
        let folder = try TestFolder()
        let path = folder.path("browser.db")
        let records = [
            Self.browser, Self.away, Self.notification(#""title":"12","body":"districts","tag":"count""#), back("t1"),
        ]
        for records in [records, [Self.notification(#""title":"13","tag":"count""#)]] {
            _ = try story(records, store: try SQLiteStore(path: path))
        }
        let shown = try SQLiteStore(path: path).notifications()
        #expect(shown.map(\.content) == [ShownContent(title: "13")])
        #expect(shown.map(\.identifier) == ["count"])
    }
}
