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
    /// The answers for ASCII.
    private let low: UInt64
    private let high: UInt64

    init(_ items: [Item], isNegated: Bool = false) {
        self.items = items
        self.isNegated = isNegated
        var words: (UInt64, UInt64) = (0, 0)
        for scalar in UInt32(0)..<128 where Self.matches(scalar, items) != isNegated {
            if scalar < 64 { words.0 |= 1 << UInt64(scalar) } else { words.1 |= 1 << UInt64(scalar - 64) }
        }
        (low, high) = words
    }

    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return low >> UInt64(scalar) & 1 == 1 }
        if scalar < 128 { return high >> UInt64(scalar - 64) & 1 == 1 }
        return Self.matches(scalar, items) != isNegated
    }

    private static func matches(_ scalar: UInt32, _ items: [Item]) -> Bool {
        items.contains { item in
            switch item {
            case .range(let range): range.contains(scalar)
            case .property(let property, let isNegated): property.contains(scalar) != isNegated
            case .nested(let inner): inner.contains(scalar)
            }
        }
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
