import TestSupport
import Testing

@testable import ScreenPictures

struct PictureTextTests {
    @Test(arguments: ["\u{0}", "\u{1b}[31m", "\u{202e}", "\u{2066}", "\u{feff}", nonCharacters, "\u{85}", "\u{61c}"])
    func `What must not be drawn is left out`(_ hostile: String) throws {
        let line = PictureText.line("a\(hostile)b")
        let scalars = try #require(hostile.unicodeScalars.first)
        #expect(!line.unicodeScalars.contains(scalars))
        #expect(line.first == "a" && line.last == "b")
    }

    @Test func `A letter keeps eight marks`() {
        let line = PictureText.line("a" + String(repeating: "\u{301}", count: 500) + "b")
        #expect(line.unicodeScalars.filter { $0 == "\u{301}" }.count == 8)
        #expect(line.last == "b")
    }

    @Test(arguments: [
        ("Anna Berg", "AB"), ("anna", "A"), ("Anna Maria van den Berg", "AB"), ("", "?"), ("🙂 !", "?"), ("李 小龙", "李小"),
        (" 3 Doors ", "3D"), ("\u{0}", "?"),
    ])
    func `Initials are those of the first and the last word`(name: String, expected: String) {
        #expect(PictureText.initials(name) == expected)
    }

    @Test(arguments: [
        ("org.example.news", "News"), ("https://news.example.org:8443", "news.example.org"),
        ("https://b:1/x", "b"), ("://", "://"), ("", "App"),
    ])
    func `an app is named by the end of its identifier, and a site by its host`(app: String, name: String) {
        #expect(PictureText.appName(app) == name)
    }
}
