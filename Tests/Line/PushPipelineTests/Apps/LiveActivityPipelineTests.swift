import Foundation
import PushDevices
import PushModel
import PushPipeline
import PushRedaction
import PushSQLite
import TestSupport
import Testing

/// Pushes to Live Activities from record to report. What they do to an activity is in `LiveActivityTests`.
struct LiveActivityPipelineTests {
    private func record(_ aps: String, device: String? = "ab54", headers: String = "") -> String {
        let target = device.map { #""device":"\#($0)","# } ?? ""
        let topic = #""apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity""#
        return #"{\#(target)"headers":{\#(topic)\#(headers)},"payload":{"aps":\#(aps)}}"#
    }

    /// Apple, "Starting and updating Live Activities with ActivityKit push notifications": the payload of a start has all of
    /// these.
    private let start =
        #"{"timestamp":1000,"event":"start","content-state":{"goals":0},"attributes-type":"ScoreAttributes","attributes":{"home":"Elbe"},"alert":{"title":"Kick-off","body":"Elbe – Weser"}}"#
    private func update(_ goals: Int, at timestamp: Int, more: String = "") -> String {
        #"{"timestamp":\#(timestamp),"event":"update","content-state":{"goals":\#(goals)}\#(more)}"#
    }

    private func report(_ records: [String], _ store: any DeliveryStore) throws -> [Reported] {
        try Pipeline(configuration(), deliveringTo: store).reports(records.joined(separator: "\n"))
    }

    private var match: [String] {
        [
            record(start), record(update(1, at: 1010, more: #","alert":{"title":"1:0"}"#)), record(update(0, at: 1005)),
            record(#"{"timestamp":1020,"event":"end","dismissal-date":0}"#), record(update(2, at: 1030)),
        ]
    }

    @Test func `a start, updates and an end have outcomes of their own; what changes nothing says why`() throws {
        let lines = try report(match, MemoryStore()).map(\.line)
        let described = lines.map { line in
            let object = object(line)
            return ["outcome", "status", "reason", "activity"].compactMap { object?[$0].map { "\($0)" } }
                .joined(separator: " ")
        }
        #expect(
            described == [
                "started 200 activity-1", "updated 200 activity-1", "suppressed 200 older-timestamp",
                "ended 200 activity-1", "suppressed 200 activity-ended",
            ])
        #expect(
            names(lines[0]) == [
                "seq", "provider", "device", "topic", "outcome", "status", "bytes", "limit", "activity",
            ])
    }

    @Test func `no notification appears, and the journal says what happened to the activity`() throws {
        let store = MemoryStore()
        _ = try report(match, store)
        #expect(try store.notifications().isEmpty)
        let events = try store.events().map { "\($0.seq) \($0.kind.name) \($0.app) \($0.identifier)" }
        #expect(
            events == [
                "1 started org.example.sport activity-1", "1 alerted org.example.sport activity-1",
                "2 updated org.example.sport activity-1", "2 alerted org.example.sport activity-1",
                "3 suppressed org.example.sport push-3", "4 ended org.example.sport activity-1",
                "5 suppressed org.example.sport push-5",
            ])
        let activities = try store.liveActivities()
        #expect(activities.map(\.contentState) == [#"{"goals":1}"#])
        #expect(activities.map(\.alertTitle) == ["1:0"])
        #expect(activities.map(\.state) == [.dismissed])
    }

    @Test(arguments: [1, 3]) func `a file has the same report and activities as memory`(jobs: Int) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString).db").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let stream = Array(repeating: match, count: 30).joined() + [apns("ordinary")]
        let memory = MemoryStore(keepsJournal: jobs == 1)
        let expected = try Pipeline(configuration { $0.jobs = jobs }, store: memory)
            .reports(stream.joined(separator: "\n"))
        let file = try SQLiteStore(path: path)
        #expect(try report(Array(stream), file) == expected)
        #expect(try file.liveActivities().map(\.contentState) == memory.liveActivities().map(\.contentState))
        #expect(try file.liveActivities().map(\.state) == memory.liveActivities().map(\.state))
        #expect(expected.count { $0.outcome == .started } == 30)
        #expect(expected.last?.outcome == .delivered)
    }

    @Test func `an activity becomes stale when the clock passes its stale-date`() throws {
        let store = MemoryStore()
        // The clock stands at 1000 s.
        let start = start.replacingOccurrences(of: #""event""#, with: #""stale-date":1060,"event""#)
        _ = try report([record(start)], store)
        #expect(try store.liveActivities().map(\.state) == [.active])
        _ = try report([#"{"event":"clock","advance":"2m"}"#, apns("ordinary")], store)
        #expect(try store.liveActivities().map(\.state) == [.stale])
    }

    @Test func `a broadcast changes the activities of its channel on every device`() throws {
        let channel = #""input-push-channel":"c29tZUNoYW5uZWw=""#
        let subscribed = start.replacingOccurrences(of: #""event""#, with: channel + #","event""#)
        let broadcast =
            #"{"headers":{"apns-channel-id":"c29tZUNoYW5uZWw=","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"5"},"payload":{"aps":\#(update(3, at: 1100))}}"#
        let store = MemoryStore()
        let lines = try report(
            [record(subscribed), record(subscribed, device: "cd"), record(start, device: "ef"), broadcast], store)
        #expect(lines.map(\.outcome) == [.started, .started, .started, .updated])
        #expect(object(lines[3].line)?["activities"] as? Int == 2)
        #expect(try store.liveActivities().map(\.contentState) == [#"{"goals":3}"#, #"{"goals":3}"#, #"{"goals":0}"#])
        #expect(try store.events(device: "cd").map(\.kind) == [.started, .alerted, .updated])
    }

    @Test func `a push without the type liveactivity touches no activity`() throws {
        let store = MemoryStore()
        let lines = try report(
            [#"{"device":"ab54","headers":{"apns-topic":"a","apns-push-type":"alert"},"payload":{"aps":\#(start)}}"#],
            store)
        #expect(lines.map(\.outcome) == [.delivered])
        #expect(try store.liveActivities().isEmpty)
    }

    @Test func `a queued push to an activity is applied when its device is back`() throws {
        let store = MemoryStore()
        let device = { (online: Bool) in
            #"{"event":"device","device":"ab54","app":"org.example.sport","online":\#(online)}"#
        }
        let lines = try report([device(false), record(start), device(true)], store)
        #expect(lines.map(\.outcome) == [.applied, .held, .applied, .started])
        #expect(object(lines[3].line)?["activity"] as? String == "activity-2")
        #expect(try store.liveActivities().map(\.seq) == [2])
    }

    @Test func `too many pushes of priority 10, and too large a state, are findings`() throws {
        let many = (0..<62).map { record(update($0, at: 2000 + $0)) }
        #expect(
            try report(many, MemoryStore()).filter { $0.rules == ["live-activity.budget"] }.map(\.seq) == [61])
        let text = { (count: Int) in #"{"text":"\#(String(repeating: "x", count: count))"}"# }
        let large = start.replacingOccurrences(of: #"{"home":"Elbe"}"#, with: text(2500))
        let lines = try report(
            [record(large), record(#"{"timestamp":1001,"event":"update","content-state":\#(text(2500))}"#)],
            MemoryStore())
        #expect(lines.map(\.rules) == [[], ["live-activity.size"]])
        #expect(lines.map(\.outcome) == [.started, .updated])
    }
}

/// Live Activities through FCM.
struct FCMLiveActivityTests {
    private func record(_ token: String, _ aps: String) -> String {
        #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","notification":{"title":"fallback"},"apns":{"live_activity_token":"\#(token)","payload":{"aps":\#(aps)}}}}"#
    }

    private var match: [String] {
        [
            record(
                "START",
                #"{"timestamp":1,"event":"start","content-state":{"demo":1},"attributes-type":"DemoAttributes","attributes":{"demoAttribute":1},"alert":{"title":"test title"}}"#
            ),
            record("PUSH", #"{"timestamp":2,"event":"update","content-state":{"demo":2}}"#),
            record("PUSH", #"{"timestamp":3,"event":"end","content-state":{"demo":3}}"#),
        ]
    }

    /// Firebase, "Get started with Live Activity": a start names the push-to-start token, what follows the activity's own.
    @Test func `Firebase's three requests start, update and end one activity, and show no notification`() throws {
        let store = MemoryStore()
        let lines = try Pipeline(configuration(), store: store).reports(match.joined(separator: "\n"))
        #expect(lines.map(\.outcome) == [.started, .updated, .ended])
        #expect(try store.notifications().isEmpty)
        let activity = try #require(try store.liveActivities().first)
        #expect(
            activity.identifier == "activity-1" && activity.token == "PUSH" && activity.contentState == #"{"demo":3}"#)
        #expect(activity.attributesType == "DemoAttributes")
        #expect(try store.liveActivities().count == 1)
    }

    /// FCM passes the token to APNs when the device is back. Firebase, "Get started with Live Activity".
    @Test(arguments: [false, true]) func `a message that is queued keeps the activity's token`(isRedacted: Bool) throws
    {
        let folder = try TestFolder()
        func run(_ records: [String]) throws -> [String] {
            try story(records, store: try SQLiteStore(path: folder.path("phone.db"))) {
                guard isRedacted else { return }
                $0.recordStages.append(RedactionStage(Redaction(.all, key: Array("key".utf8))))
            }
        }
        let phone = device(#""platform":"ios""#, of: "cXwZ9kT3R0m:APA91bHun4")
        let away = device(#""online":false"#, of: "cXwZ9kT3R0m:APA91bHun4")
        let back = back("cXwZ9kT3R0m:APA91bHun4")
        #expect(try run([phone, match[0], match[1], away, match[2]]).suffix(2) == ["4 device applied", "5 held"])
        #expect(try run([back]) == ["6 device applied", "6<5 ended"])
        let activities = try SQLiteStore(path: folder.path("phone.db")).liveActivities()
        #expect(activities.count == 1)
        #expect((activities.first?.token == "PUSH") == !isRedacted)
    }

    @Test func `redaction hides the tokens of activities, their contents and their alerts, and changes no outcome`()
        throws
    {
        let store = MemoryStore()
        let pipeline = Pipeline(
            configuration { $0.recordStages.append(RedactionStage(Redaction(.all, key: Array("key".utf8)))) },
            store: store)
        let lines = try pipeline.reports(match.joined(separator: "\n"))
        #expect(lines.map(\.outcome) == [.started, .updated, .ended])
        let activity = try #require(try store.liveActivities().first)
        #expect(activity.token.hasPrefix("h-") || activity.token != "PUSH")
        #expect(!activity.token.contains("PUSH") && !activity.device.contains("APA91"))
        #expect(activity.contentState?.contains("3") != true || activity.contentState != #"{"demo":3}"#)
        #expect(activity.alertTitle != "test title")
        #expect(activity.attributesType == "DemoAttributes")
    }
}
