public import SystemSupport

/// An allocator for the texts of notifications: millions of blocks of a few hundred bytes, allocated and freed in any
/// order.
///
/// Blocks are cut from large regions one after another. A freed block is reused for the next text of its size, rounded
/// up to 16 bytes. Blocks have no headers. The heap keeps its memory until it is destroyed.
@safe  // SOUND: owns its regions; only addresses of blocks leave it, as unsafe pointers.
public struct TextHeap: ~Copyable {
    @inlinable static var granularity: Int { 16 }
    /// Larger blocks come from `malloc`, which keeps the number of free lists small.
    @inlinable static var largestBlock: Int { 8192 }
    @inlinable static var listCount: Int { largestBlock / granularity + 1 }

    // SOUND: every element points to a region that the heap owns.
    @usableFromInline var regions: [UnsafeMutableRawPointer] = unsafe []
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
        // SOUND: `freeBlocks` has room for as many lists as are initialized. `unused` is not read while `unusedCount`
        // is 0.
        unsafe freeBlocks = .allocate(capacity: Self.listCount)
        unsafe freeBlocks.initialize(repeating: nil, count: Self.listCount)
        unsafe unused = UnsafeMutableRawPointer(freeBlocks)  // no part of it is unused
    }

    deinit {
        // SOUND: regions and lists were allocated here, and are freed once. Blocks are not used after their heap.
        for index in unsafe regions.indices { unsafe regions[index].deallocate() }
        unsafe freeBlocks.deallocate()
    }

    /// Allocates `count` bytes, aligned to 16.
    @inlinable public mutating func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        // SOUND: `units` is below `listCount`. A free block begins with the address of the next one, and a new block
        // lies within the last region.
        guard count <= Self.largestBlock else {
            large += 1
            return .allocate(capacity: count)
        }
        let units = (max(count, 1) + Self.granularity - 1) / Self.granularity
        if let block = unsafe freeBlocks[units] {
            unsafe freeBlocks[units] = block.load(as: UnsafeMutableRawPointer?.self)
            return unsafe block.assumingMemoryBound(to: UInt8.self)
        }
        let size = units * Self.granularity
        if unusedCount < size { addRegion() }
        let block = unsafe unused
        unsafe unused = block + size
        unusedCount -= size
        return unsafe block.assumingMemoryBound(to: UInt8.self)
    }

    /// Frees a block. `count` is the size that it was allocated with.
    @inlinable public mutating func deallocate(_ block: UnsafeMutablePointer<UInt8>, _ count: Int) {
        guard count <= Self.largestBlock else {
            large -= 1
            unsafe block.deallocate()
            return
        }
        let units = (max(count, 1) + Self.granularity - 1) / Self.granularity
        // SOUND: a block has at least 16 bytes, is aligned for a pointer, and is no longer in use.
        let raw = UnsafeMutableRawPointer(block)
        unsafe raw.storeBytes(of: freeBlocks[units], as: UnsafeMutableRawPointer?.self)
        unsafe freeBlocks[units] = raw
    }

    /// Frees a block from `malloc`; does nothing for one that is part of a heap.
    @inlinable public static func freeIfLarge(_ block: UnsafeMutablePointer<UInt8>, _ count: Int) {
        // SOUND: a block of this size is from `malloc`, and the caller no longer uses it.
        if count > largestBlock { unsafe block.deallocate() }
    }

    /// Frees all blocks except those from `malloc`, and keeps the regions for reuse.
    public mutating func removeAll() {
        // SOUND: `freeBlocks` has `listCount` initialized elements.
        unsafe freeBlocks.update(repeating: nil, count: Self.listCount)
        begunCount = 0
        unusedCount = 0
        large = 0
    }

    @inlinable mutating func addRegion() {
        // SOUND: regions are appended before they are indexed, and `unused` is the start of a whole region.
        // The rest of the last region is smaller than the block, and is wasted.
        if unsafe begunCount == regions.count { unsafe regions.append(MemoryRegion.allocate()) }
        let region = unsafe regions[begunCount]
        begunCount += 1
        unsafe unused = region
        unusedCount = MemoryRegion.size
    }
}
