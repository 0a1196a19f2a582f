import AppSimulation
import PushDevices
import PushModel
import PushPipeline
import Testing

/// How an app handles notifications and taps, checked by report lines and by the journal.
///
/// Expectations: presentation, Apple, `userNotificationCenter(_:willPresent:withCompletionHandler:)`; routes, the app's own design.
struct AppEventTests {
    /// The steps of each line that has any, and the outcomes of the others.
    private func steps(_ records: [String], store: any DeliveryStore = MemoryStore()) throws -> [String] {
        var lines: [String] = []
        try Pipeline(deliveringTo: store).process(records.joined(separator: "\n")) { report in
            let steps = report.note?.steps ?? []
            let reason = report.outcome == .silent ? "" : report.reason.map { " \($0)" } ?? ""
            lines.append(steps.isEmpty ? "\(report.outcome.name)\(reason)" : steps.joined(separator: ", "))
        }
        return lines
    }

    private func event(_ name: String, _ members: String = "") -> String {
        #"{"event":"\#(name)","device":"ab54""# + (members.isEmpty ? "" : "," + members) + "}"
    }

    private func state(_ state: String) -> String { device(#""state":"\#(state)""#) }

    private var tap: String { event("tap") }

    // MARK: - Presentation

    @Test(arguments: [
        (#""will_present":["banner","list","sound","badge"]"#, "banner, list, mark-bell", true),
        (#""will_present":["list"]"#, "list, mark-bell", true),
        (#""will_present":["alert"]"#, "banner, list, mark-bell", true),
        (#""will_present":["banner"]"#, "banner, mark-bell", false),
        (#""will_present":[]"#, "not-presented, mark-bell", false),
        (#""delegate":"without-will-present""#, "not-presented, mark-bell", false),
        (#""delegate":"none""#, "banner, list, mark-bell", true),
    ])
    func `in the foreground the app's delegate decides on presentation`(
        members: String, expected: String, isListed: Bool
    ) throws {
        let store = MemoryStore()
        #expect(try steps([state("foreground"), device(members), push("Text")], store: store).last == expected)
        #expect(try store.notifications().count == (isListed ? 1 : 0))
    }

    @Test func `outside the foreground the delegate is not called`() throws {
        let store = MemoryStore()
        #expect(
            try steps([state("foreground"), device(#""will_present":[]"#), state("background"), push()], store: store)
                .last
                == "banner, list, mark-bell")
        #expect(try store.notifications().count == 1)
    }

    @Test func `sound and badge are presented when the payload has them and the delegate allows them`() throws {
        let push =
            #"{"device":"ab54","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"#
            + #""payload":{"aps":{"alert":"Text","sound":"default","badge":3}}}"#
        let store = MemoryStore()
        #expect(
            try steps([state("foreground"), device(#""will_present":["list","sound"]"#), push], store: store).last
                == "list, sound, mark-bell")
        #expect(store.badge(device: "ab54", app: "org.example.news") == nil)
        #expect(
            try steps([state("foreground"), device(#""will_present":["list","badge"]"#), push], store: store).last
                == "list, badge")
        #expect(store.badge(device: "ab54", app: "org.example.news") == 3)
    }

    @Test func `a passive notification and a provisional app are quiet`() throws {
        let passive =
            #"{"device":"ab54","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"#
            + #""payload":{"aps":{"alert":"Text","sound":"default","interruption-level":"passive"}}}"#
        #expect(try steps([state("foreground"), state("background"), passive]).last == "list, mark-bell")
        #expect(
            try steps([state("foreground"), state("background"), device(#""authorization":"provisional""#), push()])
                .last
                == "list, mark-bell")
    }

    // MARK: - Taps

    @Test func `a tap while the app is on a plain screen pushes the notification center, and back returns`() throws {
        #expect(
            try steps([
                state("foreground"), event("open", #""screen":"article""#), push(), tap, event("back"), event("back"),
                event("back"),
            ])[1...] == [
                "open article", "banner, list, mark-bell", "push-centre, clear-bell", "back centre", "back article",
                "ignored not-possible",
            ])
    }

    @Test func `modal screens are dismissed first`() throws {
        #expect(
            try steps([
                state("foreground"), event("open", #""screen":"search","modal":true"#),
                event("open", #""screen":"filter","modal":true"#), push(), tap,
            ]).last == "dismiss-modal filter, dismiss-modal search, push-centre, clear-bell")
    }

    @Test func `unsaved work prompts, and cancelling changes nothing`() throws {
        let before = [
            state("foreground"), event("open", #""screen":"note","kind":"editor","modal":true"#), event("edit"), push(),
            tap,
        ]
        #expect(
            try steps(before + [event("confirm", #""answer":"cancel""#), event("save"), event("close")])[4...]
                == ["ask-to-discard note", "cancel", "save note", "dismiss-modal note"])
        #expect(
            try steps(before + [event("confirm", #""answer":"discard""#), event("back")])[4...]
                == ["ask-to-discard note", "discard note, push-centre, clear-bell", "back centre"])
    }

    @Test(arguments: ["terminated", "force-quit"])
    func `an app that is not running opens the notification center directly`(
        name: String
    ) throws {
        #expect(try steps([state(name), push(), tap]).last?.hasPrefix("launch, show-centre") == true)
    }

    @Test func `an app in the background comes to the front`() throws {
        #expect(try steps([state("background"), push(), tap]).last == "come-to-front, push-centre, clear-bell")
    }

    @Test func `a delivery does not change the current screen`() throws {
        #expect(
            try steps([
                state("foreground"), event("open", #""screen":"note","kind":"editor""#), event("edit"), push(), push(),
                event("save"), event("back"),
            ])[3...] == ["banner, list, mark-bell", "banner, list", "save note", "back note"])
    }

    @Test func `a tap makes an app known, and a second tap does not push the notification center again`() throws {
        #expect(
            try steps([push("one"), push("two"), tap, tap])[2...] == [
                "come-to-front, push-centre, clear-bell", "show-centre",
            ])
    }

    @Test func `an app that returns after a day starts over unless it has unsaved work`() throws {
        let before = [state("foreground"), event("open", #""screen":"article""#), state("background")]
        #expect(try steps(before + [advance("23h59m59s"), state("foreground"), event("back")]).last == "back article")
        // "Within 24 hours" includes exactly 24 hours; each record adds a millisecond.
        #expect(try steps(before + [advance("24h"), state("foreground"), event("back")]).last == "back article")
        #expect(
            try steps(before + [advance("24h1m"), state("foreground"), event("back")]).last == "ignored not-possible")
        #expect(try steps(before + [advance("24h1m"), state("foreground")]).last == "start-over, come-to-front")
        let work = [
            state("foreground"), event("open", #""screen":"note","kind":"editor""#), event("edit"), state("background"),
        ]
        #expect(try steps(work + [advance("48h"), state("foreground"), event("save")]).last == "save note")
    }

    @Test func `an app that the system ended within a day shows the last article, and back works`() throws {
        let before = [
            state("foreground"), event("open", #""screen":"one""#), event("open", #""screen":"two""#),
            event("open", #""screen":"search","modal":true"#), state("background"), state("terminated"),
        ]
        #expect(
            try steps(before + [advance("24h"), push(), tap, event("back"), event("back"), event("back")])[7...]
                == [
                    "banner, list, mark-bell", "launch, restore two, push-centre, clear-bell", "back centre",
                    "back two", "back one",
                ])
        #expect(try steps(before + [advance("24h1m"), state("foreground")]).last == "launch")
        // A background push starts the app, and shows no screen of it.
        #expect(
            try steps(before + [backgroundPush(), state("terminated"), state("foreground")])[6...]
                == ["wake, fetch", "applied", "launch, restore two"])
        // Source: Apple, UIKit, "Preserving your app's UI across launches": not when the user has quit the app.
        #expect(try steps(before + [state("force-quit"), state("foreground")]).last == "launch")
    }

    // MARK: - A banner on top of the app

    @Test func `a banner on top of the app can be tapped, and is not in the list`() throws {
        let store = MemoryStore()
        let front = [state("foreground"), device(#""will_present":["banner"]"#)]
        #expect(
            try PushPipelineTests.story(front + [push(), tap, tap], store: store)[2...]
                == [
                    "3 presented [banner] [mark-bell]", "4 tap applied [push-centre] [clear-bell]",
                    "5 tap ignored no-such-notification",
                ])
        #expect(try store.notifications().isEmpty)
        #expect(
            try store.events().map { "\($0.kind.name) \($0.identifier)" }
                == [
                    "come-to-front ", "banner push-3", "mark-bell push-3", "tapped push-3", "push-centre ",
                    "clear-bell ",
                ])
    }

    @Test(arguments: ["dismiss", "clear"]) func `a banner can be wiped away`(name: String) throws {
        let front = [state("foreground"), device(#""will_present":["banner"]"#), push(), event(name)]
        #expect(
            try PushPipelineTests.story(front + [tap])[3...]
                == ["4 \(name) applied", "5 tap ignored no-such-notification"])
    }

    @Test func `a banner goes after a few seconds, when another one covers it, and not with the app`() throws {
        let front = [state("foreground"), device(#""will_present":["banner"]"#), push()]
        #expect(try steps(front + [advance("4s"), tap]).last == "push-centre, clear-bell")
        #expect(try steps(front + [advance("5s"), tap]).last == "ignored no-such-notification")
        #expect(try steps(front + [state("background"), tap]).last == "come-to-front, push-centre, clear-bell")
        let first = event("tap", #""identifier":"push-3""#)
        #expect(try steps(front + [push(), first]).last == "ignored no-such-notification")
        #expect(try steps(front + [push(), event("tap", #""seq":4"#)]).last == "push-centre, clear-bell")
    }

    @Test func `a banner is in front of what its app has in the list`() throws {
        let store = MemoryStore()
        let records = [
            push("listed"), state("foreground"), device(#""will_present":["banner"]"#), push("banner"), tap, tap,
        ]
        #expect(try steps(records, store: store).suffix(2) == ["push-centre, clear-bell", "show-centre"])
        #expect(
            try store.events().filter { $0.kind == .tapped }.map(\.identifier) == ["push-4", "push-1"])
    }

    @Test func `the journal has the screen that a step is about`() throws {
        let store = MemoryStore()
        _ = try steps(
            [
                state("foreground"), event("open", #""screen":"article""#),
                event("open", #""screen":"note","kind":"editor","modal":true"#), event("edit"), push(), tap,
                event("confirm", #""answer":"discard""#), event("back"), event("back"),
            ], store: store)
        #expect(
            try store.events().map { "\($0.kind.name) \($0.identifier)" }
                == [
                    "come-to-front ", "open article", "open note", "banner push-5", "list push-5", "mark-bell push-5",
                    "delivered push-5", "tapped push-5", "removed push-5", "ask-to-discard note", "discard note",
                    "push-centre ", "clear-bell ", "back centre", "back article",
                ])
    }

    @Test func `the journal has the steps`() throws {
        let store = MemoryStore()
        _ = try steps([state("background"), push(), tap], store: store)
        #expect(
            try store.events().map(\.kind.name.description)
                == ["delivered", "tapped", "removed", "come-to-front", "push-centre", "clear-bell"])
    }

    @Test func `a push without an app belongs to the device's app`() throws {
        let bare = #"{"device":"ab54","payload":{"aps":{"alert":"Text"}}}"#
        let registered = #"{"event":"device","device":"ab54","app":"org.example.news""#
        let before = [
            registered + #","state":"foreground"}"#, event("open", #""screen":"note","kind":"editor""#), event("edit"),
        ]
        let tapInApp = #"{"event":"tap","device":"ab54","app":"org.example.news"}"#
        for tap in [tap, tapInApp] {
            #expect(try steps(before + [bare, tap]).last == "ask-to-discard note")
        }
        #expect(
            try story([registered + #","online":false}"#, push(), bare, back()])
                == [
                    "1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 device applied",
                    "4<3 delivered",
                ])
    }

    @Test func `a badge or a sound alone needs permission, and the delegate decides on presentation`() throws {
        let badge = #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"badge":9}}}"#
        let sound =
            #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"sound":"default"}}}"#
        let store = MemoryStore()
        let permission = device(#""authorization":"denied""#)
        #expect(try story([permission, badge]).last == "2 suppressed denied")
        #expect(try story([device(#""authorization":"not-determined""#), badge]).last == "2 suppressed not-determined")
        let quiet = [state("foreground"), device(#""will_present":[]"#), badge]
        #expect(try PushPipelineTests.story(quiet, store: store).last == "3 silent")
        #expect(store.badge(device: "ab54", app: "org.example.news") == nil)
        #expect(try steps([state("foreground"), badge]).last == "badge")
        #expect(try steps([state("background"), state("foreground"), sound]).last == "sound")
    }

    @Test func `an alert with content-available wakes the app as well`() throws {
        let both =
            #"{"device":"ab54","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"alert":"Hi","content-available":1}}}"#
        #expect(try steps([state("foreground"), both]).last == "banner, list, mark-bell, fetch")
        #expect(
            try steps([state("foreground"), state("terminated"), both, both])[2...]
                == ["banner, list, mark-bell, wake, fetch", "banner, list, wake, fetch"])
        #expect(try steps([state("foreground"), state("force-quit"), both]).last == "banner, list, mark-bell")
    }

    @Test func `only one of two apps on a device is on the screen`() throws {
        let inFront = { (app: String) in device(#""app":"\#(app)","state":"foreground""#) }
        let news = inFront("org.example.news")
        #expect(
            try steps([news, inFront("org.example.chat"), event("open", #""screen":"note""#), news])
                == ["come-to-front", "come-to-front", "come-to-front, open note", "applied"])
    }

    @Test func `impossible app events are ignored`() throws {
        let read = event("read", #""identifier":"nope""#)
        #expect(try steps([state("foreground"), event("edit")]).last == "ignored not-possible")
        #expect(try steps([state("foreground"), push(), event("read")]).last == "ignored not-possible")
        let centre = [state("foreground"), push(), event("open", #""screen":"c","kind":"centre""#)]
        #expect(try steps(centre + [read]).last == "ignored not-possible")
        #expect(try steps(centre + [event("read")]).last == "applied")
    }

    @Test func `a background push wakes an app that the system has ended`() throws {
        #expect(
            try steps([state("foreground"), state("terminated"), backgroundPush(), backgroundPush()])[2...]
                == ["wake, fetch", "wake, fetch"])
    }

    // MARK: - Types

    /// `aps.category` gives the type of a push.
    private func story(_ records: [String]) throws -> [String] {
        try PushPipelineTests.story(records) {
            $0.devicePolicy.typeMapping = PreferenceMapping([PreferenceMapping.Rule(at: .category)])
        }
    }

    private func typed(_ type: String) -> String {
        #"{"device":"ab54","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"#
            + #""payload":{"aps":{"alert":"Text","category":"\#(type)"}}}"#
    }

    @Test func `a type that is off is suppressed, and one that was never set is not`() throws {
        #expect(try story([typed("mention")]) == ["1 delivered"])
        #expect(
            try story([device(#""types":["mention"]"#), typed("mention"), typed("edit-thank"), push()])[1...]
                == ["2 delivered", "3 suppressed type-off", "4 delivered"])
    }

    @Test func `after a login every type is off until it is turned on`() throws {
        #expect(
            try story([
                device(#""logged_in":true"#), typed("mention"), event("preference", #""type":"mention","on":true"#),
                typed("mention"), device(#""logged_in":true"#), typed("mention"),
                event("preference", #""type":"mention","on":false"#), typed("mention"), device(#""logged_in":false"#),
                typed("mention"),
            ]) == [
                "1 device applied", "2 suppressed type-off", "3 preference applied", "4 delivered", "5 device applied",
                "6 delivered", "7 preference applied", "8 suppressed type-off", "9 device applied",
                "10 suppressed logged-out",
            ])
    }
}
