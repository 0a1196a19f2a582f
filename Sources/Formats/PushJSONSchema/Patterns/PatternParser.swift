/// A regular expression that is not one, or that is not supported.
struct PatternError: Error, Equatable {
    var message: String
    /// Offset in characters (Unicode scalars) from the beginning of the pattern.
    var offset: Int
}

indirect enum PatternNode: Sendable {
    enum Assertion: Sendable { case start, end, wordBoundary, notWordBoundary }

    case empty
    case characters(CharacterClass)
    case assertion(Assertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// `maximum` is nil without a limit.
    case repetition(PatternNode, minimum: Int, maximum: Int?)
    case look(PatternNode, isAhead: Bool, isNegated: Bool)
}

/// Reads the regular expressions of ECMA-262, as JSON Schema asks (core, section 6.4), in its Unicode mode.
///
/// It accepts more than Unicode mode where people write it and nothing is ambiguous: `\-`, a lone `{`, `}` or `]`. Back
/// references and flags in the pattern are errors: the former cannot be matched in bounded time.
struct PatternParser {
    private static let maximumNesting = 100
    /// The largest number in `{n,m}`.
    private static let maximumCount = 10_000

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var nesting = 0

    private init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

    static func parse(_ pattern: String) throws(PatternError) -> PatternNode {
        var parser = PatternParser(pattern)
        let node = try parser.alternatives()
        guard parser.position == parser.scalars.count else { throw parser.error("unmatched )") }
        return node
    }

    private func error(_ message: String, at offset: Int? = nil) -> PatternError {
        PatternError(message: message, offset: offset ?? position)
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func alternatives() throws(PatternError) -> PatternNode {
        var branches = [try sequence()]
        while take("|" as Unicode.Scalar) { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = position
            let term = try term()
            parts.append(try repeated(term, from: start))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func term() throws(PatternError) -> PatternNode {
        guard let scalar = next else { return .empty }
        let start = position
        position += 1
        switch scalar {
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case ".": return .characters(.dot)
        case "(": return try group(from: start)
        case "[": return .characters(try brackets(from: start))
        case "\\": return try escape(from: start)
        case "*", "+", "?": throw error("\(scalar) has nothing before it to repeat", at: start)
        default: return .characters(.scalar(scalar.value))
        }
    }

    private mutating func group(from start: Int) throws(PatternError) -> PatternNode {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.maximumNesting else {
            throw error("groups are nested more than \(Self.maximumNesting) deep", at: start)
        }
        var look: (isAhead: Bool, isNegated: Bool)?
        if take("?=") {
            look = (true, false)
        } else if take("?!") {
            look = (true, true)
        } else if take("?<=") {
            look = (false, false)
        } else if take("?<!") {
            look = (false, true)
        } else if take("?<") {
            guard let end = scalars[position...].firstIndex(of: ">"), end > position else {
                throw error("the name of the group does not end with >", at: start)
            }
            position = end + 1
        } else if !take("?:"), next == "?" {
            throw error("(? begins no group of ECMA-262; flags such as (?i) are not supported", at: start)
        }
        let inner = try alternatives()
        guard take(")" as Unicode.Scalar) else { throw error("the group is not closed", at: start) }
        return look.map { .look(inner, isAhead: $0.isAhead, isNegated: $0.isNegated) } ?? inner
    }

    private mutating func repeated(_ term: PatternNode, from start: Int) throws(PatternError) -> PatternNode {
        guard let scalar = next else { return term }
        let mark = position
        var range: (minimum: Int, maximum: Int?)
        switch scalar {
        case "*": range = (0, nil)
        case "+": range = (1, nil)
        case "?": range = (0, 1)
        case "{":
            guard let counts = try braces() else { return term }
            range = counts
            position -= 1
        default: return term
        }
        position += 1
        if case .assertion = term { throw error("an assertion cannot be repeated", at: start) }
        // Lazy or greedy makes no difference for whether it matches.
        _ = take("?" as Unicode.Scalar)
        if let after = next, after == "*" || after == "+" || after == "?" {
            throw error("\(after) has nothing before it to repeat")
        }
        if let maximum = range.maximum, maximum < range.minimum {
            throw error("the numbers of {} are out of order", at: mark)
        }
        return .repetition(term, minimum: range.minimum, maximum: range.maximum)
    }

    /// `{n}`, `{n,}` or `{n,m}`, and moves past it; nil for any other text.
    private mutating func braces() throws(PatternError) -> (minimum: Int, maximum: Int?)? {
        let start = position
        guard let end = scalars[position...].firstIndex(of: "}") else { return nil }
        let text = String(String.UnicodeScalarView(scalars[(position + 1)..<end]))
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, !first.isEmpty,
            parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } })
        else { return nil }
        let numbers = parts.map { Int($0) ?? Int.max }
        position = end + 1
        let limits = parts.enumerated().map { $1.isEmpty ? 0 : numbers[$0] }
        guard limits.allSatisfy({ $0 <= Self.maximumCount }) else {
            throw error("more than \(Self.maximumCount) repetitions are not supported", at: start)
        }
        if parts.count == 1 { return (limits[0], limits[0]) }
        return (limits[0], parts[1].isEmpty ? nil : limits[1])
    }

    // MARK: - Escapes and classes

    private mutating func escape(from start: Int) throws(PatternError) -> PatternNode {
        switch next {
        case "b":
            position += 1
            return .assertion(.wordBoundary)
        case "B":
            position += 1
            return .assertion(.notWordBoundary)
        case "k":
            throw error("references to a group are not supported: they cannot be matched in bounded time", at: start)
        case let digit? where ("1"..."9").contains(digit):
            throw error("references to a group are not supported: they cannot be matched in bounded time", at: start)
        default: break
        }
        if let set = try classEscape(from: start) { return .characters(set) }
        return .characters(.scalar(try characterEscape(from: start)))
    }

    /// `\d` and the like, after the backslash; nil for an escape of one character.
    private mutating func classEscape(from start: Int) throws(PatternError) -> CharacterClass? {
        guard let letter = next else { throw error("\\ at the end", at: start) }
        position += 1
        switch letter {
        case "d", "D": return .digits(isNegated: letter == "D")
        case "w", "W": return .word(isNegated: letter == "W")
        case "s", "S": return .space(isNegated: letter == "S")
        case "p", "P":
            guard take("{" as Unicode.Scalar), let end = scalars[position...].firstIndex(of: "}") else {
                throw error("\\\(letter) needs the name of a property in braces", at: start)
            }
            let name = String(String.UnicodeScalarView(scalars[position..<end]))
            guard let property = UnicodeProperty(name) else {
                throw error("\\\(letter){\(name)}: this property is not supported", at: start)
            }
            position = end + 1
            return CharacterClass([.property(property, isNegated: letter == "P")])
        default:
            position -= 1
            return nil
        }
    }

    /// The character that an escape stands for, after the backslash.
    private mutating func characterEscape(from start: Int) throws(PatternError) -> UInt32 {
        guard let letter = next else { throw error("\\ at the end", at: start) }
        position += 1
        switch letter {
        case "t": return 9
        case "n": return 10
        case "v": return 11
        case "f": return 12
        case "r": return 13
        case "0":
            if let digit = next, ("0"..."9").contains(digit) {
                throw error("octal escapes are not supported", at: start)
            }
            return 0
        case "c":
            guard let control = next, control.isASCII, control.properties.isAlphabetic else {
                throw error("\\c needs a letter", at: start)
            }
            position += 1
            return control.value & 31
        case "x": return try hexadecimal(digits: 2, from: start)
        case "u": return try unicodeEscape(from: start)
        default:
            guard !letter.isASCII || !(letter.properties.isAlphabetic || letter.properties.isHexDigit) else {
                throw error("\\\(letter) is not an escape of ECMA-262", at: start)
            }
            return letter.value
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(PatternError) -> UInt32 {
        if take("{" as Unicode.Scalar) {
            guard let end = scalars[position...].firstIndex(of: "}"),
                let value = UInt32(String(String.UnicodeScalarView(scalars[position..<end])), radix: 16),
                value <= 0x10FFFF
            else { throw error("\\u{…} needs hexadecimal digits, up to 10FFFF", at: start) }
            position = end + 1
            return value
        }
        let first = try hexadecimal(digits: 4, from: start)
        guard first & 0xFC00 == 0xD800, scalars[position...].starts(with: Array("\\u".unicodeScalars)) else {
            return first
        }
        let mark = position
        position += 2
        let second = try hexadecimal(digits: 4, from: mark)
        if second & 0xFC00 == 0xDC00 { return 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF }
        position = mark
        return first
    }

    private mutating func hexadecimal(digits count: Int, from start: Int) throws(PatternError) -> UInt32 {
        let end = min(position + count, scalars.count)
        let text = String(String.UnicodeScalarView(scalars[position..<end]))
        guard end - position == count, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(text, radix: 16)
        else { throw error("the escape needs \(count) hexadecimal digits", at: start) }
        position = end
        return value
    }

    private mutating func brackets(from start: Int) throws(PatternError) -> CharacterClass {
        let isNegated = take("^" as Unicode.Scalar)
        var items: [CharacterClass.Item] = []
        while let scalar = next, scalar != "]" {
            let mark = position
            let first = try classAtom()
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                items.append(first)
                continue
            }
            position += 1
            let last = try classAtom()
            guard case .range(let low) = first, case .range(let high) = last else {
                throw error("a class such as \\d cannot begin or end a range", at: mark)
            }
            guard low.lowerBound <= high.lowerBound else { throw error("the range is out of order", at: mark) }
            items.append(.range(low.lowerBound...high.lowerBound))
        }
        guard take("]" as Unicode.Scalar) else { throw error("[ is not closed", at: start) }
        return CharacterClass(items, isNegated: isNegated)
    }

    private mutating func classAtom() throws(PatternError) -> CharacterClass.Item {
        let start = position
        guard let scalar = next else { throw error("[ is not closed") }
        position += 1
        guard scalar == "\\" else { return .range(scalar.value...scalar.value) }
        if take("b" as Unicode.Scalar) { return .range(8...8) }
        if let set = try classEscape(from: start) { return .nested(set) }
        let value = try characterEscape(from: start)
        return .range(value...value)
    }
}
