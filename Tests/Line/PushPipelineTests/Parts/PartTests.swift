import PushDevices
import PushFraming
import PushModel
import PushPipeline
import TestSupport
import Testing

/// Parts of an input report what one run of the whole reports.
struct PartTests {
    private func configuration(_ seed: UInt64) -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        if seed % 2 == 1 {
            configuration.devicePolicy.backgroundPushesPerHour = 1
            configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle()
        }
        return configuration
    }

    /// The first line that is not among those of the whole, in their order.
    private func stray(_ lines: [PartLine], in whole: [PartLine]) -> String? {
        var rest = whole[...]
        for line in lines {
            guard let position = rest.firstIndex(of: line) else { return line.text }
            rest = rest[(position + 1)...]
        }
        return nil
    }

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64], fast: 1)) func `parts report what the whole input reports`(
        seed: UInt64
    ) throws {
        let records = try divisibleRecords(600, seed: seed)
        let configuration = configuration(seed)
        let whole = try partLines(records.joined(separator: "\n"), configuration, MemoryStore())
        let outcomes = Set(whole.lines.map { $0.text.split(separator: "outcome").last?.prefix(12) })
        #expect(outcomes.count > 10)
        for count in [1, 2, 7] {
            let texts = TestPartitioner(parts: count, configuration: configuration).divide(records)
            var all: [String] = []
            var sums = RunSummaryCounts()
            for (part, text) in texts.enumerated() {
                let run = try partLines(text, configuration, MemoryStore())
                #expect(run.mark == PartMark(part: part, of: count, isComplete: true))
                sums.add(run.summary)
                #expect(stray(run.lines, in: whole.lines) == nil, "seed \(seed), part \(part) of \(count)")
                all += run.lines.map(\.text)
            }
            #expect(all.sorted() == whole.lines.map(\.text).sorted(), "seed \(seed), \(count) parts")
            #expect(sums.records == whole.summary.records)
            #expect(sums.malformed == whole.summary.count(.malformed))
            if count == 1 { #expect(all == whole.lines.map(\.text)) }
        }
    }
}

private struct RunSummaryCounts {
    var records: UInt64 = 0
    var malformed: UInt64 = 0

    mutating func add(_ summary: RunSummary) {
        records += summary.records
        malformed += summary.count(.malformed)
    }
}
