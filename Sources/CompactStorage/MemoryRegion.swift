#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Memory in pieces that the system can make of one large page each: with small ones, a delivery spends more time in the kernel,
/// on new pages, than on the notification.
package enum MemoryRegion {
    /// A huge page of x86-64, and of arm64 with pages of 4 KiB.
    package static let size = 2 << 20  // 2 MiB

    /// A region, to be given back with `deallocate()`.
    package static func allocate() -> UnsafeMutableRawPointer {
        let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
        #if os(Linux)
            // Advice that the system may ignore.
            madvise(region, size, MADV_HUGEPAGE)
        #endif
        return region
    }
}
