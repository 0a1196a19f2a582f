import PushJSON
import PushJSONRepair
import PushSystem

/// How records are separated in a stream of bytes.
public enum Framing: String, Sendable, CaseIterable {
    /// `array` when an input begins with an array of objects, `json` when its first line begins a value and does not end it, otherwise
    /// `ndjson`.
    case auto
    /// One record per line.
    case ndjson
    /// JSON values one after another, over any number of lines.
    case json
    /// The elements of JSON arrays, one array after another.
    case array
    /// RFC 7464: each record begins with the byte 0x1E.
    case seq
    /// Records end with a NUL byte.
    case nul
}

/// A framer's result for the beginning of the bytes passed to it.
package enum Frame: Equatable {
    /// A record in this range. The caller continues after `consumed` bytes.
    case record(Range<Int>, consumed: Int)
    /// The beginning of a record over the limit, at `start`. The caller drops `consumed` bytes; the framer drops the
    /// rest.
    case tooLong(start: Int, consumed: Int)
    /// Nothing to report. The caller drops `consumed` bytes and calls again.
    case skip(consumed: Int)
    /// No whole record yet. The caller appends bytes to those it has passed, and calls again.
    case needsMore
    /// All records have been returned, and the input is at its end.
    case end
}

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
    /// Finds the end of an array's first element.
    private var element = ValueFramer()
    private var elementEnd: Int?

    /// The framing; nil when more bytes are needed.
    mutating func framing(
        of bytes: UnsafeRawBufferPointer, isEnd: Bool, limit: Int, acceptsRelaxedJSON: Bool
    ) -> Framing? {
        // SOUND: every slice ends at `text.count` or at a line feed that was found before it.
        guard let first = unsafe bytes.first else { return isEnd ? .ndjson : nil }
        if first == 0x1E { return .seq }
        if first == UInt8(ascii: "[") {
            element.quotesSingle = acceptsRelaxedJSON
            let isWhole = isEnd || bytes.count >= limit
            let isArray = unsafe beginsArray(UnsafeRawBufferPointer(rebasing: bytes.prefix(limit)))
            guard let isArray = isArray ?? (isWhole ? false : nil) else { return nil }
            if isArray { return .array }
        }
        // The result must not depend on how the bytes arrive: it examines whole lines, or at most as much as one record
        // may have.
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(limit + 1))
        let isLast = isEnd || text.count > limit
        let start = min(searched, text.count)
        let found = unsafe text.baseAddress.flatMap { base in
            unsafe Memory.firstOffset(of: UInt8(ascii: "\n"), in: base + start, count: text.count - start)
        }
        guard let newline = found.map({ start + $0 }) else {
            searched = text.count
            return unsafe isLast ? whole(text, acceptsRelaxedJSON) : nil
        }
        searched = newline
        let linesEnd = unsafe (text.lastIndex(of: UInt8(ascii: "\n")) ?? newline) + 1
        let isWorthALook = linesEnd > lastLook && (linesEnd < Self.eagerBytes || linesEnd - lastLook >= lastLook / 8)
        guard isLast || isWorthALook else { return nil }
        lastLook = linesEnd
        let seen = unsafe isLast ? text : UnsafeRawBufferPointer(rebasing: text[..<linesEnd])
        return unsafe look(at: seen, firstLine: newline, isEnd: isLast, acceptsRelaxedJSON)
    }

    /// True if a text, which begins with a bracket, is an array whose first element is an object that ends. An array
    /// of messages to Expo's push service is none: it is one request, and so one record.
    ///
    /// - Returns: nil when more bytes are needed.
    private mutating func beginsArray(_ text: UnsafeRawBufferPointer) -> Bool? {
        // SOUND: every offset was found in the text.
        guard let start = unsafe text.dropFirst().firstIndex(where: { !JSONScanner.isWhitespace($0) }) else {
            return nil
        }
        guard unsafe text[start] == UInt8(ascii: "{") else { return false }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: text[start...])
        if elementEnd == nil, case .value(let range) = unsafe element.next(in: rest, isEnd: false) {
            elementEnd = range.upperBound
        }
        guard let elementEnd, let next = unsafe rest[elementEnd...].first(where: { !JSONScanner.isWhitespace($0) })
        else { return nil }
        guard next == UInt8(ascii: ",") || next == UInt8(ascii: "]") else { return false }
        return unsafe !String(decoding: rest[..<elementEnd], as: UTF8.self).contains("PushToken[")
    }

    private func whole(_ text: UnsafeRawBufferPointer, _ relaxed: Bool) -> Framing {
        // SOUND: the caller keeps the text alive during the call.
        unsafe Self.isFollowed(Self.fault(of: text, relaxed), in: text) ? .json : .ndjson
    }

    private func look(
        at text: UnsafeRawBufferPointer, firstLine: Int, isEnd: Bool, _ relaxed: Bool
    ) -> Framing? {
        // SOUND: `firstLine` is the offset of a line feed in the text, and a fault's offset is at most `text.count`.
        let line = unsafe UnsafeRawBufferPointer(rebasing: text[..<firstLine])
        guard let fault = unsafe Self.fault(of: line, relaxed) else { return .ndjson }
        if unsafe Self.isFollowed(fault, in: line) { return .json }
        guard fault.kind == .unexpectedEnd else { return .ndjson }

        // The first line begins a value. Does the text continue it?
        guard let further = unsafe Self.fault(of: text, relaxed), further.kind != .trailingContent else { return .json }
        if further.kind == .unexpectedEnd || further.kind == .unterminatedString {
            guard isEnd else { return nil }
            return unsafe Self.hasWholeObjectLine(text[(firstLine + 1)...], relaxed) ? .ndjson : .json
        }
        // A line feed within a word or a number: the value does not continue.
        if further.offset <= firstLine { return .ndjson }
        // This line has an error: if it is a record of its own, then so was the first.
        return unsafe Self.isWholeObject(Self.line(at: further.offset, in: text), relaxed) ? .ndjson : .json
    }

    /// True if one value is followed by another on the same line.
    private static func isFollowed(_ fault: JSONFault?, in text: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the offset was compared with `text.count`.
        guard let fault, fault.kind == .trailingContent, fault.offset < text.count else { return false }
        return unsafe text[fault.offset] == UInt8(ascii: "{") || text[fault.offset] == UInt8(ascii: "[")
    }

    private static func fault(of text: UnsafeRawBufferPointer, _ relaxed: Bool) -> JSONFault? {
        // SOUND: the caller keeps the text alive during the call.
        var scanner = JSONScanner()
        var tape = JSONTape()
        let fault = unsafe scanner.scan(text, into: &tape)
        return unsafe fault != nil && relaxed ? RelaxedReading(text).fault : fault
    }

    private static func line(at offset: Int, in text: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        // SOUND: `offset` is at most `text.count`, and the line feeds that are found are within the text.
        let offset = min(offset, text.count)
        let start = unsafe text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = unsafe text[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        return unsafe text[start..<end]
    }

    private static func hasWholeObjectLine(_ text: Slice<UnsafeRawBufferPointer>, _ relaxed: Bool) -> Bool {
        // SOUND: splits within the slice.
        unsafe text.split(separator: UInt8(ascii: "\n")).contains { unsafe isWholeObject($0, relaxed) }
    }

    private static func isWholeObject(_ line: Slice<UnsafeRawBufferPointer>, _ relaxed: Bool) -> Bool {
        // SOUND: the line is a slice of a text that the caller keeps alive.
        unsafe line.first == UInt8(ascii: "{") && fault(of: UnsafeRawBufferPointer(rebasing: line), relaxed) == nil
    }
}

