import CPushJansson
import Foundation
import PushJSON
import Synchronization
import Testing

/// Blocks that libjansson has allocated and not freed, and all that it has ever allocated.
private let blocksInUse = Atomic<Int>(0)
private let blocksTaken = Atomic<Int>(0)

/// Whatever the text, libjansson frees all its memory.
struct JSONValueMemoryTests {
    /// The number of texts to try. `PUSHPIPE_JSON_TEXTS=1000000` is what CONTRIBUTING.md describes.
    private static var count: Int {
        ProcessInfo.processInfo.environment["PUSHPIPE_JSON_TEXTS"].flatMap { Int($0) } ?? 20_000
    }

    @Test func `parsing, writing and failing leave nothing allocated`() async {
        // libjansson's allocation functions are global to the process, so this test uses a separate one.
        await #expect(processExitsWith: .success) {
            json_set_alloc_funcs(
                { size in
                    blocksInUse.add(1, ordering: .relaxed)
                    blocksTaken.add(1, ordering: .relaxed)
                    return malloc(size)
                },
                { block in
                    if block != nil { blocksInUse.subtract(1, ordering: .relaxed) }
                    free(block)
                })
            let folders = [Corpus.accept, Corpus.accept, Corpus.unrepresentable, Corpus.refuse]
            var mutator = Mutator(seed: 77, folders: folders.map { $0.map(\.bytes).filter { $0.count <= 300 } })
            var values = 0
            for round in 0..<Self.count {
                let bytes = mutator.next()
                if let value = try? JSONValue(parsing: bytes) {
                    values += 1
                    _ = value.text
                }
                precondition(blocksInUse.load(ordering: .relaxed) == 0, "round \(round): \(readable(bytes))")
            }
            // Too few values would prove nothing.
            precondition(values > Self.count / 20)
            precondition(blocksTaken.load(ordering: .relaxed) > 10 * values)
        }
    }
}
