import PushSystem

/// Memory for a chunk's texts that are not in the input as they are: unescaped strings, derived payloads. `reset` frees
/// all of it at once; until then addresses do not change.
@safe  // SOUND: owns its blocks, and hands out parts that do not overlap.
package struct ScratchArena: ~Copyable {
    private static let blockSize = 64 * 1024  // 64 KiB

    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = unsafe []
    private var current = 0
    private var used = 0

    package init() {}

    deinit {
        // SOUND: every element is a block that the arena owns.
        // SOUND: each block was allocated here, and is freed once.
        for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    }

    package mutating func reset() {
        // SOUND: blocks are removed from the list as they are freed.
        // Larger blocks were allocated for one large text each. Keeping them would keep the largest chunk's memory
        // forever.
        if unsafe blocks.contains(where: { $0.count > Self.blockSize }) {
            for index in unsafe blocks.indices where unsafe blocks[index].count > Self.blockSize {
                unsafe blocks[index].deallocate()
            }
            unsafe blocks.removeAll { $0.count > Self.blockSize }
        }
        current = 0
        used = 0
    }

    package mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        // SOUND: the part returned lies within a block, after the parts returned before.
        while unsafe current < blocks.count {
            let block = unsafe blocks[current]
            if block.count - used >= count, let base = block.baseAddress {
                defer { used += count }
                return unsafe base + used
            }
            current += 1
            used = 0
        }
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, Self.blockSize))
        unsafe blocks.append(block)
        current = unsafe blocks.count - 1
        used = count
        // A buffer with a capacity above 0 has a base address.
        return unsafe block.baseAddress ?? UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    }

    /// A copy that lives until `reset`.
    package mutating func copy(_ bytes: UnsafeRawBufferPointer) -> BorrowedText {
        // SOUND: the copy has room for as many bytes as there are.
        let out = unsafe allocate(bytes.count)
        if let base = bytes.baseAddress { unsafe Memory.copy(base, to: out, count: bytes.count) }
        return unsafe BorrowedText(start: out, count: bytes.count)
    }

    /// A copy with ASCII's capital letters in lower case, which lives until `reset`.
    package mutating func lowercased(_ text: BorrowedText) -> BorrowedText {
        // SOUND: the copy has room for as many bytes as there are, and each of them is written.
        let out = unsafe allocate(text.count)
        for index in 0..<text.count {
            let byte = unsafe text.start[index]
            unsafe out[index] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
        }
        return unsafe BorrowedText(start: out, count: text.count)
    }

    /// The string with its escapes resolved: in place if it has none, otherwise a copy that lives until `reset`.
    @inlinable
    @inline(__always)
    package mutating func text(_ string: JSONString) -> BorrowedText {
        string.hasEscapes ? decoded(string) : string.raw
    }

    @usableFromInline
    @inline(never)
    mutating func decoded(_ string: JSONString) -> BorrowedText {
        // SOUND: decoding writes at most `count` bytes, for which there is room.
        let out = unsafe allocate(string.count)
        return unsafe BorrowedText(start: out, count: string.decode(to: out))
    }
}
