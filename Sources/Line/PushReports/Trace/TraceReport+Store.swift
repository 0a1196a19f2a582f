import PayloadJSON
import PushModel
package import PushStore
import PushSystem
import PushText

/// The trace of a record from what a store has kept.
extension TraceReport {
    private struct Subject: Hashable {
        let device: String
        let app: String
        let identifier: String

        init(_ entry: JournalEntry) {
            device = entry.device
            app = entry.app
            identifier = entry.identifier
        }
    }

    /// Kinds of lines that end the life of a notification: later lines with its identifier are about another one.
    private static let ends: Set<JournalKind> = [
        .replaced, .removed, .cleared, .withdrawn, .tapped, .dismissed, .expired, .discarded,
    ]

    /// How a record was delivered, and what became of it; nil if the store has nothing about it. Reads the whole journal, and the screens
    /// of the record's devices.
    ///
    /// - Parameter device: the only device to look at; nil for all devices.
    package func text(
        ofRecord seq: UInt64, on device: String? = nil, in store: any NotificationStore
    ) throws -> String? {
        var entries: [JournalEntry] = []
        var subjects: Set<Subject> = []
        try store.forEachEvent(device: device) { entry in
            let subject = Subject(entry)
            if entry.seq == seq {
                entries.append(entry)
                if !entry.identifier.isEmpty { subjects.insert(subject) }
            } else if entry.seq > seq, subjects.contains(subject) {
                entries.append(entry)
                if Self.ends.contains(entry.kind) { subjects.remove(subject) }
            }
        }
        // Lines of the journal may have been pruned.
        let devices: [String?] = entries.isEmpty ? [device] : Set(entries.map(\.device)).sorted()
        var shown: [DeliveredNotification] = []
        var activities: [LiveActivity] = []
        for device in devices {
            try store.forEachNotification(device: device, app: nil) { if $0.seq == seq { shown.append($0) } }
            try store.forEachLiveActivity(device: device, app: nil) { if $0.seq == seq { activities.append($0) } }
        }
        if entries.isEmpty, shown.isEmpty, activities.isEmpty { return nil }
        var lines = [heading("record \(seq)") + style.dim("  as the store has it")]
        for notification in shown { lines += storedLines(notification) }
        if !entries.isEmpty { lines.append(heading("journal")) }
        lines += entries.map { journalLine($0, of: seq) }
        lines += [heading("now")] + now(shown, activities, entries).map { "  " + $0 } + [""]
        return lines.map { $0 + "\n" }.joined()
    }

    /// Where the record's notifications and Live Activities are.
    private func now(
        _ shown: [DeliveredNotification], _ activities: [LiveActivity], _ entries: [JournalEntry]
    ) -> [String] {
        var lines: [String] = []
        if !shown.isEmpty { lines.append(shown.count == 1 ? "on the screen" : "on \(shown.count) screens") }
        for activity in activities where activity.state != .dismissed {
            lines.append("on the lock screen: \(TextStyle.clean(activity.identifier)), \(activity.state.rawValue)")
        }
        // What was held has another line once it is not.
        let last = Dictionary(entries.map { ([$0.device, $0.app], $0.kind) }) { $1 }
        let held = last.values.count { $0 == .held }
        if held > 0 { lines.append(held == 1 ? "held for its device" : "held for \(held) devices") }
        return lines.isEmpty ? ["not on a screen"] : lines
    }

    private func storedLines(_ notification: DeliveredNotification) -> [String] {
        let content = notification.content
        let facts: [(String, String?)] = [
            ("device", notification.device), ("app", notification.app), ("identifier", notification.identifier),
            ("delivered", RFC3339.text(notification.deliveredAt)), ("title", content.title),
            ("subtitle", content.subtitle), ("body", content.body), ("badge", content.badge.map(String.init)),
            ("thread", content.thread), ("extension", notification.changes.map { "changed \($0)" }),
        ]
        let payload = Array(notification.payload.utf8).withJSON {
            JSONLayout.lines($0, indent: 2, columns: style.columns)
        }
        return [payload].compactMap(\.self) + [heading("notification")]
            + self.lines(facts.compactMap { name, value in value.map { (name, $0) } }.filter { !$0.1.isEmpty })
    }

    private func journalLine(_ entry: JournalEntry, of seq: UInt64) -> String {
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        line.appendCell(RFC3339.text(entry.at), to: 26, style.dim)
        line.appendCell(entry.kind.name.description, to: 12)
        line.append(TextStyle.shortened(entry.device))
        if !entry.identifier.isEmpty { line.append(TextStyle.clean(entry.identifier)) }
        if entry.seq != seq { line.append("by record \(entry.seq)", style.dim) }
        return "  " + line.text
    }
}
