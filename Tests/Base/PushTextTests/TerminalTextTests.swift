import PushText
import Testing

/// What is shown on a terminal, and how many columns it takes.
struct TerminalTextTests {
    /// Source: UAX #11 for wide characters, UTS #51 for emoji.
    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2),
        ("ｱ", 1), ("مرحبا", 5), ("שלום", 4), ("क्षि", 3), ("🎉", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤️", 2),
        ("❤", 1), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("…", 1), ("§", 1), ("𠀀", 2), ("می‌خواهم", 7), ("", 0),
    ])
    func `columns are counted as terminals count them`(text: String, width: Int) {
        #expect(TerminalText.clean(text) == text)
        #expect(TerminalText.width(text) == width)
    }

    /// Source: UTS #51, sections 1.4 and 2.2: a sequence is one emoji. Samples of each group of Unicode's `emoji-test.txt`, written as
    /// scalars.
    @Test(arguments: [
        // Keycaps, flags of countries and of a region.
        "#\u{FE0F}\u{20E3}", "*\u{FE0F}\u{20E3}", "9\u{FE0F}\u{20E3}", "\u{1F1FA}\u{1F1F3}",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        // A skin tone after a base that is wide, and after bases that alone are narrow.
        "\u{1F44B}\u{1F3FB}", "\u{261D}\u{1F3FD}", "\u{270C}\u{1F3FF}", "\u{26F9}\u{1F3FE}", "\u{1F575}\u{1F3FC}",
        "\u{1F590}\u{1F3FB}", "\u{1FAF5}\u{1F3FF}",
        // Joined parts, some with their own selector: flags, hearts, people at work, families, directions.
        "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F3F3}\u{FE0F}\u{200D}\u{26A7}\u{FE0F}",
        "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}",
        "\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{26F9}\u{FE0F}\u{200D}\u{2640}\u{FE0F}",
        "\u{26F9}\u{1F3FF}\u{200D}\u{2642}\u{FE0F}", "\u{1F575}\u{1F3FF}\u{200D}\u{2640}\u{FE0F}",
        "\u{1F9D1}\u{1F3FB}\u{200D}\u{1F91D}\u{200D}\u{1F9D1}\u{1F3FF}",
        "\u{1F468}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F48B}\u{200D}\u{1F468}",
        "\u{1FAF1}\u{1F3FB}\u{200D}\u{1FAF2}\u{1F3FF}", "\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}\u{FE0F}",
        "\u{1F642}\u{200D}\u{2194}\u{FE0F}",
        "\u{1F6B6}\u{200D}\u{2640}\u{FE0F}\u{200D}\u{27A1}\u{FE0F}", "\u{1F43B}\u{200D}\u{2744}\u{FE0F}",
        // Minimally qualified and unqualified ones, which senders' libraries produce.
        "\u{1F441}\u{200D}\u{1F5E8}", "\u{1F575}\u{200D}\u{2642}", "\u{1F3F3}\u{200D}\u{1F308}",
    ])
    func `an emoji sequence takes two columns`(text: String) {
        #expect(text.count == 1)
        #expect(TerminalText.clean(text) == text)
        #expect(TerminalText.width(text) == 2)
        #expect(TerminalText.width("a\(text)b") == 4)
    }

    /// Not a base for a tone: both are shown.
    @Test func `a skin tone after something else is a square of its own`() {
        #expect(TerminalText.width("\u{1F389}\u{1F3FD}") == 4)
        #expect(TerminalText.width("1\u{1F3FD}") == 3)
    }

    @Test(arguments: [
        ("\u{1B}[2J", #"\u{1b}[2J"#), ("a\u{0}b", #"a\u{0}b"#), ("\u{7F}", #"\u{7f}"#), ("\u{9B}31m", #"\u{9b}31m"#),
        ("a\r\nb", #"a\u{d}\u{a}b"#), ("\u{202E}abc\u{202C}", #"\u{202e}abc\u{202c}"#),
        ("\u{2066}\u{2069}", #"\u{2066}\u{2069}"#),
        ("\u{200E}\u{200F}\u{61C}", #"\u{200e}\u{200f}\u{61c}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
        ("pay\u{200B}pal", #"pay\u{200b}pal"#), ("pay\u{200D}pal", #"pay\u{200d}pal"#), ("\u{FEFF}", #"\u{feff}"#),
        ("a\u{AD}b", #"a\u{ad}b"#), ("\u{2060}", #"\u{2060}"#), ("\u{3164}", #"\u{3164}"#),
        // A mark after nothing, half a flag, a variation selector alone, tag letters that name no region.
        ("\u{301}a", #"\u{301}a"#), ("🇩", #"\u{1f1e9}"#), ("a\u{FE0F}", #"a\u{fe0f}"#), ("a\u{E0061}", #"a\u{e0061}"#),
        ("🎉\u{200D}", #"🎉\u{200d}"#), ("\u{FFFE}", #"\u{fffe}"#),
    ])
    func `characters that would disturb a terminal are escaped`(text: String, shown: String) {
        #expect(TerminalText.clean(text) == shown)
        #expect(TerminalText.clean(shown) == shown)
    }

    /// Source: actions/runner, `ActionCommand.cs`: `::` after leading white space, and `##[` anywhere.
    @Test(arguments: [
        ("::add-mask::x", #"\u{3a}:add-mask::x"#), (" \u{A0}::set-env name=A::b", " \u{A0}\\u{3a}:set-env name=A::b"),
        ("a ##[group]b", #"a #\u{23}[group]b"#), ("###[x]", #"##\u{23}[x]"#), ("##vso[task]", #"#\u{23}vso[task]"#),
        ("a::b", "a::b"), ("# [x]", "# [x]"), ("##", "##"), (":", ":"), ("é ::", "é ::"),
    ])
    func `no line is a command for a CI server`(text: String, shown: String) {
        #expect(TerminalText.clean(text) == shown)
        #expect(TerminalText.clean(shown) == shown)
    }

    @Test func `no line that a long text goes on in is a command either`() {
        let lines = TerminalText.wrapped("some words and ::add-mask::secret, and more", to: 20)
        #expect(lines.count > 1 && lines.allSatisfy { !$0.hasPrefix("::") }, "\(lines)")
    }

    @Test func `stacked combining marks are cut at eight`() {
        let tower = "a" + String(repeating: "\u{301}", count: 9)
        #expect(TerminalText.clean(tower) == "a" + String(repeating: "\u{301}", count: 8) + #"\u{301}"#)
    }

    @Test func `every scalar is shown as itself or escaped, and sanitizing is idempotent`() {
        var wrong: [String] = []
        for value in Array(UInt32(0)...0xFFFF) + Array(0xE0000...0xE01FF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let hexadecimal = String(value, radix: 16)
            let cleaned = TerminalText.clean("a\(scalar)b")
            let isEscaped = Array(cleaned.utf8) == Array("a\\u{\(hexadecimal)}b".utf8)
            let isItself = Array(cleaned.utf8) == Array("a\(scalar)b".utf8)
            let isControl = value < 0x20 || 0x7F..<0xA0 ~= value
            if !isEscaped && (isControl || !isItself) || TerminalText.clean(cleaned) != cleaned {
                wrong.append(hexadecimal)
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `a text is cut between characters, in columns`() {
        #expect(TerminalText.shortened("日本語", to: 6) == "日本語")
        #expect(TerminalText.shortened("日本語", to: 5) == "日本…")
        #expect(TerminalText.shortened("日本語", to: 4) == "日…")
        #expect(TerminalText.shortened("e\u{301}👩‍👩‍👧‍👦x", to: 3) == "e\u{301}…")
        #expect(TerminalText.shortened("abcdefghijklmnop", to: 13, keepingEnd: 4) == "abcdefgh…mnop")
        #expect(TerminalText.shortened("日本語日本語日本語", to: 13, keepingEnd: 4) == "日本語日…本語")
    }

    @Test func `padding fills columns, not characters`() {
        #expect(TerminalText.padded("日本", to: 6) == "日本  ")
        #expect(TerminalText.padded("🎉", to: 4, right: true) == "  🎉")
        #expect(TerminalText.padded("日本語", to: 2) == "日本語")
    }
}
