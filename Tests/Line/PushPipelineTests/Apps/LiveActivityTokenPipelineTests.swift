import PushDevices
import PushModel
import PushPipeline
import PushRedaction
import PushSQLite
import TestSupport
import Testing

/// Tokens of Live Activities, and activities that are swiped away, from record to report. The rules are in `LiveActivityTokenTests`.
struct LiveActivityTokenPipelineTests {
    private static let app = "org.example.sport"

    private func push(_ device: String, _ event: String, _ timestamp: Int) -> String {
        let start = #","attributes-type":"T","attributes":{},"alert":{"title":"Kick-off"}"#
        return
            #"{"device":"\#(device)","headers":{"apns-topic":"\#(Self.app).push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"10"},"payload":{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{"at":\#(timestamp)}\#(event == "start" ? start : "")}}}"#
    }

    private func phone(_ members: String) -> String {
        #"{"event":"device","device":"fade","app":"\#(Self.app)",\#(members)}"#
    }

    private let starts = String(repeating: "a1", count: 32)
    private let updates = String(repeating: "b2", count: 32)
    private let others = String(repeating: "c3", count: 32)

    /// The outcome of each line, with the reason or the activity.
    private func run(
        _ records: [String], _ store: any DeliveryStore = MemoryStore(),
        _ change: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> [String] {
        try Pipeline(configuration(change), deliveringTo: store).reports(records.joined(separator: "\n")).map { line in
            let activity = line.line.firstMatch(of: /"activity":"([^"]*)"/)?.1
            let reason = PushReport(json: line.line)?.reason ?? activity.map { String($0) } ?? ""
            return "\(line.outcome) \(reason)\(line.rules.isEmpty ? "" : " \(line.rules)")"
        }
    }

