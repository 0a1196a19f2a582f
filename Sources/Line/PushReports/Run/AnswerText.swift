package import PushPipeline
import PushText

/// The end of a run that compares answers, for people.
package enum AnswerText {
    /// A line of totals, and the differences, the most frequent one first:
    ///
    ///     answers compared 120, different 3, missing 4
    ///            2  apns  200 → 410 Unregistered
    ///            1  fcm   400 INVALID_ARGUMENT → 200
    package static func table(_ summary: RunSummary) -> String {
        let counts = summary.answers
        let missing = summary.messages &+ summary.count(.malformed) &- counts.compared &- counts.unreadable
        var parts = ["answers compared \(number(counts.compared))", "different \(number(counts.different))"]
        if counts.unreadable > 0 { parts.append("unreadable \(number(counts.unreadable))") }
        if missing > 0 { parts.append("missing \(number(missing))") }
        let rows = counts.differences.map { kind, count in
            (count, kind.provider?.description ?? "-", "\(kind.difference.ours) → \(kind.difference.theirs)")
        }.sorted { ($1.0, $0.1, $0.2) < ($0.0, $1.1, $1.2) }
        let lines = rows.map { count, provider, difference in
            "\(number(count).padded(to: 10, right: true))  \(provider.padded(to: 5)) \(difference)"
        }
        return ([parts.joined(separator: ", ")] + lines).joined(separator: "\n") + "\n"
    }

    private static func number(_ number: UInt64) -> String { SummaryText.grouped(number) }
}
