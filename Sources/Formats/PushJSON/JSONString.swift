public import PushSystem

/// The contents of a JSON string or key as written: between the quotes, with escapes in place.
///
/// Valid only as long as the text is. The scanner has validated the bytes: well-formed UTF-8, well-formed escapes.
@safe  // SOUND: reads stay within `count`; its creator keeps the validated bytes alive while it is used.
@frozen
@usableFromInline package struct JSONString {
    @usableFromInline package let start: UnsafePointer<UInt8>
    /// Twice the length in bytes, plus one if there is an escape, so that a string fits in two registers.
    @usableFromInline let countAndEscapes: Int

    /// The length in bytes, escapes as written.
    @inlinable
    package var count: Int { countAndEscapes >> 1 }

    /// True if it has an escape.
    @inlinable
    package var hasEscapes: Bool { countAndEscapes & 1 != 0 }

    @inlinable
    package init(start: UnsafePointer<UInt8>, count: Int, hasEscapes: Bool) {
        // SOUND: storing the address reads nothing; the caller keeps the bytes alive.
        unsafe self.start = start
        countAndEscapes = count &<< 1 | (hasEscapes ? 1 : 0)
    }

    /// The bytes as written.
    @inlinable
    package var raw: BorrowedText {
        // SOUND: `start` and `count` describe the bytes of the string.
        unsafe BorrowedText(start: start, count: count)
    }

    /// The length in bytes of UTF-8 with escapes resolved. O(count) if there are escapes.
    @inlinable
    package var decodedCount: Int { hasEscapes ? unescapedCount : count }

    @usableFromInline var unescapedCount: Int {
        // SOUND: the runs are not read.
        var length = 0
        unsafe forEachDecodedRun { _, count in length += count }
        return length
    }

    /// The contents with escapes resolved; a lone surrogate becomes U+FFFD.
    package var decodedBytes: [UInt8] {
        // With no capacity, it would write its count of 0 into the one empty array that all threads share.
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            // SOUND: `count` bytes are always enough, and there is a base address because `count` is not 0.
            initialized = unsafe buffer.baseAddress.map { unsafe decode(to: $0) } ?? 0
        }
    }

    /// Passes the contents with escapes resolved to `body`, and copies them only if there are escapes.
    package func withDecoded<Result>(_ body: (BorrowedText) -> Result) -> Result {
        guard hasEscapes else { return body(raw) }
        // SOUND: the bytes live until the closure returns; without any, the text is empty.
        return unsafe decodedBytes.withUnsafeBufferPointer { bytes in
            unsafe body(bytes.baseAddress.map { unsafe BorrowedText(start: $0, count: bytes.count) } ?? .empty)
        }
    }

    /// A copy of the contents with escapes resolved.
    @usableFromInline package var string: String {
        hasEscapes ? String(decoding: decodedBytes, as: UTF8.self) : raw.string
    }

    /// Writes the contents with escapes resolved to `out`, which has room for `count` bytes, and returns how many it
    /// wrote.
    ///
    /// No escape is shorter than what it stands for: `\n` has 2 bytes for 1, `\u0041` has 6 for at most 3, a surrogate
    /// pair has 12 for 4.
    package func decode(to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the runs together have at most `count` bytes, for which `out` has room.
        var written = 0
        unsafe forEachDecodedRun { run, count in
            unsafe Memory.copy(run, to: out + written, count: count)
            written += count
        }
        return written
    }

    /// The offset in `raw` of the byte that decodes to byte `position` of the decoded contents. O(count).
    package func rawOffset(ofDecoded position: Int) -> Int {
        // SOUND: `index` is below `count`, and the decoded bytes are not read.
        guard hasEscapes else { return min(position, count) }
        var decoded = 0
        var index = 0
        while index < count {
            var next = index
            let length = unsafe decodeOne(&next) { _ in }
            if decoded + length > position { return length == next - index ? index + position - decoded : index }
            decoded += length
            index = next
        }
        return count
    }

    /// The number of decoded bytes for the characters and escapes within the first `position` bytes of `raw`.
    /// O(position).
    package func decodedOffset(ofRaw position: Int) -> Int {
        // SOUND: `index` is below `count`, and the decoded bytes are not read.
        guard hasEscapes else { return min(max(position, 0), count) }
        var decoded = 0
        var index = 0
        while index < count {
            var next = index
            let length = unsafe decodeOne(&next) { _ in }
            if next > position { break }
            decoded += length
            index = next
        }
        return decoded
    }

    @inline(__always)
    private func forEachDecodedRun(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        // SOUND: `index` is below `count`, and the search stays within the string.
        var index = 0
        while index < count {
            if unsafe start[index] != UInt8(ascii: "\\") {
                let rest = count - index
                let length = unsafe Memory.firstOffset(of: 0x5C, in: start + index, count: rest) ?? rest
                unsafe body(start + index, length)
                index += length
            } else {
                _ = unsafe decodeOne(&index) { run in unsafe body(run.0, run.1) }
            }
        }
    }

    /// Decodes the byte or the escape at `index`, moves `index` past it, and returns the number of decoded bytes.
    @inline(__always)
    private func decodeOne(_ index: inout Int, _ body: ((UnsafePointer<UInt8>, Int)) -> Void) -> Int {
        // SOUND: `index` is below `count`. The scanner has validated the escapes, and `codeUnit` and `isUnicodeEscape`
        // check the length.
        guard unsafe start[index] == UInt8(ascii: "\\"), index + 1 < count else {
            unsafe body((start + index, 1))
            index += 1
            return 1
        }
        let letter = unsafe start[index + 1]
        var scalar: UInt32
        switch letter {
        case UInt8(ascii: "b"): scalar = 0x08
        case UInt8(ascii: "f"): scalar = 0x0C
        case UInt8(ascii: "n"): scalar = 0x0A
        case UInt8(ascii: "r"): scalar = 0x0D
        case UInt8(ascii: "t"): scalar = 0x09
        case UInt8(ascii: "u"):
            scalar = codeUnit(at: index + 2)
            index += 6
            if scalar & 0xF800 == 0xD800 {
                let low = scalar < 0xDC00 && isUnicodeEscape(at: index) ? codeUnit(at: index + 2) : 0
                if low & 0xFC00 == 0xDC00 {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
                    index += 6
                } else {
                    scalar = 0xFFFD
                }
            }
            return unsafe emit(scalar, body)
        default: scalar = UInt32(letter)
        }
        index += 2
        return unsafe emit(scalar, body)
    }

    @inline(__always)
    private func emit(_ scalar: UInt32, _ body: ((UnsafePointer<UInt8>, Int)) -> Void) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { buffer in
            // SOUND: the buffer has a base address because its capacity is not 0, and no scalar takes more than 4 bytes.
            guard let base = buffer.baseAddress, let bytes = Unicode.Scalar(scalar).flatMap(UTF8.encode) else {
                return 0
            }
            var length = 0
            for byte in bytes {
                unsafe base[length] = byte
                length += 1
            }
            unsafe body((UnsafePointer(base), length))
            return length
        }
    }

    private func isUnicodeEscape(at index: Int) -> Bool {
        // SOUND: the length is compared before the bytes are read.
        unsafe index + 6 <= count && start[index] == UInt8(ascii: "\\") && start[index + 1] == UInt8(ascii: "u")
    }

    private func codeUnit(at index: Int) -> UInt32 {
        // SOUND: the length was compared before the bytes are read.
        guard index + 4 <= count else { return 0xFFFD }
        var value: UInt32 = 0
        for position in index..<index + 4 { value = unsafe value << 4 | UInt32(start[position].hexadecimalDigit ?? 0) }
        return value
    }
}

