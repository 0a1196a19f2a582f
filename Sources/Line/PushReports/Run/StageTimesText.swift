package import PushPipeline

/// A table of per-stage timings.
package enum StageTimesText {
    /// A line per stage: its time, its share of all stages' time, records or messages, and nanoseconds for each of them.
    package static func table(_ times: StageTimes, _ summary: RunSummary, seconds: Double) -> String {
        let total = StageTimes.Stage.allCases.reduce(0) { $0 &+ times[$1].nanoseconds }
        var text = row("stage", "seconds", "share", "records", "ns each")
        for stage in StageTimes.Stage.allCases {
            let time = times[stage]
            // For a stage that counts only bytes, the time is divided by the number of records.
            let count = time.count > 0 ? time.count : summary.records
            text += row(
                "\(stage)", decimal(time.nanoseconds, 1_000_000_000), percent(time.nanoseconds, of: total),
                SummaryText.grouped(count), count > 0 ? SummaryText.grouped(time.nanoseconds / count) : "-")
        }
        return text + lanes(times.lanes)
            + row("all", decimal(UInt64(seconds * 1e9), 1_000_000_000), "", SummaryText.grouped(summary.records), "")
    }

    /// How chunks were delivered: `2 lanes, 12 chunks; 1 chunk one message at a time (events)`.
    private static func lanes(_ use: StageTimes.LaneUse) -> String {
        func chunks(_ count: UInt64) -> String { "\(SummaryText.grouped(count)) \(count == 1 ? "chunk" : "chunks")" }
        var parts: [String] = []
        if use.chunksInLanes > 0 {
            parts.append("\(use.count) \(use.count == 1 ? "lane" : "lanes"), \(chunks(use.chunksInLanes))")
        }
        if use.chunksInOrder > 0 {
            parts.append("\(chunks(use.chunksInOrder)) one message at a time (\(use.reasons.joined(separator: ", ")))")
        }
        return parts.isEmpty ? "" : "  delivery in " + parts.joined(separator: "; ") + "\n"
    }

    private static func row(_ name: String, _ seconds: String, _ share: String, _ count: String, _ each: String)
        -> String
    {
        var line = "  " + padded(name, -8)
        // A cell that is too wide for its column must not run into the one before it.
        for (cell, width) in [(seconds, 9), (share, 7), (count, 14), (each, 10)] {
            line += " " + padded(cell, width - 1)
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }

    /// Right-aligned in `width` columns; left-aligned if that is negative.
    private static func padded(_ text: String, _ width: Int) -> String {
        let blanks = String(repeating: " ", count: max(abs(width) - text.count, 0))
        return width < 0 ? text + blanks : blanks + text
    }

    /// Three decimals.
    private static func decimal(_ number: UInt64, _ unit: UInt64) -> String {
        let thousandths = number / (unit / 1000)
        return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    }

    private static func percent(_ part: UInt64, of whole: UInt64) -> String {
        whole == 0 ? "-" : "\((part &* 100 &+ whole / 2) / whole) %"
    }
}
