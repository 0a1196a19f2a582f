/// A table of plain values at stable addresses, indexed by number.
///
/// It grows by a page at a time and copies nothing, so a value costs the same in a large table as in a small one, and
/// growing never needs twice the memory.
@safe  // SOUND: owns its pages, and checks every index.
struct PagedStorage<Element: BitwiseCopyable>: ~Copyable {
    /// Values per page, a power of two: each access divides by it.
    static var pageSize: UInt32 { 1 << 18 }
    /// The size of a cache line in bytes.
    private static var cacheLine: Int { 64 }

    var pages: [UnsafeMutablePointer<Element>] = unsafe []
    private(set) var count = 0

    init() {}

    deinit {
        // SOUND: each page was allocated here, and is freed once.
        for index in unsafe pages.indices { unsafe pages[index].deallocate() }
    }

    /// The value at an index, in place. `position` must be below `count`.
    @inline(__always)
    subscript(_ position: UInt32) -> UnsafeMutablePointer<Element> {
        precondition(position < count)
        // SOUND: the index was checked.
        return unsafe address(position)
    }

    /// The address of the value at an index, which is not checked.
    @unsafe @inline(__always)
    func address(_ position: UInt32) -> UnsafeMutablePointer<Element> {
        // SOUND: the caller vouches for the index, so its page exists and the value is initialized.
        unsafe pages.withUnsafeBufferPointer { pages in
            let page = unsafe pages.baseAddress.unsafelyUnwrapped[Int(position / Self.pageSize)]
            return unsafe page + Int(position % Self.pageSize)
        }
    }

    /// Appends a value. Its index is the previous `count`.
    mutating func append(_ value: Element) {
        let position = UInt32(truncatingIfNeeded: count)
        if unsafe Int(position / Self.pageSize) == pages.count { addPage() }
        // SOUND: there is a page for the position, and no value there yet.
        unsafe (pages[Int(position / Self.pageSize)] + Int(position % Self.pageSize)).initialize(to: value)
        count += 1
    }

    @inline(never)
    mutating func addPage() {
        // Values of 32 or 64 bytes do not lie across two lines of a cache.
        let page = UnsafeMutableRawPointer.allocate(
            byteCount: Int(Self.pageSize) * MemoryLayout<Element>.stride, alignment: Self.cacheLine)
        // SOUND: the page has room for exactly this many values.
        unsafe pages.append(page.bindMemory(to: Element.self, capacity: Int(Self.pageSize)))
    }

    /// Removes all values and keeps the pages for reuse.
    mutating func removeAll() { count = 0 }
}
