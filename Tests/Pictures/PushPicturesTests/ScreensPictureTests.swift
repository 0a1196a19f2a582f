import PushDevices
import PushModel
import PushPipeline
import TestSupport
import Testing

@testable import PushPictures
@testable import ScreenPictures

struct ScreensPictureTests {
    private func picture(_ records: String) throws -> Picture {
        ScreensPicture.draw(try ScreenContents(try delivered(records)))
    }

    // MARK: - Hostile texts

    private static let hostile = [
        "</text></svg><script>alert(1)</script>", "]]>", "<!--", "&amp;&#0;&lt", "\"'>", "\u{0}\u{1}\u{8}\u{b}\u{1f}",
        "\u{202e}evil\u{202c}", "\u{2066}\u{2067}x", nonCharacters, "\u{7f}\u{9b}31m", "e\u{301}\u{301}\u{301}",
        String(repeating: "x", count: 10_000), String(repeating: "\u{301}", count: 10_000),
        String(repeating: "漢", count: 10_000), String(repeating: "👩‍👩‍👧‍👦", count: 1_000),
        String(repeating: "\n", count: 10_000), String(repeating: " ", count: 10_000), "שלום עולם <b>", "\u{e0001}",
        "",
    ]

    @Test(arguments: hostile)
    func `Any text gives a well-formed picture of texts alone`(_ text: String) throws {
        let json = try quoted(text)
        let alert = #"{"title":\#(json),"subtitle":\#(json),"body":\#(json)}"#
        let google = #"{"to":"anna","notification":{"title":\#(json),"body":"\#("x")"}}"# + "\n"
        let records = apns(alert, aps: #""thread-id":\#(json)"#) + apns(#""plain""#) + google
        let picture = try picture(records)
        let names = Set(try SVGReader(picture.svg).elements.map(\.name))
        #expect(names.isDisjoint(with: ["script", "b", "image", "use", "a", "foreignObject"]))
        #expect(picture.svg.utf8.count < 200_000)
        let page = HTMLPage.text(of: picture)
        #expect(!page.contains("<script"))
    }

    @Test(arguments: hostile)
    func `Any name of an app and a device gives a well-formed picture`(_ text: String) throws {
        let json = try quoted(String(text.prefix(2000)))
        let record = #"{"device":\#(json),"headers":{"apns-topic":\#(json)},"payload":{"aps":{"alert":"x","badge":7}}}"#
        _ = try SVGReader(try picture(record + "\n").svg)
    }

    @Test(arguments: hostile)
    func `A communication notification has its sender's initials and a small icon of its app`(_ name: String) throws {
        var store = try delivered(apns(#"{"title":"Anna","body":"Coming?"}"#) + "\n").notifications()
        store[0].changes = #"{"sender":\#(try quoted("Anna " + name))}"#
        #expect(NotificationTraits(store[0]).sender?.hasPrefix("Anna") == true)
        let contents = ScreenContents(
            device: "ab", platform: .ios, notifications: store, activities: [], badges: [])
        let reader = try SVGReader(ScreensPicture.draw(contents).svg)
        #expect(reader.elements.contains { $0.name == "text" && $0.text.hasPrefix("A") && $0.text.count <= 2 })
    }

    private func drawnImages(_ senderImage: String) throws -> [String] {
        var store = try delivered(apns(#"{"title":"Anna","body":"Coming?"}"#) + "\n").notifications()
        store[0].changes = #"{"sender":"Anna","senderImage":\#(try quoted(senderImage))}"#
        let contents = ScreenContents(
            device: "ab", platform: .ios, notifications: store, activities: [], badges: [])
        let elements = try SVGReader(ScreensPicture.draw(contents).svg).elements
        return elements.filter { $0.name == "image" }.compactMap { $0.attributes["href"] }
    }

    @Test(arguments: ["png", "jpeg", "gif", "webp"])
    func `A sender's picture is drawn in place of the initials`(_ type: String) throws {
        let url = "data:image/\(type);base64,iVBORw0KGgo+/w=="
        #expect(try drawnImages(url) == [url])
    }

    @Test(
        arguments: [
            "https://example.org/a.png", "data:image/svg+xml;base64,PHN2Zz4=", "data:image/png;base64,",
            "data:image/png;base64,AA\"/><script>", "data:text/html;base64,AA==", "data:image/png,AA", "javascript:a",
        ] + hostile)
    func `What is no data URL of a picture is not drawn`(_ text: String) throws {
        #expect(try drawnImages(text).isEmpty)
    }

    // MARK: - Layout

    private static let busy = (0..<40).map { number in
        apns(
            #"{"title":"Title \#(number)","body":"\#(String(repeating: "word ", count: number))"}"#,
            app: "org.example.app\(number % 9)", aps: #""thread-id":"\#(number % 3)""#)
    }.joined()

    @Test func `Cards are on the screen, one below the other`() throws {
        let reader = try SVGReader(try picture(Self.busy).svg)
        let cards = reader.frames(.card)
        let screen = try #require(reader.elements.first { ($0.attributes["fill"] ?? "").hasPrefix("url(#w") }).frame
        // Of the newest twelve, nine apps: a stack each.
        #expect(cards.count == 9)
        for (upper, lower) in zip(cards, cards.dropFirst()) {
            #expect(lower.y - upper.y - upper.height >= PictureTheme.cardGap - 0.01)
        }
        for card in cards {
            #expect(card.x == screen.x + PictureTheme.cardMargin)
            #expect(card.width == PictureTheme.screenWidth - 2 * PictureTheme.cardMargin)
            #expect(card.y > screen.y && card.y + card.height < screen.y + screen.height)
        }
    }

    @Test func `A screen with little on it has the size of a phone's`() throws {
        let reader = try SVGReader(try picture(apns(#""Hello""#)).svg)
        let screen = try #require(reader.elements.first { ($0.attributes["fill"] ?? "").hasPrefix("url(#w") }).frame
        #expect(screen.width == PictureTheme.screenWidth)
        #expect(screen.height == PictureTheme.screenHeight)
        #expect(reader.frames(.card).count == 1)
    }

    @Test func `A group is a stack: its newest notification, and a count of the others`() throws {
        let records = (1...9).map { apns(#"{"title":"Goal \#($0)"}"#, aps: #""thread-id":"match""#) }.joined()
        let texts = try SVGReader(try picture(records).svg).texts
        #expect(texts.filter { $0.hasPrefix("Goal") } == ["Goal 9"])
        #expect(texts.contains("8 more notifications"))
        #expect(texts.contains("9 notifications"))
    }

    @Test func `groups are unfolded if all their notifications fit, and stacks otherwise`() throws {
        func picture(_ count: Int) throws -> SVGReader {
            let goals = (1...count).map { apns(#"{"title":"Goal \#($0)"}"#) }.joined()
            let match = apns(#"{"title":"Match"}"#, aps: #""thread-id":"match""#)
            return try SVGReader(try self.picture(goals + match).svg)
        }
        let unfolded = try picture(3)
        let titles = unfolded.texts.filter { $0.hasPrefix("Goal") || $0 == "Match" }
        #expect(titles == ["Match", "Goal 3", "Goal 2", "Goal 1"])
        #expect(unfolded.frames(.card).count == 4 && unfolded.frames(.behind).isEmpty)
        // As on a phone: one stack an app where nothing has a thread.
        let folded = try picture(9)
        #expect(folded.texts.filter { $0.hasPrefix("Goal") || $0 == "Match" } == ["Match", "Goal 9"])
        #expect(folded.texts.contains("8 more notifications"))
        // The edges of the two behind it.
        #expect(folded.frames(.card).count == 2 && folded.frames(.behind).count == 2)
    }

    @Test func `Thousands of notifications draw the newest`() throws {
        let records = (1...3000).map { apns(#"{"title":"Number \#($0)"}"#, aps: #""thread-id":"\#($0)""#) }.joined()
        let picture = try picture(records)
        let texts = try SVGReader(picture.svg).texts
        #expect(texts.filter { $0.hasPrefix("Number") }.count == ScreenContents.mostCards)
        #expect(texts.contains("Number 3000"))
        #expect(texts.contains("3,000 notifications"))
        #expect(texts.contains("+ \(PictureText.grouped(3000 - ScreenContents.mostCards)) more"))
        #expect(picture.svg.utf8.count < 100_000)
    }

    @Test func `Live Activities beyond the fourth are counted`() throws {
        let start =
            #"{"aps":{"timestamp":1793566800,"event":"start","content-state":{"home":1},"attributes-type":"Match","#
            + #""attributes":{"home":"Elbe"},"alert":{"title":"Kick-off"}}}"#
        let record =
            #"{"device":"ab54","headers":{"apns-topic":"org.example.sport.push-type.liveactivity","#
            + #""apns-push-type":"liveactivity"},"payload":\#(start)}"# + "\n"
        let reader = try SVGReader(try picture(String(repeating: record, count: 3000)).svg)
        #expect(reader.frames(.activity).count == LockScreen.mostActivities)
        #expect(reader.texts.contains("+ 2,996 more"))
        #expect(reader.texts.contains("3,000 Live Activities"))
        // The value's name is what the attribute says.
        #expect(reader.texts.contains("Elbe"))
    }

    @Test func `Icons beyond the fourth are counted`() throws {
        let records = (1...7).map { apns(#""Hello""#, app: "org.example.app\($0)", aps: #""badge":\#($0)"#) }.joined()
        let reader = try SVGReader(try picture(records).svg)
        #expect(reader.frames(.badge).count == ScreensPicture.mostIcons)
        #expect(reader.texts.contains("+ 3"))
    }

    @Test func `At most four devices are drawn, and the others are counted`() throws {
        let records = (1...7).map { apns(#""Hello""#, device: "ab0\($0)") }.joined()
        let contents = try ScreenContents(try delivered(records))
        #expect(contents.screens.map(\.device) == ["ab01", "ab02", "ab03", "ab04"])
        #expect(ScreensPicture.draw(contents).note == "3 more devices are not drawn")
        let one = try ScreenContents(try delivered(records), device: "ab06")
        #expect(one.screens.map(\.device) == ["ab06"])
        #expect(ScreensPicture.draw(one).note == nil)
    }

    @Test func `All screens are seen at one time, also one with a number on an icon alone`() throws {
        let later = #"{"event":"clock","advance":"3h"}"# + "\n"
        let badge = #"{"device":"ab03","headers":{"apns-topic":"org.a"},"payload":{"aps":{"badge":2}}}"# + "\n"
        let contents = try ScreenContents(
            try delivered(apns(#""Early""#, device: "ab01") + badge + later + apns(#""Late""#, device: "ab02")))
        #expect(contents.screens.map(\.device).sorted() == ["ab01", "ab02", "ab03"])
        #expect(Set(contents.screens.map(\.time)).count == 1)
        #expect(try SVGReader(ScreensPicture.draw(contents).svg).texts.contains("3h ago"))
    }

    @Test func `A registered device is drawn as what it is, whatever its notifications are for`() throws {
        let records =
            #"{"event":"device","device":"ab01","app":"org.example.news","platform":"android"}"# + "\n"
            + apns(#""Hello""#, device: "ab01", aps: #""badge":3"#) + apns(#""Hello""#, device: "ab02")
        for store in [try delivered(records), try deliveredToFile(records)] as [any BrowsableStore] {
            let contents = try ScreenContents(store)
            #expect(contents.screens.map(\.platform) == [.android, .ios])
            #expect(contents.screens.map(\.icons) == [[PhoneScreen.Icon(app: "org.example.news", badge: 3)], []])
            #expect(try ScreenContents(store, app: "org.example.other").screens.isEmpty)
        }
    }

    // MARK: - Contents

    @Test func `A phone that hides previews shows the placeholder, and neither sender nor picture`() throws {
        let event =
            #"{"event":"device","device":"ab54","app":"org.example.news","previews":"never","categories":"#
            + #"[{"id":"TALK","placeholder":"%u messages"}]}"# + "\n"
        let records =
            event
            + apns(#"{"title":"Anna","body":"Coming?"}"#, aps: #""category":"TALK","interruption-level":"critical""#)
        for store in [try delivered(records), try deliveredToFile(records)] as [any BrowsableStore] {
            let picture = ScreensPicture.draw(try ScreenContents(store))
            let texts = try SVGReader(picture.svg).texts
            #expect(texts.contains("1 messages") && texts.contains("News") && texts.contains("CRITICAL"))
            #expect(!texts.contains("Anna") && !texts.contains("Coming?"))
            #expect(!picture.description.contains("Coming?"))
        }
        var notification = try #require(try delivered(records).notifications().first)
        notification.changes = #"{"sender":"Anna","attachments":[{}]}"#
        let hidden = HiddenPreviews(try delivered(records).registered(on: "ab54"))
        let contents = ScreenContents(
            device: "ab54", platform: nil, notifications: [notification], activities: [], badges: [],
            seen: hidden.content)
        #expect(contents.screens.first?.cards.first?.traits.sender == nil)
        #expect(contents.screens.first?.cards.first?.traits.hasPicture == false)
    }

    @Test func `A notification without a title has its app's name`() throws {
        #expect(try SVGReader(try picture(apns(#""Hello""#)).svg).texts.contains("News"))
    }

    @Test(arguments: [
        ("time-sensitive", "TIME SENSITIVE"), ("critical", "CRITICAL"), ("active", nil), ("nonsense", nil),
    ])
    func `Interruption levels have a label`(level: String, label: String?) throws {
        let texts = try SVGReader(
            try picture(apns(#""Hello""#, aps: #""interruption-level":"\#(level)""#)).svg
        ).texts
        let labels = texts.filter { $0 == "TIME SENSITIVE" || $0 == "CRITICAL" }
        #expect(labels == (label.map { [$0] } ?? []))
    }

    /// Joiners, fillers and an empty Braille pattern; a space alone is no title.
    @Test(arguments: [
        (#"\u200b\u200d"#, "(nothing visible)"), (#"\u3164"#, "(nothing visible)"), (#"\u2800"#, "(nothing visible)"),
        (" ", "News"), (#"a\u200b"#, "a\u{200B}"),
    ])
    func `A title in which nothing can be seen is said to be one`(title: String, shown: String) throws {
        let texts = try SVGReader(try picture(apns(#"{"title":"\#(title)","body":"Text"}"#)).svg).texts
        #expect(texts.contains(shown), "\(texts)")
    }

    @Test func `A badge is on the home screen`() throws {
        let texts = try SVGReader(try picture(apns(#""Hello""#, aps: #""badge":1234"#)).svg).texts
        #expect(texts.contains("1,234"))
        let long = try SVGReader(try picture(apns(#""Hello""#, aps: #""badge":1234567"#)).svg)
        #expect(long.texts.contains("9,999+"))
        let cleared = try SVGReader(
            try picture(apns(#""Hello""#, aps: #""badge":5"#) + apns(#""Hello""#, aps: #""badge":0"#)).svg)
        #expect(cleared.frames(.badge).isEmpty)
    }

    @Test func `A device of Google has a shade`() throws {
        let record =
            #"{"to":"anna","notification":{"title":"Rovers","body":"2–0","image":"https://example.org/a.png"}}"#
        let reader = try SVGReader(try picture(record).svg)
        #expect(reader.frames(.card).isEmpty)
        #expect(!reader.frames(.shade).isEmpty)
        #expect(!reader.frames(.tile).isEmpty)
        #expect(reader.texts.contains("Rovers"))
        #expect(reader.texts.contains("App · now"))
    }

    @Test(arguments: [
        #"{"to":"anna","restricted_package_name":"org.example.sport","notification":{"title":"Rovers"}}"#,
        #"{"message":{"token":"anna","android":{"restricted_package_name":"org.example.sport"},"notification":{"title":"Rovers"}}}"#,
    ])
    func `A message of Google may name its app`(record: String) throws {
        #expect(try SVGReader(try picture(record).svg).texts.contains("Sport · now"))
    }

    @Test func `A text from right to left starts on the right`() throws {
        let reader = try SVGReader(try picture(apns(#"{"title":"שלום","subtitle":"ערב","body":"עולם"}"#)).svg)
        let card = try #require(reader.frames(.card).first)
        let texts = reader.elements.filter { $0.name == "text" && ["שלום", "ערב", "עולם"].contains($0.text) }
        #expect(texts.count == 3)
        for text in texts {
            #expect(text.attributes["direction"] == "rtl")
            #expect(text.x + text.number("x") > card.x + card.width / 2)
        }
    }

    @Test func `The same store gives the same bytes`() throws {
        #expect(try picture(Self.busy).svg == picture(Self.busy).svg)
    }

    @Test func `A device with a number on an icon alone is drawn with it`() throws {
        let record = #"{"device":"ab","headers":{"apns-topic":"org.example.chat"},"payload":{"aps":{"badge":4}}}"#
        let texts = try SVGReader(try picture(record + "\n").svg).texts
        #expect(texts.contains("4") && !texts.contains("Nothing on screen"))
    }

    @Test func `A store without notifications says so`() throws {
        #expect(try SVGReader(try picture("").svg).texts == ["Nothing on screen"])
    }
}
