import PushDevices
import PushPipeline
import PushReports
import PushSQLite
import Testing

struct SummaryTextTests {
    @Test(arguments: [
        (0, "0 notifications"), (1, "1 notification"), (2, "2 notifications"), (999, "999 notifications"),
        (1234, "1,234 notifications"), (1_234_567, "1,234,567 notifications"),
    ])
    func `numbers are grouped, and 1 is singular`(number: Int, text: String) {
        #expect(SummaryText.counted(number, "notification") == text)
    }

    @Test func `pruned items are reported, the journal only if it was pruned`() {
        var summary = Pruning.Summary()
        summary.notifications = 2
        summary.events = 2
        let notifications = Pruning(keep: 1)
        let all = Pruning(before: 1, includesEvents: true)
        #expect(SummaryText.line(summary, of: notifications, isRehearsal: false) == "removed 2 notifications\n")
        #expect(SummaryText.line(summary, of: notifications, isRehearsal: true) == "would remove 2 notifications\n")
        #expect(
            SummaryText.line(summary, of: all, isRehearsal: false)
                == "removed 2 notifications and 2 lines of the journal\n")
    }

    @Test(arguments: [
        (1000, "1 s"), (119_999, "119 s"), (120_000, "2 minutes"), (7_200_000, "2 hours"),
        (Int64(172_800_000), "2 days"),
    ])
    func `a slow clock is reported in the largest unit of which there are at least two`(lag: Int64, text: String) {
        #expect(SummaryText.lag(lag) { " [\($0)]" }.contains("up to \(text) behind"))
    }

    @Test func `the progress line is updated at most five times per second and then cleared`() {
        let summary = Pipeline(configuration()).summary
        var seconds = 10.0
        var notes: [String] = []
        let progress = ProgressLine(isShown: true, now: { seconds }, note: { notes.append($0) })
        progress.clear()
        for time in [10.1, 10.3, 10.4] {
            seconds = time
            progress.show(summary)
        }
        progress.clear()
        progress.clear()
        #expect(notes == ["\r\u{1B}[K0 records, 0/s, 0 rejected, 0 malformed", "\r\u{1B}[K"])
    }
}
