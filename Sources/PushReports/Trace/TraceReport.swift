import NotificationStore
package import PayloadJSON
package import PushModel
package import PushPipeline
package import TerminalStyle

/// Writes what happened to each message, stage by stage, as text, with an empty line after each message.
package struct TraceReport {
    let style: TextStyle
    private let budget: Budget?
    /// Columns above which a text is shortened; nil for no limit.
    let longestText: Int?

    /// - Parameters:
    ///   - budget: the budget that every message is checked against; nil for the budget of its push type.
    ///   - longestText: columns above which a text is shortened; nil for no limit.
    package init(style: TextStyle, budget: Budget? = nil, longestText: Int? = nil) {
        self.style = style
        self.budget = budget
        self.longestText = longestText
    }

    /// Appends a message or an event. Appends nothing unless messages are traced.
    package func append(_ report: RecordReport, to out: inout ByteBuffer) {
        guard let trace = report.trace else { return appendAside(report, to: &out) }
        let target = report.message.target
        var lines = [heading("record \(report.seq)" + (target.map { ", target \($0)" } ?? ""))]
        if target ?? 0 == 0 { lines += recordLines(trace.record, report.decodeFailure) }
        let event = report.note?.event
        if let event {
            lines += eventLines(event, report)
        } else if report.decodeFailure == nil {
            lines += messageLines(report.message, trace)
            for step in trace.steps { lines += stepLines(step) }
            lines += budgetLines(report.message)
        }
        if !report.findings.isEmpty {
            lines += [heading("findings")] + report.findings.map { "  \(style.line($0))" }
        }
        if report.decodeFailure == nil {
            if let serviceExtension = trace.serviceExtension, event == nil {
                lines += extensionLines(serviceExtension, report.message, trace)
            }
            lines += screenLines(trace)
        }
        lines += [heading("outcome"), "  " + outcomeLine(report), ""]
        for line in lines { out.appendText(line + "\n") }
    }

    /// Appends the effect of an event, or of the time it took, on a queued message or a token.
    private func appendAside(_ report: RecordReport, to out: inout ByteBuffer) {
        guard let note = report.note else { return }
        var lines: [String] = []
        if let original = note.original {
            let target = report.message.target.map { ", target \($0)" } ?? ""
            lines = [heading("record \(report.seq)") + style.dim("  what was held of record \(original)\(target)")]
        } else if let topic = note.sentTo {
            lines = [heading("record \(report.seq)") + style.dim("  sent to \(TextStyle.clean(topic))")]
            lines.append("  device \(TextStyle.clean(report.message.device.string))")
        } else if let event = note.event {
            lines = [heading("record \(report.seq)")] + eventLines(event, report)
        }
        lines += [heading("outcome"), "  " + outcomeLine(report), ""]
        for line in lines { out.appendText(line + "\n") }
    }

    func heading(_ text: String) -> String { style.bold(text) }

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
            let excerpt = unsafe SourceExcerpt(of: range, in: Array(record.buffer), width: longestText ?? 100)
            return [excerpt.source, excerpt.blanks + style.removed(excerpt.marks)]
        }
        if isJSON, let root = unsafe tape.root(of: record.bytes) {
            return [JSONLayout.lines(root, indent: 2, longestText: longestText)]
        }
        // Relaxed JSON, as received.
        return record.string.split(separator: "\n").map {
            "  " + JSONLayout.shortened(TextStyle.clean(String($0)), longestText)
        }
    }

    // MARK: - Budget

    private func budgetLines(_ message: PushMessage) -> [String] {
        let size = "\(message.byteCount) of \(message.byteLimit) bytes"
        let isOver = message.byteCount > message.byteLimit
        let row = Budget(of: message, forced: budget)
        let name = row.map { style.dim("  \($0.name.map { "\($0): " } ?? "")\($0.source)") } ?? ""
        return [heading("budget"), "  \(isOver ? style.removed(size) : size)\(name)"]
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
        switch (change.old, change.new) {
        case (let old?, let new?):
            let (old, new) = JSONLayout.shortened(old, new, longestText)
            return "  \(style.changed("~ \(pointer)")): \(old) → \(new)"
        case (let old?, nil): return "  \(style.removed("- \(pointer)")): \(JSONLayout.shortened(old, longestText))"
        case (nil, let new?): return "  \(style.added("+ \(pointer)")): \(JSONLayout.shortened(new, longestText))"
        case (nil, nil): return "  \(pointer)"
        }
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

    private func outcomeLine(_ report: RecordReport) -> String {
        var notes = [style.outcome(report.outcome, report.outcome.name.description)]
        if let decodeFailure = report.decodeFailure {
            let position = decodeFailure.position
            let message = TextStyle.clean(decodeFailure.message)
            notes.append("line \(position.line), column \(position.column): \(message)")
            notes.append(style.dim(decodeFailure.rule))
            return notes.joined(separator: "  ")
        }
        if let replaces = report.replaces { notes[0] += " \(replaces)" }
        let reason = report.reason.map { "\($0)" }
        if let answer = report.status.map({ "\($0)" + (reason.map { " \($0)" } ?? "") }) ?? reason {
            notes.append(answer)
        }
        if let identifier = report.identifier { notes.append(TextStyle.clean(identifier)) }
        if let quiet = report.quiet { notes.append("quiet: \(quiet)") }
        if let steps = report.note?.steps, !steps.isEmpty {
            notes.append(steps.map(TextStyle.clean).joined(separator: " → "))
        }
        if let count = report.note?.recipients { notes.append("\(count) \(count == 1 ? "subscriber" : "subscribers")") }
        if let total = report.note?.totalDeleted { notes.append("\(total) dropped") }
        return notes.joined(separator: "  ")
    }
}
