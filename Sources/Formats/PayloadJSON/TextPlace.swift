import CBlockScan
import PushSystem

/// The line and column of one byte of a text, from which those of later bytes follow.
package struct TextPlace: Sendable {
    /// A byte of the text, or of the part of it that is at hand; where a column begins.
    package private(set) var index: Int
    package private(set) var position = TextPosition(line: 1, column: 1)

    /// The beginning of a text. A byte-order mark takes no column, as in an editor.
    package init(beginningOf text: UnsafeRawBufferPointer) {
        // SOUND: looks at the first bytes only.
        index = unsafe text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Adjusts to the caller dropping the first bytes of the text.
    package mutating func drop(_ count: Int) { index -= count }

    /// Moves on to the column at `offset`, or, if it is within a character, to the next one. O(distance).
    ///
    /// - Parameter lineFeeds: how many there are up to `offset`; they are counted if that is not known.
    package mutating func advance(to offset: Int, in text: UnsafeRawBufferPointer, lineFeeds: Int? = nil) {
        // SOUND: `end` is at most the number of bytes, and `index` is compared with it.
        let end = min(offset, text.count)
        unsafe skipLines(to: end, in: text, lineFeeds)
        while index < end {
            position.column += 1
            let byte = unsafe text[index]
            unsafe index += byte < 0x80 ? 1 : UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: text[index...])) ?? 1
        }
    }

    /// Moves on to `offset`, or to the beginning of a character that may end after it. O(distance). `lineFeeds` as above.
    package mutating func advance(
        toCharacterBefore offset: Int, in text: UnsafeRawBufferPointer, lineFeeds: Int? = nil
    ) {
        // SOUND: `lead` is between `index` and the number of bytes.
        let end = min(offset, text.count)
        var lead = end
        repeat { lead -= 1 } while unsafe lead > max(index, end - 3) && UTF8Sequence.isContinuation(text[lead])
        unsafe advance(to: lead >= index && text[lead] >= 0xC0 ? lead : end, in: text, lineFeeds: lineFeeds)
    }

    /// The fewest bytes whose line feeds are counted and not searched for one by one.
    private static let countedBytes = 4096

    private static func lineFeeds(in text: UnsafeRawBufferPointer) -> Int {
        // SOUND: the call reads the bytes of the text.
        guard let base = text.baseAddress else { return 0 }
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        return unsafe Int(blockscan_count(blockscan_best_variant(), start, text.count, 0x0A))
    }

    /// Moves on to the beginning of the line that `end` is in.
    private mutating func skipLines(to end: Int, in text: UnsafeRawBufferPointer, _ lineFeeds: Int?) {
        // SOUND: counts and searches between `index` and `end`, which is at most the number of bytes.
        guard let base = text.baseAddress else { return }
        if end - index >= Self.countedBytes {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[index..<end])
            let lines = unsafe lineFeeds ?? TextPlace.lineFeeds(in: bytes)
            if lines > 0, let last = unsafe bytes.lastIndex(of: 0x0A) {
                position.line += lines
                position.column = 1
                index += last + 1
            }
        }
        while index < end, let feed = unsafe Memory.firstOffset(of: 0x0A, in: base + index, count: end - index) {
            position.line += 1
            position.column = 1
            index += feed + 1
        }
    }
}
