import Foundation
import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// A chunk whose records have many consequences is delivered in several transactions, and nobody sees that but in memory.
struct DividedChunkTests {
    /// What a run left: its lines with their places in the input, and the number of its transactions.
    private struct Run {
        var lines: [String] = []
        var summary: RunSummary?
        var transactions: UInt64 = 0
    }

    /// Messages to two topics with their subscribers, among everything that an input can have beside them.
    private func records(_ count: Int, seed: UInt64, prefix: String = "") -> [String] {
        var generator = SeededGenerator(seed: seed)
        let subscribers = (0..<12).map { device(#""topics":["a"\#($0 < 5 ? #","b""# : "")]"#, of: "device-\($0)") }
        return
            (subscribers
            + (0..<count).map { index in
                switch generator.below(12) {
                case 0: return "{\"aps\":{\"alert\":"
                case 1: return apns("Text \(index)", device: "device-\(generator.below(4))", collapse: "c")
                case 2: return generator.pick([away("device-3", platform: .android), back("device-3")])
                case 3:
                    let event = generator.pick(["subscribe", "unsubscribe"])
                    return #"{"event":"\#(event)","device":"device-7","topic":"a"}"#
                case 4: return advance("\(generator.below(60))s")
                case 5: return #"{"registration_ids":["device-1","device-3"],"notification":{"body":"\#(index)"}}"#
                case 6: return apns(String(repeating: "long ", count: 1500))
                case 7: return ""
                default:
                    let target = #""topic":"\#(generator.pick(["a", "b", "none"]))","android":{"ttl":"600s"}"#
                    return #"{"message":{\#(target),"notification":{"title":"\#(index)"}}}"#
                }
            }).map { $0.isEmpty ? $0 : prefix + $0 }
    }

    private func run(
        _ path: String, _ store: any DeliveryStore, mostConsequences: Int,
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> Run {
        var settings = configuration {
            $0.framing = .ndjson
            $0.maximumRecordBytes = 6000
            $0.decoding.replacementKey = "custom-payload-id"
        }
        configure(&settings)
        let pipeline = Pipeline(settings, deliveringTo: store)
        pipeline.mostConsequences = mostConsequences
        let input = try InputFile(path)
        var run = Run()
        try pipeline.process(
            fileDescriptor: input.descriptor.rawValue, source: InputSource("in", isAlwaysReported: true), progress: nil,
            isStopped: { false },
            report: { report in
                let place = report.source.map { "\($0.record) \($0.position) \($0.offset)" }
                run.lines.append(Reported(report).line + (place ?? ""))
            }, flush: {})
        run.summary = pipeline.summary
        run.transactions = pipeline.stageTimes.lanes.chunksInOrder
        return run
    }

    @Test(arguments: [1, 4, 30], [1, 3])
    func `transactions that end early change no line, place, count or screen`(most: Int, jobs: Int) throws {
        let folder = try TestFolder()
        let path = folder.path("in.ndjson")
        for seed in Effort.some([1, 2, 3] as [UInt64], fast: 1) {
            let text = "\u{FEFF}" + records(400, seed: seed).joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: URL(filePath: path))
            let whole = MemoryStore()
            let expected = try run(path, whole, mostConsequences: .max)
            #expect(expected.transactions <= 2)
            #expect(expected.lines.contains { $0.contains(#""outcome":"held""#) })
            #expect(expected.lines.contains { $0.contains("record.too-long") })
            let divided = MemoryStore()
            let found = try run(path, divided, mostConsequences: most) { $0.jobs = jobs }
            #expect(found.transactions > 15)
            #expect(found.lines == expected.lines)
            #expect(found.summary == expected.summary)
            #expect(try divided.notifications() == whole.notifications())
            #expect(try divided.events() == whole.events())
        }
    }

    /// The lines of a log are narrowed to the records in them, which must not be narrowed again.
    @Test func `so do records that are located in lines`() throws {
        let folder = try TestFolder()
        let path = folder.path("in.log")
        let lines = records(300, seed: 7, prefix: "12:00 sent {5} ") + ["nothing here", "12:00 {\"x\":1} {\"aps\":{}}"]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        for pointer in [nil, "/payload"] {
            func located(_ store: MemoryStore, _ most: Int) throws -> Run {
                try run(path, store, mostConsequences: most) {
                    $0.decoding.location = RecordLocation(pointer: pointer, skipsPrefix: true)
                }
            }
            let (whole, divided) = (MemoryStore(), MemoryStore())
            let expected = try located(whole, .max)
            let found = try located(divided, 1)
            #expect(expected.summary?.locatedRecords ?? 0 > 0 || pointer != nil)
            #expect(found.transactions > 30 || pointer != nil)
            #expect(found.lines == expected.lines)
            #expect(found.summary == expected.summary)
            #expect(try divided.notifications() == whole.notifications())
        }
    }

    @Test(arguments: [1, 3])
    func `the next input is delivered when a reader throws at the first part of a chunk`(jobs: Int) throws {
        let pipeline = Pipeline(configuration { $0.jobs = jobs }, deliveringTo: MemoryStore())
        pipeline.mostConsequences = 1
        let text = records(40, seed: 3).joined(separator: "\n") + "\n"
        #expect(throws: PipelineFailureTests.Trouble.self) {
            try pipeline.process(text) { _ in throw PipelineFailureTests.Trouble() }
        }
        #expect(try pipeline.reports("\(apns("kept"))\n").map(\.outcome) == [.delivered])
    }

    @Test(arguments: [1, 3])
    func `an input that others take turns with is continued where it was left`(jobs: Int) throws {
        let text = records(200, seed: 11).filter { !$0.isEmpty }.map { $0 + "\n" }
        func lines(_ most: Int) throws -> (lines: [String], turns: Int) {
            var settings = configuration {
                $0.framing = .ndjson
                $0.maximumRecordBytes = 6000
                $0.jobs = jobs
            }
            settings.clock = .fixed(milliseconds: 0)
            let pipeline = Pipeline(settings, deliveringTo: MemoryStore())
            pipeline.mostConsequences = most
            var rest = text[...]
            var (found, turns): ([String], Int) = ([], 0)
            while !rest.isEmpty {
                turns += 1
                let bytes = Array(rest.joined().utf8)
                let count = try bytes.withUnsafeBytes {
                    try pipeline.feedTurn($0) { line, record in
                        #expect(record < rest.count)
                        found.append(Reported(line).line)
                    }
                }
                rest = rest.dropFirst(count ?? rest.count)
            }
            #expect(rest.isEmpty)
            return (found, turns)
        }
        let whole = try lines(.max)
        #expect(whole.turns == 1)
        let pieces = try lines(1)
        #expect(pieces.turns > 20)
        #expect(pieces.lines == whole.lines)
    }

    struct Killed: Error {}

    /// Ends a run at each of its transactions in turn, after the commit, and resumes it.
    @Test func `a run resumes after each transaction of a chunk`() throws {
        let folder = try TestFolder()
        let path = folder.path("in.ndjson")
        try Data((records(120, seed: 5).joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        let expected = try exported(folder.path("whole.db"), path, stopAt: [], most: .max)
        #expect(expected.lines.count > 300)
        for stop in 1...8 {
            let found = try exported(folder.path("\(stop).db"), path, stopAt: [stop, 2], most: 20)
            #expect(found.lines == expected.lines)
            #expect(found.notifications == expected.notifications)
            #expect(found.events == expected.events)
        }
    }

    /// Runs an input on a store in a file. The run fails after the transactions with the given numbers, and is resumed each time.
    private func exported(
        _ store: String, _ path: String, stopAt: [Int], most: Int
    ) throws -> (lines: [String], notifications: [DeliveredNotification], events: [JournalEntry]) {
        var lines: [String] = []
        for (attempt, stop) in (stopAt + [.max]).enumerated() {
            let store = try SQLiteStore(path: store)
            let input = try InputFile(path, store: store, resumes: attempt > 0)
            var settings = configuration { $0.maximumRecordBytes = 6000 }
            settings.framing = .ndjson
            let pipeline = Pipeline(settings, deliveringTo: store)
            pipeline.mostConsequences = most
            var transactions = 0
            do {
                try pipeline.process(
                    fileDescriptor: input.descriptor.rawValue, progress: input.progress, isStopped: { false },
                    text: { text in
                        lines += String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                        transactions += 1
                        if transactions == stop { throw Killed() }
                    })
                #expect(stop == .max)
            } catch is Killed {}
        }
        let store = try SQLiteStore(path: store, access: .readOnly)
        return (lines, try store.notifications(), try store.events())
    }
}
