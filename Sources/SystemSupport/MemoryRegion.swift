#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Memory in regions that the system can back with one huge page each. With small pages, a delivery spends more time on
/// page faults than on the notification.
@usableFromInline
package enum MemoryRegion {
    /// Bytes of a region: a huge page on x86-64, and on arm64 with pages of 4 KiB.
    @inlinable
    package static var size: Int { 2 << 20 }  // 2 MiB

    /// Allocates a region, aligned to its size. The caller frees it with `deallocate()`.
    ///
    /// - Parameter usesHugePage: false for a region of which little may be used: the system clears a huge page as a whole.
    @usableFromInline
    package static func allocate(usesHugePage: Bool = true) -> UnsafeMutableRawPointer {
        let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
        if usesHugePage { unsafe advise(region, size) }
        return unsafe region
    }

    /// Allocates any number of bytes, aligned to 64 and to huge pages if there are enough for one. The caller frees them
    /// with `deallocate()`.
    @usableFromInline
    package static func allocate(bytes: Int) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: bytes < size ? 64 : size)
        if bytes >= size { unsafe advise(memory, bytes) }
        return unsafe memory
    }

    private static func advise(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        #if os(Linux)
            // SOUND: the range was just allocated. The advice may be ignored, so the result does not matter.
            unsafe madvise(memory, count, MADV_HUGEPAGE)
        #endif
    }
}
