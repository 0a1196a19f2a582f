package import PushDevices
package import PushJSON
package import PushModel
package import PushPipeline
import PushSystem
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
        default:
            summary.reasons.filter { $0.outcome == outcome }.sorted {
                ($1.count, $0.reason.string) < ($0.count, $1.reason.string)
            }
            .map { "\($0.reason.string) \(grouped($0.count))" }.joined(separator: ", ")
        }
    }

    private static let units: [(name: String, seconds: UInt64)] = [("days", 86_400), ("hours", 3600), ("minutes", 60)]

    /// Says how many lines do not tell the time of their record.
    package static func untimed(_ summary: RunSummary) -> String {
        let count = summary.untimedRecords
        guard count > 0, count < summary.records &- summary.emptyLines else { return "" }
        return
            "\(grouped(count)) \(count == 1 ? "line has no time; its record takes" : "lines have no time; their records take") "
            + "the time of the record before\n"
    }

    /// Warns that the machine's clock, or the times in lines, went backward.
    package static func lag(_ milliseconds: Int64, ofLines: Bool = false, _ advice: Advice.Wording) -> String {
        let seconds = milliseconds.magnitude / 1000
        let (number, unit) =
            units.first { seconds >= 2 * $0.seconds }.map { (seconds / $0.seconds, $0.name) } ?? (seconds, "s")
        if ofLines {
            return "times in the input go back by up to \(grouped(number)) \(unit); "
                + "such records take the time of the record before\n"
        }
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

extension SummaryText {
    package static func line(_ counts: ImportCounts) -> String {
        var parts = [counted(counts.notifications, "notification")]
        if counts.screens > 0 { parts.append(counted(counts.screens, "app") + " on devices") }
        if counts.devices > 0 { parts.append(counted(counts.devices, "record") + " of devices") }
        if counts.activities > 0 { parts.append(count(ofActivities: counts.activities)) }
        if counts.events > 0 { parts.append(counted(counts.events, "line") + " of the journal") }
        return "imported " + parts.joined(separator: ", ") + "\n"
    }

    package static func line(_ counts: MergeCounts, seconds: Double) -> String {
        var parts = [counted(counts.notifications, "notification")]
        if counts.screens > 0 { parts.append(counted(counts.screens, "app") + " on devices") }
        if counts.held > 0 { parts.append(counted(counts.held, "queued message")) }
        if counts.activities > 0 { parts.append(count(ofActivities: counts.activities)) }
        if counts.events > 0 { parts.append(counted(counts.events, "line") + " of the journal") }
        let what = "merged \(counted(counts.parts, "part")) in \(rounded(seconds)) s"
        return "\(what): \(parts.joined(separator: ", "))\n"
    }

    package static func line(_ summary: Pruning.Summary, of pruning: Pruning, isRehearsal: Bool) -> String {
        (isRehearsal ? "would remove " : "removed ") + what(summary, pruning) + "\n"
    }

    /// A line that says how much a prune had removed when it failed.
    package static func failedLine(_ summary: Pruning.Summary, of pruning: Pruning) -> String {
        "pushpipe: removed \(what(summary, pruning)), then failed; the same command removes the rest\n"
    }

    private static func what(_ summary: Pruning.Summary, _ pruning: Pruning) -> String {
        var parts = [counted(summary.notifications, "notification")]
        if summary.activities > 0 { parts.append(count(ofActivities: summary.activities)) }
        if pruning.includesEvents { parts.append(counted(summary.events, "line") + " of the journal") }
        return parts.joined(separator: " and ")
    }

    private static func count(ofActivities count: Int) -> String {
        count == 1 ? "1 Live Activity" : "\(grouped(UInt64(count.magnitude))) Live Activities"
    }
}

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
                "\(stage)", SummaryText.rounded(Double(time.nanoseconds) / 1e9), percent(time.nanoseconds, of: total),
                SummaryText.grouped(count), count > 0 ? SummaryText.grouped(time.nanoseconds / count) : "-")
        }
        return text + lanes(times.lanes)
            + row("all", SummaryText.rounded(seconds), "", SummaryText.grouped(summary.records), "")
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
        var line = "  " + name.padded(to: 8)
        // A cell that is too wide for its column must not run into the one before it.
        for (cell, width) in [(seconds, 8), (share, 6), (count, 13), (each, 9)] {
            line += " " + cell.padded(to: width, right: true)
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }

    private static func percent(_ part: UInt64, of whole: UInt64) -> String {
        whole == 0 ? "-" : "\((part &* 100 &+ whole / 2) / whole) %"
    }
}

