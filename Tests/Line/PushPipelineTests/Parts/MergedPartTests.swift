import AppSimulation
import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// The stores that parts of an input leave, merged, are the store of a run of the whole input.
struct MergedPartTests {
    private let folder: TestFolder
    private var configuration: PipelineConfiguration

    init() throws {
        folder = try TestFolder(name: "pushpipe-merged")
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        configuration.devicePolicy.backgroundPushesPerHour = 1
        configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle()
        self.configuration = configuration
    }

    /// The stores of all parts, and of the whole input.
    private func run(
        _ records: [String], parts: Int, devices: String? = nil
    ) throws -> (whole: SQLiteStore, parts: [String]) {
        let whole = try SQLiteStore(path: folder.path("whole.db"))
        _ = try partLines(records.joined(separator: "\n"), configuration, whole, devices: devices)
        let partitioner = TestPartitioner(parts: parts, configuration: configuration)
        let paths = try partitioner.divide(records).enumerated().map { part, text in
            let path = folder.path("part-\(part).db")
            let mark = PartMark(part: part, of: parts)
            _ = try partLines(text, configuration, SQLiteStore(path: path), devices: devices, part: mark)
            return path
        }
        return (whole, paths)
    }

    private func export(_ store: SQLiteStore) throws -> [String] {
        var out = ByteBuffer()
        try store.export(.stateAndJournal, isCSV: false, hiding: nil) { $0(&out) }
        return String(decoding: out.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The first difference says more than two exports of thousands of lines.
    private func expectSame(_ left: [String], _ right: [String]) {
        #expect(left.count == right.count)
        let difference = zip(left, right).first { $0 != $1 }
        #expect(difference == nil)
    }

    @Test(arguments: Effort.some([7, 1, 2], fast: 2), Effort.some([1, 2, 3] as [UInt64], fast: 1))
    func `a merged store has the same contents, and goes on in the same way`(parts: Int, seed: UInt64) throws {
        let records = try divisibleRecords(300, seed: seed)
        let devices = (0..<9).map { #"{"device":"file\#($0)","app":"org.example.a","online":false}"# }
        let (whole, paths) = try run(records, parts: parts, devices: devices.joined(separator: "\n"))
        try StoreMerger(paths).merge(into: folder.path("merged.db"))
        let merged = try SQLiteStore(path: folder.path("merged.db"))
        let expected = try export(whole)
        #expect(expected.count > 300)
        expectSame(try export(merged), expected)

        let more = try mixedRecords(150, seed: seed + 10).joined(separator: "\n")
        let again = try partLines(more, configuration, merged).lines
        // As another process has it, which knows nothing of the minutes and hours in which pushes were counted.
        let reopened = try SQLiteStore(path: folder.path("whole.db"))
        #expect(try again == partLines(more, configuration, reopened).lines)
        expectSame(try export(merged), try export(reopened))
    }

    /// Queued messages and removals become due at the same records, on devices of all parts.
    @Test(arguments: [RemovalTiming.delayed(.milliseconds(30)), .delayed(.seconds(90)), .lostAfterHandler(.seconds(1))])
    func `late removals are in the order of one run`(removal: RemovalTiming) throws {
        var rule = ReplacementRule(key: "story")
        rule.removal = removal
        var late = self
        late.configuration.decoding.replacement = rule
        var generator = SeededGenerator(seed: 3)
        var records = (0..<12).map {
            #"{"event":"device","device":"ab\#($0)","app":"org.example.a","online":\#($0 % 4 > 0)}"#
        }
        for number in 0..<400 {
            let device = "ab\(generator.below(12))"
            let collapse = number % 5 == 0 ? #","apns-collapse-id":"c""# : ""
            records.append(
                #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a","apns-expiration":"17000000\#(10 + number % 90)"\#(collapse)},"#
                    + #""payload":{"aps":{"alert":"x","mutable-content":1},"story":"\#(number % 3)"}}"#)
            if number % 60 == 7 { records.append(advance("10s")) }
            if number == 300 { records.append(#"{"event":"device","device":"ab4","online":true}"#) }
        }
        records += [advance("2m"), push("Text", to: "ab1")]
        let (whole, paths) = try late.run(records, parts: 3)
        try StoreMerger(paths).merge(into: folder.path("merged.db"))
        let expected = try export(whole)
        let kind = if case .lostAfterHandler = removal { "removal-lost" } else { "removed" }
        #expect(expected.contains { $0.contains(kind) })
        let merged = try SQLiteStore(path: folder.path("merged.db"))
        expectSame(try export(merged), expected)
        #expect(try merged.staleCount() == whole.staleCount())
    }

    /// Everything expires and is swept at once, on devices of all parts.
    @Test func `what time does to many devices is in the order of one run`() throws {
        var records: [String] = []
        for number in 1000..<1700 {
            let device = "ab\(number)"
            records.append(
                #"{"event":"device","device":"\#(device)","app":"org.example.a","online":false,"confirmed":false}"#)
            let expiration = #""apns-expiration":"\#(1_700_000_600 + number % 3)""#
            records.append(push("Text", to: device, app: "org.example.a", headers: expiration))
        }
        records += [advance("2h"), push("Text", to: "ab1001")]
        let (whole, paths) = try run(records, parts: 2)
        try StoreMerger(paths).merge(into: folder.path("merged.db"))
        let expected = try export(whole)
        #expect(expected.count { $0.contains(#""kind":"expired""#) } == 700)
        expectSame(try export(SQLiteStore(path: folder.path("merged.db"))), expected)
    }

    /// Messages to several devices, held ones, and background pushes that are due on devices of all parts at the same time.
    @Test func `what apps post and remove by themselves is in the order of one run`() throws {
        var apps = self
        var rules = MessageRules()
        var post = MessageRules.Post()
        post.condition.place = .pointer("/data/text")
        post.title = MessageText("/data/text")
        var apple = MessageRules.Post()
        apple.body = MessageText("{/text}")
        apple.tag = MessageText("/tag")
        var removal = MessageRules.Removal()
        removal.identifiers = MessageText("/read")
        rules.posts = [post, apple]
        rules.removals = [removal]
        apps.configuration.devicePolicy.messageRules = rules
        var records = (0..<12).flatMap { number in
            [
                #"{"event":"device","device":"p\#(number)","platform":"android","app":"org.example.a"}"#,
                #"{"event":"device","device":"ab\#(number)","platform":"ios","app":"org.example.a","online":\#(number % 3 > 0)}"#,
            ]
        }
        let aps = #""aps":{"content-available":1},"text":"y","read":"t1""#
        for number in 0..<200 {
            switch number % 5 {
            case 0: records.append(#"{"message":{"token":"p\#(number % 12)","data":{"text":"\#(number)"}}}"#)
            case 1:
                records.append(
                    #"{"registration_ids":["p\#(number % 12)","p\#(number % 7)"],"data":{"text":"\#(number)"}}"#)
            case 2: records.append(#"{"event":"post","device":"p\#(number % 12)","title":"T","tag":"t\#(number % 3)"}"#)
            default:
                records.append(
                    #"{"device":"ab\#(number % 12)","headers":{"apns-topic":"org.example.a","apns-push-type":"background","apns-priority":"5"},"#
                        + #""payload":{"aps":{"content-available":1},"text":"x","tag":"t\#(number % 5)","read":["t\#(number % 3)","t4"]}}"#
                )
            }
            if number % 20 == 7 {
                records.append(
                    #"{"message":{"token":"ab\#(number % 12)","apns":{"headers":{"apns-priority":"5"},"payload":{\#(aps)}}}}"#
                )
            }
            if number % 40 == 39 { records.append(advance("61m")) }
        }
        records += (0..<12).map { #"{"event":"device","device":"ab\#($0)","online":true}"# } + [advance("2h")]
        let (whole, paths) = try apps.run(records, parts: 3)
        try StoreMerger(paths).merge(into: folder.path("merged.db"))
        let expected = try export(whole)
        for kind in ["posted", "withdrawn"] {
            #expect(expected.contains { $0.contains(#""kind":"\#(kind)""#) }, "\(kind)")
        }
        expectSame(try export(SQLiteStore(path: folder.path("merged.db"))), expected)
    }
}
