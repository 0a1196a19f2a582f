import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Actions of notifications, by the categories that an app registers.
///
/// Source: Apple, `UNNotificationCategory`, `UNNotificationActionOptions.foreground`, `customDismissAction`.
struct ActionTests {
    private static let categories =
        #"[{"id":"TALK","actions":[{"id":"REPLY","title":"Reply","text":true},{"id":"SHOW","title":"Show","foreground":true},{"id":"MUTE"}],"dismissal":true},{"id":"NEWS"}]"#

    private static func device(_ members: String) -> String {
        #"{"event":"device","device":"ab54","app":"org.example.news",\#(members)}"#
    }

    private static func push(_ category: String) -> String {
        #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"alert":"x","category":"\#(category)"}}}"#
    }

    /// The end of the report line after the outcome, for an event that follows a push of a category.
    private func report(
        _ event: String, category: String = "TALK", on store: any DeliveryStore = MemoryStore()
    ) throws -> String {
        let setup = Self.device(#""state":"background","categories":\#(Self.categories)"#)
        var last = ""
        try Pipeline(configuration(), deliveringTo: store).process(
            [setup, Self.push(category), event].joined(separator: "\n")
        ) { last = Reported($0).line.trimmingSuffix(while: \.isNewline) }
        return last.split(separator: #""outcome":"#, maxSplits: 1).last.map(String.init) ?? ""
    }

    private static func tap(_ members: String) -> String { #"{"event":"tap","device":"ab54",\#(members)}"# }

    @Test(arguments: [
        (tap(#""action":"MUTE""#), #""applied","steps":["wake","handle-action MUTE"]}"#),
        (tap(#""action":"SHOW""#), #""applied","steps":["come-to-front","handle-action SHOW"]}"#),
        (
            tap(#""action":"REPLY","text":"On my way""#),
            #""applied","steps":["wake","handle-action REPLY \"On my way\""]}"#
        ),
        (tap(#""action":"REPLY""#), #""applied","steps":["wake","handle-action REPLY"]}"#),
        (tap(#""action":"MUTE","text":"no""#), #""ignored","reason":"no-such-action"}"#),
        (tap(#""action":"DELETE""#), #""ignored","reason":"no-such-action"}"#),
        (tap(#""text":"no""#), #""ignored","reason":"no-such-action"}"#),
        (
            #"{"event":"dismiss","device":"ab54"}"#,
            #""applied","steps":["wake","handle-action com.apple.UNNotificationDismissActionIdentifier"]}"#
        ),
    ])
    func `an action does what its category says`(event: String, expected: String) throws {
        let folder = try TestFolder(name: "pushpipe-actions")
        for store: any DeliveryStore in [MemoryStore(), try SQLiteStore(path: folder.path("s.db"))] {
            #expect(try report(event, on: store).hasSuffix(expected))
            let isLeft = try !store.notifications().isEmpty
            #expect(isLeft == expected.contains("ignored"))
        }
    }

    /// Content is kept for what events can ask: the category of a notification.
    @Test func `a run that keeps no content knows the actions of a notification`() throws {
        func end(_ action: String, _ category: String) throws -> String {
            try report(
                Self.tap(#""action":"\#(action)""#), category: category,
                on: MemoryStore(keepsJournal: false, keepsContent: false))
        }
        #expect(try end("MUTE", "TALK").hasSuffix(#""steps":["wake","handle-action MUTE"]}"#))
        #expect(try end("MUTE", "NEWS").hasSuffix(#""reason":"no-such-action"}"#))
        #expect(try end("MUTE", "").hasSuffix(#""reason":"no-such-action"}"#))
    }

    @Test func `a category without actions has none, and its dismissals are not reported`() throws {
        #expect(try report(Self.tap(#""action":"MUTE""#), category: "NEWS").hasSuffix(#""reason":"no-such-action"}"#))
        #expect(try report(#"{"event":"dismiss","device":"ab54"}"#, category: "NEWS").hasSuffix(#""applied"}"#))
    }

    /// An app of which nothing is said may have any actions.
    @Test func `without categories every action is carried out in the background`() throws {
        var last = ""
        try Pipeline(configuration(), store: MemoryStore()).process(
            [Self.device(#""state":"background""#), Self.push("TALK"), Self.tap(#""action":"ANY","text":"x""#)]
                .joined(separator: "\n")
        ) { last = Reported($0).line.trimmingSuffix(while: \.isNewline) }
        #expect(last.hasSuffix(#""steps":["wake","handle-action ANY \"x\""]}"#))
    }

    @Test func `a file keeps the categories, and lists them as an event has them`() throws {
        let folder = try TestFolder(name: "pushpipe-actions")
        let path = folder.path("s.db")
        _ = try report(Self.tap(#""action":"MUTE""#), on: SQLiteStore(path: path))
        let again = try SQLiteStore(path: path)
        var last = ""
        try Pipeline(configuration(), store: again).process(
            [Self.push("TALK"), Self.tap(#""action":"DELETE""#)].joined(separator: "\n")
        ) { last = Reported($0).line.trimmingSuffix(while: \.isNewline) }
        #expect(last.hasSuffix(#""reason":"no-such-action"}"#))
        var found: [ActionCategory]?
        try again.forEachRegisteredApp(device: nil) { found = $0.event.settings.categories }
        #expect(found?.map(\.identifier) == ["TALK", "NEWS"])
        #expect(found?.first?.actions.map(\.title) == ["Reply", "Show", "MUTE"])
    }

    @Test(arguments: [
        "7", #"[{}]"#, #"[{"id":""}]"#, #"[{"id":"A","actions":[{"id":"B","foreground":1}]}]"#,
        #"[{"id":"A","more":1}]"#,
    ])
    func `categories that cannot be read are malformed`(value: String) throws {
        var last: Outcome?
        try Pipeline(configuration(), store: MemoryStore()).process(Self.device(#""categories":\#(value)"#)) {
            last = $0.outcome
        }
        #expect(last == .malformed)
    }
}

extension String {
    fileprivate func trimmingSuffix(while isMember: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isMember(last) { text.removeLast() }
        return String(text)
    }
}
