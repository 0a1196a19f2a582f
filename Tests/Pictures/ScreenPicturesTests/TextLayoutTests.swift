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
