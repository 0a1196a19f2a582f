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
