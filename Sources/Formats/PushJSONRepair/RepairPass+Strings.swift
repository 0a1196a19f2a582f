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
        let subject =
            count == 1 ? "an unescaped control character" : "\(count) unescaped control characters"
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
