import DeviceScreens
package import NotificationStore
import PushModel
import SystemSupport
package import TerminalStyle

/// Writes the screens as a user sees them: by device and app, newest notification first, grouped by thread.
package struct ScreenReport {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// Passes the text of each screen to `write`, one screen at a time; only one is in memory.
    package func write(
        _ store: any NotificationStore, device: String? = nil, app: String? = nil, to write: (String) throws -> Void
    ) throws {
        var isFirst = true
        try store.forEachScreen(device: device, app: app) { shown in
            guard let newest = shown.last else { return }
            var heading = isFirst ? "" : "\n"
            isFirst = false
            heading += style.bold(TextStyle.clean(newest.device))
            if !newest.app.isEmpty { heading += "  \(TextStyle.clean(newest.app))" }
            heading += style.dim("  \(shown.count) on screen") + "\n"
            try write(heading)
            for (thread, cards) in Self.grouped(shown.reversed(), by: { $0.content.thread ?? "" }) {
                if !thread.isEmpty { try write(style.dim("  thread \(TextStyle.clean(thread))") + "\n") }
                for card in cards { try write(lines(of: card)) }
            }
        }
        if isFirst { try write("nothing on screen\n") }
    }

    private func lines(of card: DeliveredNotification) -> String {
        var heading = card.content.title.map { style.bold(TextStyle.clean($0)) } ?? ""
        if let subtitle = card.content.subtitle {
            heading += (heading.isEmpty ? "" : " · ") + TextStyle.clean(subtitle)
        }
        var texts = heading.isEmpty ? [] : [heading]
        if let body = card.content.body {
            texts += body.split(separator: "\n", omittingEmptySubsequences: false).map { TextStyle.clean(String($0)) }
        }
        let footer = style.dim("\(TextStyle.clean(card.identifier)), \(RFC3339.text(card.deliveredAt))")
        var lines = ""
        for (position, text) in texts.enumerated() { lines += "  \(position == 0 ? "╭" : "│") \(text)\n" }
        return lines + "  ╰ \(footer)\n"
    }

    /// Groups elements by key; groups keep the order of their first elements.
    private static func grouped<Key: Hashable>(
        _ notifications: [DeliveredNotification], by key: (DeliveredNotification) -> Key
    ) -> [(Key, [DeliveredNotification])] {
        var positions: [Key: Int] = [:]
        var groups: [(Key, [DeliveredNotification])] = []
        for notification in notifications {
            let key = key(notification)
            if let position = positions[key] {
                groups[position].1.append(notification)
            } else {
                positions[key] = groups.count
                groups.append((key, [notification]))
            }
        }
        return groups
    }
}
