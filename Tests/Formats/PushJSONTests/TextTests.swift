import PushJSON
import TestSupport
import Testing

struct BorrowedTextTests {
    @Test func `texts are equal when all their bytes are`() {
        let rows: [(left: StaticString, right: StaticString, isEqual: Bool)] = [
            ("", "", true), ("a", "a", true), ("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false),
            ("ab", "abc", false), ("", "a", false), ("é", "é", true), ("\u{E9}", "e\u{301}", false),
            ("a\u{0}b", "a\u{0}c", false),
        ]
        for (left, right, isEqual) in rows {
            #expect((BorrowedText(left) == right) == isEqual, "\(left) and \(right)")
            #expect((BorrowedText(left) == BorrowedText(right)) == isEqual, "\(left) and \(right)")
        }
    }

    @Test func `beginnings and ends are told`() {
        let rows: [(text: StaticString, part: StaticString, isPrefix: Bool, isSuffix: Bool)] = [
            ("abcab", "ab", true, true), ("abc", "abc", true, true), ("abc", "", true, true), ("", "", true, true),
            ("abc", "bc", false, true), ("abc", "a", true, false), ("abc", "b", false, false),
            ("abc", "abcd", false, false),
            ("bc", "abc", false, false), ("", "a", false, false), ("日本", "日", true, false), ("日本", "本", false, true),
        ]
        for (text, part, isPrefix, isSuffix) in rows {
            #expect(BorrowedText(text).hasPrefix(part) == isPrefix, "\(text) and \(part)")
            #expect(BorrowedText(text).hasSuffix(part) == isSuffix, "\(text) and \(part)")
        }
    }

    @Test func `a text counts bytes and can be kept`() {
        let text = BorrowedText("日本")
        #expect(text.count == 6)
        #expect(!text.isEmpty)
        #expect(text.string == "日本")
        #expect(Array(text.buffer) == Array("日本".utf8))
        #expect(Array(text.bytes) == Array("日本".utf8))
        #expect(BorrowedText.empty.isEmpty)
        #expect(BorrowedText.empty.string == "")
    }
}

/// Compared with table 3-7 of the Unicode standard, "Well-Formed UTF-8 Byte Sequences".
struct UTF8SequenceTests {
    private static let table: [[ClosedRange<UInt8>]] = [
        [0x00...0x7F],
        [0xC2...0xDF, 0x80...0xBF],
        [0xE0...0xE0, 0xA0...0xBF, 0x80...0xBF],
        [0xE1...0xEC, 0x80...0xBF, 0x80...0xBF],
        [0xED...0xED, 0x80...0x9F, 0x80...0xBF],
        [0xEE...0xEF, 0x80...0xBF, 0x80...0xBF],
        [0xF0...0xF0, 0x90...0xBF, 0x80...0xBF, 0x80...0xBF],
        [0xF1...0xF3, 0x80...0xBF, 0x80...0xBF, 0x80...0xBF],
        [0xF4...0xF4, 0x80...0x8F, 0x80...0xBF, 0x80...0xBF],
    ]

    /// The length of the sequence at the beginning, by the table.
    private static func reference(_ bytes: [UInt8]) -> Int? {
        table.first { row in
            row.count <= bytes.count && zip(row, bytes).allSatisfy { range, byte in range.contains(byte) }
        }?.count
    }

    private static func length(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes { UTF8Sequence.length($0) } }

    @Test func `well-formed sequences are those of the table`() {
        // The limits of every range in the table and their neighbors, at every position.
        let leads: [UInt8] = [
            0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4,
            0xF5, 0xFF,
        ]
        let followers: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        for lead in leads {
            for second in followers {
                for third in followers {
                    for fourth in followers {
                        let bytes = [lead, second, third, fourth]
                        for count in 1...4 {
                            let cut = Array(bytes[..<count])
                            guard Self.length(cut) != Self.reference(cut) else { continue }
                            Issue.record("\(readable(cut)): \(Self.length(cut) ?? 0), not \(Self.reference(cut) ?? 0)")
                        }
                    }
                }
            }
        }
        #expect(Self.length([]) == nil)
    }

    @Test func `every pair of bytes is judged as the table does`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                // Followed by two continuation bytes, so that only the pair decides.
                let bytes = [first, second, 0x80, 0x80]
                guard Self.length(bytes) != Self.reference(bytes) else { continue }
                Issue.record("\(readable(bytes))")
            }
        }
    }

    @Test func `scalars are decoded as Swift does`() {
        var generator = SeededGenerator(seed: 37)
        let edges: [UInt32] = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF]
        let random = (0..<20_000).map { _ in UInt32(generator.below(0x11_0000)) }
        for scalar in (edges + random).compactMap(Unicode.Scalar.init) {
            #expect(Array(String(scalar).utf8).withUnsafeBytes { UTF8Sequence.decode($0) } == scalar)
        }
        #expect([UInt8]([0xED, 0xA0, 0x80]).withUnsafeBytes { UTF8Sequence.decode($0) } == nil)
    }
}
