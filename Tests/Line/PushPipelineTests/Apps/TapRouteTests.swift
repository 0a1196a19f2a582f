import AppSimulation
import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Taps that open a screen chosen by the notification's content.
///
/// Sources: Apple, `userNotificationCenter(_:didReceive:withCompletionHandler:)`: the app finds the action and the content in
/// the response; `UNNotificationActionOptions.foreground`: an action without it is carried out in the background. FCM v1,
/// `AndroidNotification.click_action`.
struct TapRouteTests {
    private let routes = TapRoutes([
        TapRoutes.Rule(at: .category, like: "TALK", action: "REPLY", opens: AppScreen("reply", kind: .editor)),
        TapRoutes.Rule(at: .category, like: "TALK", opens: AppScreen("talk")),
        TapRoutes.Rule(at: .pointer("/url"), like: "*/live/*", opens: AppScreen("live")),
        TapRoutes.Rule(at: .pointer("/url"), opens: AppScreen("")),
        TapRoutes.Rule(at: .collapseID, like: "match-*", opens: AppScreen("match", isModal: true)),
    ])

    private func last(_ records: [String], store: any DeliveryStore = MemoryStore()) throws -> String? {
        try story(records, store: store) { $0.devicePolicy.tapRoutes = routes }.last
    }

    private func push(_ aps: String = "", _ members: String = "", headers: String = "") -> String {
        #"{"device":"ab54","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"\#(headers)},"#
            + #""payload":{"aps":{"alert":"Text"\#(aps)}\#(members)}}"#
    }

    private func tap(_ members: String = "") -> String { #"{"event":"tap","device":"ab54"\#(members)}"# }

    private let front = device(#""state":"foreground""#)

    @Test(arguments: [
        (#","category":"TALK""#, "", "[open talk]"),
        ("", #","url":"https://example.org/live/17""#, "[open live]"),
        ("", #","url":"https://example.org/a""#, "[open https://example.org/a]"),
        (#","category":"OTHER""#, "", "[push-centre] [clear-bell]"),
        ("", #","url":"""#, "[push-centre] [clear-bell]"),
        ("", #","url":["https://example.org/live/17"]"#, "[push-centre] [clear-bell]"),
    ])
    func `a tap opens the screen of the first rule that matches, and else the center`(
        aps: String, members: String, steps: String
    ) throws {
        #expect(try last([front, push(aps, members), tap()]) == "3 tap applied \(steps)")
    }

    @Test func `the collapse id can decide, and a modal screen is presented over the others`() throws {
        let records = [front, push(headers: #","apns-collapse-id":"match-17""#), tap()]
        #expect(try last(records) == "3 tap applied [open match]")
        #expect(try last(records + [#"{"event":"close","device":"ab54"}"#]) == "4 close applied [dismiss-modal match]")
    }

    @Test func `a generated identifier is no collapse id, in the list and as a banner`() throws {
        let routes = TapRoutes([TapRoutes.Rule(at: .collapseID, opens: AppScreen(""))])
        func last(_ records: [String]) throws -> String? {
            try story(records) { $0.devicePolicy.tapRoutes = routes }.last
        }
        let chosen = push(headers: #","apns-collapse-id":"push-1""#)
        #expect(try last([front, push(), tap()]) == "3 tap applied [push-centre] [clear-bell]")
        #expect(try last([front, chosen, tap()]) == "3 tap applied [open push-1]")
        let banner = device(#""will_present":["banner"]"#)
        #expect(try last([front, banner, push(), tap()]) == "4 tap applied [push-centre] [clear-bell]")
        #expect(try last([front, banner, chosen, tap()]) == "4 tap applied [open push-1]")
    }

    @Test func `an action opens its own screen, or is carried out where the app is`() throws {
        let talk = push(#","category":"TALK""#)
        #expect(try last([front, talk, tap(#","action":"REPLY""#)]) == "3 tap applied [open reply]")
        #expect(try last([front, talk, tap(#","action":"MARK_READ""#)]) == "3 tap applied [handle-action MARK_READ]")
        let away = device(#""state":"background""#)
        #expect(
            try last([front, away, talk, tap(#","action":"MARK_READ""#)])
                == "4 tap applied [wake] [handle-action MARK_READ]")
        let ended = device(#""state":"terminated""#)
        #expect(try last([front, ended, talk, tap(#","action":"REPLY""#)]) == "4 tap applied [launch] [open reply]")
        // An action takes the notification off the screen, too.
        #expect(try last([front, talk, tap(#","action":"MARK_READ""#), tap()]) == "4 tap ignored no-such-notification")
    }

    @Test func `unsaved work is asked about, and a discard goes on to the screen`() throws {
        let records = [
            front, #"{"event":"open","device":"ab54","screen":"note","kind":"editor","modal":true}"#,
            #"{"event":"edit","device":"ab54"}"#, push(#","category":"TALK""#), tap(),
            #"{"event":"confirm","device":"ab54","answer":"discard"}"#,
        ]
        #expect(try last(Array(records.dropLast())) == "5 tap applied [ask-to-discard note]")
        #expect(try last(records) == "6 confirm applied [discard note] [open talk]")
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try last(Array(records.dropLast()), store: try SQLiteStore(path: path))
        #expect(
            try last([records[5]], store: try SQLiteStore(path: path)) == "6 confirm applied [discard note] [open talk]"
        )
    }

    @Test func `a banner and a notification of an earlier run lead by their content`() throws {
        let banner = device(#""will_present":["banner"]"#)
        let talk = push(#","category":"TALK""#)
        #expect(try last([front, banner, talk, tap()]) == "4 tap applied [open talk]")
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try last([front, talk, banner, talk], store: try SQLiteStore(path: path))
        for _ in 0..<2 {
            #expect(try last([tap()], store: try SQLiteStore(path: path))?.hasSuffix("tap applied [open talk]") == true)
        }
    }

    @Test(arguments: [
        #"{"to":"ab54","notification":{"title":"Text","click_action":"TALK"}}"#,
        #"{"message":{"token":"ab54","android":{"notification":{"title":"Text","click_action":"TALK"}}}}"#,
    ])
    func `on Android the click action is the category`(message: String) throws {
        let android = device(#""platform":"android","state":"background""#)
        #expect(try last([android, message, tap()])?.hasSuffix("[open talk]") == true)
    }

    @Test func `without rules every tap leads to the center`() throws {
        #expect(
            try story([front, push(#","category":"TALK""#), tap()]).last == "3 tap applied [push-centre] [clear-bell]")
    }

    @Test func `the journal names the action`() throws {
        let store = MemoryStore()
        _ = try last([front, push(), tap(#","action":"MARK_READ""#)], store: store)
        let lines = try store.events().map { "\($0.kind.name) \($0.identifier)" }
        #expect(lines.suffix(3) == ["tapped push-2", "removed push-2", "handle-action MARK_READ"])
    }
}
