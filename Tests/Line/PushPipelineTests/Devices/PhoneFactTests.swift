import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// What phones do, a row for each fact. Every stream has the same outcomes in one run in memory and in two runs with a store, wherever the first
/// one ends.
struct PhoneFactTests {
    static let app = "org.example.news"

    /// An event of the phone with the app.
    static func event(_ name: String, _ members: String = "", of device: String = "ab54") -> String {
        #"{"event":"\#(name)","device":"\#(device)","app":"\#(app)"\#(members.isEmpty ? "" : ",\(members)")}"#
    }

    static func phone(_ members: String, of device: String = "ab54") -> String {
        event("device", members, of: device)
    }

    static func typed(_ type: String, _ aps: String) -> String {
        let suffix = ["voip": ".voip", "liveactivity": ".push-type.liveactivity"][type] ?? ""
        return
            #"{"device":"ab54","headers":{"apns-topic":"\#(app)\#(suffix)","apns-push-type":"\#(type)"},"payload":{"aps":{\#(aps)}}}"#
    }

    static let background = backgroundPush()
    static let call = typed("voip", "")
    static let start = typed(
        "liveactivity",
        #""timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{},"alert":{"title":"Kick-off"}"#
    )

    static let update = typed("liveactivity", #""timestamp":2,"event":"update","content-state":{}"#)

    /// The same push to another token.
    static func to(_ token: String, _ push: String) -> String { push.replacing("ab54", with: token) }

    static func message(_ title: String, _ members: String = "") -> String {
        #"{"message":{"token":"pixel","notification":{"title":"\#(title)"},"android":{"notification":{\#(members)}}}}"#
    }

    static func pixel(_ members: String) -> String { phone(#""platform":"android",\#(members)"#, of: "pixel") }

    static func post(_ members: String) -> String {
        event("post", #""title":"Own",\#(members)"#, of: "pixel")
    }

    struct Fact: CustomTestStringConvertible {
        let name: String
        let records: [String]
        let outcomes: [String]

        init(_ name: String, _ records: [String], _ outcomes: [String]) {
            self.name = name
            self.records = records
            self.outcomes = outcomes
        }

        var testDescription: String { name }
    }

    static let apple: [Fact] = [
        Fact(
            "deleting the app takes what it has away; APNs accepts pushes for hours, then answers 410",
            [
                phone(#""authorization":"authorized","types":["a"]"#), push("One"), phone(#""install":"deleted""#),
                event("tap"), push("Two"), advance("16h"), push("Three"),
            ],
            [
                "1 device applied", "2 delivered", "3 device applied", "4 tap ignored no-such-notification",
                "5 suppressed app-deleted", "6 clock applied", "7 rejected Unregistered",
            ]),
        Fact(
            "an own time until APNs answers 410",
            [phone(#""install":"deleted","unregistered_at":1700000060"#), push(), advance("1m"), push()],
            ["1 device applied", "2 suppressed app-deleted", "3 clock applied", "4 rejected Unregistered"]),
        Fact(
            "an app that is installed again has to ask for permission",
            [
                phone(#""authorization":"authorized""#), phone(#""install":"deleted""#),
                phone(#""install":"installed""#), push(), phone(#""authorization":"authorized""#), push(),
            ],
            [
                "1 device applied", "2 device applied", "3 device applied", "4 suppressed not-determined",
                "5 device applied", "6 delivered",
            ]),
        Fact(
            "a phone that is restored elsewhere has the app's state under a new token",
            [
                phone(#""alerts":false,"state":"force-quit""#), phone(#""restored_from":"ab54""#, of: "cd66"),
                push(to: "cd66"), backgroundPush(to: "cd66"),
            ],
            ["1 device applied", "2 device applied", "3 suppressed alerts-off", "4 silent"]),
        Fact(
            "Background App Refresh and Low Power Mode keep background pushes away, in the foreground neither",
            [
                phone(#""background_refresh":"off""#), background, push(), phone(#""background_refresh":"low-power""#),
                background, phone(#""background_refresh":"on""#), background,
            ],
            [
                "1 device applied", "2 suppressed background-refresh-off", "3 delivered", "4 device applied",
                "5 suppressed low-power-mode", "6 device applied", "7 silent",
            ]),
        Fact(
            "a background push reaches an app in the foreground, whatever Background App Refresh is",
            [phone(#""background_refresh":"off","state":"foreground""#), background],
            ["1 device applied [come-to-front]", "2 silent [fetch]"]),
        Fact(
            "a VoIP push wakes an app that the user has quit",
            [device(#""state":"foreground""#), device(#""state":"force-quit""#), call, background],
            [
                "1 device applied [come-to-front]", "2 device applied", "3 silent [wake] [fetch]",
                "4 silent [wake] [fetch]",
            ]),
        Fact(
            "the system ends an app that reports no call, and delivers no more VoIP pushes",
            [
                device(#""state":"foreground","calls":"unreported""#), call, call, push(),
                device(#""calls":"reported""#), call,
            ],
            [
                "1 device applied [come-to-front]", "2 silent [fetch]", "3 suppressed no-call-reported",
                "4 delivered [banner] [list] [mark-bell]", "5 device applied", "6 silent [wake] [fetch]",
            ]),
        Fact(
            "Live Activities that the user has switched off",
            [phone(#""live_activities":"off""#), start, phone(#""live_activities":"allowed""#), start],
            ["1 device applied", "2 suppressed live-activities-off", "3 device applied", "4 started"]),
        Fact(
            "a deleted app has no Live Activities",
            [
                start, phone(#""install":"deleted""#),
                #"{"event":"dismiss","device":"ab54","identifier":"activity-1"}"#,
            ], ["1 started", "2 device applied", "3 dismiss ignored no-such-notification"]),
        Fact(
            "an app that removes its notifications when it is opened",
            [phone(#""removes":["open"]"#), push("One"), push("Two"), event("open"), event("tap")],
            [
                "1 device applied", "2 delivered", "3 delivered", "4 open applied [come-to-front]",
                "5 tap ignored no-such-notification",
            ]),
        Fact(
            "an app that removes what the user reads in its own list",
            [
                phone(#""removes":["read"],"state":"background""#), push("One", headers: #""apns-collapse-id":"one""#),
                push("Two", headers: #""apns-collapse-id":"two""#),
                event("open", #""kind":"centre""#), event("read", #""identifier":"two""#), event("dismiss"),
                event("dismiss"),
            ],
            [
                "1 device applied", "2 delivered", "3 delivered",
                "4 open applied [come-to-front] [push-centre] [clear-bell]", "5 read applied", "6 dismiss applied",
                "7 dismiss ignored no-such-notification",
            ]),
        Fact(
            "opening a screen brings an app to the front first, and opening without one is a tap on the icon",
            [
                event("open"), phone(#""state":"background""#), event("open", #""screen":"article""#), event("open"),
                phone(#""state":"terminated""#), event("open", #""screen":"other""#),
            ],
            [
                "1 open ignored not-possible", "2 device applied", "3 open applied [come-to-front] [open article]",
                "4 open applied", "5 device applied", "6 open applied [launch] [restore article] [open other]",
            ]),
        Fact(
            "a banner that is swiped up stays in the list, and the app learns nothing",
            [
                phone(#""online":true"#), push("One"),
                event("dismiss", #""banner":true"#), event("dismiss"), event("dismiss", #""banner":true"#),
            ],
            [
                "1 device applied", "2 delivered", "3 dismiss applied", "4 dismiss applied",
                "5 dismiss ignored no-such-notification",
            ]),
        Fact(
            "badge 0 of the app removes its notifications",
            [
                phone(#""badge":3"#), push("One"), phone(#""badge":0"#), event("tap"), push("Two"),
                phone(#""badge":0"#), event("tap"),
            ],
            [
                "1 device applied", "2 delivered", "3 device applied", "4 tap ignored no-such-notification",
                "5 delivered", "6 device applied", "7 tap applied [come-to-front] [push-centre] [clear-bell]",
            ]),
        Fact(
            "a background push discards an alert that APNs holds",
            [away(), push("One"), background, back()],
            ["1 device applied", "2 held", "3 held", "3<2 discarded superseded", "4 device applied", "4<3 silent"]),
        Fact(
            "an alert that is not shown wakes no app, and a background push does",
            [
                phone(#""state":"foreground""#), phone(#""state":"background","alerts":false"#),
                typed("alert", #""alert":"Text","content-available":1"#), background,
            ],
            [
                "1 device applied [come-to-front]", "2 device applied", "3 suppressed alerts-off",
                "4 silent [wake] [fetch]",
            ]),
        Fact(
            "an app that is restored on a phone where it is already keeps what it has there",
            [
                phone(#""authorization":"authorized""#), phone(#""online":false,"start_token":"5555""#, of: "cd66"),
                push("One", to: "cd66"), phone(#""restored_from":"ab54""#, of: "cd66"),
                phone(#""online":true"#, of: "cd66"), to("5555", start),
            ],
            [
                "1 device applied", "2 device applied", "3 held", "4 device applied", "5 device applied",
                "5<3 delivered", "6 started",
            ]),
        Fact(
            "a token that is taken away starts nothing",
            [
                phone(#""start_token":"5555","start_tokens":{"T":"6666"}"#), phone(#""start_token":"""#),
                to("5555", start), phone(#""start_tokens":{}"#), to("6666", start),
            ],
            [
                "1 device applied", "2 device applied", "3 suppressed outdated-token", "4 device applied",
                "5 suppressed outdated-token",
            ]),
        Fact(
            "a token of a deleted app starts nothing, also when the app is installed again",
            [
                phone(#""start_token":"5555""#), phone(#""install":"deleted""#),
                phone(#""install":"installed","authorization":"authorized""#), to("5555", start),
            ],
            ["1 device applied", "2 device applied", "3 device applied", "4 suppressed outdated-token"]),
        Fact(
            "a deleted app cannot be opened",
            [
                phone(#""install":"deleted""#), phone(#""state":"foreground""#), event("open"),
                phone(#""install":"installed","state":"foreground""#),
            ],
            [
                "1 device applied", "2 device ignored not-possible", "3 open ignored not-possible",
                "4 device applied [launch]",
            ]),
        Fact(
            "an app that is there already is not installed anew",
            [phone(#""alerts":false"#), phone(#""install":"installed""#), push()],
            ["1 device applied", "2 device applied", "3 suppressed alerts-off"]),
        Fact(
            "a new app has nothing on the screen",
            [push("One"), phone(#""install":"installed""#), event("tap")],
            ["1 delivered", "2 device applied", "3 tap ignored no-such-notification"]),
        Fact(
            "two tokens that change at once",
            [
                phone(#""start_token":"5555""#), to("5555", start), to("5555", start),
                phone(#""activity_tokens":["c1","c2"]"#), phone(#""activity_tokens":["d1","d2"]"#),
                to("d1", update), to("d2", update), to("c1", update), to("c2", update),
            ],
            [
                "1 device applied", "2 started", "3 started", "4 device applied", "5 device applied", "6 updated",
                "7 updated", "8 suppressed outdated-token", "9 suppressed outdated-token",
            ]),
        Fact(
            "a token that changes on a phone that is registered without an app",
            [
                device(#""platform":"ios","start_token":"5555""#), to("5555", start),
                device(#""activity_tokens":["c1"]"#), to("c1", update), device(#""activity_tokens":["c2"]"#),
                to("c2", update), to("c1", update),
            ],
            [
                "1 device applied", "2 started", "3 device applied", "4 updated", "5 device applied", "6 updated",
                "7 suppressed outdated-token",
            ]),
    ]

    static let android: [Fact] = [
        Fact(
            "a tap on a bundle of two",
            [
                pixel(#""state":"background""#), message("One"), event("tap", #""bundle":true"#, of: "pixel"),
                message("Two"),
                event("tap", #""bundle":true"#, of: "pixel"),
            ],
            [
                "1 device applied", "2 delivered", "3 tap ignored no-such-notification", "4 delivered",
                "5 tap applied [come-to-front]",
            ]),
        Fact(
            "a device that bundles four",
            [
                pixel(#""auto_group_at":4"#), message("One"), message("Two"), message("Three"),
                event("tap", #""bundle":true"#, of: "pixel"), message("Four"),
                event("tap", #""bundle":true"#, of: "pixel"),
            ],
            [
                "1 device applied", "2 delivered", "3 delivered", "4 delivered", "5 tap ignored no-such-notification",
                "6 delivered", "7 tap applied [come-to-front]",
            ]),
        Fact(
            "Android tells notifications apart by tag and number, and FCM shows its own with 0",
            [
                pixel(#""state":"background""#), message("Chat", #""tag":"chat""#), post(#""tag":"chat","id":7"#),
                post(#""tag":"chat","id":0"#), post(#""tag":"chat""#), post(#""id":7"#), post(#""id":7"#),
                event("clear", of: "pixel"),
            ],
            [
                "1 device applied", "2 delivered", "3 post applied", "4 post applied", "5 post applied",
                "6 post applied", "7 post applied", "8 clear applied",
            ]),
        Fact(
            "what an app has grouped itself is not bundled",
            [
                pixel(#""state":"background""#), post(#""group":"g""#), post(#""group":"g""#),
                event("tap", #""bundle":true"#, of: "pixel"),
            ],
            [
                "1 device applied", "2 post applied", "3 post applied", "4 tap ignored no-such-notification",
            ]),
        Fact(
            "a channel that is deleted and made again keeps its settings",
            [
                pixel(#""channels":[{"id":"c","importance":"none"}]"#), pixel(#""channels":[]"#),
                pixel(#""channels":[{"id":"c","importance":"high"}]"#), message("One", #""channel_id":"c""#),
                pixel(#""channels":[{"id":"c","importance":"high"}]"#), message("Two", #""channel_id":"c""#),
            ],
            [
                "1 device applied", "2 device applied", "3 device applied", "4 suppressed channel-off",
                "5 device applied", "6 delivered [banner] [list] [sound] [badge]",
            ]),
        Fact(
            "high priority that FCM lowers waits for the end of Doze",
            [
                pixel(#""doze":true"#), message("One"), pixel(#""lowered":true"#), message("Two"),
                pixel(#""doze":false"#),
            ],
            ["1 device applied", "2 delivered", "3 device applied", "4 held doze", "5 device applied", "5<4 delivered"]),
        Fact(
            "a trampoline opens nothing",
            [pixel(#""trampoline":true"#), message("One"), event("tap", of: "pixel")],
            ["1 device applied", "2 delivered", "3 tap applied"]),
    ]

    @Test(arguments: apple + android + asked)
    func `a phone does that in one run and in two`(fact: Fact) throws {
        #expect(try story(fact.records) == fact.outcomes)
        // Each run has a clock of its own, which events move.
        guard !fact.records.contains(where: { $0.contains("advance") }) else { return }
        for first in 1..<fact.records.count {
            let folder = try TestFolder()
            let open = { try SQLiteStore(path: folder.path("phone.db")) }
            let lines =
                try story(Array(fact.records[..<first]), store: open())
                + story(Array(fact.records[first...]), store: open()) {
                    $0.clock = .fixed(milliseconds: 1_700_000_000_000 + Int64(first))
                }
            #expect(lines == fact.outcomes, "divided after record \(first)")
        }
    }

    /// Windows of rates belong to a run.
    @Test func `updates beyond five within a second are dropped, and new notifications pass`() throws {
        let records =
            [Self.pixel(#""updates_per_second":5"#)] + (1...7).map { Self.message("\($0)", #""tag":"score""#) }
            + [Self.message("New", #""tag":"other""#), advance("1s"), Self.message("8", #""tag":"score""#)]
        #expect(
            try story(records) == [
                "1 device applied", "2 delivered", "3 replaced", "4 replaced", "5 replaced", "6 replaced", "7 replaced",
                "8 suppressed too-many-updates", "9 delivered", "10 clock applied", "11 replaced",
            ])
    }

    /// The rules of the findings on each line.
    private func rules(_ records: [String]) throws -> [String] {
        try Pipeline(configuration()).reports(records.joined(separator: "\n")).map { $0.rules.joined(separator: " ") }
    }

    @Test func `nothing says what an app in the foreground presents`() throws {
        #expect(
            try rules([
                Self.phone(#""state":"foreground""#), push(), Self.phone(#""will_present":["banner"]"#), push(),
                Self.phone(#""state":"background","delegate":"none""#), push(),
            ]) == ["", "aps.no-delegate", "", "", "", ""])
    }

    @Test(arguments: [
        (#"{"event":"focus","device":"pixel","on":true}"#, true),
        (#"{"event":"summary","device":"pixel","on":true}"#, true),
        (#"{"event":"device","device":"pixel","previews":"never"}"#, true),
        (#"{"event":"device","device":"pixel","badges":false}"#, true),
        (#"{"event":"device","device":"pixel","doze":true}"#, false),
        (#"{"event":"device","device":"pixel","alerts":false}"#, false),
    ])
    func `what an Android device does not have is a finding`(event: String, isFound: Bool) throws {
        let registered = Self.pixel(#""online":true"#)
        #expect(try rules([registered, event]) == ["", isFound ? "event.other-device" : ""])
        let web = registered.replacing("android", with: "web")
        if event.contains("doze") { #expect(try rules([web, event]) == ["", "event.other-device"]) }
        #expect(try rules([event]) == [""])
    }

    @Test func `the report says that a background push discards an alert`() throws {
        let records = [away(), push("One"), Self.background, push("Two"), back()]
        #expect(try rules(records) == ["", "", "", "apns.alert-discarded", "", "", "", ""])
    }

    @Test func `a post says why it makes no sound`() throws {
        let channel = #""channels":[{"id":"c","importance":"high"}]"#
        let records = [
            Self.pixel(#""state":"background",\#(channel)"#), Self.post(#""tag":"a","channel":"c","silent":true"#),
            Self.post(#""tag":"a","channel":"c","alert_once":true"#),
            Self.post(#""tag":"b","channel":"c","alert_once":true"#), Self.post(#""tag":"b","channel":"c""#),
            Self.post(#""tag":"c","channel":"c","group":"g","silent":true"#),
            Self.post(#""tag":"summary","channel":"c","group":"g""#),
        ]
        let lines = try reportLines(records, store: MemoryStore()) { report in
            ([report.quiet ?? "-"] + (report.note?.steps ?? [])).joined(separator: " ")
        }
        let loud = "- banner list sound badge"
        #expect(
            lines == [
                "-", "silent list badge", "alert-once list badge", loud, loud, "silent list badge", loud,
            ])
    }

    @Test func `the number on an icon of Android goes with what is in the tray`() throws {
        let counted = { Self.message($0, #""notification_count":2"#) }
        for last in ["tap", "dismiss", "clear"] {
            let store = MemoryStore()
            _ = try story(
                [
                    Self.pixel(#""state":"background""#), counted("One"), counted("Two"),
                    Self.event("dismiss", of: "pixel"),
                ], store: store)
            #expect(try store.badges(on: "pixel").map { $0.badge } == [2])
            _ = try story([Self.event(last, of: "pixel")], store: store)
            #expect(try store.badges(on: "pixel").map { $0.badge } == [0], "\(last)")
        }
        // What a push sets on an iPhone stays.
        let store = MemoryStore()
        _ = try story([Self.alert("One", #""badge":2"#), Self.event("dismiss")], store: store)
        #expect(try store.badges(on: "ab54").map { $0.badge } == [2])
    }

    @Test func `on a device without an app the number is that of the app with the newest notification`() throws {
        let store = MemoryStore()
        let deletion = device(#""install":"deleted""#)
        _ = try story([device(#""online":true"#), push(), device(#""badge":3"#)], store: store)
        #expect(try store.badges(on: "ab54").map { "\($0.app) \($0.badge)" } == ["\(Self.app) 3"])
        _ = try story([push(app: "org.other"), device(#""badge":4"#)], store: store)
        #expect(
            try store.badges(on: "ab54").map { "\($0.app) \($0.badge)" } == ["\(Self.app) 3", "org.other 4"])
        _ = try story([deletion], store: store)
        #expect(try store.badges(on: "ab54").allSatisfy { $0.badge == 0 })
    }

    /// The limit is 100; with one more, the first one is forgotten.
    @Test(arguments: [(100, "suppressed channel-off"), (101, "delivered")])
    func `Android remembers a hundred deleted channels`(count: Int, outcome: String) throws {
        let channel = { (number: Int, importance: String) in
            #"{"id":"c\#(number)","importance":"\#(importance)"}"#
        }
        let all = (0..<count).map { channel($0, "none") }.joined(separator: ",")
        let lines = try story([
            Self.pixel(#""channels":[\#(all)]"#), Self.pixel(#""channels":[]"#),
            Self.pixel(#""channels":[\#(channel(0, "high"))]"#), Self.message("One", #""channel_id":"c0""#),
        ])
        #expect(lines.last?.hasPrefix("4 \(outcome)") == true)
    }

    /// It is a screen over the others, which the user closes once.
    @Test func `an app shows its onboarding at the first launch only`() throws {
        let onboarding = Self.event("open", #""screen":"onboarding","modal":true"#)
        let lines = try story([
            Self.phone(#""state":"foreground""#), onboarding, push("One"), Self.event("tap"),
            Self.phone(#""state":"force-quit""#), push("Two"), Self.event("tap"),
        ])
        #expect(
            lines == [
                "1 device applied [come-to-front]", "2 open applied [open onboarding]",
                "3 delivered [banner] [list] [mark-bell]",
                "4 tap applied [dismiss-modal onboarding] [push-centre] [clear-bell]", "5 device applied",
                "6 delivered [banner] [list] [mark-bell]", "7 tap applied [launch] [show-centre] [clear-bell]",
            ])
    }

    @Test func `a tap on a trampoline is a finding`() throws {
        #expect(
            try rules([Self.pixel(#""trampoline":true"#), Self.message("One"), Self.event("tap", of: "pixel")])
                == ["", "", "android.no-activity"])
    }

    @Test func `the badge comes back when the app is installed again, also under a new token`() throws {
        let store = MemoryStore()
        _ = try story(
            [
                Self.phone(#""badge":3"#), Self.phone(#""install":"deleted""#),
                Self.phone(#""install":"installed","restored_from":"ab54""#, of: "cd66"),
                Self.phone(#""install":"installed""#), Self.phone(#""authorization":"authorized","badge":5"#),
                Self.phone(#""restored_from":"ab54""#, of: "ef88"),
            ], store: store)
        let badges = try ["ab54", "cd66", "ef88"].map { try store.badges(on: $0).map { $0.badge } }
        #expect(badges == [[5], [3], [5]])
    }

    @Test func `an app sets no number where it may not, or is not`() throws {
        let store = MemoryStore()
        _ = try story(
            [
                Self.phone(#""authorization":"denied","badge":3"#),
                Self.phone(#""badges":false,"badge":3"#, of: "cd66"),
                Self.phone(#""install":"deleted""#, of: "ef88"), Self.phone(#""badge":3"#, of: "ef88"),
                Self.pixel(#""badge":3"#),
            ], store: store)
        for device in ["ab54", "cd66", "ef88", "pixel"] {
            #expect(try store.badges(on: device).allSatisfy { $0.badge == 0 }, "\(device)")
        }
    }

    @Test func `a phone has no more tokens than it can have`() throws {
        let store = MemoryStore()
        let tokens = (1000..<1400).map { "\"\($0)\"" }
        let starts = tokens.map { "\($0):\($0)" }.joined(separator: ",")
        _ = try story(
            [
                Self.phone("\"activity_tokens\":[\(tokens.joined(separator: ","))]"),
                Self.phone("\"outdated_tokens\":[\(tokens.joined(separator: ","))],\"start_tokens\":{\(starts)}"),
                Self.phone(#""start_tokens":{"new":"5555"}"#),
            ], store: store)
        let kept = try store.registry.settings(of: Self.app, on: "ab54").tokens
        #expect(kept.activities?.count == 256)
        #expect(kept.starts?.count == 256)
        #expect(kept.outdated?.count ?? 0 <= 256)
    }

    @Test func `notification_count is the number on the icon of an Android app`() throws {
        let store = MemoryStore()
        _ = try story([Self.message("One", #""notification_count":4"#)], store: store)
        #expect(try store.badges(on: "pixel").map { $0.badge } == [4])
    }

    @Test func `posts with one number have one identifier`() throws {
        let lines = try reportLines(
            [
                Self.pixel(#""state":"background""#), Self.post(#""tag":"a","id":0"#), Self.post(#""tag":"a""#),
                Self.post(#""tag":"a","id":2"#), Self.post(#""id":2"#), Self.post(#""id":0"#),
                Self.post(#""body":"b""#),
            ],
            store: MemoryStore()
        ) { $0.note?.identifier }
        #expect(lines == ["a", "a", "a#2", "#2", "#0", "post-7"])
    }

    @Test func `only Android has numbers of notifications`() throws {
        let lines = try reportLines(
            [
                Self.event("post", #""title":"Own","tag":"a","id":3"#), Self.event("post", #""title":"Own","id":3"#),
            ],
            store: MemoryStore()
        ) { $0.note?.identifier }
        #expect(lines == ["a", "post-2"])
    }
}
