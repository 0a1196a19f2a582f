import DeviceScreens
import NotificationStore
import PayloadJSON
import PushModel
import PushPipeline
import SystemSupport
import TerminalStyle

/// Why an export cannot be imported.
struct BadExport: Error {
    /// One line, without the place.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Reads an export line by line, and holds each against what `export` writes.
///
/// A file without a first line of its own is what earlier versions wrote, or a part of an export that somebody took out: it is read as
/// it is, and its end cannot be missed.
final class ExportReader {
    /// Of the form of the lines.
    static let version = 1

    enum Line {
        case start(lastSequence: UInt64, StoreRedaction?)
        case screen(device: String, app: String, badge: Int?)
        case notification(DeliveredNotification)
        case event(JournalEntry)
        case device(DeviceRecord)
        case end
        /// Nothing on it.
        case blank
    }

    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var isEndMissing = false

    func read(_ line: ArraySlice<UInt8>) throws -> Line {
        try line.withUnsafeBytes { bytes in
            if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .blank }
            if let fault = scanner.scan(bytes, into: &tape) {
                throw BadExport("not JSON at byte \(fault.offset + 1) of the line: \(fault.message(in: bytes))")
            }
            guard let root = tape.root(of: bytes), root.isObject else { throw BadExport("not a JSON object") }
            if let record = try DeviceRecordLine.read(root) { return .device(record) }
            return try read(Members(root))
        }
    }

    /// Looks whether the file is whole.
    func finish() throws {
        if isEndMissing { throw BadExport("the export ends before its last line; part of it is missing") }
    }

    private func read(_ line: Members) throws -> Line {
        if line.has(.export) {
            try line.allow([.export, .lastSequence, .redacted, .redactionKey])
            guard let version = try line.integer(.export), version == Self.version else {
                throw BadExport("written by a later version of pushpipe; use that one")
            }
            if isEndMissing { throw BadExport("another export begins before the end of the one before") }
            isEndMissing = true
            let parts = try line.optionalText(.redacted)
            let redaction = try parts.map { StoreRedaction(parts: $0, keyMark: try line.text(.redactionKey)) }
            return .start(lastSequence: try line.number(.lastSequence), redaction)
        }
        if line.has(.end) {
            try line.allow([.end])
            isEndMissing = false
            return .end
        }
        let device = try line.text(.device)
        let app = try line.text(.app)
        if line.has(.kind) {
            try line.allow([.seq, .at, .device, .app, .kind, .identifier])
            let name = try line.text(.kind)
            guard let kind = JournalKind.allCases.first(where: { $0.name.description == name }) else {
                throw BadExport("no such kind of event: \(TextStyle.clean(name))")
            }
            return .event(
                JournalEntry(
                    seq: try line.number(.seq), at: try line.time(.at), device: device, app: app, kind: kind,
                    identifier: try line.text(.identifier)))
        }
        guard line.has(.seq) || line.has(.payload) || line.has(.identifier) else {
            try line.allow([.device, .app, .badge])
            return .screen(device: device, app: app, badge: try line.integer(.badge))
        }
        try line.allow([
            .seq, .device, .app, .identifier, .title, .subtitle, .body, .thread, .badge, .deliveredAt, .payload,
            .payloadText, .changes, .changesText,
        ])
        let content = ShownContent(
            title: try line.optionalText(.title), subtitle: try line.optionalText(.subtitle),
            body: try line.optionalText(.body), thread: try line.optionalText(.thread),
            badge: try line.integer(.badge))
        guard let payload = try line.optionalText(.payloadText) ?? line[.payload]?.text.string else {
            throw BadExport("payload is missing")
        }
        return .notification(
            DeliveredNotification(
                seq: try line.number(.seq), device: device, app: app, identifier: try line.text(.identifier),
                content: content, deliveredAt: try line.time(.deliveredAt), payload: payload,
                changes: try line.optionalText(.changesText) ?? line[.changes]?.text.string))
    }
}

/// The members of a line, by what is known about them. Valid as long as the line and its tape are.
private struct Members {
    enum Name: Int, CaseIterable {
        case export, lastSequence, end, seq, at, device, app, kind, identifier, title, subtitle, body, thread, badge
        case deliveredAt, payload, payloadText, changes, changesText, redacted, redactionKey

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

    init(_ root: JSONView) throws {
        values = Array(repeating: nil, count: Name.allCases.count)
        var members = root.members
        while let (key, value) = members.next() {
            guard let name = Name.allCases.first(where: { key == $0.text }) else {
                throw BadExport("export writes no member \"\(TextStyle.clean(key.string))\"")
            }
            guard values[name.rawValue] == nil else { throw BadExport("\(name.text) is there twice") }
            values[name.rawValue] = value
        }
    }

    subscript(_ name: Name) -> JSONView? { values[name.rawValue] }

    func has(_ name: Name) -> Bool { values[name.rawValue] != nil }

    /// Refuses members that do not go together.
    func allow(_ names: [Name]) throws {
        for name in Name.allCases where has(name) && !names.contains(name) {
            throw BadExport("\(name.text) has no place in this line")
        }
    }

    func optionalText(_ name: Name) throws -> String? {
        guard let value = self[name] else { return nil }
        guard let string = value.string else { throw BadExport("\(name.text) is not a string") }
        return string.string
    }

    func text(_ name: Name) throws -> String {
        guard let text = try optionalText(name) else { throw BadExport("\(name.text) is missing") }
        return text
    }

    func integer(_ name: Name) throws -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = value.int64 else { throw BadExport("\(name.text) is not a whole number of 64 bits") }
        return Int(number)
    }

    /// A record's number. SQLite's integers have a sign.
    func number(_ name: Name) throws -> UInt64 {
        guard let number = try integer(name) else { throw BadExport("\(name.text) is missing") }
        guard number >= 0 else { throw BadExport("\(name.text) is negative") }
        return UInt64(number)
    }

    /// Milliseconds since the epoch.
    func time(_ name: Name) throws -> Int64 {
        guard let value = self[name] else { throw BadExport("\(name.text) is missing") }
        if let time = value.int64 { return time }
        guard let time = try optionalText(name).flatMap({ RFC3339.milliseconds($0, .strict) }) else {
            throw BadExport("\(name.text) is not a time such as 2026-11-03T20:00:00.000Z")
        }
        return time
    }
}
