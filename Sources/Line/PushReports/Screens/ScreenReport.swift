package import PushDevices
package import PushJSON
package import PushModel
import PushSystem
package import PushText

/// Writes the screens as a user sees them: Live Activities, then notifications by device and app, newest first, grouped by
/// thread, then apps that have a number on their icons and nothing else. Of the apps of a device that follow one another in the store, the one
/// with the newest notification comes first.
package struct ScreenReport {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// Passes the text of each screen to `write`, one screen at a time; only those of one device are in memory, and the numbers on icons.
    package func write(
        _ store: any BrowsableStore, device: String? = nil, app: String? = nil, to write: (String) throws -> Void
    ) throws {
        var numbers = try IconNumbers(store, device: device, app: app)
        let different = try store.devicesSeenDifferently()
        // The device of the last heading: the next one of the same device shortens its name.
        var named = try writeActivities(store, device: device, app: app, to: write)
        func writeHeading(_ device: String, _ app: String, _ count: String) throws {
            try write((named == nil ? "" : "\n") + heading(device, app, count, isNamed: named == device))
            named = device
        }
        var screens: [Screen] = []
        func writeScreens() throws {
            for screen in screens.sorted(by: { $0.time > $1.time }) {
                let (shown, newest) = (screen.shown, screen.newest)
                try writeHeading(
                    newest.device, newest.app,
                    Self.counts(shown.count, numbers.take(device: newest.device, app: newest.app)))
                for (thread, cards) in Self.grouped(shown.reversed(), by: { $0.content.thread ?? "" }) {
                    if !thread.isEmpty { try write(style.dim("  thread \(TextStyle.clean(thread))") + "\n") }
                    if screen.isBundle { try write(style.dim("  bundle of \(cards.count)") + "\n") }
                    for card in cards { try write(lines(of: card)) }
                }
            }
            screens = []
        }
        try AndroidScreens(store, device: device).forEachScreen(device: device, app: app) { shown, isBundle in
            guard let newest = shown.last else { return }
            if let last = screens.last, last.newest.device != newest.device { try writeScreens() }
            let seen = different.contains(newest.device) ? try Self.seen(shown, newest, store) : shown
            screens.append(Screen(shown: seen, newest: newest, isBundle: isBundle))
        }
        try writeScreens()
        for icon in numbers.rest { try writeHeading(icon.device, icon.app, Self.counts(0, icon.number)) }
        if named == nil { try write("nothing on screen\n") }
    }

    /// The notifications of one app on a device.
    private struct Screen {
        /// Oldest first.
        var shown: [DeliveredNotification]
        var newest: DeliveredNotification
        var isBundle: Bool
        /// The time of the last delivery: Android has notifications in the order of their events.
        var time: Int64

        init(shown: [DeliveredNotification], newest: DeliveredNotification, isBundle: Bool) {
            self.shown = shown
            self.newest = newest
            self.isBundle = isBundle
            time = shown.reduce(newest.deliveredAt) { max($0, $1.deliveredAt) }
        }
    }

    /// A screen as it is seen where an app may hide the texts of its notifications, or is in the scheduled summary.
    private static func seen(
        _ shown: [DeliveredNotification], _ newest: DeliveredNotification, _ store: any BrowsableStore
    ) throws -> [DeliveredNotification] {
        let registered = try store.registered(on: newest.device)
        let previews = HiddenPreviews(registered)
        let isInSummary = ScheduledSummary.contains(newest.app, registered)
        guard isInSummary || previews.hides(app: newest.app) else { return shown }
        // Their payloads name their categories and their relevance, and may have been omitted.
        var notifications = try store.notifications(device: newest.device, app: newest.app)
        if isInSummary { ScheduledSummary.sort(&notifications) }
        return previews.seen(notifications)
    }

    private static func counts(_ notifications: Int, _ badge: Int?) -> String {
        "\(notifications) on screen" + (badge.map { ", badge \($0)" } ?? "")
    }

    /// The Live Activities on lock screens, by device and app, the most relevant first.
    package static func activities(
        _ store: any NotificationStore, device: String? = nil, app: String? = nil
    ) throws -> [[LiveActivity]] {
        let shown = try store.liveActivities(device: device, app: app).filter { $0.state != .dismissed }
        return grouped(shown) { [$0.device, $0.app] }.map { LiveActivity.inOrderOfRelevance($0.1) }
    }

    /// Returns the device of the last Live Activity on a lock screen; nil if there is none.
    private func writeActivities(
        _ store: any BrowsableStore, device: String?, app: String?, to write: (String) throws -> Void
    ) throws -> String? {
        var named: String?
        let locked = try store.lockedDevices()
        for activities in try Self.activities(store, device: device, app: app) {
            if locked.contains(activities[0].device), try Self.areHidden(activities[0], store) { continue }
            let noun = activities.count == 1 ? "Live Activity" : "Live Activities"
            let count = "\(activities.count) \(noun)"
            let device = activities[0].device
            try write((named == nil ? "" : "\n") + heading(device, activities[0].app, count, isNamed: named == device))
            named = device
            for activity in activities { try write(lines(of: activity)) }
        }
        return named
    }

    /// True if an app does not show its activities while its device is locked.
    private static func areHidden(_ activity: LiveActivity, _ store: any BrowsableStore) throws -> Bool {
        let apps = try store.registered(on: activity.device)
        let app = apps.first { $0.app == activity.app } ?? apps.first { $0.app.isEmpty }
        return app?.event.settings.liveActivities == .whenUnlocked
    }

    /// A device's name is shortened where the heading before has named it, and where the heading has no room for it: a token has 64 digits.
    private func heading(_ device: String, _ app: String, _ count: String, isNamed: Bool) -> String {
        var line = FlowingLine(style, indent: 2)
        let name = TextStyle.clean(device)
        let parts = [name, TextStyle.clean(app), count].filter { !$0.isEmpty }
        let needed = parts.reduce(2 * (parts.count - 1)) { $0 + TerminalText.width($1) }
        let isLong = style.columns.map { needed > $0 } ?? false
        line.append(isNamed || isLong ? TextStyle.shortened(device) : name, style.bold)
        if !app.isEmpty { line.append(TextStyle.clean(app)) }
        line.append(count, style.dim)
        return line.text + "\n"
    }

    private func lines(of activity: LiveActivity) -> String {
        let footer = "\(activity.identifier), \(activity.state.rawValue), \(RFC3339.text(activity.updatedAt))"
        let type = activity.attributesType.map { wrapped($0).map(style.bold) } ?? []
        return card(type + (activity.contentState.map { wrapped(ContentText.line($0)) } ?? []), footer)
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
        let attached = Self.hasAttachment(notification) ? ", with an attachment" : ""
        return card(texts, "\(notification.identifier)\(attached), \(RFC3339.text(notification.deliveredAt))")
    }

    /// True if a service extension or the app has attached a picture or another file.
    private static func hasAttachment(_ notification: DeliveredNotification) -> Bool {
        guard let changes = notification.changes else { return false }
        return BorrowedText.with(changes) { text in
            text.withJSON { root in
                var attachments = root["attachments"]?.elements
                return attachments?.next() != nil
            }
        } ?? false
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

/// The numbers on the icons of apps, for a report of notifications: which of them the notifications do not show.
package struct IconNumbers {
    private struct Key: Hashable {
        var device: String
        var app: String
    }

    package struct Icon: Sendable, Equatable {
        package var device: String
        package var app: String
        package var number: Int
    }

    /// Nil for those that have been shown.
    private var icons: [Icon?] = []
    private var positions: [Key: Int] = [:]

    /// Reads the numbers that are not 0.
    ///
    /// - Parameters:
    ///   - device: nil for all devices.
    ///   - app: nil for all apps.
    package init(_ store: any BrowsableStore, device: String?, app: String?) throws {
        if let device {
            for (name, number) in try store.badges(on: device) { add(number, name, device, only: app) }
        } else {
            try store.forEachBadge { device, name, number in add(number, name, device, only: app) }
        }
    }

    private mutating func add(_ number: Int?, _ app: String, _ device: String, only wanted: String?) {
        guard let number, number != 0, wanted ?? app == app else { return }
        positions[Key(device: device, app: app)] = icons.count
        icons.append(Icon(device: device, app: app, number: number))
    }

    /// Takes the number of an app; nil for none, and for one that has been taken.
    package mutating func take(device: String, app: String) -> Int? {
        guard let position = positions.removeValue(forKey: Key(device: device, app: app)) else { return nil }
        defer { icons[position] = nil }
        return icons[position]?.number
    }

    /// Says that a notification is shown, newest first. The number of an app is shown if its newest notification has set it.
    package mutating func show(_ notification: DeliveredNotification) {
        let key = Key(device: notification.device, app: notification.app)
        guard let position = positions.removeValue(forKey: key) else { return }
        if icons[position]?.number == notification.content.badge { icons[position] = nil }
    }

    /// The numbers that nothing has shown, in the order in which the apps were first seen.
    package var rest: [Icon] { icons.compactMap(\.self) }
}

package enum ContentText {
    /// `home: 2, away: 1` for `{"home":2,"away":1}`. A value that is an object or an array stays JSON, and so does a text that is not an object.
    package static func line(_ json: String) -> String {
        let members = BorrowedText.with(json) { $0.withJSON(members(of:)) } ?? []
        return members.isEmpty ? json : members.joined(separator: ", ")
    }

    private static func members(of root: JSONView) -> [String] {
        guard root.isObject else { return [] }
        return root.members.map { key, value in "\(key.string): \(value.string?.string ?? value.text.string)" }
    }
}

package enum StoreReportForm: String, Sendable, CaseIterable {
    /// Columns of text.
    case text
    /// One JSON object per line.
    case ndjson
    /// RFC 4180, with a header line.
    case csv
}

/// Writes one line per notification center of a store: an app's notification count on a device, its badge and its latest delivery.
package struct CenterReport {
    private let style: TextStyle
    private let form: StoreReportForm

    package init(style: TextStyle, form: StoreReportForm) {
        self.style = style
        self.form = form
    }

    package func appendHeading(to out: inout ByteBuffer) {
        switch form {
        case .text: out.appendText(style.dim("on screen  badge  latest                    device         app\n"))
        case .ndjson: break
        case .csv: out.append("device,app,count,badge,latest\r\n")
        }
    }

    package func append(_ center: CenterSummary, to out: inout ByteBuffer) {
        switch form {
        case .text: appendText(center, to: &out)
        case .ndjson: appendJSON(center, to: &out)
        case .csv:
            CSVLine.append(
                [
                    center.device, center.app, String(center.count), center.badge.map(String.init),
                    center.latest.map(RFC3339.text),
                ], to: &out)
        }
    }

    private func appendJSON(_ center: CenterSummary, to out: inout ByteBuffer) {
        out.append("{\"device\":")
        out.appendJSONString(center.device)
        out.appendMember("app", center.app)
        out.appendMember("count", center.count)
        if let badge = center.badge { out.appendMember("badge", badge) }
        if let latest = center.latest { out.appendMember("latest", milliseconds: latest) }
        out.append("}\n")
    }

    private func appendText(_ center: CenterSummary, to out: inout ByteBuffer) {
        var line = FlowingLine(style, indent: 2)
        line.appendCell(TerminalText.padded(String(center.count), to: 9, right: true), to: 11)
        line.appendCell(TerminalText.padded(center.badge.map(String.init) ?? "–", to: 5, right: true), to: 7)
        line.appendCell(center.latest.map(RFC3339.text) ?? "–", to: 26)
        line.appendCell(TextStyle.shortened(center.device), to: 15)
        line.append(TextStyle.clean(center.app))
        out.appendText(line.text + "\n")
    }
}

/// Writes journal entries, one per line.
package struct JournalReport {
    private let style: TextStyle
    private let form: StoreReportForm
    /// The day of the last entry, on a terminal that has no room for it in each line.
    private var day = ""

    /// The fewest columns of a terminal in which lines have their whole time.
    private static let wideColumns = 100
    private static let fewestOfApp = 12

    package init(style: TextStyle, form: StoreReportForm) {
        self.style = style
        self.form = form
    }

    package func appendHeading(to out: inout ByteBuffer) {
        if form == .csv { out.append("seq,at,device,app,kind,identifier\r\n") }
    }

    package mutating func append(_ entry: JournalEntry, to out: inout ByteBuffer) {
        switch form {
        case .text: appendText(entry, to: &out)
        case .ndjson: JournalLine.append(entry, to: &out)
        case .csv:
            CSVLine.append(
                [
                    String(entry.seq), RFC3339.text(entry.at), entry.device, entry.app, entry.kind.name.description,
                    entry.identifier,
                ], to: &out)
        }
    }

    private mutating func appendText(_ entry: JournalEntry, to out: inout ByteBuffer) {
        let isNarrow = style.columns.map { $0 < Self.wideColumns } ?? false
        let time = RFC3339.text(entry.at)
        if isNarrow, day != time.prefix(10) {
            day = String(time.prefix(10))
            out.appendText(style.dim(day) + "\n")
        }
        var line = FlowingLine(style, indent: 2)
        if isNarrow {
            line.appendCell(String(time.dropFirst(11).dropLast()), to: 14, style.dim)
        } else {
            line.appendCell(time, to: 26, style.dim)
        }
        line.appendCell(TerminalText.padded(String(entry.seq), to: 6, right: true), to: 8)
        line.appendCell(entry.kind.name.description, to: 12)
        line.appendCell(TextStyle.shortened(entry.device), to: isNarrow ? 15 : 16)
        let identifier = TextStyle.clean(entry.identifier)
        if !entry.app.isEmpty {
            var app = TextStyle.clean(entry.app)
            if isNarrow, let room = line.room {
                // The end of an app's name says more than its beginning.
                let columns = max(room - TerminalText.width(identifier) - 2, Self.fewestOfApp)
                app = TerminalText.shortened(app, to: columns, keepingEnd: columns * 2 / 3)
            }
            line.append(app)
        }
        if !identifier.isEmpty { line.append(identifier) }
        out.appendText(line.text + "\n")
    }
}
