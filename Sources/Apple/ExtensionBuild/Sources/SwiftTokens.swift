/// The words and punctuation of a Swift source, without comments, string literals and numbers: enough to find declarations.
struct SwiftTokens {
    enum Token: Equatable {
        /// A keyword or a name, without backticks.
        case word(String)
        case mark(UInt8)
    }

    /// The keywords of declarations that can be imported alone, as in `import struct Foundation.Data`.
    static let importable: Set<String> = [
        "class", "struct", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]

    /// How deep string literals in interpolations are read. Deeper ones count as plain text, because the file decides how deep they go.
    private static let maximumDepth = 32

    private(set) var tokens: [Token] = []
    private(set) var places: [Range<Int>] = []
    private let bytes: [UInt8]
    private var position = 0

    init(_ source: [UInt8]) {
        bytes = source
        // A byte order mark does not belong to the first word.
        if source.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        while position < bytes.count { readOne() }
    }

    /// True if there is such a mark at an index, which may be any number.
    func isMark(_ index: Int, _ mark: Unicode.Scalar) -> Bool {
        tokens.indices.contains(index) && tokens[index] == .mark(UInt8(ascii: mark))
    }

    /// The word at an index, which may be any number; nil for a mark.
    func word(_ index: Int) -> String? {
        guard tokens.indices.contains(index), case .word(let word) = tokens[index] else { return nil }
        return word
    }

    /// The name that begins at an index, with its points: `A.B.C`; empty for a mark.
    func dottedName(_ index: Int) -> String {
        var name = word(index) ?? ""
        var next = index + 1
        while isMark(next, "."), let member = word(next + 1) {
            name += "." + member
            next += 2
        }
        return name
    }

    /// True if there is a condition with another branch than its first.
    var hasBranches: Bool {
        tokens.indices.contains { isMark($0, "#") && ["else", "elseif"].contains(word($0 + 1)) }
    }

    /// The tokens outside of conditions, and those of first branches, or of all the others. The innermost condition decides.
    func branches(areFirst: Bool) -> SwiftTokens {
        var result = self
        (result.tokens, result.places) = ([], [])
        var conditions: [Bool] = []
        for index in tokens.indices {
            switch isMark(index, "#") ? word(index + 1) : nil {
            case "if": conditions.append(true)
            case "else", "elseif":
                _ = conditions.popLast()
                conditions.append(false)
            case "endif": _ = conditions.popLast()
            default: break
            }
            guard (conditions.last ?? areFirst) == areFirst else { continue }
            result.tokens.append(tokens[index])
            result.places.append(places[index])
        }
        return result
    }