extension JSONString {
    /// True if the decoded contents equal `name`.
    @inlinable
    @inline(__always)
    package static func == (string: JSONString, name: StaticString) -> Bool {
        // SOUND: both sides have as many bytes as are compared.
        // An escape makes the count compared here odd, so texts without escapes need no check of their own.
        if string.countAndEscapes == name.utf8CodeUnitCount &<< 1 {
            return unsafe Memory.isEqual(string.start, name.utf8Start, count: name.utf8CodeUnitCount)
        }
        return string.hasEscapes && string.decodedEquals(name)
    }

    /// Lets the cases of a `switch` be names.
    @inlinable
    @inline(__always)
    package static func ~= (name: StaticString, string: JSONString) -> Bool { string == name }

    @usableFromInline
    func decodedEquals(_ name: StaticString) -> Bool {
        // SOUND: the counts are equal, and both sides have that many bytes.
        let bytes = decodedBytes
        return unsafe bytes.count == name.utf8CodeUnitCount && Memory.isEqual(bytes, name.utf8Start, count: bytes.count)
    }

    /// True if the decoded contents equal `name`, byte by byte: Swift's `==` for strings would also match names that differ in
    /// normalization.
    package func equals(_ name: [UInt8]) -> Bool {
        // SOUND: the counts are equal, and both sides have that many bytes.
        if hasEscapes { return decodedBytes == name }
        return unsafe count == name.count && Memory.isEqual(start, name, count: count)
    }

