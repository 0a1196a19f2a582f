import Foundation
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushRedaction
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// Stores of parts: rows have the places of their records as ids, so that those of all parts can be put in order.
struct PartStoreTests {
    private let folder: TestFolder
    private let configuration: PipelineConfiguration

    init() throws {
        folder = try TestFolder(name: "pushpipe-parts")
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        configuration.devicePolicy.backgroundPushesPerHour = 1
        configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle()
        self.configuration = configuration
    }

    /// A row: its id, what orders rows of several parts that time has brought about, and its text.
    private struct Row {
        var id: Int64
        var tie: String
        var text: String

        /// The record, and 0 for what time has brought about.
        var batch: Int64 { id >> 28 }
    }

    /// What the tables are ordered by, and what they say.
    private static let queries: [(name: String, sql: String)] = [
        (
            "event",
            """
            SELECT e.id, printf('%015d %012d %s %s', e.at, e.seq, c.device, c.app),
                printf('%d %d %s %s %s %s', e.seq, e.at, c.device, c.app, e.kind, e.identifier)
            FROM event e JOIN center c ON c.id = e.center ORDER BY e.id
            """
        ),
        (
            "notification",
            """
            SELECT n.id, printf('%012d %s %s', n.seq, c.device, c.app),
                printf('%d %s %s %s %s', n.seq, n.target, c.device, c.app, n.body)
            FROM notification n JOIN center c ON c.id = n.center ORDER BY n.id
            """
        ),
        ("center", "SELECT id, device || ' ' || app, printf('%s %s %s', device, app, badge) FROM center ORDER BY id"),
        ("device", "SELECT id, device, device || online || platform FROM device ORDER BY id"),
        (
            "installation",
            """
            SELECT i.id, d.device || ' ' || i.app, printf('%s %s %s %s %s', d.device, i.app, i.state, i.token_standing, i.details)
            FROM installation i JOIN device d ON d.id = i.device ORDER BY i.id
            """
        ),
        ("held", "SELECT id, device || app, printf('%d %d %s %s', seq, target, device, app) FROM held ORDER BY id"),
    ]