    private mutating func add(_ token: Token, from start: Int) {
        tokens.append(token)
        places.append(start..<position)
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func readOne() {
        let first = bytes[position]
        switch first {
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLine()
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
        case UInt8(ascii: "/") where beginsPattern: skipPattern(hashes: 0)
        case UInt8(ascii: "\""): skipText(hashes: 0, depth: 0)
        case UInt8(ascii: "#"): readHashes(depth: 0)
        case UInt8(ascii: "`"): readQuotedName()
        case _ where Self.beginsWord(first):
            let start = position
            while let next = byte(), Self.beginsWord(next) || Self.isDigit(next) { position += 1 }
            add(.word(String(decoding: bytes[start..<position], as: UTF8.self)), from: start)
        case _ where Self.isDigit(first):
            skipNumber()
        case UInt8(ascii: ".") where byte(1) == UInt8(ascii: "."):
            // An operator: what comes after `0...` is no member.
            while byte() == UInt8(ascii: ".") { position += 1 }
        default:
            position += 1
            if first > UInt8(ascii: " ") { add(.mark(first), from: position - 1) }
        }
    }

    private static func beginsWord(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
            || byte >= 0x80
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// `15`, `1_000`, `0xFF`, `15.0`: a point belongs to the number if a digit follows.
    private mutating func skipNumber() {
        while let next = byte() {
            let isPoint = next == UInt8(ascii: ".") && byte(1).map(Self.isDigit) ?? false
            guard isPoint || Self.beginsWord(next) || Self.isDigit(next) else { return }
            position += 1
        }
    }

    /// True if a slash begins a regular expression, as in `= /[{"]/`: where a value has to come, with its end on the same line.
    private var beginsPattern: Bool {
        guard let next = byte(1), next > UInt8(ascii: " ") else { return false }
        switch tokens.last {
        case .mark(let mark)?: guard "=([{,:;!&|?".utf8.contains(mark) else { return false }
        case .word(let word)?: guard ["return", "in", "case", "try", "await"].contains(word) else { return false }
        case nil: return false
        }
        var place = position + 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
            if bytes[place] == UInt8(ascii: "/") { return true }
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return false
    }

    private mutating func readQuotedName() {
        position += 1
        let start = position
        while let next = byte(), next != UInt8(ascii: "`"), next != UInt8(ascii: "\n") { position += 1 }
        add(.word(String(decoding: bytes[start..<position], as: UTF8.self)), from: start)
        position += 1
    }

    private mutating func skipLine() {
        while let next = byte(), next != UInt8(ascii: "\n") { position += 1 }
    }

    /// These comments can be nested.
    private mutating func skipComment() {
        var open = 0
        while let next = byte() {
            if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                open += 1
                position += 2
            } else if next == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                open -= 1
                position += 2
                if open == 0 { return }
            } else {
                position += 1
            }
        }
    }

    // MARK: - Texts

    /// `#"…"#` and `#/…/#`, or a directive.
    private mutating func readHashes(depth: Int) {
        var hashes = 0
        while byte() == UInt8(ascii: "#") {
            hashes += 1
            position += 1
        }
        switch byte() {
        case UInt8(ascii: "\""): skipText(hashes: hashes, depth: depth)
        case UInt8(ascii: "/"): skipPattern(hashes: hashes)
        default: if depth == 0 { add(.mark(UInt8(ascii: "#")), from: position - hashes) }
        }
    }

    private func hasHashes(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    private mutating func skipPattern(hashes: Int) {
        position += 1
        while let next = byte() {
            if next == UInt8(ascii: "\n"), hashes == 0 { return }
            if next == UInt8(ascii: "/"), hasHashes(hashes, at: 1) {
                position += 1 + hashes
                return
            }
            position += next == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    /// Skips a string literal. An unterminated one on a single line ends with the line, so that a typo affects only that line.
    private mutating func skipText(hashes: Int, depth: Int) {
        let quote = UInt8(ascii: "\"")
        let isLong = byte(1) == quote && byte(2) == quote
        let quotes = isLong ? 3 : 1
        position += quotes
        while let next = byte() {
            if next == quote, (0..<quotes).allSatisfy({ byte($0) == quote }), hasHashes(hashes, at: quotes) {
                position += quotes + hashes
                return
            }
            if next == UInt8(ascii: "\n"), !isLong { return }
            guard next == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) else {
                position += 1
                continue
            }
            position += 1 + hashes
            if byte() == UInt8(ascii: "("), depth < Self.maximumDepth {
                skipInterpolation(depth: depth + 1)
            } else {
                position += 1
            }
        }
    }

    /// Skips the code of an interpolation, from its first bracket to its last.
    private mutating func skipInterpolation(depth: Int) {
        var open = 0
        while let next = byte() {
            switch next {
            case UInt8(ascii: "\""): skipText(hashes: 0, depth: depth)
            case UInt8(ascii: "#"): readHashes(depth: depth)
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
            default:
                position += 1
                if next == UInt8(ascii: "(") { open += 1 }
                if next == UInt8(ascii: ")") { open -= 1 }
                if open == 0 { return }
            }
        }
    }
}
