import CPushBlockScan
public import PushSystem

/// UTF-8 bytes owned by someone else: the input, or a pipeline's scratch memory.
///
/// Valid only for the duration of the call that hands it out. Take `string` to keep it.
@safe  // SOUND: reads stay within `count`; whoever unsafely creates one keeps the bytes alive while it is used.
@frozen
@usableFromInline package struct BorrowedText {
    /// The first byte. Must not be read when `count` is 0.
    @usableFromInline package let start: UnsafePointer<UInt8>
    /// The length in bytes.
    @usableFromInline package let count: Int

    /// Borrows `count` bytes of UTF-8.
    @inlinable
    package init(start: UnsafePointer<UInt8>, count: Int) {
        // SOUND: storing the address reads nothing; the caller keeps the bytes alive.
        unsafe self.start = start
        self.count = count
    }

    /// Borrows a literal, which lives as long as the program.
    @inlinable
    package init(_ literal: StaticString) {
        // SOUND: a literal's bytes are never freed, and `utf8Start` traps if they have no address.
        unsafe self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    /// Empty text.
    @inlinable
    package static var empty: BorrowedText { BorrowedText("") }

    /// True if there are no bytes.
    @inlinable
    package var isEmpty: Bool { count == 0 }

    /// The bytes as a typed buffer.
    @inlinable
    package var buffer: UnsafeBufferPointer<UInt8> {
        // SOUND: `start` and `count` describe the caller's bytes.
        unsafe UnsafeBufferPointer(start: start, count: count)
    }

    /// The bytes as an untyped buffer.
    @inlinable
    package var bytes: UnsafeRawBufferPointer {
        // SOUND: `start` and `count` describe the caller's bytes.
        unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Calls `body` with a string's UTF-8 bytes.
    @inlinable
    package static func with<Result>(_ string: String, _ body: (BorrowedText) throws -> Result) rethrows -> Result {
        // SOUND: the bytes live until `withBytes` returns, which is after `body` does.
        try unsafe string.withBytes { bytes in
            guard let start = bytes.baseAddress else { return try body(.empty) }
            return try unsafe body(BorrowedText(start: start, count: bytes.count))
        }
    }

    /// A copy that outlives the call.
    @usableFromInline package var string: String {
        // SOUND: the bytes are alive, and are copied here.
        unsafe String(decoding: buffer, as: UTF8.self)
    }

    /// True if the bytes equal those of a literal.
    @inlinable
    @inline(__always)
    package static func == (text: BorrowedText, other: StaticString) -> Bool {
        // SOUND: the counts are equal, and both sides have that many bytes.
        unsafe text.count == other.utf8CodeUnitCount && Memory.isEqual(text.start, other.utf8Start, count: text.count)
    }

    /// True if both texts have the same bytes.
    @inlinable
    package static func == (text: BorrowedText, other: BorrowedText) -> Bool {
        // SOUND: the counts are equal, and both sides have that many bytes.
        unsafe text.count == other.count && Memory.isEqual(text.start, other.start, count: text.count)
    }

    /// True if the bytes begin with those of a literal.
    @inlinable
    package func hasPrefix(_ prefix: StaticString) -> Bool {
        // SOUND: both sides have at least as many bytes as are compared.
        unsafe count >= prefix.utf8CodeUnitCount
            && Memory.isEqual(start, prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    }

    /// True if the bytes begin with those of another text.
    @inlinable
    package func hasPrefix(_ prefix: BorrowedText) -> Bool {
        // SOUND: both sides have at least as many bytes as are compared.
        unsafe count >= prefix.count && Memory.isEqual(start, prefix.start, count: prefix.count)
    }

    /// True if the bytes end with those of a literal.
    @inlinable
    package func hasSuffix(_ suffix: StaticString) -> Bool {
        // SOUND: both sides have at least as many bytes as are compared.
        let length = suffix.utf8CodeUnitCount
        return unsafe count >= length && Memory.isEqual(start + count - length, suffix.utf8Start, count: length)
    }
}

extension String {
    /// Calls `body` with the UTF-8 bytes. Unlike `withUTF8` it needs no copy of the string, which would have to be retained.
    ///
    /// The bytes live until it returns.
    @unsafe @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        // SOUND: passes the bytes on.
        if let result = try unsafe utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return try copy.withUTF8(body)
    }
}

/// Memory for a chunk's texts that are not in the input as they are: unescaped strings, derived payloads. `reset` frees
/// all of it at once; until then addresses do not change.
@safe  // SOUND: owns its blocks, and hands out parts that do not overlap.
package struct ScratchArena: ~Copyable {
    private static let blockSize = 64 * 1024  // 64 KiB

    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = unsafe []
    private var current = 0
    private var used = 0

    package init() {}

    deinit {
        // SOUND: every element is a block that the arena owns.
        // SOUND: each block was allocated here, and is freed once.
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }

    package mutating func reset() {
        // SOUND: blocks are removed from the list as they are freed.
        // Larger blocks were allocated for one large text each. Keeping them would keep the largest chunk's memory
        // forever.
        if unsafe blocks.contains(where: { $0.count > Self.blockSize }) {
            for index in unsafe blocks.indices where unsafe blocks[index].count > Self.blockSize {
                unsafe blocks[index].deallocate()
            }
            unsafe blocks.removeAll { $0.count > Self.blockSize }
        }
        current = 0
        used = 0
    }

    package mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        // SOUND: the part returned lies within a block, after the parts returned before.
        while unsafe current < blocks.count {
            let block = unsafe blocks[current]
            if block.count - used >= count, let base = block.baseAddress {
                defer { used += count }
                return unsafe base + used
            }
            current += 1
            used = 0
        }
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, Self.blockSize))
        unsafe blocks.append(block)
        current = unsafe blocks.count - 1
        used = count
        // A buffer with a capacity above 0 has a base address.
        return unsafe block.baseAddress ?? UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    }

    /// A copy that lives until `reset`.
    package mutating func copy(_ bytes: UnsafeRawBufferPointer) -> BorrowedText {
        // SOUND: the copy has room for as many bytes as there are.
        let out = unsafe allocate(bytes.count)
        if let base = bytes.baseAddress { unsafe Memory.copy(base, to: out, count: bytes.count) }
        return unsafe BorrowedText(start: out, count: bytes.count)
    }

    /// A copy of bytes, which lives until `reset`.
    package mutating func copy(_ bytes: [UInt8]) -> BorrowedText {
        // SOUND: the bytes are copied while the array lives.
        unsafe bytes.withUnsafeBytes { unsafe copy($0) }
    }

    /// A copy of a text, which lives until `reset`.
    package mutating func copy(_ text: String) -> BorrowedText {
        // SOUND: the bytes are copied while the text lives.
        unsafe text.withBytes { unsafe copy(UnsafeRawBufferPointer($0)) }
    }

    /// A copy with ASCII's capital letters in lower case, which lives until `reset`.
    package mutating func lowercased(_ text: BorrowedText) -> BorrowedText {
        // SOUND: the copy has room for as many bytes as there are, and each of them is written.
        let out = unsafe allocate(text.count)
        for index in 0..<text.count {
            let byte = unsafe text.start[index]
            unsafe out[index] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
        }
        return unsafe BorrowedText(start: out, count: text.count)
    }

    /// The string with its escapes resolved: in place if it has none, otherwise a copy that lives until `reset`.
    @inlinable
    @inline(__always)
    package mutating func text(_ string: JSONString) -> BorrowedText {
        string.hasEscapes ? decoded(string) : string.raw
    }

    @usableFromInline
    @inline(never)
    mutating func decoded(_ string: JSONString) -> BorrowedText {
        // SOUND: decoding writes at most `count` bytes, for which there is room.
        let out = unsafe allocate(string.count)
        return unsafe BorrowedText(start: out, count: string.decode(to: out))
    }
}

