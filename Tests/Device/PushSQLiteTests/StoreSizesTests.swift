import PushDevices
import PushSQLite
import TestSupport
import Testing

struct StoreSizesTests {
    /// 16 MiB of pages, transactions of 4 MiB, and what 220 MiB of memory hold.
    @Test(arguments: [0, 1 << 20, 512 << 20] as [UInt64])
    func `a small machine gets the smallest sizes`(memory: UInt64) {
        let sizes = StoreSizes(memoryBytes: memory)
        #expect(sizes.cacheBytes == 16 << 20)
        #expect(sizes.transactionBytes == 4 << 20)
        #expect(sizes.maximumLoaded == 1_310_720)
        #expect(sizes.checkpointBytes == 32 << 20)
    }

    @Test func `sizes grow with the machine`() {
        let sizes = StoreSizes(memoryBytes: 8 << 30)
        #expect(sizes.cacheBytes == 256 << 20)
        #expect(sizes.transactionBytes == 8 << 20)
        #expect(sizes.maximumLoaded == (512 << 20) / 170)
        #expect(sizes.checkpointBytes == 64 << 20)
    }

    @Test(arguments: [64 << 30, .max] as [UInt64])
    func `no machine is used up`(memory: UInt64) {
        let sizes = StoreSizes(memoryBytes: memory)
        #expect(sizes.cacheBytes == 512 << 20)
        #expect(sizes.transactionBytes == 16 << 20)
        #expect(sizes.maximumLoaded == 16 << 20)
    }

    /// 48 MiB together, which is less than 40 bytes for each of 1.3 million notifications.
    @Test(arguments: [0, 8 << 30, .max] as [UInt64])
    func `a process that runs for long keeps little, whatever the machine has`(memory: UInt64) {
        var sizes = StoreSizes(memoryBytes: memory)
        sizes.keepLittle()
        #expect(sizes.cacheBytes == 16 << 20)
        #expect(sizes.maximumLoaded == (32 << 20) / 170)
        var small = StoreSizes.smallest(maximumLoaded: 10)
        small.keepLittle()
        #expect(small.maximumLoaded == 10)
    }

    @Test func `transactions grow while they are filled and their results are of an ordinary size`() {
        var pace = TransactionPace(maximum: 16 << 20)
        #expect(pace.bytes == 4 << 20)
        for expected in [8, 16, 16] {
            pace.adapt(toRows: pace.bytes, report: pace.bytes / 2)
            #expect(pace.bytes == expected << 20)
        }
    }

    @Test func `transactions that write few rows stay as they are`() {
        var pace = TransactionPace(maximum: 16 << 20)
        pace.adapt(toRows: 1 << 18, report: 4 << 20)
        #expect(pace.bytes == 4 << 20)
    }

    /// 1,000 targets a record, of a few bytes each, make the report a hundred times as large as the input.
    @Test func `transactions shrink until their results are of a bearable size`() {
        var pace = TransactionPace(maximum: 16 << 20)
        for _ in 0..<4 { pace.adapt(toRows: pace.bytes, report: 0) }
        for _ in 0..<20 { pace.adapt(toRows: 0, report: 100 * pace.bytes) }
        #expect(100 * pace.bytes <= TransactionPace.largestResult)
        #expect(pace.bytes >= 64 << 10)
        for _ in 0..<20 { pace.adapt(toRows: pace.bytes, report: 0) }
        #expect(pace.bytes == 16 << 20)
    }

    @Test func `a store takes 4 MiB of input first, and more when those were filled`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, sizes: StoreSizes(memoryBytes: 64 << 30))
        #expect(store.preferredTransactionBytes == 4 << 20)
        try store.run([apns()])
        #expect(store.preferredTransactionBytes == 4 << 20)
        try store.run([apns(body: String(repeating: "x", count: 1 << 20))])
        #expect(store.preferredTransactionBytes == 8 << 20)
    }
}
