import Foundation
import PushDevices
import PushPipeline
import PushSQLite
import PushSystem
import PushText
import TestSupport
import Testing

@testable import PushTerminal

struct ScreenBrowserJobTests {
    /// Plays keys, and keeps the frames. Each step may do something first, as another process does meanwhile.
    private final class Player: BrowserTerminal {
        var size = (columns: 60, rows: 12)
        private(set) var frames: [[String]] = []
        private var steps: [() throws -> String]

        init(_ steps: [() throws -> String]) { self.steps = steps }

        func read(milliseconds: Int32, orUntil other: FileDescriptor?) throws -> [UInt8]? {
            steps.isEmpty ? nil : Array(try steps.removeFirst()().utf8)
        }

        func show(_ lines: [String]) { frames.append(lines) }

        func lastFrameHas(_ text: String) -> Bool { frames.last?.contains { $0.contains(text) } ?? false }
    }

    private static func push(_ text: String, to device: String, _ store: SQLiteStore) throws {
        let pipeline = Pipeline(PipelineConfiguration(), store: store)
        let record =
            #"{"device":"\#(device)","headers":{"apns-topic":"a.b"},"payload":{"aps":{"alert":"\#(text)"}}}"# + "\n"
        try Array(record.utf8).withUnsafeBytes { try pipeline.feed($0) { _ in } }
        try pipeline.finish { _ in }
    }

    private static func run(
        _ folder: TestFolder, device: String? = nil, on player: Player, isStopped: () -> Bool = { false }
    ) throws {
        let store = try SQLiteStore(following: folder())
        var session = BrowserSession(
            store, version: store.version, title: "s.db", device: device, style: TextStyle(hasColors: false),
            size: player.size)
        try session.run(on: player, isStopped: isStopped)
    }

    @Test func `what another process delivers is drawn, and keys move`() throws {
        let folder = try TestFolder()
        let writer = try SQLiteStore(path: folder())
        try Self.push("first", to: "ab12", writer)
        let player = Player([
            {
                try Self.push("second", to: "ab12", writer)
                try Self.push("third", to: "cd34", writer)
                return ""
            },
            { "" }, { "\u{1B}[C" }, { "" },
        ])
        try Self.run(folder, on: player)
        #expect(player.frames.count == 3)
        #expect(player.frames[0].contains { $0.contains("first") })
        #expect(!player.frames[0].contains { $0.contains("second") })
        #expect(player.frames[1].contains { $0.contains("second") })
        #expect(player.lastFrameHas("third"))
        #expect(player.lastFrameHas("2 of 2"))
    }

    @Test func `another store in its place is shown`() throws {
        let folder = try TestFolder()
        try Self.push("old", to: "ab12", try SQLiteStore(path: folder()))
        let player = Player([
            {
                try folder.clear()
                return ""
            },
            {
                try Self.push("new", to: "cd34", try SQLiteStore(path: folder()))
                return ""
            },
            { "" },
        ])
        try Self.run(folder, on: player)
        #expect(
            player.frames.contains {
                $0.last?.contains("No such file") == true
            })
        #expect(player.lastFrameHas("new"))
        #expect(!player.lastFrameHas("old"))
    }

    @Test func `a device is begun with, and q ends`() throws {
        let folder = try TestFolder()
        let writer = try SQLiteStore(path: folder())
        for device in ["ab12", "cd34"] { try Self.push("to \(device)", to: device, writer) }
        let player = Player([{ "q" }, { "\u{1B}[D" }, { "" }])
        try Self.run(folder, device: "cd34", on: player)
        #expect(player.frames.count == 1)
        #expect(player.lastFrameHas("to cd34"))
    }

    @Test func `a window that changes its size is drawn anew`() throws {
        let folder = try TestFolder()
        try Self.push("hello", to: "ab12", try SQLiteStore(path: folder()))
        let player = Player([])
        var asked = 0
        try Self.run(
            folder, on: player,
            isStopped: {
                asked += 1
                if asked == 1 { player.size = (30, 5) }
                return asked > 1
            })
        #expect(player.frames.last?.count == 5)
        #expect(player.frames.last?.allSatisfy { TerminalText.width($0) <= 30 } == true)
    }
}

extension TestFolder {
    /// The path of its store.
    fileprivate func callAsFunction() -> String { path("s.db") }

    /// Removes the store with its log.
    fileprivate func clear() throws {
        for name in ["s.db", "s.db-wal", "s.db-shm"] where exists(name) {
            try FileManager.default.removeItem(atPath: path(name))
        }
    }
}