    @Test func `an update to a start token changes nothing, and is a finding`() throws {
        let lines = try run([
            push(starts, "start", 1), push(updates, "update", 2), push(starts, "update", 3), push(updates, "end", 4),
        ])
        #expect(
            lines == [
                "started activity-1", "updated activity-1", #"suppressed start-token ["live-activity.start-token"]"#,
                "ended activity-1",
            ])
    }

    /// The tokens of a phone that is registered with its token for notifications.
    private var story: [String] {
        [
            phone(#""start_token":"\#(starts)""#), push(starts, "start", 1),
            phone(#""activity_tokens":["\#(updates)"]"#),
            push(starts, "start", 2), phone(#""activity_tokens":["\#(others.uppercased())"]"#),
            push(others, "update", 3), push(updates, "update", 4), push(starts, "update", 5),
            phone(#""online":false"#), push(updates, "update", 6), phone(#""online":true"#),
        ]
    }
    private let outcomes = [
        "applied ", "started activity-2", "applied ", "started activity-4", "applied ", "updated activity-4",
        "updated activity-2", #"suppressed start-token ["live-activity.start-token"]"#, "applied ", "held ", "applied ",
        "updated activity-2",
    ]

    @Test func `events say which device tokens belong to, and a push to one reaches that device`() throws {
        let store = MemoryStore()
        #expect(try run(story, store) == outcomes)
        let found = try store.liveActivities()
        #expect(found.map(\.device) == ["fade", "fade"])
        #expect(found.map(\.token) == [updates, others])
        #expect(found.map(\.contentState) == [#"{"at":6}"#, #"{"at":3}"#])
    }

    @Test(arguments: [1, 4, 8, 10]) func `a store that is opened again knows the tokens`(first: Int) throws {
        let folder = try TestFolder()
        let open = { try SQLiteStore(path: folder.path("phone.db")) }
        let lines = try run(Array(story[..<first]), open()) + run(Array(story[first...]), open())
        #expect(lines == outcomes)
    }

    @Test func `a token that is known by the order of the records is known to a store that is opened again`() throws {
        let records = [
            push(starts, "start", 1), push(updates, "update", 2), push(starts, "update", 3), push(updates, "update", 4),
        ]
        for first in 1..<records.count {
            let folder = try TestFolder()
            let open = { try SQLiteStore(path: folder.path("phone.db")) }
            let lines = try run(Array(records[..<first]), open()) + run(Array(records[first...]), open())
            #expect(
                lines == [
                    "started activity-1", "updated activity-1",
                    #"suppressed start-token ["live-activity.start-token"]"#, "updated activity-1",
                ])
        }
    }

    /// Each way to divide the records between two runs.
    private func divided(_ records: [String]) throws -> [(lines: [String], activities: [LiveActivity])] {
        try (0..<records.count).map { first in
            let folder = try TestFolder()
            let open = { try SQLiteStore(path: folder.path("phone.db")) }
            let lines = try run(Array(records[..<first]), open()) + run(Array(records[first...]), open())
            var found: [LiveActivity] = []
            try open().forEachLiveActivity(device: nil, app: nil) { found.append($0) }
            return (lines, found)
        }
    }

    @Test func `a token that two devices have is that of the first one by name, also in a store that is opened again`()
        throws
    {
        let other = #"{"event":"device","device":"beef","app":"\#(Self.app)","start_token":"\#(starts)"}"#
        let last = #"{"event":"device","device":"dead","app":"\#(Self.app)","start_token":"\#(starts)"}"#
        let records = [phone(#""start_token":"\#(starts)""#), other, last, push(starts, "start", 1)]
        for (lines, activities) in try divided(records) {
            #expect(lines.last == "started activity-4")
            #expect(activities.map(\.device) == ["beef"])
        }
        let gone = #"{"event":"device","device":"beef","app":"\#(Self.app)","start_token":""}"#
        for (_, activities) in try divided(records.dropLast() + [gone, push(starts, "start", 1)]) {
            #expect(activities.map(\.device) == ["dead"])
        }
    }

    @Test func `an activity that the app started is older than one that a push starts, also when it is loaded later`()
        throws
    {
        let records = [
            push(starts, "update", 1), push(starts, "start", 2), push(updates, "end", 3), push(starts, "end", 4),
        ]
        for (lines, _) in try divided(records) {
            #expect(
                lines == [
                    "updated activity-1", "started activity-2", "ended activity-2",
                    #"suppressed start-token ["live-activity.start-token"]"#,
                ])
        }
    }

    private func message(
        _ token: String, _ event: String, _ timestamp: Int = 1, to device: String = "registration",
        headers: String = "{}"
    ) -> String {
        let start = #","attributes-type":"T","attributes":{},"alert":{"title":"Kick-off"}"#
        return
            #"{"message":{"token":"\#(device)","apns":{"live_activity_token":"\#(token)","headers":\#(headers),"payload":{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{}\#(event == "start" ? start : "")}}}}}"#
    }

    @Test func `a start token of another device is none of a device that FCM names`() throws {
        let lines = try run([
            phone(#""start_token":"\#(starts)""#), message(starts, "update"), push(starts, "update", 2),
        ])
        #expect(
            lines == [
                "applied ", "updated activity-2", #"suppressed start-token ["live-activity.start-token"]"#,
            ])
    }

    @Test func `FCM's app is the topic without the suffix of its push type`() throws {
        let store = MemoryStore()
        let topic = #"{"apns-topic":"\#(Self.app).push-type.liveactivity","apns-push-type":"liveactivity"}"#
        let registered = #"{"event":"device","device":"registration","app":"\#(Self.app)","platform":"ios"}"#
        let dismiss = #"{"event":"dismiss","device":"registration","app":"\#(Self.app)","identifier":"activity-2"}"#
        #expect(
            try run([registered, message(starts, "start", headers: topic), dismiss], store) == [
                "applied ", "started activity-2", "applied ",
            ])
        #expect(try store.liveActivities().map(\.app) == [Self.app])
    }

    /// Source: Apple, `Activity.pushToken`: it may change while the activity runs, and the earlier one is then invalid.
    @Test
    func `a new token of the only running activity takes the place of its token, also in a store that is opened again`()
        throws
    {
        let records = [
            phone(#""start_token":"\#(starts)""#), push(starts, "start", 1),
            phone(#""activity_tokens":["\#(updates)"]"#), push(updates, "update", 2),
            phone(#""activity_tokens":["\#(others)"]"#), push(others, "update", 3), push(updates, "update", 4),
            message(others, "update", 5, to: "fade"), message(updates, "end", 6, to: "fade"), push(others, "end", 7),
        ]
        let outcomes = [
            "applied ", "started activity-2", "applied ", "updated activity-2", "applied ", "updated activity-2",
            "suppressed outdated-token", "updated activity-2", "suppressed outdated-token", "ended activity-2",
        ]
        #expect(try run(records) == outcomes)
        for (lines, activities) in try divided(records) {
            #expect(lines == outcomes)
            #expect(activities.map(\.token) == [others])
        }
    }

    @Test func `a token that is named beside the earlier one is that of another activity`() throws {
        let lines = try run([
            phone(#""start_token":"\#(starts)""#), push(starts, "start", 1),
            phone(#""activity_tokens":["\#(updates)"]"#), phone(#""activity_tokens":["\#(updates)","\#(others)"]"#),
            push(others, "update", 2), push(updates, "update", 3),
        ])
        #expect(lines.suffix(2) == ["updated activity-5", "updated activity-2"])
    }

    /// Sources: Apple, `Activity.pushToStartTokenUpdates`, which each type of attributes has; luka-ios, issue 146.
    @Test func `an app has a start token for each type of attributes, and an outdated one starts nothing`() throws {
        let records = [
            phone(#""start_tokens":{"T":"\#(starts)","U":"\#(updates)"}"#), push(starts, "start", 1),
            push(updates, "start", 2),
            phone(#""start_tokens":{"T":"\#(others)"}"#), push(starts, "start", 3), push(updates, "start", 4),
            push(others, "start", 5), push(starts, "update", 6), push(updates, "update", 7),
        ]
        let outcomes = [
            "applied ", "started activity-2", "started activity-3", "applied ", "suppressed outdated-token",
            "started activity-6", "started activity-7", "suppressed outdated-token",
            #"suppressed start-token ["live-activity.start-token"]"#,
        ]
        #expect(try run(records) == outcomes)
        for (lines, activities) in try divided(records) {
            #expect(lines == outcomes)
            #expect(activities.map(\.device) == ["fade", "fade", "fade", "fade"])
        }
    }

    @Test func `a start token that another one has replaced starts nothing, and one that is said again does`() throws {
        let lines = try run([
            phone(#""start_token":"\#(starts)""#), phone(#""start_token":"\#(others)""#), push(starts, "start", 1),
            phone(#""start_token":"\#(starts)""#), push(starts, "start", 2), push(others, "start", 3),
        ])
        #expect(
            lines == [
                "applied ", "applied ", "suppressed outdated-token", "applied ", "started activity-5",
                "suppressed outdated-token",
            ])
    }

    @Test func `redaction hides the tokens, and changes no outcome`() throws {
        let store = MemoryStore()
        let redaction = Redaction(.all, key: Array("key".utf8))
        #expect(try run(story, store) { $0.recordStages.append(RedactionStage(redaction)) } == outcomes)
        let shown = try store.liveActivities().map { "\($0.device) \($0.token) \($0.startToken ?? "")" }.joined()
        #expect([starts, updates, others, "fade"].allSatisfy { !shown.contains($0) })
    }

    @Test func `an activity that is swiped away leaves the lock screen, and later pushes are suppressed`() throws {
        let store = MemoryStore(journalLimit: 100)
        let dismiss = #"{"event":"dismiss","device":"\#(starts)","identifier":"activity-1"}"#
        let lines = try run(
            [push(starts, "start", 1), push(starts, "update", 2), dismiss, push(starts, "update", 3), dismiss], store)
        #expect(
            lines == [
                "started activity-1", "updated activity-1", "applied ", "suppressed activity-dismissed",
                "ignored no-such-notification",
            ])
        #expect(try store.liveActivities().map(\.state) == [.dismissed])
    }

    @Test func `an update over the budget is dropped, and is a finding`() throws {
        let lines = try run((1...3).map { push(starts, "update", $0) }) { $0.devicePolicy.activityUpdatesPerHour = 2 }
        #expect(
            lines == [
                "updated activity-1", "updated activity-1", #"suppressed throttled ["live-activity.budget"]"#,
            ])
    }
}
