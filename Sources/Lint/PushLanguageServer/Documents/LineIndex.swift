/// How a client counts characters in a line.
package enum PositionEncoding: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
}

/// A place in a document, as the protocol counts: both from 0, characters in units of the encoding.
package struct DocumentPosition: Equatable, Sendable {
    package var line: Int
    package var character: Int

    package init(line: Int, character: Int) {
        self.line = line
        self.character = character
    }
}

/// The lines of a text. A line ends in `\n`, `\r\n` or `\r`, as the protocol defines.
struct LineIndex {
    /// The offset of each line's first byte.
    private(set) var starts: [Int] = [0]

    /// O(bytes).
    init(_ text: [UInt8]) { starts += Self.starts(in: text, 0..<text.count) }

    /// Adjusts to a replacement of bytes. O(lines + bytes of the changed lines).
    ///
    /// - Parameters:
    ///   - range: the bytes that were replaced.
    ///   - count: the number of bytes that replace them.
    ///   - text: after the replacement.
    mutating func replace(_ range: Range<Int>, count: Int, in text: [UInt8]) {
        // From the line before, because `\r` and `\n` may have become one end, or two.
        let first = max(line(of: range.lowerBound) - 1, 0)
        let last = line(of: range.upperBound)
        let change = count - range.count
        let end = last + 1 < starts.count ? starts[last + 1] + change : text.count
        let changed = Self.starts(in: text, starts[first]..<end)
        starts = starts[...first] + changed + starts.dropFirst(last + 2).map { $0 + change }
    }

    /// The offsets after the ends of lines in a range.
    private static func starts(in text: [UInt8], _ range: Range<Int>) -> [Int] {
        var starts: [Int] = []
        for index in range {
            let byte = text[index]
            if byte == 0x0A || byte == 0x0D && (index + 1 == text.count || text[index + 1] != 0x0A) {
                starts.append(index + 1)
            }
        }
        return starts
    }

    /// The line that an offset is in. O(log lines).
    private func line(of offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The offset of a position. A line after the last one is the end of the text, a character after the end of its line is that end, and the
    /// second half of a character is its beginning. O(line).
    func offset(of position: DocumentPosition, in text: [UInt8], _ encoding: PositionEncoding) -> Int {
        guard starts.indices.contains(position.line) else { return position.line < 0 ? 0 : text.count }
        var offset = starts[position.line]
        var end = starts.indices.contains(position.line + 1) ? starts[position.line + 1] : text.count
        while end > offset, text[end - 1] == 0x0A || text[end - 1] == 0x0D { end -= 1 }
        var units = 0
        while offset < end {
            let (bytes, width) = Self.character(at: offset, in: text, encoding)
            if units + width > position.character { break }
            units += width
            offset = min(offset + bytes, end)
        }
        return offset
    }

    /// The position of a byte. O(line + log lines).
    func position(of offset: Int, in text: [UInt8], _ encoding: PositionEncoding) -> DocumentPosition {
        let offset = min(max(offset, 0), text.count)
        let line = line(of: offset)
        var index = starts[line]
        var units = 0
        while index < offset {
            let (bytes, width) = Self.character(at: index, in: text, encoding)
            if index + bytes > offset { break }
            index += bytes
            units += width
        }
        return DocumentPosition(line: line, character: units)
    }

    /// Bytes and units of the character at an offset. The text is UTF-8, because it comes from a string.
    private static func character(
        at offset: Int, in text: [UInt8], _ encoding: PositionEncoding
    ) -> (bytes: Int, units: Int) {
        let bytes =
            switch text[offset] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0...: 2
            default: 1
            }
        return (bytes, encoding == .utf8 ? bytes : bytes == 4 ? 2 : 1)
    }
}
