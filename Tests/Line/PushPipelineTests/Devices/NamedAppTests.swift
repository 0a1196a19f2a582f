import AppSimulation
import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// An event that names an app is about that app alone, and members that are not given keep their values. Source:
/// `Documentation/reference/events.md`.
struct NamedAppTests {
    private static let focus = #"{"event":"focus","device":"ab54","on":false}"#
    /// Every push is of one type.
    private static let mapping = PreferenceMapping([.init(at: .topic, type: NotificationType("any"))])
    private static let plain = device(#""online":true"#)

    private func event(_ name: String, _ members: String, app: String? = "n") -> String {
        let app = app.map { #""app":"\#($0)","# } ?? ""
        return #"{"event":"\#(name)","device":"ab54",\#(app)\#(members)}"#
    }

    /// Of each push: its app, its outcome with the reason, and what made it quiet.
    private func pushes(
        _ records: [String], store: any DeliveryStore = MemoryStore(),
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> [String] {
        try reportLines(records, store: store, configure) { report in
            guard report.note?.event == nil else { return nil }
            let words: [String?] = [
                report.message.topic.string, report.outcome.name.description, report.reason, report.note?.quiet,
            ]
            return words.compactMap(\.self).joined(separator: " ")
        }
    }

    private var both: [String] { [push(app: "n"), push(app: "m")] }

    @Test(arguments: [focus, plain])
    func `the scheduled summary takes the app that it names, and no other`(first: String) throws {
        let summary = event("summary", #""on":true"#)
        #expect(try pushes([first, summary] + both) == ["n delivered summary", "m delivered"])
        let everyApp = event("summary", #""on":true"#, app: nil)
        let off = event("summary", #""on":false"#)
        #expect(try pushes([first, everyApp, off] + both) == ["n delivered", "m delivered summary"])
    }

    @Test(arguments: [focus, plain])
    func `a switched type suppresses pushes for the app that is named`(first: String) throws {
        let off = event("preference", #""type":"any","on":false"#)
        let lines = try pushes([first, off] + both) { $0.devicePolicy.typeMapping = Self.mapping }
        #expect(lines == ["n suppressed type-off", "m delivered"])
    }

    @Test(arguments: [focus, plain])
    func `a subscription is that of the app that is named`(first: String) throws {
        let news = { (app: String) in
            let name = #""android":{"restricted_package_name":"\#(app)"},"#
            return #"{"message":{"topic":"news",\#(name)"notification":{"title":"x"}}}"#
        }
        let subscribe = event("subscribe", #""topic":"news""#)
        #expect(
            try pushes([first, subscribe, news("n"), news("m")]) == ["n fanned-out", "n delivered", "m delivered"])
        // Once: a token is that of one app.
        let all = event("subscribe", #""topic":"news""#, app: nil)
        let message = #"{"message":{"topic":"news","notification":{"title":"x"}}}"#
        #expect(try pushes([first, all, subscribe, message]).filter { $0.hasSuffix("delivered") } == ["n delivered"])
        let unsubscribe = event("unsubscribe", #""topic":"news""#)
        #expect(
            try pushes([first, all, unsubscribe, news("m"), news("n")])
                == ["m fanned-out", "m delivered", "n delivered"])
    }

    @Test(arguments: [
        (#""authorization":"denied""#, "suppressed denied"), (#""alerts":false"#, "suppressed alerts-off"),
        (#""logged_in":false"#, "suppressed logged-out"),
        (#""registration":"failed""#, "suppressed registration-failed"),
        (#""unregistered":true"#, "rejected Unregistered"),
    ])
    func `an app that is named keeps what was said of every app`(members: String, outcome: String) throws {
        let named = device(#""app":"n","online":true"#)
        #expect(try pushes([device(members), named] + both) == ["n \(outcome)", "m \(outcome)"])
        #expect(
            try pushes([device(members), event("summary", #""on":true"#)] + both) == ["n \(outcome)", "m \(outcome)"])
        // One that names no app is about the first app, and those that have not been named.
        #expect(try pushes([Self.plain, named, device(members)] + both) == ["n \(outcome)", "m \(outcome)"])
        let other = device(#""app":"o","online":true"#)
        #expect(
            try pushes([Self.plain, named, other, device(members), push(app: "o")]) == ["o delivered"])
    }

    @Test func `a change of one app leaves the others`() throws {
        let records = [Self.plain, device(#""app":"n","alerts":false"#)] + both
        #expect(try pushes(records) == ["n suppressed alerts-off", "m delivered"])
    }

    @Test func `what is queued for an app goes with it`() throws {
        let records = [
            device(#""online":false"#), push("first", app: "n"), push("other", app: "m"),
            event("summary", #""on":true"#), push("second", app: "n"), device(#""online":true"#),
        ]
        // APNs keeps the newest one of an app.
        let expected = [
            "n held", "m held", "n held", "n discarded superseded", "m delivered", "n delivered summary",
        ]
        #expect(try pushes(records) == expected)
        let folder = try TestFolder()
        var lines: [String] = []
        for record in records {
            let store = try SQLiteStore(path: folder.path("s.db"))
            lines += try pushes([record], store: store)
        }
        #expect(lines == expected)
    }

    @Test func `a message that names no app is for the first app that has a name`() throws {
        let message = #"{"message":{"token":"ab54","notification":{"title":"x"}}}"#
        let off = event("preference", #""type":"any","on":false"#)
        let lines = try pushes([device(#""platform":"android""#), off, message]) {
            $0.devicePolicy.typeMapping = Self.mapping
        }
        #expect(lines == ["n suppressed type-off"])
    }

    @Test func `a list of devices keeps what differs between an app and the others`() throws {
        let folder = try TestFolder()
        let store = try SQLiteStore(path: folder.path("a.db"))
        _ = try pushes(
            [
                device(#""will_present":["list"],"toast":true,"canonical":"new","levels":[],"unregistered":true"#),
                event("summary", #""on":true"#, app: nil), event("summary", #""on":false"#),
                device(#""app":"n","delegate":"none","toast":false,"canonical":"","unregistered":false"#),
                device(#""app":"n","levels":["time-sensitive","critical"]"#),
            ], store: store)
        let apps = try store.registered(on: "ab54")
        #expect(apps.map(\.app) == ["", "n"])
        let named = try #require(apps.last)
        #expect(named.event.settings.delegate == DeviceEvent.Delegate.none)
        #expect(named.event.settings.showsToasts == false)
        #expect(named.event.settings.canonical == "")
        #expect(named.event.isUnregistered == false)
        #expect(named.event.settings.levels == [.timeSensitive, .critical])
        #expect(named.furtherEvents.map(\.isOn) == [false])
        #expect(apps.first?.furtherEvents.map(\.isOn) == [true])
    }
}
