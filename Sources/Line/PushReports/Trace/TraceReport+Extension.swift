import ExtensionHosting
import PushModel
import PushPipeline
import PushText

extension TraceReport {
    /// The work of a service extension: its steps with their times, its changes, and its result.
    func extensionLines(
        _ serviceExtension: MessageTrace.Extension, _ message: DecodedMessage, _ trace: MessageTrace
    ) -> [String] {
        switch serviceExtension {
        case .notStarted(let reason): return ["\(heading("extension"))  not started: \(reason)"]
        case .started(let steps):
            let result = message.serviceExtension.map { "  \($0.name)" } ?? ""
            let changes = ContentDifference.changes(steps.changes, over: trace.sent, of: message.payload)
            let unchanged = steps.wasHandled && changes.isEmpty ? ["  " + style.dim("handed over unchanged")] : []
            return [heading("extension") + result] + steps.steps.map(line) + changes.map(line) + unchanged
        }
    }

    private func line(_ step: ExtensionTrace.Step) -> String {
        let details = step.details.map { $0.isEmpty ? ": none" : ": \($0.joined(separator: ", "))" } ?? ""
        let arrow =
            switch step.kind {
            case .told: "→ "
            case .call, .question: "← "
            case .event: ""
            }
        var line = FlowingLine(style, indent: 16, startingAt: 2)
        line.appendCell(Self.time(step.after).padded(to: 12, right: true), to: 14, style.dim)
        line.appendWords(arrow + TextStyle.clean(step.name + details))
        return line.text
    }

    /// Such as `+12.3 ms`.
    private static func time(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = max(seconds * 10_000 + attoseconds / 100_000_000_000_000, 0)
        return "+\(tenths / 10).\(tenths % 10) ms"
    }
}
