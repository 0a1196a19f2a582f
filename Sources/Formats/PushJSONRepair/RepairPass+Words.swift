import PayloadJSON
import PushSystem

/// Member names, literals and numbers without quotes.
extension RepairPass {
    /// Another language's word for a literal.
    struct Literal {
        var word: String
        /// JSON's word for it.
        var meaning: String
        /// True if JSON's word means the same.
        var isSafe: Bool
    }

    /// YES and NO are Objective-C's Boolean values, but may have been meant as texts. JSON cannot express the last rows.
    static let literals: [Literal] = [
        Literal(word: "True", meaning: "true", isSafe: true),
        Literal(word: "TRUE", meaning: "true", isSafe: true),
        Literal(word: "False", meaning: "false", isSafe: true),
        Literal(word: "FALSE", meaning: "false", isSafe: true),
        Literal(word: "None", meaning: "null", isSafe: true),
        Literal(word: "nil", meaning: "null", isSafe: true),
        Literal(word: "Nil", meaning: "null", isSafe: true),
        Literal(word: "Null", meaning: "null", isSafe: true),
        Literal(word: "NULL", meaning: "null", isSafe: true),
        Literal(word: "YES", meaning: "true", isSafe: false),
        Literal(word: "NO", meaning: "false", isSafe: false),
        Literal(word: "undefined", meaning: "null", isSafe: false),
        Literal(word: "NaN", meaning: "null", isSafe: false),
        Literal(word: "nan", meaning: "null", isSafe: false),
        Literal(word: "Infinity", meaning: "null", isSafe: false),
        Literal(word: "+Infinity", meaning: "null", isSafe: false),
        Literal(word: "-Infinity", meaning: "null", isSafe: false),
        Literal(word: "inf", meaning: "null", isSafe: false),
        Literal(word: "-inf", meaning: "null", isSafe: false),
    ]

    private static let longestLiteral = literals.map(\.word.utf8.count).max() ?? 0

    /// Bytes of the character at `offset` if it can be part of a word: a letter, digit, `_`, `$`, `-`, `.`, `+`, or a character
    /// outside ASCII that is neither a quotation mark nor invisible. 0 for everything else.
    func wordLength(at offset: Int) -> Int {
        let byte = self[offset]
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "+"):
            return 1
        case 0x80...: return quote(at: offset) != nil || isInvisible(at: offset) ? 0 : characterLength(at: offset)
        default: return 0
        }
    }

    /// The word at `offset`; empty if there is none.
    func word(at offset: Int) -> Range<Int> {
        var end = offset
        while case let length = wordLength(at: end), length > 0 { end += length }
        return offset..<end
    }

    /// Moves past a member name without quotes.
    mutating func passBareName() {
        // SOUND: the range of a word lies within the text.
        let name = word(at: index)
        guard unsafe text[name].contains(where: { isLetterOrDigit($0) }) else {
            return giveUp(.other, "a member name was expected here, not \(excerpt(name))")
        }
        if self[name.upperBound] == UInt8(ascii: "\"") {
            return giveUp(
                .other, "\(excerpt(name)) is outside a string; a quote before it is missing, or needs a backslash",
                at: name)
        }
        // Languages differ in how they write other numbers as names.
        let isNumber = self[name.lowerBound] < 0x80 && !isLetter(self[name.lowerBound])
        if isRelaxed, !isNumber {
            let ends = [name.lowerBound, name.upperBound]
            relax(.bareKey, ends.map { TextEdit(range: $0..<$0, replacement: Self.mark) })
            return passToken(name.count)
        }
        report(
            .bareKey, name, "the member name \(excerpt(name)) has no quotes",
            isSafe: !isNumber || isPlainInteger(name),
            unsafe [.replacement(name, with: "\"" + String(decoding: text[name], as: UTF8.self) + "\"")])
        passToken(name.count)
    }

    /// Moves past a value without quotes.
    mutating func passWord() {
        // SOUND: the range of a word lies within the text.
        let word = word(at: index)
        if isPlainInteger(word) || isStrictLiteral(word) {
            // A valid literal or number.
        } else if let literal = literal(word) {
            let advice = literal.isSafe ? "; \(literal.meaning) was probably meant" : ", so the record is malformed"
            report(
                .literal, word, "JSON has no \(excerpt(word))\(advice)", isSafe: literal.isSafe,
                [.replacement(word, with: literal.meaning)])
        } else if unsafe !JSONScanner.accepts(UnsafeRawBufferPointer(rebasing: text[word])) {
            if levels.isEmpty { return giveUp(.other, "\(excerpt(word)) is not a JSON value") }
            let isNumber = unsafe !isLetter(self[word.lowerBound]) && text[word].contains(where: \.isDigit)
            let kind = isNumber ? "number in JSON" : "JSON value"
            return giveUp(
                isNumber ? .numberForm : .other, "\(excerpt(word)) is not a \(kind); as a text it needs quotes",
                at: word)
        }
        passToken(word.count)
    }

    private func literal(_ word: Range<Int>) -> Literal? {
        // SOUND: the range of a word lies within the text.
        guard word.count <= Self.longestLiteral else { return nil }
        return Self.literals.first { unsafe text[word].elementsEqual($0.word.utf8) }
    }

    private func isStrictLiteral(_ word: Range<Int>) -> Bool {
        // SOUND: the range of a word lies within the text.
        ["true", "false", "null"].contains { unsafe text[word].elementsEqual($0.utf8) }
    }

    private func isPlainInteger(_ word: Range<Int>) -> Bool {
        // SOUND: the range of a word lies within the text.
        unsafe text[word].allSatisfy(\.isDigit) && (word.count == 1 || self[word.lowerBound] != UInt8(ascii: "0"))
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }

    func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || byte.isDigit }
}
