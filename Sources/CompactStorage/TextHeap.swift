public import SystemSupport

/// An allocator for the texts of notifications: millions of blocks of a few hundred bytes, allocated and freed in any
/// order.
///
/// Blocks are cut from large regions one after another. A freed block is reused for the next text of its size, rounded
/// up to 16 bytes. Blocks have no headers. The heap keeps its memory until it is destroyed.
public struct TextHeap: ~Copyable {
    @inlinable static var granularity: Int { 16 }
    /// Larger blocks come from `malloc`, which keeps the number of free lists small.
    @inlinable static var largestBlock: Int { 8192 }
    @inlinable static var listCount: Int { largestBlock / granularity + 1 }

    @usableFromInline var regions: [UnsafeMutableRawPointer] = []
    /// The number of regions that blocks have been cut from. After `removeAll` there are more regions than that.
    @usableFromInline var begunCount = 0
    /// Start of the unused part of the last region.
    @usableFromInline var unused: UnsafeMutableRawPointer
    @usableFromInline var unusedCount = 0
    @usableFromInline var large = 0
    /// Number of blocks from `malloc`.
    @inlinable public var largeCount: Int { large }
    /// The first free block of each size, in units of `granularity`. A free block begins with the address of the next
    /// one.
    @usableFromInline var freeBlocks: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    /// Empty.
    public init() {
        freeBlocks = .allocate(capacity: Self.listCount)
        freeBlocks.initialize(repeating: nil, count: Self.listCount)
        unused = UnsafeMutableRawPointer(freeBlocks)  // no part of it is unused
    }

    deinit {
        for region in regions { region.deallocate() }
        freeBlocks.deallocate()
    }

    /// Allocates `count` bytes, aligned to 16.
    @inlinable public mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        guard count <= Self.largestBlock else {
            large += 1
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

    /// Frees a block. `count` is the size that it was allocated with.
    @inlinable public mutating func deallocate(_ block: UnsafeMutablePointer<UInt8>, _ count: Int) {
        guard count <= Self.largestBlock else {
            large -= 1
            block.deallocate()
            return
        }
        let units = (max(count, 1) + Self.granularity - 1) / Self.granularity
        // SOUND: a block has at least 16 bytes, is aligned for a pointer, and is no longer in use.
        let raw = UnsafeMutableRawPointer(block)
        raw.storeBytes(of: freeBlocks[units], as: UnsafeMutableRawPointer?.self)
        freeBlocks[units] = raw
    }

    /// Frees a block from `malloc`; does nothing for one that is part of a heap.
    @inlinable public static func freeIfLarge(_ block: UnsafeMutablePointer<UInt8>, _ count: Int) {
        if count > largestBlock { block.deallocate() }
    }

    /// Frees all blocks except those from `malloc`, and keeps the regions for reuse.
    public mutating func removeAll() {
        freeBlocks.update(repeating: nil, count: Self.listCount)
        begunCount = 0
        unusedCount = 0
        large = 0
    }

    @inlinable mutating func addRegion() {
        // The rest of the last region is smaller than the block, and is wasted.
        if begunCount == regions.count { regions.append(MemoryRegion.allocate()) }
        let region = regions[begunCount]
        begunCount += 1
        unused = region
        unusedCount = MemoryRegion.size
    }
}
