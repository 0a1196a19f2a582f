public import SystemSupport

/// UTF-8 bytes owned by someone else: the input, or a pipeline's scratch memory.
///
/// Valid only for the duration of the call that hands it out. Take `string` to keep it.
@frozen
public struct BorrowedText {
    /// The first byte. Must not be read when `count` is 0.
    public let start: UnsafePointer<UInt8>
    /// The length in bytes.
    public let count: Int

    /// Borrows `count` bytes of UTF-8.
    @inlinable
    public init(start: UnsafePointer<UInt8>, count: Int) {
        self.start = start
        self.count = count
    }

    /// Borrows a literal, which lives as long as the program.
    @inlinable
    public init(_ literal: StaticString) {
        self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    /// Empty text.
    @inlinable
    public static var empty: BorrowedText { BorrowedText("") }

    /// Whether there are no bytes.
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// The bytes as a typed buffer.
    @inlinable
    public var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// The bytes as an untyped buffer.
    @inlinable
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Calls `body` with a string's UTF-8 bytes.
    package static func with<Result>(_ string: String, _ body: (BorrowedText) throws -> Result) rethrows -> Result {
        var string = string
        return try string.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return try body(.empty) }
            return try body(BorrowedText(start: start, count: bytes.count))
        }
    }

    /// A copy that outlives the call.
    public var string: String { String(decoding: buffer, as: UTF8.self) }

    /// Whether the bytes equal those of a literal.
    @inlinable
    @inline(__always)
    public static func == (text: BorrowedText, other: StaticString) -> Bool {
        text.count == other.utf8CodeUnitCount && Memory.isEqual(text.start, other.utf8Start, count: text.count)
    }

    /// Whether both texts have the same bytes.
    @inlinable
    public static func == (text: BorrowedText, other: BorrowedText) -> Bool {
        text.count == other.count && Memory.isEqual(text.start, other.start, count: text.count)
    }

    /// Whether the bytes begin with those of a literal.
    @inlinable
    public func hasPrefix(_ prefix: StaticString) -> Bool {
        count >= prefix.utf8CodeUnitCount && Memory.isEqual(start, prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    }

    /// Whether the bytes end with those of a literal.
    @inlinable
    public func hasSuffix(_ suffix: StaticString) -> Bool {
        let length = suffix.utf8CodeUnitCount
        return count >= length && Memory.isEqual(start + count - length, suffix.utf8Start, count: length)
    }
}
