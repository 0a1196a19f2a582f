import PushJSON
import Testing

/// What remains of a text that is shortened.
struct ShorteningTests {
    /// The text between quotes as it is written, shortened to a number of bytes including its ellipsis.
    private static func shortened(_ raw: String, to bytes: Int, _ measure: TextMeasure = .written) throws -> String {
        try withRoot("\"\(raw)\"") { root in
            let text = ShortenableText(try #require(root.string), measure: measure)
            let beginning = text.beginning(in: bytes)
            let result = String(decoding: raw.utf8.prefix(beginning.writtenCount), as: UTF8.self) + "\(text.ellipsis)"
            let length = try withRoot("\"\(result)\"") { root in
                let string = try #require(root.string)
                return measure == .written ? string.count : string.decodedCount
            }
            #expect(beginning.length == length, "\(raw) in \(bytes)")
            return result
        }
    }

    /// What remains of a text with this beginning, without its ellipsis, as the room grows until all of that beginning
    /// fits.
    private static func steps(_ raw: String, ellipsis: String = "…") throws -> [String] {
        var steps: [String] = []
        for bytes in 0...(raw.utf8.count + ellipsis.utf8.count) {
            let step = try shortened(raw + "xxxxxxx", to: bytes)
            try #require(step.hasSuffix(ellipsis), "\(step)")
            let kept = String(step.unicodeScalars.dropLast(ellipsis.unicodeScalars.count))
            if steps.last != kept { steps.append(kept) }
        }
        return steps
    }

    @Test func `a text is cut between characters, never inside one`() throws {
        let family = "👨‍👩‍👧‍👦"
        #expect(try Self.steps("\(family)\(family)") == ["", family, family + family])
        #expect(try Self.steps("🇩🇪🇫🇷🇮🇹") == ["", "🇩🇪", "🇩🇪🇫🇷", "🇩🇪🇫🇷🇮🇹"])
        #expect(
            try Self.steps("e\u{301}\u{323}o\u{308}") == ["", "e\u{301}\u{323}", "e\u{301}\u{323}o\u{308}"])
        #expect(try Self.steps("👍🏽👍🏿") == ["", "👍🏽", "👍🏽👍🏿"])
        #expect(try Self.steps("한국") == ["", "한", "한국"])
        #expect(try Self.steps("\u{1112}\u{1161}\u{11AB}") == ["", "\u{1112}\u{1161}\u{11AB}"])
        #expect(try Self.steps("क्षि") == ["", "क्षि"])
        #expect(try Self.steps("❤️1️⃣") == ["", "❤️", "❤️1️⃣"])
    }

    @Test func `a text is never cut inside an escape, nor between the halves of a pair`() throws {
        #expect(
            try Self.steps(#"é\n\"\\\/é"#) == ["", "é", #"é\n\""#, #"é\n\"\\"#, #"é\n\"\\\/"#, #"é\n\"\\\/é"#])
        let grin = #"\ud83d\ude00"#
        #expect(try Self.steps(grin + grin, ellipsis: #"\u2026"#) == ["", grin, grin + grin])
        let pair = #"\ud83d\udc68\u200d\ud83d\udc67"#
        #expect(try Self.steps(pair + #"e\u0301"#, ellipsis: #"\u2026"#) == ["", pair, pair + #"e\u0301"#])
        // An unpaired surrogate stands for itself.
        #expect(try Self.steps(#"\ud83da\ude00"#, ellipsis: #"\u2026"#).contains(#"\ud83d"#))
        #expect(try Self.steps(#"a\r\nb"#) == ["", "a", #"a\r\nb"#])
    }

    @Test func `as much is left as there is room for`() throws {
        for bytes in 3..<20 {
            #expect(try Self.shortened("01234567890123456789", to: bytes).utf8.count == bytes)
            // The escape stands for two bytes.
            let kept = bytes < 6 ? min(bytes - 3, 1) : bytes - 3 + 4
            let raw = #"0\u00e9345678901234567890"#
            #expect(try Self.shortened(raw, to: bytes, .decoded) == raw.prefix(kept) + #"\u2026"#)
        }
    }

    @Test func `the ellipsis is an escape only in a text that writes no other character as itself`() throws {
        for (raw, isEscaped) in [
            ("abcdefgh", false), ("ébcdefgh", false), (#"\u00e9bcdefgh"#, true), (#"é\u00e9bcdefgh"#, false),
            (#"\u003cb\u003ecdefgh"#, false), (#"ab\ncdefgh"#, false), (#"\ud83d\ude00cdefgh"#, true),
        ] {
            #expect(try Self.shortened(raw, to: 7).hasSuffix(isEscaped ? #"\u2026"# : "…"), "\(raw)")
        }
    }

    @Test func `white space before the ellipsis goes too`() throws {
        #expect(try Self.steps("a  b") == ["", "a", "a  b"])
        #expect(try Self.steps(#"a \n\t\u00a0"#, ellipsis: #"\u2026"#) == ["", "a"])
        #expect(try Self.steps("  \u{3000}  a") == ["", "  \u{3000}  a"])
        // A space with a combining mark is visible.
        #expect(try Self.steps("a \u{301}") == ["", "a", "a \u{301}"])
    }

    @Test func `a text does not come below its ellipsis, or below itself`() throws {
        for (raw, written, decoded) in [
            ("", 0, 0), ("ab", 2, 2), ("é", 2, 2), ("abcd", 3, 3), (#"\u00e9"#, 6, 2), (#"\u00e9é"#, 3, 3),
            (#"\n\n"#, 3, 2),
        ] {
            try withRoot("\"\(raw)\"") { root in
                let string = try #require(root.string)
                #expect(ShortenableText(string, measure: .written).minimumLength == written, "\(raw)")
                #expect(ShortenableText(string, measure: .decoded).minimumLength == decoded, "\(raw)")
            }
        }
        for bytes in [Int.min, -1, 0, 2] { #expect(try Self.shortened("abcd", to: bytes) == "…") }
    }
}
