import PayloadJSON

/// The line of a place, or the part of a long line around it, with marks below.
///
/// Each character is shown so that the marks stand under it: a tab is repeated above and below, a wide character takes two
/// columns, a combining one none, and what would disturb a terminal is replaced by a picture of it in one column.
package struct SourceExcerpt {
    private static let indent = "  "

    /// The line, without its end.
    package private(set) var source = indent
    /// What stands below the line, in front of the marks.
    package private(set) var blanks = indent
    /// `^~~~`, as wide as the part of the range on this line that is shown.
    package private(set) var marks = ""

    /// - Parameter width: most columns that the line takes.
    package init(of range: Range<Int>, in text: [UInt8], width: Int) {
        let room = max(width - Self.indent.count - 2, 20)  // without an ellipsis at each end
        let start = min(range.lowerBound, text.count)
        var (before, isWholeBefore) = Self.cells(before: start, in: text, most: room)
        var (behind, isWholeBehind) = Self.cells(from: start, in: text, most: room)

        // What stands before the place gets a third, and what the rest of the line leaves.
        let roomBefore = max(room / 3, room - Self.width(behind))
        if Self.width(before) > roomBefore { isWholeBefore = false }
        while Self.width(before) > roomBefore { before.removeFirst() }
        let roomBehind = room - Self.width(before)
        if Self.width(behind) > roomBehind { isWholeBehind = false }
        while Self.width(behind) > roomBehind, behind.count > 1 { behind.removeLast() }

        source += isWholeBefore ? "" : "…"
        blanks += isWholeBefore ? "" : " "
        for cell in before {
            source += cell.text
            blanks += cell.text == "\t" ? "\t" : String(repeating: " ", count: cell.width)
        }
        var marked = 0
        for cell in behind {
            source += cell.text
            if cell.offset < range.upperBound { marked += cell.text == "\t" ? 1 : cell.width }
        }
        source += isWholeBehind ? "" : "…"
        marks = "^" + String(repeating: "~", count: max(marked - 1, 0))
    }

    // MARK: - Characters

    /// A Unicode scalar as it is shown.
    private struct Cell {
        var offset: Int
        var text: String
        /// In columns.
        var width: Int
    }

    private static func width(_ cells: [Cell]) -> Int { cells.reduce(0) { $0 + $1.width } }

    /// The last characters of the line before an offset, and whether those are all.
    private static func cells(before end: Int, in text: [UInt8], most: Int) -> (cells: [Cell], isWhole: Bool) {
        let lineStart = text.starts(with: [0xEF, 0xBB, 0xBF]) ? min(3, end) : 0
        var start = end
        var count = 0
        while count < most, start > lineStart, text[start - 1] != 0x0A {
            start -= 1
            // Back to the first byte of a sequence, which has three more at most.
            let limit = max(start - 3, lineStart)
            var lead = start
            while lead > limit, UTF8Sequence.isContinuation(text[lead]) { lead -= 1 }
            if length(at: lead, in: text) == start - lead + 1 { start = lead }
            count += 1
        }
        let isWhole = start == lineStart || text[start - 1] == 0x0A
        return (cells(from: start, in: text, most: count, upTo: end).cells, isWhole)
    }

    /// The first characters of what is left of the line at an offset, and whether those are all.
    private static func cells(
        from start: Int, in text: [UInt8], most: Int, upTo end: Int = .max
    ) -> (cells: [Cell], isWhole: Bool) {
        var offsets: [Int] = []
        var scalars = String.UnicodeScalarView()
        var index = start
        var isWhole = true
        while index < min(text.count, end), text[index] != 0x0A {
            if text[index] == 0x0D, index + 1 == text.count || text[index + 1] == 0x0A { break }
            if offsets.count == most {
                isWhole = false
                break
            }
            let length = length(at: index, in: text)
            offsets.append(index)
            scalars.append(text[index..<index + length].withUnsafeBytes { UTF8Sequence.decode($0) } ?? "\u{FFFD}")
            index += length
        }
        var cells: [Cell] = []
        TerminalText.forEachScalar(of: String(scalars)) { scalar, isShown, width in
            // Scalars come in the order in which they were appended.
            let (shown, columns) = isShown ? (String(scalar), width) : picture(of: scalar)
            cells.append(Cell(offset: offsets[cells.count], text: shown, width: columns))
        }
        return (cells, isWhole)
    }

    private static func length(at index: Int, in text: [UInt8]) -> Int {
        text.withUnsafeBytes { UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: $0[index...])) ?? 1 }
    }

    /// What stands for a scalar that would disturb a terminal, and how many columns that takes.
    private static func picture(of scalar: Unicode.Scalar) -> (text: String, width: Int) {
        switch scalar.value {
        // As far as the next tab stop, which is 8 columns at most.
        case 0x09: ("\t", 8)
        case 0..<0x20: (String(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"), 1)
        case 0x7F: ("\u{2421}", 1)
        default: ("\u{FFFD}", 1)
        }
    }
}
