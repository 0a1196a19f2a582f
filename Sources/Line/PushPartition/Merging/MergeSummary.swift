import PushReports

enum MergeSummary {
    static func text(lines: UInt64, reports: Int, seconds: Double) -> String {
        let rate = UInt64(Double(lines) / max(seconds, 0.000_001))
        return "\(SummaryText.grouped(lines)) \(lines == 1 ? "line" : "lines") of "
            + "\(SummaryText.grouped(UInt64(reports))) \(reports == 1 ? "report" : "reports") "
            + "(\(SummaryText.grouped(rate)) lines/s)\n"
    }
}
