import Foundation
import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// Records are delivered at the times that their lines say.
struct RecordTimeTests {
    private static let start = RFC3339.milliseconds("2026-11-03T20:00:00Z", .any) ?? 0

    private func timed(_ place: String = "line") -> (inout PipelineConfiguration) -> Void {
        {
            $0.recordTime = RecordTimePlace(place)
            $0.clock = .wall
            if place == "line" {
                $0.framing = .ndjson
                $0.decoding.location = RecordLocation(pointer: nil, skipsPrefix: true)
            }
        }
    }

    /// A line of a log, some seconds after the start.
    private func line(_ seconds: Int, _ record: String) -> String {
        RFC3339.text(Self.start + Int64(seconds) * 1000) + " app: " + record
    }

    /// The seconds after the start at which something happened.
    private func seconds(_ store: any DeliveryStore) throws -> [Int64] {
        try store.events().map { ($0.at - Self.start) / 1000 }
    }

    @Test func `each push has the time of its line`() throws {
        let store = MemoryStore()
        let lines = [line(0, apns("a")), line(90, apns("b")), line(3600, apns("c"))]
        _ = try story(lines, store: store, timed())
        #expect(try seconds(store) == [0, 90, 3600])
    }

    @Test(arguments: [
        ("/time", #"{"time":"2026-11-03T20:00:05Z","push":PUSH}"#),
        ("/log/ts", #"{"log":{"ts":1793736005.0},"push":PUSH}"#),
        ("/log/ts", #"{"log":{"ts":1793736005000},"push":PUSH}"#),
        ("/time", #"10:00 INFO {"time":"Tue Nov  3 20:00:05 UTC 2026","push":PUSH}"#),
    ])
    func `a member of the line may have the time`(place: String, form: String) throws {
        let store = MemoryStore()
        _ = try story([form.replacing("PUSH", with: payload("a"))], store: store) {
            timed(place)(&$0)
            $0.framing = .ndjson
            $0.decoding.location = RecordLocation(pointer: "/push", skipsPrefix: !form.hasPrefix("{"))
        }
        #expect(try seconds(store) == [5])
    }

    @Test func `a line without a time, and one with an earlier time, take that of the record before`() throws {
        let store = MemoryStore()
        let lines = [
            "app: " + apns("first"), line(10, apns("a")), "app: " + apns("b"), line(4, apns("c")), line(11, apns("d")),
        ]
        let pipeline = Pipeline(configuration(timed()), deliveringTo: store)
        try pipeline.process(lines.joined(separator: "\n")) { _ in }
        #expect(try seconds(store) == [10, 10, 10, 10, 11])
        #expect(pipeline.clockLag == 6000)
        #expect(pipeline.summary.untimedRecords == 2)
    }

    @Test func `messages expire, and rates count, by the times of the lines`() throws {
        let lines = [
            line(0, away("android", platform: .android)), line(0, data(ttl: 60)), line(59, data(to: "x")),
            line(61, data(to: "x")), line(61, back("android")),
        ]
        let expiry = try story(lines, timed())
        #expect(expiry.filter { $0.contains("expired") } == ["4<2 expired expired"])
        let pushes = [0, 1, 2, 61].map { line($0, apns("a", device: "ab54")) }
        let outcomes = try story(pushes) {
            timed()(&$0)
            $0.devicePolicy.pushesPerMinute = 2
        }
        #expect(outcomes.map { $0.split(separator: " ")[1] } == ["delivered", "delivered", "rejected", "delivered"])
    }

    @Test func `an event that moves the clock moves it on from the time of its line`() throws {
        let store = MemoryStore()
        let lines = [line(0, apns("a")), line(1, advance("60s")), line(2, apns("b")), line(90, apns("c"))]
        _ = try story(lines, store: store, timed())
        #expect(try seconds(store) == [0, 61, 90])
    }

    /// A log of a few devices, whose times sometimes go back or are missing.
    private func log(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        var time = 0
        return (0..<count).map { index in
            time += generator.below(4)
            let device = "device-\(generator.below(4))"
            let record =
                switch generator.below(8) {
                case 0: away(device, platform: .android)
                case 1: back(device)
                case 2: advance("\(generator.below(5))s")
                case 3: apns("Text \(index)", device: "ab\(generator.below(3))", collapse: "c")
                case 4: "{\"aps\":"
                default: data(to: device, ttl: 3 + generator.below(60))
                }
            switch generator.below(10) {
            case 0: return "app: " + record
            case 1: return line(time - generator.below(20), record)
            default: return line(time, record)
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `neither the number of jobs nor the size of chunks matters`(seed: UInt64) throws {
        let bytes = Array((log(400, seed: seed).joined(separator: "\n") + "\n").utf8)
        func run(jobs: Int, pieces: [Int]) throws -> [Reported] {
            let pipeline = Pipeline(
                configuration {
                    timed()(&$0)
                    $0.jobs = jobs
                }, deliveringTo: MemoryStore(keepsJournal: false))
            return try pipeline.reports(bytes, pieces: pieces)
        }
        let expected = try run(jobs: 1, pieces: [])
        #expect(expected.contains { $0.outcome == .expired })
        #expect(try run(jobs: 4, pieces: []) == expected)
        #expect(try run(jobs: 3, pieces: Array(repeating: 700, count: 200)) == expected)
    }

    @Test func `a resumed run continues with the times`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushpipe-times-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = log(300, seed: 7)
        func run(_ counts: [Int], _ name: String) throws -> [JournalEntry] {
            let path = folder.appending(path: "\(name).log").path
            let store = try SQLiteStore(path: folder.appending(path: "\(name).db").path)
            for count in counts {
                try Data((lines.prefix(count).joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
                let input = try InputFile(path, store: store, resumes: count > counts[0])
                let pipeline = Pipeline(configuration(timed()), store: store)
                try pipeline.process(
                    fileDescriptor: input.descriptor.rawValue, progress: input.progress, isStopped: { false },
                    text: { _ in })
            }
            return try store.events()
        }
        let whole = try run([300], "whole")
        #expect(!whole.isEmpty)
        #expect(try run([1, 40, 41, 170, 300], "parts") == whole)
    }

    @Test func `a run that is resumed without times goes on by its clock`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushpipe-times-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.log").path
        let store = try SQLiteStore(path: folder.appending(path: "a.db").path)
        let lines = [line(0, apns("a")), line(5, apns("b"))]
        for (count, isTimed) in [(1, true), (2, false)] {
            try Data((lines.prefix(count).joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
            let input = try InputFile(path, store: store, resumes: count > 1)
            let options = configuration {
                timed()(&$0)
                if !isTimed { $0.recordTime = nil }
            }
            let pipeline = Pipeline(options, store: store)
            pipeline.wallMilliseconds = { Self.start + 60_000 }
            try pipeline.process(
                fileDescriptor: input.descriptor.rawValue, progress: input.progress, isStopped: { false },
                text: { _ in })
        }
        #expect(try seconds(store) == [0, 60])
    }

    @Test func `what an earlier chunk had by the clock is not later than what comes after it`() throws {
        let store = MemoryStore()
        let pipeline = Pipeline(configuration(timed()), deliveringTo: store)
        pipeline.wallMilliseconds = { Self.start + 60_000 }
        let first = "app: " + apns("a") + "\n"
        _ = try pipeline.reports(Array((first + line(5, apns("b")) + "\n").utf8), pieces: [first.utf8.count])
        #expect(try seconds(store) == [60, 60])
    }

    @Test func `a part of a divided input has no times`() throws {
        let part = partHeader(0, of: 2) + "\n" + #"{"place":{"seq":1},"record":"# + apns("a") + "}\n"
        let error = #expect(throws: PlainError.self) {
            try Pipeline(configuration { $0.recordTime = RecordTimePlace("/time") }).process(part) { _ in }
        }
        #expect(error?.message.contains("does not have the times of its lines") == true)
    }

    @Test func `a place is line or a pointer to a member`() {
        #expect(RecordTimePlace("line")?.name == "time before the object")
        #expect(RecordTimePlace("/log/time")?.name == "time at /log/time")
        for text in ["", "time", "lines", "/a~2"] { #expect(RecordTimePlace(text) == nil) }
    }
}
