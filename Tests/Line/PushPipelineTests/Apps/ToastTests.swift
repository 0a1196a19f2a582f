import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// The toast that an app shows itself where its bell is not visible.
///
/// Source: Wikimedia's Phabricator, T287628: "add toast behavior for when user is in article"; a tap on "either notification
/// style" pushes the notification center.
struct ToastTests {
    private let front = [
        device(#""state":"foreground","will_present":[]"#), device(#""toast":true"#),
    ]
    private let article = #"{"event":"open","device":"ab54","screen":"article"}"#
    private let tap = #"{"event":"tap","device":"ab54"}"#

    @Test func `a toast is shown on a screen without the bell, and leads to the center`() throws {
        let store = MemoryStore()
        #expect(
            try story(front + [article, push(), tap], store: store)[3...] == [
                "4 presented [toast] [mark-bell]", "5 tap applied [push-centre] [clear-bell]",
            ])
        #expect(try store.notifications().isEmpty)
        #expect(try store.events().map(\.kind).contains(.toast))
    }

    @Test(arguments: [
        ("main", nil, "[not-presented] [mark-bell]"),
        ("the center", #"{"event":"open","device":"ab54","screen":"centre","kind":"centre"}"#, "[not-presented]"),
        (
            "a screen over it", #"{"event":"open","device":"ab54","screen":"share","modal":true}"#,
            "[toast] [mark-bell]"
        ),
    ])
    func `whether the bell is visible decides`(name: String, open: String?, steps: String) throws {
        let outcome = steps.contains("toast") ? "presented" : "silent"
        let last = try story(front + [open].compactMap(\.self) + [push()]).last
        #expect(last?.hasSuffix("\(outcome) \(steps)") == true, "\(name): \(last ?? "")")
    }

    @Test func `the app says which screens have the bell`() throws {
        let settings = #"{"event":"open","device":"ab54","screen":"settings"}"#
        let bell = device(#""bell":["settings"]"#)
        #expect(try story(front + [bell, push()]).last == "4 presented [toast] [mark-bell]")
        #expect(try story(front + [bell, settings, push()]).last == "5 silent [not-presented] [mark-bell]")
    }

    @Test func `the system's list and the toast go together, and a Focus does not silence what the app draws`() throws {
        let list = device(#""will_present":["list","banner"]"#)
        let focus = #"{"event":"focus","device":"ab54","on":true}"#
        #expect(try story(front + [list, article, push()]).last == "5 delivered [banner] [list] [toast] [mark-bell]")
        #expect(try story(front + [list, focus, article, push()]).last == "6 delivered [list] [toast] [mark-bell]")
    }

    @Test(arguments: [
        #""delegate":"none""#, #""delegate":"without-will-present""#, #""toast":false"#, #""state":"background""#,
        #""authorization":"denied""#,
    ])
    func `an app that does not learn of a notification shows none`(members: String) throws {
        #expect(try story(front + [article, device(members), push()]).last?.contains("toast") == false)
    }

    @Test func `a file keeps it between runs`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try story(front + [device(#""bell":["settings"]"#)], store: try SQLiteStore(path: path))
        #expect(try story([push()], store: try SQLiteStore(path: path)).last == "4 presented [toast] [mark-bell]")
    }
}