    private func rows(_ name: String, _ sql: String) throws -> [Row] {
        let query = sql.replacingOccurrences(of: "\n", with: " ")
        let output = try #require(
            popen("sqlite3 -batch -bail -separator '\t' '\(folder.path(name))' \"\(query)\" 2>&1", "r"))
        var bytes: [UInt8] = []
        while case let byte = getc(output), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        #expect(pclose(output) == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let id = Int64(parts[0]) else { return nil }
            return Row(id: id, tie: parts[1], text: parts[2])
        }
    }

    @Test(arguments: Effort.some([1, 2] as [UInt64], fast: 1))
    func `the rows of all parts are those of the whole input`(seed: UInt64) throws {
        let records = try divisibleRecords(400, seed: seed)
        _ = try partLines(records.joined(separator: "\n"), configuration, SQLiteStore(path: folder.path("whole.db")))
        for count in [1, 5] {
            let texts = TestPartitioner(parts: count, configuration: configuration).divide(records)
            for (part, text) in texts.enumerated() {
                let store = try SQLiteStore(path: folder.path("\(count)-\(part).db"))
                _ = try partLines(text, configuration, store)
                #expect(try store.part() == PartMark(part: part, of: count, isComplete: true))
                try store.transaction(replacing: nil) {
                    let last = $0.progress.lastSequence
                    #expect(last == UInt64(records.count))
                }
            }
            for (name, sql) in Self.queries {
                let expected = try rows("whole.db", sql).map(\.text)
                let parts = try (0..<count).map { try rows("\(count)-\($0).db", sql) }
                #expect(!expected.isEmpty, "\(name)")
                #expect(difference(merged(parts), expected) == nil, "\(name), \(count) parts, seed \(seed)")
            }
        }
    }

    /// Rows by their ids; those that time has brought about at one record by content.
    private func merged(_ parts: [[Row]]) -> [String] {
        var rest = parts
        var texts: [String] = []
        while true {
            rest.removeAll(where: \.isEmpty)
            let best = rest.indices.min { left, right in
                let (first, second) = (rest[left][0], rest[right][0])
                if first.batch != second.batch { return first.batch < second.batch }
                return first.batch & 1 == 0 ? first.tie < second.tie : first.id < second.id
            }
            guard let best else { return texts }
            texts.append(rest[best].removeFirst().text)
        }
    }

    /// The first element that differs; nil when there is none.
    private func difference(_ found: [String], _ expected: [String]) -> String? {
        if let (one, other) = zip(found, expected).first(where: { $0 != $1 }) { return "\(one) instead of \(other)" }
        return found.count == expected.count ? nil : "\(found.count) instead of \(expected.count)"
    }

    // MARK: - Refusals

    private static let header = partHeader(1, of: 3)
    private static let record = #"{"place":{"seq":2},"record":{"device":"ab","payload":{"aps":{"alert":"Hi"}}}}"#

    private func refusal(
        _ input: String, _ store: any DeliveryStore, _ change: (inout PipelineConfiguration) -> Void = { _ in }
    ) -> String? {
        var configuration = configuration
        change(&configuration)
        do {
            _ = try partLines(input, configuration, store)
            return nil
        } catch { return (error as? PlainError)?.description }
    }

    @Test func `a store holds one part, or a whole input`() throws {
        let part = try SQLiteStore(path: folder.path("part.db"))
        #expect(refusal(Self.header + "\n" + Self.record, part) == nil)
        #expect(refusal(push(), part)?.contains("the store holds part 1 of 3 of a divided input") == true)
        let other = partHeader(2, of: 3)
        #expect(
            refusal(other + "\n" + Self.record, part)?.contains("holds part 1 of 3, and this is part 2 of 3") == true)
        #expect(refusal(Self.record, part)?.contains("use another store") == true)
        let placed = refusal(Self.record, part) { $0.expectsPlaces = true }
        #expect(placed?.contains("does not say which part it is") == true)
        let whole = try SQLiteStore(path: folder.path("whole.db"))
        #expect(refusal(push(), whole) == nil)
        #expect(refusal(Self.header + "\n" + Self.record, whole)?.contains("the store holds a whole input") == true)
    }

    @Test func `what cannot be one part is refused`() throws {
        let (header, record) = (Self.header, Self.record)
        let other = partHeader(2, of: 3)
        #expect(refusal(header + "\n" + other, MemoryStore())?.contains("part 2 of 3 after part 1 of 3") == true)
        let earlier = record.replacingOccurrences(of: #""seq":2"#, with: #""seq":1"#)
        #expect(
            refusal([header, record, earlier].joined(separator: "\n"), MemoryStore())?.contains(
                "record 1 comes after record 2") == true)
        let limited = refusal(header + "\n" + record, MemoryStore()) { $0.devicePolicy.pushesPerMinuteOfSender = 3 }
        #expect(limited?.contains("a limit of an app's pushes per minute counts over all devices") == true)
    }

    @Test(arguments: [("of 3", "of 4"), (" 1 of", " 2 of"), ("part 1 ", "part 9 ")])
    func `a part with a damaged first line is refused`(old: String, new: String) {
        let header = Self.header.replacingOccurrences(of: old, with: new)
        #expect(header != Self.header)
        let refusal = refusal(header + "\n" + Self.record, MemoryStore())
        #expect(refusal?.contains("this first line of a part is damaged, or of a newer version") == true)
    }

    @Test func `a record that comes again, or after the last line, is refused`() throws {
        let (header, record) = (Self.header, Self.record)
        let again = refusal([header, record, record].joined(separator: "\n"), MemoryStore())
        #expect(again?.contains("record 2 comes again") == true)
        let late = refusal([header, #"{"place":{"seq":2,"end":true}}"#, record].joined(separator: "\n"), MemoryStore())
        #expect(late?.contains("after the part's last line") == true)
    }

    @Test func `a whole input after a part is refused`() throws {
        let pipeline = Pipeline(configuration, deliveringTo: MemoryStore())
        try pipeline.process(Self.header + "\n" + Self.record) { _ in }
        #expect(throws: PlainError.self) { try pipeline.process(push()) { _ in } }
    }

    @Test func `what is known of a device does not concern the broadcasts that are filed under it`() throws {
        func record(_ device: String, _ topic: String, _ members: String) -> String {
            #"{"device":"\#(device)","headers":{"apns-push-type":"liveactivity"\#(topic)},"payload":{"aps":{"content-state":{},\#(members)}}}"#
        }
        let topic = #","apns-topic":"a.push-type.liveactivity""#
        let start =
            #""event":"start","attributes-type":"M","attributes":{},"alert":{"title":"K","body":"N"},"input-push-channel":"b3RoZXI=""#
        let broadcast = record("ab", #","apns-channel-id":"b3RoZXI=","apns-expiration":"0""#, #""event":"update""#)
        for state in [#""online":false"#, #""unregistered":true"#, #""logged_in":false"#] {
            var configuration = configuration
            configuration.devicePolicy.pushesPerMinute = 1
            let event = #"{"event":"device","device":"ab","app":"a",\#(state)}"#
            let lines = try partLines(
                [event, record("cd", topic, start), broadcast, broadcast].joined(separator: "\n"), configuration,
                MemoryStore()
            ).lines
            #expect(lines.suffix(2).allSatisfy { $0.text.contains(#""outcome":"updated""#) }, "\(lines.map(\.text))")
        }
    }

    /// Each target has its line in the part of its device, and the record is counted in that of the first.
    @Test func `a request for devices of several parts is delivered to those of the part, also when they are redacted`()
        throws
    {
        let ids = (0..<30).map { "\"id\($0)\"" } + ["\"\"", "7"]
        let request = #"{"registration_ids":[\#(ids.joined(separator: ","))],"data":{"a":"b"}}"#
        let stages: [[any RecordStage]] = [
            [], [RedactionStage(Redaction(.tokens, key: Array("0123456789abcdef".utf8)))],
        ]
        for stages in stages {
            var configuration = configuration
            configuration.recordStages = stages
            let whole = try partLines(request, configuration, MemoryStore()).lines.map(\.text)
            #expect(whole.count == 32)
            let parts = try TestPartitioner(parts: 3, configuration: configuration).divide([request]).map {
                try partLines($0, configuration, MemoryStore())
            }
            #expect(parts.allSatisfy { $0.lines.count > 1 })
            #expect(parts.flatMap { $0.lines.map(\.text) }.sorted() == whole.sorted())
            #expect(parts.map(\.summary.records).reduce(0, +) == 1)
            #expect(parts.map(\.summary.messages).reduce(0, +) == 32)
        }
    }

    @Test func `an event of the clock has its line in part 0, and its effects in all`() throws {
        let expiring = push(to: "ab", app: "n", headers: #""apns-expiration":"1700000060""#)
        for part in 0..<2 {
            let lines = [
                partHeader(part, of: 2),
                #"{"place":{"seq":1},"record":{"event":"device","device":"ab","app":"n","online":false}}"#,
                #"{"place":{"seq":2},"record":\#(expiring)}"#,
                #"{"place":{"seq":3},"record":{"event":"clock","advance":"1h"}}"#,
            ]
            let run = try partLines(lines.joined(separator: "\n"), configuration, MemoryStore())
            #expect(run.lines.map(\.seq) == (part == 0 ? [1, 2, 3, 3] : [1, 2, 3]))
            #expect(run.lines.last?.text.contains(#""outcome":"expired""#) == true)
            #expect(run.summary.records == (part == 0 ? 3 : 2))
        }
    }

    @Test func `a record without a place is malformed among others with one, and the other way round`() throws {
        let mixed = try partLines(
            [Self.header, Self.record, push()].joined(separator: "\n"), configuration, MemoryStore())
        #expect(mixed.lines.map(\.seq) == [2, 2])
        #expect(mixed.lines[1].text.contains("record.place"))
        let late = try partLines([push(), Self.record].joined(separator: "\n"), configuration, MemoryStore())
        #expect(late.lines[1].text.contains("record.place"))
    }

    // MARK: - Continuing

    @Test func `a part that was interrupted continues as if it had not been`() throws {
        let records = try divisibleRecords(200, seed: 5)
        let text = TestPartitioner(parts: 2, configuration: configuration).divide(records)[1]
        let part = text.split(separator: "\n").map { $0 + "\n" }.joined()
        try folder.write(part, to: "part.ndjson")
        func run(_ name: String, resumes: Bool) throws -> String {
            let store = try SQLiteStore(
                path: folder.path(name), access: .readWrite, sizes: .smallest(maximumLoaded: 1000))
            var configuration = configuration
            configuration.resumes = resumes
            let input = try InputFile(folder.path("part.ndjson"), store: store, resumes: resumes)
            let pipeline = Pipeline(configuration, store: store)
            var report = ""
            let append = { (text: UnsafeRawBufferPointer) in report += String(decoding: text, as: UTF8.self) }
            try pipeline.process(
                fileDescriptor: input.descriptor.rawValue, source: InputSource("part.ndjson", from: input.start),
                progress: input.progress, isStopped: { false }, text: append)
            return report
        }
        let undisturbed = try run("a.db", resumes: false)
        // The input is cut in the middle first.
        let half = part.prefix(part.count / 2)
        try folder.write(String(half[..<half.lastIndex(of: "\n")!]) + "\n", to: "part.ndjson")
        var report = try run("b.db", resumes: false)
        try folder.write(part, to: "part.ndjson")
        report += try run("b.db", resumes: true)
        let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
        #expect(difference(lines(report), lines(undisturbed)) == nil)
        for (name, sql) in Self.queries {
            #expect(try rows("a.db", sql).map(\.text) == rows("b.db", sql).map(\.text), "\(name)")
            #expect(try rows("a.db", sql).map(\.batch) == rows("b.db", sql).map(\.batch), "\(name)")
        }
    }

    @Test func `records that the store has are skipped by their offsets`() throws {
        func record(_ offset: String, _ body: String) -> String {
            #"{"place":{"stream":"pushes/3","offset":\#(offset)},"record":{"device":"ab","payload":{"aps":{"alert":"\#(body)"}}}}"#
        }
        let store = try SQLiteStore(path: folder.path("stream.db"))
        var configuration = configuration
        configuration.resumes = true
        let first = try partLines([record("16", "a"), record("17", "b")].joined(separator: "\n"), configuration, store)
        #expect(first.lines.map(\.seq) == [1, 2])
        #expect(try store.streamOffsets() == [StreamOffset(stream: "pushes/3", offset: "17")])
        let again = [record("16", "a"), record("17", "b"), record("18", "c"), record(#""18-5""#, "d")]
        let second = try partLines(again.joined(separator: "\n"), configuration, store)
        #expect(second.lines.map(\.seq) == [3, 4])
        #expect(second.summary.skippedRecords == 2)
        #expect(second.summary.records == 2)
        #expect(try store.notifications().map(\.content.body) == ["a", "b", "c", "d"])
        #expect(try store.streamOffsets().map(\.offset) == ["18-5"])
        #expect(refusal(push(), MemoryStore()) { $0.resumes = true }?.contains("cannot be resumed") == true)
    }

    @Test func `a stream that was cut within a line continues with its numbers and its clock`() throws {
        func line(_ seq: Int, _ rest: String) -> String {
            #"{"place":{"stream":"p/0","offset":\#(seq),"seq":\#(seq)\#(rest)}"# + "\n"
        }
        func push(_ seq: Int) -> String {
            line(seq, #"},"record":{"device":"d\#(seq)","payload":{"aps":{"alert":"a"}}}"#)
        }
        let clock = line(2, #"},"record":{"event":"clock","advance":"1h"}"#)
        let lines = [partHeader(0, of: 1) + "\n", push(1), clock, push(3), push(4)]
        let whole = lines.joined() + #"{"place":{"seq":4,"end":true}}"# + "\n"
        func run(_ text: String, _ store: SQLiteStore) throws -> String {
            try folder.write(text, to: "stream.ndjson")
            let input = try InputFile(folder.path("stream.ndjson"))
            var configuration = configuration
            configuration.resumes = true
            var report = ""
            let progress = try store.progress(of: InputProgress.streams) ?? InputProgress(path: InputProgress.streams)
            let append = { (text: UnsafeRawBufferPointer) in report += String(decoding: text, as: UTF8.self) }
            try Pipeline(configuration, store: store).process(
                fileDescriptor: input.descriptor.rawValue, source: InputSource("-"), progress: progress,
                isStopped: { false }, text: append)
            return report
        }
        let undisturbed = try SQLiteStore(path: folder.path("a.db"))
        let expected = try run(whole, undisturbed)
        #expect(expected.split(separator: "\n").count == 4)
        // Killed within the fourth line; the first line does not come again.
        for cut in [1, 40, lines[3].utf8.count - 2] {
            let store = try SQLiteStore(path: folder.path("cut-\(cut).db"))
            let first = try run(lines[..<3].joined() + lines[3].prefix(cut), store)
            #expect(try store.streamOffsets().map(\.offset) == ["2"])
            let second = try run(lines[2...].joined() + #"{"place":{"seq":4,"end":true}}"# + "\n", store)
            #expect(first + second == expected)
            #expect(try store.part()?.isComplete == true)
            #expect(try store.notifications().map(\.deliveredAt) == undisturbed.notifications().map(\.deliveredAt))
        }
    }

    @Test func `another program may have added a member after the record`() throws {
        let added = Self.record.dropLast() + #","partition":3}"#
        let lines = try partLines(Self.header + "\n" + added, configuration, MemoryStore()).lines
        #expect(lines.map { $0.text.contains(#""outcome":"delivered""#) } == [true])
    }

    @Test func `an app may have a place of its own`() throws {
        let records = [
            #"{"place":"Paris","aps":{"alert":"a"}}"#, #"{"place":{"name":"Rome"},"aps":{"alert":"b"}}"#,
            #"{"place":{"seq":7,"stream":"s","offset":1},"aps":{"alert":"c"}}"#,
            #"{"place":{"seq":3},"record":{"a":1},"aps":{"alert":"d"}}"#,
            #"{"place":{"seq":0,"part":1,"parts":3},"aps":{"alert":"e"}}"#,
        ]
        for first in records {
            let lines = try partLines(([first] + records).joined(separator: "\n"), configuration, MemoryStore()).lines
            #expect(lines.count == 6)
            #expect(lines.allSatisfy { $0.text.contains(#""outcome":"delivered""#) })
        }
    }

    @Test func `a part registers its own devices from a file`() throws {
        let devices = (0..<20).map { #"{"device":"d\#($0)","online":false}"# }.joined(separator: "\n")
        var known: [String] = []
        for part in 0..<3 {
            let store = try SQLiteStore(path: folder.path("\(part).db"))
            let mark = PartMark(part: part, of: 3)
            let input = partHeader(part, of: 3)
            _ = try partLines(input, configuration, store, devices: devices, part: mark)
            try store.forEachRegisteredApp { known.append($0.device) }
        }
        #expect(known.count == 20)
        #expect(Set(known).count == 20)
    }

    @Test(arguments: [
        #"{"device":"d1","app":"a","topics":["news"]}"#, #"{"device":"d1","app":"a","expo":"ExponentPushToken[a]"}"#,
    ])
    func `a file of devices with what concerns several parts is refused for a part`(line: String) throws {
        for part in 0..<3 {
            let error = #expect(throws: DeviceFileError.self) {
                _ = try partLines(
                    partHeader(part, of: 3), configuration, MemoryStore(), devices: #"{"device":"d0"}"# + "\n" + line,
                    part: PartMark(part: part, of: 3))
            }
            #expect(error?.record == 2)
            #expect(error?.message.contains("concerns devices of several parts, and this is part \(part) of 3") == true)
        }
        _ = try partLines("", configuration, MemoryStore(), devices: line)
    }
}
