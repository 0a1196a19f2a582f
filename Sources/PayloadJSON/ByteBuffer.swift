import CBlockScan
public import SystemSupport

/// A growable byte buffer that report lines and derived payloads are written to. A buffer that is reused stops
/// allocating.
///
/// It is public because only public code can be inlined into other modules. A literal that is not inlined costs a call
/// and a copy of unknown length.
///
/// The buffer is the only owner of its memory, so it can move between threads.
@safe  // SOUND: owns `base`; every write reserves its room first.
@frozen
public struct ByteBuffer: ~Copyable, @unchecked Sendable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var length = 0

    /// The number of bytes written.
    @inlinable
    public var count: Int { length }

    package init(capacity: Int = 4096) {
        // SOUND: `capacity` is the size of the allocation.
        self.capacity = max(capacity, 64)
        unsafe base = .allocate(capacity: self.capacity)
    }

    deinit {
        // SOUND: allocated here, and freed once.
        unsafe base.deallocate()
    }

    /// The bytes written. Valid until the next change.
    package var bytes: UnsafeRawBufferPointer {
        // SOUND: the first `count` bytes are initialized.
        unsafe UnsafeRawBufferPointer(start: base, count: count)
    }

    /// Passes the bytes written to `body`, for the duration of the call.
    package func withText(_ body: (BorrowedText) throws -> Void) rethrows {
        // SOUND: the first `count` bytes are initialized, and do not change meanwhile.
        try body(unsafe BorrowedText(start: base, count: count))
    }

    /// Appends the contents of another buffer.
    package mutating func append(_ other: borrowing ByteBuffer) {
        // SOUND: the other buffer cannot change during the call.
        unsafe append(BorrowedText(start: other.base, count: other.count))
    }

    package mutating func removeAll() { length = 0 }

    /// Makes room for `additional` bytes and returns where they go. The caller writes them and adds their number to
    /// `length`.
    @inlinable
    @inline(__always)
    mutating func reserve(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
        // SOUND: there is room for `additional` bytes at that address.
        if capacity - count < additional { grow(additional) }
        return unsafe base + count
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ additional: Int) {
        // SOUND: the new allocation has room for the old bytes, which are copied before they are freed.
        capacity = max(capacity * 2, count + additional)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe Memory.copy(base, to: larger, count: count)
        unsafe base.deallocate()
        unsafe base = unsafe larger
    }

    /// Appends one byte.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        // SOUND: `reserve` made room for the byte.
        unsafe reserve(1)[0] = byte
        length += 1
    }

    /// Appends a literal's UTF-8.
    @inlinable
    @inline(__always)
    public mutating func append(_ literal: StaticString) {
        // SOUND: `reserve` made room for the bytes, and the literal has that many.
        let bytes = literal.utf8CodeUnitCount
        unsafe Memory.copy(literal.utf8Start, to: reserve(bytes), count: bytes)
        length += bytes
    }

    /// Appends bytes unchanged.
    @inlinable
    public mutating func append(_ text: BorrowedText) {
        // SOUND: `reserve` made room for the bytes. They are not in this buffer, whose address may just have changed.
        unsafe Memory.copy(text.start, to: reserve(text.count), count: text.count)
        length += text.count
    }

    /// Appends a string. Not called `append`, so that a literal never becomes a `String` first.
    package mutating func appendText(_ string: String) {
        // SOUND: the bytes live until `withUTF8` returns.
        var string = string
        string.withUTF8 { utf8 in
            if let start = utf8.baseAddress { unsafe append(BorrowedText(start: start, count: utf8.count)) }
        }
    }

    /// Appends a decimal number.
    package mutating func append(_ number: UInt64) {
        // SOUND: 64 bits have at most 20 digits.
        let out = unsafe reserve(20)
        if number < 10_000 {
            unsafe length += Self.write(UInt32(truncatingIfNeeded: number), to: out)
            return
        }
        var digits = 5
        var bound: UInt64 = 100_000
        while digits < 20, number >= bound {
            digits += 1
            bound = bound &* 10
        }
        var rest = number
        var position = digits
        while rest >= 100 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            position -= 2
            unsafe out[position] = Self.digit(pair / 10)
            unsafe out[position + 1] = Self.digit(pair % 10)
            rest = quotient
        }
        if position == 2 { unsafe out[0] = Self.digit(rest / 10) }
        unsafe out[position - 1] = Self.digit(rest % 10)
        length += digits
    }

    /// Writes a number below 10,000 and returns its number of digits.
    @inline(__always)
    private static func write(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: a number below 10,000 has at most 4 digits, and the caller reserved more.
        var digits = 1
        if number >= 1000 {
            unsafe out[0] = digit(UInt64(number / 1000))
            unsafe out[1] = digit(UInt64(number / 100 % 10))
            digits = 4
        } else if number >= 100 {
            unsafe out[0] = digit(UInt64(number / 100))
            digits = 3
        } else if number >= 10 {
            digits = 2
        }
        if digits > 1 { unsafe out[digits - 2] = digit(UInt64(number / 10 % 10)) }
        unsafe out[digits - 1] = digit(UInt64(number % 10))
        return digits
    }

    @inline(__always)
    private static func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }

    package mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    /// Appends a JSON string with its quotes. Escapes only what must be escaped: `"`, `\` and control characters.
    package mutating func appendJSONString(_ text: BorrowedText) {
        // SOUND: each byte of text becomes at most six bytes, and a run may write up to its slack past its end.
        let out = unsafe reserve(text.count * 6 + 2 + Int(BLOCKSCAN_COPY_SLACK))
        unsafe out[0] = UInt8(ascii: "\"")
        var written = 1
        var index = 0
        let start = unsafe text.start
        while index < text.count {
            let run = unsafe blockscan_copy_plain(start + index, text.count - index, out + written)
            written += run
            index += run
            guard index < text.count else { break }
            unsafe written += Self.escape(start[index], to: out + written)
            index += 1
        }
        unsafe out[written] = UInt8(ascii: "\"")
        length += written + 1
    }

    package mutating func appendJSONString(_ string: String) {
        // SOUND: the bytes live until `withUTF8` returns.
        var string = string
        string.withUTF8 { utf8 in
            if let start = utf8.baseAddress {
                unsafe appendJSONString(BorrowedText(start: start, count: utf8.count))
            } else {
                append("\"\"")
            }
        }
    }

    private static func escape(_ byte: UInt8, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller reserved six bytes for each escape, and the table of digits has 16.
        unsafe out[0] = UInt8(ascii: "\\")
        let letter: UInt8
        switch byte {
        case 0x22, 0x5C: letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x09: letter = UInt8(ascii: "t")
        default:
            let digits: StaticString = "0123456789abcdef"
            unsafe out[1] = UInt8(ascii: "u")
            unsafe out[2] = UInt8(ascii: "0")
            unsafe out[3] = UInt8(ascii: "0")
            unsafe out[4] = digits.utf8Start[Int(byte >> 4)]
            unsafe out[5] = digits.utf8Start[Int(byte & 15)]
            return 6
        }
        unsafe out[1] = letter
        return 2
    }
}
