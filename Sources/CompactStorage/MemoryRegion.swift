#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Memory in pieces that the system can back with one huge page each. With small pages, a delivery spends more time on
/// page faults than on the notification.
public enum MemoryRegion {
    /// A huge page on x86-64, and on arm64 with pages of 4 KiB.
    public static let size = 2 << 20  // 2 MiB

    /// Allocates a region. The caller frees it with `deallocate()`.
    public static func allocate() -> UnsafeMutableRawPointer {
        let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
        #if os(Linux)
            // A hint that the system may ignore.
            madvise(region, size, MADV_HUGEPAGE)
        #endif
        return region
    }
}
