package import PayloadJSON
package import PushModel
import PushSystem

/// A notification as a line of NDJSON.
package enum NotificationLine {
    /// The form of payload and changes in the line.
    package enum PayloadForm {
        /// As JSON, with the line breaks of pretty-printing replaced by spaces.
        case json
        /// As JSON, and also as strings, which keep the line breaks.
        case jsonAndText
        /// As strings only; the JSON is null.
        case text
    }

    package static func append(
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
