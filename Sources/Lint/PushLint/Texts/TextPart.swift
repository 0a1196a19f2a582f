import PayloadJSON

/// Whole records of a text, and as much of the text around them as a report may show.
package struct TextPart: Sendable {
    package var bytes: [UInt8] = []
    /// Of the first byte in the text.
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
    /// Of the first byte of the buffer in the text.
    private var offset = 0
    /// Found and not yet part of a part.
    private var pieces: [RecordCutter.Piece] = []
    /// Number of records in the parts so far.
    package private(set) var records = 0
    private var hasMark = false
    /// Nil until the text begins.
    private var place: TextPlace?
    /// Number of bytes around a record that a report may show.
    private let margin: Int

    package init(_ cutter: RecordCutter, margin: Int) {
        stream = RecordStream(cutter)
        self.margin = margin
    }

    /// Number of bytes that have arrived.
    package var length: Int { offset + buffer.count }

    /// Number of bytes that the next part may need.
    var kept: Int { buffer.count }

    package mutating func append(_ bytes: ArraySlice<UInt8>) { buffer += bytes }

    /// Cuts off the records that are complete; nil if there are none.
    ///
    /// - Parameters:
    ///   - isEnd: no more bytes follow.
    ///   - isPaused: no more bytes are there at the moment, so nothing waits for what follows it.
    package mutating func cut(isEnd: Bool, isPaused: Bool) -> TextPart? {
        // SOUND: the bytes live until the closure returns, and all indices are of them.
        unsafe buffer.withUnsafeBytes { bytes in
            unsafe stream.cut(bytes, isEnd: isEnd, isPaused: isPaused, into: &pieces)
        }
        guard isEnd || buffer.count >= 3 else { return nil }
        if self.place == nil { hasMark = TextWorker.beginsWithMark(buffer) }
        let place = unsafe place ?? buffer.withUnsafeBytes { unsafe TextPlace(beginningOf: $0) }
        let ready = isEnd || isPaused ? pieces.count : surroundedPieces()
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
