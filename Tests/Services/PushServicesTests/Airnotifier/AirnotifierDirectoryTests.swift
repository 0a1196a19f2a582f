import Testing

@testable import PushServices

struct AirnotifierDirectoryTests {
    @Test func `what clients register takes bounded memory`() {
        var directory = AirnotifierDirectory()
        let long = String(repeating: "t", count: 60_000)
        for index in 0..<1000 {
            directory.register("\(long)\(index)", device: "fcm", channel: "default", by: "k", in: "app")
        }
        let tokens = directory.tokens(of: "app", channel: nil, device: nil)
        let bytes = tokens.reduce(0) { $0 + $1.name.utf8.count }
        #expect(bytes <= 32 << 20)
        #expect(tokens.contains { $0.name == "\(long)999" })
    }

    @Test func `a token that is registered again takes no more`() {
        var directory = AirnotifierDirectory()
        directory.register("first", device: "fcm", channel: "default", by: "k", in: "app")
        let long = String(repeating: "t", count: 60_000)
        for _ in 0..<1000 { directory.register(long, device: "fcm", channel: "default", by: "k", in: "app") }
        for _ in 0..<1000 {
            directory.register("\(long)x", device: "fcm", channel: "default", by: "k", in: "app")
            directory.remove("\(long)x", of: "app")
        }
        #expect(directory.tokens(of: "app", channel: nil, device: nil).map(\.name) == ["first", long])
    }

    @Test func `a token has a bounded number of keys`() {
        var directory = AirnotifierDirectory()
        var registered = 0
        for index in 0..<1100 {
            let isTaken = directory.register("t", device: "fcm", channel: "default", by: "key\(index)", in: "app")
            if isTaken { registered += 1 }
        }
        #expect(registered == 1000)
        let isKnown = directory.register("t", device: "fcm", channel: "default", by: "key0", in: "app")
        #expect(isKnown)
    }

    @Test func `keys and apps are bounded`() {
        var directory = AirnotifierDirectory()
        var added = 0
        for index in 0..<20_000 where directory.add("key\(index)", .moodle, to: "app\(index % 10)") { added += 1 }
        #expect(added == 10_000)
        var other = AirnotifierDirectory()
        for index in 0..<2000 { _ = other.add("key", .moodle, to: "app\(index)") }
        #expect(other.permissions(of: "key", in: "app999") == .moodle)
        other.register("t", device: "fcm", channel: "default", by: "k", in: "app1999")
        #expect(other.token("t", of: "app1999") == nil)
    }

    @Test func `the tokens of an app are chosen by channel and device`() {
        var directory = AirnotifierDirectory()
        for (name, device, channel) in [("a", "fcm", "x"), ("b", "ios", "x"), ("c", "fcm", "y")] {
            directory.register(name, device: device, channel: channel, by: "k", in: "app")
        }
        #expect(directory.tokens(of: "app", channel: "x", device: nil).map(\.name) == ["a", "b"])
        #expect(directory.tokens(of: "app", channel: nil, device: "fcm").map(\.name) == ["a", "c"])
        #expect(directory.tokens(of: "other", channel: nil, device: nil).isEmpty)
    }
}