/// A hash of bytes with a seed that differs from run to run. No output depends on it.
package struct SeededHash: Sendable {
    private let seed = UInt64.random(in: .min ... .max)
    private let multiplier = UInt64.random(in: .min ... .max) | 1

    package init() {}

    package func hash(_ text: BorrowedText, _ salt: UInt64) -> UInt32 {
        var state = Self.mix(seed ^ salt, multiplier ^ UInt64(text.count))
        var p = unsafe UnsafeRawPointer(text.start)
        var rest = text.count
        // SOUND: reads sixteen bytes only when that many are left, and the last eight only when the text has eight.
        while rest >= 16 {
            let (low, high) = unsafe (p.loadUnaligned(as: UInt64.self), (p + 8).loadUnaligned(as: UInt64.self))
            state = Self.mix(state ^ low, multiplier ^ high)
            unsafe p += 16
            rest -= 16
        }
        var tail: UInt64 = 0
        if text.count >= 8 {
            if rest > 8 { state = unsafe Self.mix(state ^ p.loadUnaligned(as: UInt64.self), multiplier) }
            // The last eight bytes. It does no harm that some of them may have been mixed in before.
            tail = unsafe (p + (rest - 8)).loadUnaligned(as: UInt64.self)
        } else {
            for index in 0..<rest { tail = unsafe tail << 8 | UInt64(p.load(fromByteOffset: index, as: UInt8.self)) }
        }
        state = Self.mix(state ^ tail, seed | 1)
        return UInt32(truncatingIfNeeded: state >> 32)
    }

    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low ^ a
    }
}

