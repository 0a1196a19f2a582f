import PushSystem

/// A compiled pattern: instructions for `PatternMatcher`.
struct PatternProgram: Sendable {
    /// Patterns are refused beyond this size, to which `{n,m}` can blow up a short one.
    static let maximumInstructions = 10_000

    enum Instruction: Equatable, Sendable {
        /// Goes on if the next character is in a class.
        case characters(CharacterClass)
        /// Goes on in two ways: with the next instruction, and with this one.
        case split(Int)
        case jump(Int)
        case assertion(PatternNode.Assertion)
        /// Goes on if the part that begins at `start` matches here.
        case look(start: Int, isAhead: Bool, isNegated: Bool)
        case match
    }

    private(set) var instructions: [Instruction] = []
    /// True if the instructions that can follow without reading a character depend on nothing but the text's two ends.
    private(set) var isContextFree = true
    private var pending: [(address: Int, node: PatternNode, isAhead: Bool)] = []

    init(_ pattern: String) throws(PlainError) {
        try emit(PatternParser.parse(pattern), isAhead: true)
        try append(.match)
        while let look = pending.popLast() {
            guard case .look(_, let isAhead, let isNegated) = instructions[look.address] else { continue }
            instructions[look.address] = .look(start: instructions.count, isAhead: isAhead, isNegated: isNegated)
            try emit(look.node, isAhead: look.isAhead)
            try append(.match)
        }
    }

    private mutating func append(_ instruction: Instruction) throws(PlainError) {
        guard instructions.count < Self.maximumInstructions else {
            throw PlainError("the pattern is too large: its repetitions multiply", column: 1)
        }
        instructions.append(instruction)
    }

    /// - Parameter isAhead: false for a part that is matched from right to left.
    private mutating func emit(_ node: PatternNode, isAhead: Bool) throws(PlainError) {
        switch node {
        case .empty: break
        case .characters(let set): try append(.characters(set))
        case .assertion(let assertion):
            if assertion == .wordBoundary || assertion == .notWordBoundary { isContextFree = false }
            try append(.assertion(assertion))
        case .sequence(let parts):
            for part in isAhead ? parts : parts.reversed() { try emit(part, isAhead: isAhead) }
        case .alternatives(let branches): try emit(branches[...], isAhead: isAhead)
        case .repetition(let inner, let minimum, let maximum):
            for _ in 0..<minimum { try emit(inner, isAhead: isAhead) }
            guard let maximum else { return try emitLoop(inner, isAhead: isAhead) }
            var splits: [Int] = []
            for _ in minimum..<maximum {
                splits.append(instructions.count)
                try append(.split(0))
                try emit(inner, isAhead: isAhead)
            }
            for split in splits { instructions[split] = .split(instructions.count) }
        case .look(let inner, let isAhead, let isNegated):
            isContextFree = false
            pending.append((instructions.count, inner, isAhead))
            try append(.look(start: 0, isAhead: isAhead, isNegated: isNegated))
        }
    }

    private mutating func emitLoop(_ inner: PatternNode, isAhead: Bool) throws(PlainError) {
        let start = instructions.count
        try append(.split(0))
        try emit(inner, isAhead: isAhead)
        try append(.jump(start))
        instructions[start] = .split(instructions.count)
    }

