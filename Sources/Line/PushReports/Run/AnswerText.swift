package import PushPipeline
import PushText

/// The end of a run that compares answers, for people.
package enum AnswerText {
    /// The kinds of differences that are listed.
    private static let mostRows = 50

    /// A line of totals, and the differences, the most frequent one first:
    ///
    ///     answers compared 120, different 3, missing 4
    ///            2  apns  200 → 410 Unregistered
    ///            1  fcm   400 INVALID_ARGUMENT → 200
    package static func table(_ summary: RunSummary) -> String {
        let counts = summary.answers
        let known = counts.compared &+ counts.unreadable
        let missing = summary.messages &+ summary.count(.malformed) &- known
        var parts = ["answers compared \(number(counts.compared))", "different \(number(counts.different))"]
        if counts.unreadable > 0 { parts.append("unreadable \(number(counts.unreadable))") }
        if missing > 0 { parts.append("missing \(number(missing))") }
        let rows = counts.differences.map { kind, count in
            (count: count, provider: kind.provider?.description ?? "-", text: text(kind.difference))
        }.sorted { ($1.count, $0.provider, $0.text) < ($0.count, $1.provider, $1.text) }
        var lines = [parts.joined(separator: ", ")]
        lines += rows.prefix(mostRows).map { row in
            "\(number(row.count).padded(to: 10, right: true))  \(row.provider.padded(to: 5)) \(row.text)"
        }
        if rows.count > mostRows {
            lines.append("            and \(number(UInt64(rows.count - mostRows))) other kinds")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ difference: AnswerDifference) -> String {
        "\(difference.ours) → \(difference.theirs)"
    }

    private static func number(_ number: UInt64) -> String { SummaryText.grouped(number) }
}
