#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Bytes that grow at the end: where report lines and derived payloads are written. Reused, it stops allocating.
package struct ByteBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline package internal(set) var count = 0

    package init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// Valid until the next change.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    package mutating func removeAll() { count = 0 }

    /// Makes room for `additional` bytes and returns where they go; whoever writes them adds their number to `count`.
    @inlinable
    mutating func reserve(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < additional { grow(additional) }
        return base + count
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ additional: Int) {
        capacity = max(capacity * 2, count + additional)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(larger, base, count)
        base.deallocate()
        base = larger
    }

    @inlinable
    package mutating func append(_ byte: UInt8) {
        reserve(1)[0] = byte
        count += 1
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        let length = literal.utf8CodeUnitCount
        memcpy(reserve(length), literal.utf8Start, length)
        count += length
    }

    @inlinable
    package mutating func append(_ text: BorrowedText) {
        memcpy(reserve(text.count), text.start, text.count)
        count += text.count
    }

    /// Not called `append`, so that a literal is never made a `String` first.
    package mutating func appendText(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in
            if let start = utf8.baseAddress { append(BorrowedText(start: start, count: utf8.count)) }
        }
    }

    /// In decimal.
    package mutating func append(_ number: UInt64) {
        let out = reserve(20)
        if number < 10 {
            out[0] = Self.digit(number)
            count += 1
            return
        }
        var digits = number < 100 ? 2 : number < 1000 ? 3 : 4
        var rest = number / 10_000
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        rest = number
        var position = digits
        repeat {
            position -= 1
            out[position] = Self.digit(rest % 10)
            rest /= 10
        } while position > 0
        count += digits
    }

    @inline(__always)
    private static func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }

    package mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    /// As a JSON string, quotes included. Only what must be escaped is: `"`, `\` and control characters.
    package mutating func appendJSONString(_ text: BorrowedText) {
        // SOUND: no byte of text becomes more than six.
        let out = reserve(text.count * 6 + 2)
        out[0] = UInt8(ascii: "\"")
        var written = 1
        var index = 0
        let start = text.start
        while index < text.count {
            let run = Self.plainRun(start + index, text.count - index)
            memcpy(out + written, start + index, run)
            written += run
            index += run
            guard index < text.count else { break }
            written += Self.escape(start[index], to: out + written)
            index += 1
        }
        out[written] = UInt8(ascii: "\"")
        count += written + 1
    }

    package mutating func appendJSONString(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in
            if let start = utf8.baseAddress {
                appendJSONString(BorrowedText(start: start, count: utf8.count))
            } else {
                append("\"\"")
            }
        }
    }

    /// Length of the run of bytes from `start` that stand for themselves in a JSON string.
    @inline(__always)
    private static func plainRun(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        // SOUND: eight bytes are read only when eight are left.
        while index + 8 <= count {
            let word = UInt64(littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- (ones &* 0x20)) & ~word)
                & (ones &* 0x80)
            if found != 0 { return index + found.trailingZeroBitCount >> 3 }
            index += 8
        }
        while index < count {
            let byte = start[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            index += 1
        }
        return index
    }

    private static func escape(_ byte: UInt8, to out: UnsafeMutablePointer<UInt8>) -> Int {
        out[0] = UInt8(ascii: "\\")
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
            out[1] = UInt8(ascii: "u")
            out[2] = UInt8(ascii: "0")
            out[3] = UInt8(ascii: "0")
            out[4] = digits.utf8Start[Int(byte >> 4)]
            out[5] = digits.utf8Start[Int(byte & 15)]
            return 6
        }
        out[1] = letter
        return 2
    }
}
