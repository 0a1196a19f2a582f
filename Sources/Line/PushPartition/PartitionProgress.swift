import PushReports
import PushSystem

/// The line of progress of a partition.
struct PartitionProgress {
    private static let interval = 0.2  // seconds
    private static let clearedLine = "\r\u{1B}[K"

    private let isShown: Bool
    private let start: Double
    private var lastShown: Double
    private var hasLine = false

    /// - Parameter start: on a monotonic clock, in seconds.
    init(isShown: Bool, start: Double) {
        self.isShown = isShown
        self.start = start
        lastShown = start
    }

    mutating func show(_ summary: PartitionSummary, _ note: (String) -> Void) {
        let now = SystemClock.monotonicSeconds()
        guard isShown, now - lastShown >= Self.interval else { return }
        lastShown = now
        hasLine = true
        let rate = UInt64(Double(summary.records) / max(now - start, 0.001))
        note(
            Self.clearedLine + "\(SummaryText.grouped(summary.records)) records, \(SummaryText.grouped(rate))/s, "
                + "\(SummaryText.grouped(summary.lines)) lines")
    }

    mutating func clear(_ note: (String) -> Void) {
        if hasLine { note(Self.clearedLine) }
        hasLine = false
    }
}
