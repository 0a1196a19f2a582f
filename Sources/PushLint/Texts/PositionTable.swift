package import PayloadJSON
import SystemSupport

/// The line and column of one byte of a text, from which those of later bytes follow.
struct TextPlace: Sendable {
    /// A byte of the text, or of the part of it that is at hand; where a column begins.
    private(set) var index: Int
    private(set) var position = TextPosition(line: 1, column: 1)

    /// The beginning of a text. A byte-order mark takes no column, as in an editor.
    init(beginningOf text: UnsafeRawBufferPointer) {
        // SOUND: looks at the first bytes only.
        index = unsafe text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Adjusts to the caller dropping the first bytes of the text.
    mutating func drop(_ count: Int) { index -= count }

    /// Moves on to the column at `offset`, or, if it is within a character, to the next one. O(distance).
    mutating func advance(to offset: Int, in text: UnsafeRawBufferPointer) {
        // SOUND: `end` is at most the number of bytes, and `index` is compared with it.
        let end = min(offset, text.count)
        unsafe skipLines(to: end, in: text)
        while index < end {
            position.column += 1
            let byte = unsafe text[index]
            unsafe index += byte < 0x80 ? 1 : UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: text[index...])) ?? 1
        }
    }

    /// Moves on to `offset`, or to the beginning of a character that may end after it. O(distance).
    mutating func advance(toCharacterBefore offset: Int, in text: UnsafeRawBufferPointer) {
        // SOUND: `lead` is between `index` and the number of bytes.
        let end = min(offset, text.count)
        var lead = end
        repeat { lead -= 1 } while unsafe lead > max(index, end - 3) && UTF8Sequence.isContinuation(text[lead])
        unsafe advance(to: lead >= index && text[lead] >= 0xC0 ? lead : end, in: text)
    }

    /// Moves on to the beginning of the line that `end` is in.
    private mutating func skipLines(to end: Int, in text: UnsafeRawBufferPointer) {
        // SOUND: searches between `index` and `end`, which is at most the number of bytes.
        guard let base = text.baseAddress else { return }
        while index < end, let feed = unsafe Memory.firstOffset(of: 0x0A, in: base + index, count: end - index) {
            position.line += 1
            position.column = 1
            index += feed + 1
        }
    }
}

/// Lines and columns of some offsets in a text, found in one pass.
package struct PositionTable: Sendable {
    private var positions: [Int: TextPosition] = [:]

    /// O(text + offsets log offsets). A byte-order mark takes no column, as in an editor.
    package init(of offsets: [Int], in text: [UInt8]) {
        // SOUND: the bytes live until the closure returns.
        let place = unsafe text.withUnsafeBytes { unsafe TextPlace(beginningOf: $0) }
        self.init(of: offsets, in: text, at: 0, from: place)
    }

    /// The same for a part of a text.
    ///
    /// - Parameters:
    ///   - start: offset in the text of the part's first byte.
    ///   - place: of a byte of the part, at or before all offsets.
    init(of offsets: [Int], in part: [UInt8], at start: Int, from place: TextPlace) {
        // SOUND: the bytes live until the closure returns.
        guard !offsets.isEmpty else { return }
        var place = place
        unsafe part.withUnsafeBytes { part in
            for offset in offsets.sorted() {
                unsafe place.advance(to: offset - start, in: part)
                positions[offset] = place.position
            }
        }
    }

    /// The position of one of the offsets that the table was made for.
    package subscript(offset: Int) -> TextPosition { positions[offset] ?? TextPosition(line: 1, column: 1) }
}
