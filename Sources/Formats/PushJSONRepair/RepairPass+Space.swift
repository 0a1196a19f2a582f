import PayloadJSON

/// Space between tokens, as JSON allows it and as people write it.
extension RepairPass {
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
        while index < byteCount, !Self.isLineEnd(self[index]) { index += 1 }
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
        switch scalar(at: offset).value {
        case 0..<0x20, 0x7F...0xA0, 0xAD, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000,
            0xFEFF:
            return true
        default: return false
        }
    }

    private func scalar(at offset: Int) -> Unicode.Scalar {
        // SOUND: the offset was checked.
        guard offset < byteCount else { return " " }
        return unsafe UTF8Sequence.decode(UnsafeRawBufferPointer(rebasing: text[offset...])) ?? " "
    }
}