/// The line and column of one byte of a text, from which those of later bytes follow.
package struct TextPlace: Sendable {
    /// A byte of the text, or of the part of it that is at hand; where a column begins.
    package private(set) var index = 0
    package private(set) var position = TextPosition(line: 1, column: 1)

    /// The first byte of a text.
    init() {}

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

    /// Moves on to `offset`, or to the beginning of a character that may end after it. O(distance).
    ///
    /// - Parameter lineFeeds: how many there are up to `offset`; they are counted if that is not known.
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

/// Well-formed UTF-8 by Unicode's table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Sequence {
    /// The length, 1 to 4, of the well-formed sequence at the beginning of `bytes`; nil when there is none.
    @inlinable
    package static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        // SOUND: there is at least one byte.
        guard let base = bytes.baseAddress, bytes.count > 0 else { return nil }
        if unsafe bytes[0] < 0x80 { return 1 }
        let length = unsafe multiByteLength(base.assumingMemoryBound(to: UInt8.self), available: bytes.count)
        return length == 0 ? nil : length
    }

    /// The length, 2 to 4, of the well-formed sequence at `p`, whose first byte is not ASCII; 0 when it is ill-formed.
    ///
    /// Reads at most `available` bytes, which is at least 1.
    @inlinable
    @inline(__always)
    package static func multiByteLength(_ p: UnsafePointer<UInt8>, available: Int) -> Int {
        // SOUND: `available`, at least 1, is compared before each further byte is read.
        let first = unsafe p[0]
        if first < 0xC2 { return 0 }
        if first < 0xE0 {
            return unsafe available >= 2 && isContinuation(p[1]) ? 2 : 0
        }
        if first < 0xF0 {
            guard available >= 3, unsafe isContinuation(p[1]), unsafe isContinuation(p[2]) else { return 0 }
            if unsafe first == 0xE0 && p[1] < 0xA0 { return 0 }  // overlong
            if unsafe first == 0xED && p[1] >= 0xA0 { return 0 }  // surrogate
            return 3
        }
        guard first < 0xF5, available >= 4, unsafe isContinuation(p[1]), unsafe isContinuation(p[2]),
            unsafe isContinuation(p[3])
        else {
            return 0
        }
        if unsafe first == 0xF0 && p[1] < 0x90 { return 0 }  // overlong
        if unsafe first == 0xF4 && p[1] >= 0x90 { return 0 }  // above U+10FFFF
        return 4
    }

    @inlinable
    @inline(__always)
    package static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// The scalar at the beginning of `bytes`; nil when the bytes are ill-formed.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Unicode.Scalar? {
        // SOUND: reads at most four bytes, which the prefix bounds.
        var rest = unsafe bytes.prefix(4).makeIterator()
        var decoder = UTF8()
        if case .scalarValue(let scalar) = unsafe decoder.decode(&rest) { return scalar }
        return nil
    }
}
