import PayloadJSON
import PushModel
import PushStore
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
        /// Only white space.
        case blank
    }

    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private var isEndMissing = false

    /// - Throws: `ExportError`.
    func read(_ line: ArraySlice<UInt8>) throws -> Line {
        // SOUND: the line stays while the closure runs, and what is made of it here is copied.
        try unsafe line.withUnsafeBytes { bytes in
            if unsafe bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .blank }
            if let fault = unsafe scanner.scan(bytes, into: &tape) {
                let message = unsafe fault.message(in: bytes)
                throw ExportError("not JSON at byte \(fault.offset + 1) of the line: \(message)")
            }
            guard let root = unsafe tape.root(of: bytes), root.isObject else { throw ExportError("not a JSON object") }
            if let record = try DeviceRecordLine.read(root) { return .device(record) }
            return try read(ExportMembers(root))
        }
    }

    /// Checks that the export is complete.
    func finish() throws(ExportError) {
        if isEndMissing { throw ExportError("the export ends before its last line; part of it is missing") }
    }

    private func read(_ line: ExportMembers) throws(ExportError) -> Line {
        if line.has(.export) {
            try line.allow([.export, .lastSequence, .lastRecordAt, .redacted, .redactionKey])
            guard let version = try line.integer(.export), version == Self.version else {
                throw ExportError("an export of another version of pushpipe; read it with that one")
            }
            if isEndMissing { throw ExportError("another export begins before the end of the one before") }
            isEndMissing = true
            let parts = try line.optionalText(.redacted)
            var redaction: StoreRedaction?
            if let parts { redaction = StoreRedaction(parts: parts, keyMark: try line.text(.redactionKey)) }
            let time = line.has(.lastRecordAt) ? try line.time(.lastRecordAt) : nil
            return .start(lastSequence: try line.number(.lastSequence), lastTime: time, redaction)
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
                throw ExportError("no such kind of event: \(TextStyle.clean(name))")
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
            throw ExportError("payload is missing")
        }
        return .notification(
            DeliveredNotification(
                seq: try line.number(.seq), device: device, app: app, identifier: try line.text(.identifier),
                content: content, deliveredAt: try line.time(.deliveredAt), payload: payload,
                changes: try line.optionalText(.changesText) ?? line[.changes]?.text.string))
    }
}
