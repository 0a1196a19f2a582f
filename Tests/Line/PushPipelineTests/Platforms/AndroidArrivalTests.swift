import PushDevices
import PushModel
import PushPipeline
import Testing

/// Who gets a message on an Android device: the app, or the system's tray.
///
/// Source: Firebase, "Receive messages in Android apps", the table of app states.
struct AndroidArrivalTests {
    private let notification = #"{"to":"pixel","notification":{"title":"Text","tag":"a"}}"#
    private let both = #"{"to":"pixel","notification":{"title":"Text","tag":"a"},"data":{"a":"1"}}"#
    private let dataOnly = #"{"to":"pixel","data":{"a":"1"}}"#
    private let version1 = #"{"message":{"token":"pixel","notification":{"title":"Text"},"data":{"a":"1"}}}"#

    private func state(_ state: String) -> String {
        device(#""platform":"android","state":"\#(state)""#, of: "pixel")
    }

    @Test func `in the foreground the app gets every message, and nothing is shown`() throws {
        let store = MemoryStore()
        let records = [state("foreground"), notification, dataOnly, both, version1]
        #expect(
            try story(records, store: store) == [
                "1 device applied [come-to-front]", "2 silent [fetch]", "3 silent [fetch]", "4 silent [fetch]",
                "5 silent [fetch]",
            ])
        #expect(try store.notifications().isEmpty)
    }

