import PayloadJSON
import PushText

/// Writes results for people: a line per input, and below it what changed on the phone.
struct SnapshotChangeText {
    /// The most columns of two values on one line.
    private static let mostColumns = 80
    private static let mostLines = 200
    private static let statusWidth = 10

    let style: TextStyle

    func append(_ result: SnapshotResult, to out: inout ByteBuffer) {
        // What cannot be read was noted with its reason.
        if result.status == .unreadable { return }
        let status = styled(result.status.rawValue.padded(to: Self.statusWidth), result.status)
        let isWithoutInput = result.status == .obsolete || result.status == .removed
        out.appendText("\(status) \(TextStyle.clean(isWithoutInput ? result.approved : result.input))\n")
        if let message = result.message { out.appendText("  \(TerminalText.cleanLines(message))\n") }
        let lines = result.text.map(TextStyle.clean) + lines(of: result.changes)
        for line in lines.prefix(Self.mostLines) { out.appendText("  \(line)\n") }
        if lines.count > Self.mostLines { out.appendText("  … and \(lines.count - Self.mostLines) more lines\n") }
    }

    private func styled(_ text: String, _ status: SnapshotResult.Status) -> String {
        switch status {
        case .unchanged: style.dim(text)
        case .new, .added, .updated: style.added(text)
        case .changed: style.changed(text)
        case .obsolete, .failed, .unreadable, .removed: style.removed(text)
        }
    }

    /// The changes without styles, for other formats.
    static func plainLines(of changes: [SnapshotDifference.Change]) -> [String] {
        SnapshotChangeText(style: TextStyle(hasColors: false)).lines(of: changes)
    }

    /// Names scenario and section on lines of their own, unless that is what changed.
    private func lines(of changes: [SnapshotDifference.Change]) -> [String] {
        var lines: [String] = []
        var last: SnapshotDifference.Change?
        for change in changes {
            let isInScenario = !change.scenario.isEmpty
            let isScenario = change.isHeading && change.section.isEmpty
            if isInScenario, change.scenario != last?.scenario, !isScenario {
                lines.append(style.bold(TextStyle.clean(change.scenario)))
                last = nil
            }
            let indent = isInScenario && !isScenario ? "  " : ""
            if change.isHeading {
                lines += self.lines(isScenario ? change.scenario : change.section, change).map { indent + $0 }
            } else {
                if change.section != last?.section, !change.section.isEmpty {
                    lines.append(indent + style.bold(TextStyle.clean(change.section)))
                }
                lines += self.lines(change.name, change).map { indent + "  " + $0 }
            }
            last = change
        }
        return lines
    }

    /// `title: Hello → Hi`, over two lines when it is long; `+ sound: default`; `- sound: default`.
    private func lines(_ name: String?, _ change: SnapshotDifference.Change) -> [String] {
        let before = change.before.map(TextStyle.clean)
        let after = change.after.map(TextStyle.clean)
        let name = name.map(TextStyle.clean)
        guard let before, let after else {
            let text = [name, (before ?? after).flatMap { $0.isEmpty ? nil : $0 }].compactMap(\.self)
                .joined(separator: ": ")
            return [before == nil ? style.added("+ \(text)") : style.removed("- \(text)")]
        }
        let label = name.map { "\($0): " } ?? ""
        if TerminalText.width(label + before + after) + 3 <= Self.mostColumns {
            return ["\(label)\(style.removed(before)) → \(style.added(after))"]
        }
        return [
            label + style.removed(before),
            "".padded(to: max(TerminalText.width(label) - 2, 1)) + "→ \(style.added(after))",
        ]
    }
}
