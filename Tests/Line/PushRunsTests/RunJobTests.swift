import PushDecoding
import PushDevices
import PushPipeline
import PushSQLite
import PushSystem
import PushText
import TestSupport
import Testing

@testable import PushRuns

struct RunJobTests {
    private static let hello = #"{"aps":{"alert":"Hello"}}"# + "\n"

    private func job(_ folder: Folder, _ names: String..., output: RunJob.Output = .ndjson) -> RunJob {
        var job = RunJob(names.map { folder[$0] }, output: output)
        job.configuration.clock = .fixed(milliseconds: 0)
        return job
    }

    @Test func `a run reports each message, and notes a summary`() throws {
        let streams = CollectedStreams()
        let folder = try Folder(["a": Self.hello])
        let outcome = try job(folder, "a").run(to: streams)
        #expect(outcome == RunJob.Outcome())
        #expect(streams.text.contains(#""outcome":"delivered""#))
        #expect(streams.notes.hasPrefix("1 record, 1 message"))
        #expect(streams.isListening)
    }

    @Test func `a missing file is noted, and the others are read`() throws {
        let streams = CollectedStreams()
        let folder = try Folder(["b": Self.hello])
        let outcome = try job(folder, "a", "b").run(to: streams)
        #expect(outcome == RunJob.Outcome(hasUnreadable: true))
        #expect(streams.text.contains(#""outcome":"delivered""#))
        #expect(streams.notes.contains("/a: "))
        let without = try job(folder, "a").run(to: CollectedStreams())
        #expect(without.hasUnreadable)
    }

    private static let log = """
        Started POST "/orders"
        10:00:00 INFO sent {"aps":{"alert":"One"}}
        Completed 200 OK
        10:00:01 INFO sent {"aps":{"alert":"Two"}}

        """

