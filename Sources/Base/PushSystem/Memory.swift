public import CPushSystemCalls

#if canImport(Darwin)
    public import Darwin
#elseif canImport(Musl)
    public import Musl
#else
    public import Glibc
#endif

/// C's memory functions, inlined into every module. With a count that the compiler knows, a call becomes a few loads and stores.
///
/// Every count is in bytes, and each range of so many bytes must be valid memory. A count of 0 touches nothing.
@usableFromInline
package enum Memory {
    /// Copies bytes between ranges that do not overlap.
    @inlinable
    @inline(__always)
    @unsafe
    package static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
        // SOUND: the caller vouches for both ranges.
        unsafe memcpy(target, source, count)
    }

    /// Copies bytes between ranges that may overlap.
    @inlinable
    @inline(__always)
    @unsafe
    package static func move(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
        // SOUND: the caller vouches for both ranges.
        unsafe memmove(target, source, count)
    }

    /// True if two ranges hold the same bytes.
    @inlinable
    @inline(__always)
    @unsafe
    package static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        // SOUND: the caller vouches for both ranges.
        unsafe memcmp(left, right, count) == 0
    }

    /// Begins to load the cache line of an address, which need not be valid, and waits for nothing.
    @inlinable
    @inline(__always)
    @unsafe
    package static func prefetch(_ address: UnsafeRawPointer) {
        // SOUND: the processor ignores an address that it cannot load.
        unsafe system_prefetch(address)
    }

    /// Offset of the first such byte; nil when there is none.
    @inlinable
    @inline(__always)
    @unsafe
    package static func firstOffset(of byte: UInt8, in start: UnsafeRawPointer, count: Int) -> Int? {
        // SOUND: the caller vouches for the range, and what is found lies in it.
        unsafe memchr(start, Int32(byte), count).map { unsafe UnsafeRawPointer($0) - start }
    }
}
