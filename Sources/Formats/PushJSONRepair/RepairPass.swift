import PushJSON
import PushSystem

/// Reads a text from left to right as its author meant it, for `JSONRepair` and `RelaxedReading`.
///
/// The pass walks from token to token with its own stack of open brackets, reports what is not strict, and continues as if it were.
/// Where it would have to guess what was meant, it reports the place and gives up.
///
/// It is linear: a failed look-ahead is either followed by a problem, of which there are at most
/// `JSONRepair.maximumProblems`, or counted in `failedSearches`, which has the same limit. A relaxed reading makes any number of
/// changes, but its first problem ends it, and what it looked ahead for before a change, the change consumes.
@safe  // SOUND: reads compare their offset with `byteCount`; whoever unsafely creates one keeps the text alive.
struct RepairPass {
    /// An open object or array.
    struct Level {
        var isObject: Bool
        /// Offset of its opening bracket.
        var start: Int
        /// Members or elements so far.
        var items = 0

        var opener: String { isObject ? "{" : "[" }
        var closer: String { isObject ? "}" : "]" }
        var item: String { isObject ? "member" : "element" }
    }

    /// The text, which is UTF-8. It is only read through the subscript.
    let text: UnsafeRawBufferPointer
    let byteCount: Int
    /// Offset of the next byte to be read.
    var index: Int
    /// Offset of the end of the last token that is not a separator, where a missing comma is inserted.
    var tokenEnd: Int
    var levels: [Level] = []
    /// Offset of the comma or semicolon after the last item of the innermost level; nil if there is none so far.
    var separator: Int?
    var problems: [JSONRepair.Problem] = []
    /// True to make the changes of a relaxed reading instead of reporting them, and to give up at the first problem.
    let isRelaxed: Bool
    /// The changes of a relaxed reading, and their edits in order.
    private(set) var changes: [JSONRepair.Kind: Int] = [:]
    private(set) var edits: [TextEdit] = []
    var hasGivenUp = false
    /// True if the end of a string was guessed, or the pass gave up, so that everything else may be a misreading.
    var hasGuessed = false
    /// Number of look-aheads that found no end of a string.
    var failedSearches = 0

    init(_ text: UnsafeRawBufferPointer, from start: Int, isRelaxed: Bool) {
        // SOUND: stores the address; the creator keeps the text alive.
        unsafe self.text = unsafe text
        byteCount = text.count
        index = start
        tokenEnd = start
        self.isRelaxed = isRelaxed
    }

    /// Reads the whole text, or until it gives up.
    mutating func run() {
        skipSpace()
        // Nothing but white space: the scanner's message is enough.
        guard index < byteCount else {
            hasGivenUp = true
            return
        }
        passValue()
        while !hasGivenUp, !levels.isEmpty { passItem() }
        if !hasGivenUp { passRest() }
    }

    // MARK: - Reporting

    mutating func relax(_ kind: JSONRepair.Kind, _ edits: [TextEdit]) {
        changes[kind, default: 0] += 1
        self.edits += edits
    }

    /// Adds a problem; gives up if there are too many.
    mutating func report(
        _ kind: JSONRepair.Kind, _ range: Range<Int>, _ message: String, isSafe: Bool, _ edits: [TextEdit]
    ) {
        guard !isRelaxed, problems.count < JSONRepair.maximumProblems else {
            hasGivenUp = true
            return
        }
        problems.append(
            JSONRepair.Problem(kind: kind, range: range, message: message, edits: edits, isSafe: isSafe))
    }

    /// Reports that the text cannot be understood any further, and ends the pass. No edit of the text is safe then.
    ///
    /// - Parameter range: nil for the character at `index`.
    mutating func giveUp(_ kind: JSONRepair.Kind, _ message: String, at range: Range<Int>? = nil) {
        hasGuessed = true
        report(kind, range ?? characterRange(at: index), message, isSafe: false, [])
        hasGivenUp = true
    }

    /// The line of the byte at `offset`, from 1. O(offset), for messages only.
    func line(of offset: Int) -> Int {
        // SOUND: the creator keeps the text alive.
        unsafe TextPosition(of: offset, in: text).line
    }

