import PushDevices
import PushJSON
import PushModel
import PushSystem
import PushText

/// Reads an export line by line, and checks each line against what `StoreExport` writes.
///
/// A file without a heading line is an excerpt: it is read as it is, and a missing end cannot be detected.
final class ExportReader {
    static let version = 1

    enum Line {
        case start(lastSequence: UInt64, lastTime: Int64?, StoreRedaction?)
        case screen(device: String, app: String, badge: Int?)
        case notification(DeliveredNotification)
        case event(JournalEntry)
        case device(DeviceRecord)
        case end
        /// A line of white space.
        case blank
    }

    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var isEndMissing = false

    /// - Throws: `PlainError`.
    func read(_ line: ArraySlice<UInt8>) throws -> Line {
        // SOUND: the line stays while the closure runs, and what is made of it here is copied.
        try unsafe line.withUnsafeBytes { bytes in
            if unsafe bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .blank }
            if let fault = unsafe scanner.scan(bytes, into: &tape) {
                let message = unsafe fault.message(in: bytes)
                throw PlainError("not JSON at byte \(fault.offset + 1) of the line: \(message)")
            }
            guard let root = unsafe tape.root(of: bytes), root.isObject else { throw PlainError("not a JSON object") }
            if let record = try DeviceRecord.read(root) { return .device(record) }
            return try read(ExportMembers(root))
        }
    }

    /// Checks that the export is complete.
    func finish() throws(PlainError) {
        if isEndMissing { throw PlainError("the export ends before its last line; part of it is missing") }
    }

    private func read(_ line: ExportMembers) throws(PlainError) -> Line {
        if line.has(.export) { return try readStart(line) }
        if line.has(.end) {
            try line.allow([.end])
            isEndMissing = false
            return .end
        }
        if line.has(.kind) { return .event(try readEvent(line)) }
        if line.has(.seq) || line.has(.payload) || line.has(.identifier) {
            return .notification(try readNotification(line))
        }
        let device = try line.text(.device)
        let app = try line.text(.app)
        try line.allow([.device, .app, .badge])
        return .screen(device: device, app: app, badge: try line.integer(.badge))
    }

    private func readStart(_ line: ExportMembers) throws(PlainError) -> Line {
        try line.allow([.export, .lastSequence, .lastRecordAt, .redacted, .redactionKey])
        guard let version = try line.integer(.export), version == Self.version else {
            throw PlainError("an export of another version of pushpipe; read it with that one")
        }
        if isEndMissing { throw PlainError("another export begins before the end of the one before") }
        isEndMissing = true
        let parts = try line.optionalText(.redacted)
        var redaction: StoreRedaction?
        if let parts { redaction = StoreRedaction(parts: parts, keyMark: try line.text(.redactionKey)) }
        let time = line.has(.lastRecordAt) ? try line.time(.lastRecordAt) : nil
        return .start(lastSequence: try line.number(.lastSequence), lastTime: time, redaction)
    }

    private func readEvent(_ line: ExportMembers) throws(PlainError) -> JournalEntry {
        let device = try line.text(.device)
        let app = try line.text(.app)
        try line.allow([.seq, .at, .device, .app, .kind, .identifier])
        let name = try line.text(.kind)
        guard let kind = JournalKind.allCases.first(where: { $0.name.description == name }) else {
            throw PlainError("no such kind of event: \(TextStyle.clean(name))")
        }
        return JournalEntry(
            seq: try line.number(.seq), at: try line.time(.at), device: device, app: app, kind: kind,
            identifier: try line.text(.identifier))
    }

    private func readNotification(_ line: ExportMembers) throws(PlainError) -> DeliveredNotification {
        let device = try line.text(.device)
        let app = try line.text(.app)
        try line.allow([
            .seq, .device, .app, .identifier, .title, .subtitle, .body, .thread, .badge, .deliveredAt, .payload,
            .payloadText, .changes, .changesText,
        ])
        let content = ShownContent(
            title: try line.optionalText(.title), subtitle: try line.optionalText(.subtitle),
            body: try line.optionalText(.body), thread: try line.optionalText(.thread),
            badge: try line.integer(.badge))
        guard let payload = try line.optionalText(.payloadText) ?? line[.payload]?.text.string else {
            throw PlainError("payload is missing")
        }
        return DeliveredNotification(
            seq: try line.number(.seq), device: device, app: app, identifier: try line.text(.identifier),
            content: content, deliveredAt: try line.time(.deliveredAt), payload: payload,
            changes: try line.optionalText(.changesText) ?? line[.changes]?.text.string)
    }
}

/// The members of a line of an export. Valid only as long as the line and its tape.
struct ExportMembers {
    enum Name: String, CaseIterable {
        case export
        case lastSequence = "last_sequence"
        case end, seq, at, device, app, kind, identifier, title, subtitle, body
        case thread, badge
        case lastRecordAt = "last_record_at"
        case deliveredAt = "delivered_at"
        case payload
        case payloadText = "payload_text"
        case changes
        case changesText = "changes_text"
        case redacted
        case redactionKey = "redaction_key"
    }

