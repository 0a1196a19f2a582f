import PushReports
import Testing

@testable import PushPictures

struct PictureFormTests {
    private var picture: Picture {
        get throws { ScreensPicture.draw(try ScreenContents(try delivered(apns(#""Hello""#)))) }
    }

    @Test(arguments: [
        ("a.svg", PictureForm.svg), ("b.PNG", .png), ("c.d.html", .html), ("svg", nil), ("a.txt", nil), ("", nil),
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

    @Test func `Without its program a PNG says how to get it`() throws {
        let picture = try picture
        #expect(throws: PictureError.self) { try PNGRenderer.render(picture, searchPath: "/nowhere") }
    }

    @Test func `A bitmap is not for a terminal`() throws {
        #expect(throws: PictureError.terminal) { try PictureForm.png.checked(isTerminal: true) }
        #expect(try PictureForm.svg.checked(isTerminal: true) == .svg)
        #expect(try PictureForm.png.checked(isTerminal: false) == .png)
    }

    @Test func `Forms of lines and of pictures have names`() {
        #expect(OutputForm<StoreReportForm>("csv")?.lines == .csv)
        #expect(OutputForm<StoreReportForm>("svg")?.picture == .svg)
        #expect(OutputForm<StoreReportForm>("json")?.lines == .ndjson)
        #expect(OutputForm<StoreReportForm>("xml") == nil)
        #expect(OutputForm<StoreReportForm>.names == ["text", "ndjson", "csv", "svg", "html", "png"])
    }
}
