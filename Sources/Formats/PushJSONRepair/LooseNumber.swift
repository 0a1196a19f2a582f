/// A number as other languages write it: `+1`, `.5`, `5.`, `007`, `0x1F`, `1_000`, or one that stops too early, `1e`.
struct LooseNumber {
    /// The number in JSON; the word itself if it is a JSON number.
    private(set) var text: String

    /// True if both certainly mean the same. Leading zeros may belong to an identifier or an octal number, and an exponent without digits
    /// is incomplete.
    private(set) var isSafe = true

    /// Nil if `word` is not a number in any of these notations or in JSON's. O(bytes).
    init?(_ word: some Sequence<UInt8>) {
        var rest = Array(word)[...]
        var sign = ""
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
            sign = rest.removeFirst() == UInt8(ascii: "-") ? "-" : ""
        }
        guard let digits = Self.withoutGroupMarks(rest) else { return nil }
        rest = digits[...]
        if let value = Self.prefixedInteger(rest) {
            text = sign + String(value)
            return
        }

        let integer = Self.takeDigits(&rest)
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = Self.takeDigits(&rest)
        }
        guard !integer.isEmpty || !fraction.isEmpty else { return nil }
        let significant = integer.drop { $0 == UInt8(ascii: "0") }
        if integer.count > 1, significant.count < integer.count { isSafe = false }

        text = sign + (significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self))
        if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            var exponent = String(Unicode.Scalar(mark))
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
                exponent += rest.removeFirst() == UInt8(ascii: "-") ? "-" : "+"
            }
            let digits = Self.takeDigits(&rest)
            if digits.isEmpty { isSafe = false } else { text += exponent + String(decoding: digits, as: UTF8.self) }
        }
        guard rest.isEmpty else { return nil }
    }

    /// The digits without `_`, which is only allowed between two digits; nil if there is one elsewhere.
    private static func withoutGroupMarks(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        let groups = digits.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty }) else { return nil }
        return Array(groups.joined())
    }

    /// The value of `0x1F`, `0o17` or `0b11`; nil for everything else, and beyond 64 bits.
    private static func prefixedInteger(_ digits: ArraySlice<UInt8>) -> UInt64? {
        let text = String(decoding: digits, as: UTF8.self).lowercased()
        let radixes = ["0x": 16, "0o": 8, "0b": 2]
        guard let radix = radixes[String(text.prefix(2))], let first = text.dropFirst(2).first, first.isHexDigit else {
            return nil
        }
        return UInt64(text.dropFirst(2), radix: radix)
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
        rest = rest.dropFirst(digits.count)
        return Array(digits)
    }
}
