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
}
