package import PushModel
package import PushPipeline
package import PushStore
package import PushText

package enum SummaryText {
    /// Records, messages and bytes; then a line per outcome.
    ///
    /// - Parameter style: has the width of the terminal.
    package static func lines(
        _ summary: RunSummary, seconds: Double, style: TextStyle = TextStyle(hasColors: false)
    ) -> String {
        let rate = UInt64(Double(summary.records) / max(seconds, 0.000_001))
        var lines = [
            "\(grouped(summary.records)) \(summary.records == 1 ? "record" : "records"), "
                + "\(grouped(summary.messages)) \(summary.messages == 1 ? "message" : "messages"), "
                + "\(grouped(summary.payloadBytes)) payload bytes in \(rounded(seconds)) s (\(grouped(rate)) records/s)"
        ]
        for outcome in Outcome.allCases where summary.count(outcome) > 0 {
            let details = details(of: outcome, in: summary)
            let count = "  \(outcome.name) \(grouped(summary.count(outcome)))"
            lines.append(details.isEmpty ? count : "\(count): \(details)")
        }
        if summary.skippedRecords > 0 {
            let records = summary.skippedRecords == 1 ? "record" : "records"
            lines.append("skipped \(grouped(summary.skippedRecords)) \(records) that the store already has")
        }
        if summary.emptyLines > 0 {
            lines.append("  without a payload \(grouped(summary.emptyLines))")
        }
        let obstacles = ExtensionObstacle.allCases.filter { summary.count($0) > 0 }
        if !obstacles.isEmpty {
            let details = obstacles.map { "\($0.name) \(grouped(summary.count($0)))" }.joined(separator: ", ")
            let total = obstacles.reduce(0) { $0 &+ summary.count($1) }
            lines.append("extension not started \(grouped(total)): \(details)")
        }
        return lines.map { line in
            var flowing = FlowingLine(style, indent: 4)
            flowing.appendWords(line)
            return flowing.text + "\n"
        }.joined()
    }

    /// How many stale duplicates are on the screens: `3 stale duplicates on screen, 1 removal pending`; empty if there are none, and
    /// nothing is pending.
    package static func stale(_ count: StaleCount, style: TextStyle = TextStyle(hasColors: false)) -> String {
        guard count != StaleCount() else { return "" }
        var text = "\(counted(count.shown, "stale duplicate")) on screen"
        if count.pending > 0 { text += ", \(counted(count.pending, "removal")) pending" }
        var flowing = FlowingLine(style, indent: 4)
        flowing.appendWords(text)
        return flowing.text + "\n"
    }

    /// Says that a part of a divided input has no end; empty for any other input.
    package static func part(_ part: PartMark?) -> String {
        guard let part, !part.isComplete else { return "" }
        return "\(part.name) has no end: records are missing, and what would have expired later has not\n"
    }

    private static func details(of outcome: Outcome, in summary: RunSummary) -> String {
        switch outcome {
        case .rejected:
            Rejection.allCases.filter { summary.count($0) > 0 }
                .map { "\($0.row.status) \($0.row.reason) \(grouped(summary.count($0)))" }.joined(separator: ", ")
        case .malformed:
            summary.malformedByRule.sorted { $0.key < $1.key }.map { "\($0.key) \(grouped($0.value))" }
                .joined(separator: ", ")
        default: ""
        }
    }

    private static let units: [(name: String, seconds: UInt64)] = [("days", 86_400), ("hours", 3600), ("minutes", 60)]

    /// Warns that the machine's clock went backward.
    package static func lag(_ milliseconds: Int64, _ advice: Advice.Wording) -> String {
        let seconds = milliseconds.magnitude / 1000
        let (number, unit) =
            units.first { seconds >= 2 * $0.seconds }.map { (seconds / $0.seconds, $0.name) } ?? (seconds, "s")
        return "the clock of this machine was up to \(grouped(number)) \(unit) behind the last delivery; "
            + "later deliveries reuse its timestamp\(advice(.setClock))\n"
    }

    /// `1234567` as `1,234,567`.
    package static func grouped(_ number: UInt64) -> String {
        let digits = Array(String(number))
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    static func rounded(_ seconds: Double) -> String {
        let thousandths = UInt64((seconds * 1000).rounded())
        return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    }

    /// `1 notification`, `1,234 notifications`.
    package static func counted(_ number: Int, _ noun: String) -> String {
        "\(grouped(UInt64(number.magnitude))) \(noun)\(number == 1 ? "" : "s")"
    }
}
