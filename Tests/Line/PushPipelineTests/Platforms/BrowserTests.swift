import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// The measures of browsers against pushes for which their site shows nothing.
///
/// Sources: Apple, WWDC22 session 10098, with WebKit's `maxSilentPushCount`; Chromium, `push_messaging_notification_manager.cc`; W3C, Push API.
struct BrowserTests {
    private static let silent = #"{"message":{"token":"t1","data":{"k":"v"}}}"#
    private static let visible = push(#""title":"T""#)

    private static func push(_ members: String) -> String {
        #"{"message":{"token":"t1","webpush":{"notification":{\#(members)}}}}"#
    }

    private static func browser(_ name: String) -> String {
        device(#""platform":"web","app":"https://news.example.org","browser":"\#(name)""#, of: "t1")
    }

    /// Outcomes, with the rules of the findings.
    private func outcomes(_ records: [String], store: any DeliveryStore = MemoryStore()) throws -> [String] {
        try reportLines(records, store: store) { report in
            guard report.note?.event == nil else { return nil }
            let reason = report.outcome == .silent ? nil : report.reason
            let words = [report.outcome.name.description] + [reason].compactMap(\.self)
            return (words + report.findings.map(\.rule)).joined(separator: " ")
        }
    }

    private static let strike = "silent fcm.web-silent-push"

    @Test func `the third silent push takes the permission in Safari, and not the second`() throws {
        let records = [Self.browser("safari"), Self.silent, Self.silent, Self.visible, Self.silent]
        let story = [Self.strike, Self.strike, "delivered", Self.strike]
        let end = ["suppressed denied", "suppressed denied"]
        #expect(try outcomes(records + [Self.visible, Self.silent]) == story + end)
        let allowed = device(#""authorization":"authorized""#, of: "t1")
        let again = try outcomes(records + [allowed, Self.silent, Self.silent, Self.visible])
        #expect(again == story + [Self.strike, Self.strike, "delivered"])
    }

    @Test func `a push whose options are refused, and one for a visible page, show nothing`() throws {
        let refused = Self.push(#""title":"T","renotify":true"#)
        let rules = "fcm.web-notification fcm.web-silent-push"
        #expect(try outcomes([Self.browser("safari"), refused]) == ["silent \(rules)"])
        let front = device(#""state":"foreground""#, of: "t1")
        #expect(try outcomes([Self.browser("safari"), front, Self.visible]) == [Self.strike])
    }

    @Test(arguments: ["chrome", "firefox", nil])
    func `other browsers do not count`(name: String?) throws {
        let browser = name.map(Self.browser) ?? device(#""platform":"web""#, of: "t1")
        let records = [browser] + Array(repeating: Self.silent, count: 4)
        #expect(try outcomes(records + [Self.visible]) == Array(repeating: "silent", count: 4) + ["delivered"])
    }

    @Test func `messages that waited, and those to a topic, count too`() throws {
        let topics = device(#""topics":["news"]"#, of: "t1")
        let toTopic = #"{"message":{"topic":"news","data":{"k":"v"}}}"#
        let offline = device(#""online":false"#, of: "t1")
        let records = [Self.browser("safari"), topics, toTopic, offline, Self.silent, Self.silent, back("t1")]
        #expect(try outcomes(records + [Self.visible]).filter { $0.hasSuffix("fcm.web-silent-push") }.count == 3)
        #expect(try outcomes(records + [Self.visible]).last == "suppressed denied")
    }

    @Test func `a file keeps the count between runs`() throws {
        let folder = try TestFolder()
        let path = folder.path("browser.db")
        _ = try outcomes([Self.browser("safari"), Self.silent, Self.silent], store: try SQLiteStore(path: path))
        #expect(
            try outcomes([Self.silent, Self.visible], store: try SQLiteStore(path: path)) == [
                Self.strike, "suppressed denied",
            ])
    }

    @Test(arguments: [
        #""title":"T","renotify":true"#, #""title":"T","dir":"left""#, #""title":"T","silent":true,"vibrate":[1]"#,
    ])
    func `Chrome shows a notification of its own for one that its site fails to show`(members: String) throws {
        let store = MemoryStore()
        let lines = try outcomes([Self.browser("chrome"), Self.push(members), Self.push(members)], store: store)
        #expect(lines.map { $0.split(separator: " ").first } == ["delivered", "replaced"])
        #expect(lines.allSatisfy { $0.hasSuffix("fcm.web-silent-push") })
        let shown = try store.notifications()
        #expect(shown.map(\.identifier) == ["user_visible_auto_notification"])
        #expect(
            shown.map(\.content) == [
                ShownContent(title: "news.example.org", body: "This site has been updated in the background.")
            ])
    }

    @Test func `a visible page of Chrome gets what its site fails to show`() throws {
        let front = device(#""state":"foreground""#, of: "t1")
        let lines = try outcomes([Self.browser("chrome"), front, Self.push(#""title":"T","renotify":true"#)])
        #expect(lines == ["silent fcm.web-notification"])
    }

    @Test func `a browser without permission has no subscription, so that data does not reach it either`() throws {
        let denied = device(#""authorization":"denied""#, of: "t1")
        #expect(try outcomes([Self.browser("firefox"), denied, Self.silent]) == ["suppressed denied"])
    }
}
