package import PayloadJSON
import PushModel
package import PushPipeline
package import PushText

/// Writes reports for people: an aligned line per message, with the text that it shows at the end, and its findings below.
///
/// On a terminal, that text is shortened to the rest of the line, and notes that do not fit go on below.
package struct TextReport {
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
        line.appendCell(report.outcome.name.description, to: 10) { style.outcome(report.outcome, $0) }
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
        line.appendCell(message.provider.name.description, to: Self.kindWidth)
        line.appendCell(TextStyle.shortened(message.device.string), to: 15)
        line.appendCell("\(message.byteCount)/\(message.byteLimit)", to: 11)
        if let reason = report.reason { line.append(report.status.map { "\($0) \(reason)" } ?? "\(reason)") }
        if let identifier = report.identifier { line.append(TextStyle.clean(identifier)) }
        if let activities = report.note?.activities, let first = activities.first {
            line.append(activities.count == 1 ? TextStyle.clean(first) : "\(activities.count) activities")
        }
        if let replaces = report.replaces { line.append("replaces \(replaces)", style.dim) }
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
