import PushSystem

/// Input bytes that have been read and not yet consumed.
///
/// Records are read in place, so bytes move only between chunks: to the front, when the space after them is used up.
/// The buffer is the only owner of its memory, so it may move between threads.
@safe  // SOUND: owns `base`; `start` and `end` stay within `capacity`.
package struct InputBuffer: ~Copyable, @unchecked Sendable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private var start = 0
    private var end = 0

    /// - Parameter capacity: the bytes that fit at first.
    package init(capacity: Int = 512 << 10) {
        self.capacity = capacity
        // SOUND: allocates `capacity` bytes, which `deinit` or `makeRoom` frees.
        unsafe base = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit {
        // SOUND: `base` was allocated here, and nothing else frees it.
        unsafe base.deallocate()
    }

    package var count: Int { end - start }

    /// Valid until the next change.
    package var bytes: UnsafeRawBufferPointer {
        // SOUND: `start` and `end` enclose the bytes that were written.
        unsafe UnsafeRawBufferPointer(start: base + start, count: end - start)
    }

    /// Space for at least `minimum` more bytes.
    package mutating func freeSpace(atLeast minimum: Int) -> UnsafeMutableRawBufferPointer {
        // SOUND: the space is what is left of `capacity` from `end` on.
        if capacity - end < minimum { makeRoom(minimum) }
        return unsafe UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end)
    }

    /// Takes over bytes that were written into the free space.
    package mutating func didWrite(_ count: Int) { end += count }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // SOUND: there is room for all the bytes, which come from another allocation.
        unsafe freeSpace(atLeast: bytes.count).copyBytes(from: bytes)
        end += bytes.count
    }

    mutating func removeAll() {
        start = 0
        end = 0
    }

    /// Removes bytes at the beginning.
    package mutating func drop(_ count: Int) {
        start += min(count, end - start)
        if start == end {
            start = 0
            end = 0
        }
    }

    private mutating func makeRoom(_ minimum: Int) {
        // SOUND: both places have room for `count` bytes, `move` lets them overlap, and the old memory is not used once
        // it is freed.
        let count = end - start
        if capacity - count >= minimum, count <= capacity / 2 {
            unsafe Memory.move(base + start, to: base, count: count)
        } else {
            capacity = max(capacity * 2, count + minimum)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
            unsafe Memory.copy(base + start, to: larger, count: count)
            unsafe base.deallocate()
            unsafe base = unsafe larger
        }
        start = 0
        end = count
    }
}
