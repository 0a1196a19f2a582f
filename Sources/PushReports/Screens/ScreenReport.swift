import DeviceScreens
package import NotificationStore
import PushModel
import SystemSupport
package import TerminalStyle

/// Writes the screens as a user sees them: Live Activities, then notifications by device and app, newest first, grouped by
/// thread.
package struct ScreenReport {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// Passes the text of each screen to `write`, one screen at a time; only one is in memory.
    package func write(
        _ store: any NotificationStore, device: String? = nil, app: String? = nil, to write: (String) throws -> Void
    ) throws {
        var isFirst = try !writeActivities(store, device: device, app: app, to: write)
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

    /// Returns whether there are any on a lock screen.
    private func writeActivities(
        _ store: any NotificationStore, device: String?, app: String?, to write: (String) throws -> Void
    ) throws -> Bool {
        let shown = try store.liveActivities(device: device, app: app).filter { $0.state != .dismissed }
        var isFirst = true
        for (_, activities) in Self.grouped(shown, by: { [$0.device, $0.app] }) {
            var heading = isFirst ? "" : "\n"
            isFirst = false
            heading += style.bold(TextStyle.clean(activities[0].device))
            if !activities[0].app.isEmpty { heading += "  \(TextStyle.clean(activities[0].app))" }
            let noun = activities.count == 1 ? "Live Activity" : "Live Activities"
            try write(heading + style.dim("  \(activities.count) \(noun)") + "\n")
            for activity in LiveActivity.inOrderOfRelevance(activities) { try write(lines(of: activity)) }
        }
        return !isFirst
    }

    private func lines(of activity: LiveActivity) -> String {
        var lines = ""
        if let type = activity.attributesType { lines += "  ╭ \(style.bold(TextStyle.clean(type)))\n" }
        if let content = activity.contentState {
            lines += "  \(lines.isEmpty ? "╭" : "│") \(TextStyle.clean(content))\n"
        }
        let footer = "\(activity.identifier), \(activity.state.rawValue), \(RFC3339.text(activity.updatedAt))"
        return lines + "  ╰ \(style.dim(TextStyle.clean(footer)))\n"
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
    private static func grouped<Element, Key: Hashable>(
        _ elements: [Element], by key: (Element) -> Key
    ) -> [(Key, [Element])] {
        var positions: [Key: Int] = [:]
        var groups: [(Key, [Element])] = []
        for element in elements {
            let key = key(element)
            if let position = positions[key] {
                groups[position].1.append(element)
            } else {
                positions[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}