/// The progress line of a long run, rewritten in place on a terminal.
package final class ProgressLine {
    private static let interval = 0.2  // seconds
    private static let clearedLine = "\r\u{1B}[K"

    private let isShown: Bool
    private let now: () -> Double
    private let note: (String) -> Void
    private let start: Double
    private var lastShown: Double
    private var hasLine = false

    /// - Parameters:
    ///   - now: a monotonic clock, in seconds.
    ///   - note: called with text for a terminal.
    package init(
        isShown: Bool, now: @escaping () -> Double = SystemClock.monotonicSeconds, note: @escaping (String) -> Void
    ) {
        self.isShown = isShown
        self.now = now
        self.note = note
        start = now()
        lastShown = start
    }

    /// Seconds since the beginning.
    package var seconds: Double { now() - start }

    /// Shows how far a run is.
    package func show(_ summary: RunSummary) {
        show(summary.records) { rate in
            "\(SummaryText.grouped(summary.records)) records, \(rate)/s, "
                + "\(SummaryText.grouped(summary.count(.rejected))) rejected, "
                + "\(SummaryText.grouped(summary.count(.malformed))) malformed"
        }
    }

    /// Shows how far a partition is, with the number of lines written.
    package func show(records: UInt64, lines: UInt64) {
        show(records) { "\(SummaryText.grouped(records)) records, \($0)/s, \(SummaryText.grouped(lines)) lines" }
    }

    /// Shows how far a merge of stores is.
    package func show(_ counts: MergeCounts) {
        let rows = UInt64(max(counts.rows, 0))
        show(rows) { "\(SummaryText.grouped(rows)) rows, \($0)/s" }
    }

    private func show(_ count: UInt64, _ text: (_ rate: String) -> String) {
        guard isShown, case let now = now(), now - lastShown >= Self.interval else { return }
        lastShown = now
        hasLine = true
        note(Self.clearedLine + text(SummaryText.grouped(UInt64(Double(count) / max(now - start, 0.001)))))
    }

    package func clear() {
        if hasLine { note(Self.clearedLine) }
        hasLine = false
    }
}

