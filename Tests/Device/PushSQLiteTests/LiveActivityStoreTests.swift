import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// Live Activities in memory and in a file.
struct LiveActivityStoreTests {
    private func push(
        _ event: LiveActivityPush.Event, _ state: String?, device: String = "ab", channel: String? = nil
    ) -> LiveActivityPush {
        var push = LiveActivityPush(event: event, device: device, app: "org.example.sport")
        push.contentState = state
        push.timestamp = 1_767_268_800_000
        push.channel = channel
        push.relevanceScore = "75.5"
        if event == .start {
            push.attributesType = "ScoreAttributes"
            push.attributes = #"{"home":"Elbe"}"#
            push.alert = LiveActivityPush.Alert(title: "Kick-off", body: "Elbe – Weser")
            push.inputChannel = device == "ab" ? nil : "c29t"
            push.staleAt = 8000
        }
        return push
    }

    private var stream: [LiveActivityPush] {
        [
            push(.start, #"{"goals":0}"#), push(.start, "{}", device: "cd"), push(.start, "{}", device: "ef"),
            push(.update, #"{"goals":1}"#), push(.update, #"{"all":1}"#, device: "default", channel: "c29t"),
            push(.end, nil, device: "cd"), push(.update, "{}", device: "cd"), push(.end, #"{"goals":2}"#),
        ]
    }

    /// Applies pushes, one second apart.
    private func run(
        _ store: some DeliveryStore, _ pushes: [LiveActivityPush], first: Int = 0
    ) throws -> [LiveActivities.Refusal?] {
        var refusals: [LiveActivities.Refusal?] = []
        try store.transaction(replacing: nil) { store in
            for (index, push) in pushes.enumerated() {
                let number = first + index + 1
                refusals.append(
                    try store.screens.apply(push, seq: UInt64(number), target: nil, at: Int64(number) * 1000).refusal)
                store.screens.advance(to: Int64(number) * 1000)
                store.progress.lastSequence = UInt64(number)
            }
        }
        return refusals
    }

    @Test(arguments: [1, 3, 8]) func `a file has the same activities as memory, however often it is opened`(size: Int)
        throws
    {
        let folder = try TemporaryFolder()
        let memory = MemoryStore()
        var next = 0
        while next < stream.count {
            let pushes = Array(stream[next..<min(next + size, stream.count)])
            let expected = try run(memory, pushes, first: next)
            let file = try SQLiteStore(path: folder())
            #expect(try run(file, pushes, first: next) == expected)
            next += size
        }
        let found = try SQLiteStore(path: folder(), access: .readOnly).liveActivities().map { activity in
            var activity = activity
            activity.row = nil
            return activity
        }
        #expect(try found == memory.liveActivities())
        #expect(found.map(\.state) == [.ended, .ended, .active])
        #expect(found.map(\.contentState) == [#"{"goals":2}"#, #"{"all":1}"#, #"{"all":1}"#])
        #expect(try memory.liveActivities(device: "ef").map(\.identifier) == ["activity-3"])
    }

    @Test func `the view live_activities has a row for each activity, with its state after the last record`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        _ = try run(store, [push(.start, #"{"goals":0}"#)])
        let columns =
            "device, app, identifier, state, attributes_type, attributes, content_state, relevance_score = 75.5, channel"
        #expect(
            try folder.sqlite3(sql: "SELECT \(columns), alert_title, alert_body FROM live_activities;") == [
                #"'ab','org.example.sport','activity-1','active','ScoreAttributes','{"home":"Elbe"}','{"goals":0}',1,NULL,'Kick-off','Elbe – Weser'"#
            ])
        let times = "started_at, updated_at, stale_at, ends_at, dismissed_at"
        #expect(
            try folder.sqlite3(sql: "SELECT \(times) FROM live_activities;") == [
                "'1970-01-01T00:00:01.000Z','1970-01-01T00:00:01.000Z','1970-01-01T00:00:08.000Z','1970-01-01T08:00:01.000Z','1970-01-01T12:00:01.000Z'"
            ])
        for (time, state) in [(8000, "stale"), (28_801_000, "ended"), (43_201_000, "dismissed")] as [(Int64, String)] {
            try store.transaction(replacing: nil) { $0.screens.advance(to: time) }
            #expect(try folder.sqlite3(sql: "SELECT state FROM live_activities;") == ["'\(state)'"])
            #expect(try store.liveActivities().map(\.state.rawValue) == [state])
        }
    }

    @Test func `a transaction that fails leaves the activities as they were`() throws {
        struct Failed: Error {}
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        _ = try run(store, [push(.start, "[1]")])
        #expect(throws: Failed.self) {
            try store.transaction(replacing: nil) {
                _ = try $0.screens.apply(push(.update, "[2]"), seq: 2, target: nil, at: 2000)
                throw Failed()
            }
        }
        #expect(try store.liveActivities().map(\.contentState) == ["[1]"])
        #expect(try run(store, [push(.update, "[3]")], first: 1) == [nil])
        #expect(try store.liveActivities().map(\.contentState) == ["[3]"])
    }

    // MARK: - Export, import, prune

    private func export(_ store: SQLiteStore) throws -> String {
        var out = ByteBuffer()
        try StoreExport(.stateAndJournal).write(store, redaction: store.redaction) { $0(&out) }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test func `the import of an export has the same activities, which go on the same`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder("a.db"))
        _ = try run(store, Array(stream[..<5]))
        let text = try export(store)
        try folder.write(text, to: "export")
        let copy = try SQLiteStore(path: folder("b.db"))
        for _ in 1...2 {
            let file = try FileDescriptor.open(folder("export"), .readOnly)
            defer { file.close() }
            var counts = ImportCounts()
            try copy.importing { try $0.add(exportFrom: file, &counts) }
            #expect(counts.activities == 3 && counts.devices == 0)
        }
        #expect(try export(copy) == text)
        #expect(try run(copy, Array(stream[5...]), first: 5) == run(store, Array(stream[5...]), first: 5))
        #expect(try export(copy) == export(store))
    }

    @Test(arguments: [("last_record_at", "\"yesterday\""), ("identifier", "7"), ("nonsense", "1")])
    func `a line of an activity that no export has is refused`(name: String, value: String) throws {
        let folder = try TemporaryFolder()
        let line =
            name == "last_record_at"
            ? #"{"export":1,"last_sequence":1,"\#(name)":\#(value)}"# : #"{"live_activity":{"\#(name)":\#(value)}}"#
        try folder.write(line, to: "export")
        let file = try FileDescriptor.open(folder("export"), .readOnly)
        defer { file.close() }
        var counts = ImportCounts()
        #expect(throws: PlainError.self) {
            try SQLiteStore(path: folder()).importing { try $0.add(exportFrom: file, &counts) }
        }
    }

    @Test func `pruning removes activities that left the lock screen before its time`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        _ = try run(store, stream)
        let fourHours: Int64 = 14_400_000
        // The second one ended after 6 s.
        let pruning = Pruning(before: fourHours + 6001)
        #expect(try store.rehearse(pruning).activities == 1)
        #expect(try store.prune(Pruning(before: fourHours + 6001, app: "other")).activities == 0)
        #expect(try store.prune(Pruning(before: fourHours + 6001, device: "ab")).activities == 0)
        #expect(try store.prune(pruning).activities == 1)
        #expect(try store.liveActivities().map(\.device) == ["ab", "ef"])
        #expect(try store.prune(Pruning(keep: 0)).activities == 0)
    }

    @Test func `a store without activities has no time of the last record`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.transaction(replacing: nil) { $0.screens.advance(to: 1000) }
        #expect(try folder.sqlite3(sql: "SELECT count(*) FROM last_record;") == ["0"])
    }
}
