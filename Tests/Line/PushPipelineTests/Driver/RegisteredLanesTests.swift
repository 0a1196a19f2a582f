import PushDevices
import PushModel
import PushWorkload
import TestSupport
import Testing

@testable import PushPipeline

/// Lanes deliver messages to registered devices of which nothing but defaults are known; events, and messages about which the registry decides,
/// come one after the other. A store with a journal delivers all of them so.
struct RegisteredLanesTests {
    private struct Run {
        var reports: [Reported]
        var notifications: [DeliveredNotification]
        var lanes: StageTimes.LaneUse
    }

    /// - Parameter parts: inputs of their own, so that none of their records are in one chunk.
    private func run(
        _ parts: [[UInt8]], jobs: Int, _ store: MemoryStore,
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> Run {
        let pipeline = Pipeline(
            configuration {
                $0.jobs = jobs
                configure(&$0)
            }, store: store)
        let reports = try parts.flatMap { try pipeline.reports($0, pieces: []) }
        return Run(
            reports: reports, notifications: try store.notifications(), lanes: pipeline.stageTimes.lanes)
    }

    private func lines(_ records: [String]) -> [UInt8] { Array(records.joined(separator: "\n").utf8) + [10] }

    /// Events that register all devices of `workload`.
    private func registrations() throws -> [UInt8] {
        let generator = WorkloadGenerator(try WorkloadConfiguration(count: 0, devices: 20))
        var bytes: [UInt8] = []
        var number = 0
        while generator.appendRegistration(of: number, to: &bytes) { number += 1 }
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.replacing(#"{"device":"#, with: #"{"event":"device","device":"#).utf8)
    }

    @Test(arguments: Effort.some([4, 1, 2, 8], fast: 1))
    func `registered devices get in lanes what they get one after the other`(jobs: Int) throws {
        let parts = [
            try registrations(), try workload(Effort.rounds(6000, fast: 3000), seed: 41, malformedRate: "0.02"),
            try workload(300, seed: 42, eventRate: "0.4"), try workload(3000, seed: 43),
        ]
        let oneByOne = try run(parts, jobs: 1, MemoryStore())
        for keepsContent in [true, false] {
            let lanes = try run(parts, jobs: jobs, MemoryStore(keepsJournal: false, keepsContent: keepsContent))
            #expect(lanes.reports == oneByOne.reports)
            if keepsContent { #expect(lanes.notifications == oneByOne.notifications) }
            #expect(lanes.lanes.chunksInLanes > 0)
            // After the events, some devices are offline.
            #expect(lanes.lanes.reasons == ["events", "registry"])
        }
        #expect(Set(oneByOne.reports.map(\.outcome)).isSuperset(of: [.delivered, .replaced, .held, .applied]))
    }

    /// Generated streams in which every chunk has events.
    @Test(arguments: Effort.some([2, 1, 4, 8], fast: 1), Effort.some([51, 52, 53] as [UInt64], fast: 1))
    func `a mixed stream does not depend on the number of jobs`(jobs: Int, seed: UInt64) throws {
        let parts = [
            try workload(Effort.rounds(6000, fast: 2000), seed: seed, malformedRate: "0.01", eventRate: "0.25"),
            try workload(500, seed: seed + 100), try workload(500, seed: seed + 200, eventRate: "0.01"),
        ]
        let oneByOne = try run(parts, jobs: 1, MemoryStore())
        let together = try run(parts, jobs: jobs, MemoryStore(keepsJournal: false, keepsContent: false))
        #expect(together.reports == oneByOne.reports)
    }

    /// An event about a device, and a message to it that is therefore decided about.
    private static let decided: [(event: String, message: String)] = [
        (away(), push()),
        (device(#""state":"foreground""#), push()),
        (device(#""authorization":"denied""#), push()),
        (device(#""alerts":false"#), push()),
        (device(#""unregistered":true"#), push()),
        (device(#""types":[]"#), push()),
        (device(#""app":"org.example.news.voip""#), push()),
        (#"{"event":"focus","device":"ab54","on":true}"#, push()),
        (#"{"event":"summary","device":"ab54","on":true}"#, push()),
        (device(#""platform":"ios""#, of: "android"), data()),
        (device(#""platform":"android","doze":true"#, of: "android"), data()),
        (device(#""canonical":"other""#, of: "android"), data()),
        (device(#""online":false"#, of: "AB54"), data(to: "AB54")),
        (device(#""app":"org.example.news""#, of: "android"), data()),
        (
            #"{"event":"subscribe","device":"android","app":"org.example.news","topic":"n"}"#, data(to: "/topics/n")
        ),
        (
            device(#""expo":"ExponentPushToken[a]""#), #"{"to":"ExponentPushToken[a]","title":"Text"}"#
        ),
    ]

    @Test(arguments: decided) func `what is known of a device decides about its messages`(
        event: String, message: String
    ) throws {
        let parts = [lines([event]), lines([message, push(to: "cd10"), message])]
        let oneByOne = try run(parts, jobs: 1, MemoryStore())
        let store = MemoryStore(keepsJournal: false)
        let lanes = try run(parts, jobs: 2, store)
        #expect(lanes.reports == oneByOne.reports)
        #expect(lanes.notifications == oneByOne.notifications)
        #expect(lanes.lanes.reasons == ["events", "registry"], "\(event)")
        // Without the event it would have been otherwise, or at least nothing would have been known.
        let unknown = try run([lines([message, push(to: "cd10"), message])], jobs: 2, MemoryStore(keepsJournal: false))
        #expect(unknown.lanes.reasons.isEmpty)
    }

    @Test(arguments: [
        device(#""online":true"#), device(#""platform":"ios","app":"org.example.news""#),
        device(#""app":"org.example.other""#),
        device(#""online":true"#, of: "AB54"),
    ]) func `a device with nothing but defaults leaves its messages to the lanes`(event: String) throws {
        let parts = [lines([event]), lines([push(), push(to: "cd10"), push(headers: #""apns-collapse-id":"a""#)])]
        let oneByOne = try run(parts, jobs: 1, MemoryStore())
        for jobs in [1, 2] {
            let lanes = try run(parts, jobs: jobs, MemoryStore(keepsJournal: false))
            #expect(lanes.reports == oneByOne.reports)
            #expect(lanes.lanes.reasons == ["events"])
            #expect(lanes.lanes.chunksInLanes == 1)
        }
    }

    @Test func `what is due while a chunk passes happens at the same record in lanes`() throws {
        let kept = #""apns-expiration":"1010""#
        // The clock begins at 1000 seconds, and a record takes a millisecond.
        let parts = [
            lines([away(), push(headers: kept), device(#""online":true"#, of: "cd10")]),
            lines(Array(repeating: push(to: "cd10"), count: 5)),
            lines([#"{"event":"clock","advance":"9990ms"}"#]),
            lines(Array(repeating: push(to: "cd10"), count: 20)),
        ]
        let oneByOne = try run(parts, jobs: 1, MemoryStore())
        #expect(oneByOne.reports.contains { $0.outcome == .expired })
        for jobs in [1, 2] {
            let lanes = try run(parts, jobs: jobs, MemoryStore(keepsJournal: false))
            #expect(lanes.reports == oneByOne.reports)
            #expect(lanes.lanes.chunksInLanes == 1)
        }
    }

    @Test func `limits that count messages see each`() throws {
        let parts = [lines([device(#""online":true"#)]), lines([push(), push(), push(to: "cd10")])]
        func limited(_ change: @escaping (inout DevicePolicy) -> Void) throws -> Run {
            let oneByOne = try run(parts, jobs: 1, MemoryStore()) { change(&$0.devicePolicy) }
            let lanes = try run(parts, jobs: 2, MemoryStore(keepsJournal: false)) { change(&$0.devicePolicy) }
            #expect(lanes.reports == oneByOne.reports)
            #expect(lanes.lanes.chunksInLanes == 0)
            return lanes
        }
        #expect(try limited { $0.pushesPerMinute = 1 }.reports.contains { $0.outcome == .rejected })
        #expect(try limited { $0.pushesPerMinuteOfSender = 2 }.reports.contains { $0.outcome == .rejected })
        #expect(try limited { $0.rejectsUnknownDevices = true }.reports.contains { $0.outcome == .rejected })
    }
}