    /// The text in `range`, in quotes, shortened for a message, without invisible characters.
    func excerpt(_ range: Range<Int>) -> String {
        // SOUND: the range is clamped to the text.
        let limit = 40
        let bytes = unsafe text[range.clamped(to: 0..<byteCount)].prefix(4 * limit)
        let scalars = unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars
        var shown = "'"
        for scalar in scalars.prefix(limit) where !Self.isHidden(scalar) { shown.unicodeScalars.append(scalar) }
        let isCut = unsafe bytes.count < range.count || scalars.count > limit
        return shown + (isCut ? "…'" : "'")
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    // MARK: - Bytes

    /// The byte at `offset`; 0 outside the text, because that has no meaning outside a string.
    subscript(offset: Int) -> UInt8 {
        // SOUND: the offset is checked first.
        unsafe offset >= 0 && offset < byteCount ? text[offset] : 0
    }

    /// The character at `offset`, empty at the end of the text.
    func characterRange(at offset: Int) -> Range<Int> {
        offset < byteCount ? offset..<offset + characterLength(at: offset) : byteCount..<byteCount
    }

    /// Bytes of the scalar at `offset`, at least 1.
    func characterLength(at offset: Int) -> Int {
        // SOUND: there is a byte at `offset`, because the subscript is not 0.
        guard self[offset] >= 0x80 else { return 1 }
        return unsafe UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: text[offset...])) ?? 1
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || isLineEnd(byte) }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") }

    static func isCloser(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }

    /// The first offset from `offset` that is not white space.
    func afterSpace(_ offset: Int) -> Int {
        var offset = offset
        while Self.isSpace(self[offset]) { offset += 1 }
        return offset
    }

    /// The first offset from `offset` that is neither a space nor a tab.
    func afterBlanks(_ offset: Int) -> Int {
        var offset = offset
        while self[offset] == 0x20 || self[offset] == 0x09 { offset += 1 }
        return offset
    }

    /// Moves past a token of `length` bytes.
    mutating func passToken(_ length: Int) {
        index += length
        tokenEnd = index
    }

    // MARK: - Space between tokens, as JSON allows it and as people write it

    /// Moves `index` past white space, comments, and characters that merely look like white space.
    mutating func skipSpace() {
        while index < byteCount, !hasGivenUp {
            let byte = self[index]
            if Self.isSpace(byte) {
                index += 1
            } else if byte == UInt8(ascii: "#") || byte == UInt8(ascii: "/") && self[index + 1] == UInt8(ascii: "/") {
                passLineComment()
            } else if byte == UInt8(ascii: "/"), self[index + 1] == UInt8(ascii: "*") {
                passBlockComment()
            } else if isInvisible(at: index) {
                passInvisible()
            } else {
                return
            }
        }
    }

    private mutating func passLineComment() {
        let start = index
        index = lineEnd(from: start)
        report(.comment, start..<index, "a comment; JSON has none", isSafe: true, [.deletion(start..<index)])
    }

    private mutating func passBlockComment() {
        let start = index
        index += 2
        while index < byteCount, self[index] != UInt8(ascii: "*") || self[index + 1] != UInt8(ascii: "/") {
            index += 1
        }
        let isClosed = index < byteCount
        index = min(index + 2, byteCount)
        report(
            .comment, start..<index, isClosed ? "a comment; JSON has none" : "a comment that is not closed",
            isSafe: isClosed, [.deletion(start..<index)])
    }

    /// Moves past a run of them. They have no meaning between tokens, so a space replaces them.
    private mutating func passInvisible() {
        let start = index
        let name = "U+" + Self.fourDigits(scalar(at: start).value)
        while index < byteCount, isInvisible(at: index) { index += characterLength(at: index) }
        let isControl = self[start] < 0x80
        report(
            isControl ? .controlCharacter : .other, start..<index,
            "\(name) between values, where JSON allows only spaces, tabs and line ends",
            isSafe: true, [.replacement(start..<index, with: " ")])
    }

    /// True if there is a control character, a special space or a zero-width character at `offset`.
    func isInvisible(at offset: Int) -> Bool {
        guard offset < byteCount, !Self.isSpace(self[offset]) else { return false }
        return switch scalar(at: offset).value {
        case 0..<0x20, 0x7F...0xA0, 0xAD, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000,
            0xFEFF:
            true
        default: false
        }
    }

    private func scalar(at offset: Int) -> Unicode.Scalar {
        // SOUND: the offset was checked.
        guard offset < byteCount else { return " " }
        return unsafe UTF8Sequence.decode(UnsafeRawBufferPointer(rebasing: text[offset...])) ?? " "
    }
}

