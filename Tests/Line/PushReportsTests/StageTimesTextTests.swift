import PushReports
import Testing

@testable import PushPipeline

struct StageTimesTextTests {
    @Test func `a time that is wider than its column stays apart from the others`() {
        var times = StageTimes()
        for stage in StageTimes.Stage.allCases {
            times[stage] = StageTimes.Time(nanoseconds: 1_234_567_890_123, count: 1)
        }
        let rows = StageTimesText.table(times, RunSummary(), seconds: 1).split(separator: "\n")
        for row in rows.dropFirst().dropLast() {
            let cells = row.split(separator: " ")
            // Name, seconds, share with its sign, records, nanoseconds for each.
            #expect(cells.count == 6 && cells.last == "1,234,567,890,123", "\(row)")
        }
    }

    @Test func `the line about lanes says what they delivered, what they did not, and why`() {
        func line(_ change: (inout StageTimes.LaneUse) -> Void) -> String? {
            var times = StageTimes()
            change(&times.lanes)
            return StageTimesText.table(times, RunSummary(), seconds: 1).split(separator: "\n")
                .first { $0.hasPrefix("  delivery") }.map(String.init)
        }
        #expect(line { _ in } == nil)
        #expect(line { ($0.count, $0.chunksInLanes) = (1, 1) } == "  delivery in 1 lane, 1 chunk")
        #expect(line { ($0.count, $0.chunksInLanes) = (2, 1950) } == "  delivery in 2 lanes, 1,950 chunks")
        let mixed = line { use in
            (use.count, use.chunksInLanes) = (2, 7)
            for reason in ["events", "registry", "registry"] { use.addInOrder(reason) }
        }
        #expect(mixed == "  delivery in 2 lanes, 7 chunks; 3 chunks one message at a time (events, registry)")
        #expect(line { $0.addInOrder("store") } == "  delivery in 1 chunk one message at a time (store)")
    }
}
