import CJansson
import Foundation
import PayloadJSON
import Synchronization
import Testing

/// Blocks that libjansson has allocated and not freed, and all that it has ever allocated.
private let blocksInUse = Atomic<Int>(0)
private let blocksTaken = Atomic<Int>(0)

/// Whatever happens to a tree, libjansson frees all its memory.
struct TreeMemoryTests {
    /// The number of texts to try. `PUSHPIPE_TREE_TEXTS=1000000` is what Documentation/explanation/hostile-input.md
    /// describes.
    private static var count: Int {
        ProcessInfo.processInfo.environment["PUSHPIPE_TREE_TEXTS"].flatMap { Int($0) } ?? 20_000
    }

    @Test func `parsing, editing, writing and failing leave nothing allocated`() async {
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
            var trees = 0
            for round in 0..<Self.count {
                let bytes = mutator.next()
                bytes.withUnsafeBytes { text in
                    guard let tree = try? JSONTree(parsing: text) else { return }
                    trees += 1
                    Self.use(tree, round)
                }
                Self.splice(bytes)
                precondition(blocksInUse.load(ordering: .relaxed) == 0, "round \(round): \(readable(bytes))")
            }
            // Too few trees would prove nothing.
            precondition(trees > Self.count / 20)
            precondition(blocksTaken.load(ordering: .relaxed) > 10 * trees)
        }
    }

    /// Reads, edits and writes a tree in every way there is. Most edits name a place that does not exist.
    private static func use(_ parsed: consuming JSONTree, _ round: Int) {
        var tree = parsed
        for pointer in ["", "/a", "/0", "/aps/alert", "/a~1b", "a"] {
            _ = tree.string(at: pointer)
            _ = tree.integer(at: pointer)
            try? tree.set(JSONTree("text \(round)"), at: pointer)
            try? tree.set(JSONTree(Int64(round)), at: pointer)
            try? tree.set(JSONTree.object(), at: pointer)
            try? tree.set(JSONTree(true), at: pointer + "/b")
            if round.isMultiple(of: 2) { try? tree.remove(at: pointer) }
        }
        _ = try? tree.serialized(.compact)
        _ = try? tree.serialized(.canonical)
        _ = try? tree.serialized(.pretty)
    }

    /// Splices a new value over each member's, as stages do.
    private static func splice(_ bytes: [UInt8]) {
        scanning(bytes) { tape, text, fault in
            guard fault == nil, let root = tape.root(of: text) else { return }
            var members = root.members
            while let (_, value) = members.next() {
                _ = try? JSONTree("new").spliced(over: value, in: text)
                _ = try? JSONTree(value).spliced(over: value, in: text)
            }
        }
    }
}
