import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushRedaction
import Testing

/// The platform of a registered device decides which block of an FCM message takes effect.
///
/// Source: Firebase, "Customize a message across platforms": platform-specific fields are "interpreted only by app instances
/// running on the specified platform"; "to send a notification only to Apple and Web platforms but not to Android, you must use
/// two separate sets of fields".
struct PlatformTests {
    private static func message(_ members: String, to target: String = #""token":"t1""#) -> String {
        #"{"message":{\#(target),\#(members)}}"#
    }

    private static let blocks =
        #""android":{"notification":{"title":"Android","tag":"a"}},"#
        + #""apns":{"headers":{"apns-collapse-id":"i"},"payload":{"aps":{"alert":{"title":"Apple"}}}},"#
        + #""webpush":{"notification":{"title":"Browser","tag":"w"}}"#

    private func registered(_ platform: Platform, _ more: String = "", name: String = "t1") -> String {
        device(#""platform":"\#(platform.rawValue)"\#(more.isEmpty ? "" : "," + more)"#, of: name)
    }

    @Test(arguments: [(Platform.ios, "Apple", "i"), (.android, "Android", "a"), (.web, "Browser", "w")])
    func `a device gets the block of its platform`(platform: Platform, title: String, identifier: String) throws {
        let store = MemoryStore()
        #expect(
            try story([registered(platform), Self.message(Self.blocks)], store: store)
                == ["1 device applied", "2 delivered"])
        #expect(try store.notifications().map(\.content.title) == [title])
        #expect(try store.notifications().map(\.identifier) == [identifier])
    }

    @Test(arguments: [
        (Platform.ios, "delivered"), (.android, "silent"), (.web, "silent"),
    ])
    func `a block for Apple devices alone is shown by no other device`(platform: Platform, outcome: String) throws {
        let apns = #""apns":{"payload":{"aps":{"alert":"Apple"}}}"#
        #expect(try story([registered(platform), Self.message(apns)]).last == "2 \(outcome)")
        // Which device it is for is guessed as long as nothing is known of it.
        #expect(try story([Self.message(apns)]) == ["1 delivered"])
        #expect(try story([device(#""online":true"#, of: "t1"), Self.message(apns)]).last == "2 delivered")
    }

    @Test(arguments: [("android", Platform.android), ("webpush", .web)])
    func `nor are the blocks of the others`(block: String, own: Platform) throws {
        let members = #""\#(block)":{"notification":{"title":"Own"}}"#
        for platform in Platform.allCases {
            let outcome = platform == own ? "delivered" : "silent"
            #expect(try story([registered(platform), Self.message(members)]).last == "2 \(outcome)")
        }
    }

    @Test(arguments: [1, 3])
    func `the common notification is shown wherever it arrives, with the name of the device's app`(jobs: Int) throws {
        let members = #""notification":{"title":"Common"},"apns":{"headers":{"apns-topic":"org.example.apple"}}"#
        for platform in [Platform.android, .web] {
            let store = MemoryStore()
            let records = [registered(platform, #""app":"org.example.news""#), Self.message(members)]
            #expect(try story(records, store: store) { $0.jobs = jobs }.last == "2 delivered")
            #expect(try store.notifications().map(\.app) == ["org.example.news"])
            #expect(try store.notifications().map(\.content.title) == ["Common"])
        }
    }

    @Test func `a push to a Live Activity is nothing to a device that has none`() throws {
        let members =
            #""apns":{"live_activity_token":"ab54","payload":{"aps":{"timestamp":1700000000,"event":"start","#
            + #""content-state":{},"attributes-type":"A","attributes":{},"alert":{"title":"A","body":"B"}}}}"#
        #expect(try story([registered(.android), Self.message(members)]).last == "2 silent")
        #expect(try story([registered(.ios), Self.message(members)]).last == "2 started")
    }

    @Test func `an offline device keeps the message as its own provider keeps it`() throws {
        let members = #""apns":{"headers":{"apns-expiration":"0"},"payload":{"aps":{"alert":"A"}}}"#
        let records = [
            registered(.android, #""online":false"#), Self.message(members + #","data":{"k":"v"}"#), back("t1"),
        ]
        #expect(
            try story(records) == ["1 device applied", "2 held", "3 device applied", "3<2 silent"])
        let apple = [registered(.ios, #""online":false"#), Self.message(members)]
        #expect(try story(apple).last == "2 expired not-stored")
    }

    @Test func `subscribers of a topic get what their devices understand`() throws {
        let records = [
            registered(.android, #""topics":["news"]"#, name: "a"), registered(.ios, #""topics":["news"]"#, name: "i"),
            registered(.web, #""topics":["news"]"#, name: "w"),
            Self.message(#""apns":{"payload":{"aps":{"alert":"A"}}}"#, to: #""topic":"news""#),
            Self.message(#""webpush":{"notification":{"title":"W"}}"#, to: #""topic":"news""#),
        ]
        #expect(
            try story(records).suffix(8) == [
                "4 fanned-out", "4.0 silent", "4.1 delivered", "4.2 silent", "5 fanned-out", "5.0 silent",
                "5.1 silent", "5.2 delivered",
            ])
    }

    @Test(arguments: [Redaction.Parts.tokens, .content])
    func `a redacted message is still read for its device`(parts: Redaction.Parts) throws {
        let members = #""notification":{"title":"Common"},"apns":{"payload":{"aps":{"badge":1}}}"#
        let store = MemoryStore()
        let records = [registered(.android), Self.message(members)]
        let redaction = Redaction(parts, key: Array("a key of the tests".utf8))
        let lines = try story(records, store: store) { $0.recordStages.append(RedactionStage(redaction)) }
        #expect(lines.last == "2 delivered")
        let payload = try #require(store.notifications().first?.payload)
        #expect(payload.contains("Common") == (parts == .tokens))
        #expect(payload.contains("\"t1\"") == (parts == .content))
    }
}
