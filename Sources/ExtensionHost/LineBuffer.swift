import SystemSupport

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

    /// Reads once, and returns the number of bytes, 0 at the end.
    mutating func read(from descriptor: FileDescriptor) throws(SystemError) -> Int {
        if capacity - end < Self.step / 2 { makeRoom() }
        let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end))
        end += count
        return count
    }

    private mutating func makeRoom() {
        if start > 0 {
            Memory.move(base + start, to: base, count: end - start)
        }
        end -= start
        searched -= start
        start = 0
        guard capacity - end < Self.step / 2 else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        Memory.copy(base, to: larger, count: end)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// The next complete line, without its line feed. Valid until the next read.
    mutating func nextLine() -> UnsafeRawBufferPointer? {
        let newline = UInt8(ascii: "\n")
        guard let offset = Memory.firstOffset(of: newline, in: base + searched, count: end - searched) else {
            searched = end
            return nil
        }
        let position = searched + offset
        let line = UnsafeRawBufferPointer(start: base + start, count: position - start)
        start = position + 1
        searched = start
        return line
    }
}
