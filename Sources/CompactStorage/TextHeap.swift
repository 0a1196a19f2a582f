/// Memory for the texts of notifications: millions of blocks of some hundred bytes, made and freed in any order.
///
/// Blocks are cut from large regions one behind the other, and a freed block waits for the next text of its size, rounded up to 16
/// bytes. A block has no header. What was once in use stays with the heap until all is freed.
package struct TextHeap: ~Copyable {
    @inlinable static var granularity: Int { 16 }
    /// Larger blocks come from `malloc`, and so there are few lists of free ones.
    @inlinable static var largestBlock: Int { 8192 }
    @inlinable static var listCount: Int { largestBlock / granularity + 1 }

    @usableFromInline var regions: [UnsafeMutableRawPointer] = []
    /// Of the regions, those that blocks have been cut from; there are others after `removeAll`.
    @usableFromInline var begunCount = 0
    /// Where the unused part of the last region begins.
    @usableFromInline var unused: UnsafeMutableRawPointer
    @usableFromInline var unusedCount = 0
    /// Blocks that the heap does not own.
    @usableFromInline package internal(set) var largeCount = 0
    /// By size in units of `granularity`: the first free block, each of which begins with the address of the next.
    @usableFromInline var freeBlocks: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    package init() {
        freeBlocks = .allocate(capacity: Self.listCount)
        freeBlocks.initialize(repeating: nil, count: Self.listCount)
        unused = UnsafeMutableRawPointer(freeBlocks)  // of which nothing is unused
    }

    deinit {
        for region in regions { region.deallocate() }
        freeBlocks.deallocate()
    }

    /// A block of `count` bytes, aligned to 16.
    package mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        guard count <= Self.largestBlock else {
            largeCount += 1
            return .allocate(capacity: count)
        }
        let units = (max(count, 1) + Self.granularity - 1) / Self.granularity
        if let block = freeBlocks[units] {
            freeBlocks[units] = block.load(as: UnsafeMutableRawPointer?.self)
            return block.assumingMemoryBound(to: UInt8.self)
        }
        let size = units * Self.granularity
        if unusedCount < size { addRegion() }
        let block = unused
        unused = block + size
        unusedCount -= size
        return block.assumingMemoryBound(to: UInt8.self)
    }

    /// Takes a block back. `count` is what it was asked for with.
    package mutating func deallocate(_ block: UnsafeMutablePointer<UInt8>, _ count: Int) {
        guard count <= Self.largestBlock else {
            largeCount -= 1
            block.deallocate()
            return
        }
        let units = (max(count, 1) + Self.granularity - 1) / Self.granularity
        // SOUND: a block has at least 16 bytes, is aligned for an address, and nobody else knows it any more.
        let raw = UnsafeMutableRawPointer(block)
        raw.storeBytes(of: freeBlocks[units], as: UnsafeMutableRawPointer?.self)
        freeBlocks[units] = raw
    }

    /// Gives a block back when it is one that does not go with the heap.
    package static func freeIfLarge(_ block: UnsafeMutablePointer<UInt8>, _ count: Int) {
        if count > largestBlock { block.deallocate() }
    }

    /// Forgets all blocks, but for those that it does not own, and keeps the regions for what comes next.
    package mutating func removeAll() {
        freeBlocks.update(repeating: nil, count: Self.listCount)
        begunCount = 0
        unusedCount = 0
        largeCount = 0
    }

    @inlinable mutating func addRegion() {
        // What is left of the last region is less than a block, and given up.
        if begunCount == regions.count { regions.append(MemoryRegion.allocate()) }
        let region = regions[begunCount]
        begunCount += 1
        unused = region
        unusedCount = MemoryRegion.size
    }
}
