import TestSupport

/// Makes broken texts from documents, the same ones for the same seed.
struct RepairMutator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// One to four changes to a random document.
    mutating func next() -> [UInt8] {
        var writer = DocumentWriter(
            isPretty: generator.below(3) == 0, mistake: generator.pick(Mistake.allCases), occasion: generator.below(4))
        writer.write(Document.randomObject(&generator, depth: 2))
        var bytes = Array(writer.text.utf8)
        for _ in 0..<generator.below(4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let from = generator.below(bytes.count + 1)
        let to = min(bytes.count, from + generator.below(generator.below(3) == 0 ? 20 : 2))
        switch generator.below(6) {
        case 0 where from < bytes.count: bytes[from] = UInt8(generator.below(256))
        case 1: bytes.removeSubrange(from..<to)
        case 2: bytes.insert(contentsOf: Array(bytes[from..<to]), at: generator.below(bytes.count + 1))
        case 3: bytes.replaceSubrange(from..<to, with: generator.pick(Self.pieces))
        default: bytes.insert(contentsOf: generator.pick(Self.pieces), at: from)
        }
    }

    /// Texts that the repair recognizes, whole and in parts.
    private static let pieces: [[UInt8]] =
        [
            "\"", "'", "“", "”", "‘", "’", "\\", "{", "}", "[", "]", ",", ",,", ":", ";", "=", "=>", " ", "\n", "\r\n",
            "\t",
            "//", "#", "/*", "*/", "/", "\"{\"a\":", "}\"", "\\'", "\\x4", "\\x41", "\\U0001F600", "\\U00", "\\u{41}",
            "\\u{",
            "\\u12", "\\p", "None", "True", "NaN", "-Infinity", "YES", "+1", ".5", "5.", "007", "0x1F", "0x", "1_0",
            "1e", "-",
            "\u{FEFF}", "\u{A0}", "\u{200B}", "\u{2028}", "é", "日", "😀", "\"a\":1,", "a:1", "'a'", "“a”", "word", "\0",
            "\u{C}",
        ].map { Array($0.utf8) } + [[0x80], [0xE2, 0x80], [0xFF], [0xEF, 0xBB, 0xBF]]
}