/// Strings that contain JSON whose double quotes are not escaped: a payload pasted as text into a gateway's request, such as
/// `{"APNS":"{"aps":{"alert":"Hi"}}"}` for AWS SNS.
extension RepairPass {
    /// The end of a string at `start` whose content is an object, or an array of objects, with unescaped quotes; nil when
    /// it is not that.
    ///
    /// Such a text begins with brackets, a quote, a letter or the like, more, a quote and a colon. Its end is where its brackets are balanced,
    /// strings passed over, and a quote follows, and after that what may follow a value. O(bytes), and limited in number
    /// when it comes to nothing.
    mutating func embeddedTextEnd(from start: Int) -> Int? {
        guard beginsEmbeddedText(at: start + 1), failedSearches < JSONRepair.maximumProblems else { return nil }
        var depth = 0
        var offset = afterSpace(start + 1)
        while offset < byteCount {
            switch self[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                offset += 1
                while offset < byteCount, self[offset] != UInt8(ascii: "\"") {
                    offset += self[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            offset += 1
            guard depth <= 0 else { continue }
            let quote = afterSpace(offset)
            guard self[quote] == UInt8(ascii: "\""), quote < byteCount, mayFollowValue(at: quote + 1) else { break }
            return quote + 1
        }
        failedSearches += 1
        return nil
    }

    private func beginsEmbeddedText(at offset: Int) -> Bool {
        var offset = afterSpace(offset)
        while self[offset] == UInt8(ascii: "[") { offset = afterSpace(offset + 1) }
        guard self[offset] == UInt8(ascii: "{") else { return false }
        offset = afterSpace(offset + 1)
        guard self[offset] == UInt8(ascii: "\"") else { return false }
        // Not every string that begins with a brace: in `["{", ":", "}",]` another string seems to begin after the brace.
        guard wordLength(at: offset + 1) > 0 else { return false }
        repeat { offset += 1 } while offset < byteCount && self[offset] >= 0x20 && self[offset] != UInt8(ascii: "\"")
        return self[offset] == UInt8(ascii: "\"") && self[afterSpace(offset + 1)] == UInt8(ascii: ":")
    }

    /// Moves past a string with such contents, and escapes its quotes, backslashes and control characters.
    mutating func passEmbeddedText(_ range: Range<Int>) {
        // SOUND: the content lies between two quotes of the text.
        let content = range.lowerBound + 1..<range.upperBound - 1
        var edits: [TextEdit] = []
        for offset in content {
            switch self[offset] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): edits.append(.insertion("\\", at: offset))
            case let byte where byte < 0x20:
                edits.append(.replacement(offset..<offset + 1, with: Self.escape(ofControl: byte)))
            default: break
            }
        }
        // If the contents are JSON, they were certainly meant so. Anything else may have been cut in the wrong place.
        let isSafe = unsafe JSONScanner.accepts(UnsafeRawBufferPointer(rebasing: text[content]))
        if !isSafe { hasGuessed = true }
        report(
            .unescapedQuotes, range, "JSON inside a string must have its quotes escaped: \(excerpt(content))",
            isSafe: isSafe, edits)
        passToken(range.count)
    }

    func mayFollowValue(at offset: Int) -> Bool {
        let next = afterSpace(offset)
        return next >= byteCount || self[next] == UInt8(ascii: ",") || Self.isCloser(self[next])
    }

    // MARK: - The contents of a string: escapes, control characters, and quotes

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

    /// A number with at least four hexadecimal digits.
    static func fourDigits(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: - Member names, literals and numbers without quotes

    /// Words of other languages, JSON's word for them, and true if that means the same: YES and NO are Objective-C's Boolean values, but may
    /// have been meant as texts, and JSON cannot express the last ones.
    static let literals: [(words: [String], meaning: String, isSafe: Bool)] = [
        (["True", "TRUE"], "true", true), (["False", "FALSE"], "false", true),
        (["None", "nil", "Nil", "Null", "NULL"], "null", true), (["YES"], "true", false), (["NO"], "false", false),
        (["undefined", "NaN", "nan", "Infinity", "+Infinity", "-Infinity", "inf", "-inf"], "null", false),
    ]

    private static let longestLiteral = literals.flatMap(\.words).map(\.utf8.count).max() ?? 0

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
        let written = unsafe String(decoding: text[word].prefix(Self.longestLiteral + 1), as: UTF8.self)
        let isStrict = isPlainInteger(word) || ["true", "false", "null"].contains(written)
        if unsafe isStrict || JSONScanner.accepts(UnsafeRawBufferPointer(rebasing: text[word])) {
            return passToken(word.count)
        }
        if let (_, meaning, isSafe) = Self.literals.first(where: { $0.words.contains(written) }) {
            let advice = isSafe ? "; \(meaning) was probably meant" : ", so the record is malformed"
            report(
                .literal, word, "JSON has no \(excerpt(word))\(advice)", isSafe: isSafe,
                [.replacement(word, with: meaning)])
            return passToken(word.count)
        }
        if levels.isEmpty { return giveUp(.other, "\(excerpt(word)) is not a JSON value") }
        let isNumber = unsafe !isLetter(self[word.lowerBound]) && text[word].contains(where: \.isDigit)
        giveUp(
            isNumber ? .numberForm : .other,
            "\(excerpt(word)) is not a \(isNumber ? "number in JSON" : "JSON value"); as a text it needs quotes",
            at: word)
    }

    private func isPlainInteger(_ word: Range<Int>) -> Bool {
        // SOUND: the range of a word lies within the text.
        unsafe text[word].allSatisfy(\.isDigit) && (word.count == 1 || self[word.lowerBound] != UInt8(ascii: "0"))
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }

    func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || byte.isDigit }

