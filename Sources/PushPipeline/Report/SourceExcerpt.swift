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
        var cells: [Cell] = []
        var index = start
        var joinsNext = false
        while index < min(text.count, end), text[index] != 0x0A {
            if text[index] == 0x0D, index + 1 == text.count || text[index + 1] == 0x0A { break }
            if cells.count == most { return (cells, false) }
            let length = length(at: index, in: text)
            let scalar = text[index..<index + length].withUnsafeBytes { UTF8Sequence.decode($0) } ?? "\u{FFFD}"
            let (shown, width) = look(of: scalar)
            cells.append(Cell(offset: index, text: shown, width: joinsNext ? 0 : width))
            joinsNext = scalar == "\u{200D}"
            index += length
        }
        return (cells, true)
    }

    private static func length(at index: Int, in text: [UInt8]) -> Int {
        text.withUnsafeBytes { UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: $0[index...])) ?? 1 }
    }

    /// What stands for a scalar on a terminal, and how many columns that takes.
    private static func look(of scalar: Unicode.Scalar) -> (text: String, width: Int) {
        switch scalar.value {
        // As far as the next tab stop, which is 8 columns at most.
        case 0x09: return ("\t", 8)
        case 0..<0x20: return (String(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"), 1)
        case 0x20..<0x7F: return (String(scalar), 1)
        case 0x7F: return ("\u{2421}", 1)
        default: break
        }
        if TextStyle.isDisturbing(scalar) { return ("\u{FFFD}", 1) }
        return (String(scalar), width(of: scalar))
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        // The skin of the emoji before it.
        case 0x1F3FB...0x1F3FF: return 0
        // Half a flag.
        case 0x1F1E6...0x1F1FF: return 1
        // East Asian scripts, and their punctuation and full-width forms.
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
