import PayloadJSON
import PushSystem

/// The contents of a string: escapes, control characters, and quotes.
extension RepairPass {
    /// The result of reading a string's contents. An escape that JSON does not have is reported at once.
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
        default: "\\u" + fourDigits(UInt32(byte))
        }
    }

    /// Reads the escape at `start`, and returns the offset after it. One that JSON does not have ends the pass.
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
                let range = start..<start + 2
                report(
                    .badEscape, range, "JSON has no escape \(excerpt(range)); ' needs no escape", isSafe: true, [edit])
            } else {
                content.quoteEdits.append(edit)
            }
            return start + 2
        case UInt8(ascii: "u")
        where (start + 2..<start + 6).allSatisfy({ $0 < end && self[$0].hexadecimalDigit != nil }):
            return start + 6
        default:
            let range = start..<(start + 1 < end ? start + 1 + characterLength(at: start + 1) : end)
            giveUp(
                .badEscape, "JSON has no escape \(excerpt(range)); a backslash itself is written '\\\\'", at: range)
            return end
        }
    }

    /// At least four hexadecimal digits.
    static func fourDigits(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