/// Finds the end of a JSON value in a stream of values by its brackets and quotes; the scanner decides whether it is
/// JSON.
///
/// It resynchronizes after a broken value: a line feed ends an unterminated string, and a `{` in the first column,
/// where no value may begin, starts the next record. So an unbalanced record rarely affects its neighbors.
struct ValueFramer {
    enum Result: Equatable {
        /// A whole value, or bytes that cannot be one.
        case value(Range<Int>)
        /// A value begins at this position and has not ended.
        case partial(start: Int)
        /// Only white space.
        case blank
    }

    /// Relaxed JSON: single quotes enclose strings too.
    var quotesSingle = false
    /// The values are elements of an array: a comma or the array's bracket ends one that is a number, a string or a word.
    var areElements = false

    private var index = 0
    private var start = 0
    private var hasBegun = false
    private var isScalar = false
    private var depth = 0
    /// The quote that ends the current string; 0 outside strings.
    private var quote: UInt8 = 0
    private var isEscaped = false
    private var isAtLineStart = true
    /// The last byte outside strings that is not white space.
    private var previous: UInt8 = 0
    /// Which of the innermost 64 open brackets are square, the innermost one in the lowest bit.
    private var arrays: UInt64 = 0

    /// True if no value has begun.
    var isBetweenValues: Bool { !hasBegun }

