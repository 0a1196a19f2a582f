import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// The tray of an Android device as it is seen.
///
/// Sources: FCM v1, `AndroidNotification`: `event_time` ("Notifications in the panel are sorted by this time") and `visibility` (`PRIVATE` unless it
/// says otherwise); AOSP, `config_autoGroupAtCount`: two and more of an app without a group are bundled.
struct AndroidTrayTests {
    private func message(_ title: String, _ members: String = "") -> String {
        #"{"message":{"token":"pixel","notification":{"title":"\#(title)","body":"Body"},"#
            + #""android":{"notification":{\#(members)}}}}"#
    }

    private func at(_ time: String) -> String { #""event_time":"2023-11-14T\#(time)Z""# }

    private let android = device(#""platform":"android","state":"background""#, of: "pixel")

    /// The titles of each screen, oldest first, with the size of a bundle; a hidden one has its body. The same for both stores.
    private func seen(_ records: [String]) throws -> [String] {
        let folder = try TestFolder()
        let stores: [any BrowsableStore & DeliveryStore] = [
            MemoryStore(), try SQLiteStore(path: folder.path("phone.db")),
        ]
        let found = try stores.map { store in
            _ = try story(records, store: store)
            var lines: [String] = []
            try AndroidScreens(store).forEachScreen(device: nil, app: nil) { shown, isBundle in
                lines += shown.map { $0.content.title ?? $0.content.body ?? "" } + (isBundle ? ["bundle"] : [])
            }
            return lines
        }
        #expect(found[0] == found[1])
        return found[0]
    }

    @Test func `notifications are in the order of their events`() throws {
        // The clock of the records begins at 22:13:20.
        let pushes = [
            message("now"), message("ten", at("22:10:00")), message("nine", at("22:09:00.5")),
            message("later", at("23:00:00")),
        ]
        #expect(try seen([android] + pushes) == ["nine", "ten", "now", "later", "bundle"])
        #expect(try seen(Array(pushes.prefix(3))) == ["nine", "ten", "now", "bundle"])
        let second =
            #"{"message":{"token":"pixel","androidV2":{"remoteNotification":{"notification":{"title":"v2","#
            + #""eventTime":"2023-11-14T22:09:30Z"}}}}}"#
        #expect(try seen([android, second] + pushes.prefix(3)) == ["nine", "v2", "ten", "now", "bundle"])
    }

    @Test func `the order is Android's, and the older protocol has no time of an event`() throws {
        let pushes = [message("now"), message("ten", at("22:10:00"))]
        let ios = device(#""platform":"ios","app":"org.example.news""#, of: "pixel")
        #expect(try seen([ios] + pushes) == ["now", "ten"])
        let legacy = #"{"to":"pixel","notification":{"title":"legacy",\#(at("22:10:00"))}}"#
        #expect(try seen([android, message("now"), legacy]) == ["now", "legacy", "bundle"])
    }

    @Test(arguments: [
        (#""visibility":"PUBLIC""#, ["Title"]), (#""visibility":"public""#, ["Title"]),
        (#""visibility":"PRIVATE""#, ["New notification"]),
        (#""visibility":"VISIBILITY_UNSPECIFIED""#, ["New notification"]),
        (#""tag":"a""#, ["New notification"]), (#""visibility":"SECRET""#, []),
    ])
    func `a lock screen shows as much as the visibility lets it`(member: String, shown: [String]) throws {
        let push = message("Title", member)
        let restarted = device(#""locked":"before-first-unlock""#, of: "pixel")
        #expect(try seen([android, push, device(#""locked":true"#, of: "pixel")]) == shown)
        let direct = push.replacing(#""android":{"#, with: #""android":{"direct_boot_ok":true,"#)
        #expect(try seen([android, restarted, direct]) == shown)
        // A restart empties the tray. Sources: see `PhoneFactTests.asked`.
        #expect(try seen([android, push, restarted]) == [])
        let unlocked = device(#""locked":false"#, of: "pixel")
        #expect(try seen([android, device(#""locked":true"#, of: "pixel"), push, unlocked]) == ["Title"])
    }

    @Test func `a notification without options of Android is private`() throws {
        let locked = device(#""platform":"android","locked":true"#, of: "pixel")
        let plain = #"{"message":{"token":"pixel","notification":{"title":"Plain"}}}"#
        let both =
            #"{"message":{"token":"pixel","notification":{"title":"Both"},"apns":{"payload":{"aps":{"badge":1}}}}}"#
        let legacy = #"{"to":"pixel","notification":{"title":"Legacy","visibility":"PUBLIC"}}"#
        #expect(try seen([locked, plain, both, legacy]) == Array(repeating: "New notification", count: 3) + ["bundle"])
    }

    @Test func `the lock of an iPhone hides nothing by itself, nor that of another device`() throws {
        #expect(try seen([device(#""locked":true"#), push(), message("Title")]) == ["Text", "Title"])
    }

    @Test func `nothing of what is hidden is left`() throws {
        let secret =
            #"{"token":"pixel","notification":{"title":"A","image":"https://example.org/a.png"},"data":{"b":"c"},"#
            + #""android":{"restricted_package_name":"org.example.news"}}"#
        let notification = DeliveredNotification(
            seq: 1, device: "pixel", app: "", identifier: "a", content: ShownContent(title: "A"), deliveredAt: 0,
            payload: secret)
        let seen = try #require(AndroidScreen.onLockScreen(notification))
        #expect(
            seen.payload == #"{"android":{"restricted_package_name":"org.example.news","#
                + #""notification":{"event_time":"1970-01-01T00:00:00.000Z"}}}"#)
        #expect(seen.content == ShownContent(body: AndroidScreen.hiddenText))
    }

    @Test func `two notifications of an app are bundled, and no fewer, unless the device bundles more`() throws {
        let pushes = ["a", "b"].map { message($0, #""tag":"\#($0)""#) }
        #expect(try seen([android, pushes[0]]) == ["a"])
        #expect(try seen([android] + pushes) == ["a", "b", "bundle"])
        #expect(try seen(pushes) == ["a", "b", "bundle"])
        let four = device(#""platform":"android","auto_group_at":4"#, of: "pixel")
        #expect(try seen([four] + pushes + [message("c")]) == ["a", "b", "c"])
        #expect(try seen([four] + pushes + [message("c"), message("d")]) == ["a", "b", "c", "d", "bundle"])
        let own = #"{"event":"post","device":"pixel","title":"c","group":"g"}"#
        #expect(try seen([android, own, own]) == ["c", "c"])
        for platform in ["ios", "web"] {
            let other = device(#""platform":"\#(platform)","app":"org.example.news""#, of: "pixel")
            #expect(try !seen([other] + pushes).contains("bundle"))
        }
        #expect(try !seen(Array(repeating: push(), count: 4)).contains("bundle"))
    }

    // react-native-firebase, issue 5716: the app opens and learns of no notification. That they stay is UNCONFIRMED.
    @Test func `a tap on a bundle opens the app and leaves the notifications`() throws {
        let tap = #"{"event":"tap","device":"pixel","bundle":true}"#
        let pushes = ["a", "b", "c", "d"].map { message($0, #""tag":"\#($0)","click_action":"OPEN""#) }
        let folder = try TestFolder()
        for store in [MemoryStore(), try SQLiteStore(path: folder.path("phone.db"))] as [any DeliveryStore] {
            let lines = try story([android, pushes[0], tap] + pushes.dropFirst() + [tap, tap], store: store)
            #expect(lines[2] == "3 tap ignored no-such-notification")
            #expect(lines.suffix(2) == ["7 tap applied [come-to-front]", "8 tap applied"])
            #expect(try store.notifications().count == 4)
        }
        #expect(try story(pushes + [tap]).last?.hasPrefix("5 tap applied") == true)
        let ios = device(#""platform":"ios","app":"org.example.news""#, of: "pixel")
        #expect(try story([ios] + pushes + [tap]).last == "6 tap ignored no-such-notification")
    }

    @Test func `a tap is on the bundle of the app that it names, or on that with the newest notification`() throws {
        func tap(_ app: String = "") -> String { #"{"event":"tap","device":"pixel","bundle":true\#(app)}"# }
        func push(_ app: String, _ tag: String) -> String {
            #"{"message":{"token":"pixel","notification":{"title":"T"},"#
                + #""android":{"restricted_package_name":"\#(app)","notification":{"tag":"\#(tag)"}}}}"#
        }
        let apps = ["org.example.news", "org.example.chat"]
        let events = apps.map { device(#""platform":"android","app":"\#($0)","state":"background""#, of: "pixel") }
        let pushes = apps.flatMap { app in ["a", "b", "c", "d"].map { push(app, $0) } }
        func opened(_ tap: String) throws -> String? {
            let store = MemoryStore()
            _ = try story(events + pushes + [tap], store: store)
            return try store.events(device: "pixel").last { "\($0.kind.name)" == "come-to-front" }?.app
        }
        #expect(try opened(tap()) == "org.example.chat")
        #expect(try opened(tap(#","app":"org.example.news""#)) == "org.example.news")
        #expect(try opened(tap(#","app":"org.example.other""#)) == nil)
    }

    // MARK: - A locked device

    /// ProtoJSON Format: an enumeration is a name or a number. `AndroidNotification.Visibility` is unspecified, PRIVATE, PUBLIC, SECRET.
    @Test func `visibility can be a number`() throws {
        let locked = device(#""platform":"android","locked":true"#, of: "pixel")
        let pushes = [
            message("secret", #""visibility":3"#), message("public", #""visibility":"2""#),
            message("private", #""visibility":1"#),
        ]
        #expect(try seen([locked] + pushes) == ["public", "New notification", "bundle"])
    }

    @Test(arguments: [(true, "ignored"), (false, "applied")])
    func `what a lock screen hides makes no bundle`(isLocked: Bool, outcome: String) throws {
        let start = device(#""platform":"android","locked":\#(isLocked)"#, of: "pixel")
        let secret = message("secret", #""visibility":"SECRET""#)
        let tap = #"{"event":"tap","device":"pixel","bundle":true}"#
        let story = try story([start, message("a"), secret, tap])
        #expect(story.last?.contains("tap \(outcome)") == true)
    }
}
