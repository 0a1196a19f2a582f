public import PushSystem

/// A table of plain values at stable addresses, indexed by number.
///
/// It grows by a page at a time and copies nothing, so a value costs the same in a large table as in a small one, and
/// growing never needs twice the memory.
@safe  // SOUND: owns its pages, and checks every index.
public struct PagedStorage<Element: BitwiseCopyable>: ~Copyable {
    /// Values per page. A page is a `MemoryRegion`.
    @inlinable static var pageSize: Int { (2 << 20) / MemoryLayout<Element>.stride }

    @usableFromInline var pages: [UnsafeMutablePointer<Element>] = unsafe []
    @usableFromInline var size = 0
    /// Number of values.
    @inlinable public var count: Int { size }

    /// Empty.
    public init() {}

    deinit {
        // SOUND: every element points to a page that this value owns.
        // SOUND: each page was allocated here, and is freed once.
        for index in unsafe pages.indices { unsafe pages[index].deallocate() }
    }

    /// The value at an index, in place. `position` must be below `count`.
    @inlinable @inline(__always)
    public subscript(_ position: UInt32) -> UnsafeMutablePointer<Element> {
        // SOUND: the index was checked, so its page exists and the value is initialized.
        precondition(position < count)
        return unsafe pages[Int(position) / Self.pageSize] + Int(position) % Self.pageSize
    }

    /// Appends a value. Its index is the previous `count`.
    @inlinable public mutating func append(_ value: Element) {
        if unsafe count == pages.count * Self.pageSize {
            // SOUND: the page has room for exactly this many values, and its alignment suffices for any type.
            let page = unsafe MemoryRegion.allocate(usesHugePage: !pages.isEmpty)
            unsafe pages.append(page.bindMemory(to: Element.self, capacity: Self.pageSize))
        }
        unsafe (pages[count / Self.pageSize] + count % Self.pageSize).initialize(to: value)
        size += 1
    }

    /// Removes all values and keeps the pages for reuse.
    public mutating func removeAll() { size = 0 }
}
