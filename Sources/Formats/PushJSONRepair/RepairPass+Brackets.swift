import PayloadJSON

/// Closing brackets, right and wrong ones, and what follows the outermost one.
extension RepairPass {
    /// Moves past the closing bracket at `index`. There is an open level.
    ///
    /// A bracket of the wrong kind is one of three mistakes, and the rest of the text shows which is likely. If as many closing
    /// brackets follow as there are levels, this one closes nothing. If one fewer follows, it closes the innermost level and is
    /// of the wrong kind. If still fewer follow, closing brackets are missing before it.
    mutating func close() {
        guard let level = levels.last else { return }
        let closer = self[index]
        if closer == level.closerByte {
            if levels.count == 1, self[afterSpace(index + 1)] == UInt8(ascii: ","), closersLeft(after: index) > 0 {
                return dropCloser("more members follow, so this '\(level.closer)' closes too early")
            }
            return closeLevel()
        }
        let left = closersLeft(after: index)
        if left >= levels.count { return dropCloser("\(excerpt(index..<index + 1)) closes nothing") }
        if left < levels.count - 1, let matching = levels.lastIndex(where: { $0.closerByte == closer }) {
            return closeLevels(downTo: matching)
        }
        let range = index..<index + 1
        dropTrailingSeparators(before: excerpt(range))
        reportGuess(
            .unclosed, range,
            "\(excerpt(range)) in place of '\(level.closer)', which closes '\(level.opener)' of line \(line(of: level.start))",
            [.replacement(range, with: level.closer)])
        closeLevel()
    }

    private mutating func closeLevel() {
        guard let level = levels.last else { return }
        dropTrailingSeparators(before: "'\(level.closer)'")
        levels.removeLast()
        passToken(1)
    }

    /// Closes the levels inside `matching`, whose brackets are missing, and then `matching` with the bracket at `index`.
    private mutating func closeLevels(downTo matching: Int) {
        let open = levels[(matching + 1)...]
        guard let innermost = open.last else { return }
        dropTrailingSeparators(before: excerpt(index..<index + 1))
        reportGuess(
            .unclosed, index..<index + 1,
            "'\(innermost.opener)' of line \(line(of: innermost.start)) is still open before \(excerpt(index..<index + 1))",
            [.insertion(open.reversed().map(\.closer).joined(), at: tokenEnd)])
        levels.removeLast(open.count)
        closeLevel()
    }

    private mutating func dropCloser(_ message: String) {
        reportGuess(.extraClose, index..<index + 1, message, [.deletion(index..<index + 1)])
        index += 1
    }

    mutating func closeAtEnd() {
        guard let innermost = levels.last else { return }
        dropTrailingSeparators(before: "the end of the text", isAtEnd: true)
        let place = "'\(innermost.opener)' of line \(line(of: innermost.start))"
        let others = levels.count == 1 ? "" : " and \(levels.count - 1) more"
        report(
            .unclosed, byteCount..<byteCount, "the text ends before \(place)\(others) is closed", isSafe: false,
            [.insertion(levels.reversed().map(\.closer).joined(), at: tokenEnd)])
        levels = []
    }

    /// Number of closing brackets minus opening ones after the one at `offset`, outside double quotes. O(bytes).
    ///
    /// An approximation: strings end with their line, so that an unclosed one hides only the brackets of that line.
    private func closersLeft(after offset: Int) -> Int {
        var balance = 0
        var isInString = false
        var offset = offset + 1
        while offset < byteCount {
            switch self[offset] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\") where isInString: offset += 1
            case 0x0A: isInString = false
            case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: balance -= 1
            case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: balance += 1
            default: break
            }
            offset += 1
        }
        return balance
    }

    /// Moves past what follows the value: surplus brackets, a comma or semicolon at the very end, or any other text.
    mutating func passRest() {
        while true {
            skipSpace()
            guard !hasGivenUp, index < byteCount else { return }
            let range = index..<index + 1
            if Self.isCloser(self[index]) {
                dropCloser("\(excerpt(range)) closes nothing")
            } else if Self.isSeparator(self[index]), afterSpace(index + 1) >= byteCount {
                let isComma = self[index] == UInt8(ascii: ",")
                report(
                    isComma ? .trailingComma : .other, range, "\(excerpt(range)) after the value, at the end",
                    isSafe: true, [.deletion(range)])
                index += 1
            } else {
                return dropRest()
            }
        }
    }

    private mutating func dropRest() {
        var end = byteCount
        while end > index + 1, Self.isSpace(self[end - 1]) { end -= 1 }
        reportGuess(
            .other, index..<end, "more text after the value: \(excerpt(index..<end))",
            [.deletion(index..<end)])
        index = byteCount
    }
}