/// Writes reports for people: an aligned line per message, with the text that it shows at the end, and its findings below.
///
/// On a terminal, that text is shortened to the rest of the line, and notes that do not fit go on below.
package struct TextReport {
    /// Columns for all outcomes but `suppressed` and `fanned-out`, which have one more.
    private static let outcomeWidth = 10
    /// Columns for a provider or an event.
    private static let kindWidth = 8
    /// Columns before findings, and before what goes on below.
    private static let indent = 8
    /// The fewest columns for a text that is shortened; with less room it goes on below.
    private static let fewestTextColumns = 30

    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    package func append(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        var line = FlowingLine(style, indent: Self.indent)
        var number = String(report.seq)
        if let target = report.message.target { number += ".\(target)" }
        line.appendCell(number.padded(to: 6, right: true), to: 8, style.dim)
        line.appendCell(report.outcome.name.description, to: Self.outcomeWidth) { style.outcome(report.outcome, $0) }
        if let decodeFailure = report.decodeFailure {
            let place = SourceText.place(of: decodeFailure.position, in: report.source)
            line.appendWords("\(place): \(TextStyle.clean(decodeFailure.message))")
            line.append(decodeFailure.cause ?? decodeFailure.rule, style.dim)
        } else if let event = report.note?.event {
            append(event, report, to: &line)
        } else {
            append(report, to: &line)
        }
        if let answer = report.differingAnswer { line.append("the sender got \(answer)") }
        let place = report.source.map(SourceText.place)
        if let place, report.findings.isEmpty, report.decodeFailure == nil { line.append(place, style.dim) }
        out.appendText(line.text + "\n")
        for finding in report.findings {
            out.appendText(style.line(finding, indent: Self.indent, place: place) + "\n")
        }
    }

    private func append(_ event: String, _ report: borrowing RecordReport, to line: inout FlowingLine) {
        // In the same columns as messages.
        line.appendCell(event, to: Self.kindWidth)
        let device = TextStyle.shortened(report.message.device.string)
        if !device.isEmpty { line.appendCell(device, to: 15) }
        if !report.message.topic.isEmpty { line.append(TextStyle.clean(report.message.topic.string)) }
        if let reason = report.reason { line.append("\(reason)") }
        if let identifier = report.note?.identifier { line.append(TextStyle.clean(identifier)) }
        if let replaces = report.note?.replaces { line.append("replaces \(replaces)", style.dim) }
        if let quiet = report.note?.quiet { line.append("quiet: \(quiet)") }
        appendSteps(report, to: &line)
        if let total = report.note?.totalDeleted { line.append("\(total) dropped") }
    }

    private func append(_ report: borrowing RecordReport, to line: inout FlowingLine) {
        let message = report.message
        // A long outcome takes its column from here.
        let surplus = max(report.outcome.name.description.utf8.count + 1 - Self.outcomeWidth, 0)
        line.appendCell(message.provider.name.description, to: Self.kindWidth - surplus)
        line.appendCell(TextStyle.shortened(message.device.string), to: 15)
        line.appendCell("\(message.byteCount)/\(message.byteLimit)", to: 11)
        if let reason = report.reason { line.append(report.status.map { "\($0) \(reason)" } ?? "\(reason)") }
        if let identifier = report.identifier { line.append(TextStyle.clean(identifier)) }
        if let activities = report.note?.activities, let first = activities.first {
            line.append(activities.count == 1 ? TextStyle.clean(first) : "\(activities.count) activities")
        }
        if let replaces = report.replaces { line.append("replaces \(replaces)", style.dim) }
        if let stale = report.note?.stale, !stale.isEmpty {
            let numbers = stale.prefix(3).map { "\($0.seq)" }.joined(separator: ", ")
            line.append("stale: \(numbers)\(stale.count > 3 ? ", …" : "")")
        }
        if let original = report.note?.original { line.append("sent as \(original)", style.dim) }
        if let topic = report.note?.sentTo { line.append("sent to \(TextStyle.clean(topic))", style.dim) }
        if let count = report.note?.recipients {
            line.append("\(count) \(count == 1 ? "subscriber" : "subscribers")", style.dim)
        }
        if let canonical = report.note?.canonical { line.append("now \(TextStyle.clean(canonical))") }
        if let quiet = report.quiet { line.append("quiet: \(quiet)") }
        appendSteps(report, to: &line)
        if let obstacle = report.extensionObstacle { line.append("no extension: \(obstacle.name)", style.dim) }
        if let gateway = message.gateway { line.append("via \(gateway.name)", style.dim) }
        if report.isShown { append(message.content, to: &line) }
    }

    private func appendSteps(_ report: borrowing RecordReport, to line: inout FlowingLine) {
        guard let steps = report.note?.steps, !steps.isEmpty else { return }
        line.appendWords(steps.map(TextStyle.clean).joined(separator: " → "), style.dim)
    }

    /// Title, subtitle and body, in one line.
    private func append(_ content: NotificationContent, to line: inout FlowingLine) {
        let texts = [content.title, content.subtitle, content.body].compactMap { $0?.string }.filter { !$0.isEmpty }
        let words = texts.joined(separator: " · ").split(whereSeparator: \.isNewline).joined(separator: " ")
        guard !words.isEmpty else { return }
        var text = TextStyle.clean(words)
        if let room = line.room, let roomBelow = line.roomBelow {
            text = TerminalText.shortened(text, to: room < Self.fewestTextColumns ? roomBelow : room)
        }
        line.append(text)
    }
}

/// Places in inputs, in the form that editors and terminals open: `payloads.ndjson:7:12`.
enum SourceText {
    /// The beginning of a record.
    static func place(of source: RecordSource) -> String { place(source.position, in: source) }

    /// A place in a record; in words if nothing is known of its input.
    static func place(of position: TextPosition, in source: RecordSource?) -> String {
        guard let source else { return "line \(position.line), column \(position.column)" }
        return place(source.position(of: position), in: source)
    }

    private static func place(_ position: TextPosition, in source: RecordSource) -> String {
        let file = source.file == "-" ? "<stdin>" : TextStyle.clean(source.file)
        return "\(file):\(position.line):\(position.column)"
    }
}
