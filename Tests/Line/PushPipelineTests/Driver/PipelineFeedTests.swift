import PushDecoding
import PushDevices
import PushFraming
import PushModel
import PushPipeline
import PushWorkload
import TestSupport
import Testing

/// The reports do not depend on how the bytes are fed, nor on how often.
struct PipelineFeedTests {
    private func reports(_ bytes: [UInt8], pieces: [Int] = []) throws -> [Reported] {
        try Pipeline(configuration { $0.decoding.replacementKey = "custom-payload-id" }).reports(bytes, pieces: pieces)
    }

    @Test(arguments: Effort.some(["0.05", "0", "0.6"], fast: 1))
    func `a workload fed in one piece, in any pieces, and byte by byte gives the same reports`(rate: String) throws {
        for seed in UInt64(1)...3 {
            let bytes = try workload(150, seed: seed, malformedRate: rate)
            let whole = try reports(bytes)
            #expect(whole.count >= 150)
            #expect(try reports(bytes, pieces: byteByByte(bytes)) == whole, "seed \(seed)")
            var generator = SeededGenerator(seed: seed)
            for longest in [60, 2000, 50_000] {
                let pieces = generator.pieces(bytes.count, longest: longest)
                #expect(try reports(bytes, pieces: pieces) == whole, "seed \(seed)")
            }
        }
    }

    /// Several chunks, with records across their borders.
    @Test func `a workload of many chunks gives the same reports in any pieces`() throws {
        let bytes = try workload(4000, seed: 4, malformedRate: "0.02")
        #expect(bytes.count > 4 * 256 * 1024)
        let whole = try reports(bytes)
        #expect(whole.last?.seq == 4000)
        var generator = SeededGenerator(seed: 5)
        for longest in [5000, 700_000] {
            #expect(try reports(bytes, pieces: generator.pieces(bytes.count, longest: longest)) == whole)
        }
    }

    @Test func `only the broken share of a workload is malformed`() throws {
        let good = try reports(try workload(1000, seed: 6))
        #expect(good.allSatisfy { $0.outcome != .malformed })
        #expect(Set(good.map(\.outcome)).isSuperset(of: [.delivered, .replaced, .silent, .rejected]))
        let broken = try reports(try workload(1000, seed: 6, malformedRate: "1"))
        #expect(broken.contains { $0.outcome == .malformed })
        #expect(broken.allSatisfy { $0.outcome == .malformed || $0.outcome == .rejected || !$0.rules.isEmpty })
    }

    @Test func `two runs with a fixed clock give the same reports and the same store`() throws {
        let bytes = try workload(500, seed: 8, malformedRate: "0.05")
        var runs: [([Reported], [DeliveredNotification], [JournalEntry])] = []
        for _ in 0..<2 {
            let store = MemoryStore()
            let reports = try Pipeline(configuration(), deliveringTo: store).reports(bytes, pieces: [])
            runs.append((reports, try store.notifications(), try store.events()))
        }
        #expect(runs[0].0 == runs[1].0)
        #expect(runs[0].1 == runs[1].1)
        #expect(runs[0].2 == runs[1].2)
        #expect(runs[0].1.count > 50)
    }

    @Test func `a fixed clock advances one millisecond per record, whatever the outcome`() throws {
        let store = MemoryStore()
        let pipeline = Pipeline(configuration { $0.clock = .fixed(milliseconds: 5000) }, deliveringTo: store)
        let targets = #"{"registration_ids":["one","two"],"notification":{"title":"Goal"}}"#
        _ = try pipeline.reports([apns("a"), "{", targets, apns("b")].joined(separator: "\n"))
        _ = try pipeline.reports(apns("c"))
        #expect(try store.notifications().map(\.deliveredAt) == [5000, 5002, 5002, 5003, 5004])
        #expect(try store.events().map(\.at) == [5000, 5002, 5002, 5003, 5004])
    }

    @Test func `blanks before an oversized record do not change its position`() throws {
        let input = "{\"a\":1}\n \n{\"aps\":{\"alert\":\"long enough to be over\"}}\n"
        for pieces in [[], byteByByte(Array(input.utf8))] {
            let pipeline = Pipeline(
                configuration {
                    $0.framing = .json
                    $0.maximumRecordBytes = 20
                })
            let reports = try pipeline.reports(Array(input.utf8), pieces: pieces)
            #expect(reports.map(\.error) == ["record.unknown-shape", "record.too-long"])
            #expect(reports.last?.line.contains(#""offset":20,"line":1,"column":21"#) == true)
        }
    }
}
