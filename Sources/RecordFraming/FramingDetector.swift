import PayloadJSON
import PushDecoding
import PushModel

/// Detects the framing of an input from its beginning, ignoring blanks.
///
/// Lines are the default. An input is read as values when its first line begins a value without ending it, and the text
/// after it continues that value. After a truncated first record it does not, so a stream of lines is recognized even
/// then.
struct FramingDetector {
    /// Below this size every new line is examined; above it, only a much longer text.
    private static let eagerBytes = 64 * 1024  // 64 KiB

    private var lastLook = 0
    private var searched = 0

    /// The framing; nil when more bytes are needed.
    mutating func framing(
        of bytes: UnsafeRawBufferPointer, isEnd: Bool, limit: Int, acceptsRelaxedJSON: Bool
    ) -> Framing? {
        guard let first = bytes.first else { return isEnd ? .ndjson : nil }
        if first == 0x1E { return .seq }
        // The result must not depend on how the bytes arrive: it examines whole lines, or at most as much as one record
        // may have.
        let text = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit + 1))
        let isLast = isEnd || text.count > limit
        guard let newline = text[min(searched, text.count)...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = text.count
            return isLast ? whole(text, acceptsRelaxedJSON) : nil
        }
        searched = newline
        let linesEnd = (text.lastIndex(of: UInt8(ascii: "\n")) ?? newline) + 1
        let isWorthALook = linesEnd > lastLook && (linesEnd < Self.eagerBytes || linesEnd - lastLook >= lastLook / 8)
        guard isLast || isWorthALook else { return nil }
        lastLook = linesEnd
        let seen = isLast ? text : UnsafeRawBufferPointer(rebasing: text[..<linesEnd])
        return look(at: seen, firstLine: newline, isEnd: isLast, acceptsRelaxedJSON)
    }

    /// The framing of an input that has only one line.
    private func whole(_ text: UnsafeRawBufferPointer, _ relaxed: Bool) -> Framing {
        Self.isFollowed(Self.fault(of: text, relaxed), in: text) ? .json : .ndjson
    }

    private func look(
        at text: UnsafeRawBufferPointer, firstLine: Int, isEnd: Bool, _ relaxed: Bool
    ) -> Framing? {
        let line = UnsafeRawBufferPointer(rebasing: text[..<firstLine])
        guard let fault = Self.fault(of: line, relaxed) else { return .ndjson }
        if Self.isFollowed(fault, in: line) { return .json }
        guard fault.kind == .unexpectedEnd else { return .ndjson }

        // The first line begins a value. Does the text continue it?
        guard let further = Self.fault(of: text, relaxed), further.kind != .trailingContent else { return .json }
        if further.kind == .unexpectedEnd || further.kind == .unterminatedString {
            guard isEnd else { return nil }
            return Self.hasWholeObjectLine(text[(firstLine + 1)...], relaxed) ? .ndjson : .json
        }
        // A line feed within a word or a number: the value does not continue.
        if further.offset <= firstLine { return .ndjson }
        // This line has an error: if it is a record of its own, then so was the first.
        return Self.isWholeObject(Self.line(at: further.offset, in: text), relaxed) ? .ndjson : .json
    }

    /// Whether one value is followed by another on the same line.
    private static func isFollowed(_ fault: JSONFault?, in text: UnsafeRawBufferPointer) -> Bool {
        guard let fault, fault.kind == .trailingContent, fault.offset < text.count else { return false }
        return text[fault.offset] == UInt8(ascii: "{") || text[fault.offset] == UInt8(ascii: "[")
    }

    private static func fault(of text: UnsafeRawBufferPointer, _ relaxed: Bool) -> JSONFault? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        let fault = scanner.scan(text, into: &tape)
        guard fault != nil, relaxed, let (strict, _) = RelaxedJSON.strict(text) else { return fault }
        return strict.withUnsafeBytes { strict in
            guard let fault = scanner.scan(strict, into: &tape) else { return nil }
            // Making a text strict neither adds nor removes lines, so the line is the same; its beginning suffices.
            let line = strict[..<fault.offset].count { $0 == UInt8(ascii: "\n") }
            return JSONFault(
                fault.kind, at: fault.offset == strict.count ? text.count : Self.start(ofLine: line, in: text))
        }
    }

    private static func start(ofLine line: Int, in text: UnsafeRawBufferPointer) -> Int {
        var start = 0
        for _ in 0..<line {
            start = (text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count - 1) + 1
        }
        return start
    }

    private static func line(at offset: Int, in text: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        let offset = min(offset, text.count)
        let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = text[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        return text[start..<end]
    }

    private static func hasWholeObjectLine(_ text: Slice<UnsafeRawBufferPointer>, _ relaxed: Bool) -> Bool {
        text.split(separator: UInt8(ascii: "\n")).contains { isWholeObject($0, relaxed) }
    }

    private static func isWholeObject(_ line: Slice<UnsafeRawBufferPointer>, _ relaxed: Bool) -> Bool {
        line.first == UInt8(ascii: "{") && fault(of: UnsafeRawBufferPointer(rebasing: line), relaxed) == nil
    }
}
