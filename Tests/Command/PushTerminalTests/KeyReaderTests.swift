import Testing

@testable import PushTerminal

struct KeyReaderTests {
    @Test(arguments: [
        ("\u{1B}[A", ScreenBrowser.Command.scroll(-1)), ("\u{1B}OB", .scroll(1)), ("j", .scroll(1)),
        ("\u{1B}[C", .nextDevice),
        ("\u{1B}[D", .previousDevice), ("\u{1B}[Z", .previousDevice), ("\u{1B}[5~", .scrollPage(-1)),
        (" ", .scrollPage(1)),
        ("g", .top), ("\u{1B}[F", .bottom), ("q", .quit),
    ])
    func `a key is a command, in one piece and byte by byte`(text: String, command: ScreenBrowser.Command) {
        var whole = KeyReader()
        let commands = whole.commands(Array(text.utf8), isEnd: false)
        #expect(commands == [command])
        var split = KeyReader()
        let pieces = text.utf8.flatMap { split.commands([$0], isEnd: false) }
        #expect(pieces == [command])
    }

    @Test func `an escape alone quits once nothing follows it`() {
        var reader = KeyReader()
        let none = reader.commands([0x1B], isEnd: false)
        #expect(none.isEmpty)
        let commands = reader.commands([], isEnd: true)
        #expect(commands == [.quit])
    }

    @Test func `after a slash a name is typed, until it is kept or left`() {
        var reader = KeyReader()
        let typed = reader.commands(Array("/q1\u{7F}n\u{1B}[A\rq".utf8), isEnd: false)
        #expect(typed == [.find] + "q1\u{7F}n\r".utf8.map { .type($0) } + [.quit])
        let left = reader.commands(Array("/a\u{1B}".utf8), isEnd: true)
        #expect(left == [.find] + "a\u{1B}".utf8.map { .type($0) })
        #expect(reader.commands(Array("g/\u{04}".utf8), isEnd: false) == [.top, .find, .quit])
        // The search ends with a sequence that has no end, too.
        let broken = reader.commands(Array("/a\u{1B}[".utf8), isEnd: true)
        #expect(broken == [.find] + "a\u{1B}".utf8.map { .type($0) })
    }

    @Test func `keys without a meaning are passed over, and those after them are not`() {
        var reader = KeyReader()
        let commands = reader.commands(Array("x\u{1B}[15~ü\u{1B}[1;5C\u{1B}xq".utf8), isEnd: false)
        #expect(commands == [.quit])
    }

    @Test func `a sequence without an end is dropped`() {
        var reader = KeyReader()
        let none = reader.commands(Array("\u{1B}[".utf8) + Array(repeating: 0x30, count: 40), isEnd: false)
        #expect(none.isEmpty)
        let commands = reader.commands(Array("q".utf8), isEnd: false)
        #expect(commands == [.quit])
    }
}
