import PushJSON
import Testing

struct SeededHashTests {
    /// Lengths on both sides of the eight bytes that are read at once.
    private static let texts = (0...40).map { length in (0..<length).map { UInt8(97 + $0 % 26) } }

    private func hash(_ text: [UInt8], _ salt: UInt64, by hasher: SeededHash, offset: Int = 0) -> UInt32 {
        let bytes = Array(repeating: 0xEE, count: offset) + text + [0xEE]
        return bytes.withUnsafeBufferPointer { buffer in
            // There is at least one byte, so there is a base address.
            buffer.baseAddress.map { hasher.hash(BorrowedText(start: $0 + offset, count: text.count), salt) } ?? 0
        }
    }

    @Test func `equal texts have equal hashes, wherever they lie`() {
        let hasher = SeededHash()
        for text in Self.texts {
            let expected = hash(text, 3, by: hasher)
            for offset in 1..<9 { #expect(hash(text, 3, by: hasher, offset: offset) == expected) }
        }
    }

    @Test func `texts that differ in length, in one byte or by a NUL have different hashes`() {
        let hasher = SeededHash()
        var texts = Set(Self.texts)
        for text in Self.texts {
            texts.insert(text + [0])
            texts.insert([0] + text)
            for place in text.indices {
                var changed = text
                changed[place] ^= 1
                texts.insert(changed)
            }
        }
        let hashes = Set(texts.map { hash($0, 0, by: hasher) })
        // In one run of 10,000, two of some 900 texts share one of 2^32 hashes; for ten it never happens.
        #expect(texts.count > 800)
        #expect(hashes.count > texts.count - 10)
    }

    @Test func `the salt matters`() {
        let hasher = SeededHash()
        let text = Array("result-north-west".utf8)
        let hashes = Set((0..<1000).map { hash(text, $0, by: hasher) })
        #expect(hashes.count > 990)
        let empty = Set((0..<1000).map { hash([], $0, by: hasher) })
        #expect(empty.count > 990)
    }

    @Test func `each hasher has a seed of its own`() {
        let text = Array("result-north-west".utf8)
        let hashes = Set((0..<100).map { _ in hash(text, 0, by: SeededHash()) })
        #expect(hashes.count > 90)
    }
}
