import TestSupport

/// Derives new texts from known ones, the same ones for the same seed.
struct Mutator {
    private var generator: SeededGenerator
    private let folders: [[[UInt8]]]

    /// Each folder is drawn from equally often, however many cases it has.
    init(seed: UInt64, folders: [[[UInt8]]]) {
        generator = SeededGenerator(seed: seed)
        self.folders = folders
    }

    /// One to three changes to a random case.
    mutating func next() -> [UInt8] {
        var bytes = randomCase()
        for _ in 0...generator.below(3) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        switch generator.below(8) {
        case 0 where !bytes.isEmpty:
            bytes[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8))
        case 1 where !bytes.isEmpty:
            bytes[generator.below(bytes.count)] = UInt8(generator.below(256))
        case 2:
            bytes.removeSubrange(span(in: bytes))
        case 3:
            let copied = Array(bytes[span(in: bytes)])
            bytes.insert(contentsOf: copied, at: generator.below(bytes.count + 1))
        case 4:
            let other = randomCase()
            bytes = bytes.prefix(generator.below(bytes.count + 1)) + other.suffix(generator.below(other.count + 1))
        case 5:
            bytes.replaceSubrange(span(in: bytes), with: generator.pick(Self.pieces))
        default:
            bytes.insert(contentsOf: generator.pick(Self.pieces), at: generator.below(bytes.count + 1))
        }
    }

    private mutating func randomCase() -> [UInt8] {
        let folder = generator.pick(folders)
        return generator.pick(folder)
    }

    /// A short range more often than a long one.
    private mutating func span(in bytes: [UInt8]) -> Range<Int> {
        let from = generator.below(bytes.count + 1)
        let length = generator.below(generator.below(2) == 0 ? 4 : 40)
        return from..<min(from + length, bytes.count)
    }

    /// Pieces that break parsers.
    private static let pieces: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "1", "-", "+", ".", "e", "E", " ", "\n", "\r\n", "\t", "/",
            "u",
            "true", "false", "null", "tru", "[]", "{}", "\"\"", "\"a\":1,", ",\"a\":[]", "\"aps\":", "\\\"", "\\\\",
            "\\n",
            "\\/", "\\u0000", "\\u0041", "\\u00e9", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\uD83D", "\\u12", "1e400",
            "-1e400", "1e-400", "0.5", "-0", "-0.0", "1E+2", "9223372036854775807", "9223372036854775808",
            "-9223372036854775809", "12345678901234567890", "é", "日", "😀", "\u{FEFF}", "\u{2028}", "\u{7F}",
        ].map { Array($0.utf8) } + [
            [0x00], [0x1F], [0x80], [0xBF], [0xC0, 0xAF], [0xC2], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xEF, 0xBF],
            [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xFF],
        ]
}
