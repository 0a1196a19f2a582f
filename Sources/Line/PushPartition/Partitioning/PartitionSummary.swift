import PushReports

package struct PartitionSummary: Sendable, Equatable {
    /// Records read, including malformed ones.
    package var records: UInt64 = 0
    /// Those that have nothing where `DecodingOptions.location` says, and those that have something.
    package var emptyRecords: UInt64 = 0
    package var locatedRecords: UInt64 = 0
    /// Lines written for records, without the first and the last line of each part.
    package var lines: UInt64 = 0
    /// Of the lines, those of records that are in other parts, too.
    package var copies: UInt64 = 0
    package var linesOfPart: [UInt64]
    /// Records that look as if they had been placed before.
    package var placedBefore: UInt64 = 0

    package init(parts: Int) { linesOfPart = Array(repeating: 0, count: parts) }

    /// Lines of text, each with a line feed.
    package func text(seconds: Double) -> String {
        let rate = UInt64(Double(records) / max(seconds, 0.000_001))
        let tenths = UInt64((max(seconds, 0) * 10).rounded())
        let parts = linesOfPart.count
        var text =
            "\(Self.count(records, "record")) in \(Self.count(UInt64(parts), "part")), \(tenths / 10).\(tenths % 10) s "
        text += "(\(SummaryText.grouped(rate)) records/s)\n"
        if parts > 1, let least = linesOfPart.min(), let most = linesOfPart.max() {
            text += "  lines of a part \(SummaryText.grouped(least)) to \(SummaryText.grouped(most))\n"
        }
        if copies > 0 { text += "  copies of records for several parts \(SummaryText.grouped(copies))\n" }
        if emptyRecords > 0 { text += "  without a payload \(SummaryText.grouped(emptyRecords))\n" }
        return text
    }

    private static func count(_ number: UInt64, _ name: String) -> String {
        "\(SummaryText.grouped(number)) \(name)\(number == 1 ? "" : "s")"
    }
}