    mutating func restart() {
        let (quotesSingle, areElements) = (quotesSingle, areElements)
        self = ValueFramer()
        self.quotesSingle = quotesSingle
        self.areElements = areElements
        isAtLineStart = false
    }

    /// Adjusts to the caller dropping the first bytes: all that have been examined, unless a count is given.
    mutating func forgetBytes(_ count: Int? = nil) {
        let count = count ?? index
        index -= count
        start = max(start - count, 0)
    }

    mutating func next(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Result {
        // SOUND: `index` is compared with `bytes.count`.
        while index < bytes.count {
            let byte = unsafe bytes[index]
            if quote != 0 {
                passInsideString(byte)
            } else if !hasBegun {
                if !JSONScanner.isWhitespace(byte) {
                    begin(with: byte)
                } else if byte == UInt8(ascii: "\n") {
                    isAtLineStart = true
                }
            } else if isScalar {
                if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                    || areElements && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]"))
                {
                    return .value(start..<index)
                }
                if isQuote(byte) { quote = byte }
            } else if byte == UInt8(ascii: "{"), isAtLineStart, !mayBeginValue {
                return .value(start..<index)
            } else if pass(byte) {
                return .value(start..<index + 1)
            }
            if byte != UInt8(ascii: "\n") { isAtLineStart = false }
            index += 1
        }
        guard hasBegun else { return .blank }
        return isEnd ? .value(start..<bytes.count) : .partial(start: start)
    }

    private mutating func begin(with byte: UInt8) {
        hasBegun = true
        start = index
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            depth = 1
            arrays = byte == UInt8(ascii: "[") ? 1 : 0
            previous = byte
        } else {
            isScalar = true
            if isQuote(byte) { quote = byte }
        }
    }

    private mutating func passInsideString(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            quote = 0
            isEscaped = false
            isAtLineStart = true
        } else if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == quote {
            quote = 0
        }
    }

    /// Processes a byte outside strings. True if it closes the outermost bracket.
    private mutating func pass(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            arrays = arrays << 1 | (byte == UInt8(ascii: "[") ? 1 : 0)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            arrays >>= 1
            if depth == 0 { return true }
        case UInt8(ascii: "\n"): isAtLineStart = true
        case _ where isQuote(byte): quote = byte
        default: break
        }
        if !JSONScanner.isWhitespace(byte) { previous = byte }
        return false
    }

    private var mayBeginValue: Bool {
        previous == UInt8(ascii: ":") || previous == UInt8(ascii: "[")
            || (previous == UInt8(ascii: ",") && arrays & 1 == 1)
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || (quotesSingle && byte == UInt8(ascii: "'"))
    }
}
