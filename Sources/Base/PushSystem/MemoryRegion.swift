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

    /// Allocates memory that begins with a region, aligned to the size of one. The caller frees it with `deallocate()`.
    ///
    /// - Parameter usesHugePages: false for memory of which little may be used: the system clears a huge page as a whole, so
    ///   the first region gets small ones.
    @usableFromInline
    package static func allocate(_ bytes: Int = size, usesHugePages: Bool = true) -> UnsafeMutableRawPointer {
        // SOUND: the advice is about what was just allocated.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: size)
        let small = usesHugePages ? 0 : size
        if bytes > small { unsafe advise(memory + small, bytes - small) }
        return unsafe memory
    }

    /// Maps memory that is all 0, for a table that grows: a large one goes back to the system as soon as it is unmapped,
    /// whereas `malloc` keeps the smaller ones it was copied from. The caller gives it back with `unmap`.
    ///
    /// - Parameter bytes: above 0. At least the size of a region, the memory is aligned to huge pages.
    @usableFromInline
    package static func map(_ bytes: Int) -> UnsafeMutableRawPointer {
        guard bytes >= size else {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
            unsafe memset(memory, 0, bytes)
            return unsafe memory
        }
        // SOUND: maps a region more than needed, and gives back what is before and after the aligned part. Both are whole
        // pages, because a region and the table are.
        let spare = bytes + size
        guard let start = unsafe mmap(nil, spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe start != MAP_FAILED
        else {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: size)
            unsafe memset(memory, 0, bytes)
            return unsafe memory
        }
        let before = (size - Int(bitPattern: start) % size) % size
        if before > 0 { unsafe munmap(start, before) }
        let memory = unsafe start + before
        if spare - before > bytes { unsafe munmap(memory + bytes, spare - before - bytes) }
        unsafe advise(memory, bytes)
        return unsafe memory
    }

    /// Gives back memory from `map`.
    @usableFromInline
    package static func unmap(_ memory: UnsafeMutableRawPointer, _ bytes: Int) {
        // SOUND: the caller passes what `map` returned, and how many bytes it asked for.
        if bytes >= size { unsafe munmap(memory, bytes) } else { unsafe memory.deallocate() }
    }

    private static func advise(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        #if os(Linux)
            // SOUND: the range was just allocated. The advice may be ignored, so the result does not matter.
            unsafe madvise(memory, count, MADV_HUGEPAGE)
        #endif
    }
}