    // MARK: - Members, elements, their brackets, and what is between them

    /// Moves past one member or element of the innermost level, or past one byte that separates or closes them.
    mutating func passItem() {
        skipSpace()
        guard !hasGivenUp, let level = levels.last else { return }
        guard index < byteCount else { return reportEnd(in: level) }
        let byte = self[index]
        if Self.isSeparator(byte) {
            guard separator == nil, level.items > 0 else {
                return giveUp(.other, "a comma with no \(level.item) before it")
            }
            separator = index
            index += 1
        } else if Self.isCloser(byte) {
            close(level)
        } else if beginsItem(of: level) {
            beginItem(of: level)
            guard level.isObject else { return passValue() }
            if quote(at: index) != nil { passString(isName: true) } else { passBareName() }
            passMemberValue()
        } else {
            reportUnexpected(level.isObject ? "member name" : "value")
        }
    }

    /// True if a member or an element of any kind could begin at `index`.
    private func beginsItem(of level: Level) -> Bool {
        let isBracket = self[index] == UInt8(ascii: "{") || self[index] == UInt8(ascii: "[")
        return quote(at: index) != nil || wordLength(at: index) > 0 || isBracket && !level.isObject
    }

    private mutating func reportUnexpected(_ expected: String) {
        giveUp(.other, "a \(expected) was expected here, \(excerpt(characterRange(at: index))) cannot begin one")
    }

    /// Moves past a value, or its opening bracket. `index` is at its first byte.
    mutating func passValue() {
        switch self[index] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // The scanner's message is better than what a repair could say.
            guard levels.count < JSONScanner.maximumDepth else {
                hasGivenUp = true
                return
            }
            levels.append(Level(isObject: self[index] == UInt8(ascii: "{"), start: index))
            passToken(1)
        case _ where quote(at: index) != nil: passString(isName: false)
        case _ where wordLength(at: index) > 0: passWord()
        default: reportUnexpected("value")
        }
    }

    // MARK: - Separators and brackets

    /// Checks what is between the last item and the one that begins at `index`.
    private mutating func beginItem(of level: Level) {
        if let comma = separator {
            if self[comma] == UInt8(ascii: ";") {
                report(
                    .missingComma, comma..<comma + 1, "';' in place of ','", isSafe: true,
                    [.replacement(comma..<comma + 1, with: ",")])
            }
        } else if level.items > 0 {
            // A word right after a value more likely belongs to it.
            let isApart = index > tokenEnd || wordLength(at: index) == 0
            if !isApart { hasGuessed = true }
            report(
                .missingComma, characterRange(at: index), "a comma is missing before this \(level.item)",
                isSafe: isApart, [.insertion(",", at: tokenEnd)])
        }
        separator = nil
        levels[levels.count - 1].items += 1
    }

    /// Moves past the closing bracket at `index`, and drops a comma before it.
    private mutating func close(_ level: Level) {
        guard self[index] == level.closer.utf8.first else {
            return giveUp(
                .unclosed,
                "\(excerpt(index..<index + 1)) in place of '\(level.closer)', which closes \(place(of: level))")
        }
        if let comma = separator {
            let range = comma..<comma + 1
            separator = nil
            if isRelaxed, self[comma] == UInt8(ascii: ",") {
                relax(.trailingComma, [.deletion(range)])
            } else {
                report(
                    .trailingComma, range, "\(excerpt(range)) before '\(level.closer)', after the last \(level.item)",
                    isSafe: true, [.deletion(range)])
            }
        }
        levels.removeLast()
        passToken(1)
    }

    private mutating func reportEnd(in level: Level) {
        let others = levels.count == 1 ? "" : " and \(levels.count - 1) more"
        giveUp(.unclosed, "the text ends before \(place(of: level))\(others) is closed")
    }

    private func place(of level: Level) -> String { "'\(level.opener)' of line \(line(of: level.start))" }

    /// Moves past what follows the value: a comma at the very end, or any other text.
    mutating func passRest() {
        skipSpace()
        guard !hasGivenUp, index < byteCount else { return }
        let range = index..<index + 1
        if self[index] == UInt8(ascii: ","), afterSpace(index + 1) >= byteCount {
            report(.trailingComma, range, "',' after the value, at the end", isSafe: true, [.deletion(range)])
        } else if Self.isCloser(self[index]) {
            giveUp(.extraClose, "\(excerpt(range)) closes nothing")
        } else {
            let end = (index + 1...byteCount).last { !Self.isSpace(self[$0 - 1]) } ?? byteCount
            giveUp(.extraClose, "more text after the value: \(excerpt(index..<end))", at: index..<end)
        }
    }

    /// Moves past what follows a member name: colon and value.
    private mutating func passMemberValue() {
        guard !hasGivenUp else { return }
        skipSpace()
        guard !hasGivenUp, let level = levels.last else { return }
        guard index < byteCount else { return reportEnd(in: level) }
        guard self[index] == UInt8(ascii: ":") else {
            return giveUp(
                .missingColon, "':' was expected after the member name, not \(excerpt(characterRange(at: index)))")
        }
        passToken(1)
        skipSpace()
        guard !hasGivenUp else { return }
        if index < byteCount { passValue() } else { reportEnd(in: level) }
    }
}