    private var values: [Name: JSONView] = [:]

    init(_ root: JSONView) throws(PlainError) {
        for (key, value) in root.members {
            guard let name = Name(rawValue: key.string) else {
                throw PlainError("export writes no member \"\(TextStyle.clean(key.string))\"")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw PlainError("\(name.rawValue) appears twice")
            }
        }
    }

    subscript(_ name: Name) -> JSONView? { values[name] }

    func has(_ name: Name) -> Bool { values[name] != nil }

    /// Throws if the line has members that its kind does not have.
    func allow(_ names: [Name]) throws(PlainError) {
        for name in Name.allCases where has(name) && !names.contains(name) {
            throw PlainError("\(name.rawValue) has no place in this line")
        }
    }

    func optionalText(_ name: Name) throws(PlainError) -> String? {
        guard let value = self[name] else { return nil }
        guard let string = value.string else { throw PlainError("\(name.rawValue) is not a string") }
        return string.string
    }

    func text(_ name: Name) throws(PlainError) -> String {
        guard let text = try optionalText(name) else { throw PlainError("\(name.rawValue) is missing") }
        return text
    }

    func integer(_ name: Name) throws(PlainError) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = value.int64 else { throw PlainError("\(name.rawValue) is not a whole number of 64 bits") }
        return Int(number)
    }

    /// A record's number: not negative, because SQLite's integers have a sign.
    func number(_ name: Name) throws(PlainError) -> UInt64 {
        guard let number = try integer(name) else { throw PlainError("\(name.rawValue) is missing") }
        guard number >= 0 else { throw PlainError("\(name.rawValue) is negative") }
        return UInt64(number)
    }

    /// Milliseconds since the epoch.
    func time(_ name: Name) throws(PlainError) -> Int64 {
        guard let value = self[name] else { throw PlainError("\(name.rawValue) is missing") }
        if let time = value.int64 { return time }
        guard let time = try optionalText(name).flatMap({ RFC3339.milliseconds($0, .strict) }) else {
            throw PlainError("\(name.rawValue) is not a time such as 2026-11-03T20:00:00.000Z")
        }
        return time
    }
}

extension DeviceRecord {
    /// Nil for a line of another kind.
    static func read(_ root: JSONView) throws(PlainError) -> Self? {
        for kind in DeviceRecord.Kind.all {
            guard let object = root[pointer: "/\(kind.name)"] else { continue }
            guard object.isObject else { throw PlainError("\(kind.name) is not an object") }
            var values: [String: DeviceRecord.Value] = [:]
            for (key, value) in object.members {
                guard let column = kind.columns.first(where: { $0.name == key.string }) else {
                    throw PlainError("\(kind.name) has no member \"\(TextStyle.clean(key.string))\"")
                }
                let read: DeviceRecord.Value? =
                    column.isText ? value.string.map { .text($0.string) } : value.int64.map { .integer($0) }
                guard let read else {
                    throw PlainError("\(column.name) is not \(column.isText ? "a string" : "a number")")
                }
                values[column.name] = read
            }
            for column in kind.columns where !column.isOptional && values[column.name] == nil {
                throw PlainError("\(column.name) is missing")
            }
            return DeviceRecord(kind: kind, values: values)
        }
        return nil
    }
}

/// Reads lines one at a time. Holds at most the longest line and 256 KiB in memory.
struct LineReader: ~Copyable {
    private static let pieceBytes = 256 * 1024  // 256 KiB

    /// Number of the last line, from 1.
    private(set) var number = 0
    private let descriptor: FileDescriptor
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    private var isAtEnd = false

    init(descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// The next line without its line feed; nil after the last one.
    ///
    /// - Throws: `SystemError`, or `PlainError` for a line over the scanner's size limit.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = Self.newline(in: bytes, from: searched) {
                defer { start = end + 1 }
                number += 1
                return bytes[start..<end]
            }
            searched = bytes.count
            if isAtEnd {
                guard start < bytes.count else { return nil }
                defer { start = bytes.count }
                number += 1
                return bytes[start...]
            }
            guard bytes.count - start <= JSONScanner.maximumLength else {
                number += 1
                throw PlainError("the line is longer than 1 GiB")
            }
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
            isAtEnd = try !descriptor.appendPiece(to: &bytes, atMost: Self.pieceBytes)
        }
    }

    private static func newline(in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, start < buffer.count else { return nil }
            // SOUND: the range from `start` on lies in the buffer.
            return unsafe Memory.firstOffset(of: 0x0A, in: base + start, count: buffer.count - start).map { start + $0 }
        }
    }
}
