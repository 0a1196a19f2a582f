package import PayloadJSON
package import PushModel
package import PushPipeline
import PushStore
package import PushText

/// Writes what happened to each message, stage by stage, as text, with an empty line after each message.
///
/// On a terminal, texts are shortened to its width.
package struct TraceReport {
    let style: TextStyle
    private let budget: Budget?

    /// - Parameter budget: the budget that every message is checked against; nil for the budget of its push type.
    package init(style: TextStyle, budget: Budget? = nil) {
        self.style = style
        self.budget = budget
    }

    /// Appends a message or an event. Appends nothing unless messages are traced.
    package func append(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        guard let trace = report.trace else { return appendAside(report, to: &out) }
        let target = report.message.target
        let place = report.source.map { style.dim("  \(SourceText.place(of: $0))") } ?? ""
        var lines = [heading("record \(report.seq)" + (target.map { ", target \($0)" } ?? "")) + place]
        if target ?? 0 == 0 { lines += recordLines(trace.record, report.decodeFailure) }
        let event = report.note?.event
        if let event {
            lines += eventLines(event, report)
        } else if report.decodeFailure == nil {
            lines += messageLines(report.message, trace)
            for step in trace.steps { lines += stepLines(step) }
            lines += budgetLines(report.message)
        }
        lines += findingLines(report)
        if report.decodeFailure == nil {
            if let serviceExtension = trace.serviceExtension, event == nil {
                lines += extensionLines(serviceExtension, report.message, trace)
            }
            lines += screenLines(trace)
        }
        lines += [heading("outcome"), outcomeLine(report), ""]
        for line in lines { out.appendText(line + "\n") }
    }

    /// Appends the effect of an event, or of the time it took, on a queued message or a token.
    private func appendAside(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        guard let note = report.note else { return }
        var lines: [String] = []
        if let original = note.original {
            let target = report.message.target.map { ", target \($0)" } ?? ""
            lines = [heading("record \(report.seq)") + style.dim("  what was held of record \(original)\(target)")]
            if let event = note.event { lines.append(heading("event") + "  \(event)") }
        } else if let topic = note.sentTo {
            lines = [heading("record \(report.seq)") + style.dim("  sent to \(TextStyle.clean(topic))")]
            lines.append("  device \(TextStyle.clean(report.message.device.string))")
        } else if let event = note.event {
            lines = [heading("record \(report.seq)")] + eventLines(event, report)
        }
        lines += findingLines(report)
        lines += [heading("outcome"), outcomeLine(report), ""]
        for line in lines { out.appendText(line + "\n") }
    }

    private func findingLines(_ report: borrowing RecordReport) -> [String] {
        report.findings.isEmpty ? [] : [heading("findings")] + report.findings.map { style.line($0, indent: 2) }
    }

    func heading(_ text: String) -> String { style.bold(text) }

    /// Columns for a text after so many others; nil for no limit.
    func room(_ used: Int) -> Int? { style.columns.map { $0 - used } }

    // MARK: - Record

    private func recordLines(_ record: BorrowedText, _ decodeFailure: DecodeFailure?) -> [String] {
        // SOUND: the tape was just made of the record, which outlives the call.
        guard !record.isEmpty else {
            let isTooLong = decodeFailure?.rule == "record.too-long"
            return ["  " + style.dim(isTooLong ? "too long to be kept" : "not shown: broken, and redacted")]
        }
        var scanner = JSONScanner()
        var tape = JSONTape()
        let isJSON = unsafe scanner.scan(record.bytes, into: &tape) == nil
        if let decodeFailure, !isJSON || decodeFailure.rule.hasPrefix("json.") {
            let range = decodeFailure.offset..<decodeFailure.offset + 1
            let excerpt = unsafe SourceExcerpt(of: range, in: Array(record.buffer), width: style.columns ?? 100)
            return [excerpt.source, excerpt.blanks + style.removed(excerpt.marks)]
        }
        if isJSON, let root = unsafe tape.root(of: record.bytes) {
            return [JSONLayout.lines(root, indent: 2, columns: style.columns)]
        }
        // Relaxed JSON, as received.
        return record.string.split(separator: "\n").map {
            "  " + JSONLayout.shortened(TextStyle.clean(String($0)), room(2))
        }
    }

    // MARK: - Budget

    private func budgetLines(_ message: DecodedMessage) -> [String] {
        let size = "\(message.byteCount) of \(message.byteLimit) bytes"
        let isOver = message.byteCount > message.byteLimit
        let row = Budget(of: message, forced: budget)
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        line.append(size) { isOver ? style.removed($0) : $0 }
        if let row { line.appendWords("\(row.name.map { "\($0): " } ?? "")\(row.source)", style.dim) }
        return [heading("budget"), line.text]
    }

    // MARK: - Mutations

    private func stepLines(_ step: MessageTrace.Step) -> [String] {
        let name = TextStyle.clean(step.stage)
        guard step.isChange else { return ["\(heading(name))  unchanged"] }
        guard let difference = JSONDifference(from: step.before, to: step.after) else {
            return ["\(heading(name))  changed"]
        }
        let bytes = style.dim("  \(step.before.count) bytes become \(step.after.count)")
        return ["\(heading(name))\(bytes)"] + difference.changes.map(line)
    }

    /// A change on one line: `~ pointer: old → new`, `- pointer: old`, `+ pointer: new`.
    func line(_ change: JSONDifference.Change) -> String {
        let pointer = TextStyle.clean(change.pointer)
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        switch (change.old, change.new) {
        case (let old?, let new?):
            let (old, new) = JSONLayout.shortened(old, new, room(8))
            line.appendCell("~ \(pointer):", to: 0, style.changed)
            line.append(old)
            line.append("→ \(new)", gap: 1)
        case (let old?, nil):
            line.appendCell("- \(pointer):", to: 0, style.removed)
            line.append(JSONLayout.shortened(old, room(8)))
        case (nil, let new?):
            line.appendCell("+ \(pointer):", to: 0, style.added)
            line.append(JSONLayout.shortened(new, room(8)))
        case (nil, nil): line.append(pointer)
        }
        return line.text
    }

    // MARK: - Screen and outcome

    private func screenLines(_ trace: MessageTrace) -> [String] {
        guard trace.screen != nil || !trace.events.isEmpty else { return [] }
        let events = trace.events.map { event in
            let later = event.at > trace.at ? style.dim("  +\(event.at - trace.at) ms") : ""
            return "  \(event.kind.name.description.padded(to: 10))\(TextStyle.clean(event.identifier))\(later)"
        }
        let count = trace.screen.map { screen in
            let badge = screen.badge.map { ", badge \($0)" } ?? ""
            return "  \(screen.count) \(screen.count == 1 ? "notification" : "notifications")\(badge)"
        }
        return [heading("screen")] + events + [count].compactMap(\.self)
    }

    private func outcomeLine(_ report: borrowing RecordReport) -> String {
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        let replaces = report.replaces.map { " \($0)" } ?? ""
        line.append(report.outcome.name.description + replaces) { _ in
            style.outcome(report.outcome, report.outcome.name.description) + replaces
        }
        if let decodeFailure = report.decodeFailure {
            let place = SourceText.place(of: decodeFailure.position, in: report.source)
            line.appendWords("\(place): \(TextStyle.clean(decodeFailure.message))")
            line.append(decodeFailure.cause ?? decodeFailure.rule, style.dim)
            return line.text
        }
        let reason = report.reason.map { "\($0)" }
        if let answer = report.status.map({ "\($0)" + (reason.map { " \($0)" } ?? "") }) ?? reason {
            line.append(answer)
        }
        if let identifier = report.identifier ?? report.note?.identifier { line.append(TextStyle.clean(identifier)) }
        if let quiet = report.quiet { line.append("quiet: \(quiet)") }
        if let steps = report.note?.steps, !steps.isEmpty {
            line.appendWords(steps.map(TextStyle.clean).joined(separator: " → "))
        }
        if let count = report.note?.recipients { line.append("\(count) \(count == 1 ? "subscriber" : "subscribers")") }
        if let total = report.note?.totalDeleted { line.append("\(total) dropped") }
        if let answer = report.differingAnswer { line.append("the sender got \(answer)") }
        return line.text
    }
}
