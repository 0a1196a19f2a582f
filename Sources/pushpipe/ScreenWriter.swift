import FoundationEssentials
import PayloadJSON
import PushPipeline

/// Writes what is on the screens as a person would see it: device by device and app by app, newest first, grouped by thread.
struct ScreenWriter {
    let style: TextStyle

    func write(
        _ store: any NotificationStore, device: String? = nil, app: String? = nil, to output: StandardOutput
    ) throws {
        let notifications = try store.notifications(device: device, app: app)
        var isFirst = true
        for (center, shown) in Self.grouped(notifications, by: { Center(device: $0.device, app: $0.app) }) {
            var text = isFirst ? "" : "\n"
            isFirst = false
            text += style.bold(TextStyle.clean(center.device))
            if !center.app.isEmpty { text += "  \(TextStyle.clean(center.app))" }
            text += style.dim("  \(shown.count) on screen") + "\n"
            for (thread, cards) in Self.grouped(shown.reversed(), by: { $0.content.thread ?? "" }) {
                if !thread.isEmpty { text += style.dim("  thread \(TextStyle.clean(thread))") + "\n" }
                for card in cards { text += lines(of: card) }
            }
            try output.append { $0.appendText(text) }
        }
        if notifications.isEmpty { try output.append { $0.append("nothing on screen\n") } }
    }

    private struct Center: Hashable {
        var device: String
        var app: String
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
        let footer = style.dim("\(TextStyle.clean(card.identifier)), \(Timestamp.text(card.deliveredAt))")
        var lines = ""
        for (position, text) in texts.enumerated() { lines += "  \(position == 0 ? "╭" : "│") \(text)\n" }
        return lines + "  ╰ \(footer)\n"
    }

    /// Groups in the order of their first elements.
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

/// Times as people and programs read them: RFC 3339 in UTC, with milliseconds.
enum Timestamp {
    static func text(_ milliseconds: Int64) -> String {
        // Whole seconds go through the library; a fraction in a double would lose a millisecond now and then.
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let fraction = rest < 0 ? rest + 1000 : rest
        let whole = Date(timeIntervalSince1970: Double(rest < 0 ? seconds - 1 : seconds))
        let text = Date.ISO8601FormatStyle().format(whole)
        return "\(text.dropLast()).\(String(fraction + 1000).dropFirst())Z"
    }
}

/// A notification as a line of NDJSON.
enum NotificationLine {
    static func append(_ notification: DeliveredNotification, to out: inout ByteBuffer) {
        out.append("{\"seq\":")
        out.append(notification.seq)
        append("device", notification.device, to: &out)
        append("app", notification.app, to: &out)
        append("identifier", notification.identifier, to: &out)
        append("title", notification.content.title, to: &out)
        append("subtitle", notification.content.subtitle, to: &out)
        append("body", notification.content.body, to: &out)
        append("thread", notification.content.thread, to: &out)
        if let badge = notification.content.badge {
            out.append(",\"badge\":")
            out.append(Int64(badge))
        }
        append("delivered_at", Timestamp.text(notification.deliveredAt), to: &out)
        out.append(",\"payload\":")
        appendOnOneLine(notification.payload, to: &out)
        if let changes = notification.changes {
            out.append(",\"changes\":")
            out.appendText(changes)
        }
        out.append("}\n")
    }

    static func append(_ name: StaticString, _ number: Int, to out: inout ByteBuffer) {
        out.append(",\"")
        out.append(name)
        out.append("\":")
        out.append(Int64(number))
    }

    static func append(_ name: StaticString, _ value: String?, to out: inout ByteBuffer) {
        guard let value else { return }
        out.append(",\"")
        out.append(name)
        out.append("\":")
        out.appendJSONString(value)
    }

    /// A payload as it was sent, with the line breaks of pretty-printing made spaces. Inside a string JSON has none.
    private static func appendOnOneLine(_ payload: String, to out: inout ByteBuffer) {
        guard payload.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            out.appendText(payload)
            return
        }
        for byte in payload.utf8 { out.append(byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? 0x20 : byte) }
    }
}

/// A line of the journal.
enum EventLine {
    static func append(_ entry: JournalEntry, to out: inout ByteBuffer) {
        out.append("{\"seq\":")
        out.append(entry.seq)
        NotificationLine.append("at", Timestamp.text(entry.at), to: &out)
        NotificationLine.append("device", entry.device, to: &out)
        NotificationLine.append("app", entry.app, to: &out)
        NotificationLine.append("kind", entry.kind.name.description, to: &out)
        NotificationLine.append("identifier", entry.identifier, to: &out)
        out.append("}\n")
    }

    static func appendText(_ entry: JournalEntry, _ style: TextStyle, to out: inout ByteBuffer) {
        let fields = [
            style.dim(Timestamp.text(entry.at)), TextTable.padded(String(entry.seq), 6, right: true),
            TextTable.padded(entry.kind.name.description, 10), TextTable.padded(TextStyle.shortened(entry.device), 14),
            TextStyle.clean(entry.app), TextStyle.clean(entry.identifier),
        ]
        out.appendText(fields.filter { !$0.isEmpty }.joined(separator: "  ") + "\n")
    }
}

/// Apps on devices, in numbers.
struct CenterWriter {
    let style: TextStyle
    let isText: Bool

    func append(_ center: CenterSummary, to out: inout ByteBuffer) {
        out.append("{\"device\":")
        out.appendJSONString(center.device)
        NotificationLine.append("app", center.app, to: &out)
        out.append(",\"count\":")
        out.append(Int64(center.count))
        if let badge = center.badge {
            out.append(",\"badge\":")
            out.append(Int64(badge))
        }
        NotificationLine.append("latest", center.latest.map(Timestamp.text), to: &out)
        out.append("}\n")
    }

    func writeTable(_ store: SQLiteStore, to output: StandardOutput) throws {
        try output.append { out in
            out.appendText(style.dim("on screen  badge  latest                    device         app\n"))
        }
        try store.forEachCenter { center in
            let line = [
                TextTable.padded(String(center.count), 9, right: true),
                TextTable.padded(center.badge.map(String.init) ?? "–", 5, right: true),
                TextTable.padded(center.latest.map(Timestamp.text) ?? "–", 24),
                TextTable.padded(TextStyle.shortened(center.device), 13), TextStyle.clean(center.app),
            ].joined(separator: "  ")
            try output.append { $0.appendText(line + "\n") }
        }
    }
}

enum TextTable {
    static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(width - text.count, 0))
        return right ? spaces + text : text + spaces
    }
}
