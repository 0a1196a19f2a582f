/// A line that was read as one kind of token.
struct Token {
    let kind: TokenKind
    let location: Location
    var keyword = ""
    var keywordType = KeywordType.unknown
    var text = ""
    var items: [LineItem] = []
}

/// Matches a line with a kind of token. It keeps the language and the open doc string.
struct TokenMatcher {
    private(set) var dialect: Dialect
    private var docString: (delimiter: [UInt8], indent: Int)?

    init(_ dialect: Dialect) { self.dialect = dialect }

    /// - Parameter line: nil is the end of the file.
    /// - Returns: nil when the line is not of that kind.
    /// - Throws: an error when the line is of that kind but malformed; another kind may still match it.
    mutating func match(_ kind: TokenKind, _ line: SourceLine) throws(GherkinError) -> Token? {
        switch kind {
        case .end: nil
        case .empty: line.trimmed.isEmpty ? Token(kind: kind, location: line.location) : nil
        case .comment: comment(line)
        case .tagLine: try tagLine(line)
        case .featureLine: title(kind, line, dialect.feature)
        case .ruleLine: title(kind, line, dialect.rule)
        case .backgroundLine: title(kind, line, dialect.background)
        case .scenarioLine: title(kind, line, dialect.scenario)
        case .examplesLine: title(kind, line, dialect.examples)
        case .stepLine: step(line)
        case .docStringSeparator: docStringSeparator(line)
        case .tableRow: tableRow(line)
        case .language: try language(line)
        case .other: other(line)
        }
    }

    /// True if a line is a title of that kind. For look-ahead.
    func isTitle(_ kind: TokenKind, _ line: SourceLine) -> Bool {
        let keywords = kind == .scenarioLine ? dialect.scenario : dialect.examples
        return keywords.contains { line.starts(with: $0.bytes) }
    }

    private func title(_ kind: TokenKind, _ line: SourceLine, _ keywords: [Dialect.Keyword]) -> Token? {
        guard let keyword = keywords.first(where: { line.starts(with: $0.bytes) }) else { return nil }
        return Token(
            kind: kind, location: line.location, keyword: keyword.text, text: line.rest(after: keyword.bytes.count))
    }

    private func step(_ line: SourceLine) -> Token? {
        guard let keyword = dialect.steps.first(where: { line.starts(with: $0.bytes) }) else { return nil }
        return Token(
            kind: .stepLine, location: line.location, keyword: keyword.text, keywordType: keyword.type,
            text: line.rest(after: keyword.bytes.count))
    }

    private func comment(_ line: SourceLine) -> Token? {
        guard line.trimmed.first == UInt8(ascii: "#") else { return nil }
        let location = Location(line: line.number, column: 1)
        return Token(kind: .comment, location: location, text: SourceLine.withoutReturns(line.bytes).text)
    }

    private func tagLine(_ line: SourceLine) throws(GherkinError) -> Token? {
        guard line.trimmed.first == UInt8(ascii: "@") else { return nil }
        return Token(kind: .tagLine, location: line.location, items: try line.tags())
    }

    private func tableRow(_ line: SourceLine) -> Token? {
        guard line.trimmed.first == UInt8(ascii: "|") else { return nil }
        return Token(kind: .tableRow, location: line.location, items: line.cells)
    }

    private mutating func docStringSeparator(_ line: SourceLine) -> Token? {
        if let open = docString {
            guard line.starts(with: open.delimiter) else { return nil }
            docString = nil
            return Token(kind: .docStringSeparator, location: line.location)
        }
        for delimiter in ["\"\"\"", "```"] where line.starts(with: Array(delimiter.utf8)) {
            docString = (Array(delimiter.utf8), line.indent)
            return Token(
                kind: .docStringSeparator, location: line.location, keyword: delimiter,
                text: line.rest(after: delimiter.utf8.count))
        }
        return nil
    }

    /// A line of a description, or of a doc string; the latter without the indentation of its delimiter.
    private func other(_ line: SourceLine) -> Token {
        let location = Location(line: line.number, column: 1)
        guard let docString else {
            return Token(kind: .other, location: location, text: SourceLine.withoutReturns(line.bytes).text)
        }
        let bytes = docString.indent > line.indent ? line.trimmed : line.bytes.droppingCodePoints(docString.indent)
        let escaped = docString.delimiter.flatMap { [UInt8(ascii: "\\"), $0] }
        let text = SourceLine.withoutReturns(bytes).replacing(escaped, with: docString.delimiter).text
        return Token(kind: .other, location: location, text: text)
    }

    /// `# language: fr`
    private mutating func language(_ line: SourceLine) throws(GherkinError) -> Token? {
        guard let code = Self.languageCode(line) else { return nil }
        guard let dialect = Dialect.named(code) else {
            throw GherkinError(line.location, "Language not supported: \(code)")
        }
        self.dialect = dialect
        return Token(kind: .language, location: line.location, text: code)
    }

    private static func languageCode(_ line: SourceLine) -> String? {
        var rest = line.trimmed
        for word in ["#", "language", ":"] {
            rest = WhiteSpace.trimmingStart(rest)
            guard rest.starts(with: word.utf8) else { return nil }
            rest = rest.dropFirst(word.utf8.count)
        }
        let code = WhiteSpace.trimming(rest).text
        let isCode = code.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
        return isCode && !code.isEmpty ? code : nil
    }
}

extension ArraySlice<UInt8> {
    /// Replaces each occurrence, from the left, without overlaps.
    func replacing(_ searched: [UInt8], with replacement: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = searched.first, contains(first) else { return self }
        var result: [UInt8] = []
        var index = startIndex
        while index < endIndex {
            if self[index] == first, self[index...].starts(with: searched) {
                result += replacement
                index += searched.count
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result[...]
    }
}
