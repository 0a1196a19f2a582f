package import PushJSON
package import PushModel
import PushSystem

/// Writes notifications, and what else is on a screen, as lines of NDJSON or CSV.
package final class NotificationWriter {
    private let isCSV: Bool
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var line = ByteBuffer()

    package init(isCSV: Bool) { self.isCSV = isCSV }

    package func appendHeading(to out: inout ByteBuffer) {
        guard isCSV else { return }
        out.append("seq,device,app,identifier,title,subtitle,body,thread,badge,delivered_at,payload,changes\r\n")
    }

    package func append(_ notification: DeliveredNotification, to out: inout ByteBuffer) {
        guard !isCSV else { return appendCSV(notification, to: &out) }
        line.removeAll()
        NotificationLine.append(notification, payloads: .json, to: &line)
        let form = form(for: notification)
        if form != .json {
            line.removeAll()
            NotificationLine.append(notification, payloads: form, to: &line)
        }
        out.append(line)
    }

    /// Appends a Live Activity as a line of NDJSON; the columns of CSV are those of notifications.
    package func append(_ activity: LiveActivity, to out: inout ByteBuffer) {
        guard !isCSV else { return }
        out.append("{\"seq\":")
        out.append(activity.seq)
        out.appendMember("device", activity.device)
        out.appendMember("app", activity.app)
        out.appendMember("identifier", activity.identifier)
        out.appendMember("state", activity.state.rawValue)
        out.appendMember("attributes_type", activity.attributesType)
        if let content = activity.contentState {
            out.appendMemberName("content_state")
            // It was part of a payload, so it is JSON.
            out.appendText(content.replacing("\n", with: " "))
        }
        out.appendMember("updated_at", milliseconds: activity.updatedAt)
        out.append("}\n")
    }

    /// Appends an app on a device with the number on its icon, if it has one.
    package func append(device: String, app: String, badge: Int?, to out: inout ByteBuffer) {
        if isCSV {
            return CSVLine.append(
                [nil, device, app, nil, nil, nil, nil, nil, badge.map(String.init), nil, nil, nil], to: &out)
        }
        out.append("{\"device\":")
        out.appendJSONString(device)
        out.appendMember("app", app)
        if let badge { out.appendMember("badge", badge) }
        out.append("}\n")
    }

    private func appendCSV(_ notification: DeliveredNotification, to out: inout ByteBuffer) {
        let content = notification.content
        CSVLine.append(
            [
                String(notification.seq), notification.device, notification.app, notification.identifier,
                content.title, content.subtitle, content.body, content.thread, content.badge.map(String.init),
                RFC3339.text(notification.deliveredAt), notification.payload, notification.changes,
            ], to: &out)
    }

    /// The simplest form from which a reader of the line can restore payload and changes byte for byte.
    private func form(for notification: DeliveredNotification) -> NotificationLine.PayloadForm {
        // SOUND: `line` does not change while `root` and its members are used.
        guard unsafe scanner.scan(line.bytes, into: &tape) == nil, let root = unsafe tape.root(of: line.bytes) else {
            return .text
        }
        func isSame(_ value: JSONView?, _ text: String?) -> Bool {
            guard let text else { return value == nil }
            return value.map { unsafe $0.text.buffer.elementsEqual(text.utf8) } ?? false
        }
        if isSame(root["payload"], notification.payload), isSame(root["changes"], notification.changes) { return .json }
        // A payload of several lines, or one that is not JSON, because the store was edited; that one must not be
        // inserted into the line as JSON.
        return isJSON(notification.payload) && notification.changes.map(isJSON) ?? true ? .jsonAndText : .text
    }

    private func isJSON(_ text: String) -> Bool {
        var text = text
        // SOUND: the text stays while the closure runs.
        return text.withUTF8 { unsafe scanner.scan(UnsafeRawBufferPointer($0), into: &tape) == nil }
    }
}

/// A notification as a line of NDJSON.
enum NotificationLine {
    /// The form of payload and changes in the line.
    enum PayloadForm {
        /// Payload and changes as JSON, with the line breaks of pretty-printing replaced by spaces.
        case json
        /// Payload and changes as JSON, and also as strings, which keep the line breaks.
        case jsonAndText
        /// Payload and changes as strings only; the JSON is null.
        case text
    }

    static func append(
        _ notification: DeliveredNotification, payloads: PayloadForm, to out: inout ByteBuffer
    ) {
        out.append("{\"seq\":")
        out.append(notification.seq)
        out.appendMember("device", notification.device)
        out.appendMember("app", notification.app)
        out.appendMember("identifier", notification.identifier)
        out.appendMember("title", notification.content.title)
        out.appendMember("subtitle", notification.content.subtitle)
        out.appendMember("body", notification.content.body)
        out.appendMember("thread", notification.content.thread)
        if let badge = notification.content.badge { out.appendMember("badge", badge) }
        out.appendMember("delivered_at", milliseconds: notification.deliveredAt)
        append("payload", notification.payload, textName: "payload_text", payloads, to: &out)
        if let changes = notification.changes {
            append("changes", changes, textName: "changes_text", payloads, to: &out)
        }
        out.append("}\n")
    }

    private static func append(
        _ name: StaticString, _ json: String, textName: StaticString, _ form: PayloadForm, to out: inout ByteBuffer
    ) {
        out.appendMemberName(name)
        if form == .text { out.append("null") } else { appendOnOneLine(json, to: &out) }
        if form != .json { out.appendMember(textName, json) }
    }

    /// A payload as it was sent, with the line breaks of pretty-printing replaced by spaces. JSON has none inside a string.
    private static func appendOnOneLine(_ payload: String, to out: inout ByteBuffer) {
        guard payload.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            out.appendText(payload)
            return
        }
        for byte in payload.utf8 { out.append(byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? 0x20 : byte) }
    }
}

/// A journal entry as a line of NDJSON.
package enum JournalLine {
    package static func append(_ entry: JournalEntry, to out: inout ByteBuffer) {
        out.append("{\"seq\":")
        out.append(entry.seq)
        out.appendMember("at", milliseconds: entry.at)
        out.appendMember("device", entry.device)
        out.appendMember("app", entry.app)
        out.appendMember("kind", entry.kind.name.description)
        out.appendMember("identifier", entry.identifier)
        out.append("}\n")
    }
}

extension ByteBuffer {
    /// Appends a time in RFC 3339, or the number of milliseconds since the epoch where RFC 3339 cannot write it.
    package mutating func appendMember(_ name: StaticString, milliseconds: Int64) {
        if RFC3339.writable.contains(milliseconds) {
            appendMember(name, RFC3339.text(milliseconds))
        } else {
            appendMember(name, Int(milliseconds))
        }
    }
}

/// A line of CSV (RFC 4180).
///
/// A missing text is an empty field; an empty text is `""`.
package enum CSVLine {
    package static func append(_ fields: [String?], to out: inout ByteBuffer) {
        for (position, field) in fields.enumerated() {
            if position > 0 { out.append(",") }
            if let field { append(field, to: &out) }
        }
        out.append("\r\n")
    }

    private static func append(_ field: String, to out: inout ByteBuffer) {
        let quote = UInt8(ascii: "\"")
        let needsQuotes = field.utf8.contains { [quote, UInt8(ascii: ","), 0x0D, 0x0A].contains($0) }
        guard needsQuotes || field.isEmpty else { return out.appendText(field) }
        out.append(quote)
        for byte in field.utf8 {
            if byte == quote { out.append(quote) }
            out.append(byte)
        }
        out.append(quote)
    }
}
