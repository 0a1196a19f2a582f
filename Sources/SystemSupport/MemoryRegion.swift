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
    @usableFromInline
    package static func allocate() -> UnsafeMutableRawPointer {
        let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
        #if os(Linux)
            // SOUND: the range was just allocated. The advice may be ignored, so the result does not matter.
            unsafe madvise(region, size, MADV_HUGEPAGE)
        #endif
        return unsafe region
    }
}
