import PushDevices
import PushModel
import TestSupport
import Testing

@testable import PushPipeline

/// The lines about what time brings about, for many devices: their order is the same whatever the number of jobs.
struct ExpiryOrderTests {
    /// Runs records, several chunks at a time.
    ///
    /// - Parameter jobs: the number of lanes; nil for a store with a journal, which has none.
    private func run(_ parts: [[String]], jobs: Int?) throws -> (reports: [Reported], store: MemoryStore) {
        let store = MemoryStore(keepsJournal: jobs == nil)
        let pipeline = Pipeline(configuration { $0.jobs = jobs ?? 1 }, store: store)
        let reports = try parts.flatMap { records in
            try pipeline.reports(Array((records.joined(separator: "\n") + "\n").utf8), pieces: [])
        }
        return (reports, store)
    }

    private func expectSame(_ parts: [[String]]) throws -> [Reported] {
        let oneByOne = try run(parts, jobs: nil)
        for jobs in [2, 3, 8] {
            let lanes = try run(parts, jobs: jobs)
            #expect(lanes.reports == oneByOne.reports, "\(jobs) lanes")
            #expect(try lanes.store.notifications() == oneByOne.store.notifications())
        }
        return oneByOne.reports
    }

    private let devices = (0..<24).map { "d\($0)" }

    /// The clock begins at 1000 seconds, and a record takes a millisecond.
    @Test func `messages that expire at one moment have their lines in the order of their records`() throws {
        let pushes = devices.reversed().map { data(to: $0, ttl: 60) }
        let parts = [devices.map { away($0, platform: .android) }, pushes, [advance("2m")], [data(to: "other")]]
        let reports = try expectSame(parts)
        let expired = reports.filter { $0.outcome == .expired }
        #expect(expired.count == devices.count)
        #expect(expired.allSatisfy { $0.seq == UInt64(2 * devices.count + 1) })
    }

    @Test func `what expires between the records of other devices stands before the line of the next record`() throws {
        // Each is due a second after it has come, which is a thousand records later.
        let pushes = devices.map { data(to: $0, ttl: 1) }
        let others = (0..<1100).map { data(to: "other-\($0)") }
        let reports = try expectSame([devices.map { away($0, platform: .android) } + pushes + others])
        let expired = reports.filter { $0.outcome == .expired }
        #expect(expired.map(\.seq) == pushes.indices.map { UInt64(devices.count + $0 + 1001) })
    }

    @Test func `clock events among the records of many devices take effect in their order`() throws {
        var records = devices.map { away($0, platform: .android) }
        for round in 0..<12 {
            records += devices.map { data(to: $0, key: "k\(round % 3)", ttl: 100 + 40 * round) }
            records.append(advance("\(45 + round)s"))
            records.append(back(devices[round]))
            records.append(#"{"event":"tap","device":"\#(devices[round])"}"#)
            records.append(away(devices[round], platform: .android))
        }
        let reports = try expectSame([records, records])
        #expect(Set(reports.map(\.outcome)).isSuperset(of: [.expired, .held, .discarded, .applied]))
    }

    @Test func `a clock at its end is ignored once`() throws {
        let reports = try expectSame([[away("d1")] + Array(repeating: advance("1000000d"), count: 3) + [push(to: "d1")]]
        )
        #expect(reports.map(\.outcome) == [.applied, .applied, .applied, .ignored, .held])
    }

    @Test func `apps are listed in the order in which they were first seen`() throws {
        func badge(_ device: String) -> String {
            #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"badge":3}}}"#
        }
        func badges(_ prefix: String) -> [String] { (10..<34).map { badge("\(prefix)\($0)") } }
        let parts = [
            badges("dd"), [away("away")] + badges("ee") + [push(to: "away")],
            [#"{"event":"subscribe","device":"dd13","topic":"n"}"#] + badges("ff"),
        ]
        func apps(jobs: Int?) throws -> [String] {
            var found: [String] = []
            try run(parts, jobs: jobs).store.forEachBadge { device, _, badge in found.append("\(device) \(badge ?? 0)")
            }
            return found
        }
        let oneByOne = try apps(jobs: nil)
        #expect(oneByOne.count == 72)
        for jobs in [2, 8] {
            #expect(try apps(jobs: jobs) == oneByOne)
        }
    }
}
