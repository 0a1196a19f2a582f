package import PushFraming
import PushJSON

/// Finds the records of a whole text as `pushpipe run` finds them in a stream, but keeps a broken value together.
///
/// A stream continues after a broken record, so its framing gives up early, and the lines of a pretty-printed value become separate
/// records. Here a piece that cannot be a record is joined to the broken one before it.
package struct RecordCutter {
    struct Piece: Equatable, Sendable {
        /// The bytes of a record; of one over the limit the first byte.
        var range: Range<Int>
        var isTooLong = false

        /// The bytes of a record within the limit.
        var record: Range<Int>? { isTooLong ? nil : range }
    }

    let framing: Framing
    let maximumRecordBytes: Int

    package init(framing: Framing, maximumRecordBytes: Int) {
        self.framing = framing
        self.maximumRecordBytes = maximumRecordBytes
    }

    /// The records in a text, in order. O(bytes).
    func pieces(of bytes: UnsafeRawBufferPointer) -> [Piece] {
        // SOUND: the caller vouches for the bytes.
        var pieces: [Piece] = []
        var stream = RecordStream(self)
        unsafe stream.cut(bytes, isEnd: true, isPaused: false, into: &pieces)
        return pieces
    }
}

/// Finds the records of a text whose bytes arrive one after another.
///
/// The last record is held back until the next piece shows whether it continues it. The caller keeps the bytes from `needed` on, which are at
/// most two records.
struct RecordStream {
    private let maximumRecordBytes: Int
    /// True if a broken value is kept together.
    private let joins: Bool
    private var framer: Framer
    /// The byte at which the framer continues.
    private var position = 0
    private var last: JoinedRecord?

    init(_ cutter: RecordCutter) {
        maximumRecordBytes = cutter.maximumRecordBytes
        joins = cutter.framing == .auto || cutter.framing == .json
        framer = Framer(cutter.framing, maximumRecordBytes: cutter.maximumRecordBytes)
    }

    /// The first byte that a later piece may need.
    var needed: Int { last?.range.lowerBound ?? position }

    /// Adjusts to the caller dropping the first bytes, at most `needed`.
    mutating func drop(_ count: Int) {
        position -= count
        last?.move(by: -count)
    }

    /// Appends the pieces that are complete.
    ///
    /// - Parameters:
    ///   - bytes: all bytes that have not been dropped.
    ///   - isEnd: no more bytes follow.
    ///   - isPaused: whoever sends the bytes may be waiting for what is said about them, so a record that is JSON is held back no longer.
    mutating func cut(
        _ bytes: UnsafeRawBufferPointer, isEnd: Bool, isPaused: Bool, into pieces: inout [RecordCutter.Piece]
    ) {
        // SOUND: the framer counts only bytes that it was given, so `position` is within them.
        framing: while true {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[position...])
            switch unsafe framer.next(in: rest, isEnd: isEnd) {
            case .record(let range, let consumed):
                unsafe add(range.moved(by: position), in: bytes, to: &pieces)
                position += consumed
            case .tooLong(let offset, let consumed):
                release(to: &pieces)
                pieces.append(RecordCutter.Piece(range: position + offset..<position + offset + 1, isTooLong: true))
                position += consumed
            case .skip(let consumed):
                position += consumed
            case .needsMore, .end:
                break framing
            }
        }
        guard let last else { return }
        if isEnd || position - last.range.lowerBound > maximumRecordBytes { return release(to: &pieces) }
        if isPaused, unsafe !isBroken(in: bytes) { release(to: &pieces) }
    }

    private mutating func isBroken(in bytes: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the caller vouches for the bytes.
        unsafe last?.isBroken(in: bytes) ?? true
    }

    private mutating func release(to pieces: inout [RecordCutter.Piece]) {
        if let last { pieces.append(RecordCutter.Piece(range: last.range)) }
        last = nil
    }

    private mutating func add(
        _ range: Range<Int>, in bytes: UnsafeRawBufferPointer, to pieces: inout [RecordCutter.Piece]
    ) {
        // SOUND: the ranges are of these bytes, for which the caller vouches.
        // An element of an array ends where the next one begins.
        guard joins, framer.standing.framing != .array else { return pieces.append(RecordCutter.Piece(range: range)) }
        if unsafe last?.continues(with: range, in: bytes) == true, let start = last?.range.lowerBound,
            range.upperBound - start <= maximumRecordBytes
        {
            unsafe last?.append(range, in: bytes)
        } else {
            release(to: &pieces)
            last = unsafe JoinedRecord(range, in: bytes)
        }
    }
}

