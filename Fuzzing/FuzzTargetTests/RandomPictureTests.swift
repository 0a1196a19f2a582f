import FuzzTargets
import TestSupport
import Testing

/// Pictures of texts that are put together of what breaks markup, lines and letters.
struct RandomPictureTests {
    private static let pieces: [[UInt8]] =
        [
            "<", ">", "&", "\"", "'", "</text>", "]]>", "<!--", "&#0;", "\u{0}", "\u{1b}", "\n", "\r\n", "\t", " ",
            "word", "-",
            "漢字", "。", "（", "שלום", "مرحبا", "\u{202e}", "\u{2069}", "\u{301}", "\u{200d}", "\u{fe0f}", "👩‍👩‍👧‍👦", "🇩🇪",
            "\u{feff}",
            "W", "iiiiiiii", "\u{110bd}", "\u{e0061}", #"{"aps":{"alert":"x"}}"#,
            #"{"aps":{"interruption-level":"critical"}}"#,
        ].map { Array($0.utf8) } + [[0xEF, 0xBF, 0xBE], [0xFF], [0xED, 0xA0, 0x80], [0xC2]]

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64], fast: 1))
    func `any mixture gives well-formed pictures`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let check = try #require(FuzzTarget.named("picture")).makeCheck()
        for _ in 0..<20 {
            var bytes = [UInt8(generator.below(256)), UInt8(generator.below(256))]
            for _ in 0..<generator.below(60) { bytes += generator.pick(Self.pieces) }
            #expect(bytes.withUnsafeBytes(check) == nil, "\(bytes)")
        }
    }
}
