import Foundation
import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// What is known of devices, apps and screens is one state, wherever it is kept: a stream has one report, and leaves one export, with a store
/// in memory or in a file, whatever of the file is in memory, and however the stream is divided.
struct OneStateTests {
    /// Which records are processed with each store, and by how many threads.
    private enum Feeding {
        /// All at once.
        case whole(jobs: Int)
        /// Each in a transaction of its own.
        case single
    }

    private struct Outcome: Equatable {
        var report: [String] = []
        /// Of a store in memory and of one in a file: what readers see.
        var view: [String] = []
        /// Of a store in a file: all of it.
        var export: [String] = []
    }

    private func settings(jobs: Int = 1) -> PipelineConfiguration {
        var settings = PipelineConfiguration()
        // 2023-11-14T22:13:20Z, plus a millisecond for each record.
        settings.clock = .fixed(milliseconds: 1_700_000_000_000)
        settings.framing = .ndjson
        settings.jobs = jobs
        settings.decoding.replacement = ReplacementRule(key: "custom-payload-id")
        return settings
    }

    private func report(_ records: [String], _ feeding: Feeding, _ store: any DeliveryStore) throws -> [String] {
        var lines: [String] = []
        switch feeding {
        case .whole(let jobs):
            try Pipeline(settings(jobs: jobs), deliveringTo: store).process(records.joined(separator: "\n")) {
                lines.append(Reported($0).line)
            }
        case .single:
            let pipeline = Pipeline(settings(), deliveringTo: store)
            for record in records { try pipeline.feed((record + "\n").utf8) { lines.append(Reported($0).line) } }
            try pipeline.finish { lines.append(Reported($0).line) }
        }
        return lines
    }

    private func outcome(_ records: [String], _ feeding: Feeding, inMemory store: MemoryStore) throws -> Outcome {
        var outcome = Outcome(report: try report(records, feeding, store))
        try look(at: store, &outcome)
        return outcome
    }

    private func outcome(_ records: [String], _ feeding: Feeding, maximumLoaded: Int? = nil) throws -> Outcome {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        let store =
            try maximumLoaded.map { try SQLiteStore(path: path, access: .readWrite, maximumLoaded: $0) }
            ?? SQLiteStore(path: path)
        var outcome = Outcome(report: try report(records, feeding, store))
        try look(atFile: path, &outcome)
        return outcome
    }

