import PushSystem

/// A text without its percent-encoding, its character references (HTML, "Character references") and its escapes of JSON, and where its
/// bytes come from.
struct UnescapedText {
    private(set) var bytes: [UInt8] = []
    /// Where each byte begins in the original, and the end of that.
    private var starts: [Int] = []

    /// HTML's names of characters that occur in tokens, between groups of their digits, and in what is around them.
    private static let names: [String: UInt8] = [
        "Tab": 0x09, "NewLine": 0x0A, "nbsp": 0xA0, "shy": 0xAD,
        "amp": 0x26, "bsol": 0x5C, "colon": 0x3A, "comma": 0x2C, "equals": 0x3D, "gt": 0x3E, "lowbar": 0x5F,
        "lt": 0x3C, "num": 0x23, "percnt": 0x25, "period": 0x2E, "plus": 0x2B, "quot": 0x22, "semi": 0x3B, "sol": 0x2F,
    ]
    /// Digits of a number, and letters of a name.
    private static let longestReference = 8

    /// The text decoded once, twice, and so on, as often as there is something to decode. O(bytes) for each.
    static func levels(of text: [UInt8], atMost limit: Int) -> [UnescapedText] {
        guard limit > 0, let first = UnescapedText(text) else { return [] }
        var levels = [first]
        while levels.count < limit, let last = levels.last, var next = UnescapedText(last.bytes) {
            next.starts = next.starts.map { last.starts[$0] }
            levels.append(next)
        }
        return levels
    }

    /// Nil if there is nothing to decode. O(bytes).
    private init?(_ text: [UInt8]) {
        guard
            text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\\") })
        else { return nil }
        var index = 0
        while index < text.count {
            let length = appendReference(text, index) ?? 1
            if length == 1 { append(text[index], from: index) }
            index += length
        }
        starts.append(text.count)
        if bytes.count == text.count { return nil }
    }

    /// The range in the original of a range of bytes.
    func originalRange(_ range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

    /// True if a byte is written in another way than as itself.
    func isEncoded(_ index: Int) -> Bool { starts[index + 1] - starts[index] != 1 }

    private mutating func append(_ byte: UInt8, from index: Int) {
        bytes.append(byte)
        starts.append(index)
    }

    /// Appends what is encoded at a position, and returns how long that is; nil if it is a byte like others.
    private mutating func appendReference(_ text: [UInt8], _ index: Int) -> Int? {
        switch text[index] {
        case UInt8(ascii: "%"):
            // RFC 3986, section 2.1.
            guard index + 2 < text.count, let high = text[index + 1].hexadecimalDigit,
                let low = text[index + 2].hexadecimalDigit
            else { return nil }
            append(high << 4 | low, from: index)
            return 3
        case UInt8(ascii: "&"):
            guard let (scalar, end) = Self.number(text, index) ?? Self.name(text, index) else { return nil }
            for byte in String(Character(scalar)).utf8 { append(byte, from: index) }
            return end - index
        case UInt8(ascii: "\\"):
            guard let (scalar, end) = Self.escape(text, index) else { return nil }
            for byte in String(Character(scalar)).utf8 { append(byte, from: index) }
            return end - index
        default: return nil
        }
    }

    /// `\u0035`, a character that stands for itself, or a line break or tab, which may be in a wrapped token. Source: RFC 8259, section 7. Half
    /// of a pair of surrogates is in no token.
    private static func escape(_ text: [UInt8], _ index: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        guard index + 1 < text.count else { return nil }
        let next = text[index + 1]
        guard next == UInt8(ascii: "u") else {
            let byte: UInt8? =
                switch next {
                case UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "\""): next
                case UInt8(ascii: "n"): 0x0A
                case UInt8(ascii: "r"): 0x0D
                case UInt8(ascii: "t"): 0x09
                default: nil
                }
            return byte.map { (Unicode.Scalar($0), index + 2) }
        }
        let digits = text[(index + 2)...].prefix(4).prefix { $0.hexadecimalDigit != nil }
        let number = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1.hexadecimalDigit ?? 0) }
        guard digits.count == 4, let scalar = Unicode.Scalar(number) else { return nil }
        return (scalar, digits.endIndex)
    }

    /// `&#53;` or `&#x35;`. The semicolon may be missing.
    private static func number(_ text: [UInt8], _ index: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        let rest = text[index...].dropFirst(2)
        guard rest.startIndex - index == 2, text[index + 1] == UInt8(ascii: "#"), let first = rest.first else {
            return nil
        }
        let radix: UInt64 = first | 0x20 == UInt8(ascii: "x") ? 16 : 10
        let digits = rest.dropFirst(radix == 16 ? 1 : 0).prefix(longestReference).prefix {
            $0.hexadecimalDigit.map { $0 < radix } ?? false
        }
        let number = digits.reduce(UInt64(0)) { $0 * radix + UInt64($1.hexadecimalDigit ?? 0) }
        guard !digits.isEmpty, let scalar = Unicode.Scalar(UInt32(clamping: number)) else { return nil }
        let isEnded = digits.endIndex < text.count && text[digits.endIndex] == UInt8(ascii: ";")
        return (scalar, digits.endIndex + (isEnded ? 1 : 0))
    }

    /// `&colon;`.
    private static func name(_ text: [UInt8], _ index: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        let name = text[(index + 1)...].prefix(longestReference).prefix(while: \.isLetter)
        guard name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: ";"),
            let byte = names[String(decoding: name, as: UTF8.self)]
        else { return nil }
        return (Unicode.Scalar(byte), name.endIndex + 1)
    }
}
