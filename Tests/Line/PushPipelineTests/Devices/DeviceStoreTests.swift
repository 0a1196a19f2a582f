import Foundation
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// A store keeps devices and queued messages as it keeps screens.
struct DeviceStoreTests {
    /// Random pushes and events, the same for the same seed.
    private func records(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { index in
            let name = generator.pick(["aa", "bb", "cc", "dd", "ee"])
            let app = generator.pick(["org.example.a", "org.example.b"])
            switch generator.below(16) {
            case 0, 1: return away(name, platform: name == "ee" ? .android : .ios)
            case 2, 3: return back(name)
            case 4: return advance("\(generator.below(400))s")
            case 5: return data(to: "ee", key: generator.pick([nil, "k1", "k2", "k3", "k4", "k5"]), ttl: 600)
            case 6: return backgroundPush(to: name, app: app)
            case 7:
                let state = generator.pick(["foreground", "background", "terminated", "force-quit"])
                return device(#""app":"\#(app)","state":"\#(state)""#, of: name)
            case 8:
                let authorization = generator.pick(["authorized", "denied", "not-determined", "provisional"])
                return device(#""authorization":"\#(authorization)""#, of: name)
            case 9: return #"{"event":"\#(generator.pick(["tap", "dismiss", "clear"]))","device":"\#(name)"}"#
            case 10: return device(#""unregistered":\#(generator.pick([true, false, false]))"#, of: name)
            case 11:
                return generator.pick([
                    #"{"event":"open","device":"\#(name)","screen":"note","kind":"editor","modal":true}"#,
                    #"{"event":"edit","device":"\#(name)"}"#,
                    #"{"event":"confirm","device":"\#(name)","answer":"cancel"}"#,
                    #"{"event":"confirm","device":"\#(name)","answer":"discard"}"#,
                    #"{"event":"read","device":"\#(name)"}"#,
                    #"{"event":"open","device":"\#(name)","screen":"","kind":"centre"}"#,
                    #"{"event":"\#(generator.pick(["subscribe", "unsubscribe"]))","device":"\#(name)","topic":"\#(generator.pick(["a", "b"]))"}"#,
                    #"{"message":{"condition":"'a' in topics && !('b' in topics)","notification":{"title":"\#(index)"}}}"#,
                ])
            case 12:
                return device(
                    generator.pick([
                        #""will_present":["banner"]"#, #""delegate":"without-will-present""#,
                        #""will_present":["list","sound"]"#,
                        #""types":["a","b"]"#, #""logged_in":true"#, #""registration":"failed""#,
                        #""registration":"succeeded""#,
                    ]), of: name)
            default:
                return push(
                    "\(index)", to: name, app: app,
                    headers: generator.pick(["", #""apns-collapse-id":"x""#, #""apns-expiration":"1700000300""#]))
            }
        }
    }

    /// Successive runs on the same store, which is reopened for each.
    private func story(_ runs: [[String]], open: () throws -> any DeliveryStore) throws -> [String] {
        var lines: [String] = []
        for records in runs { lines += try PushPipelineTests.story(records, store: try open()) }
        return lines
    }

    @Test(arguments: [1, 2, 3, 4]) func `a file keeps devices between runs as memory does`(seed: UInt64) throws {
        let all = records(1200, seed: seed)
        let runs = stride(from: 0, to: all.count, by: 150).map { Array(all[$0..<min($0 + 150, all.count)]) }
        let memory = MemoryStore()
        let expected = try story(runs) { memory }
        #expect(expected.contains { $0.contains("<") && $0.contains(" delivered") })
        #expect(expected.contains { $0.contains("expired expired") })
        #expect(expected.contains { $0.contains("discarded superseded") })

        let folder = try TestFolder()
        let path = folder.path("phone.db")
        // As in a store that has needed them.
        if seed > 2 { try SQLiteStore(path: path).buildIndexes(StoreIndex.allCases) }
        #expect(try story(runs) { try SQLiteStore(path: path) } == expected)
        let file = try SQLiteStore(path: path, access: .readOnly)
        #expect(try file.notifications() == memory.notifications())
        #expect(try file.events() == memory.events())
    }

    @Test func `state evicted between transactions is found again`() throws {
        let all = records(1000, seed: 9)
        let memory = MemoryStore()
        let expected = try story([all]) { memory }
        let folder = try TestFolder()
        let small = try SQLiteStore(path: folder.path("phone.db"), access: .readWrite, maximumLoaded: 2)
        // One record per transaction.
        var lines: [String] = []
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        let pipeline = Pipeline(configuration, deliveringTo: small)
        for record in all {
            try Array((record + "\n").utf8).withUnsafeBytes { bytes in
                try pipeline.feed(bytes) { lines.append("\($0.seq) \($0.outcome.name)") }
            }
        }
        let short = expected.map { line in
            let words = line.split(separator: " ")
            let outcome = words.first { word in Outcome.allCases.contains { $0.name.description == word } } ?? ""
            return "\(words[0].prefix { $0 != "<" }) \(outcome)"
        }
        #expect(lines == short)
        #expect(try small.events() == memory.events())
    }

    // MARK: - Queued messages

    @Test func `queued messages are indexed when a run asks the file for those of a device`() throws {
        let folder = try TestFolder()
        let open = { try SQLiteStore(path: folder.path("phone.db")) }
        var store = try open()
        _ = try PushPipelineTests.story([away(), push("kept"), back(), away(), push("kept")], store: store)
        #expect(try store.indexes().isEmpty)
        store = try open()
        #expect(try PushPipelineTests.story([push("newer")], store: store) == ["6 held", "6<5 discarded superseded"])
        #expect(try store.indexes() == [.notifications, .queuedOfDevice, .queuedByExpiry])
    }

    @Test func `no queue is indexed where no message is queued`() throws {
        let folder = try TestFolder()
        let open = { try SQLiteStore(path: folder.path("phone.db")) }
        _ = try PushPipelineTests.story([away(), push("kept"), back()], store: try open())
        let store = try open()
        #expect(try PushPipelineTests.story([away(), push("kept")], store: store) == ["4 device applied", "5 held"])
        #expect(try store.indexes() == [.notifications])
    }

    /// Who only asks keeps nobody from writing.
    @Test func `a question about a device with queued messages changes nothing`() throws {
        let folder = try TestFolder()
        let open = { try SQLiteStore(path: folder.path("phone.db")) }
        _ = try PushPipelineTests.story([away(), push("kept")], store: try open())
        let store = try open()
        let ask = {
            try store.readRegistry(replacing: nil) { registry in
                let platform = try registry.platform(of: BorrowedText("ab54" as StaticString))
                #expect(platform == .ios)
            }
        }
        try ask()
        #expect(try store.indexes().isEmpty)
        try open().transaction(replacing: nil) { _ in try ask() }
        #expect(try PushPipelineTests.story([back()], store: store) == ["3 device applied", "3<2 delivered"])
    }

    @Test func `a failed run leaves devices unchanged`() throws {
        struct Trouble: Error {}
        let folder = try TestFolder()
        let store = try SQLiteStore(path: folder.path("phone.db"))
        _ = try PushPipelineTests.story([away(), push("kept")], store: store)
        #expect(throws: Trouble.self) {
            try store.transaction(replacing: nil) { session in
                var event = DeviceEvent(.device, device: "ab54")
                event.isOnline = true
                try session.registry.apply(event, at: 0)
                throw Trouble()
            }
        }
        #expect(try PushPipelineTests.story([push("newer")], store: store) == ["3 held", "3<2 discarded superseded"])
    }
}
