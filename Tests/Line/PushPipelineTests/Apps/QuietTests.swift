import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// What silences a notification at its device: it goes to the list, and the report says why.
///
/// Source: Apple, `UNNotificationInterruptionLevel`: `active` is the default, `timeSensitive` passes a Focus and the scheduled
/// summary, `critical` passes everything.
struct QuietTests {
    private func focus(_ members: String = #""on":true"#) -> String {
        #"{"event":"focus","device":"ab54",\#(members)}"#
    }

    private func summary(_ isOn: Bool = true) -> String { #"{"event":"summary","device":"ab54","on":\#(isOn)}"# }

    private func push(_ level: String? = nil, sound: String = #""default""#) -> String {
        let level = level.map { #","interruption-level":"\#($0)""# } ?? ""
        return #"{"device":"ab54","headers":{"apns-topic":"org.example.news","apns-push-type":"alert"},"#
            + #""payload":{"aps":{"alert":"Text","sound":\#(sound)\#(level)}}}"#
    }

    /// Outcome, reason for being quiet, and steps of each message.
    private func lines(_ records: [String], store: any DeliveryStore = MemoryStore()) throws -> [String] {
        try reportLines(
            records, store: store,
            line: { report in
                guard report.note?.event == nil else { return nil }
                let steps = (report.note?.steps ?? []).map { " \($0)" }.joined()
                return "\(report.outcome.name) \(report.note?.quiet ?? "-")\(steps)"
            })
    }

    @Test(arguments: [
        (nil, "focus"), ("active", "focus"), ("passive", "passive"), ("time-sensitive", "-"), ("critical", "-"),
        ("unknown", "focus"),
    ])
    func `a Focus silences what its level does not let pass`(level: String?, quiet: String) throws {
        #expect(try lines([focus(), push(level)]) == ["delivered \(quiet)"])
        let steps = quiet == "-" ? "banner list sound" : "list"
        #expect(
            try lines([device(#""state":"foreground""#), device(#""state":"background""#), focus(), push(level)])
                == ["delivered \(quiet) \(steps) mark-bell"])
    }

    @Test(arguments: [(nil, "summary"), ("passive", "passive"), ("time-sensitive", "-"), ("critical", "-")])
    func `the scheduled summary silences what is not urgent`(level: String?, quiet: String) throws {
        #expect(try lines([summary(), push(level)]) == ["delivered \(quiet)"])
        #expect(try lines([summary(), summary(false), push()]) == ["delivered -"])
    }

    @Test func `a Focus lets apps pass, and can silence what is time-sensitive`() throws {
        let allowed = #""on":true,"apps":["org.example.news"]"#
        #expect(try lines([focus(allowed), push()]) == ["delivered -"])
        let strict = #""on":true,"time_sensitive":false"#
        #expect(try lines([focus(strict), push("time-sensitive")]) == ["delivered focus"])
        #expect(try lines([focus(strict), push("critical")]) == ["delivered -"])
        let siren = #"{"critical":1,"name":"siren.caf","volume":1}"#
        #expect(try lines([focus(strict), push(sound: siren)]) == ["delivered -"])
        #expect(try lines([focus(), focus(#""on":false"#), push()]) == ["delivered -"])
    }

    /// LoopFollow issues 638 and 655.
    @Test func `in the foreground the delegate decides about a passive notification`() throws {
        let front = [device(#""state":"foreground","will_present":["banner","list","sound"]"#)]
        #expect(try lines(front + [push("passive")]) == ["delivered - banner list sound mark-bell"])
        #expect(try lines(front + [focus(), push("passive")]) == ["delivered focus list mark-bell"])
        #expect(try lines([device(#""state":"foreground""#), push("passive")]) == ["delivered passive list mark-bell"])
    }

    @Test func `a critical notification plays a sound though it names none`() throws {
        let critical = #"{"device":"ab54","payload":{"aps":{"alert":"Storm","interruption-level":"critical"}}}"#
        #expect(
            try lines([device(#""state":"foreground""#), critical]) == ["delivered - banner list sound mark-bell"])
    }

    @Test func `permission comes before a Focus, and provisional permission has its own reason`() throws {
        #expect(try lines([focus(), device(#""authorization":"denied""#), push()]) == ["suppressed -"])
        #expect(try lines([device(#""authorization":"provisional""#), push()]) == ["delivered provisional"])
    }

    @Test func `background pushes and badges are not quiet`() throws {
        let badge = #"{"device":"ab54","payload":{"aps":{"badge":3}}}"#
        #expect(try lines([focus(), backgroundPush(), badge]) == ["silent -", "silent -"])
    }

    @Test func `a file keeps a Focus and the summary between runs`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try lines([focus(#""on":true,"apps":["a","b"]"#)], store: try SQLiteStore(path: path))
        #expect(try lines([push()], store: try SQLiteStore(path: path)) == ["delivered focus"])
        _ = try lines([focus(#""on":false"#), summary()], store: try SQLiteStore(path: path))
        #expect(try lines([push()], store: try SQLiteStore(path: path)) == ["delivered summary"])
    }

    @Test func `a level that the app has no entitlement for counts as active`() throws {
        let news = #""app":"org.example.news","levels":"#
        #expect(try lines([device(news + "[]"), focus(), push("time-sensitive")]) == ["delivered focus"])
        #expect(try lines([device(news + "[]"), focus(), push("critical")]) == ["delivered focus"])
        #expect(try lines([device(news + #"["critical"]"#), focus(), push("critical")]) == ["delivered -"])
        #expect(
            try lines([device(news + #"["critical"]"#), summary(), push("time-sensitive")]) == ["delivered summary"])
        #expect(
            try lines([device(news + #"["time-sensitive","critical"]"#), focus(), push("critical")]) == ["delivered -"])
    }

    @Test func `a Focus silences every app of its device, named by an event or not`() throws {
        let weather = #""app":"org.example.weather""#
        #expect(try lines([device(weather), focus(), push()]) == ["delivered focus"])
        let other = #"{"event":"focus","device":"cd","on":true}"#
        #expect(try lines([device(weather), other, push()]) == ["delivered -"])
    }

    @Test func `a notification that was held is quiet when it arrives`() throws {
        #expect(
            try lines([device(#""online":false"#), push(), focus(), device(#""online":true"#)])
                == ["held -", "delivered focus"])
    }

    @Test func `the journal says what was quiet`() throws {
        let store = MemoryStore()
        _ = try lines([focus(), push(), push("critical")], store: store)
        #expect(try store.events(device: "ab54").map(\.kind) == [.quiet, .delivered, .delivered])
    }

    @Test func `a Focus does not make an unknown token known where unknown ones are refused`() throws {
        #expect(
            try story([focus(), push()]) { $0.devicePolicy.rejectsUnknownDevices = true }
                == ["1 focus ignored unknown-device", "2 rejected BadDeviceToken"])
    }
}
