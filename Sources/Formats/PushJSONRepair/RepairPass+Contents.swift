import PayloadJSON
import PushSystem

/// The contents of a string: escapes, control characters, and quotes.
extension RepairPass {
    /// The result of reading a string's contents. Escapes are reported at once.
    struct StringContent {
        /// The bytes between the quotes.
        let range: Range<Int>
        let style: QuoteStyle
        /// Edits to make with double quotes around the string: escape inner ones, remove the backslash of `\'`.
        var quoteEdits: [TextEdit] = []
        var controlEdits: [TextEdit] = []
        /// Offset of the first mark inside that may have been meant to close the string.
        var doubt: Int?
    }

    /// Reads the contents once. O(bytes).
    mutating func readContent(_ content: inout StringContent) {
        var offset = content.range.lowerBound
        while offset < content.range.upperBound, !hasGivenUp {
            let byte = self[offset]
            if byte == UInt8(ascii: "\\") {
                offset = readEscape(at: offset, &content)
            } else if byte < 0x20 {
                content.controlEdits.append(
                    .replacement(offset..<offset + 1, with: Self.escape(ofControl: byte)))
                offset += 1
            } else if let mark = quote(at: offset) {
                if mark.style == .double {
                    content.quoteEdits.append(TextEdit(range: offset..<offset, replacement: Self.backslash))
                }
                if mark.style == content.style || content.style.isTypographic && mark.style == content.style.relative {
                    let isApostrophe =
                        offset > content.range.lowerBound && isLetterOrDigit(self[offset - 1])
                        && isLetterOrDigit(self[offset + mark.length])
                    if !isApostrophe, content.doubt == nil { content.doubt = offset }
                }
                offset += mark.length
            } else {
                offset += 1
            }
        }
    }

    static func escape(ofControl byte: UInt8) -> String {
        switch byte {
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        default: fourDigits(UInt32(byte))
        }
    }

    /// Reads the escape at `start`, reports it if JSON has none like it, and returns the offset after it.
    private mutating func readEscape(at start: Int, _ content: inout StringContent) -> Int {
        let end = content.range.upperBound
        let letter = start + 1 < end ? self[start + 1] : 0
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "'"):
            let edit = TextEdit.deletion(start..<start + 1)
            if content.style == .double {
                return reportEscape(start..<start + 2, "' needs no escape", edit)
            }
            content.quoteEdits.append(edit)
            return start + 2
        case UInt8(ascii: "u"):
            if hexadecimal(at: start + 2, digits: 4, end) != nil { return start + 6 }
            if let (value, after) = bracedHexadecimal(at: start + 2, end) {
                return reportEscape(start..<after, value)
            }
        case UInt8(ascii: "x"):
            if let value = hexadecimal(at: start + 2, digits: 2, end) {
                return reportEscape(start..<start + 4, Self.fourDigits(value))
            }
        case UInt8(ascii: "U"):
            if let value = hexadecimal(at: start + 2, digits: 8, end), let escape = Self.escape(of: value) {
                return reportEscape(start..<start + 10, escape)
            }
            // As Objective-C prints property lists.
            if let value = hexadecimal(at: start + 2, digits: 4, end) {
                return reportEscape(start..<start + 6, Self.fourDigits(value))
            }
        case 0x0A, 0x0D:
            let length = letter == 0x0D && start + 2 < end && self[start + 2] == 0x0A ? 3 : 2
            let range = start..<start + length
            report(
                .badEscape, range, "a backslash at the end of a line; the string probably continues on the next one",
                isSafe: false, [.deletion(range)])
            return range.upperBound
        default: break
        }
        let range = start..<(start + 1 < end ? start + 1 + characterLength(at: start + 1) : end)
        // A control character needs an escape of its own, and the backslash must not become part of that.
        let isControl = start + 1 < end && letter < 0x20
        let edit =
            isControl
            ? TextEdit.replacement(range, with: "\\\\" + Self.escape(ofControl: letter)) : .insertion("\\", at: start)
        report(
            .badEscape, range, "JSON has no escape \(excerpt(range)); a backslash itself is written '\\\\'",
            isSafe: false,
            [edit])
        return isControl ? range.upperBound : start + 1
    }

    /// Reports an escape of another language, with JSON's equivalent, and returns the offset after it.
    private mutating func reportEscape(_ range: Range<Int>, _ escape: String) -> Int {
        reportEscape(range, "'\(escape)' was probably meant", .replacement(range, with: escape))
    }

    private mutating func reportEscape(_ range: Range<Int>, _ advice: String, _ edit: TextEdit) -> Int {
        report(.badEscape, range, "JSON has no escape \(excerpt(range)); \(advice)", isSafe: true, [edit])
        return range.upperBound
    }

    /// JSON's escape of a Unicode scalar, a surrogate pair above U+FFFF; nil beyond U+10FFFF.
    private static func escape(of value: UInt32) -> String? {
        if value < 0x10000 { return fourDigits(value) }
        guard value <= 0x10FFFF else { return nil }
        let offset = value - 0x10000
        return fourDigits(0xD800 + (offset >> 10)) + fourDigits(0xDC00 + (offset & 0x3FF))
    }

    private static func fourDigits(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The value of exactly `digits` hexadecimal digits, at most 8, at `offset` and before `end`.
    private func hexadecimal(at offset: Int, digits: Int, _ end: Int) -> UInt32? {
        guard offset + digits <= end else { return nil }
        var value: UInt32 = 0
        for position in offset..<offset + digits {
            guard let digit = self[position].hexadecimalDigit else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// JSON's escape for `{1F600}` at `offset`, one to eight digits, and the offset after it.
    private func bracedHexadecimal(at offset: Int, _ end: Int) -> (escape: String, after: Int)? {
        guard offset < end, self[offset] == UInt8(ascii: "{") else { return nil }
        var after = offset + 1
        while after < end, after <= offset + 8, self[after].hexadecimalDigit != nil { after += 1 }
        guard after > offset + 1, after < end, self[after] == UInt8(ascii: "}"),
            let value = hexadecimal(at: offset + 1, digits: after - offset - 1, end),
            let escape = Self.escape(of: value)
        else { return nil }
        return (escape, after + 1)
    }
}
