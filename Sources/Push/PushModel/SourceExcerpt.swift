import PushJSON
import PushText

/// A source line, or the part of a long line around a place, with marks below it.
///
/// The marks are aligned with the text above: a tab is repeated in both lines, a wide character takes two columns, a
/// combining one none, and anything that would disturb a terminal is replaced by a picture of one column.
package struct SourceExcerpt {
    private static let indent = "  "

    /// The most bytes before and after a place that an excerpt depends on.
    package static func mostBytes(width: Int) -> Int { 4 * (room(in: width) + 2) }

    private static func room(in width: Int) -> Int {
        max(width - indent.count - 2, 20)  // minus an ellipsis at each end
    }

    /// The line, without its line break.
    package private(set) var source = indent
    /// The text below the line, before the marks.
    package private(set) var blanks = indent
    /// `^~~~`, as wide as the part of the range that is visible.
    package private(set) var marks = ""

    /// - Parameter width: The most columns that the line may take.
    package init(of range: Range<Int>, in text: [UInt8], width: Int) {
        let room = Self.room(in: width)
        let start = min(range.lowerBound, text.count)
        var (before, isWholeBefore) = Self.cells(before: start, in: text, most: room)
        var (after, isWholeAfter) = Self.cells(from: start, in: text, most: room)

        // The text before the place gets a third of the room, plus what the rest of the line does not need.
        var (columnsBefore, columnsAfter) = (Self.width(before), Self.width(after))
        let roomBefore = max(room / 3, room - columnsAfter)
        if columnsBefore > roomBefore { isWholeBefore = false }
        var hidden = 0
        while columnsBefore > roomBefore {
            columnsBefore -= before[hidden].width
            hidden += 1
        }
        before.removeFirst(hidden)
        let roomAfter = room - columnsBefore
        if columnsAfter > roomAfter { isWholeAfter = false }
        while columnsAfter > roomAfter, after.count > 1 { columnsAfter -= after.removeLast().width }

        source += isWholeBefore ? "" : "…"
        blanks += isWholeBefore ? "" : " "
        for cell in before {
            source += cell.text
            blanks += cell.text == "\t" ? "\t" : String(repeating: " ", count: cell.width)
        }
        var marked = 0
        for cell in after {
            source += cell.text
            if cell.offset < range.upperBound { marked += cell.text == "\t" ? 1 : cell.width }
        }
        source += isWholeAfter ? "" : "…"
        source = TerminalText.inert(source) { _ in "\u{FFFD}" }
        marks = "^" + String(repeating: "~", count: max(marked - 1, 0))
    }

    // MARK: - Characters

    /// A Unicode scalar as displayed.
    private struct Cell {
        var offset: Int
        var text: String
        /// The width in columns.
        var width: Int
    }

    private static func width(_ cells: [Cell]) -> Int { cells.reduce(0) { $0 + $1.width } }

    /// The last characters of the line before an offset, and true if those are all.
    private static func cells(before end: Int, in text: [UInt8], most: Int) -> (cells: [Cell], isWhole: Bool) {
        let lineStart = text.starts(with: [0xEF, 0xBB, 0xBF]) ? min(3, end) : 0
        var start = end
        var count = 0
        while count < most, start > lineStart, text[start - 1] != 0x0A {
            start -= 1
            // Back to the first byte of a sequence, which is at most three bytes before.
            let limit = max(start - 3, lineStart)
            var lead = start
            while lead > limit, UTF8Sequence.isContinuation(text[lead]) { lead -= 1 }
            if length(at: lead, in: text) == start - lead + 1 { start = lead }
            count += 1
        }
        let isWhole = start == lineStart || text[start - 1] == 0x0A
        return (cells(from: start, in: text, most: count, upTo: end).cells, isWhole)
    }

    /// The first characters of the line from an offset on, and true if those are all.
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
            // SOUND: `length` bytes follow `index`, and live until the closure returns.
            unsafe scalars.append(
                text[index..<index + length].withUnsafeBytes { unsafe UTF8Sequence.decode($0) } ?? "\u{FFFD}")
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
        // SOUND: `index` is within the text, whose bytes live until the closure returns.
        unsafe text.withUnsafeBytes { unsafe UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: $0[index...])) ?? 1 }
    }

    /// The replacement for a scalar that would disturb a terminal, and its width in columns.
    private static func picture(of scalar: Unicode.Scalar) -> (text: String, width: Int) {
        switch scalar.value {
        // Up to the next tab stop, at most 8 columns.
        case 0x09: ("\t", 8)
        case 0..<0x20: (String(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"), 1)
        case 0x7F: ("\u{2421}", 1)
        default: ("\u{FFFD}", 1)
        }
    }
}
