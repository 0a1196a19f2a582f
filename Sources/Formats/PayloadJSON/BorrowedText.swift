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
        // SOUND: as above.
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
