import CBlockScan
public import PushSystem

/// Writes to room that a `ByteBuffer` made for several pieces at once, and so checks none of them: a report line has some
/// twenty. Usable from inlined code for the reason that `ByteBuffer` is.
@unsafe
@frozen
@usableFromInline
package struct ByteCursor {
    /// Where the next byte goes.
    @usableFromInline var next: UnsafeMutablePointer<UInt8>

    @inlinable
    init(_ next: UnsafeMutablePointer<UInt8>) {
        // SOUND: storing the address writes nothing.
        unsafe self.next = next
    }

    /// The room that a JSON string needs, with its quotes. Each byte becomes at most six, and the copy may write some
    /// bytes past the end.
    package static func room(forJSONString count: Int) -> Int { count * 6 + 2 + Int(BLOCKSCAN_COPY_SLACK) }

    /// Appends a literal's UTF-8.
    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        // SOUND: the caller made room for the bytes, and the literal has that many.
        let count = literal.utf8CodeUnitCount
        unsafe Memory.copy(literal.utf8Start, to: next, count: count)
        unsafe next += count
    }

    /// Appends a decimal number, of at most 20 digits.
    package mutating func append(_ number: UInt64) {
        // SOUND: the caller made room for the digits.
        unsafe next += Decimal.write(number, to: next)
    }

    /// Appends a JSON string with its quotes, as `ByteBuffer` does.
    package mutating func appendJSONString(_ text: BorrowedText) {
        // SOUND: the caller made as much room as `room(forJSONString:)` says.
        var out = unsafe next
        unsafe out[0] = UInt8(ascii: "\"")
        unsafe out += 1
        var index = 0
        while true {
            let run = unsafe blockscan_copy_plain(text.start + index, text.count - index, out)
            unsafe out += run
            index += run
            guard index < text.count else { break }
            unsafe out += Self.escape(text.start[index], to: out)
            index += 1
        }
        unsafe out[0] = UInt8(ascii: "\"")
        unsafe next = unsafe out + 1
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

extension ByteBuffer {
    /// Makes room for `room` bytes. What the cursor writes counts when it is passed to `finish`; nothing else may change
    /// the buffer until then.
    @inlinable
    @unsafe
    package mutating func cursor(room: Int) -> ByteCursor {
        // SOUND: there is as much room at that address.
        unsafe ByteCursor(reserve(room))
    }

    /// Appends what a cursor of this buffer wrote.
    @inlinable
    @unsafe
    package mutating func finish(_ cursor: ByteCursor) {
        // SOUND: both addresses are in the buffer's memory.
        length = unsafe cursor.next - base
    }
}

/// Decimal numbers, two digits at a time.
enum Decimal {
    private static let pairs: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    /// Writes a number and returns how many digits it has, at most 20.
    @inline(__always)
    static func write(_ number: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller has room for the digits.
        if number < 10_000 { return unsafe writeFirst(UInt32(truncatingIfNeeded: number), to: out) }
        return unsafe writeLong(number, to: out)
    }

    @inline(never)
    private static func writeLong(_ number: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller has room for the digits.
        if number < 100_000_000 {
            let number = UInt32(truncatingIfNeeded: number)
            let digits = unsafe writeFirst(number / 10_000, to: out)
            unsafe writeFour(number % 10_000, to: out + digits)
            return digits + 4
        }
        let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
        let digits = unsafe write(high, to: out)
        let rest = UInt32(truncatingIfNeeded: low)
        unsafe writeFour(rest / 10_000, to: out + digits)
        unsafe writeFour(rest % 10_000, to: out + digits + 4)
        return digits + 8
    }

    /// Writes a number below 10,000 without leading zeros.
    @inline(__always)
    private static func writeFirst(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller has room for the digits.
        let high = number / 100
        let low = number % 100
        if high == 0 {
            if low < 10 {
                unsafe out[0] = digit(low)
                return 1
            }
            unsafe writePair(low, to: out)
            return 2
        }
        if high < 10 {
            unsafe out[0] = digit(high)
            unsafe writePair(low, to: out + 1)
            return 3
        }
        unsafe writePair(high, to: out)
        unsafe writePair(low, to: out + 2)
        return 4
    }

    /// Writes a number below 10,000 with leading zeros.
    @inline(__always)
    private static func writeFour(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) {
        // SOUND: the caller has room for the digits.
        unsafe writePair(number / 100, to: out)
        unsafe writePair(number % 100, to: out + 2)
    }

    @inline(__always)
    private static func writePair(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) {
        // SOUND: the caller has room for the digits, and the table has a pair for each number below 100.
        unsafe Memory.copy(pairs.utf8Start + 2 * Int(number), to: out, count: 2)
    }

    @inline(__always)
    private static func digit(_ value: UInt32) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
}
