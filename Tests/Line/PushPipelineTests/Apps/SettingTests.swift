import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// The parts of an app's notifications that the user switches off alone.
///
/// Source: Apple, `UNNotificationSettings`: `alertSetting`, `badgeSetting`, `soundSetting`, `lockScreenSetting` and `notificationCenterSetting`
/// are apart from each other.
struct SettingTests {
    private let app = "org.example.news"

    private func push(_ level: String? = nil, sound: String = #""default""#) -> String {
        let level = level.map { #","interruption-level":"\#($0)""# } ?? ""
        return #"{"device":"ab54","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"#
            + #""payload":{"aps":{"alert":"Text","badge":3,"sound":\#(sound)\#(level)}}}"#
    }

    private func settings(_ members: String) -> String { device(#""app":"org.example.news",\#(members)"#) }

    @Test func `alerts that are off leave the badge`() throws {
        let store = MemoryStore(journalLimit: 10)
        #expect(try story([settings(#""alerts":false"#), push()], store: store).last == "2 suppressed alerts-off")
        #expect(store.badge(device: "ab54", app: app) == 3)
        #expect(try store.notifications().isEmpty)
    }

    /// Source for the badge: openradar 17743.
    @Test func `badge 0 of an alert that is kept back removes what is shown, and a finding says so`() throws {
        let store = MemoryStore(journalLimit: 10)
        let zero = push().replacing(#""badge":3"#, with: #""badge":0"#)
        let rules = try reportLines([push(), settings(#""alerts":false"#), zero, zero], store: store) { report in
            "\(report.outcome.name) \(report.findings.map(\.rule))"
        }
        #expect(
            rules == ["delivered []", "applied []", #"suppressed ["aps.badge-clears"]"#, "suppressed []"])
        #expect(try store.notifications().isEmpty)
        #expect(try store.events().map(\.kind) == [.delivered, .suppressed, .cleared, .badgeSet, .suppressed])
    }

    @Test func `badges that are off leave the number, with an alert and without`() throws {
        let store = MemoryStore()
        let off = [
            settings(#""badges":false"#), push(), settings(#""alerts":false"#), push(),
            #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"badge":3}}}"#,
        ]
        #expect(
            try story(off, store: store) == [
                "1 device applied", "2 delivered", "3 device applied", "4 suppressed alerts-off", "5 silent",
            ])
        #expect(store.badge(device: "ab54", app: app) == nil)
        #expect(try story([settings(#""badges":true,"alerts":true"#), push()], store: store).last == "7 delivered")
        #expect(store.badge(device: "ab54", app: app) == 3)
    }

    @Test func `sounds that are off are not played, but that of a critical alert is`() throws {
        let start = [settings(#""state":"foreground""#), settings(#""state":"background","sounds":false"#)]
        #expect(try story(start + [push()]).last == "3 delivered [banner] [list] [badge] [mark-bell]")
        #expect(try story(start + [push("critical")]).last == "3 delivered [banner] [list] [sound] [badge] [mark-bell]")
    }

    @Test func `what is kept out of Notification Center has a banner alone`() throws {
        let store = MemoryStore()
        #expect(
            try story([settings(#""notification_center":false"#), push()], store: store).last == "2 presented [banner]")
        #expect(try store.notifications().isEmpty)
        #expect(try store.events().map(\.kind) == [.banner, .badgeSet])
        #expect(store.badge(device: "ab54", app: app) == 3)
        let start = [
            settings(#""state":"foreground""#), settings(#""state":"background","notification_center":false"#),
        ]
        #expect(try story(start + [push()]).last == "3 presented [banner] [sound] [badge] [mark-bell]")
    }

    @Test func `what is kept out of Notification Center and has no banner is suppressed, but for its badge`() throws {
        let store = MemoryStore()
        #expect(
            try story([settings(#""notification_center":false"#), push("passive")], store: store).last
                == "2 suppressed notification-center-off")
        #expect(store.badge(device: "ab54", app: app) == 3)
    }

    @Test func `a delegate that does not ask for the badge is heard`() throws {
        let answers: [(String, badge: Int?)] = [(#"["list"]"#, nil), (#"["list","badge"]"#, 3)]
        for (answer, badge) in answers {
            let store = MemoryStore()
            let app = settings(#""state":"foreground","will_present":\#(answer),"notification_center":false"#)
            let focus = #"{"event":"focus","device":"ab54","on":true}"#
            #expect(
                try story([app, focus, push()], store: store).last == "3 suppressed notification-center-off")
            #expect(store.badge(device: "ab54", app: self.app) == badge)
        }
    }

    /// Source: Apple, "Asking permission to use notifications": provisional notifications are in the history alone.
    @Test(arguments: [#""state":"background""#, #""notification_center":false"#, #""alerts":false"#])
    func `with provisional permission there is no badge`(member: String) throws {
        let badge = #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"badge":3}}}"#
        for start in [[], [settings(#""state":"foreground""#), settings(#""state":"background""#)]] {
            let store = MemoryStore()
            _ = try story(
                start + [settings(#""authorization":"provisional",\#(member)"#), push(), badge], store: store)
            #expect(store.badge(device: "ab54", app: app) == nil)
        }
    }

    @Test func `the lock screen alone changes nothing in Notification Center`() throws {
        #expect(try story([settings(#""lock_screen":false"#), push()]).last == "2 delivered")
    }

    @Test func `an app that is on where every other app is off is listed so`() throws {
        let off = device(#""badges":false,"sounds":false,"notification_center":false,"previews":"never""#)
        let on = settings(#""badges":true,"notification_center":true,"previews":"always""#)
        let folder = try TestFolder()
        for store: any DeliveryStore & BrowsableStore in [
            MemoryStore(), try SQLiteStore(path: folder.path("phone.db")),
        ] {
            _ = try story([off, on], store: store)
            let listed = try store.registered(on: "ab54").map(\.event)
            #expect(listed.map(\.settings.previews) == [.never, .always])
            #expect(listed.last?.settings.switches == [.badges: true, .sounds: false, .notificationCenter: true])
        }
    }

    @Test func `a file keeps the settings, and lists them`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try story([settings(#""badges":false,"sounds":false"#)], store: try SQLiteStore(path: path))
        let store = try SQLiteStore(path: path)
        _ = try story([settings(#""sounds":true"#), push()], store: store)
        #expect(try store.badges(on: "ab54").isEmpty)
        #expect(try store.registered(on: "ab54").map(\.event.settings.switches) == [[.badges: false]])
    }
}
