/// A line of cells and parts. A part that does not fit in the terminal any more goes on below, indented.
package struct FlowingLine {
    private static let gapOfParts = 2

    private let columns: Int?
    private let indent: Int
    private var column = 0
    /// Spaces before what comes next.
    private var gap = 0
    /// The line with its styles, and the lines below it, without a line break at the end.
    package private(set) var text = ""

    /// - Parameters:
    ///   - indent: columns before what goes on below.
    ///   - start: columns before the first part.
    package init(_ style: TextStyle, indent: Int, startingAt start: Int = 0) {
        columns = style.columns
        self.indent = indent
        gap = start
    }

    /// Columns left for another part; nil where the line may have any length.
    package var room: Int? { columns.map { max($0 - column - gap, 0) } }

    /// Columns for a part that goes on below; nil where the line may have any length.
    package var roomBelow: Int? { columns.map { max($0 - indent, 0) } }

    /// Appends a clean text that stays on the line, and pads it to so many columns if something follows, but with at least one space.
    package mutating func appendCell(_ cell: String, to width: Int, _ paint: (String) -> String = { $0 }) {
        let own = TerminalText.width(cell)
        // Spaces are written only before what follows, so that no line ends in them.
        if own > 0 { write(cell, own, paint) }
        gap = (own > 0 ? 0 : gap) + max(width - own, 1)
    }

    /// Appends a clean text, here or below.
    ///
    /// - Parameter spaces: before it, if they are others than after a cell or between two parts.
    package mutating func append(_ part: String, gap spaces: Int? = nil, _ paint: (String) -> String = { $0 }) {
        let width = TerminalText.width(part)
        gap = spaces ?? gap
        if let columns, column > indent, column + gap + width > columns { goOnBelow() }
        write(part, width, paint)
        gap = Self.gapOfParts
    }

    /// Appends a clean text that may go on below between two words.
    package mutating func appendWords(_ words: String, _ paint: (String) -> String = { $0 }) {
        guard let columns, let room else { return append(words, gap: nil, paint) }
        for (index, line) in TerminalText.wrapped(words, to: columns - indent, first: room).enumerated() {
            if index > 0 { goOnBelow() }
            append(line, gap: nil, paint)
        }
    }

    private mutating func goOnBelow() {
        text += "\n" + String(repeating: " ", count: indent)
        column = indent
        gap = 0
    }

    private mutating func write(_ part: String, _ width: Int, _ paint: (String) -> String) {
        text += String(repeating: " ", count: gap) + paint(part)
        column += gap + width
    }
}
