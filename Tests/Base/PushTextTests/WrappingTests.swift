import PushText
import Testing

/// Lines that end between words, in any script.
struct WrappingTests {
    @Test func `prose is wrapped line by line, below where it begins, and a path stays whole`() {
        let text = "pushpipe: cannot read /a/very/long/path/to/a/file: no\n  two words\n\n    indented and too long\n"
        #expect(
            TerminalText.wrappedLines(text, to: 20) == """
                pushpipe: cannot
                  read
                  /a/very/long/path/to/a/file:
                  no
                  two words

                    indented and too
                      long

                """)
        for text in ["", "\n", "exactly twenty chars", "\r\u{1B}[K" + String(repeating: "word ", count: 9)] {
            #expect(TerminalText.wrappedLines(text, to: 20) == text)
        }
    }

    @Test(
        arguments: [
            ("The quick brown fox", 10, ["The quick", "brown fox"]),
            ("fits", 4, ["fits"]),
            ("two  spaces", 6, ["two", "spaces"]),
            ("aaaaaaaaaaaa", 5, ["aaaaa", "aaaaa", "aa"]),
            ("an aaaaaaaa", 5, ["an", "aaaaa", "aaa"]),
            // Five ideographs have ten columns, but UAX #14, LB13: no break before a comma or a full stop.
            ("订单已发货，请注意查收。", 10, ["订单已发", "货，请注意", "查收。"]),
            // LB14: no break after an opening bracket.
            ("价格「便宜」", 6, ["价格", "「便", "宜」"]),
            ("Room 部屋です", 6, ["Room", "部屋で", "す"]),
            // Hebrew, in the order in which it is stored.
            ("שלום עולם יפה", 9, ["שלום עולם", "יפה"]),
            // Combining marks have no columns, and stay with their letter.
            (
                "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", 5,
                ["e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", "e\u{301}"]
            ),
            // A family of four persons is one cluster of two columns.
            ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4, ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]),
        ])
    func `lines end between words`(text: String, columns: Int, lines: [String]) {
        #expect(TerminalText.wrapped(text, to: columns) == lines)
    }

    @Test func `the first line can be shorter`() {
        #expect(TerminalText.wrapped("one two three", to: 9, first: 4) == ["one", "two three"])
        // A word that fits below stays whole.
        #expect(TerminalText.wrapped("three two", to: 9, first: 4) == ["", "three two"])
    }

    @Test func `nothing is lost, and no line is too long`() {
        var random = SystemRandomNumberGenerator()
        let parts = ["a", "word", " ", "  ", "订单", "，", "「", "é", "e\u{301}", "👩🏽‍💻", "שלום", "مرحبا", "…", ".", "🇩🇪"]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            let columns = Int.random(in: 4...30, using: &random)
            let lines = TerminalText.wrapped(text, to: columns)
            let characters = { (text: String) in text.filter { $0 != " " } }
            #expect(characters(lines.joined()) == characters(text), "\(text)")
            #expect(lines.allSatisfy { TerminalText.width($0) <= columns }, "\(text), \(columns)")
        }
    }

    @Test func `no line ends in spaces`() {
        var line = FlowingLine(TextStyle(hasColors: false, columns: 20), indent: 2)
        line.appendCell("rule", to: 8)
        line.appendCell("", to: 8)
        line.append("a title below")
        #expect(line.text == "rule\n  a title below")
        var wide = FlowingLine(TextStyle(hasColors: false), indent: 2)
        wide.appendCell("rule", to: 8)
        wide.appendCell("", to: 8)
        wide.append("title")
        #expect(wide.text == "rule            title")
    }

    @Test func `a part that does not fit goes on below, and a cell stays`() {
        var line = FlowingLine(TextStyle(hasColors: false, columns: 20), indent: 4)
        line.appendCell("cell", to: 10)
        line.append("part one")
        line.append("part two")
        line.appendWords("some more words that go on")
        #expect(line.text == "cell      part one\n    part two  some\n    more words that\n    go on")
        var wide = FlowingLine(TextStyle(hasColors: false), indent: 4)
        wide.append("a")
        wide.appendWords("some more words that go on, however long they are")
        #expect(wide.text == "a  some more words that go on, however long they are")
    }
}
