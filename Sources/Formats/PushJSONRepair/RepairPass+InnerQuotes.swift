import PayloadJSON

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
}
