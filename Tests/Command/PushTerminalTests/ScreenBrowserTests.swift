import PushModel
import PushText
import Testing

@testable import PushTerminal

struct ScreenBrowserTests {
    private static func notification(
        _ body: String?, title: String? = nil, seq: UInt64 = 1, app: String = "org.example.news", id: String = "push-1"
    ) -> DeliveredNotification {
        DeliveredNotification(
            seq: seq, device: "ab12", app: app, identifier: id, content: ShownContent(title: title, body: body),
            deliveredAt: 1_767_268_805_000, payload: "{}")
    }

    private static func browser(columns: Int = 40, rows: Int = 10, devices: [String] = ["ab12", "cd34"])
        -> ScreenBrowser
    {
        var browser = ScreenBrowser(
            title: "phone.db", style: TextStyle(hasColors: false), columns: columns, rows: rows)
        browser.take(devices.map { ScreenBrowser.Device(name: $0, count: 1) })
        return browser
    }

    @Test func `a card stands between the heading and the keys`() {
        var browser = Self.browser(columns: 46)
        browser.take([Self.notification("12 of 98 districts", title: "Election night")], isFirst: true)
        // 46 columns: the rule takes what the app, the time and the corners leave.
        let rule = String(repeating: "─", count: 46 - 2 - " org.example.news ".count - " 12:00:05 ".count - 2)
        #expect(
            browser.lines == [
                " ab12  1 of 2  1 notification  phone.db",
                "╭─ org.example.news \(rule) 12:00:05 ─╮",
                "│ Election night                             │",
                "│ 12 of 98 districts                         │",
                "╰─ push-1 ───────────────────────────────────╯",
                "", "", "", "",
                " ←→ device  / find  ↑↓ g G scroll  q quit",
            ])
    }

    @Test func `a device is found by a part of its name`() {
        var browser = Self.browser(devices: ["ab12", "Pixel 9", "cd34", "pixel ä"])
        func type(_ text: String) { for byte in text.utf8 { _ = browser.handle(.type(byte)) } }
        _ = browser.handle(.find)
        #expect(browser.lines.last == " /")
        type("pix")
        #expect(browser.device == "Pixel 9" && browser.lines.last == " /pix")
        type("el ä")
        #expect(browser.device == "pixel ä" && browser.lines.last == " /pixel ä")
        type("\u{7F}")
        #expect(browser.device == "Pixel 9")
        type("x")
        #expect(browser.device == "Pixel 9" && browser.lines.last == " /pixel x  no such device")
        type("\u{1B}")
        #expect(browser.device == "ab12" && browser.lines.last?.hasPrefix(" ←→") == true)
        // From the device on that is shown.
        _ = browser.handle(.nextDevice)
        _ = browser.handle(.find)
        type("34")
        type("\n")
        #expect(browser.device == "cd34" && browser.lines.last?.hasPrefix(" ←→") == true)
        _ = browser.handle(.find)
        type("PIX")
        #expect(browser.device == "pixel ä")
    }

    @Test(arguments: [
        "🗳️ 12 of 98 districts are counted 🇩🇪👩‍👩‍👧", "今夜の開票速報です。十二の地区で開票が終わりました", "שלום עולם, ושוב שלום לכל העולם",
        "\u{202E}gnorw", "a\u{0301}\u{0301}\u{0301}", String(repeating: "x", count: 10_000), "\u{1B}[31mred\u{7}", "",
    ])
    func `every line fits, whatever the text`(text: String) {
        for columns in [1, 7, 8, 20, 80, 200] {
            for rows in [0, 1, 2, 3, 24] {
                var browser = Self.browser(columns: columns, rows: rows, devices: [text.isEmpty ? "d" : text])
                browser.take([Self.notification(text, title: text, app: text, id: text)], isFirst: true)
                let lines = browser.lines
                #expect(lines.count == rows)
                #expect(lines.allSatisfy { TerminalText.width($0) <= max(columns, 1) }, "\(columns) columns: \(lines)")
                #expect(lines.allSatisfy { !$0.contains("\u{1B}") && !$0.contains("\u{202E}") })
            }
        }
    }

    /// A phone has a number on each icon, and no sum of them.
    @Test(arguments: [
        ([] as [(String, Int)], "  phone.db"), ([("org.example.chat", 13)], "  phone.db  badge 13"),
        ([("org.example.news", 3), ("org.example.chat", 13), ("", 1)], "  phone.db  badges news 3, chat 13, app 1"),
    ])
    func `badges are those of the icons`(badges: [(String, Int)], end: String) {
        var browser = Self.browser(columns: 90)
        let shown = badges.map { ScreenBrowser.Badge(app: $0.0, number: $0.1) }
        browser.take([ScreenBrowser.Device(name: "ab12", count: 0, badges: shown)])
        #expect(browser.lines[0] == " ab12  1 of 1  0 notifications" + end)
    }

    @Test func `the sides of a card are below each other`() {
        var browser = Self.browser(columns: 30, rows: 12)
        browser.take([Self.notification("🗳️ 十二の地区 and some more words that wrap", title: "שלום")], isFirst: true)
        let card = browser.lines.filter { $0.hasPrefix("│") || $0.hasPrefix("╭") || $0.hasPrefix("╰") }
        #expect(card.count > 3)
        #expect(card.allSatisfy { TerminalText.width($0) == 30 }, "\(card)")
    }

    @Test(arguments: [
        ([ScreenBrowser.Command.nextDevice], "cd34", true), ([.nextDevice, .nextDevice], "cd34", false),
        ([.lastDevice, .firstDevice], "ab12", true), ([.previousDevice], "ab12", false),
    ])
    func `arrows choose the device, and stop at the ends`(
        commands: [ScreenBrowser.Command], device: String, isAnother: Bool
    ) {
        var browser = Self.browser()
        var result = false
        for command in commands { result = browser.handle(command) }
        #expect(browser.device == device)
        #expect(result == isAnother)
    }

    @Test func `the device that is shown stays when others come`() {
        var browser = Self.browser()
        _ = browser.handle(.lastDevice)
        browser.take(["new", "ab12", "cd34"].map { ScreenBrowser.Device(name: $0, count: 0) })
        #expect(browser.device == "cd34")
        browser.take([])
        #expect(browser.device == nil)
        #expect(browser.lines[2] == " The store is empty.")
    }

    @Test func `scrolling ends with the last line`() {
        var browser = Self.browser(rows: 6)
        browser.take((1...5).map { Self.notification("\($0)", seq: $0, id: "push-\($0)") }, isFirst: true)
        // Five cards of three lines, of which four fit.
        _ = browser.handle(.bottom)
        #expect(browser.lines[4].hasPrefix("╰─ push-5 "))
        _ = browser.handle(.scroll(1))
        #expect(browser.lines[4].hasPrefix("╰─ push-5 "))
        _ = browser.handle(.scroll(-100))
        #expect(browser.lines[1].hasPrefix("╭─ org.example.news "))
        _ = browser.handle(.scrollPage(1))
        #expect(browser.lines[1].hasPrefix("╭─ "))
    }

    @Test func `what arrives is marked until the next arrives`() {
        var browser = ScreenBrowser(title: "s", style: TextStyle(hasColors: true), columns: 30, rows: 20)
        browser.take([ScreenBrowser.Device(name: "ab12", count: 1)])
        let marked = TextStyle(hasColors: true).changed("╭─")
        let (first, second) = (Self.notification("1", seq: 1), Self.notification("2", seq: 2))
        browser.take([first], isFirst: true)
        #expect(!browser.lines.contains { $0.hasPrefix(marked) })
        // It takes the place of the first.
        browser.take([second], isFirst: false)
        #expect(browser.lines.count { $0.hasPrefix(marked) } == 1)
        let third = Self.notification("3", seq: 3, id: "push-3")
        browser.take([third, second], isFirst: false)
        #expect(browser.lines[1].hasPrefix(marked))
        #expect(browser.lines.count { $0.hasPrefix(marked) } == 1)
    }

    @Test func `a store that cannot be read is said on the last line`() {
        var browser = Self.browser()
        browser.take(problem: "the store is locked")
        #expect(browser.lines.last == " the store is locked")
        browser.take([], isFirst: false)
        #expect(browser.lines.last?.hasPrefix(" ←→ device") == true)
    }
}
