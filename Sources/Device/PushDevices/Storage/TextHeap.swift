/// A block of a `TextHeap`, in four bytes instead of an address's eight.
struct TextReference: BitwiseCopyable, Equatable, Sendable {
    /// 0: no block. The top bit marks a block from `malloc`, with its index below; otherwise the block's position in the
    /// heap, in units of `TextHeap.granularity`, plus one.
    let bits: UInt32

    init(bits: UInt32) { self.bits = bits }

    static var none: TextReference { TextReference(bits: 0) }
    static var largeMark: UInt32 { 1 << 31 }
    var isLarge: Bool { bits & Self.largeMark != 0 }
}

/// An allocator for the texts of notifications: millions of blocks of a few dozen or hundred bytes, allocated and freed in
/// any order.
///
/// Blocks are cut from large regions one after another. A freed block is reused for the next text of its size, rounded
/// up to 8 bytes. Blocks have no headers. The heap keeps its memory until it is destroyed.
@safe  // SOUND: owns its regions; only addresses of blocks leave it, as unsafe pointers.
struct TextHeap: ~Copyable {
    static var granularity: Int { 8 }
    /// Larger blocks come from `malloc`, which keeps the number of free lists small.
    static var largestBlock: Int { 8192 }
    static var listCount: Int { largestBlock / granularity + 1 }
    /// Units of a region, as a power of two.
    static var regionShift: UInt32 { 18 }
    /// Regions that a reference can name: 16 GiB. After that every block comes from `malloc`.
    static var mostRegions: Int { 1 << 13 }

    // SOUND: every element points to a region that the heap owns.
    var regions: [UnsafeMutableRawPointer] = unsafe []
    /// The number of regions that blocks have been cut from. After `removeAll` there are more regions than that.
    var begunCount = 0
    /// The next unit that no block has had, and how many follow it in its region.
    var unused: UInt32 = 0
    var unusedCount = 0
    /// The first free block of each size, in units of `granularity`. A free block begins with the reference to the next
    /// one.
    var freeBlocks: UnsafeMutablePointer<UInt32>
    /// Blocks from `malloc`; nil for a place to be reused, and the places that are nil.
    var large: [UnsafeMutablePointer<UInt8>?] = unsafe []
    var freeLarge: [UInt32] = []
    /// Number of blocks from `malloc`.
    var largeCount: Int { unsafe large.count - freeLarge.count }

    init() {
        // SOUND: `freeBlocks` has room for as many lists as are initialized.
        unsafe freeBlocks = .allocate(capacity: Self.listCount)
        unsafe freeBlocks.initialize(repeating: 0, count: Self.listCount)
    }

    deinit {
        // SOUND: regions, lists and large blocks were allocated here, and are freed once. Blocks are not used after
        // their heap.
        for index in unsafe regions.indices { unsafe regions[index].deallocate() }
        for index in unsafe large.indices { unsafe large[index]?.deallocate() }
        unsafe freeBlocks.deallocate()
    }

    /// The address of a block. `reference` must not be `none`, and its block not be freed.
    @inline(__always)
    func address(_ reference: TextReference) -> UnsafeMutablePointer<UInt8> {
        // SOUND: a reference to a living block names a region that exists, or a large block.
        if reference.isLarge {
            return unsafe large[Int(reference.bits & ~TextReference.largeMark)].unsafelyUnwrapped
        }
        let unit = reference.bits &- 1
        let region = unsafe regions.withUnsafeBufferPointer { regions in
            unsafe regions.baseAddress.unsafelyUnwrapped[Int(unit >> Self.regionShift)]
        }
        let offset = Int(unit & (1 << Self.regionShift &- 1)) &* Self.granularity
        return unsafe (region + offset).assumingMemoryBound(to: UInt8.self)
    }

    /// Allocates `count` bytes, aligned to 8.
    mutating func allocate(_ count: Int) -> TextReference {
        // SOUND: `units` is below `listCount`. A free block begins with the reference to the next one.
        guard count <= Self.largestBlock else { return allocateLarge(count) }
        let units = (max(count, 1) + Self.granularity - 1) / Self.granularity
        let free = unsafe freeBlocks[units]
        if free != 0 {
            let block = TextReference(bits: free)
            unsafe freeBlocks[units] = UnsafeRawPointer(address(block)).load(as: UInt32.self)
            return block
        }
        if unusedCount < units, !addRegion() { return allocateLarge(count) }
        let block = TextReference(bits: unused &+ 1)
        unused &+= UInt32(truncatingIfNeeded: units)
        unusedCount -= units
        return block
    }

    /// Frees a block. `count` is the size that it was allocated with.
    mutating func deallocate(_ block: TextReference, _ count: Int) {
        guard !block.isLarge else { return deallocateLarge(block) }
        let units = (max(count, 1) + Self.granularity - 1) / Self.granularity
        // SOUND: a block has at least 8 bytes, is aligned, and is no longer in use.
        unsafe UnsafeMutableRawPointer(address(block)).storeBytes(of: freeBlocks[units], as: UInt32.self)
        unsafe freeBlocks[units] = block.bits
    }

    mutating func allocateLarge(_ count: Int) -> TextReference {
        // SOUND: a block is in the table from its allocation to its deallocation.
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
        if let place = freeLarge.popLast() {
            unsafe large[Int(place)] = unsafe block
            return TextReference(bits: TextReference.largeMark | place)
        }
        unsafe large.append(block)
        return TextReference(bits: TextReference.largeMark | UInt32(truncatingIfNeeded: unsafe large.count - 1))
    }

    mutating func deallocateLarge(_ block: TextReference) {
        let place = block.bits & ~TextReference.largeMark
        // SOUND: the caller no longer uses the block, and its place forgets it.
        unsafe large[Int(place)]?.deallocate()
        unsafe large[Int(place)] = nil
        freeLarge.append(place)
    }

    /// Frees all blocks, and keeps the regions for reuse.
    mutating func removeAll() {
        // SOUND: `freeBlocks` has `listCount` initialized elements; a large block is freed once.
        unsafe freeBlocks.update(repeating: 0, count: Self.listCount)
        for index in unsafe large.indices { unsafe large[index]?.deallocate() }
        unsafe large.removeAll()
        freeLarge.removeAll()
        begunCount = 0
        unusedCount = 0
    }

    /// Begins the next region. The rest of the last one is smaller than a block, and is wasted.
    ///
    /// - Returns: false when a reference could not name it.
    mutating func addRegion() -> Bool {
        // SOUND: regions are appended before they are named.
        guard begunCount < Self.mostRegions else { return false }
        if unsafe begunCount == regions.count {
            unsafe regions.append(
                .allocate(byteCount: Self.granularity << Int(Self.regionShift), alignment: Self.granularity))
        }
        unused = UInt32(truncatingIfNeeded: begunCount) << Self.regionShift
        unusedCount = 1 << Int(Self.regionShift)
        begunCount += 1
        return true
    }
}
