import Foundation
import PushReports
import PushSystem
import TestSupport
import Testing

@testable import PushPictures
@testable import ScreenPictures

struct PictureFormTests {
    private var picture: Picture {
        get throws { ScreensPicture.draw(try ScreenContents(try delivered(apns(#""Hello""#)))) }
    }

    @Test(arguments: [
        ("a.svg", PictureForm.svg), ("b.PNG", .png), ("d.dark.png", .darkPNG), ("dark.png", .png), ("c.d.html", .html),
        ("svg", nil), ("a.txt", nil), ("", nil),
        ("a.", nil),
    ])
    func `The ending of a name says the format`(name: String, form: PictureForm?) {
        #expect(PictureForm(ending: name) == form)
    }

    @Test func `A page has the picture and its text`() throws {
        let picture = try picture
        let page = String(decoding: try PictureForm.html.bytes(of: picture), as: UTF8.self)
        #expect(page.contains(picture.svg))
        #expect(page.contains("<li dir=\"auto\">News: Hello</li>"))
    }

    /// A title cannot be taken for the rule that makes a picture dark.
    @Test func `A dark picture has the dark colors and the same shapes`() throws {
        let title = "@media (prefers-color-scheme:dark){"
        let picture = ScreensPicture.draw(try ScreenContents(try delivered(apns("\"\(title)\""))))
        let (light, dark) = (try SVGReader(picture.svg), try SVGReader(picture.darkSVG))
        #expect(light.texts == dark.texts && dark.texts.contains(title))
        #expect(light.frames(.card) == dark.frames(.card))
        let rule = PictureTheme.paint(.page).dark.css
        #expect(picture.svg.contains("@media (prefers-color-scheme:dark){.page{fill:\(rule)}"))
        #expect(!picture.darkSVG.contains("<style>@media") && picture.darkSVG.contains("}.page{fill:\(rule)}"))
    }

    @Test func `Without its program a PNG says how to get it`() throws {
        let picture = try picture
        #expect(throws: PlainError.self) { try PNGRenderer.render(picture.svg, searchPath: "/nowhere") }
    }

    @Test func `A program that writes too much is an error, and leaves no process`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let script = "#!/bin/sh\ncat >/dev/null\necho $$ >\"$0.pid\"\nexec head -c 10000000 /dev/zero 2>/dev/null\n"
        let program = try folder.write(script, to: "rsvg-convert")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let picture = try picture
        #expect(throws: PlainError.self) {
            try PNGRenderer.render(picture.svg, searchPath: folder.path, mostBytes: 1000)
        }
        let text = try folder.read("rsvg-convert.pid")
        let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // One that was not waited for could still be signalled.
        #expect(kill(process, 0) == -1)
    }

    @Test func `A bitmap is not for a terminal`() throws {
        #expect(throws: PlainError("a PNG is not text for a terminal; redirect it to a file")) {
            try PictureForm.png.checked(isTerminal: true)
        }
        #expect(try PictureForm.svg.checked(isTerminal: true) == .svg)
        #expect(try PictureForm.png.checked(isTerminal: false) == .png)
    }

    @Test func `Forms of lines and of pictures have names`() {
        #expect(OutputForm<StoreReportForm>("csv")?.lines == .csv)
        #expect(OutputForm<StoreReportForm>("svg")?.picture == .svg)
        #expect(OutputForm<StoreReportForm>("ndjson")?.lines == .ndjson)
        #expect(OutputForm<StoreReportForm>("xml") == nil)
        #expect(OutputForm<StoreReportForm>.names == ["text", "ndjson", "csv", "svg", "html", "png", "png-dark"])
    }
}