    /// Ends the process, as it were, after every few records, and resumes the run in the same file.
    private func resumed(_ records: [String], after count: Int) throws -> Outcome {
        let folder = try TestFolder()
        let (input, path) = (folder.path("in.ndjson"), folder.path("phone.db"))
        var outcome = Outcome()
        for end in stride(from: count, to: records.count + count, by: count) {
            let text = records.prefix(end).map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: URL(filePath: input))
            let store = try SQLiteStore(path: path)
            let file = try InputFile(input, store: store, resumes: end > count)
            try Pipeline(settings(), deliveringTo: store).process(
                fileDescriptor: file.descriptor.rawValue, progress: file.progress, isStopped: { false },
                text: { outcome.report += String(decoding: $0, as: UTF8.self).split(separator: "\n").map { "\($0)\n" } }
            )
        }
        try look(atFile: path, &outcome)
        return outcome
    }

    private func look(atFile path: String, _ outcome: inout Outcome) throws {
        let store = try SQLiteStore(path: path, access: .readOnly)
        try look(at: store, &outcome)
        var out = ByteBuffer()
        try StoreExport(.stateAndJournal).write(store, redaction: nil) { $0(&out) }
        outcome.export = String(decoding: out.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func look(at store: some BrowsableStore & NotificationStore, _ outcome: inout Outcome) throws {
        outcome.view += try store.notifications().map { "\($0)" }
        outcome.view += try store.events().map { "\($0)" }
        try store.forEachLiveActivity(device: nil, app: nil) { activity in
            var activity = activity
            // The id of its row in a file.
            activity.row = nil
            outcome.view.append("\(activity)")
        }
        try store.forEachBadge { outcome.view.append("\($0) \($1) \($2 ?? -1)") }
        for device in RandomStream.devices {
            outcome.view += try store.registered(on: device).flatMap { [$0.event] + $0.furtherEvents }.map { event in
                var out = ByteBuffer()
                out.appendEvent(event)
                return String(decoding: out.bytes, as: UTF8.self)
            }
        }
    }

    private func expectEqual(_ found: [String], _ expected: [String], _ what: String) {
        guard found != expected else { return }
        let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
        let pair = [found, expected].map { $0.count > place ? $0[place] : "nothing" }
        Issue.record("\(what), line \(place + 1): \(pair[0]) instead of \(pair[1])")
    }

    /// Compares all ways of running the records.
    private func check(_ records: [String]) throws {
        let expected = try outcome(records, .whole(jobs: 1), inMemory: MemoryStore())
        let file = try outcome(records, .whole(jobs: 1))
        expectEqual(file.report, expected.report, "report with a file")
        expectEqual(file.view, expected.view, "view of a file")
        for jobs in [2, 4] {
            let found = try outcome(records, .whole(jobs: jobs), inMemory: MemoryStore(keepsJournal: false))
            expectEqual(found.report, expected.report, "report with \(jobs) threads")
        }
        for feeding in [Feeding.whole(jobs: 1), .single, .whole(jobs: 2)] {
            let found = try outcome(
                records, feeding, inMemory: MemoryStore(keepsJournal: false, keepsContent: false))
            expectEqual(found.report, expected.report, "report without contents, \(feeding)")
        }
        for (feeding, most) in [(Feeding.whole(jobs: 2), nil), (.single, nil), (.single, 1), (.single, 8)] {
            let found = try outcome(records, feeding, maximumLoaded: most)
            expectEqual(found.report, expected.report, "report with a file, \(feeding), \(most ?? 0)")
            expectEqual(found.export, file.export, "export of a file, \(feeding), \(most ?? 0)")
        }
        let resumed = try resumed(records, after: max(records.count / 10, 1))
        expectEqual(resumed.report, expected.report, "report of runs that were resumed")
        expectEqual(resumed.export, file.export, "export of runs that were resumed")
    }

    @Test(arguments: Effort.some(Array(1...200) as [UInt64], fast: 6))
    func `a stream of any records has one report and one export`(seed: UInt64) throws {
        var stream = RandomStream(seed: seed)
        try check(stream.records(300))
    }

    /// Found by hand: in memory without contents, both were answered otherwise.
    @Test(arguments: [
        // An action of another category than that of the notification.
        [
            #"{"event":"device","device":"aa11","app":"a","categories":[{"id":"one","actions":[{"id":"x"}]},{"id":"two"}]}"#,
            #"{"device":"aa11","headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"Text","category":"two"}}}"#,
            #"{"event":"tap","device":"aa11","app":"a","action":"x"}"#,
        ],
        // A device that nothing but a message to Android tells about.
        [
            #"{"message":{"token":"reg-1","notification":{"title":"Text"}}}"#,
            #"{"event":"device","device":"reg-1","state":"force-stopped"}"#, #"{"event":"dismiss","device":"reg-1"}"#,
        ],
        [
            #"{"message":{"token":"reg-1","notification":{"title":"Text"},"android":{"notification":{"sticky":true}}}}"#,
            #"{"event":"tap","device":"reg-1"}"#, #"{"event":"dismiss","device":"reg-1"}"#,
        ],
        // Click actions, wherever a message has them, and one that a later message takes the place of.
        [
            #"{"event":"device","device":"reg-1","app":"a","platform":"android","activities":["OPEN"]}"#,
            #"{"to":"reg-1","restricted_package_name":"a","notification":{"title":"Text","tag":"1","click_action":"NONE"}}"#,
            #"{"event":"tap","device":"reg-1","app":"a"}"#,
            #"{"message":{"token":"reg-1","android":{"restricted_package_name":"a","notification":{"title":"Text","tag":"2","click_action":"OPEN"}},"apns":{"payload":{"aps":{}}}}}"#,
            #"{"message":{"token":"reg-1","android":{"restricted_package_name":"a","notification":{"title":"Text","tag":"2","clickAction":"N\u004fNE"}}}}"#,
            #"{"event":"tap","device":"reg-1","app":"a"}"#,
            #"{"message":{"token":"reg-1","android":{"restricted_package_name":"a","notification":{"title":"Text","tag":"3","click_action":"NONE"}},"webpush":{}}}"#,
            #"{"event":"tap","device":"reg-1","app":"a"}"#,
            #"{"message":{"token":"reg-1","notification":{"title":"Text"},"apns":{"payload":{"aps":{"category":"NONE"}}}}}"#,
            #"{"event":"tap","device":"reg-1","app":"a"}"#,
        ],
    ]) func `what a tap needs to know is kept everywhere`(records: [String]) throws { try check(records) }
}
