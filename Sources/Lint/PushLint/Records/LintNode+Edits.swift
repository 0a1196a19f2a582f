import PayloadJSON
import PushModel

extension LintNode {
    // MARK: - Quotes

    /// The edit that quotes a number. Not for other values: no string is obviously meant.
    var quotedNumber: [TextEdit] { kind == .number ? quoted : [] }

    /// The edit that quotes a number, true or false.
    var quotedScalar: [TextEdit] { kind == .number || kind == .true || kind == .false ? quoted : [] }

    private var quoted: [TextEdit] { [TextEdit(range, "\"\(source)\"")] }

    /// The edit that makes a string of the JSON text of a value.
    var quotedText: TextEdit { TextEdit(range, source.jsonQuoted) }

    /// The edit that removes the quotes around a number that every reader preserves: fifteen digits fit a double.
    var bareNumber: [TextEdit] {
        guard let text = swiftString, text.isPlainNumber, text.utf8.count(where: { $0 &- 48 < 10 }) <= 15 else {
            return []
        }
        return [TextEdit(range, text)]
    }

    // MARK: - Members

    /// The edit that adds a member to an object, set like the one before it.
    ///
    /// - Parameter value: its value as JSON.
    func adding(_ name: String, _ value: String) -> TextEdit {
        var last: LintMember?
        forEachMember { last = $0 }
        guard let last else {
            let end = range.upperBound - 1
            return TextEdit(end..<end, "\"\(name)\":\(value)")
        }
        // What is around the last member is space, as far as it goes.
        let before = text.space(before: last.keyRange.lowerBound)
        let between = text.space(before: last.value.range.lowerBound)
        let end = last.value.range.upperBound
        return TextEdit(end..<end, ",\(before)\"\(name)\":\(between)\(value)")
    }
}

extension LintMember {
    /// The edit that renames a member of `object`; none if another member has that name, or will get it.
    func renamed(to name: String, in object: LintNode) -> [TextEdit] {
        let folded = NearMiss.folded(name)
        var first: Int?
        var isTaken = false
        let wanted = Array(name.utf8)
        object.forEachMember { other in
            if other.key.equals(wanted) { isTaken = true }
            if first == nil, NearMiss.folded(other.name) == folded { first = other.keyRange.lowerBound }
        }
        let isSpelling = NearMiss.folded(self.name) == folded
        guard !isTaken, first == (isSpelling ? keyRange.lowerBound : nil) else { return [] }
        return [TextEdit(keyRange, "\"\(name)\"")]
    }
}

extension String {
    /// True if the text is a JSON number without exponent.
    var isPlainNumber: Bool {
        var digits = self[...]
        if digits.first == "-" { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 48 < 10 } })
        else { return false }
        return parts[0].utf8.count == 1 || parts[0].utf8.first != UInt8(ascii: "0")
    }
}
