import SystemSupport

/// Memory for a chunk's texts that are not in the input as they are: unescaped strings, derived payloads. `reset` frees
/// all of it at once; until then addresses do not change.
package struct ScratchArena: ~Copyable {
    private static let blockSize = 64 * 1024  // 64 KiB

    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var current = 0
    private var used = 0

    package init() {}

    deinit { for block in blocks { block.deallocate() } }

    package mutating func reset() {
        // Larger blocks were allocated for one large text each. Keeping them would keep the largest chunk's memory
        // forever.
        if blocks.contains(where: { $0.count > Self.blockSize }) {
            for block in blocks where block.count > Self.blockSize { block.deallocate() }
            blocks.removeAll { $0.count > Self.blockSize }
        }
        current = 0
        used = 0
    }

    package mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        while current < blocks.count {
            let block = blocks[current]
            if block.count - used >= count, let base = block.baseAddress {
                defer { used += count }
                return base + used
            }
            current += 1
            used = 0
        }
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, Self.blockSize))
        blocks.append(block)
        current = blocks.count - 1
        used = count
        // A buffer with a capacity above 0 has a base address.
        return block.baseAddress ?? UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    }

    /// A copy that lives until `reset`.
    package mutating func copy(_ bytes: UnsafeRawBufferPointer) -> BorrowedText {
        let out = allocate(bytes.count)
        if let base = bytes.baseAddress { Memory.copy(base, to: out, count: bytes.count) }
        return BorrowedText(start: out, count: bytes.count)
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
        let out = allocate(string.count)
        return BorrowedText(start: out, count: string.decode(to: out))
    }
}
