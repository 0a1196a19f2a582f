import PushModel
package import PushPipeline
package import PushStore

/// The progress line of a long run, rewritten in place on a terminal.
package struct ProgressText {
    private static let interval = 0.2  // seconds
    private static let clearedLine = "\r\u{1B}[K"

    private let start: Double
    private var lastShown: Double
    private var hasLine = false

    /// - Parameter seconds: now, on a monotonic clock.
    package init(seconds: Double) {
        start = seconds
        lastShown = seconds
    }

    /// The text to write now; nil if the last line was written less than 0.2 seconds ago.
    package mutating func line(_ summary: RunSummary, seconds: Double) -> String? {
        line(seconds) { start in
            let rate = SummaryText.grouped(UInt64(Double(summary.records) / max(seconds - start, 0.001)))
            return "\(SummaryText.grouped(summary.records)) records, \(rate)/s, "
                + "\(SummaryText.grouped(summary.count(.rejected))) rejected, "
                + "\(SummaryText.grouped(summary.count(.malformed))) malformed"
        }
    }

    /// The same for a partition.
    ///
    /// - Parameter lines: the number of lines written.
    package mutating func line(records: UInt64, lines: UInt64, seconds: Double) -> String? {
        line(seconds) { start in
            let rate = UInt64(Double(records) / max(seconds - start, 0.001))
            return "\(SummaryText.grouped(records)) records, \(SummaryText.grouped(rate))/s, "
                + "\(SummaryText.grouped(lines)) lines"
        }
    }

    /// The same for a merge of stores.
    package mutating func line(_ counts: MergeCounts, seconds: Double) -> String? {
        line(seconds) { start in
            let rows = UInt64(max(counts.rows, 0))
            let rate = SummaryText.grouped(UInt64(Double(rows) / max(seconds - start, 0.001)))
            return "\(SummaryText.grouped(rows)) rows, \(rate)/s"
        }
    }

    private mutating func line(_ seconds: Double, _ text: (_ start: Double) -> String) -> String? {
        guard seconds - lastShown >= Self.interval else { return nil }
        lastShown = seconds
        hasLine = true
        return Self.clearedLine + text(start)
    }

    /// The text that clears the line; nil if there is none.
    package mutating func clearing() -> String? {
        defer { hasLine = false }
        return hasLine ? Self.clearedLine : nil
    }
}
