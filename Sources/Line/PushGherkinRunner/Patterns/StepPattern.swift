/// A Cucumber Expression: what the text of a step looks like.
///
/// `{int}`, `{float}`, `{word}`, `{string}` and `{}` stand for values, `notification(s)` matches both words, and
/// `shows/has` matches either of the two. A backslash escapes `{`, `}`, `(`, `)`, `/`, white space and itself.
package struct StepPattern: Sendable, CustomStringConvertible {
    indirect enum Part: Sendable {
        case text([UInt8])
        case optional([UInt8])
        case alternatives([[Part]])
        case parameter(ParameterType)
    }

    /// The text of the pattern.
    package let source: String
    let parts: [Part]

    package var description: String { source }

    /// Longest text of a step that is matched, in bytes. A payload belongs below the step.
    package static let maximumTextBytes = 8 * 1024  // 8 KiB

    package init(_ source: String) throws(ExpressionError) {
        self.source = source
        var parser = PatternParser(source)
        parts = try parser.parts()
    }

    /// The match of one parameter.
    package struct Match: Sendable {
        package let type: String
        package let text: String
        /// Nil when the text has the form of its type but is out of range.
        package let value: StepValue?
    }

    /// - Returns: the values of the parameters, in order; nil when the text does not match.
    package func match(_ text: String) -> [Match]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumTextBytes else { return nil }
        var captures: [(type: ParameterType, range: Range<Int>)] = []
        guard Self.match(parts[...], bytes, 0, &captures) else { return nil }
        return captures.map { type, range in
            let text = String(decoding: bytes[range], as: UTF8.self)
            return Match(type: type.name, text: text, value: type.value(text))
        }
    }

    /// Tries each possible match of a part, the longest first, until the rest matches too.
    private static func match(
        _ parts: ArraySlice<Part>, _ bytes: [UInt8], _ index: Int,
        _ captures: inout [(type: ParameterType, range: Range<Int>)]
    ) -> Bool {
        guard let part = parts.first else { return index == bytes.count }
        let rest = parts.dropFirst()
        switch part {
        case .text(let text):
            return bytes[index...].starts(with: text) && match(rest, bytes, index + text.count, &captures)
        case .optional(let text):
            if bytes[index...].starts(with: text), match(rest, bytes, index + text.count, &captures) { return true }
            return match(rest, bytes, index, &captures)
        case .alternatives(let alternatives):
            return alternatives.contains { match(($0 + rest)[...], bytes, index, &captures) }
        case .parameter(let type):
            for length in type.lengths(bytes[index...]) {
                captures.append((type, index..<(index + length)))
                if match(rest, bytes, index + length, &captures) { return true }
                captures.removeLast()
            }
            return false
        }
    }
}

/// Why a text is not a Cucumber Expression or a tag expression.
public struct ExpressionError: Error, Equatable, CustomStringConvertible {
    /// The text.
    public var expression: String
    /// The place of the problem, in code points from 1.
    public var column: Int
    /// The problem at that column.
    public var message: String

    /// One line for people: `"@a and", column 7: expected a tag`.
    public var description: String { "\"\(expression)\", column \(column): \(message)" }
}

/// Reads a Cucumber Expression, by the official grammar:
///
///     expression  := (alternation | optional | parameter | text)*
///     alternation := (optional | text)+ ('/' (optional | text)+)+, from a blank or '}' to a blank or '{'
///     optional    := '(' text ')'
///     parameter   := '{' name '}'
struct PatternParser {
    /// A code point, without the backslash that escapes it.
    private struct Token {
        enum Kind {
            case plain, blank, mark
        }

        let kind: Kind
        let scalar: Unicode.Scalar
        let column: Int

        func isMark(_ mark: Unicode.Scalar) -> Bool { kind == .mark && scalar == mark }
    }

    private let source: String
    private var tokens: [Token] = []
    private var index = 0

    init(_ source: String) { self.source = source }

    mutating func parts() throws(ExpressionError) -> [StepPattern.Part] {
        try tokenise()
        var parts: [StepPattern.Part] = []
        while let token {
            if token.kind == .blank {
                index += 1
                parts.append(.text(Array(String(token.scalar).utf8)))
            } else if token.isMark("{") {
                parts.append(.parameter(try parameter()))
            } else {
                try parts.append(contentsOf: segment())
            }
        }
        return parts
    }

    private var token: Token? { index < tokens.count ? tokens[index] : nil }

    private func error(_ message: String, at column: Int) -> ExpressionError {
        ExpressionError(expression: source, column: column, message: message)
    }

