import PushModel
import PushPartition
import PushPipeline
import Testing

/// Records that concern several parts: topics, the clock, broadcasts.
struct SharedRecordTests {
    private static func part(_ device: String, _ parts: UInt64 = 64) -> Int { Int(hash(device) % parts) }

    @Test func theClockAdvancesEverywhere() throws {
        let divided = try DividedInput(#"{"event":"clock","advance":"1h"}"#, parts: 3)
        #expect(divided.records.map(\.part) == [0, 1, 2])
        #expect(divided.records.map(\.place.isCopy) == [false, true, true])
        #expect(divided.summary.copies == 2)
    }

    @Test func aMessageToATopicIsCopiedForItsSubscribers() throws {
        let input = """
            {"event":"device","device":"two","app":"org.b","topics":["news"]}
            {"event":"device","device":"one","app":"org.a"}
            {"event":"subscribe","device":"one","topic":"news"}
            {"event":"device","device":"other","app":"org.a","topics":["sport"]}
            {"to":"/topics/news","data":{"a":"b"}}
            {"event":"unsubscribe","device":"one","topic":"news"}
            {"message":{"topic":"news","data":{"a":"b"}}}
            """
        let divided = try DividedInput(input, parts: 64)
        let first = divided.records.filter { $0.place.seq == 5 }
        let own = first.filter { $0.place.recipient == nil }
        #expect(own.map(\.part) == [Self.part("/topics/news")])
        #expect(own.map(\.place.recipients) == [2])
        let copies = first.filter { $0.place.recipient != nil }.sorted { $0.position < $1.position }
        #expect(copies.map(\.place.recipient) == ["one org.a", "two org.b"])
        #expect(copies.map(\.place.target) == [0, 1])
        #expect(copies.map(\.part) == [Self.part("one"), Self.part("two")])
        let second = divided.records.filter { $0.place.seq == 7 }
        #expect(second.compactMap(\.place.recipient) == ["two org.b"])
        #expect(divided.summary.recipients == 3)
    }

    @Test func aTopicWithoutKnownSubscribersIsADevice() throws {
        let divided = try DividedInput(#"{"to":"/topics/news","data":{"a":"b"}}"#, parts: 64)
        #expect(divided.records.map(\.part) == [Self.part("/topics/news")])
        #expect(divided.records.map(\.place.recipients) == [nil])
    }

    @Test func aTopicOfDeadTokensHasNoRecipients() throws {
        let input = """
            {"event":"device","device":"one","app":"a","topics":["news"],"unregistered":true}
            {"to":"/topics/news","data":{"a":"b"}}
            """
        let divided = try DividedInput(input, parts: 64)
        #expect(divided.records.filter { $0.place.seq == 2 }.map(\.place.recipients) == [0])
    }

    /// The clock of the tests begins at 1000 s. A token that dies an hour later is alive until then.
    @Test func theClockDecidesWhichTokensAreDead() throws {
        let input = """
            {"event":"device","device":"one","app":"a","topics":["news"],"unregistered_at":3000}
            {"to":"/topics/news","data":{"a":"b"}}
            {"event":"clock","advance":"1h"}
            {"to":"/topics/news","data":{"a":"b"}}
            """
        let divided = try DividedInput(input, parts: 64)
        #expect(divided.records.filter { $0.place.seq == 2 }.compactMap(\.place.recipients) == [1])
        #expect(divided.records.filter { $0.place.seq == 4 }.compactMap(\.place.recipients) == [0])
    }

    private static func start(_ device: String, _ channel: String) -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"org.a.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{},"alert":{"title":"t","body":"b"},"input-push-channel":"\#(channel)"}}}"#
    }

    private static func broadcast(_ channel: String) -> String {
        #"{"headers":{"apns-channel-id":"\#(channel)","apns-topic":"org.a.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":2,"event":"update","content-state":{}}}}"#
    }

    @Test func aBroadcastGoesWhereItsChannelHasBeenSeen() throws {
        let input = [
            Self.start("a1", "Yw=="), Self.start("b2", "Yw=="), Self.start("c6", "ZA=="), Self.broadcast("Yw=="),
        ]
        let divided = try DividedInput(input.joined(separator: "\n"), parts: 64)
        let last = divided.records.filter { $0.place.seq == 4 }.sorted { $0.part < $1.part }
        #expect(last.map(\.part) == [Self.part("a1"), Self.part("b2")].sorted())
        #expect(last.map(\.place.isCopy) == [false, true])
    }

    @Test func anUnknownChannelIsThatOfTheRequestsDevice() throws {
        let divided = try DividedInput(
            [Self.broadcast("Yw=="), Self.broadcast("Yw==")].joined(separator: "\n"), parts: 64)
        #expect(divided.records.map(\.part) == [Self.part("default"), Self.part("default")])
        #expect(divided.records.allSatisfy { !$0.place.isCopy })
    }

    @Test func anActivityBeginsWhenItsPushArrives() throws {
        let input = [
            #"{"event":"device","device":"a1","app":"org.a","online":false}"#,
            #"{"event":"device","device":"b2","app":"org.a","unregistered":true}"#, Self.start("a1", "Yw=="),
            Self.start("b2", "Yw=="), Self.start("c6", "Yw=="), Self.broadcast("Yw=="),
            #"{"event":"device","device":"a1","app":"org.a","online":true}"#, Self.broadcast("Yw=="),
        ]
        let divided = try DividedInput(
            input.joined(separator: "\n").replacing(
                #""apns-push-type""#, with: #""apns-expiration":"2000000000","apns-push-type""#), parts: 64)
        #expect(divided.records.filter { $0.place.seq == 6 }.map(\.part) == [Self.part("c6")])
        let last = divided.records.filter { $0.place.seq == 8 }.map(\.part)
        #expect(last.sorted() == [Self.part("a1"), Self.part("c6")].sorted())
    }

    private static func push(_ device: String, _ event: String) -> String {
        start(device, "").replacing(#","input-push-channel":"""#, with: "").replacing(
            #""event":"start""#, with: #""event":"\#(event)""#)
    }

    /// Only the whole stream tells that one activity of the app waits for its token.
    @Test func aTokenThatTheOrderKnowsGoesToItsDevice() throws {
        let input = [
            Self.push("a1", "start"), Self.push("b2", "update"), Self.push("b2", "end"), Self.push("c3", "update"),
        ]
        let divided = try DividedInput(input.joined(separator: "\n"), parts: 64)
        let records = divided.records.sorted { $0.place.seq < $1.place.seq }
        #expect(records.map(\.part) == ["a1", "a1", "a1", "c3"].map { Self.part($0) })
        #expect(records.map(\.place.owner) == [nil, "a1", "a1", nil])
    }

    @Test func aStartThatIsRefusedStartsNothing() throws {
        let start = Self.push("a1", "start")
        let wrong = start.replacing(#""headers":{"#, with: #""headers":{"apns-priority":"7","#)
        let text = String(repeating: "x", count: 5000)
        let large = start.replacing(#""content-state":{"#, with: #""content-state":{"a":"\#(text)""#)
        for refused in [wrong, large, Self.push("a1b", "start")] {
            let divided = try DividedInput([refused, Self.push("b2", "update")].joined(separator: "\n"), parts: 64)
            let last = try #require(divided.records.last { $0.place.seq == 2 })
            #expect(last.part == Self.part("b2") && last.place.owner == nil)
        }
    }

    @Test func aTokenThatAnEventNamesGoesToItsDevice() throws {
        let input = [
            #"{"event":"device","device":"one","app":"org.a","start_token":"s","activity_tokens":["u"]}"#,
            Self.push("s", "start"), Self.push("u", "update"),
        ]
        let divided = try DividedInput(input.joined(separator: "\n"), parts: 64)
        #expect(divided.records.map(\.part) == Array(repeating: Self.part("one"), count: 3))
        #expect(divided.records.allSatisfy { $0.place.owner == nil })
    }

    /// Expo, "Send notifications with Expo's Push API": each token stands for an app on a device.
    @Test func aTokenOfExpoGoesToItsDevice() throws {
        let input = [
            #"{"event":"device","device":"one","app":"org.a","platform":"android","expo":"ExponentPushToken[a]"}"#,
            #"{"event":"device","device":"two","app":"org.a","platform":"android","expo":"ExponentPushToken[b]"}"#,
            #"{"to":"ExponentPushToken[a]","title":"x"}"#,
            #"{"to":["ExponentPushToken[a]","ExponentPushToken[b]"],"title":"x"}"#,
        ]
        let divided = try DividedInput(input.joined(separator: "\n"), parts: 64)
        let messages = divided.records.filter { $0.place.seq > 2 }
            .sorted { ($0.place.seq, $0.place.target ?? 0) < ($1.place.seq, $1.place.target ?? 0) }
        #expect(messages.map(\.part) == [Self.part("one"), Self.part("one"), Self.part("two")])
        #expect(messages.map(\.place.target) == [nil, 0, 1])
    }

    /// The part of the device that had a token is told that it has it no longer.
    @Test func anEventThatTakesATokenOfExpoIsCopied() throws {
        func phone(_ name: String) -> String {
            #"{"event":"device","device":"\#(name)","app":"org.a","platform":"ios","expo":"ExponentPushToken[a]"}"#
        }
        let input = [
            phone("one"), phone("two"), phone("two"), #"{"to":"ExponentPushToken[a]","title":"x"}"#, phone("one"),
        ]
        let divided = try DividedInput(input.joined(separator: "\n"), parts: 64)
        let records = divided.records.filter { !$0.place.isCopy }.sorted { $0.place.seq < $1.place.seq }
        #expect(records.map(\.part) == ["one", "two", "two", "two", "one"].map { Self.part($0) })
        let copies = divided.records.filter(\.place.isCopy).sorted { $0.place.seq < $1.place.seq }
        #expect(copies.map(\.place.seq) == [2, 5])
        #expect(copies.map(\.part) == [Self.part("one"), Self.part("two")])
    }
}
