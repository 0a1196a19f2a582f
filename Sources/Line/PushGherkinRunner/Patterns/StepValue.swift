/// The value of a parameter.
package enum StepValue: Sendable {
    case int(Int)
    case float(Double)
    case text(String)
}

/// A parameter type: the text that `{name}` in a pattern matches.
struct ParameterType: Sendable {
    let name: String
    /// Lengths in bytes of the possible matches at the start of a text, in the order in which they are tried.
    let lengths: @Sendable (ArraySlice<UInt8>) -> [Int]
    /// Nil when the text has the form of the type but is out of range, such as a number that is too large.
    let value: @Sendable (String) -> StepValue?

    private init(
        _ name: String, _ lengths: @escaping @Sendable (ArraySlice<UInt8>) -> [Int],
        _ value: @escaping @Sendable (String) -> StepValue?
    ) {
        self.name = name
        self.lengths = lengths
        self.value = value
    }

    /// The types of Cucumber Expressions.
    static let all: [ParameterType] = [
        ParameterType("int", Numeral.integers, { Int($0).map { .int($0) } }),
        ParameterType("float", Numeral.reals, { Double($0).map { .float($0) } }),
        ParameterType(
            "word",
            { bytes in
                let word = bytes.prefix { !StepText.isBlank($0) }.count
                return word > 0 ? Array((1...word).reversed()) : []
            }, { .text($0) }),
        ParameterType("string", { QuotedText.length($0).map { [$0] } ?? [] }, { .text(QuotedText.content($0)) }),
        ParameterType("", { Array((0...$0.count).reversed()) }, { .text($0) }),
    ]
}

/// Numbers as Cucumber Expressions have them.
private enum Numeral {
    @Sendable static func integers(_ bytes: ArraySlice<UInt8>) -> [Int] {
        let sign = bytes.first == UInt8(ascii: "-") ? 1 : 0
        let digits = bytes.dropFirst(sign).prefix(while: isDigit).count
        return digits > 0 ? (1...digits).reversed().map { $0 + sign } : []
    }

    /// `1`, `.5`, `-1.5`, `+1.5E-3`.
    @Sendable static func reals(_ bytes: ArraySlice<UInt8>) -> [Int] {
        let sign = bytes.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true ? 1 : 0
        let whole = bytes.dropFirst(sign).prefix(while: isDigit).count
        var lengths: [Int] = whole > 0 ? [sign + whole] : []
        var length = sign + whole
        let rest = bytes.dropFirst(length)
        if rest.first == UInt8(ascii: ".") {
            let decimals = rest.dropFirst().prefix(while: isDigit).count
            if decimals > 0 {
                length += 1 + decimals
                lengths.append(length)
            }
        }
        guard !lengths.isEmpty else { return [] }
        let exponent = bytes.dropFirst(length)
        if exponent.first == UInt8(ascii: "E") {
            let second = exponent.dropFirst().first
            let exponentSign = second == UInt8(ascii: "-") || second == UInt8(ascii: "+") ? 1 : 0
            let digits = exponent.dropFirst(1 + exponentSign).prefix(while: isDigit).count
            if digits > 0 { lengths.append(length + 1 + exponentSign + digits) }
        }
        return lengths.reversed()
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// A text in single or double quotes. A backslash escapes the next character.
private enum QuotedText {
    /// Length with the quotes. Nil when no quoted text begins here, or it does not end.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        var index = bytes.startIndex + 1
        while index < bytes.endIndex {
            if bytes[index] == quote { return index + 1 - bytes.startIndex }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Only quotes are unescaped, as in Cucumber Expressions: JSON in a step keeps its backslashes.
    static func content(_ text: String) -> String {
        var content = ""
        var backslash = false
        for scalar in text.unicodeScalars.dropFirst().dropLast() {
            if backslash, scalar != "\"", scalar != "'" { content.unicodeScalars.append("\\") }
            backslash = scalar == "\\" && !backslash
            if !backslash { content.unicodeScalars.append(scalar) }
        }
        return content
    }
}

/// Texts of steps, as bytes.
enum StepText {
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
