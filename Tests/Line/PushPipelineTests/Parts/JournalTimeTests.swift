import Foundation
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Everything that is due happens at its own time, whatever record triggers it. Source: `Documentation/reference/store.md`, "Views".
struct JournalTimeTests {
    private static let start: Int64 = 1_700_000_000_000
    private let folder: TestFolder
    private var configuration: PipelineConfiguration

    init() throws {
        folder = try TestFolder(name: "pushpipe-times")
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.clock = .fixed(milliseconds: Self.start)
        configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle()
        self.configuration = configuration
    }

    /// `seq kind at` of each line, with the time since the start of the run.
    private func journal(_ records: [String]) throws -> [String] {
        let store = MemoryStore()
        _ = try story(records, store: store) { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        return try store.events().map { "\($0.seq) \($0.kind.name) \($0.at - Self.start)" }
    }

    @Test func `a message expires when its time to live ends, and not before the clock has moved`() throws {
        let expiring = push(headers: #""apns-expiration":"1700000060""#)
        let away = device(#""app":"org.example.news","online":false"#)
        #expect(try journal([away, expiring, advance("1h"), back()]) == ["2 held 1", "2 expired 60000"])
        // The same when another record comes at that time.
        let other = push(to: "cd")
        #expect(
            try journal([away, expiring, advance("59s"), advance("995ms"), other, other])
                == ["2 held 1", "5 delivered 59999", "2 expired 60000", "6 delivered 60000"])
    }

    @Test func `a disabled token is deleted after thirty days, and an unconfirmed one on the hour`() throws {
        let month = Int64(30 * 86_400_000)
        #expect(
            try journal([device(#""app":"n","unregistered":true"#), push(app: "n"), advance("365d"), push(to: "cd")])
                == ["2 token_disabled 1", "3 token_deleted \(month + 1)", "4 delivered \(365 * 86_400_000 + 3)"])
        // 22:13:20 on the clock.
        #expect(
            try journal([device(#""app":"n","confirmed":false"#), advance("5h")]) == ["2 token_deleted 2800000"])
    }

    @Test func `a token that was due before anything was said of it is deleted at the time of the event`() throws {
        let old = device(#""app":"n","token":"disabled","token_since":"2020-01-01T00:00:00Z""#)
        #expect(
            try journal([push(to: "cd"), old, push(to: "cd")])
                == ["1 delivered 0", "3 token_deleted 1", "3 delivered 2"])
    }

    @Test func `what is due is in the order of its times`() throws {
        func expiring(_ device: String, _ seconds: Int) -> String {
            push(to: device, headers: #""apns-expiration":"\#(1_700_000_000 + seconds)""#)
        }
        let records = [away("aa"), away("bb"), away("cc"), expiring("aa", 90), expiring("bb", 30), expiring("cc", 60)]
        let times = ["4 held 3", "5 held 4", "6 held 5", "5 expired 30000", "6 expired 60000", "4 expired 90000"]
        #expect(try journal(records + [advance("1h")]) == times)
        // The report goes by the records.
        #expect(
            try story(records + [advance("1h")]).suffix(4)
                == ["7 clock applied", "7<4 expired expired", "7<5 expired expired", "7<6 expired expired"])
    }

    @Test func `a deferred background push arrives when the hour ends`() throws {
        let store = MemoryStore()
        var configuration = configuration
        configuration.devicePolicy.backgroundPushesPerHour = 1
        func state(_ name: String) -> String { device(#""app":"org.example.news","state":"\#(name)""#) }
        let records = [
            state("foreground"), state("terminated"), backgroundPush(), backgroundPush(), advance("5h"),
        ]
        _ = try partLines(records.joined(separator: "\n"), configuration, store)
        let last = try #require(try store.events().last)
        #expect(last.seq == 4)
        #expect(last.at == Self.start + 2 + 3_600_000)
    }

    // MARK: - Any stream

    /// Records with their times, and when messages expire.
    private struct Stream {
        var records: [String] = []
        /// The time of each record, and the time after it: an event of the clock has moved it.
        var times: [(before: Int64, after: Int64)] = []
        var expirations: [UInt64: Int64] = [:]

        /// - Parameter events: of how many records one is of each of six kinds of events.
        init(_ count: Int, seed: UInt64, events: Int = 12) {
            var generator = SeededGenerator(seed: seed)
            var now = JournalTimeTests.start
            for device in 0..<6 {
                add(#"{"event":"device","device":"ab0\#(device)","app":"n","online":\#(device % 2 == 0)}"#, &now)
            }
            while records.count < count {
                let device = "ab0\(generator.below(6))"
                func event(_ members: String) -> String {
                    #"{"event":"device","device":"\#(device)","app":"n",\#(members)}"#
                }
                switch generator.below(events) {
                case 0: add(event(#""online":false"#), &now)
                case 1: add(event(#""online":true"#), &now)
                case 2: add(event(#""confirmed":\#(generator.below(3) == 0)"#), &now)
                case 3: add(event(#""unregistered":\#(generator.below(2) == 0)"#), &now)
                case 4:
                    add(event(#""token":"disabled","token_since":"2023-10-1\#(generator.below(9))T00:00:00Z""#), &now)
                case 5:
                    let (text, milliseconds) = generator.pick(Self.advances)
                    add(advance(text), &now, moving: milliseconds)
                default:
                    let expiration = now / 1000 + 1 + Int64(generator.below(900))
                    expirations[UInt64(records.count + 1)] = expiration * 1000
                    add(push(to: device, app: "n", headers: #""apns-expiration":"\#(expiration)""#), &now)
                }
            }
        }

        private static let advances: [(String, Int64)] = [
            ("250ms", 250), ("7s", 7000), ("40s", 40_000), ("10m", 600_000), ("1h", 3_600_000), ("3h", 10_800_000),
            ("29d", 29 * 86_400_000), ("31d", 31 * 86_400_000),
        ]

        private mutating func add(_ record: String, _ now: inout Int64, moving milliseconds: Int64 = 0) {
            records.append(record)
            times.append((now, now + milliseconds))
            now += milliseconds + 1
        }
    }

    /// Says what is wrong with the times in a journal.
    private func problems(_ journal: [JournalEntry], _ stream: Stream) -> [String] {
        var found: [String] = []
        for (entry, next) in zip(journal, journal.dropFirst()) where next.at < entry.at {
            found.append("\(next.seq) \(next.kind.name) is at \(next.at), after \(entry.at)")
        }
        for entry in journal {
            let record = stream.times[Int(entry.seq) - 1]
            switch entry.kind {
            case .tokenDeleted where entry.at > record.after, .tokenDisabled where entry.at != record.before:
                found.append("\(entry.seq) \(entry.kind.name) is at \(entry.at)")
            case .tokenDeleted, .tokenDisabled: break
            case .expired where entry.at != stream.expirations[entry.seq]:
                found.append("\(entry.seq) expires at \(entry.at)")
            case _ where entry.at < record.before: found.append("\(entry.seq) \(entry.kind.name) is at \(entry.at)")
            default: break
            }
        }
        return found
    }

    private func export(_ store: SQLiteStore) throws -> [String] {
        var out = ByteBuffer()
        try store.export(.stateAndJournal, isCSV: false, hiding: nil) { $0(&out) }
        return String(decoding: out.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Runs the records in pieces, each by a process of its own that resumes the one before.
    private func runResumed(
        _ records: [String], cuts: [Int], _ stages: () -> [any DeliveryStage]
    ) throws -> SQLiteStore {
        let input = folder.path("input.ndjson")
        for cut in cuts {
            try folder.write(records[..<cut].map { $0 + "\n" }.joined(), to: "input.ndjson")
            let store = try SQLiteStore(path: folder.path("resumed.db"))
            let progress = try store.progress(of: input) ?? InputProgress(path: input)
            let file = try #require(FileHandle(forReadingAtPath: input))
            try file.seek(toOffset: progress.offset)
            let pipeline = Pipeline(configuration, deliveringTo: store, stages())
            try pipeline.process(
                fileDescriptor: file.fileDescriptor, progress: progress, isStopped: { false }, report: { _ in },
                flush: {})
        }
        return try SQLiteStore(path: folder.path("resumed.db"))
    }

    @Test(arguments: Effort.some(Array(1...40) as [UInt64], fast: 3))
    func `no line is before its cause or out of order, in one run, in parts and in resumed runs`(seed: UInt64) throws {
        let kinds = try journalKinds(Stream(250, seed: seed)) { [RegistryStage()] }
        #expect(kinds.isSuperset(of: [.held, .expired, .delivered, .tokenDeleted]))
    }

    /// As above, with a stage that takes messages ahead of their turn, as a service extension does, and removes notifications late.
    @Test(arguments: Effort.some(Array(1...40) as [UInt64], fast: 3))
    func `nothing of that depends on how far ahead an extension works`(seed: UInt64) throws {
        let stream = Stream(250, seed: seed, events: 30)
        let input = stream.records.joined(separator: "\n")
        let inTurn = MemoryStore()
        let report = try partLines(
            input, configuration, inTurn, stages: [RegistryStage(), ExtensionLikeStage(ahead: 0, seed: seed)])
        let ahead = MemoryStore()
        let stage = ExtensionLikeStage(ahead: 9, seed: seed)
        #expect(
            try partLines(input, configuration, ahead, stages: [RegistryStage(), stage]).lines == report.lines)
        #expect(stage.mostAhead > 2)
        #expect(try text(ahead.events()) == text(inTurn.events()))
        #expect(try ahead.notifications().map(\.identifier) == inTurn.notifications().map(\.identifier))
        let kinds = try journalKinds(stream) { [RegistryStage(), ExtensionLikeStage(ahead: 9, seed: seed)] }
        #expect(kinds.isSuperset(of: [.held, .delivered, .removed]))
    }

    private func text(_ entries: [JournalEntry]) -> [String] {
        entries.map { "\($0.seq) \($0.at) \($0.device) \($0.kind.name) \($0.identifier)" }
    }

    /// Runs a stream with a store in memory, in a file, in parts and in resumed runs, expects the same of each, and returns the kinds of
    /// journal lines.
    private func journalKinds(_ stream: Stream, _ stages: () -> [any DeliveryStage]) throws -> Set<JournalKind> {
        let input = stream.records.joined(separator: "\n")
        let memory = MemoryStore()
        let report = try partLines(input, configuration, memory, stages: stages())
        let journal = try memory.events()
        #expect(problems(journal, stream).isEmpty)

        let whole = try SQLiteStore(path: folder.path("whole.db"))
        #expect(try partLines(input, configuration, whole, stages: stages()).lines == report.lines)
        let expected = try export(whole)
        #expect(try text(whole.events()) == text(journal))

        let partitioner = TestPartitioner(parts: 3, configuration: configuration)
        let paths = try partitioner.divide(stream.records).enumerated().map { part, text in
            let path = folder.path("part-\(part).db")
            let mark = PartMark(part: part, of: 3)
            _ = try partLines(text, configuration, SQLiteStore(path: path), part: mark, stages: stages())
            return path
        }
        try StoreMerger(paths).merge(into: folder.path("merged.db"))
        #expect(try export(SQLiteStore(path: folder.path("merged.db"))) == expected)

        let resumed = try runResumed(stream.records, cuts: [31, 32, 120, 207, 250], stages)
        #expect(try export(resumed) == expected)
        return Set(journal.map(\.kind))
    }
}
