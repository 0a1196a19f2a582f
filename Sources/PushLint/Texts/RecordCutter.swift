import PayloadJSON
import RecordFraming

/// Finds the records of a whole text as `pushpipe run` finds them in a stream, but keeps a broken value together.
///
/// A stream continues after a broken record, so its framing gives up early, and the lines of a pretty-printed value become separate
/// records. Here a piece that cannot be a record is joined to the broken one before it.
struct RecordCutter {
    enum Piece: Equatable {
        case record(Range<Int>)
        /// A record over the limit begins at this byte.
        case tooLong(Int)
    }

    let framing: Framing
    let maximumRecordBytes: Int

    /// The records in a text, in order. O(bytes).
    func pieces(of bytes: UnsafeRawBufferPointer) -> [Piece] {
        // SOUND: the framer counts only bytes that it was given, so `start` is within them.
        var framer = Framer(framing, maximumRecordBytes: maximumRecordBytes)
        var pieces: [Piece] = []
        var start = 0
        while true {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
            switch unsafe framer.next(in: rest, isEnd: true) {
            case .record(let range, let consumed):
                pieces.append(.record(range.lowerBound + start..<range.upperBound + start))
                start += consumed
            case .tooLong(let offset, let consumed):
                pieces.append(.tooLong(start + offset))
                start += consumed
            case .skip(let consumed):
                start += consumed
            case .needsMore, .end:
                return unsafe framing == .auto || framing == .json ? joined(pieces, in: bytes) : pieces
            }
        }
    }

    private func joined(_ pieces: [Piece], in bytes: UnsafeRawBufferPointer) -> [Piece] {
        // SOUND: the ranges are of these bytes, for which the caller vouches.
        var joined: [Piece] = []
        var last: JoinedRecord?
        for piece in pieces {
            guard case .record(let range) = piece else {
                joined.append(piece)
                last = nil
                continue
            }
            if unsafe last?.continues(with: range, in: bytes) == true, let start = last?.range.lowerBound,
                range.upperBound - start <= maximumRecordBytes
            {
                unsafe last?.append(range, in: bytes)
                joined[joined.count - 1] = .record(start..<range.upperBound)
            } else {
                joined.append(piece)
                last = unsafe JoinedRecord(range, in: bytes)
            }
        }
        return joined
    }
}

/// A record that the next piece may continue.
private struct JoinedRecord {
    private(set) var range: Range<Int>
    /// Nothing but comments so far.
    private var isComment: Bool
    /// Nil until it is needed. A broken record stays broken here, so that no byte is scanned twice.
    private var isBroken: Bool?

    init(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        // SOUND: the range is of these bytes, for which the caller vouches.
        self.range = range
        let first = unsafe Self.firstByte(range, in: bytes)
        isComment = first == UInt8(ascii: "/") || first == UInt8(ascii: "#")
    }

    mutating func append(_ next: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        // SOUND: the range is of these bytes, for which the caller vouches.
        range = range.lowerBound..<next.upperBound
        if unsafe Self.isBracket(Self.firstByte(next, in: bytes)) { isComment = false }
        isBroken = true
    }

    mutating func continues(with next: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        // SOUND: both ranges are of these bytes, for which the caller vouches.
        let first = unsafe Self.firstByte(next, in: bytes)
        if first == UInt8(ascii: "}") || first == UInt8(ascii: "]") { return true }
        if Self.isBracket(first), unsafe !Self.isIndented(next, in: bytes) {
            // A value that begins in the first column begins a record, unless the record before ends where a value is expected.
            let end = unsafe bytes[range].last { !Self.isBlank($0) }
            return isComment || end == UInt8(ascii: ":") || end == UInt8(ascii: "[")
        }
        if let isBroken { return isBroken }
        var scanner = JSONScanner()
        var tape = JSONTape()
        let isBroken = unsafe scanner.scan(UnsafeRawBufferPointer(rebasing: bytes[range]), into: &tape) != nil
        self.isBroken = isBroken
        return isBroken
    }

    private static func firstByte(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> UInt8? {
        // SOUND: the range is of these bytes, for which the caller vouches.
        unsafe bytes[range].first { !isBlank($0) }
    }

    private static func isBracket(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Whether there is white space, and nothing else, before the first byte on its line.
    private static func isIndented(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        // SOUND: `start` is within the range, and is compared with 0 before the byte ahead of it is read.
        let start = unsafe bytes[range].firstIndex { !isBlank($0) } ?? range.lowerBound
        let before = unsafe bytes[..<start].last { $0 != 0x20 && $0 != 0x09 }
        return unsafe start > 0 && isBlank(bytes[start - 1]) && bytes[start - 1] != 0x0A && (before ?? 0x0A) == 0x0A
    }
}