    /// True if two strings have the same decoded contents.
    package static func == (left: JSONString, right: JSONString) -> Bool {
        // SOUND: the counts are equal, and both sides have that many bytes.
        if left.hasEscapes || right.hasEscapes { return left.decodedBytes == right.decodedBytes }
        return unsafe left.count == right.count && Memory.isEqual(left.start, right.start, count: left.count)
    }
}

/// The form of a text in which its bytes are counted.
package enum TextMeasure: Sendable {
    /// The text as written between the quotes, with its escapes.
    case written
    /// The text in UTF-8, with its escapes resolved.
    case decoded
}

/// A text that can be shortened at its end, with `…` after what is left. Valid only as long as the text is.
package struct ShortenableText {
    /// The part of a text that is kept.
    package struct Beginning: Equatable {
        /// Length in bytes as written.
        package var writtenCount: Int
        /// Length in bytes as measured, including the ellipsis.
        @usableFromInline package var length: Int
    }

    private let string: JSONString
    private let measure: TextMeasure
    private let decoded: String
    /// `…` as JSON text: escaped in a text that escapes all characters outside ASCII.
    package let ellipsis: StaticString
    /// Length of the whole text in bytes as measured.
    @usableFromInline package let length: Int
    /// Length of the ellipsis in bytes as measured.
    private let ellipsisLength: Int

    /// Copies the text. O(bytes).
    package init(_ string: JSONString, measure: TextMeasure) {
        // SOUND: the string's bytes are alive during the call.
        self.string = string
        self.measure = measure
        decoded = string.string
        let isEscaped =
            unsafe string.hasEscapes && string.raw.buffer.allSatisfy { $0 < 0x80 }
            && decoded.utf8.contains { $0 >= 0x80 }
        ellipsis = isEscaped ? #"\u2026"# : "…"
        length = measure == .written ? string.count : decoded.utf8.count
        ellipsisLength = measure == .written ? ellipsis.utf8CodeUnitCount : 3
    }

    /// The shortest possible length in bytes as measured: the ellipsis alone, or the whole text when that is shorter.
    package var minimumLength: Int { min(length, ellipsisLength) }

    /// As much of the beginning as fits in `bytes` with the ellipsis, and at least the ellipsis. O(bytes).
    ///
    /// It ends between two grapheme clusters, so that no emoji and no escape is split, and not in white space.
    package func beginning(in bytes: Int) -> Beginning {
        let room = max(bytes, ellipsisLength) - ellipsisLength
        let decodedRoom = measure == .written ? string.decodedOffset(ofRaw: room) : room
        var end = decoded.startIndex
        while end < decoded.endIndex {
            let next = decoded.index(after: end)
            if decoded.utf8.distance(from: decoded.startIndex, to: next) > decodedRoom { break }
            end = next
        }
        var beginning = decoded[..<end]
        while beginning.last?.unicodeScalars.allSatisfy(\.properties.isWhitespace) ?? false { beginning.removeLast() }
        let kept = beginning.utf8.count
        let writtenCount = string.rawOffset(ofDecoded: kept)
        return Beginning(
            writtenCount: writtenCount, length: (measure == .written ? writtenCount : kept) + ellipsisLength)
    }
}

/// Exact values of JSON numbers.
@usableFromInline package enum JSONNumber {
    /// The value of an integer literal (no fraction, no exponent) that fits in 64 bits; nil otherwise.
    @usableFromInline package static func int64(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        // SOUND: reads only through the buffer's own iterator.
        var digits = unsafe text[...]
        let isNegative = unsafe digits.first == UInt8(ascii: "-")
        if isNegative { unsafe digits = digits.dropFirst() }
        guard unsafe !digits.isEmpty else { return nil }
        var value: Int64 = 0
        var bytes = unsafe digits.makeIterator()
        if unsafe digits.count <= 18 {
            // Too few to overflow.
            while let byte = unsafe bytes.next() {
                guard byte &- UInt8(ascii: "0") < 10 else { return nil }
                value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
            }
            return isNegative ? -value : value
        }
        while let byte = unsafe bytes.next() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = product.subtractingReportingOverflow(digit)
            if overflowed || overflowedAgain { return nil }
            value = sum  // negative until the end: the range is larger on that side
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// The nearest double to a number literal; nil when it is beyond the largest double.
    package static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        // SOUND: copies exactly the buffer's bytes.
        guard let value = unsafe Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// True if an integer literal fits in 64 bits, or one with a fraction or an exponent in a double.
    static func isRepresentable(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // SOUND: reads only through the buffer's own iterator.
        let isInteger = unsafe text.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
        return unsafe isInteger ? int64(text) != nil : double(text) != nil
    }
}
