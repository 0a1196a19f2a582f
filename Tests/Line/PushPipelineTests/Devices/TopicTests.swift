import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Messages to topics reach the devices that are subscribed to them.
///
/// Sources: Firebase, "Topic messaging" (fan-out; at most 2000 topics for an app), "Send messages to topics" (conditions).
struct TopicTests {
    private func subscribe(_ device: String, _ topic: String, _ name: String = "subscribe") -> String {
        #"{"event":"\#(name)","device":"\#(device)","topic":"\#(topic)"}"#
    }

    private func news(_ members: String = #""topic":"news""#) -> String {
        #"{"message":{\#(members),"notification":{"title":"Polls have closed"}}}"#
    }

    /// Each line's outcome and device.
    private func outcomes(
        _ records: [String], store: any DeliveryStore = MemoryStore(),
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> [String] {
        try reportLines(records, store: store, configure) { report in
            guard report.note?.event == nil else { return nil }
            let target = report.message.target.map { ".\($0)" } ?? ""
            let reason = report.outcome == .silent ? "" : report.reason.map { " \($0)" } ?? ""
            return "\(report.seq)\(target) \(report.message.device.string) \(report.outcome.name)\(reason)"
        }
    }

    @Test(arguments: [#""topic":"news""#, #""condition":"'news' in topics""#])
    func `a message to a topic of FCM reaches its subscribers, and no other device`(target: String) throws {
        let store = MemoryStore()
        let records = [
            subscribe("bela", "news"), subscribe("anna", "/topics/news"), subscribe("carl", "sport"), news(target),
            subscribe("anna", "news", "unsubscribe"), news(target),
        ]
        let device = target.contains("condition") ? "'news' in topics" : "news"
        #expect(
            try outcomes(records, store: store) == [
                "4 \(device) fanned-out", "4.0 anna delivered", "4.1 bela delivered", "6 \(device) fanned-out",
                "6.0 bela delivered",
            ])
        #expect(try store.notifications().map(\.device) == ["anna", "bela", "bela"])
        #expect(try store.notifications().map(\.identifier) == ["push-4.0", "push-4.1", "push-6.0"])
    }

    @Test(arguments: [#""to":"/topics/news""#, #""priority":"high","condition":"'news' in topics""#])
    func `so does a message of GCM`(target: String) throws {
        let message = "{\(target),\"notification\":{\"body\":\"Text\"}}"
        let lines = try outcomes([device(#""topics":["news"]"#, of: "anna"), message])
        #expect(lines.map { $0.split(separator: " ").last } == ["fanned-out", "delivered"])
    }

    /// APNs takes 4,096 bytes, and FCM has answered by then: binwiederhier/ntfy-android issue 186.
    @Test(arguments: ["", #","android":{"priority":"HIGH"}"#])
    func `what is too large for APNs is lost on the way to Apple devices alone`(block: String) throws {
        let text = String(repeating: "x", count: 4077)
        let push = news(#""topic":"news","apns":{"payload":{"aps":{"alert":"\#(text)"}}}\#(block)"#)
        let records = [
            device(#""platform":"ios""#, of: "anna"), device(#""platform":"android""#, of: "bela"),
            subscribe("anna", "news"), subscribe("bela", "news"), push,
        ]
        #expect(
            try outcomes(records) == [
                "5 news fanned-out", "5.0 anna suppressed too-large-for-apns", "5.1 bela delivered",
            ])
    }

    @Test func `without subscribers it is lost as a whole`() throws {
        let text = String(repeating: "x", count: 4077)
        let push = news(#""topic":"news","apns":{"payload":{"aps":{"alert":"\#(text)"}}}"#)
        #expect(try outcomes([push]) == ["1 news suppressed too-large-for-apns"])
        #expect(
            try outcomes([device(#""platform":"ios""#, of: "anna"), push]) == ["2 news suppressed too-large-for-apns"])
    }

    @Test func `a topic without subscribers is delivered under its own name, as one target`() throws {
        #expect(try outcomes([news()]) == ["1 news delivered"])
        #expect(try outcomes([subscribe("anna", "sport"), news()]) == ["2 news delivered"])
        #expect(
            try outcomes([subscribe("anna", "news"), subscribe("anna", "news", "unsubscribe"), news()])
                == ["3 news delivered"])
    }

    /// Firebase: parentheses first, then from left to right; `!` selects those who are not subscribed.
    @Test(arguments: [
        ("'a' in topics", ["a", "ab"]), ("'a' in topics && 'b' in topics", ["ab"]),
        ("'a' in topics || 'b' in topics", ["a", "ab", "b"]), ("!('a' in topics)", ["b", "none"]),
        ("'a' in topics && !('b' in topics)", ["a"]),
        ("'a' in topics || 'b' in topics && 'b' in topics", ["ab", "b"]),
        ("'a' in topics || ('b' in topics && 'c' in topics)", ["a", "ab"]),
    ])
    func `a condition selects subscribers`(condition: String, expected: [String]) throws {
        let devices = [
            device(#""topics":["a"]"#, of: "a"), device(#""topics":["a","b"]"#, of: "ab"),
            device(#""topics":["b"]"#, of: "b"), device(#""topics":[]"#, of: "none"),
            device(#""online":true"#, of: "unknown"),
        ]
        let lines = try outcomes(devices + [news(#""condition":"\#(condition)""#)])
        #expect(lines.dropFirst().map { $0.split(separator: " ")[1] } == expected.map { $0[...] })
        #expect(lines.first?.hasSuffix(" fanned-out") == true)
    }

    @Test func `the message arrives at each device as its state has it`() throws {
        let records = [
            device(#""online":false,"platform":"android","topics":["news"]"#, of: "away"),
            device(#""platform":"ios","app":"org.example.news","topics":["news"]"#, of: "apple"),
            device(#""authorization":"denied","topics":["news"]"#, of: "denied"),
            device(#""unregistered":true,"topics":["news"]"#, of: "dead"), news(), back("away"),
        ]
        #expect(
            try outcomes(records) == [
                "5 news fanned-out", "5.0 apple delivered", "5.1 away held", "5.2 denied suppressed denied",
                "6.1 away delivered",
            ])
    }

    @Test func `a package restricts a topic to an app`() throws {
        let records = [
            device(#""app":"org.example.news","topics":["news"]"#, of: "anna"),
            device(#""app":"org.example.chat","topics":["news"]"#, of: "bela"),
            news(#""topic":"news","android":{"restricted_package_name":"org.example.chat"}"#),
        ]
        #expect(try outcomes(records) == ["3 news fanned-out", "3.0 bela delivered"])
    }

    @Test func `limits count the topic, and not its subscribers`() throws {
        let records = [subscribe("ab54", "news"), news(), push(to: "ab54"), news()]
        let lines = try outcomes(records) { $0.devicePolicy.pushesPerMinute = 1 }
        #expect(
            lines == [
                "2 news fanned-out", "2.0 ab54 delivered", "3 ab54 delivered", "4 news rejected QUOTA_EXCEEDED",
            ])
    }

    @Test func `an app has at most 2000 topics`() throws {
        let topics = (0..<DeviceRegistry.mostTopics).map { "\"t\($0)\"" }.joined(separator: ",")
        let records = [
            device(#""topics":[\#(topics)]"#, of: "anna"), subscribe("anna", "t7"), subscribe("anna", "one"),
        ]
        #expect(
            try story(records)[1...] == ["2 subscribe applied", "3 subscribe ignored too-many-topics"])
    }

    @Test func `an unknown token is not registered by a subscription when such tokens are rejected`() throws {
        #expect(
            try story([subscribe("anna", "news")]) { $0.devicePolicy.rejectsUnknownDevices = true }
                == ["1 subscribe ignored unknown-device"])
    }

    @Test func `a line of a subscriber names the topic and has no status`() throws {
        var lines: [String] = []
        try Pipeline(deliveringTo: MemoryStore()).process([subscribe("anna", "news"), news()].joined(separator: "\n")) {
            let topic = $0.note?.sentTo ?? "-"
            lines.append("\($0.status ?? 0) \(topic) \($0.note?.recipients ?? 0)")
        }
        #expect(lines == ["0 - 0", "200 - 1", "0 news 0"])
    }

    @Test func `a file keeps subscriptions between runs, and finds them when they are not in memory`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        let devices = [
            device(#""topics":["news","sport"]"#, of: "anna"), subscribe("bela", "news"),
            device(#""topics":[]"#, of: "carl"), push(to: "dora"),
        ]
        _ = try outcomes(devices, store: try SQLiteStore(path: path))
        let other = news(#""condition":"!('news' in topics)""#)
        let expected = [
            "5 news fanned-out", "5.0 anna delivered", "5.1 bela delivered", "6 !('news' in topics) fanned-out",
            "6.0 carl delivered", "8 sport delivered",
        ]
        let records = [
            news(), other, device(#""topics":["news"]"#, of: "anna"), news(#""topic":"sport""#),
        ]
        #expect(
            try outcomes(records, store: try SQLiteStore(path: path, access: .existing, maximumLoaded: 1)) == expected)
        #expect(
            try outcomes([news()], store: try SQLiteStore(path: path))
                == ["9 news fanned-out", "9.0 anna delivered", "9.1 bela delivered"])
    }

    @Test func `an imported store has the subscriptions of the exported one`() throws {
        let folder = try TestFolder()
        let source = try SQLiteStore(path: folder.path("a.db"))
        _ = try outcomes([subscribe("anna", "news"), subscribe("bela", "sport")], store: source)
        let copy = try SQLiteStore(path: folder.path("b.db"))
        for _ in 0..<2 {
            try copy.importing { importer in
                try source.forEachDeviceRecord { try importer.add($0) }
            }
        }
        #expect(try outcomes([news()], store: copy) == ["1 news fanned-out", "1.0 anna delivered"])
    }
}
