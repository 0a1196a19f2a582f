/// A tag, or a cell of a table, and where it begins.
struct LineItem {
    let column: Int
    let text: String
}

extension SourceLine {
    /// Cells of a table's row: what is between two pipes. In it, `\|` is a pipe, `\\` a backslash, `\n` a newline; before anything
    /// else a backslash stays one. What comes behind the last pipe is no cell.
    var cells: [LineItem] {
        let row = WhiteSpace.trimmingEnd(trimmed)
        var cells: [LineItem] = []
        var cell: [UInt8] = []
        // Of the code point at hand, counted from the row's first, and of the cell's first.
        var column = 0
        var start = 0
        var isInCell = false
        var index = row.startIndex
        while index < row.endIndex {
            let byte = row[index]
            index += 1
            if byte & 0xC0 != 0x80 { column += 1 }
            if byte == UInt8(ascii: "|") {
                if isInCell { cells.append(item(cell, start)) }
                isInCell = true
                cell.removeAll(keepingCapacity: true)
                start = column + 1
            } else if byte == UInt8(ascii: "\\"), index < row.endIndex {
                let escaped = row[index]
                switch escaped {
                case UInt8(ascii: "n"): cell.append(0x0A)
                case UInt8(ascii: "|"), UInt8(ascii: "\\"): cell.append(escaped)
                default:
                    // The code point behind it is none that means anything; it is read as any other.
                    cell.append(byte)
                    continue
                }
                index += 1
                column += 1
            } else {
                cell.append(byte)
            }
        }
        return cells
    }

    private func item(_ cell: [UInt8], _ start: Int) -> LineItem {
        let shortened = WhiteSpace.trimmingStart(cell[...], stopsAtNewline: true)
        let blanks = cell[..<shortened.startIndex].codePoints
        return LineItem(
            column: start + indent + blanks, text: WhiteSpace.trimmingEnd(shortened, stopsAtNewline: true).text)
    }

    /// Tags of a line that begins with `@`. A `#` behind white space begins a comment.
    func tags() throws(GherkinError) -> [LineItem] {
        var line = WhiteSpace.trimmingEnd(trimmed)
        if let comment = startOfComment(in: line) { line = WhiteSpace.trimmingEnd(line[..<comment]) }
        var tags: [LineItem] = []
        var column = indent + 1
        for item in line.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).dropFirst() {
            let name = WhiteSpace.trimming(item)
            if name.indices.contains(where: { WhiteSpace.length(in: name, at: $0) > 0 }) {
                throw GherkinError(Location(line: number, column: column), "A tag may not contain whitespace")
            }
            tags.append(LineItem(column: column, text: "@" + name.text))
            column += item.codePoints + 1
        }
        return tags
    }

    /// Of the white space before the first `#` that has some before it.
    private func startOfComment(in line: ArraySlice<UInt8>) -> Int? {
        var index = line.startIndex
        while index < line.endIndex {
            let length = WhiteSpace.length(in: line, at: index)
            if length > 0, index + length < line.endIndex, line[index + length] == UInt8(ascii: "#") { return index }
            index += max(length, 1)
        }
        return nil
    }
}
