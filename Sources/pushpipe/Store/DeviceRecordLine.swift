import DeviceScreens
import NotificationStore
import PayloadJSON
import PushModel
import PushPipeline
import TerminalStyle

/// What is kept of a device, or held for it, as a line of an export: `{"installation":{…}}`, `{"held":{…}}`.
struct DeviceRecordLine {
    private let redactor: NotificationRedactor?

    init(_ redactor: NotificationRedactor?) { self.redactor = redactor }

    func append(_ record: DeviceRecord, to out: inout ByteBuffer) {
        let record = redacted(record)
        out.append("{\"")
        out.appendText(record.kind.rawValue)
        out.append("\":{")
        var isFirst = true
        for (name, _) in DeviceRecord.columns(of: record.kind) {
            guard let value = record.values[name] else { continue }
            if !isFirst { out.append(",") }
            isFirst = false
            out.appendJSONString(name)
            out.append(":")
            switch value {
            case .text(let text): out.appendJSONString(text)
            case .integer(let number): out.appendText(String(number))
            }
        }
        out.append("}}\n")
    }

    /// Hides what is hidden in notifications: by having it be one.
    private func redacted(_ record: DeviceRecord) -> DeviceRecord {
        guard let redactor else { return record }
        var record = record
        func text(_ name: String) -> String {
            if case .text(let text)? = record.values[name] { text } else { "" }
        }
        let seen = redactor.redact(
            DeliveredNotification(
                seq: 0, device: text("device"), app: text("app"), identifier: text("collapse_id"),
                content: ShownContent(), deliveredAt: 0, payload: text("payload")))
        record.values["device"] = .text(seen.device)
        if record.values["payload"] != nil { record.values["payload"] = .text(seen.payload) }
        if record.values["collapse_id"] != nil { record.values["collapse_id"] = .text(seen.identifier) }
        // What else senders and apps choose is left out.
        for name in ["details", "canonical", "collapse_key"] { record.values[name] = nil }
        return record
    }

    /// Nil for a line about something else.
    static func read(_ root: JSONView) throws -> DeviceRecord? {
        for kind in DeviceRecord.Kind.allCases {
            guard let object = root[pointer: "/\(kind.rawValue)"] else { continue }
            guard object.isObject else { throw BadExport("\(kind.rawValue) is not an object") }
            var values: [String: DeviceRecord.Value] = [:]
            var members = object.members
            while let (key, value) = members.next() {
                guard let column = DeviceRecord.columns(of: kind).first(where: { $0.name == key.string }) else {
                    throw BadExport("\(kind.rawValue) has no member \"\(TextStyle.clean(key.string))\"")
                }
                let read: DeviceRecord.Value? =
                    column.isText ? value.string.map { .text($0.string) } : value.int64.map { .integer($0) }
                guard let read else {
                    throw BadExport("\(column.name) is not \(column.isText ? "a string" : "a number")")
                }
                values[column.name] = read
            }
            let required =
                kind == .installation
                ? [
                    "device", "platform", "online", "app", "state", "authorization", "alerts", "registration",
                    "deleted_count", "token_standing", "token_since",
                ]
                : [
                    "seq", "target", "device", "app", "accepted_at", "expires_at", "provider", "platform", "topic",
                    "bytes", "byte_limit", "is_background", "payload",
                ]
            for name in required where values[name] == nil { throw BadExport("\(name) is missing") }
            return DeviceRecord(kind: kind, values: values)
        }
        return nil
    }
}
