/// A line of a feature file, without its newline. A carriage return before the newline counts as white space.
struct SourceLine {
    let number: Int
    let bytes: ArraySlice<UInt8>
    /// The line from its first byte that is not white space.
    let trimmed: ArraySlice<UInt8>

    init(number: Int, bytes: ArraySlice<UInt8>) {
        self.number = number
        self.bytes = bytes
        trimmed = WhiteSpace.trimmingStart(bytes)
    }

    /// Number of code points of white space at the beginning.
    var indent: Int { bytes[..<trimmed.startIndex].codePoints }

    var location: Location { Location(line: number, column: indent + 1) }

    /// Drops carriage returns at the end, for doc strings.
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
    /// The starts of the known lines, followed by that of the next one.
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

extension SourceLine {
    /// The cells of a table row: the texts between pipes. In a cell, `\|` is a pipe, `\\` a backslash and `\n` a
    /// newline; any other backslash is kept. Text after the last pipe is not a cell.
    var cells: [String] {
        let row = WhiteSpace.trimmingEnd(trimmed)
        var cells: [String] = []
        var cell: [UInt8] = []
        var isInCell = false
        var index = row.startIndex
        while index < row.endIndex {
            let byte = row[index]
            index += 1
            if byte == UInt8(ascii: "|") {
                if isInCell { cells.append(WhiteSpace.trimming(cell[...], stopsAtNewline: true).text) }
                isInCell = true
                cell.removeAll(keepingCapacity: true)
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
            } else {
                cell.append(byte)
            }
        }
        return cells
    }

    /// The tags of a line that begins with `@`. A `#` after white space begins a comment. Nil if one is malformed.
    func tags(_ problems: inout GherkinProblems) -> [String]? {
        var line = WhiteSpace.trimmingEnd(trimmed)
        if let comment = startOfComment(in: line) { line = WhiteSpace.trimmingEnd(line[..<comment]) }
        var tags: [String] = []
        var column = indent + 1
        for item in line.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).dropFirst() {
            let name = WhiteSpace.trimming(item)
            if name.indices.contains(where: { WhiteSpace.length(in: name, at: $0) > 0 }) {
                problems.add("A tag may not contain whitespace", at: Location(line: number, column: column))
                return nil
            }
            tags.append("@" + name.text)
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

/// White space as the official parsers trim it: Unicode white space and the four ASCII separators, which the official
/// parsers in Java and Python treat as white space although Unicode does not.
enum WhiteSpace {
    /// Number of bytes of the white space that begins at an index, or 0 when there is none.
    @inline(__always)
    static func length(in bytes: ArraySlice<UInt8>, at index: Int) -> Int {
        let byte = bytes[index]
        if byte < 0x80 { return isASCII(byte) ? 1 : 0 }
        return longLength(in: bytes, at: index)
    }

    @inline(__always)
    private static func isASCII(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) || (0x1C...0x1F).contains(byte)
    }

    private static func longLength(in bytes: ArraySlice<UInt8>, at index: Int) -> Int {
        func next(_ distance: Int) -> UInt8 {
            index + distance < bytes.endIndex ? bytes[index + distance] : 0
        }
        switch (bytes[index], next(1), next(2)) {
        case (0xC2, 0x85, _), (0xC2, 0xA0, _): return 2  // U+0085, U+00A0
        case (0xE1, 0x9A, 0x80): return 3  // U+1680
        case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF):
            return 3  // U+2000 to U+200A, U+2028, U+2029, U+202F
        case (0xE2, 0x81, 0x9F): return 3  // U+205F
        case (0xE3, 0x80, 0x80): return 3  // U+3000
        default: return 0
        }
    }

    /// Number of bytes of the white space that ends before an index, or 0 when there is none.
    private static func length(in bytes: ArraySlice<UInt8>, before index: Int) -> Int {
        for length in 1...3 where index - length >= bytes.startIndex {
            if Self.length(in: bytes, at: index - length) == length { return length }
        }
        return 0
    }

    /// - Parameter stopsAtNewline: stops at a newline and keeps it. For cells, in which `\n` stands for a newline.
    static func trimmingStart(_ bytes: ArraySlice<UInt8>, stopsAtNewline: Bool = false) -> ArraySlice<UInt8> {
        var index = bytes.startIndex
        while index < bytes.endIndex, !(stopsAtNewline && bytes[index] == 0x0A) {
            let length = length(in: bytes, at: index)
            if length == 0 { break }
            index += length
        }
        return bytes[index...]
    }

    static func trimmingEnd(_ bytes: ArraySlice<UInt8>, stopsAtNewline: Bool = false) -> ArraySlice<UInt8> {
        var end = bytes.endIndex
        while end > bytes.startIndex, !(stopsAtNewline && bytes[end - 1] == 0x0A) {
            let length = length(in: bytes, before: end)
            if length == 0 { break }
            end -= length
        }
        return bytes[..<end]
    }

    static func trimming(_ bytes: ArraySlice<UInt8>, stopsAtNewline: Bool = false) -> ArraySlice<UInt8> {
        trimmingEnd(trimmingStart(bytes, stopsAtNewline: stopsAtNewline), stopsAtNewline: stopsAtNewline)
    }
}

extension ArraySlice<UInt8> {
    /// Number of code points, counted by their first bytes.
    var codePoints: Int { count { $0 & 0xC0 != 0x80 } }

    /// Drops that many code points, or all if there are fewer.
    func droppingCodePoints(_ number: Int) -> ArraySlice<UInt8> {
        var index = startIndex
        for _ in 0..<number where index < endIndex {
            index += 1
            while index < endIndex, self[index] & 0xC0 == 0x80 { index += 1 }
        }
        return self[index...]
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
