package import PayloadJSON
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

    /// Appends the number on the icon of an app, where no notification says it.
    package func append(device: String, app: String, badge: Int, to out: inout ByteBuffer) {
        if isCSV {
            return CSVLine.append(
                [nil, device, app, nil, nil, nil, nil, nil, String(badge), nil, nil, nil], to: &out)
        }
        out.append("{\"device\":")
        out.appendJSONString(device)
        out.appendMember("app", app)
        out.appendMember("badge", badge)
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
