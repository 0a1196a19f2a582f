import PushSystem

/// Splits what is read from a pipe into lines, and keeps the incomplete last one.
@safe  // SOUND: owns `base`; `start` and `end` stay within `capacity`.
struct LineBuffer: ~Copyable {
    private static let step = 64 << 10  // 64 KiB

    private var base = UnsafeMutablePointer<UInt8>.allocate(capacity: LineBuffer.step)
    private var capacity = LineBuffer.step
    private var start = 0
    private var end = 0
    /// Where the search for the next line feed continues.
    private var searched = 0

    deinit {
        // SOUND: `base` was allocated here, and nothing else frees it.
        unsafe base.deallocate()
    }

    var count: Int { end - start }

    mutating func removeAll() {
        start = 0
        end = 0
        searched = 0
    }

    /// Reads once, and returns the number of bytes, 0 at the end.
    mutating func read(from descriptor: FileDescriptor) throws(SystemError) -> Int {
        // SOUND: the call writes at most what is left of `capacity` from `end` on.
        if capacity - end < Self.step / 2 { makeRoom() }
        let count = try unsafe descriptor.read(
            into: UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end))
        end += count
        return count
    }

    private mutating func makeRoom() {
        // SOUND: both places have room for the bytes, `move` lets them overlap, and the old memory is not used once it
        // is freed.
        if start > 0 {
            unsafe Memory.move(base + start, to: base, count: end - start)
        }
        end -= start
        searched -= start
        start = 0
        guard capacity - end < Self.step / 2 else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        unsafe Memory.copy(base, to: larger, count: end)
        unsafe base.deallocate()
        unsafe base = unsafe larger
        capacity *= 2
    }

    /// The next complete line, without its line feed. Valid until the next read.
    mutating func nextLine() -> UnsafeRawBufferPointer? {
        // SOUND: `start`, `searched` and `position` are at most `end`, up to which there are bytes.
        let newline = UInt8(ascii: "\n")
        guard let offset = unsafe Memory.firstOffset(of: newline, in: base + searched, count: end - searched) else {
            searched = end
            return nil
        }
        let position = searched + offset
        let line = unsafe UnsafeRawBufferPointer(start: base + start, count: position - start)
        start = position + 1
        searched = start
        return unsafe line
    }
}
