package import PayloadJSON

/// The place of a record in its input.
package struct RecordSource: Sendable, Equatable {
    /// The path of the file as it was typed; `-` for standard input.
    package var file: String
    /// The number of the record in the file, from 1.
    package var record: UInt64
    /// The line and the column of the record's first byte.
    package var position: TextPosition
    /// The number of bytes before it.
    package var offset: UInt64

    /// The place of a byte of the record, from its place in the record.
    package func position(of inner: TextPosition) -> TextPosition {
        let line = position.line + inner.line - 1
        return TextPosition(line: line, column: inner.line == 1 ? position.column + inner.column - 1 : inner.column)
    }
}

/// An input whose records' places are reported.
package struct InputSource: Sendable {
    /// The path as it was typed; `-` for standard input.
    package var name: String
    /// True if every line of the report has its place, and not only one that says that something is wrong.
    package var isAlwaysReported: Bool
    /// Where reading begins.
    package var start: InputPlace

    /// For messages.
    var title: String { name == "-" ? "standard input" : name }

    package init(_ name: String, isAlwaysReported: Bool = false, from start: InputPlace = InputPlace()) {
        self.name = name
        self.isAlwaysReported = isAlwaysReported
        self.start = start
    }
}

/// A place between two records of an input.
package struct InputPlace: Sendable {
    /// Records before it.
    package var records: UInt64 = 0
    /// Bytes before it.
    package private(set) var offset: UInt64 = 0
    /// Nil before the first byte is known, which may be that of a byte-order mark.
    private var text: TextPlace?
    /// Bytes before this place, at most three, whose character may go on after it. They are not yet counted in `text`.
    private var begun: [UInt8] = []

    /// The beginning.
    package init() {}

    /// Moves on. O(count).
    ///
    /// - Parameters:
    ///   - count: the number of bytes to move on by.
    ///   - bytes: those, and what is known of the bytes after them.
    ///   - lineFeeds: how many of the bytes are line feeds, if that is known.
    package mutating func advance(by count: Int, in bytes: UnsafeRawBufferPointer, lineFeeds: Int? = nil) {
        // SOUND: the text place looks at no more than these bytes, and `begun` has some of the first `count`.
        guard count > 0 else { return }
        offset += UInt64(count)
        if !begun.isEmpty, count < Self.longestCharacter {
            // Too few to be sure that the character ends in them.
            let joined = unsafe begun + bytes.prefix(Self.longestCharacter)
            let end = begun.count + count
            text?.drop(-begun.count)
            unsafe joined.withUnsafeBytes { unsafe move(to: end, in: $0) }
        } else {
            text = unsafe text(in: bytes)
            unsafe move(to: count, in: bytes, lineFeeds: lineFeeds)
        }
    }

    /// In bytes.
    private static let longestCharacter = 4

    private mutating func move(to end: Int, in bytes: UnsafeRawBufferPointer, lineFeeds: Int? = nil) {
        // SOUND: `end` is at most the number of bytes, and the place does not move beyond it.
        guard var place = text else { return }
        unsafe place.advance(toCharacterBefore: end, in: bytes, lineFeeds: lineFeeds)
        begun = unsafe place.index < end ? Array(bytes[place.index..<end]) : []
        place.drop(end)
        text = place
    }

    /// Where columns begin at this place, or after the character that goes on there.
    ///
    /// - Parameter bytes: those after this place.
    func text(in bytes: UnsafeRawBufferPointer) -> TextPlace {
        // SOUND: what is looked at is copied.
        guard var place = text else { return unsafe TextPlace(beginningOf: bytes) }
        if !begun.isEmpty {
            let joined = unsafe begun + bytes.prefix(Self.longestCharacter)
            place.drop(-begun.count)
            unsafe joined.withUnsafeBytes { unsafe place.advance(to: begun.count, in: $0) }
            place.drop(begun.count)
        }
        return place
    }
}

/// Finds the places of a chunk's records, from the first to the last. Valid as long as the chunk's input.
@safe  // SOUND: whoever makes one keeps the chunk while it is used.
package struct SourceFinder {
    private let source: InputSource
    private let start: InputPlace
    private let frames: [RecordChunk.Frame]
    private let bytes: UnsafeRawBufferPointer
    private var text: TextPlace

    /// Nil if nothing is known of the chunk's input.
    package init?(_ chunk: borrowing RecordChunk) {
        // SOUND: the chunk has the bytes from `start` on.
        guard let source = chunk.source else { return nil }
        self.source = source
        start = chunk.start
        frames = chunk.frames
        unsafe bytes = unsafe chunk.input.bytes
        text = unsafe start.text(in: bytes)
    }

    var isAlwaysReported: Bool { source.isAlwaysReported }

    /// The place of a record, which is not before the last one that was asked for. O(distance).
    package mutating func source(ofRecord record: Int) -> RecordSource {
        // SOUND: a frame begins within the input, which the chunk owns.
        let index: Int
        switch frames[record] {
        case .record(let range): index = range.lowerBound
        case .copied(_, let start), .nothing(let start), .tooLong(let start, _, _): index = start
        }
        unsafe text.advance(to: index, in: bytes)
        return RecordSource(
            file: source.name, record: start.records + UInt64(record) + 1, position: text.position,
            offset: start.offset + UInt64(index))
    }
}
