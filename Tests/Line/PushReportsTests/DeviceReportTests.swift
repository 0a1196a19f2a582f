import Foundation
import PushDevices
import PushJSON
import PushPipeline
import PushReports
import PushSQLite
import PushText
import TestSupport
import Testing

/// A store's devices, one per line.
struct DeviceReportTests {
    private func text(_ isText: Bool, _ body: (DeviceReport, inout ByteBuffer) throws -> Void) rethrows -> String {
        var out = ByteBuffer()
        try body(DeviceReport(style: TextStyle(hasColors: false), isText: isText), &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    private func list(_ store: SQLiteStore, isText: Bool = false) throws -> String {
        try text(isText) { report, out in
            report.appendHeading(to: &out)
            try store.forEachRegisteredApp { report.append($0, to: &out) }
        }
    }

    private func feedback(_ store: SQLiteStore, since: Int64 = .min, isText: Bool = false) throws -> String {
        try text(isText) { report, out in
            try store.forEachDeadToken(since: since) { report.append($0, to: &out) }
        }
    }

    private func values(_ name: String, _ lines: String) -> [String?] {
        lines.split(separator: "\n").map { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?[name].map { "\($0)" }
        }
    }

    @Test func `a device list registers the same devices in another store`() throws {
        let folder = try TestFolder()
        let store = try folder.store([
            #"{"event":"device","device":"ab54","app":"org.example.news","online":false,"state":"terminated"}"#,
            #"{"event":"device","device":"cd","platform":"android","authorization":"denied","alerts":false,"logged_in":true}"#,
            #"{"event":"device","device":"ee","unregistered_at":"2026-11-01T00:00:00Z","registration":"failed"}"#,
            #"{"event":"device","device":"ff","types":["mention","cx"],"will_present":["list","banner"],"confirmed":false}"#,
            #"{"event":"device","device":"gg","delegate":"without-will-present","registration":"pending","topics":["b","/topics/a"]}"#,
        ])
        let lines = try list(store)
        #expect(values("device", lines) == ["ab54", "cd", "ee", "ff", "gg"])
        #expect(values("state", lines).prefix(2) == ["terminated", "background"])
        for part in [
            #""types":["cx","mention"]"#, #""will_present":["banner","list"]"#, #""confirmed":false"#,
            #""delegate":"without-will-present""#, #""registration":"pending""#, #""topics":["a","b"]"#,
        ] {
            #expect(lines.contains(part), "\(lines)")
        }
        #expect(try list(try folder.store([], named: "b.db", registering: lines)) == lines)
        let columns = try list(store, isText: true).split(separator: "\n")
        #expect(columns.count == 6)
        #expect(columns[2].contains("any  alerts off  logged in"))
        #expect(columns[3].contains("  dead since 2026-11-01T00:00:00.000Z"))
    }

    @Test func `a device list keeps what the sender knows of its tokens`() throws {
        let folder = try TestFolder()
        let store = try folder.store([
            #"{"event":"device","device":"aa","confirmed":false}"#,
            #"{"event":"device","device":"bb","token":"deleted","token_since":"2026-11-01T00:00:00Z"}"#,
            #"{"event":"device","device":"cc","token":"disabled","token_since":1793491200}"#,
            #"{"event":"device","device":"dd","token":"confirmed"}"#,
        ])
        let lines = try list(store)
        #expect(values("token", lines) == [nil, "deleted", "disabled", nil])
        #expect(values("confirmed", lines) == ["0", nil, nil, nil])
        #expect(
            values("token_since", lines)
                == ["2026-11-03T20:00:00.000Z", "2026-11-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z", nil])
        #expect(try list(try folder.store([], named: "b.db", registering: lines)) == lines)
        let columns = try list(store, isText: true).split(separator: "\n")
        #expect(columns[1].hasSuffix("  token unconfirmed since 2026-11-03T20:00:00.000Z"))
        #expect(columns[2].hasSuffix("  token deleted since 2026-11-01T00:00:00.000Z"))
    }

    @Test func `a device list keeps a Focus and the scheduled summary`() throws {
        let folder = try TestFolder()
        let store = try folder.store([
            #"{"event":"focus","device":"aa","on":true,"apps":["b","a"],"people":["Ada L."],"time_sensitive":false}"#,
            #"{"event":"device","device":"bb","app":"org.example.news"}"#,
            #"{"event":"summary","device":"bb","on":true}"#,
        ])
        let lines = try list(store)
        #expect(values("event", lines) == ["device", "focus", "device", "summary"])
        #expect(lines.contains(#""on":true,"apps":["a","b"],"people":["Ada L."],"time_sensitive":false"#))
        #expect(lines.contains(#"{"event":"summary","device":"bb","app":"org.example.news","on":true}"#))
        #expect(try list(try folder.store([], named: "b.db", registering: lines)) == lines)
    }

    @Test func `a device list keeps its lock, beside a Focus and without one, and hidden previews`() throws {
        let folder = try TestFolder()
        let store = try folder.store([
            #"{"event":"device","device":"aa","app":"org.example.news","locked":true,"previews":"when-unlocked"}"#,
            #"{"event":"focus","device":"aa","on":true}"#,
            #"{"event":"device","device":"bb","locked":"before-first-unlock","previews":"never"}"#,
            #"{"event":"device","device":"cc","locked":true,"previews":"never"}"#,
            #"{"event":"device","device":"cc","locked":false,"previews":"always"}"#,
        ])
        let lines = try list(store)
        #expect(values("event", lines) == ["device", "focus", "device", "device"])
        #expect(values("locked", lines) == ["1", nil, "before-first-unlock", nil])
        #expect(values("previews", lines) == ["when-unlocked", nil, "never", nil])
        let columns = try list(store, isText: true).split(separator: "\n")
        #expect(columns[1].hasSuffix("org.example.news  locked  previews when-unlocked  focus on"))
        #expect(columns[2].hasSuffix("any  locked before first unlock  previews never"))
        #expect(try list(try folder.store([], named: "b.db", registering: lines)) == lines)
    }

    @Test func `a device list says of what nothing is known of an app where something is known of every other`() throws
    {
        let folder = try TestFolder()
        let known = #""types":["cx"],"categories":[{"id":"TALK"}],"topics":["news"],"logged_in":true"#
        let store = try folder.store([
            #"{"event":"device","device":"aa"}"#, #"{"event":"device","device":"aa","app":"n"}"#,
            #"{"event":"device","device":"aa",\#(known)}"#,
            #"{"event":"device","device":"aa","app":"n","forget":["types","categories","logged_in"],"topics":[]}"#,
        ])
        let lines = try list(store)
        let app = try #require(lines.split(separator: "\n").first { $0.contains(#""app":"n""#) })
        #expect(app.contains(#""forget":["types","categories","logged_in"]"#), "\(app)")
        #expect(app.contains(#""topics":[]"#))
        #expect(try list(try folder.store([], named: "b.db", registering: lines)) == lines)
    }

    /// Apple, WWDC22 session 10098: the third push for which a site shows nothing ends its permission.
    @Test func `a device list keeps the pushes that Safari has counted`() throws {
        let folder = try TestFolder()
        let silent = #"{"message":{"token":"aa","data":{"k":"v"}}}"#
        let store = try folder.store([
            #"{"event":"device","device":"aa","platform":"web","app":"https://news.example.org","browser":"safari"}"#,
            silent, silent,
        ])
        let lines = try list(store)
        #expect(values("silent_pushes", lines) == ["2"])
        let other = try folder.store([silent], named: "b.db", registering: lines)
        #expect(values("authorization", try list(other)) == ["denied"])
    }

    @Test func `feedback lists tokens that were unregistered or replaced since a given time`()
        throws
    {
        let folder = try TestFolder()
        let store = try folder.store([
            #"{"event":"device","device":"aa","unregistered_at":"2026-11-01T00:00:00Z"}"#,
            #"{"event":"device","device":"bb","platform":"android","unregistered_at":"2026-11-02T00:00:00Z"}"#,
            #"{"event":"device","device":"old","platform":"android","canonical":"new"}"#,
            #"{"event":"device","device":"cc"}"#,
        ])
        let all = try feedback(store)
        #expect(values("device", all) == ["aa", "bb", "old"])
        #expect(values("reason", all) == ["Unregistered", "NotRegistered", "replaced"])
        #expect(values("timestamp", all) == ["1793491200000", "1793577600000", nil])
        #expect(values("device", try feedback(store, since: 1_793_577_600_000)) == ["bb", "old"])
    }

    @Test func `an unregistered token with a replacement is listed by its time, with both tokens`() throws {
        let folder = try TestFolder()
        let store = try folder.store([
            #"{"event":"device","device":"old-and-dead-registration","app":"a","platform":"android","canonical":"new","unregistered_at":"2026-11-01T00:00:00Z"}"#,
            #"{"event":"device","device":"old","app":"a","platform":"android","canonical":"new"}"#,
        ])
        let lines = try feedback(store)
        #expect(values("reason", lines) == ["NotRegistered", "replaced"])
        #expect(values("canonical", lines) == ["new", "new"])
        #expect(try feedback(store, since: 1_793_491_200_000).split(separator: "\n").count == 2)
        #expect(values("device", try feedback(store, since: 1_793_491_201_000)) == ["old"])

        let columns = try feedback(store, isText: true).split(separator: "\n")
        #expect(columns.first?.contains("since 2026-11-01T00:00:00.000Z") == true)
        #expect(columns.allSatisfy { $0.hasSuffix("  now new") })
        #expect(Set(columns.map(\.count)).count == 1)
    }

    @Test func `a queued message has a line`() throws {
        let folder = try TestFolder()
        let store = try folder.store([#"{"event":"device","device":"ab54","online":false}"#, apns("Text")])
        let lines = try text(false) { report, out in try store.forEachHeld { report.append($0, to: &out) } }
        #expect(values("seq", lines) == ["2"])
        #expect(lines.contains(#""provider":"apns","device":"ab54","topic":"org.example.news""#))
        let columns = try text(true) { report, out in try store.forEachHeld { report.append($0, to: &out) } }
        #expect(columns.hasPrefix("     2  apns  ab54             until "), "\(columns)")
        #expect(columns.hasSuffix("  org.example.news\n"))
    }
}

extension TestFolder {
    fileprivate func store(_ records: [String], named name: String = "a.db", registering devices: String? = nil) throws
        -> SQLiteStore
    {
        let store = try SQLiteStore(path: path(name))
        let pipeline = Pipeline(
            configuration { $0.clock = .fixed(milliseconds: 1_793_736_000_000) }, store: store)
        if let devices { try pipeline.registerDevices(devices) }
        try pipeline.process(records.joined(separator: "\n")) { _ in }
        return store
    }
}
