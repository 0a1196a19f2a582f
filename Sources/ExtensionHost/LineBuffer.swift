#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Splits what is read from a pipe into lines, and keeps the incomplete last one.
struct LineBuffer: ~Copyable {
    private static let step = 64 << 10  // 64 KiB

    private var base = UnsafeMutablePointer<UInt8>.allocate(capacity: LineBuffer.step)
    private var capacity = LineBuffer.step
    private var start = 0
    private var end = 0
    /// Where the search for the next line feed continues.
    private var searched = 0

    deinit { base.deallocate() }

    var count: Int { end - start }

    mutating func removeAll() {
        start = 0
        end = 0
        searched = 0
    }

    /// What `read(2)` returns: the number of bytes, 0 at the end, -1 with `errno`.
    mutating func read(from descriptor: Int32) -> Int {
        if capacity - end < Self.step / 2 { makeRoom() }
        #if canImport(Darwin)
            let result = Darwin.read(descriptor, base + end, capacity - end)
        #elseif canImport(Musl)
            let result = Musl.read(descriptor, base + end, capacity - end)
        #else
            let result = Glibc.read(descriptor, base + end, capacity - end)
        #endif
        if result > 0 { end += result }
        return result
    }

    private mutating func makeRoom() {
        if start > 0 {
            memmove(base, base + start, end - start)
        }
        end -= start
        searched -= start
        start = 0
        guard capacity - end < Self.step / 2 else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        memcpy(larger, base, end)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// The next complete line, without its line feed. Valid until the next read.
    mutating func nextLine() -> UnsafeRawBufferPointer? {
        guard let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), end - searched) else {
            searched = end
            return nil
        }
        let position = UnsafePointer(base).distance(to: found.assumingMemoryBound(to: UInt8.self))
        let line = UnsafeRawBufferPointer(start: base + start, count: position - start)
        start = position + 1
        searched = start
        return line
    }
}