    private mutating func tokenise() throws(ExpressionError) {
        var isEscaped = false
        var column = 0
        for scalar in source.unicodeScalars {
            column += 1
            let isMark = ["{", "}", "(", ")", "/"].contains(scalar)
            if isEscaped {
                guard isMark || scalar == "\\" || scalar.properties.isWhitespace else {
                    throw error("only {, }, (, ), /, \\ and white space can be escaped", at: column - 1)
                }
                isEscaped = false
                tokens.append(Token(kind: .plain, scalar: scalar, column: column - 1))
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                let kind: Token.Kind = isMark ? .mark : scalar.properties.isWhitespace ? .blank : .plain
                tokens.append(Token(kind: kind, scalar: scalar, column: column))
            }
        }
        if isEscaped { throw error("the end of the pattern cannot be escaped", at: column) }
    }

    /// Takes the text between two brackets, the first of which is next.
    ///
    /// - Parameter problem: why a mark may not stand in the text; nil if it may.
    private mutating func enclosed(
        upTo closing: Unicode.Scalar, unclosed: String, _ problem: (Unicode.Scalar) -> String?
    ) throws(ExpressionError) -> String {
        let rest = tokens[index...]
        guard let end = rest.firstIndex(where: { $0.isMark(closing) }) else {
            throw error(unclosed, at: tokens[index].column)
        }
        var text = ""
        for token in rest[..<end].dropFirst() {
            if token.kind == .mark, let problem = problem(token.scalar) { throw error(problem, at: token.column) }
            text.unicodeScalars.append(token.scalar)
        }
        index = end + 1
        return text
    }

    private mutating func parameter() throws(ExpressionError) -> ParameterType {
        let column = tokens[index].column
        let name = try enclosed(upTo: "}", unclosed: "the { has no matching }") { _ in
            "a parameter name may not contain {, (, ) or /"
        }
        guard let type = ParameterType.all.first(where: { $0.name == name }) else {
            throw error("unknown parameter type \"\(name)\"", at: column)
        }
        return type
    }

    /// Reads from one boundary to the next: text and optional text, or alternatives of both.
    private mutating func segment() throws(ExpressionError) -> [StepPattern.Part] {
        let start = tokens[index].column
        var alternatives: [[StepPattern.Part]] = [[]]
        while let token, token.kind != .blank, !token.isMark("{") {
            if token.isMark("/") {
                index += 1
                alternatives.append([])
            } else if token.isMark("(") {
                alternatives[alternatives.count - 1].append(.optional(try optional()))
            } else {
                index += 1
                alternatives[alternatives.count - 1].append(.text(Array(String(token.scalar).utf8)))
            }
        }
        if alternatives.count == 1 { return alternatives[0] }
        for alternative in alternatives {
            if alternative.isEmpty { throw error("an alternative may not be empty", at: start) }
            let hasText = alternative.contains { if case .text = $0 { true } else { false } }
            if !hasText { throw error("an alternative may not consist of optional text only", at: start) }
        }
        return [.alternatives(alternatives)]
    }

    private mutating func optional() throws(ExpressionError) -> [UInt8] {
        let column = tokens[index].column
        let text = try enclosed(upTo: ")", unclosed: "the ( has no matching )") { mark in
            switch mark {
            case "(": "optional text may not contain optional text"
            case "{": "optional text may not contain a parameter"
            case "/": "optional text may not contain alternatives"
            default: nil
            }
        }
        if text.isEmpty { throw error("optional text may not be empty", at: column) }
        return Array(text.utf8)
    }
}

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

    /// The types of Cucumber Expressions.
    static let all: [ParameterType] = [
        ParameterType(name: "int", lengths: Numeral.integers) { Int($0).map { .int($0) } },
        ParameterType(name: "float", lengths: Numeral.reals) { Double($0).map { .float($0) } },
        ParameterType(
            name: "word",
            lengths: { bytes in
                let word = bytes.prefix { $0 != 0x20 && !(0x09...0x0D).contains($0) }.count
                return word > 0 ? Array((1...word).reversed()) : []
            }, value: { .text($0) }),
        ParameterType(
            name: "string", lengths: { QuotedText.length($0).map { [$0] } ?? [] },
            value: { .text(QuotedText.content($0)) }),
        ParameterType(name: "", lengths: { Array((0...$0.count).reversed()) }, value: { .text($0) }),
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

    /// The text between the quotes. Only quotes are unescaped, as in Cucumber Expressions: JSON in a step keeps its
    /// backslashes.
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
