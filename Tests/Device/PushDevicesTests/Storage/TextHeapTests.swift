import TestSupport
import Testing

@testable import PushDevices

struct TextHeapTests {
    /// Sizes on both sides of every limit: zero, one unit, the largest block, larger ones.
    private static let sizes = [0, 1, 15, 16, 17, 200, 415, 4096, 8191, 8192, 8193, 20_000]

    @Test func `no two blocks in use share a byte, whatever was freed in between`() {
        var heap = TextHeap()
        var generator = SeededGenerator(seed: 16)
        var blocks: [(block: TextReference, count: Int, mark: UInt8)] = []
        for round in 0..<Effort.rounds(20_000, fast: 2000) {
            if blocks.count > 300, generator.below(2) == 0 {
                let block = blocks.remove(at: generator.below(blocks.count))
                let start = heap.address(block.block)
                let isIntact = (0..<block.count).allSatisfy { start[$0] == block.mark }
                #expect(isIntact, "round \(round), \(block.count) bytes")
                heap.deallocate(block.block, block.count)
            } else {
                let count = generator.pick(Self.sizes)
                let block = heap.allocate(count)
                let mark = UInt8(truncatingIfNeeded: round)
                let start = heap.address(block)
                for index in 0..<count { start[index] = mark }
                blocks.append((block, count, mark))
            }
        }
        #expect(heap.largeCount > 0)
        for block in blocks {
            let start = heap.address(block.block)
            #expect((0..<block.count).allSatisfy { start[$0] == block.mark })
            heap.deallocate(block.block, block.count)
        }
        #expect(heap.largeCount == 0)
    }

    @Test func `a freed block is used again for the next text of its size`() {
        var heap = TextHeap()
        let first = heap.allocate(100)
        let second = heap.allocate(100)
        heap.deallocate(first, 100)
        heap.deallocate(second, 100)
        // Rounded up to 8 bytes, 97 and 100 are equal.
        #expect(heap.allocate(97) == second)
        #expect(heap.allocate(104) == first)
    }

    @Test func `a heap that forgot its blocks takes no more memory until it has as many again`() {
        var heap = TextHeap()
        // Several regions of 2 MiB, and a free block.
        var before: Set<UnsafeMutablePointer<UInt8>> = []
        for _ in 0..<2000 { before.insert(heap.address(heap.allocate(4000))) }
        let freed = heap.allocate(100)
        heap.deallocate(freed, 100)
        heap.removeAll()
        var after: Set<UnsafeMutablePointer<UInt8>> = []
        for _ in 0..<2000 { after.insert(heap.address(heap.allocate(4000))) }
        #expect(after == before)
        #expect(after.count == 2000)
    }
}

struct PagedStorageTests {
    @Test func `values stay where they are while more are added`() {
        var storage = PagedStorage<UInt64>()
        storage.append(7)
        let first = storage[0]
        // On three pages.
        for value in 1..<600_000 { storage.append(UInt64(value)) }
        #expect(storage.count == 600_000)
        #expect(storage[0] == first)
        #expect(first.pointee == 7)
        let isInOrder = (1..<UInt32(600_000)).allSatisfy { storage[$0].pointee == UInt64($0) }
        #expect(isInOrder)
        storage.removeAll()
        #expect(storage.count == 0)
        storage.append(9)
        #expect(storage[0].pointee == 9)
        // At the same address as before: the page is reused.
        #expect(storage[0] == first)
    }
}
