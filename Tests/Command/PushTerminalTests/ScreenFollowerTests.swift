import PushDevices
import PushPipeline
import PushSystem
import PushText
import Testing

@testable import PushTerminal

struct ScreenFollowerTests {
    /// Plays keys, and keeps the frames. Each step may do something first, as the run does meanwhile.
    private final class Player: BrowserTerminal {
        let size = (columns: 60, rows: 12)
        private(set) var frames: [[String]] = []
        private(set) var waits: [Int32] = []
        private var steps: [() throws -> String?]

        init(_ steps: [() throws -> String?]) { self.steps = steps }

        func read(milliseconds: Int32, orUntil other: FileDescriptor?) throws -> [UInt8]? {
            waits.append(milliseconds)
            return steps.isEmpty ? nil : try steps.removeFirst()().map { Array($0.utf8) }
        }

        func show(_ lines: [String]) { frames.append(lines) }

        func last(has text: String) -> Bool { frames.last?.contains { $0.contains(text) } ?? false }
    }

    private let store = MemoryStore(keepsJournal: false, keepsContent: true)

    private func push(_ text: String, to device: String) throws {
        let pipeline = Pipeline(PipelineConfiguration(), store: store)
        let record =
            #"{"device":"\#(device)","headers":{"apns-topic":"a.b"},"payload":{"aps":{"alert":"\#(text)"}}}"# + "\n"
        try Array(record.utf8).withUnsafeBytes { try pipeline.feed($0) { _ in } }
        try pipeline.finish { _ in }
    }

    private func follower(_ player: Player, seconds: @escaping () -> Double = { 0 }) -> ScreenFollower {
        ScreenFollower(style: TextStyle(hasColors: false), seconds: seconds) { player }
    }

    @Test func `what arrives is drawn while the run waits for its input, and keys move`() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer {
            reading.close()
            writing.close()
        }
        try push("first", to: "ab12")
        try push("other", to: "cd34")
        let player = Player([
            { "" }, { "\u{1B}[C" },
            {
                try writing.writeAll([0x0A])
                return ""
            },
        ])
        let follower = follower(player)
        follower.begin(store) { false }
        #expect(player.last(has: "first") && player.last(has: "running"))
        follower.pause(before: reading)
        #expect(player.last(has: "other") && player.last(has: "2 of 2"))
        #expect(player.waits.allSatisfy { $0 > 0 })
        // There is something to read, and it was drawn just now.
        follower.pause(before: reading)
        #expect(player.waits.count == 3)
    }

    @Test func `a fast run is drawn at times, and reading does not wait for keys`() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer {
            reading.close()
            writing.close()
        }
        try writing.writeAll([0x0A])
        let player = Player(Array(repeating: { "" }, count: 10))
        var now = 0.0
        let follower = follower(player) { now }
        follower.begin(store) { false }
        for _ in 0..<100 {
            try push("text", to: "ab12")
            now += 0.01
            follower.pause(before: reading)
        }
        #expect(player.waits == Array(repeating: 0, count: player.waits.count))
        #expect((5...10).contains(player.waits.count))
    }

    @Test func `the screens stay after the end until somebody quits`() throws {
        let player = Player([{ "" }, { "q" }, { "" }])
        let follower = follower(player)
        follower.begin(store) { false }
        try push("late", to: "ab12")
        follower.end()
        #expect(player.last(has: "late") && player.last(has: "ended"))
        #expect(player.waits.count == 2)
        follower.end()
        #expect(player.waits.count == 2)
    }

    @Test(arguments: ["q", nil])
    func `a person who quits, or whose terminal is gone, leaves the run to itself`(key: String?) throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer {
            reading.close()
            writing.close()
        }
        let player = Player([{ key }, { "" }])
        let follower = follower(player)
        follower.begin(store) { false }
        follower.pause(before: reading)
        follower.pause(before: reading)
        follower.end()
        #expect(player.waits.count == 1)
    }

    @Test func `a signal ends the waiting`() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer {
            reading.close()
            writing.close()
        }
        let player = Player(Array(repeating: { "" }, count: 10))
        let follower = follower(player)
        var isStopped = false
        follower.begin(store) {
            defer { isStopped = true }
            return isStopped
        }
        follower.pause(before: reading)
        follower.end()
        #expect(player.waits.count == 1)
    }

    @Test func `a run without the terminal goes on`() throws {
        struct NoTerminal: Error {}
        let follower = ScreenFollower(style: TextStyle(hasColors: false)) { throw NoTerminal() }
        follower.begin(store) { false }
        follower.pause(before: .standardInput)
        follower.end()
    }
}
