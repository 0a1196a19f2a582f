import PushDevices
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Taps on notifications of an Android device.
///
/// Sources: FCM v1, `AndroidNotification`: a notification with `sticky` "persists even when the user clicks it"; with `click_action`, "an
/// activity with a matching intent filter is launched". firebase-android-sdk, issue 1839: without one nothing opens.
struct AndroidTapTests {
    private func message(_ members: String) -> String {
        #"{"message":{"token":"pixel","notification":{"title":"Text"},"android":{"notification":{\#(members)}}}}"#
    }

    private let tap = #"{"event":"tap","device":"pixel"}"#
    private let dismiss = #"{"event":"dismiss","device":"pixel"}"#

    private func activities(_ list: String) -> String {
        device(#""platform":"android","state":"background","activities":[\#(list)]"#, of: "pixel")
    }

    @Test func `a sticky notification stays when it is tapped, and goes when it is dismissed`() throws {
        let store = MemoryStore()
        #expect(try story([message(#""sticky":true"#), tap], store: store).last?.hasPrefix("2 tap applied") == true)
        #expect(try store.notifications().map(\.seq) == [1])
        _ = try story([dismiss], store: store)
        #expect(try store.notifications().isEmpty)
    }

    @Test(arguments: [#""sticky":false"#, #""tag":"a""#])
    func `any other goes`(members: String) throws {
        let store = MemoryStore()
        _ = try story([message(members), tap], store: store)
        #expect(try store.notifications().isEmpty)
    }

    @Test func `sticky is Android's word`() throws {
        let store = MemoryStore()
        let ios = device(#""platform":"ios","app":"org.example.news""#, of: "pixel")
        _ = try story([ios, message(#""sticky":true"#), tap], store: store)
        #expect(try store.notifications().isEmpty)
    }

    private func findings(_ records: [String]) throws -> [String] {
        try reportLines(
            records, store: MemoryStore(),
            line: { report in
                guard report.note?.event == "tap" else { return nil }
                let words = [report.outcome.name.description] + (report.note?.steps ?? []) + report.findings.map(\.rule)
                return words.joined(separator: " ")
            })
    }

    @Test func `a click action without an activity opens nothing`() throws {
        let push = message(#""click_action":"OPEN_ARTICLE""#)
        #expect(try findings([activities(#""OTHER""#), push, tap]) == ["applied android.no-activity"])
        #expect(try findings([activities(""), push, tap]) == ["applied android.no-activity"])
        let legacy = #"{"to":"pixel","notification":{"title":"Text","click_action":"OPEN_ARTICLE"}}"#
        #expect(try findings([activities(""), legacy, tap]) == ["applied android.no-activity"])
    }

    @Test func `one with an activity opens the app, as does one without a click action`() throws {
        let push = message(#""click_action":"OPEN_ARTICLE""#)
        let unknown = device(#""platform":"android""#, of: "pixel")
        for records in [
            [activities(#""OPEN_ARTICLE""#), push, tap], [activities(""), message(#""tag":"a""#), tap],
            [unknown, push, tap],
        ] {
            #expect(try findings(records).first?.contains("android") == false)
            #expect(try findings(records).first?.contains("centre") == true)
        }
    }

    @Test func `a file keeps activities between runs`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try story(
            [activities(""), message(#""click_action":"OPEN","sticky":true"#)], store: try SQLiteStore(path: path))
        let store = try SQLiteStore(path: path)
        #expect(try story([tap], store: store) == ["3 tap applied"])
        #expect(try store.notifications().map(\.seq) == [2])
    }
}