/// Strings and member names in quotes of any style: where they end, and their contents.
extension RepairPass {
    /// Quotation marks that open and close each other.
    enum QuoteStyle {
        /// `"`
        case double
        /// `'`
        case single
        /// `“`, `”`, `„`, `‟`
        case typographicDouble
        /// `‘`, `’`, `‚`, `‛`
        case typographicSingle

        var isTypographic: Bool { self == .typographicDouble || self == .typographicSingle }

        /// The style whose marks may close a string of this style if none of its own does.
        var relative: QuoteStyle? {
            switch self {
            case .double: nil
            case .single: .typographicSingle
            case .typographicDouble: .double
            case .typographicSingle: .single
            }
        }
    }

    /// The delimiter of strings, and its escape, each allocated once for all edits.
    static let mark = [UInt8(ascii: "\"")]
    static let backslash = [UInt8(ascii: "\\")]

    /// The quotation mark at `offset`, and its length in bytes.
    func quote(at offset: Int) -> (style: QuoteStyle, length: Int)? {
        switch self[offset] {
        case UInt8(ascii: "\""): return (.double, 1)
        case UInt8(ascii: "'"): return (.single, 1)
        // U+2018 to U+201F are E2 80 98 to E2 80 9F.
        case 0xE2 where self[offset + 1] == 0x80:
            switch self[offset + 2] {
            case 0x98...0x9B: return (.typographicSingle, 3)
            case 0x9C...0x9F: return (.typographicDouble, 3)
            default: return nil
            }
        default: return nil
        }
    }

    /// Moves past the string at `index`, and reports everything that is wrong with it.
    mutating func passString(isName: Bool) {
        let start = index
        guard let (style, length) = quote(at: start) else { return }
        if style == .double, !isName, let end = embeddedTextEnd(from: start) {
            passEmbeddedText(start..<end)
            return
        }
        let closing =
            style == .double
            ? closingQuote(from: start + length, isName: isName) : closingMark(style, from: start + length)
        let what = isName ? "the member name" : "the string"
        guard let closing else {
            let content = start + length..<lineEnd(from: start + length)
            if isRelaxed, style == .single {
                relax(.singleQuotes, [TextEdit(range: start..<start + 1, replacement: Self.mark)])
            }
            return giveUp(.unclosed, "\(what) \(excerpt(content)) is not closed", at: start..<content.upperBound)
        }
        if style == .double, !isName, isLetterOrDigit(self[closing.upperBound]) {
            return giveUp(
                .unescapedQuotes,
                "a double quote inside a string needs a backslash, or a comma is missing after this one",
                at: closing)
        }
        var content = StringContent(range: start + length..<closing.lowerBound, style: style)
        readContent(&content)
        reportQuotes(of: &content, start..<closing.upperBound, what)
        reportControlCharacters(content)
        index = start
        passToken(closing.upperBound - start)
    }

