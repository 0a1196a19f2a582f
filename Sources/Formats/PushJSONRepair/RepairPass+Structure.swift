import PayloadJSON

/// Members, elements, their brackets, and what is between them.
extension RepairPass {
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
        guard self[index] == level.closerByte else {
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
            var end = byteCount
            while end > index + 1, Self.isSpace(self[end - 1]) { end -= 1 }
            giveUp(.extraClose, "more text after the value: \(excerpt(index..<end))", at: index..<end)
        }
    }

    // MARK: - Members

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
