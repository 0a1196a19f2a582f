/// A tag or a table cell, and where it begins.
struct LineItem {
    let column: Int
    let text: String
}

extension SourceLine {
    /// The cells of a table row: the texts between pipes. In a cell, `\|` is a pipe, `\\` a backslash and `\n` a
    /// newline; any other backslash is kept. Text after the last pipe is not a cell.
    var cells: [LineItem] {
        let row = WhiteSpace.trimmingEnd(trimmed)
        var cells: [LineItem] = []
        var cell: [UInt8] = []
        // Columns of the current code point and of the first one in the cell, relative to the row.
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
                    // Not an escape: keep the backslash and read the next code point as usual.
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

    /// The tags of a line that begins with `@`. A `#` after white space begins a comment.
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

    /// Index of the white space before the comment, if there is a comment.
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
