import Testing

@testable import ScreenPictures

struct TextLayoutTests {
    private static let texts = [
        "Final: Liberals 30.9, Greens 30.4, Labour 27.1. Recount in two districts",
        "Aufmerksamkeitsdefizitstörung-Sprechstunde",
        "自由党が第一党となりました。投票率は七十一・四パーセントで、一九九四年以来の高さです。", "one\n\ntwo\nthree", "👩‍👩‍👧‍👦🇩🇪👍🏽 yes",
        String(repeating: "W", count: 500),
    ]

    @Test(arguments: texts, [40.0, 120, 300])
    func `No line is longer than its room, and none is lost`(text: String, room: Double) {
        let lines = TextLayout.lines(text, size: 15, room: room, most: 1000)
        #expect(lines.allSatisfy { TextLayout.width($0, size: 15) <= room + 0.001 })
        let squeezed = { (text: String) in text.filter { !$0.isWhitespace } }
        #expect(squeezed(lines.joined()) == squeezed(PictureText.line(text, most: 10_000)))
    }

    /// Widths in points at size 15, regular and bold, as the tables `hmtx` of DejaVu Sans 2.37 and DejaVu Sans Bold have them. A text is to
    /// fit where DejaVu draws it, and not to end long before its room does.
    @Test(arguments: [
        ("Municipal elections, 12 of 98 districts", 279.7, 318.0),
        ("Final: Liberals 30.9, Greens 30.4, Labour 27.1", 343.2, 386.7),
        ("Überhangmandate entscheiden über Mehrheit", 348.0, 391.8),
        ("Широкая электрификация южных губерний", 350.7, 386.3),
        ("WWWWWW MMMMMMM until the end of the li…", 361.5, 408.9),
    ])
    func `A text is measured as the widest font draws it`(text: String, regular: Double, bold: Double) {
        for (width, isBold) in [(regular, false), (bold, true)] {
            let measured = TextLayout.width(text, size: 15, isBold: isBold)
            #expect(measured >= width && measured <= 1.04 * width, "\(measured) of \(width)")
        }
    }

    @Test(arguments: texts, 1...3)
    func `A text that goes on ends with an ellipsis`(text: String, most: Int) {
        let all = TextLayout.lines(text, size: 15, room: 120, most: 1000)
        let some = TextLayout.lines(text, size: 15, room: 120, most: most)
        #expect(some.count == min(all.count, most))
        #expect((some.last?.hasSuffix("…") ?? false) == (all.count > most))
        #expect(some.allSatisfy { TextLayout.width($0, size: 15) <= 120.001 })
    }

    @Test func `A line ends between words, or beside a wide character`() {
        let words = TextLayout.lines(
            "one two three four", size: 10, room: TextLayout.width("one two", size: 10), most: 9)
        #expect(words.first == "one two")
        let wide = TextLayout.lines("漢字。漢字", size: 10, room: TextLayout.width("漢字", size: 10), most: 9)
        // A full stop does not begin a line.
        #expect(wide.allSatisfy { !$0.hasPrefix("。") })
    }

    @Test(arguments: [
        ("hello", false), ("שלום", true), ("123 שלום", true), ("abc שלום", false), ("", false), ("⚽️ مرحبا", true),
    ])
    func `A paragraph has the direction of its first letter`(text: String, isRightToLeft: Bool) {
        #expect(PictureText.isRightToLeft(text) == isRightToLeft)
    }
}