    // Firebase does not describe an app without permission: permission is about what the system shows.
    @Test(arguments: [#""authorization":"denied""#, #""authorization":"not-determined""#, #""alerts":false"#])
    func `an app in the foreground gets messages though the system may show none`(setting: String) throws {
        let records = [state("foreground"), device(setting, of: "pixel"), notification, both]
        #expect(try story(records).suffix(2) == ["3 silent [fetch]", "4 silent [fetch]"])
        let background = [state("foreground"), state("background"), device(setting, of: "pixel"), notification]
        #expect(try story(background).last?.hasPrefix("4 suppressed ") == true)
    }

    @Test("W3C, Push API: without permission a site has no push subscription")
    func browserWithoutPermission() throws {
        let visible = device(#""platform":"web","state":"foreground","authorization":"denied""#, of: "pixel")
        #expect(try story([visible, notification]).last == "2 suppressed denied")
        let off = device(#""platform":"web","state":"foreground","alerts":false"#, of: "pixel")
        #expect(try story([off, notification]).last == "2 silent [fetch]")
    }

    @Test func `in the background the system shows notifications, and the app gets data alone`() throws {
        let store = MemoryStore()
        let records = [state("foreground"), state("background"), notification, dataOnly, both, version1]
        #expect(
            try story(records, store: store)[2...] == [
                "3 delivered", "4 silent [wake] [fetch]", "5 replaced", "6 delivered",
            ])
        #expect(try store.notifications().map(\.seq) == [5, 6])
    }

    @Test func `what the app gets in the foreground replaces nothing in the tray`() throws {
        let store = MemoryStore()
        let records = [state("foreground"), state("background"), notification, state("foreground"), both]
        #expect(try story(records, store: store).last == "5 silent [fetch]")
        #expect(try store.notifications().map(\.seq) == [3])
    }

    // Firebase, FAQ, and FCM Data API, `droppedAppForceStopped`.
    @Test func `no message reaches an app that the user has stopped until it is opened again`() throws {
        let records = [
            state("force-stopped"), notification, dataOnly, state("foreground"), state("background"), dataOnly,
        ]
        #expect(
            try story(records) == [
                "1 device applied", "2 suppressed force-stopped", "3 suppressed force-stopped",
                "4 device applied [launch]", "5 device applied", "6 silent [wake] [fetch]",
            ])
        let held = [
            device(#""platform":"android","online":false"#, of: "pixel"), dataOnly, state("force-stopped"),
            device(#""online":true"#, of: "pixel"),
        ]
        #expect(try story(held).last == "4<2 suppressed force-stopped")
    }

    @Test func `swiped from the list of recent apps, it gets messages as in the background`() throws {
        let records = [state("foreground"), state("force-quit"), notification, dataOnly]
        #expect(try story(records).suffix(2) == ["3 delivered", "4 silent"])
    }

    @Test func `on an Apple device a stopped app counts as one that the user has quit`() throws {
        let stopped = device(#""state":"force-stopped""#)
        #expect(
            try story([stopped, backgroundPush(), push()]).suffix(2) == ["2 suppressed force-quit", "3 delivered"])
    }

    @Test func `an Apple device behind a token of FCM presents it as its app's delegate says`() throws {
        let records = [
            device(
                #""platform":"ios","app":"org.example.news","state":"foreground","will_present":["list"]"#, of: "pixel"),
            version1,
        ]
        #expect(try story(records).last == "2 delivered [list] [mark-bell]")
    }

    // Firebase, "Migrate from FCM HTTP v1 API to AndroidConfigV2".
    private func version2(_ kind: String, _ more: String = "") -> String {
        #"{"message":{"token":"pixel","data":{"a":"1"},"android_v2":{\#(kind)\#(more)}}}"#
    }
    private let remote = #""remote_notification":{"notification":{"title":"Text"}}"#

    @Test func `a remote notification is shown while its app is in the foreground, and in the background`() throws {
        let records = [state("foreground"), version2(remote), state("background"), version2(remote)]
        #expect(try story(records).filter { !$0.contains("applied") } == ["2 delivered", "4 delivered"])
        let denied = [state("foreground"), device(#""authorization":"denied""#, of: "pixel"), version2(remote)]
        #expect(try story(denied).last == "3 suppressed denied")
    }

    @Test func `a background sync is for the app`() throws {
        let sync = #""background_sync":{}"#
        let records = [state("foreground"), version2(sync), state("background"), version2(sync)]
        #expect(
            try story(records).filter { !$0.contains("applied") } == ["2 silent [fetch]", "4 silent [wake] [fetch]"])
    }

    @Test func `both are collapsible only if they name a key`() throws {
        func held(_ more: String) throws -> [String] {
            let offline = device(#""platform":"android","online":false"#, of: "pixel")
            let online = device(#""online":true"#, of: "pixel")
            return try story([offline, version2(remote, more), version2(remote, more), online])
        }
        #expect(try held("").suffix(2) == ["4<2 delivered", "4<3 delivered"])
        #expect(try held(#","collapse_key":"k""#).filter { $0.hasSuffix("delivered") } == ["4<3 delivered"])
        #expect(try held(#","ttl":"0s""#).filter { $0.hasSuffix("delivered") } == [])
    }

    @Test func `a held message is handed to the app that is in front when the device is back`() throws {
        let records = [
            state("foreground"), device(#""online":false"#, of: "pixel"), notification,
            device(#""online":true"#, of: "pixel"),
        ]
        #expect(try story(records).last == "4<3 silent [fetch]")
    }

    /// AOSP, `ActivityManager.forceStopPackage`: "notifications removed".
    @Test func `stopping an app of an unknown device removes what was sent to Android`() throws {
        let store = MemoryStore()
        let message = #"{"to":"ab54","notification":{"title":"Text"}}"#
        _ = try reportLines([message, push("A"), device(#""state":"force-stopped""#)], store: store) { "\($0.outcome)" }
        #expect(try store.notifications().map(\.payload) == [#"{"aps":{"alert":"A"}}"#])
    }

    @Test func `without content, too`() throws {
        let message = #"{"to":"ab54","notification":{"title":"Text"}}"#
        let dismiss = #"{"event":"dismiss","device":"ab54"}"#
        let records = [push("A"), message, device(#""state":"force-stopped""#), dismiss, dismiss]
        let store = MemoryStore(keepsJournal: false, keepsContent: false)
        #expect(try reportLines(records, store: store) { "\($0.outcome)" }.suffix(2) == ["applied", "ignored"])
    }

    @Test func `stopping an app removes its notifications, and no others`() throws {
        let store = MemoryStore()
        let other = device(#""app":"c.d""#, of: "pixel")
        func message(_ app: String) -> String {
            #"{"message":{"token":"pixel","notification":{"title":"T"},"android":{"restricted_package_name":"\#(app)"}}}"#
        }
        let stop = device(#""app":"a.b","state":"force-stopped""#, of: "pixel")
        let start = [
            device(#""platform":"android","app":"a.b""#, of: "pixel"), other, message("a.b"), message("c.d"), stop,
        ]
        _ = try reportLines(start, store: store) { "\($0.outcome)" }
        #expect(try store.notifications().map(\.app) == ["c.d"])
        #expect(try store.events().last?.kind == .removed)
    }
}
