import PushDevices
import PushModel
import PushPipeline
import PushRedaction
import PushSQLite
import TestSupport
import Testing

/// Where a message of Expo's goes, and what the device does with it. Source: Expo, "Send notifications with Expo's Push API".
struct ExpoDeviceTests {
    private static let token = "ExponentPushToken[anna]"
    private static let own = String(repeating: "ab54", count: 16)

    private func message(_ members: String = #""title":"Goal""#) -> String { #"{"to":"\#(Self.token)",\#(members)}"# }

    private func phone(_ members: String = "", of name: String = Self.own) -> String {
        device(#""app":"org.example","expo":"\#(Self.token)"\#(members.isEmpty ? "" : "," + members)"#, of: name)
    }

    private func expectShown(
        _ records: [String], on device: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = MemoryStore()
        #expect(try story(records, store: store).last == "2 delivered", sourceLocation: sourceLocation)
        let shown = try store.notifications()
        #expect(shown.map(\.device) == [device], sourceLocation: sourceLocation)
        #expect(shown.map(\.app) == ["org.example"], sourceLocation: sourceLocation)
        #expect(shown.map(\.content.title) == ["Goal"], sourceLocation: sourceLocation)
    }

    @Test func `a token leads to the app that an event names`() throws {
        try expectShown([phone(), message()], on: Self.own)
        try expectShown([phone(#""platform":"android""#, of: "pixel"), message()], on: "pixel")
        try expectShown([phone(#""platform":"ios""#, of: "pixel"), message()], on: "pixel")
    }

    @Test func `a device that is registered by its Expo token has the platform of its event`() throws {
        let records = [
            device(#""platform":"android","app":"org.example""#, of: Self.token),
            message(#""title":"Goal","channelId":"news""#),
        ]
        try expectShown(records, on: Self.token)
    }

    @Test(arguments: [("ios", "Unregistered"), ("android", "UNREGISTERED")])
    func `a dead device is reported as its provider reports it`(platform: String, reason: String) throws {
        let lines = try story([phone(#""platform":"\#(platform)","unregistered":true"#), message()])
        #expect(lines.last == "2 rejected \(reason)")
    }

    /// A channel that does not exist on the device: the notification is not displayed.
    @Test func `a message for a channel that does not exist is not displayed`() throws {
        let pixel = phone(#""platform":"android","channels":[{"id":"news","importance":"high"}]"#, of: "pixel")
        #expect(try story([pixel, message(#""title":"Goal","channelId":"sport""#)]).last == "2 suppressed no-channel")
        #expect(
            try story([pixel, message(#""title":"Goal","channelId":"news""#)]).last?.hasPrefix("2 delivered") == true)
        // FCM's own replaces it.
        let google =
            #"{"message":{"token":"pixel","notification":{"title":"x"},"android":{"notification":{"channel_id":"sport"}}}}"#
        #expect(try story([pixel, google]).last?.hasPrefix("2 delivered") == true)
    }

    // MARK: - Time to live

    /// Without `ttl` and `expiration` the default of the provider: 0 for APNs, four weeks for FCM.
    @Test(arguments: [
        ("ios", "", "2 expired not-stored"), ("android", "", "2 held"), ("ios", #","ttl":60"#, "2 held"),
        ("ios", #","ttl":0"#, "2 expired not-stored"), ("android", #","ttl":0"#, "2 expired not-stored"),
        // The clock of the tests is at 1,700,000,000; `ttl` wins.
        ("ios", #","expiration":1700000060"#, "2 held"), ("android", #","expiration":1700000060"#, "2 held"),
        ("ios", #","ttl":0,"expiration":1700000060"#, "2 expired not-stored"),
    ]) func `ttl and expiration say how long it waits`(platform: String, member: String, line: String) throws {
        let away = phone(#""platform":"\#(platform)","online":false"#)
        #expect(try story([away, message(#""title":"Goal"\#(member)"#)]).last == line)
    }

    @Test(arguments: [
        (#""ttl":60"#, "60s"), (#""expiration":1700000060"#, "60s"), (#""ttl":60,"expiration":1"#, "60s"),
    ])
    func `what waits expires`(member: String, after: String) throws {
        for platform in ["ios", "android"] {
            let away = phone(#""platform":"\#(platform)","online":false"#)
            let lines = try story([away, message(#""title":"Goal",\#(member)"#), advance(after)])
            #expect(lines.last == "3<2 expired expired", "\(platform)")
        }
    }

    /// The platform is known only at delivery: a report does not say that a text was cut which the device gets whole.
    @Test(arguments: [("ios", "delivered", true), ("android", "rejected", false)])
    func `a text is reported as cut if it is cut for the platform of the device`(
        platform: String, outcome: String, isCut: Bool
    ) throws {
        let records = [
            phone(#""platform":"\#(platform)""#), message(#""body":"\#(String(repeating: "x", count: 5000))""#),
        ]
        var cuts: [Bool] = []
        func fit(_ configuration: inout PipelineConfiguration) { configuration.recordStages.append(FitToBudget()) }
        let outcomes = try reportLines(records, store: MemoryStore(), fit) { line in
            cuts.append(line.findings.contains { $0.rule == "fit.cut" })
            return "\(line.outcome.name)"
        }
        #expect(outcomes.last == outcome)
        #expect(cuts.last == isCut)
    }

    // MARK: - What stays

    @Test func `a store keeps which token leads where`() throws {
        let folder = try TestFolder()
        #expect(try story([phone()], store: SQLiteStore(path: folder.path("store.sqlite"))) == ["1 device applied"])
        let store = try SQLiteStore(path: folder.path("store.sqlite"))
        #expect(try story([message()], store: store).last?.hasSuffix("delivered") == true)
        #expect(try store.notifications().map(\.device) == [Self.own])
    }

    @Test func `an empty token is forgotten`() throws {
        let store = MemoryStore()
        _ = try story([phone(), device(#""app":"org.example","expo":"""#, of: Self.own), message()], store: store)
        #expect(try store.notifications().map(\.device) == [Self.token])
    }

    // MARK: - One token, several apps

    /// Expo's document says that a token stands for an app on a device. That the newest registration counts is UNCONFIRMED.
    @Test(arguments: [["aa11", "bb22"], ["bb22", "aa11"], ["aa11", "bb22", "aa11"]])
    func `a token leads to the app that an event has named last`(names: [String]) throws {
        let last = names[names.count - 1]
        for records in 1..<names.count {
            let folder = try TestFolder()
            let open = { try SQLiteStore(path: folder.path("store.sqlite")) }
            let phones = names.map { phone(of: $0) }
            _ = try story(Array(phones[..<records]), store: open())
            _ = try story(phones[records...] + [message()], store: open())
            #expect(try open().notifications().map(\.device) == [last])
            // No other app has it any more.
            let forgets = device(#""app":"org.example","expo":"""#, of: last)
            _ = try story([forgets, message(#""title":"Again""#)], store: open())
            #expect(try open().notifications().map(\.device).contains(Self.token))
        }
    }

    @Test func `of two apps on a device a token leads to the one that an event has named last`() throws {
        let other = device(#""app":"org.other","expo":"\#(Self.token)""#, of: Self.own)
        for (records, app) in [([phone(), other], "org.other"), ([other, phone()], "org.example")] {
            let store = MemoryStore()
            _ = try story(records + [message()], store: store)
            #expect(try store.notifications().map(\.app) == [app])
        }
    }

    /// Digests are in another order than names.
    @Test(arguments: 0..<4) func `where a token leads does not depend on the key of a redaction`(key: UInt8) throws {
        let lines = try story([
            phone(of: "aa11"), phone(#""online":false"#, of: "bb22"), message(#""title":"Goal","ttl":60"#),
        ]) { $0.recordStages.append(RedactionStage(Redaction(.tokens, key: [key]))) }
        #expect(lines.last == "3 held")
    }

    @Test func `redaction does not change where a message goes`() throws {
        for parts in [Redaction.Parts.tokens, .content, .all] {
            let lines = try story([phone(#""platform":"android""#, of: "pixel"), message()]) { configuration in
                configuration.recordStages.append(RedactionStage(Redaction(parts, key: Array("key".utf8))))
            }
            #expect(lines == ["1 device applied", "2 delivered"])
        }
    }
}