    private mutating func emit(_ branches: ArraySlice<PatternNode>, isAhead: Bool) throws(PlainError) {
        var jumps: [Int] = []
        for (index, branch) in branches.enumerated() {
            let isLast = index == branches.count - 1
            let split = instructions.count
            if !isLast { try append(.split(0)) }
            try emit(branch, isAhead: isAhead)
            guard !isLast else { break }
            jumps.append(instructions.count)
            try append(.jump(0))
            instructions[split] = .split(instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }
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

    static func parse(_ pattern: String) throws(PlainError) -> PatternNode {
        var parser = PatternParser(pattern)
        let node = try parser.alternatives()
        guard parser.position == parser.scalars.count else { throw parser.error("unmatched )") }
        return node
    }

    /// An error whose column counts the characters (Unicode scalars) of the pattern.
    private func error(_ message: String, at offset: Int? = nil) -> PlainError {
        PlainError(message, column: (offset ?? position) + 1)
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

    private mutating func alternatives() throws(PlainError) -> PatternNode {
        var branches = [try sequence()]
        while take("|" as Unicode.Scalar) { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(PlainError) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = position
            let term = try term()
            parts.append(try repeated(term, from: start))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func term() throws(PlainError) -> PatternNode {
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

    private mutating func group(from start: Int) throws(PlainError) -> PatternNode {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.maximumNesting else {
            throw error("groups are nested more than \(Self.maximumNesting) deep", at: start)
        }
        var look: (isAhead: Bool, isNegated: Bool)?
        let marks = [("?=", true, false), ("?!", true, true), ("?<=", false, false), ("?<!", false, true)]
        for (mark, isAhead, isNegated) in marks where look == nil && take(mark) { look = (isAhead, isNegated) }
        if look == nil, take("?<") {
            guard let end = scalars[position...].firstIndex(of: ">"), end > position else {
                throw error("the name of the group does not end with >", at: start)
            }
            position = end + 1
        } else if look == nil, !take("?:"), next == "?" {
            throw error("(? begins no group of ECMA-262; flags such as (?i) are not supported", at: start)
        }
        let inner = try alternatives()
        guard take(")" as Unicode.Scalar) else { throw error("the group is not closed", at: start) }
        return look.map { .look(inner, isAhead: $0.isAhead, isNegated: $0.isNegated) } ?? inner
    }

    private mutating func repeated(_ term: PatternNode, from start: Int) throws(PlainError) -> PatternNode {
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
    private mutating func braces() throws(PlainError) -> (minimum: Int, maximum: Int?)? {
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

    private mutating func escape(from start: Int) throws(PlainError) -> PatternNode {
        switch next {
        case "b":
            position += 1
            return .assertion(.wordBoundary)
        case "B":
            position += 1
            return .assertion(.notWordBoundary)
        case let letter? where letter == "k" || ("1"..."9").contains(letter):
            throw error("references to a group are not supported: they cannot be matched in bounded time", at: start)
        default: break
        }
        if let set = try classEscape(from: start) { return .characters(set) }
        return .characters(.scalar(try characterEscape(from: start)))
    }

    /// `\d` and the like, after the backslash; nil for an escape of one character.
    private mutating func classEscape(from start: Int) throws(PlainError) -> CharacterClass? {
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
    private mutating func characterEscape(from start: Int) throws(PlainError) -> UInt32 {
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

    private mutating func unicodeEscape(from start: Int) throws(PlainError) -> UInt32 {
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

    private mutating func hexadecimal(digits count: Int, from start: Int) throws(PlainError) -> UInt32 {
        let end = min(position + count, scalars.count)
        let text = String(String.UnicodeScalarView(scalars[position..<end]))
        guard end - position == count, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(text, radix: 16)
        else { throw error("the escape needs \(count) hexadecimal digits", at: start) }
        position = end
        return value
    }

    private mutating func brackets(from start: Int) throws(PlainError) -> CharacterClass {
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

    private mutating func classAtom() throws(PlainError) -> CharacterClass.Item {
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

/// A set of characters, such as `[a-z]` or `\d`.
struct CharacterClass: Equatable, Sendable {
    /// A part of a class.
    enum Item: Equatable, Sendable {
        case range(ClosedRange<UInt32>)
        case property(UnicodeProperty, isNegated: Bool)
        /// A class such as `\S` inside brackets.
        case nested(CharacterClass)
    }

    private let items: [Item]
    private let isNegated: Bool

    init(_ items: [Item], isNegated: Bool = false) {
        self.items = items
        self.isNegated = isNegated
    }

    func contains(_ scalar: UInt32) -> Bool {
        let isListed = items.contains { item in
            switch item {
            case .range(let range): range.contains(scalar)
            case .property(let property, let isNegated): property.contains(scalar) != isNegated
            case .nested(let inner): inner.contains(scalar)
            }
        }
        return isListed != isNegated
    }

    private static func characters(_ text: String) -> [Item] { text.unicodeScalars.map { .range($0.value...$0.value) } }

    /// `.`: everything except line terminators.
    static let dot = CharacterClass(characters("\n\r\u{2028}\u{2029}"), isNegated: true)
    /// `\d`
    static func digits(isNegated: Bool) -> CharacterClass { CharacterClass([.range(48...57)], isNegated: isNegated) }
    /// `\w`
    static func word(isNegated: Bool) -> CharacterClass {
        CharacterClass([.range(48...57), .range(65...90), .range(95...95), .range(97...122)], isNegated: isNegated)
    }
    /// `\s`: ECMA-262's WhiteSpace and LineTerminator.
    static func space(isNegated: Bool) -> CharacterClass {
        CharacterClass(
            [.range(9...13), .property(.category([.spaceSeparator]), isNegated: false)]
                + characters("\u{FEFF}\u{2028}\u{2029}"), isNegated: isNegated)
    }
    static func scalar(_ value: UInt32) -> CharacterClass { CharacterClass([.range(value...value)]) }
}

/// The property that `\p{…}` names: a general category, or one of the binary properties that Swift's library knows.
enum UnicodeProperty: Equatable, Sendable {
    case category(Set<Unicode.GeneralCategory>)
    case binary(String)

    /// - Parameter text: the text between the braces. Returns nil if no supported property has this name.
    init?(_ text: String) {
        var name = text[...]
        for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
        if let categories = Self.categories(String(name)) {
            self = .category(categories)
        } else if name.count == text.count, Self.binaryProperties[text] != nil {
            self = .binary(text)
        } else {
            return nil
        }
    }

    func contains(_ value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value) else { return false }
        switch self {
        case .category(let categories): return categories.contains(scalar.properties.generalCategory)
        case .binary(let name): return Self.binaryProperties[name]?(scalar.properties, scalar) ?? false
        }
    }

    private typealias Test = @Sendable (Unicode.Scalar.Properties, Unicode.Scalar) -> Bool

    private static let binaryProperties: [String: Test] = [
        "Any": { _, _ in true },
        "ASCII": { $1.isASCII },
        "Assigned": { properties, _ in properties.generalCategory != .unassigned },
        "Alphabetic": { properties, _ in properties.isAlphabetic },
        "Alpha": { properties, _ in properties.isAlphabetic },
        "Lowercase": { properties, _ in properties.isLowercase }, "Lower": { properties, _ in properties.isLowercase },
        "Uppercase": { properties, _ in properties.isUppercase }, "Upper": { properties, _ in properties.isUppercase },
        "White_Space": { properties, _ in properties.isWhitespace },
        "Emoji": { properties, _ in properties.isEmoji },
        "Emoji_Presentation": { properties, _ in properties.isEmojiPresentation },
        "Ideographic": { properties, _ in properties.isIdeographic },
        "ID_Start": { properties, _ in properties.isIDStart }, "IDS": { properties, _ in properties.isIDStart },
        "ID_Continue": { properties, _ in properties.isIDContinue },
        "IDC": { properties, _ in properties.isIDContinue },
        "Math": { properties, _ in properties.isMath },
        "Dash": { properties, _ in properties.isDash },
        "Diacritic": { properties, _ in properties.isDiacritic },
        "Hex_Digit": { properties, _ in properties.isHexDigit },
        "ASCII_Hex_Digit": { properties, _ in properties.isASCIIHexDigit },
    ]

    /// Short name, long name, and the categories. Source: ECMA-262, table "Value aliases for General_Category".
    private static let table: [(String, String, [Unicode.GeneralCategory])] = [
        ("Lu", "Uppercase_Letter", [.uppercaseLetter]), ("Ll", "Lowercase_Letter", [.lowercaseLetter]),
        ("Lt", "Titlecase_Letter", [.titlecaseLetter]), ("Lm", "Modifier_Letter", [.modifierLetter]),
        ("Lo", "Other_Letter", [.otherLetter]),
        ("LC", "Cased_Letter", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
        ("L", "Letter", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]),
        ("Mn", "Nonspacing_Mark", [.nonspacingMark]), ("Mc", "Spacing_Mark", [.spacingMark]),
        ("Me", "Enclosing_Mark", [.enclosingMark]), ("M", "Mark", [.nonspacingMark, .spacingMark, .enclosingMark]),
        ("Nd", "Decimal_Number", [.decimalNumber]), ("Nl", "Letter_Number", [.letterNumber]),
        ("No", "Other_Number", [.otherNumber]), ("N", "Number", [.decimalNumber, .letterNumber, .otherNumber]),
        ("Pc", "Connector_Punctuation", [.connectorPunctuation]), ("Pd", "Dash_Punctuation", [.dashPunctuation]),
        ("Ps", "Open_Punctuation", [.openPunctuation]), ("Pe", "Close_Punctuation", [.closePunctuation]),
        ("Pi", "Initial_Punctuation", [.initialPunctuation]), ("Pf", "Final_Punctuation", [.finalPunctuation]),
        ("Po", "Other_Punctuation", [.otherPunctuation]),
        (
            "P", "Punctuation",
            [
                .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation,
            ]
        ),
        ("Sm", "Math_Symbol", [.mathSymbol]), ("Sc", "Currency_Symbol", [.currencySymbol]),
        ("Sk", "Modifier_Symbol", [.modifierSymbol]), ("So", "Other_Symbol", [.otherSymbol]),
        ("S", "Symbol", [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
        ("Zs", "Space_Separator", [.spaceSeparator]), ("Zl", "Line_Separator", [.lineSeparator]),
        ("Zp", "Paragraph_Separator", [.paragraphSeparator]),
        ("Z", "Separator", [.spaceSeparator, .lineSeparator, .paragraphSeparator]),
        ("Cc", "Control", [.control]), ("Cf", "Format", [.format]), ("Cs", "Surrogate", [.surrogate]),
        ("Co", "Private_Use", [.privateUse]), ("Cn", "Unassigned", [.unassigned]),
        ("C", "Other", [.control, .format, .surrogate, .privateUse, .unassigned]),
        ("digit", "Decimal_Number", [.decimalNumber]),
    ]

    private static func categories(_ name: String) -> Set<Unicode.GeneralCategory>? {
        if name == "punct" { return categories("P") }
        return table.first { $0.0 == name || $0.1 == name }.map { Set($0.2) }
    }
}
