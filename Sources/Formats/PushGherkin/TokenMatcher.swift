/// A line that was read as one kind of token.
struct Token {
    let kind: TokenKind
    let location: Location
    var keyword = ""
    var text = ""
    /// Tags or cells.
    var items: [String] = []
}

/// Matches a line with a kind of token. It keeps the language and the open doc string.
struct TokenMatcher {
    private var dialect = Dialect.english
    private var docString: (delimiter: [UInt8], indent: Int)?

    /// - Parameter line: nil is the end of the file.
    /// - Returns: nil when the line is not of that kind, or malformed, which is a problem; another kind may still match it.
    mutating func match(_ kind: TokenKind, _ line: SourceLine, _ problems: inout GherkinProblems) -> Token? {
        switch kind {
        case .end: nil
        case .empty: line.trimmed.isEmpty ? Token(kind: kind, location: line.location) : nil
        case .comment: line.trimmed.first == UInt8(ascii: "#") ? Token(kind: kind, location: line.location) : nil
        case .tagLine: tagLine(line, &problems)
        case .featureLine, .ruleLine, .backgroundLine, .scenarioLine, .examplesLine, .stepLine: keyword(kind, line)
        case .docStringSeparator: docStringSeparator(line)
        case .tableRow: tableRow(line)
        case .language: language(line, &problems)
        case .other: other(line)
        }
    }

    /// True if a line is a title of that kind. For look-ahead.
    func isTitle(_ kind: TokenKind, _ line: SourceLine) -> Bool { keyword(kind, line) != nil }

    private func keyword(_ kind: TokenKind, _ line: SourceLine) -> Token? {
        guard let keyword = dialect.keywords[kind]?.first(where: { line.starts(with: $0.bytes) }) else { return nil }
        return Token(
            kind: kind, location: line.location, keyword: keyword.text, text: line.rest(after: keyword.bytes.count))
    }

    private func tagLine(_ line: SourceLine, _ problems: inout GherkinProblems) -> Token? {
        guard line.trimmed.first == UInt8(ascii: "@"), let tags = line.tags(&problems) else { return nil }
        return Token(kind: .tagLine, location: line.location, items: tags)
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
            return Token(kind: .docStringSeparator, location: line.location)
        }
        return nil
    }

    /// A line of a description, or of a doc string; the latter without the indentation of its delimiter.
    private func other(_ line: SourceLine) -> Token {
        guard let docString else { return Token(kind: .other, location: line.location) }
        let bytes = docString.indent > line.indent ? line.trimmed : line.bytes.droppingCodePoints(docString.indent)
        let escaped = docString.delimiter.flatMap { [UInt8(ascii: "\\"), $0] }
        let text = SourceLine.withoutReturns(bytes).replacing(escaped, with: docString.delimiter).text
        return Token(kind: .other, location: line.location, text: text)
    }

    /// `# language: fr`
    private mutating func language(_ line: SourceLine, _ problems: inout GherkinProblems) -> Token? {
        guard let code = Self.languageCode(line) else { return nil }
        guard let dialect = Dialect.named(code) else {
            problems.add("Language not supported: \(code)", at: line.location)
            return nil
        }
        self.dialect = dialect
        return Token(kind: .language, location: line.location)
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
