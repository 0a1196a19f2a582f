import DeliveredStore
import DeviceSimulation
import Testing

struct EvictionTests {
    /// Nothing but what the current transaction touches is at hand, so that every replacement goes through the file.
    @Test(arguments: [0, 5, 50])
    func `what was let go is found in the file again`(maximumLoaded: Int) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder(), access: .readWrite, maximumLoaded: maximumLoaded)
        let memory = MemoryStore()
        for chunk in RandomPush.chunks(RandomPush.stream(seed: 41, count: 1000), seed: 41, atMost: 20) {
            let records = chunk.map(\.record)
            let expected = try memory.run(records, replacementKey: "story")
            try #require(try store.run(records, replacementKey: "story") == expected)
        }
        #expect(try store.notifications() == memory.notifications())
        #expect(try store.events() == memory.events())
        #expect(try store.lastSequence == 1000)
    }
}
