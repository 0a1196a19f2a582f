import PushJSON
import TestSupport
import Testing

struct ScratchArenaTests {
    /// Memory from the arena, and what was written to it.
    private struct Piece {
        var start: UnsafeMutablePointer<UInt8>
        var count: Int
        var mark: UInt8

        var isIntact: Bool { UnsafeBufferPointer(start: start, count: count).allSatisfy { $0 == mark } }
    }

    private static func allocate(_ count: Int, mark: UInt8, from arena: inout ScratchArena) -> Piece {
        let start = arena.allocate(count)
        start.update(repeating: mark, count: count)
        return Piece(start: start, count: count, mark: mark)
    }

    @Test func `what was handed out stays as it is until the reset`() {
        var arena = ScratchArena()
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<5 {
            var pieces: [Piece] = []
            for index in 0..<2000 {
                // Some pieces are larger than a block of 64 KiB.
                let count = generator.below(500) == 0 ? 50_000 + generator.below(100_000) : generator.below(300)
                pieces.append(Self.allocate(count, mark: UInt8(truncatingIfNeeded: index), from: &arena))
            }
            #expect(pieces.map(\.count).max() ?? 0 > 64 * 1024)
            #expect(pieces.reduce(0) { $0 + $1.count } > 4 * 64 * 1024)
            // If two of them overlapped, the later mark would be in the earlier piece.
            let damaged = pieces.filter { !$0.isIntact }
            #expect(damaged.isEmpty)
            arena.reset()
        }
    }

    @Test func `sizes around a block are whole`() {
        let block = 64 * 1024
        var arena = ScratchArena()
        for sizes in [
            [block], [block - 1, 1, 1], [block, block], [1, block], [block + 1, 1, block], [0, block, 0, 1],
        ] {
            let pieces = sizes.enumerated().map { Self.allocate($1, mark: UInt8($0 + 1), from: &arena) }
            #expect(pieces.allSatisfy { $0.isIntact }, "\(sizes)")
            arena.reset()
        }
    }

    @Test func `memory is used again after a reset`() {
        var arena = ScratchArena()
        var addresses = Set<UnsafeMutablePointer<UInt8>>()
        for _ in 0..<1000 {
            addresses.insert(arena.allocate(1000))
            _ = arena.allocate(40_000)
            _ = arena.allocate(40_000)
            arena.reset()
        }
        #expect(addresses.count == 1)
    }

    @Test func `a copy does not depend on its source`() {
        var arena = ScratchArena()
        var source = Array("some text".utf8)
        let copy = source.withUnsafeBytes { arena.copy($0) }
        for index in source.indices { source[index] = 0 }
        #expect(copy == "some text")

        let empty = arena.copy(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(empty.isEmpty)
        #expect(copy == "some text")
    }

    @Test func `a string without escapes stays where it is, another is decoded`() throws {
        var arena = ScratchArena()
        try withRoot("[\"plain é\",\"a\\n\\u00e9\\ud83d\\ude00\",\"\",\"\\ud800\"]") { root in
            let plain = try #require(root[pointer: "/0"]?.string)
            let inPlace = arena.text(plain)
            #expect(inPlace == "plain é")
            #expect(inPlace.start == plain.raw.start)

            let escaped = try #require(root[pointer: "/1"]?.string)
            let decoded = arena.text(escaped)
            #expect(decoded == "a\né😀")
            #expect(decoded.start != escaped.raw.start)

            let empty = arena.text(try #require(root[pointer: "/2"]?.string))
            #expect(empty.isEmpty)
            let lone = arena.text(try #require(root[pointer: "/3"]?.string))
            #expect(lone == "\u{FFFD}")
            // All are valid at the same time.
            #expect(decoded == "a\né😀")
            #expect(inPlace == "plain é")
        }
    }
}