    private mutating func reportQuotes(
        of content: inout StringContent, _ range: Range<Int>, _ what: String
    ) {
        guard content.style != .double else { return }
        // Taken out, because a copy of them may be long.
        var edits: [TextEdit] = []
        swap(&edits, &content.quoteEdits)
        edits.insert(TextEdit(range: range.lowerBound..<content.range.lowerBound, replacement: Self.mark), at: 0)
        let closing = content.range.upperBound..<range.upperBound
        edits.append(TextEdit(range: closing, replacement: Self.mark))
        if content.doubt != nil { hasGuessed = true }
        if isRelaxed, content.style == .single { return relaxQuotes(edits, upTo: content.doubt, closing: closing) }
        let marks = content.style.isTypographic ? "typographic" : "single"
        report(
            content.style.isTypographic ? .smartQuotes : .singleQuotes, range,
            "\(what) \(excerpt(content.range)) in \(marks) quotes; JSON allows only double quotes",
            isSafe: content.doubt == nil, edits)
    }

    /// Makes the edits of a string in single quotes. If another mark may have closed it, the string ends there, and the next mistake
    /// begins. If only a mark of another style does, it is not closed.
    private mutating func relaxQuotes(_ edits: [TextEdit], upTo doubt: Int?, closing: Range<Int>) {
        guard doubt != nil || closing.count > 1 else { return relax(.singleQuotes, edits) }
        hasGivenUp = true
        let known = edits.filter { $0.range.upperBound <= doubt ?? closing.lowerBound }
        relax(.singleQuotes, known + (doubt.map { [TextEdit(range: $0..<$0 + 1, replacement: Self.mark)] } ?? []))
    }

    private mutating func reportControlCharacters(_ content: StringContent) {
        guard let first = content.controlEdits.first else { return }
        let count = content.controlEdits.count
        let subject = count == 1 ? "an unescaped control character" : "\(count) unescaped control characters"
        report(
            .controlCharacter, first.range, "\(subject) in the string", isSafe: true,
            content.controlEdits)
    }

    // MARK: - Ends

    /// The closing quote of a string in double quotes whose contents begin at `from`; nil if nothing closes it. O(bytes read).
    ///
    /// A string over several lines ends at the next quote, if what comes after it may follow a value. Otherwise that quote opens
    /// another string.
    private func closingQuote(from: Int, isName: Bool) -> Range<Int>? {
        var hasLineEnd = false
        var offset = from
        while offset < byteCount, self[offset] != UInt8(ascii: "\"") {
            if Self.isLineEnd(self[offset]) { hasLineEnd = true }
            offset += self[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard offset < byteCount, !hasLineEnd || !isName && mayFollowValue(at: offset + 1) else { return nil }
        return offset..<offset + 1
    }

    /// The closing mark of a string in any other quotes; nil if the line has none. A mark of the style closes it if what comes next
    /// may follow a string. If there is none, the first mark on the line that is not followed by a letter, as an apostrophe is, closes it.
    private func closingMark(_ style: QuoteStyle, from: Int) -> Range<Int>? {
        for closing in [style, style.relative ?? style] {
            var offset = from
            var second: Range<Int>?
            while offset < byteCount, !Self.isLineEnd(self[offset]) {
                if self[offset] == UInt8(ascii: "\\"), !Self.isLineEnd(self[offset + 1]) {
                    offset += 1
                } else if let mark = quote(at: offset), mark.style == closing {
                    let range = offset..<offset + mark.length
                    if mayFollowString(at: range.upperBound) { return range }
                    if second == nil, wordLength(at: range.upperBound) == 0 { second = range }
                }
                offset += characterLength(at: offset)
            }
            if let second { return second }
        }
        return nil
    }

    private func lineEnd(from offset: Int) -> Int {
        var end = offset
        while end < byteCount, !Self.isLineEnd(self[end]) { end += 1 }
        return end
    }

    private func mayFollowString(at offset: Int) -> Bool {
        let next = afterBlanks(offset)
        let byte = self[next]
        return next >= byteCount || Self.isLineEnd(byte) || Self.isSeparator(byte) || Self.isCloser(byte)
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") || (next > offset && quote(at: next) != nil)
    }
}
