import PayloadJSON
import PushStore
import PushSystem
import PushText

/// The members of a line of an export. Valid only as long as the line and its tape.
struct ExportMembers {
    enum Name: Int, CaseIterable {
        case export, lastSequence, end, seq, at, device, app, kind, identifier, title, subtitle, body, thread, badge
        case lastRecordAt, deliveredAt, payload, payloadText, changes, changesText, redacted, redactionKey

        var text: StaticString {
            switch self {
            case .export: "export"
            case .lastSequence: "last_sequence"
            case .end: "end"
            case .seq: "seq"
            case .at: "at"
            case .device: "device"
            case .app: "app"
            case .kind: "kind"
            case .identifier: "identifier"
            case .title: "title"
            case .subtitle: "subtitle"
            case .body: "body"
            case .thread: "thread"
            case .badge: "badge"
            case .lastRecordAt: "last_record_at"
            case .deliveredAt: "delivered_at"
            case .payload: "payload"
            case .payloadText: "payload_text"
            case .changes: "changes"
            case .changesText: "changes_text"
            case .redacted: "redacted"
            case .redactionKey: "redaction_key"
            }
        }
    }

    private var values: [JSONView?]

    init(_ root: JSONView) throws(ExportError) {
        values = Array(repeating: nil, count: Name.allCases.count)
        for (key, value) in root.members {
            guard let name = Name.allCases.first(where: { key == $0.text }) else {
                throw ExportError("export writes no member \"\(TextStyle.clean(key.string))\"")
            }
            guard values[name.rawValue] == nil else { throw ExportError("\(name.text) appears twice") }
            values[name.rawValue] = value
        }
    }

    subscript(_ name: Name) -> JSONView? { values[name.rawValue] }

    func has(_ name: Name) -> Bool { values[name.rawValue] != nil }

    /// Throws if the line has members that its kind does not have.
    func allow(_ names: [Name]) throws(ExportError) {
        for name in Name.allCases where has(name) && !names.contains(name) {
            throw ExportError("\(name.text) has no place in this line")
        }
    }

    func optionalText(_ name: Name) throws(ExportError) -> String? {
        guard let value = self[name] else { return nil }
        guard let string = value.string else { throw ExportError("\(name.text) is not a string") }
        return string.string
    }

    func text(_ name: Name) throws(ExportError) -> String {
        guard let text = try optionalText(name) else { throw ExportError("\(name.text) is missing") }
        return text
    }

    func integer(_ name: Name) throws(ExportError) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = value.int64 else { throw ExportError("\(name.text) is not a whole number of 64 bits") }
        return Int(number)
    }

    /// A record's number: not negative, because SQLite's integers have a sign.
    func number(_ name: Name) throws(ExportError) -> UInt64 {
        guard let number = try integer(name) else { throw ExportError("\(name.text) is missing") }
        guard number >= 0 else { throw ExportError("\(name.text) is negative") }
        return UInt64(number)
    }

    /// Milliseconds since the epoch.
    func time(_ name: Name) throws(ExportError) -> Int64 {
        guard let value = self[name] else { throw ExportError("\(name.text) is missing") }
        if let time = value.int64 { return time }
        guard let time = try optionalText(name).flatMap({ RFC3339.milliseconds($0, .strict) }) else {
            throw ExportError("\(name.text) is not a time such as 2026-11-03T20:00:00.000Z")
        }
        return time
    }
}