/// A record that the next piece may continue.
private struct JoinedRecord {
    private(set) var range: Range<Int>
    /// True if there are only comments so far.
    private var isComment: Bool
    /// Nil until it is needed. A broken record stays broken here, so that no byte is scanned twice.
    private var knownToBeBroken: Bool?

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
        knownToBeBroken = true
    }

    mutating func move(by offset: Int) { range = range.moved(by: offset) }

    mutating func continues(with next: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        // SOUND: both ranges are of these bytes, for which the caller vouches.
        let first = unsafe Self.firstByte(next, in: bytes)
        if first == UInt8(ascii: "}") || first == UInt8(ascii: "]") { return true }
        if Self.isBracket(first), unsafe !Self.isIndented(next, in: bytes) {
            // A value that begins in the first column begins a record, unless the record before ends where a value is expected.
            let end = unsafe bytes[range].last { !JSONScanner.isWhitespace($0) }
            return isComment || end == UInt8(ascii: ":") || end == UInt8(ascii: "[")
        }
        return unsafe isBroken(in: bytes)
    }

    /// True if the record is not JSON.
    mutating func isBroken(in bytes: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the range is of these bytes, for which the caller vouches.
        if let knownToBeBroken { return knownToBeBroken }
        let isBroken = unsafe !JSONScanner.accepts(UnsafeRawBufferPointer(rebasing: bytes[range]))
        knownToBeBroken = isBroken
        return isBroken
    }

    private static func firstByte(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> UInt8? {
        // SOUND: the range is of these bytes, for which the caller vouches.
        unsafe bytes[range].first { !JSONScanner.isWhitespace($0) }
    }

    private static func isBracket(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    /// True if there is white space, and nothing else, before the first byte on its line.
    private static func isIndented(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        // SOUND: `start` is within the range, and is compared with 0 before the byte ahead of it is read.
        let start = unsafe bytes[range].firstIndex { !JSONScanner.isWhitespace($0) } ?? range.lowerBound
        let before = unsafe bytes[..<start].last { $0 != 0x20 && $0 != 0x09 }
        return unsafe start > 0 && (bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 || bytes[start - 1] == 0x0D)
            && (before ?? 0x0A) == 0x0A
    }
}

/// Whole records of a text, and as much of the text around them as a report may show.
package struct TextPart: Sendable {
    package var bytes: [UInt8] = []
    /// The offset in the text of the first byte.
    package var offset = 0
    /// Ranges of `bytes`.
    var pieces: [RecordCutter.Piece] = []
    /// Number of the first record in its text, from 1.
    var firstRecord = 1
    /// A byte of `bytes` at or before the first record.
    package var place: TextPlace
    /// True if it is the beginning of a text with a byte-order mark.
    var beginsWithMark = false
}

/// Cuts a text into parts as its bytes arrive.
///
/// It keeps the bytes that the next part may need: the beginning of a record, the record before it, and what a report shows around a record.
/// That is bounded, whatever the length of the text.
package struct TextCutter {
    private var stream: RecordStream
    private var buffer: [UInt8] = []
    /// The offset in the text of the buffer's first byte.
    private var offset = 0
    /// Found and not yet part of a part.
    private var pieces: [RecordCutter.Piece] = []
    /// True if the next part is complete, and needs no more bytes.
    package private(set) var isNextReady = false
    /// Number of records in the parts so far.
    package private(set) var records = 0
    private var hasMark = false
    /// Nil until the text begins.
    private var place: TextPlace?
    /// Number of bytes around a record that a report may show.
    private let margin: Int
    /// Records of a part. A finding takes a kilobyte, and a record may have two bytes.
    static let mostRecords = 4096

    package init(_ cutter: RecordCutter, margin: Int) {
        stream = RecordStream(cutter)
        self.margin = margin
    }

    /// Number of bytes that have arrived.
    package var length: Int { offset + buffer.count }

    /// Number of bytes that the next part may need.
    var kept: Int { buffer.count }

    package mutating func append(_ bytes: ArraySlice<UInt8>) { buffer += bytes }

    /// Cuts off records that are complete; nil if there are none. While `isNextReady`, there are more of the same bytes.
    ///
    /// - Parameters:
    ///   - isEnd: no more bytes follow.
    ///   - isPaused: no more bytes are there at the moment, so nothing waits for what follows it.
    package mutating func cut(isEnd: Bool, isPaused: Bool) -> TextPart? {
        if !isNextReady {
            // SOUND: the bytes live until the closure returns, and all indices are of them.
            unsafe buffer.withUnsafeBytes { bytes in
                unsafe stream.cut(bytes, isEnd: isEnd, isPaused: isPaused, into: &pieces)
            }
        }
        guard isEnd || self.place != nil || buffer.count >= 3 else { return nil }
        if self.place == nil { hasMark = TextWorker.beginsWithMark(buffer) }
        let place = unsafe place ?? buffer.withUnsafeBytes { unsafe TextPlace(beginningOf: $0) }
        let complete = isEnd || isPaused ? pieces.count : surroundedPieces()
        let ready = min(complete, Self.mostRecords)
        isNextReady = ready < complete
        let end = ready < pieces.count ? pieces[ready].range.lowerBound : stream.needed
        var part: TextPart?
        if ready > 0 {
            let last = min(pieces[ready - 1].range.upperBound + margin, buffer.count)
            part = TextPart(
                bytes: Array(buffer[..<last]), offset: offset, pieces: Array(pieces[..<ready]),
                firstRecord: records + 1, place: place, beginsWithMark: hasMark && records == 0 && offset == 0)
            records += ready
        }
        pieces.removeFirst(ready)
        drop(before: end, place)
        return part
    }

    /// Number of pieces with enough text after them.
    private func surroundedPieces() -> Int {
        let lineEnd = buffer[max(buffer.count - margin, 0)...].lastIndex(of: 0x0A) ?? 0
        let end = max(buffer.count - margin, lineEnd)
        var ready = pieces.count
        while ready > 0, pieces[ready - 1].range.upperBound > end { ready -= 1 }
        return ready
    }

    /// Drops what neither the bytes from `end` on nor their excerpts need.
    private mutating func drop(before end: Int, _ place: TextPlace) {
        // SOUND: the bytes live until the closure returns, and all indices are of them.
        var place = place
        unsafe buffer.withUnsafeBytes { unsafe place.advance(toCharacterBefore: end, in: $0) }
        let start = max(end - margin, 0)
        let count = min(buffer[start..<end].lastIndex(of: 0x0A) ?? start, place.index)
        buffer.removeFirst(count)
        offset += count
        stream.drop(count)
        place.drop(count)
        self.place = place
        for index in pieces.indices { pieces[index].range = pieces[index].range.moved(by: -count) }
    }
}
