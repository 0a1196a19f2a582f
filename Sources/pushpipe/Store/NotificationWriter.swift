import DeviceScreens
import PayloadJSON
import PushModel
import PushPipeline
import SystemSupport

/// Writes notifications as lines of NDJSON or CSV.
final class NotificationWriter {
    private let isCSV: Bool
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var line = ByteBuffer()

    init(isCSV: Bool) { self.isCSV = isCSV }

    func appendHeading(to out: inout ByteBuffer) {
        guard isCSV else { return }
        out.append("seq,device,app,identifier,title,subtitle,body,thread,badge,delivered_at,payload,changes\r\n")
    }

    func append(_ notification: DeliveredNotification, to out: inout ByteBuffer) {
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

    private func appendCSV(_ notification: DeliveredNotification, to out: inout ByteBuffer) {
        let content = notification.content
        CSVLine.append(
            [
                String(notification.seq), notification.device, notification.app, notification.identifier,
                content.title, content.subtitle, content.body, content.thread, content.badge.map(String.init),
                RFC3339.text(notification.deliveredAt), notification.payload, notification.changes,
            ], to: &out)
    }

    /// The simplest form that gives payload and changes back byte for byte to whoever reads the line, judging by the line as JSON alone.
    private func form(for notification: DeliveredNotification) -> NotificationLine.PayloadForm {
        guard scanner.scan(line.bytes, into: &tape) == nil, let root = tape.root(of: line.bytes) else { return .text }
        func isSame(_ value: JSONView?, _ text: String?) -> Bool {
            guard let text else { return value == nil }
            return value.map { $0.text.buffer.elementsEqual(text.utf8) } ?? false
        }
        if isSame(root["payload"], notification.payload), isSame(root["changes"], notification.changes) { return .json }
        // Of several lines; or no JSON, because somebody edited the store, and then it must not be a part of the line.
        return isJSON(notification.payload) && notification.changes.map(isJSON) ?? true ? .jsonAndText : .text
    }

    private func isJSON(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { scanner.scan(UnsafeRawBufferPointer($0), into: &tape) == nil }
    }
}

/// A line of CSV as RFC 4180 has it.
///
/// A text that is not there is an empty field, an empty text is `""`.
enum CSVLine {
    static func append(_ fields: [String?], to out: inout ByteBuffer) {
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
