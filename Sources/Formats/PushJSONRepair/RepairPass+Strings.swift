import PayloadJSON

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

    /// Where a string's contents end, and where the string ends. They are equal if no mark closes it.
    struct StringEnd {
        var content: Int
        var after: Int

        var isClosed: Bool { after > content }
    }

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
        let end =
            style == .double
            ? doubleQuotedEnd(from: start + length, isName: isName) : otherQuotedEnd(style, from: start + length)

        var content = StringContent(range: start + length..<end.content, style: style)
        readContent(&content)
        let what = isName ? "the member name" : "the string"
        reportQuotes(of: &content, start..<end.after, what, isClosed: end.isClosed)
        if !end.isClosed {
            reportGuess(
                .unclosed, start..<end.content, "\(what) \(excerpt(content.range)) is not closed",
                [.insertion("\"", at: end.content)])
        }
        reportControlCharacters(content)
        index = start
        passToken(end.after - start)
    }

    private mutating func reportQuotes(
        of content: inout StringContent, _ range: Range<Int>, _ what: String, isClosed: Bool
    ) {
        // Taken out, because a copy of them may be long.
        var edits: [TextEdit] = []
        swap(&edits, &content.quoteEdits)
        guard content.style != .double else {
            guard !edits.isEmpty else { return }
            reportGuess(
                .unescapedQuotes, range, "double quotes inside \(what) \(excerpt(content.range)) are not escaped", edits
            )
            return
        }
        edits.insert(TextEdit(range: range.lowerBound..<content.range.lowerBound, replacement: Self.mark), at: 0)
        let closing = content.range.upperBound..<range.upperBound
        if isClosed { edits.append(TextEdit(range: closing, replacement: Self.mark)) }
        if content.doubt != nil { hasGuessed = true }
        if isRelaxed, content.style == .single { return relaxQuotes(edits, upTo: content.doubt, closing: closing) }
        let marks = content.style.isTypographic ? "typographic" : "single"
        report(
            content.style.isTypographic ? .smartQuotes : .singleQuotes, range,
            "\(what) \(excerpt(content.range)) in \(marks) quotes; JSON allows only double quotes",
            isSafe: isClosed && content.doubt == nil, edits)
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
        let subject =
            count == 1 ? "an unescaped control character" : "\(count) unescaped control characters"
        report(
            .controlCharacter, first.range, "\(subject) in the string", isSafe: true,
            content.controlEdits)
    }

    // MARK: - Ends

    /// The end of a string in double quotes whose contents begin at `from`. O(bytes read).
    private mutating func doubleQuotedEnd(from: Int, isName: Bool) -> StringEnd {
        var offset = from
        while offset < byteCount {
            switch self[offset] {
            case UInt8(ascii: "\""):
                if isName {
                    return unclosedName(from: from, before: offset) ?? StringEnd(content: offset, after: offset + 1)
                }
                let end = isLetterOrDigit(self[offset + 1]) ? endBeyondInnerQuotes(from: offset) : nil
                return StringEnd(content: end ?? offset, after: (end ?? offset) + 1)
            case UInt8(ascii: "\\"):
                // The end of a line is checked separately: the backslash may end a path in an unclosed string.
                offset += Self.isLineEnd(self[offset + 1]) ? 1 : 2
            case 0x0A, 0x0D:
                if !isName, let end = endBeyondLine(from: offset) { return StringEnd(content: end, after: end + 1) }
                return unclosedEnd(from: from, lineEnd: offset, isName: isName)
            default: offset += 1
            }
        }
        return unclosedEnd(from: from, lineEnd: byteCount, isName: isName)
    }

    /// The end of a string in any other quotes. A mark of the style closes it if what comes next may follow a string. If there is
    /// none, the first mark on the line that is not followed by a letter, as an apostrophe is, closes it.
    private func otherQuotedEnd(_ style: QuoteStyle, from: Int) -> StringEnd {
        for closing in [style, style.relative ?? style] {
            var offset = from
            var second: StringEnd?
            while offset < byteCount, !Self.isLineEnd(self[offset]) {
                if self[offset] == UInt8(ascii: "\\"), !Self.isLineEnd(self[offset + 1]) {
                    offset += 1
                } else if let mark = quote(at: offset), mark.style == closing {
                    let end = StringEnd(content: offset, after: offset + mark.length)
                    if mayFollowString(at: end.after) { return end }
                    if second == nil, wordLength(at: end.after) == 0 { second = end }
                }
                offset += characterLength(at: offset)
            }
            if let second { return second }
        }
        var lineEnd = from
        while lineEnd < byteCount, !Self.isLineEnd(self[lineEnd]) { lineEnd += 1 }
        return unclosedEnd(from: from, lineEnd: lineEnd, isName: false)
    }

    private func mayFollowString(at offset: Int) -> Bool {
        let next = afterBlanks(offset)
        let byte = self[next]
        return next >= byteCount || Self.isLineEnd(byte) || Self.isSeparator(byte) || Self.isCloser(byte)
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") || (next > offset && quote(at: next) != nil)
    }

    /// The end of a string that nothing closes on its line: before the brackets that close the open levels, else before a comma,
    /// else at the end of the line.
    private func unclosedEnd(from: Int, lineEnd: Int, isName: Bool) -> StringEnd {
        // SOUND: both ends were found by steps through the text.
        if isName, let end = unclosedName(from: from, before: lineEnd) { return end }
        var end = lineEnd
        while end > from, case let byte = self[end - 1],
            Self.isSpace(byte) || byte == UInt8(ascii: ",") || Self.isCloser(byte)
        {
            end -= 1
        }
        let closers = unsafe text[end..<lineEnd].filter(Self.isCloser)
        let open = levels.reversed().map(\.closerByte)
        if !closers.isEmpty, !open.starts(with: closers) {
            end = lineEnd
            while end > from, Self.isSpace(self[end - 1]) { end -= 1 }
            if end > from, self[end - 1] == UInt8(ascii: ",") { end -= 1 }
        }
        return StringEnd(content: end, after: end)
    }

    /// The end of a member name without a closing quote: a word right before a colon, if the quote at `before` is not followed by a
    /// colon itself.
    private func unclosedName(from: Int, before end: Int) -> StringEnd? {
        let next = self[afterSpace(end + 1)]
        guard next != UInt8(ascii: ":"), next != UInt8(ascii: "=") else { return nil }
        let word = word(at: from)
        let colon = afterBlanks(word.upperBound)
        guard !word.isEmpty, colon < end, self[colon] == UInt8(ascii: ":") else { return nil }
        return StringEnd(content: word.upperBound, after: word.upperBound)
    }

    /// The closing quote of a string over several lines: the next quote, if what comes after it may follow a value. Otherwise that
    /// quote opens another string. O(bytes to that quote).
    private func endBeyondLine(from: Int) -> Int? {
        var offset = from
        while offset < byteCount, self[offset] != UInt8(ascii: "\"") {
            offset += self[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard offset < byteCount else { return nil }
        let next = afterSpace(offset + 1)
        return next >= byteCount || self[next] == UInt8(ascii: ",") || Self.isCloser(self[next]) ? offset : nil
    }
}
