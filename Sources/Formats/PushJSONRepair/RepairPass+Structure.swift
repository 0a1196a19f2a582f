import PayloadJSON

/// Members, elements, and what is between them.
extension RepairPass {
    /// Moves past one member or element of the innermost level, or past one byte that separates or closes them.
    mutating func passItem() {
        skipSpace()
        guard !hasGivenUp, let level = levels.last else { return }
        guard index < byteCount else { return closeAtEnd() }
        let byte = self[index]
        if Self.isSeparator(byte) {
            separators.append(index)
            index += 1
        } else if Self.isCloser(byte) {
            close()
        } else if level.isObject {
            guard quote(at: index) != nil || wordLength(at: index) > 0 else {
                return giveUp("a member name was expected here, \(excerpt(characterRange(at: index))) cannot begin one")
            }
            beginItem(of: level)
            let nameStart = index
            if quote(at: index) != nil { passString(isName: true) } else { passBareName() }
            passMemberValue(nameStart: nameStart)
        } else {
            guard beginsValue(at: index) else {
                return giveUp("a value was expected here, \(excerpt(characterRange(at: index))) cannot begin one")
            }
            beginItem(of: level)
            passValue()
        }
    }

    /// True if a value of any kind could begin at `offset`.
    private func beginsValue(at offset: Int) -> Bool {
        self[offset] == UInt8(ascii: "{") || self[offset] == UInt8(ascii: "[") || quote(at: offset) != nil
            || wordLength(at: offset) > 0
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
        default: giveUp("a value was expected here, \(excerpt(characterRange(at: index))) cannot begin one")
        }
    }

    // MARK: - Separators

    /// Checks what is between the last item and the one that begins at `index`.
    private mutating func beginItem(of level: Level) {
        defer {
            separators = []
            levels[levels.count - 1].items += 1
        }
        var surplus = separators[...]
        if level.items > 0 {
            if let first = surplus.popFirst() {
                if self[first] == UInt8(ascii: ";") {
                    report(
                        .missingComma, first..<first + 1, "';' in place of ','", isSafe: true,
                        [.replacement(first..<first + 1, with: ",")])
                }
            } else {
                // A word right after a value more likely belongs to it, as after an unescaped quote.
                let isApart = index > tokenEnd || wordLength(at: index) == 0
                if !isApart { hasGuessed = true }
                report(
                    .missingComma, characterRange(at: index), "a comma is missing before this \(level.item)",
                    isSafe: isApart, [.insertion(",", at: tokenEnd)])
            }
        }
        guard let first = surplus.first, let last = surplus.last else { return }
        report(
            .other, first..<last + 1, "a comma with no \(level.item) before it", isSafe: false,
            surplus.map { .deletion($0..<$0 + 1) })
    }

    /// Checks separators with nothing after them in their level. If the text was cut off, something may have followed,
    /// and in JavaScript `[1,,]` has two elements. Neither is safe to change.
    mutating func dropTrailingSeparators(before what: String, isAtEnd: Bool = false) {
        guard let first = separators.first, let last = separators.last, let level = levels.last else { return }
        let isPlain = separators.count == 1 && level.items > 0
        let edits = separators.map { TextEdit.deletion($0..<$0 + 1) }
        separators = []
        if isRelaxed, isPlain, !isAtEnd, self[first] == UInt8(ascii: ",") { return relax(.trailingComma, edits) }
        report(
            .trailingComma, first..<last + 1,
            "\(excerpt(first..<last + 1)) before \(what), after the last \(level.item)",
            isSafe: !isAtEnd && (isPlain || level.isObject), edits)
    }

    // MARK: - Members

    /// Moves past what follows a member name: colon and value.
    private mutating func passMemberValue(nameStart: Int) {
        guard !hasGivenUp, passColon(after: nameStart..<tokenEnd) else { return }
        let colon = tokenEnd - 1
        skipSpace()
        guard !hasGivenUp else { return }
        if index >= byteCount || Self.isSeparator(self[index]) || Self.isCloser(self[index]) {
            return report(
                .other, colon..<colon + 1, "no value after the member name; null is inserted", isSafe: false,
                [.insertion("null", at: tokenEnd)])
        }
        passValue()
    }

    /// Moves past the colon, or what is in its place.
    ///
    /// - Returns: true if a value is expected next.
    private mutating func passColon(after name: Range<Int>) -> Bool {
        skipSpace()
        guard !hasGivenUp else { return false }
        switch self[index] {
        case UInt8(ascii: ":"):
            passToken(1)
            return true
        case UInt8(ascii: "="):
            let length = self[index + 1] == UInt8(ascii: ">") ? 2 : 1
            let range = index..<index + length
            report(
                .missingColon, range, "\(excerpt(range)) in place of ':'", isSafe: true,
                [.replacement(range, with: ":")])
            passToken(length)
            return true
        case _ where index >= byteCount || Self.isSeparator(self[index]) || Self.isCloser(self[index]):
            reportGuess(
                .other, name, "the member name has no value; null is put there",
                [.insertion(":null", at: name.upperBound)])
            return false
        case _ where beginsValue(at: index) && (wordLength(at: index) == 0 || isKnownWord(at: index)):
            report(
                .missingColon, characterRange(at: index), "a colon is missing between the member name and this value",
                isSafe: true, [.insertion(":", at: name.upperBound)])
            return true
        default:
            giveUp("':' was expected after the member name, not \(excerpt(characterRange(at: index)))")
            return false
        }
    }

    /// Inserts the opening brace before members at the top of the text, as when somebody copied a part of an object.
    mutating func passMembersWithoutBraces(from start: Int) {
        guard self[afterSpace(index)] == UInt8(ascii: ":") else { return }
        report(
            .other, start..<tokenEnd, "a member outside an object; '{' is probably missing before it",
            isSafe: false, [.insertion("{", at: start)])
        levels = [Level(isObject: true, start: start, items: 1)]
        passMemberValue(nameStart: start)
    }
}
