import Foundation
import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import TestSupport
import Testing

/// The output does not depend on the number of cores.
struct JobsTests {
    /// Marks messages by their contents, as a stage that may run on any core.
    private struct Marker: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) {
            guard let body = message.body, body.utf8.count.isMultiple(of: 3) else { return }
            context.report(Finding(rule: "test.third", severity: .info, pointer: "", message: "\(body.utf8.count)"))
        }
    }

    private func run(
        _ bytes: [UInt8], jobs: Int, pieces: [Int] = [], store: MemoryStore = MemoryStore(),
        replacing rule: ReplacementRule = ReplacementRule(key: "custom-payload-id")
    ) throws -> ([Reported], [DeliveredNotification], [JournalEntry]) {
        let pipeline = Pipeline(
            configuration {
                $0.jobs = jobs
                $0.decoding.replacement = rule
                $0.recordStages = [Marker()]
            }, store: store)
        let reports = try pipeline.reports(bytes, pieces: pieces)
        return (reports, try store.notifications(), try store.events())
    }

    @Test(arguments: Effort.some([3, 2, 8], fast: 1))
    func `reports, screens and journal do not depend on the number of jobs`(
        jobs: Int
    ) throws {
        let bytes = try workload(6000, seed: 12, malformedRate: "0.03")
        #expect(bytes.count > 8 * 256 * 1024)
        let alone = try run(bytes, jobs: 1)
        let together = try run(bytes, jobs: jobs)
        #expect(alone.0.count > 6000)
        #expect(together.0 == alone.0)
        #expect(together.1 == alone.1)
        #expect(together.2 == alone.2)
        #expect(alone.0.contains { $0.rules.contains("test.third") })
    }

    /// A store with a journal delivers one message at a time, so its result is that of no lanes at all.
    @Test(arguments: Effort.some([2, 1, 8, 3], fast: 1)) func `lanes deliver what one message after the other does`(
        jobs: Int
    ) throws {
        let bytes = try workload(Effort.rounds(6000, fast: 3500), seed: 14, malformedRate: "0.03")
        let oneByOne = try run(bytes, jobs: 1)
        let lanes = try run(bytes, jobs: jobs, store: MemoryStore(keepsJournal: false))
        #expect(lanes.0 == oneByOne.0)
        #expect(lanes.1 == oneByOne.1)
        #expect(lanes.1.count > 1000)
        let withoutContent = try run(
            bytes, jobs: jobs, store: MemoryStore(keepsJournal: false, keepsContent: false))
        #expect(withoutContent.0 == oneByOne.0)
        #expect(withoutContent.1.isEmpty)
    }

    /// Every push without an id removes the oldest one of its app without: lanes must keep their order.
    @Test(arguments: Effort.some([2, 3], fast: 1)) func `lanes replace what the first match and missing ids say`(
        jobs: Int
    ) throws {
        let bytes = try workload(Effort.rounds(6000, fast: 3500), seed: 15)
        var rule = ReplacementRule(key: "custom-payload-id")
        (rule.match, rule.missing, rule.comparison) = (.first, .equal, .string)
        let oneByOne = try run(bytes, jobs: 1, replacing: rule)
        let lanes = try run(bytes, jobs: jobs, store: MemoryStore(keepsJournal: false), replacing: rule)
        #expect(lanes.0 == oneByOne.0)
        #expect(lanes.1 == oneByOne.1)
        #expect(oneByOne.0.contains { $0.outcome == .reposted })
        let plain = try run(bytes, jobs: 1)
        #expect(plain.0 != oneByOne.0)
    }

    /// The report that `run` writes: its lines are composed on any core, while lanes deliver later chunks.
    @Test(arguments: Effort.some([2, 8, 1, 3], fast: 1)) func `a composed report does not depend on the number of jobs`(
        jobs: Int
    ) throws {
        let count = Effort.rounds(6000, fast: 3000)
        var input = try workload(2 * count, seed: 17, malformedRate: "0.02")
        input += try workload(600, seed: 18, eventRate: "0.3")
        input += try workload(count, seed: 19)
        func composed(jobs: Int, _ store: MemoryStore) throws -> ([UInt8], RunSummary) {
            let pipeline = Pipeline(configuration { $0.jobs = jobs }, store: store)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("jobs-\(UUID().uuidString)")
            try Data(input).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let handle = try FileHandle(forReadingFrom: file)
            var text: [UInt8] = []
            try pipeline.process(
                fileDescriptor: handle.fileDescriptor, progress: nil, isStopped: { false },
                composer: { NDJSONReport().append($0, to: &$1) }, text: { text += Array($0.string.utf8) }, flush: {})
            return (text, pipeline.summary)
        }
        func store() -> MemoryStore { MemoryStore(keepsJournal: false, keepsContent: false) }
        let oneByOne = try composed(jobs: 1, store())
        let lanes = try composed(jobs: jobs, store())
        #expect(oneByOne.0.split(separator: 10).count > 3 * count + 600)
        #expect(lanes.0 == oneByOne.0)
        #expect(lanes.1 == oneByOne.1)
    }

    @Test func `a receiver of reports finds the store as the reported chunk has left it`() throws {
        let input = try workload(4000, seed: 21)
        func counts(jobs: Int) throws -> [Int] {
            let store = MemoryStore(keepsJournal: false)
            let pipeline = Pipeline(configuration { $0.jobs = jobs }, store: store)
            var counts: [Int] = []
            var lines = 0
            try input.withUnsafeBytes { bytes in
                try pipeline.feed(bytes) { _ in
                    lines += 1
                    if lines.isMultiple(of: 500) { counts.append(try store.notifications().count) }
                }
            }
            return counts
        }
        #expect(try counts(jobs: 4) == counts(jobs: 1))
    }

    /// Notifications that lanes have delivered before are tapped, dismissed and cleared.
    @Test(arguments: Effort.some([2, 5, 1], fast: 1)) func `events between lanes find what the lanes delivered`(
        jobs: Int
    ) throws {
        var input: [UInt8] = []
        for part in 0..<UInt64(Effort.rounds(4, fast: 2)) {
            input += try workload(3000, seed: 20 + part)
            input += try workload(300, seed: 30 + part, eventRate: "0.5")
        }
        let oneByOne = try run(input, jobs: 1)
        for keepsContent in [true, false] {
            let store = MemoryStore(keepsJournal: false, keepsContent: keepsContent)
            let lanes = try run(input, jobs: jobs, store: store)
            #expect(lanes.0 == oneByOne.0)
            if keepsContent { #expect(lanes.1 == oneByOne.1) }
        }
        let outcomes = Set(oneByOne.0.map(\.outcome))
        #expect(outcomes.isSuperset(of: [.delivered, .replaced, .reposted, .silent, .applied, .ignored]))
    }

    @Test func `a run says what its lanes delivered, and what they could not`() throws {
        let plain = try workload(3000, seed: 15)
        func lanes(_ bytes: [UInt8], jobs: Int, _ store: MemoryStore) throws -> StageTimes.LaneUse {
            let pipeline = Pipeline(configuration { $0.jobs = jobs }, store: store)
            _ = try pipeline.reports(bytes, pieces: [])
            return pipeline.stageTimes.lanes
        }
        let inLanes = try lanes(plain, jobs: 3, MemoryStore(keepsJournal: false))
        #expect(inLanes.count == 3)
        #expect(inLanes.chunksInLanes > 1)
        #expect(inLanes.chunksInOrder == 0)
        #expect(inLanes.reasons.isEmpty)

        let withJournal = try lanes(plain, jobs: 3, MemoryStore())
        #expect(withJournal.chunksInLanes == 0)
        #expect(withJournal.reasons == ["journal"])

        let event = Array(#"{"event":"clock","advance":1000}"#.utf8) + [10]
        let withEvent = try lanes(plain + event + plain, jobs: 2, MemoryStore(keepsJournal: false))
        #expect(withEvent.chunksInLanes > 1)
        #expect(withEvent.reasons == ["events"])

        let topic = Array(#"{"event":"subscribe","device":"ab","app":"org.example.news","topic":"n"}"#.utf8) + [10]
        let withTopic = try lanes(plain + topic + plain, jobs: 2, MemoryStore(keepsJournal: false))
        #expect(withTopic.chunksInLanes > 1)
        #expect(withTopic.reasons.first == "events")

        let device = Array(#"{"event":"device","device":"ab","platform":"ios","app":"org.example.news"}"#.utf8) + [10]
        let withDevice = try lanes(device + plain, jobs: 2, MemoryStore(keepsJournal: false))
        #expect(withDevice.reasons == ["events"])
        #expect(withDevice.chunksInLanes > 1)

        let away = Array(#"{"event":"device","device":"ab54","online":false}"#.utf8) + [10]
        let push = Array(apns("Text").utf8) + [10]
        let withQueue = try lanes(away + plain + push + plain, jobs: 2, MemoryStore(keepsJournal: false))
        #expect(withQueue.reasons == ["events", "registry"])
        #expect(withQueue.chunksInLanes > 1)
    }

    @Test func `a store divides its devices once`() throws {
        let store = MemoryStore(keepsJournal: false)
        let first = Pipeline(configuration { $0.jobs = 4 }, store: store)
        let second = Pipeline(configuration { $0.jobs = 2 }, store: store)
        let bytes = try workload(2000, seed: 16)
        let reports = try first.reports(bytes, pieces: []) + second.reports(bytes, pieces: [])
        let alone = MemoryStore(keepsJournal: false)
        let expected = try Pipeline(configuration { $0.jobs = 1 }, store: alone).reports(bytes + bytes, pieces: [])
        #expect(reports.map(\.outcome) == expected.map(\.outcome))
        #expect(try store.notifications().map(\.identifier) == alone.notifications().map(\.identifier))
    }

    @Test func `small pieces are reported immediately with any number of jobs`() throws {
        let bytes = try workload(60, seed: 13, malformedRate: "0.1")
        let alone = try run(bytes, jobs: 1)
        let together = try run(bytes, jobs: 4, pieces: byteByByte(bytes))
        #expect(together.0 == alone.0)
        #expect(together.1 == alone.1)
    }

    @Test func `a record longer than many chunks passes between its neighbours`() throws {
        let long = String(repeating: "x", count: 900_000)
        let input = (0..<40).map { apns($0.isMultiple(of: 4) ? long : "short \($0)") }.joined(separator: "\n")
        let alone = try run(Array(input.utf8), jobs: 1)
        let together = try run(Array(input.utf8), jobs: 3)
        #expect(alone.0.map(\.outcome).count { $0 == .rejected } == 10)
        #expect(together.0 == alone.0)
    }
}
