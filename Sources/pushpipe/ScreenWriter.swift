import DeviceScreens
import NotificationStore
import PayloadJSON
import PushModel
import PushPipeline
import SystemSupport
import TerminalStyle

/// Writes what is on the screens as a person would see it: device by device and app by app, newest first, grouped by thread.
struct ScreenWriter {
    let style: TextStyle

    func write(
        _ store: any NotificationStore, device: String? = nil, app: String? = nil, to output: StandardOutput
    ) throws {
        var isFirst = true
        try store.forEachScreen(device: device, app: app) { shown in
            guard let newest = shown.last else { return }
            var heading = isFirst ? "" : "\n"
            isFirst = false
            heading += style.bold(TextStyle.clean(newest.device))
            if !newest.app.isEmpty { heading += "  \(TextStyle.clean(newest.app))" }
            heading += style.dim("  \(shown.count) on screen") + "\n"
            try output.append { $0.appendText(heading) }
            for (thread, cards) in Self.grouped(shown.reversed(), by: { $0.content.thread ?? "" }) {
                if !thread.isEmpty {
                    try output.append { $0.appendText(style.dim("  thread \(TextStyle.clean(thread))") + "\n") }
                }
                for card in cards { try output.append { $0.appendText(lines(of: card)) } }
            }
        }
        if isFirst { try output.append { $0.append("nothing on screen\n") } }
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

/// A notification as a line of NDJSON.
enum NotificationLine {
    /// How payload and changes stand in the line.
    enum PayloadForm {
        /// As JSON, with the line breaks of pretty-printing made spaces.
        case json
        /// As JSON, and as strings besides, which have the line breaks.
        case jsonAndText
        /// As strings alone; the JSON is null.
        case text
    }

    static func append(_ notification: DeliveredNotification, payloads: PayloadForm, to out: inout ByteBuffer) {
        out.append("{\"seq\":")
        out.append(notification.seq)
        append("device", notification.device, to: &out)
        append("app", notification.app, to: &out)
        append("identifier", notification.identifier, to: &out)
        append("title", notification.content.title, to: &out)
        append("subtitle", notification.content.subtitle, to: &out)
        append("body", notification.content.body, to: &out)
        append("thread", notification.content.thread, to: &out)
        if let badge = notification.content.badge { append("badge", badge, to: &out) }
        append("delivered_at", time: notification.deliveredAt, to: &out)
        append("payload", notification.payload, textName: "payload_text", payloads, to: &out)
        if let changes = notification.changes {
            append("changes", changes, textName: "changes_text", payloads, to: &out)
        }
        out.append("}\n")
    }

    /// As RFC 3339; as milliseconds since the epoch where that has no words for it.
    static func append(_ name: StaticString, time: Int64, to out: inout ByteBuffer) {
        if RFC3339.writable.contains(time) {
            append(name, RFC3339.text(time), to: &out)
        } else {
            append(name, Int(time), to: &out)
        }
    }

    private static func append(
        _ name: StaticString, _ json: String, textName: StaticString, _ form: PayloadForm, to out: inout ByteBuffer
    ) {
        out.append(",\"")
        out.append(name)
        out.append("\":")
        if form == .text { out.append("null") } else { appendOnOneLine(json, to: &out) }
        if form != .json { append(textName, json, to: &out) }
    }

    static func append(_ name: StaticString, _ number: Int, to out: inout ByteBuffer) {
        out.appendMember(name, number)
    }

    static func append(_ name: StaticString, _ value: String?, to out: inout ByteBuffer) {
        if let value { out.appendMember(name, value) }
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
        NotificationLine.append("at", time: entry.at, to: &out)
        NotificationLine.append("device", entry.device, to: &out)
        NotificationLine.append("app", entry.app, to: &out)
        NotificationLine.append("kind", entry.kind.name.description, to: &out)
        NotificationLine.append("identifier", entry.identifier, to: &out)
        out.append("}\n")
    }
}

/// Writes the journal.
struct EventWriter {
    let style: TextStyle
    let form: StoreCommand.Form.Name

    func appendHeading(to out: inout ByteBuffer) {
        if form == .csv { out.append("seq,at,device,app,kind,identifier\r\n") }
    }

    func append(_ entry: JournalEntry, to out: inout ByteBuffer) {
        switch form {
        case .text: appendText(entry, to: &out)
        case .ndjson: EventLine.append(entry, to: &out)
        case .csv:
            CSVLine.append(
                [
                    String(entry.seq), RFC3339.text(entry.at), entry.device, entry.app, entry.kind.name.description,
                    entry.identifier,
                ], to: &out)
        }
    }

    private func appendText(_ entry: JournalEntry, to out: inout ByteBuffer) {
        let fields = [
            style.dim(RFC3339.text(entry.at)), TextTable.padded(String(entry.seq), 6, right: true),
            TextTable.padded(entry.kind.name.description, 10), TextTable.padded(TextStyle.shortened(entry.device), 14),
            TextStyle.clean(entry.app), TextStyle.clean(entry.identifier),
        ]
        out.appendText(fields.filter { !$0.isEmpty }.joined(separator: "  ") + "\n")
    }
}

/// Writes apps on devices, in numbers.
struct CenterWriter {
    let style: TextStyle
    let form: StoreCommand.Form.Name

    func appendHeading(to out: inout ByteBuffer) {
        switch form {
        case .text: out.appendText(style.dim("on screen  badge  latest                    device         app\n"))
        case .ndjson: break
        case .csv: out.append("device,app,count,badge,latest\r\n")
        }
    }

    func append(_ center: CenterSummary, to out: inout ByteBuffer) {
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
        NotificationLine.append("app", center.app, to: &out)
        NotificationLine.append("count", center.count, to: &out)
        if let badge = center.badge { NotificationLine.append("badge", badge, to: &out) }
        if let latest = center.latest { NotificationLine.append("latest", time: latest, to: &out) }
        out.append("}\n")
    }

    private func appendText(_ center: CenterSummary, to out: inout ByteBuffer) {
        let line = [
            TextTable.padded(String(center.count), 9, right: true),
            TextTable.padded(center.badge.map(String.init) ?? "–", 5, right: true),
            TextTable.padded(center.latest.map(RFC3339.text) ?? "–", 24),
            TextTable.padded(TextStyle.shortened(center.device), 13), TextStyle.clean(center.app),
        ].joined(separator: "  ")
        out.appendText(line + "\n")
    }
}

enum TextTable {
    static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
        TerminalText.padded(text, to: width, right: right)
    }
}
