package import PayloadJSON
import PushModel
package import PushPipeline
package import TerminalStyle

/// Writes reports for people: an aligned line per message, with its findings below.
package struct TextReport {
    /// Columns for a provider or an event.
    private static let kindWidth = 8

    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// Appends the lines of one message.
    package func append(_ report: RecordReport, to out: inout ByteBuffer) {
        var number = String(report.seq)
        if let target = report.message.target { number += ".\(target)" }
        out.appendText(style.dim(number.padded(to: 6, right: true)))
        out.append("  ")
        out.appendText(style.outcome(report.outcome, report.outcome.name.description.padded(to: 10)))
        if let decodeFailure = report.decodeFailure {
            let position = decodeFailure.position
            out.appendText(
                "line \(position.line), column \(position.column): \(TextStyle.clean(decodeFailure.message))")
            out.appendText(style.dim("  \(decodeFailure.rule)"))
            out.append("\n")
        } else if let event = report.note?.event {
            append(event, report, to: &out)
        } else {
            appendMessage(report, to: &out)
        }
        for finding in report.findings { out.appendText("        \(style.line(finding))\n") }
    }

    private func append(_ event: String, _ report: RecordReport, to out: inout ByteBuffer) {
        let device = TextStyle.shortened(report.message.device.string)
        var notes: [String] = []
        if !report.message.topic.isEmpty { notes.append(TextStyle.clean(report.message.topic.string)) }
        if let reason = report.reason { notes.append("\(reason)") }
        if let steps = report.note?.steps, !steps.isEmpty {
            notes.append(steps.map(TextStyle.clean).joined(separator: " → "))
        }
        if let total = report.note?.totalDeleted { notes.append("\(total) dropped") }
        // In the same columns as messages.
        out.appendText(device.isEmpty && notes.isEmpty ? event : event.padded(to: Self.kindWidth))
        out.appendText(notes.isEmpty ? device : device.padded(to: 15) + notes.joined(separator: "  "))
        out.append("\n")
    }

    private func appendMessage(_ report: RecordReport, to out: inout ByteBuffer) {
        let message = report.message
        out.appendText(message.provider.name.description.padded(to: Self.kindWidth))
        out.appendText(TextStyle.shortened(message.device.string).padded(to: 15))
        let size = "\(message.byteCount)/\(message.byteLimit)"
        var notes: [String] = []
        if let reason = report.reason { notes.append(report.status.map { "\($0) \(reason)" } ?? "\(reason)") }
        if let identifier = report.identifier { notes.append(TextStyle.clean(identifier)) }
        if let activities = report.note?.activities, let first = activities.first {
            notes.append(activities.count == 1 ? TextStyle.clean(first) : "\(activities.count) activities")
        }
        if let replaces = report.replaces { notes.append(style.dim("replaces \(replaces)")) }
        if let original = report.note?.original { notes.append(style.dim("sent as \(original)")) }
        if let topic = report.note?.sentTo { notes.append(style.dim("sent to \(TextStyle.clean(topic))")) }
        if let count = report.note?.recipients {
            notes.append(style.dim("\(count) \(count == 1 ? "subscriber" : "subscribers")"))
        }
        if let canonical = report.note?.canonical { notes.append("now \(TextStyle.clean(canonical))") }
        if let quiet = report.quiet { notes.append("quiet: \(quiet)") }
        if let steps = report.note?.steps, !steps.isEmpty {
            notes.append(style.dim(steps.map(TextStyle.clean).joined(separator: " → ")))
        }
        if let obstacle = report.extensionObstacle { notes.append(style.dim("no extension: \(obstacle.name)")) }
        if let gateway = message.gateway { notes.append(style.dim("via \(gateway.name)")) }
        out.appendText(notes.isEmpty ? size : size.padded(to: 11) + notes.joined(separator: "  "))
        out.append("\n")
    }
}
