import DeviceScreens
import PushModel
package import PushStore
import PushSystem
package import PushText

/// Writes the screens as a user sees them: Live Activities, then notifications by device and app, newest first, grouped by
/// thread, then apps that have a number on their icons and nothing else.
package struct ScreenReport {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// Passes the text of each screen to `write`, one screen at a time; only one is in memory, and the numbers on icons.
    package func write(
        _ store: any ScreenReading, device: String? = nil, app: String? = nil, to write: (String) throws -> Void
    ) throws {
        var numbers = try IconNumbers(store, device: device, app: app)
        let hiding = try store.devicesHidingPreviews()
        var isFirst = try !writeActivities(store, device: device, app: app, to: write)
        try AndroidScreens(store, device: device).forEachScreen(device: device, app: app) { shown, isBundle in
            guard let newest = shown.last else { return }
            let shown = hiding.contains(newest.device) ? try Self.seen(shown, newest, store) : shown
            try write(
                (isFirst ? "" : "\n")
                    + heading(
                        newest.device, newest.app,
                        Self.counts(shown.count, numbers.take(device: newest.device, app: newest.app))))
            isFirst = false
            for (thread, cards) in Self.grouped(shown.reversed(), by: { $0.content.thread ?? "" }) {
                if !thread.isEmpty { try write(style.dim("  thread \(TextStyle.clean(thread))") + "\n") }
                if isBundle { try write(style.dim("  bundle of \(cards.count)") + "\n") }
                for card in cards { try write(lines(of: card)) }
            }
        }
        for icon in numbers.rest {
            try write((isFirst ? "" : "\n") + heading(icon.device, icon.app, Self.counts(0, icon.number)))
            isFirst = false
        }
        if isFirst { try write("nothing on screen\n") }
    }

    /// A screen as it is seen where an app may hide the texts of its notifications.
    private static func seen(
        _ shown: [DeliveredNotification], _ newest: DeliveredNotification, _ store: any ScreenReading
    ) throws -> [DeliveredNotification] {
        let previews = HiddenPreviews(try store.registered(on: newest.device))
        guard previews.hides(app: newest.app) else { return shown }
        // Their payloads name their categories, and may have been omitted.
        return previews.seen(try store.notifications(device: newest.device, app: newest.app))
    }

    private static func counts(_ notifications: Int, _ badge: Int?) -> String {
        "\(notifications) on screen" + (badge.map { ", badge \($0)" } ?? "")
    }

    /// Returns true if there are any on a lock screen.
    private func writeActivities(
        _ store: any NotificationStore, device: String?, app: String?, to write: (String) throws -> Void
    ) throws -> Bool {
        let shown = try store.liveActivities(device: device, app: app).filter { $0.state != .dismissed }
        var isFirst = true
        for (_, activities) in Self.grouped(shown, by: { [$0.device, $0.app] }) {
            let noun = activities.count == 1 ? "Live Activity" : "Live Activities"
            let count = "\(activities.count) \(noun)"
            try write((isFirst ? "" : "\n") + heading(activities[0].device, activities[0].app, count))
            isFirst = false
            for activity in LiveActivity.inOrderOfRelevance(activities) { try write(lines(of: activity)) }
        }
        return !isFirst
    }

    private func heading(_ device: String, _ app: String, _ count: String) -> String {
        var line = FlowingLine(style, indent: 2)
        line.append(TextStyle.clean(device), style.bold)
        if !app.isEmpty { line.append(TextStyle.clean(app)) }
        line.append(count, style.dim)
        return line.text + "\n"
    }

    private func lines(of activity: LiveActivity) -> String {
        let footer = "\(activity.identifier), \(activity.state.rawValue), \(RFC3339.text(activity.updatedAt))"
        let type = activity.attributesType.map { wrapped($0).map(style.bold) } ?? []
        return card(type + (activity.contentState.map(wrapped) ?? []), footer)
    }

    private func lines(of notification: DeliveredNotification) -> String {
        let content = notification.content
        var texts = (content.title.map(wrapped) ?? []).map(style.bold)
        let subtitle = content.subtitle.map(wrapped) ?? []
        if let title = content.title, let first = subtitle.first, texts.count == 1, subtitle.count == 1,
            wrapped("\(title) · \(first)").count == 1
        {
            texts[0] += " · " + first
        } else {
            texts += subtitle
        }
        if let body = content.body {
            texts += body.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped(String($0)) }
        }
        return card(texts, "\(notification.identifier), \(RFC3339.text(notification.deliveredAt))")
    }

    /// Columns before the text of a card.
    private static let margin = 4

    private func wrapped(_ text: String) -> [String] { style.wrapped(TextStyle.clean(text), indent: Self.margin) }

    /// Lines of styled text in a card, with the rest below.
    private func card(_ texts: [String], _ footer: String) -> String {
        var lines = ""
        for (position, text) in texts.enumerated() { lines += "  \(position == 0 ? "╭" : "│") \(text)\n" }
        for (position, part) in wrapped(footer).enumerated() {
            lines += "  \(position == 0 ? "╰" : " ") \(style.dim(part))\n"
        }
        return lines
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
