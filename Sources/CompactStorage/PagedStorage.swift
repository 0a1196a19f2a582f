/// Plain values at addresses that never change, found by their number.
///
/// Grows a page at a time and copies nothing, so that a large table costs no more a value than a small one, and never needs
/// twice its memory for a moment.
package struct PagedStorage<Element: BitwiseCopyable>: ~Copyable {
    /// Values a page, which is a `MemoryRegion`.
    @inlinable static var pageSize: Int { (2 << 20) / MemoryLayout<Element>.stride }

    @usableFromInline var pages: [UnsafeMutablePointer<Element>] = []
    @usableFromInline package internal(set) var count = 0

    package init() {}

    deinit { for page in pages { page.deallocate() } }

    /// The value with this number, in place. `position` must be below `count`.
    @inlinable @inline(__always)
    package subscript(_ position: UInt32) -> UnsafeMutablePointer<Element> {
        precondition(position < count)
        return pages[Int(position) / Self.pageSize] + Int(position) % Self.pageSize
    }

    /// Adds a value behind the others, whose number is what `count` was.
    @inlinable package mutating func append(_ value: Element) {
        if count == pages.count * Self.pageSize {
            // SOUND: as many values as a region has room for, and its alignment is enough for any.
            pages.append(MemoryRegion.allocate().bindMemory(to: Element.self, capacity: Self.pageSize))
        }
        (pages[count / Self.pageSize] + count % Self.pageSize).initialize(to: value)
        count += 1
    }

    /// Keeps the pages for what comes next.
    package mutating func removeAll() { count = 0 }
}