    @Test func `a log is recognized, and what is read of it is said once`() throws {
        let folder = try Folder(["app.log": Self.log, "a": Self.hello])
        var job = job(folder, "app.log", "a")
        job.configuration.recognizesLogs = true
        job.configuration.decoding.advice = { "; [\($0)]" }
        let streams = CollectedStreams()
        #expect(try job.run(to: streams) == RunJob.Outcome())
        #expect(streams.text.split(separator: "\n").count == 3)
        #expect(streams.text.contains(#""seq":2,"#) && streams.text.contains(#""seq":4,"#))
        #expect(
            streams.notes.hasPrefix(
                "pushpipe: \(folder["app.log"]): looks like a log, so the object after the text on each line is read; "
                    + "[statePlace(nil, afterText: true)]\n5 records"), "\(streams.notes)")
        // Without it, the lines are as they are.
        job.configuration.recognizesLogs = false
        let plain = CollectedStreams()
        _ = try job.run(to: plain)
        #expect(plain.text.contains("malformed"))
    }

    @Test func `a log with times is told how they are read, and what is odd about them`() throws {
        let line = "2026-11-28T20:0MINUTE:00Z sent {\"aps\":{\"alert\":\"One\"}}\n"
        let log =
            ["5", "1"].map { line.replacing("MINUTE", with: $0) }.joined() + "sent {\"aps\":{\"alert\":\"Two\"}}\n"
        let folder = try Folder(["app.log": log])
        var job = job(folder, "app.log")
        job.configuration.recognizesLogs = true
        job.configuration.decoding.advice = { "; [\($0)]" }
        let streams = CollectedStreams()
        _ = try job.run(to: streams)
        #expect(streams.notes.contains("afterText: true)]; [takeTimes(\"line\")]\n"), "\(streams.notes)")
        job.configuration.recordTime = RecordTimePlace("line")
        let timed = CollectedStreams()
        #expect(try job.run(to: timed) == RunJob.Outcome())
        #expect(!timed.notes.contains("takeTimes"))
        #expect(timed.notes.contains("times in the input go back by up to 4 minutes"))
        #expect(timed.notes.contains("1 line has no time; its record takes the time of the record before"))
        job.configuration.recordTime = RecordTimePlace("/time")
        let lacking = CollectedStreams()
        #expect(try job.run(to: lacking).isEmpty)
        #expect(lacking.notes.contains("no time at /time in any of 3 records"), "\(lacking.notes)")
        #expect(!lacking.notes.contains("have no time"))
    }

    @Test func `a payload for FCM in a text alone is read as one`() throws {
        let message = #"{\"message\":{\"token\":\"x\",\"data\":{\"a\":\"b\"}}}"#
        let folder = try Folder(["app.log": "{\"payload\":\"\(message)\"}\n"])
        var job = job(folder, "app.log")
        job.configuration.recognizesLogs = true
        let streams = CollectedStreams()
        _ = try job.run(to: streams)
        #expect(streams.text.contains(#""provider":"fcm""#), "\(streams.text)")
    }

    /// Each is what a file begins with, what is added to it, and whether that is read as lines of a log.
    @Test(arguments: [
        (log, "words {\"aps\":{\"alert\":\"Three\"}}\nmore words\n", true),
        (#"{"msg":"a","log":{"sent":{"aps":{"alert":"One"}}}}"#, #"{"log":{"sent":{"aps":{"alert":"B"}}}}"#, true),
        ("Started\n", "10:00:00 INFO sent {\"aps\":{\"alert\":\"One\"}}\n", false),
    ])
    func `a resumed run reads a file as the run before it did`(_ first: String, _ more: String, _ isLog: Bool) throws {
        let folder = try Folder(["app.log": first + "\n"])
        var job = job(folder, "app.log")
        job.configuration.recognizesLogs = true
        job.store = .sqlite(folder["s.db"])
        _ = try job.run(to: CollectedStreams())
        try folder.write(first + "\n" + more, to: "app.log")
        job.resumes = true
        let streams = CollectedStreams()
        _ = try job.run(to: streams)
        #expect(streams.text.contains("delivered") == isLog, "\(streams.text)")
        #expect(streams.text.contains("malformed") != isLog, "\(streams.text)")
        #expect(streams.notes.contains("looks like a log") == isLog, "\(streams.notes)")
    }

    /// A store knows when a message expires, and not when a throttled one is due.
    @Test(arguments: [
        (1, #"{"device":"ab54","payload":{"aps":{"content-available":1}}}"#),
        (20, #"{"message":{"token":"dAnna","data":{"a":"1"},"android":{"collapse_key":"k"}}}"#),
    ])
    func `a resumed run delivers a throttled message in time`(_ limit: Int, _ push: String) throws {
        let records = String(repeating: push + "\n", count: limit + 1)
        let folder = try Folder(["in": records])
        var job = job(folder, "in")
        job.configuration.clock = .fixed(milliseconds: 0)
        job.configuration.devicePolicy.backgroundPushesPerHour = limit
        job.configuration.devicePolicy.delaysCollapsibleBursts = true
        job.store = .sqlite(folder["s.db"])
        let first = CollectedStreams()
        _ = try job.run(to: first)
        #expect(first.text.contains(#""reason":"throttled""#), "\(first.text)")
        try folder.write(records + #"{"event":"clock","advance":"1h"}"# + "\n", to: "in")
        job.resumes = true
        let second = CollectedStreams()
        _ = try job.run(to: second)
        #expect(second.text.contains(#""original":\#(limit + 1)"#), "\(second.text)")
    }

    @Test(arguments: [
        ("words\nmore\n", "valid JSON"), ("{\"a\":1}\n", "JSON of a known format"),
        ("words\n{\"a\":1}\n", "payloads"),
    ])
    func `a run with nothing but malformed records is not a success`(_ text: String, _ lack: String) throws {
        let folder = try Folder(["a": text, "b": Self.hello])
        var job = job(folder, "a")
        let streams = CollectedStreams()
        #expect(try job.run(to: streams) == RunJob.Outcome(isEmpty: true))
        #expect(streams.notes.contains("pushpipe: every record is malformed: \(folder["a"]) has no \(lack)\n"))
        job.allowsEmpty = true
        #expect(try job.run(to: CollectedStreams()) == RunJob.Outcome())
        job.allowsEmpty = false
        job.failOn = [.malformed]
        #expect(try job.run(to: CollectedStreams()) == RunJob.Outcome(hasFailed: true))
        job.failOn = []
        job.inputs.append(folder["b"])
        #expect(try job.run(to: CollectedStreams()) == RunJob.Outcome())
    }

    @Test func `a run fails when what it should fail on occurs`() throws {
        let folder = try Folder(["a": "{\n"])
        var job = job(folder, "a", output: .none)
        #expect(try !job.run(to: CollectedStreams()).hasFailed)
        job.failOn = [.rejected]
        #expect(try job.run(to: CollectedStreams()).hasFailed)
    }

    @Test func `a run that is stopped says where, and a run with a store how to go on`() throws {
        let folder = try Folder(["a": Self.hello])
        var job = job(folder, "a")
        job.store = .sqlite(folder["s.db"])
        job.configuration.decoding.advice = { "; [\($0)]" }
        let streams = CollectedStreams()
        // Asked before the file, before each of two reads, and at its end.
        streams.questionsUntilStop = 4
        let outcome = try job.run(to: streams)
        #expect(outcome.isStopped)
        #expect(streams.notes.contains("stopped by SIGTEST after record 1 of this run, at byte 26 of "))
        #expect(streams.notes.contains("; [resume]\n"))
        #expect(streams.text.contains(#""seq":1"#))
    }

    @Test func `a run that begins an interrupted input again says so`() throws {
        let folder = try Folder(["a": Self.hello])
        var job = job(folder, "a")
        job.store = .sqlite(folder["s.db"])
        _ = try job.run(to: CollectedStreams())
        let words = "\(folder["a"]): an earlier run read less of a file of this name; this run begins again"
        // It had come to the end.
        let again = CollectedStreams()
        _ = try job.run(to: again)
        #expect(!again.notes.contains(words))
        try folder.write(Self.hello + Self.hello, to: "a")
        let repeated = CollectedStreams()
        _ = try job.run(to: repeated)
        #expect(repeated.notes.contains(words), "\(repeated.notes)")
    }

    @Test func `a run that resumes what the store does not know says so`() throws {
        let folder = try Folder(["a": Self.hello])
        var job = job(folder, "a")
        job.store = .sqlite(folder["s.db"])
        job.resumes = true
        let words = "\(folder["a"]): the store has nothing of it; this run begins with its first record\n"
        for isKnown in [false, true] {
            let streams = CollectedStreams()
            _ = try job.run(to: streams)
            #expect(streams.notes.contains(words) != isKnown, "\(streams.notes)")
        }
    }

    @Test func `an error of the output ends a run with a store with advice, unless the reader is gone`() throws {
        let folder = try Folder(["a": Self.hello])
        var job = job(folder, "a")
        job.store = .sqlite(folder["s.db"])
        job.configuration.decoding.advice = { "; [\($0)]" }
        let streams = CollectedStreams()
        streams.output.error = PlainError.unwritable("standard output", .badDescriptor)
        let error = #expect(throws: PlainError.self) { try job.run(to: streams) }
        #expect(
            error?.description.hasSuffix("(what was reported is in the store; [resume])") == true)
        streams.output.error = PlainError.unwritable("standard output", .brokenPipe)
        #expect(throws: PlainError.self) { try job.run(to: streams) }
    }

    @Test func `a file next to an input says what to ignore in it`() throws {
        let misspelled = #"{"aps":{"alert":"a","mutable_content":1}}"# + "\n"
        let folder = try Folder([
            "a.ndjson": misspelled + misspelled, "b.ndjson": misspelled,
            "a.ndjson.pushpipe.yml": "ignore:\n  - aps.misspelled-key\n",
        ])
        var job = job(folder, "a.ndjson", "b.ndjson")
        job.appliesRules = true
        let streams = CollectedStreams()
        _ = try job.run(to: streams)
        let lines = streams.text.split(separator: "\n")
        #expect(lines.map { $0.contains("aps.misspelled-key") } == [false, false, true])
    }
}
