/// A line of a feature file, without its newline. A carriage return before the newline counts as white space.
struct SourceLine {
    let number: Int
    let bytes: ArraySlice<UInt8>
    /// From the first byte that is not white space.
    let trimmed: ArraySlice<UInt8>

    init(number: Int, bytes: ArraySlice<UInt8>) {
        self.number = number
        self.bytes = bytes
        trimmed = WhiteSpace.trimmingStart(bytes)
    }

    /// Number of code points of white space at the beginning.
    var indent: Int { bytes[..<trimmed.startIndex].codePoints }

    var location: Location { Location(line: number, column: indent + 1) }

    /// Drops carriage returns at the end, for comments, descriptions and doc strings.
    static func withoutReturns(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = bytes.endIndex
        while end > bytes.startIndex, bytes[end - 1] == 0x0D { end -= 1 }
        return bytes[..<end]
    }

    @inline(__always)
    func starts(with prefix: [UInt8]) -> Bool { trimmed.starts(with: prefix) }

    /// The trimmed line after its first bytes, without surrounding white space.
    func rest(after count: Int) -> String { WhiteSpace.trimming(trimmed.dropFirst(count)).text }
}

/// The lines of a file. Each is found on first use and can be read again, because of look-ahead.
struct SourceLines {
    private let bytes: [UInt8]
    /// Where the known lines begin, followed by where the next one begins.
    private var starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    }

    /// - Parameter index: from 0; at most one more than the greatest index so far.
    /// - Returns: nil after the last line.
    mutating func line(at index: Int) -> SourceLine? {
        guard index < starts.count else { return nil }
        let start = starts[index]
        if index + 1 < starts.count {
            return SourceLine(number: index + 1, bytes: withoutNewline(bytes[start..<starts[index + 1]]))
        }
        guard start < bytes.count else { return nil }
        let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        starts.append(end)
        return SourceLine(number: index + 1, bytes: withoutNewline(bytes[start..<end]))
    }

    private func withoutNewline(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == 0x0A ? line.dropLast() : line
    }
}

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
