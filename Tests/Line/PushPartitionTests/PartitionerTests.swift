import PushDecoding
import PushModel
import PushPartition
import PushPipeline
import PushWorkload
import RecordFraming
import TestSupport
import Testing

/// Which part each record is for, and what it is there.
struct PartitionerTests {
    private static func traffic(_ count: Int, seed: UInt64) throws -> [UInt8] {
        let configuration = try WorkloadConfiguration(
            count: count, seed: seed, devices: 40, malformedRate: WorkloadRate(parsing: "0.02"),
            eventRate: WorkloadRate(parsing: "0.2"))
        var generator = WorkloadGenerator(configuration)
        var bytes: [UInt8] = []
        while generator.appendRecord(to: &bytes) {}
        return bytes
    }

    @Test(arguments: Effort.some([7, 4096, 1, 2, 64], fast: 1))
    func everyRecordIsInThePartOfItsDevice(parts: Int) throws {
        let input = try Self.traffic(600, seed: 21)
        let divided = try DividedInput(input, parts: parts)
        let originals = input.split(separator: UInt8(ascii: "\n")).map(Array.init)
        #expect(divided.summary.records == UInt64(originals.count))
        var seen: [UInt64: Int] = [:]
        for record in divided.records where !record.place.isCopy {
            let original = originals[Int(record.place.seq) - 1]
            seen[record.place.seq, default: 0] += 1
            #expect(record.bytes == original || record.place.target != nil)
            let devices = try lines(of: record.bytes ?? []).compactMap { line in
                line.firstMatch(of: /"device":"([^"]*)"/).map { String($0.1) }
            }
            let device = record.place.target.flatMap { devices.count > 1 ? devices[$0] : nil } ?? devices.first
            let isClock = String(decoding: original, as: UTF8.self).contains(#""event":"clock""#)
            let expected =
                device.map { Int(hash($0) % UInt64(parts)) } ?? (isClock ? 0 : Int(record.place.seq % UInt64(parts)))
            #expect(expected == record.part)
        }
        #expect(seen.count == originals.count)
    }

    @Test func theOrderInAPartIsThatOfTheInput() throws {
        let divided = try DividedInput(try Self.traffic(500, seed: 3), parts: 5)
        for lines in divided.output.parts.values {
            let places = lines.map { ($0.seq, $0.position) }
            #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
            #expect(lines.first?.seq == 0)
            #expect(lines.last?.seq == 501)
        }
    }

    @Test(arguments: [2, 5])
    func neitherPiecesNorCoresChangeAnything(jobs: Int) throws {
        let input = try Self.traffic(2000, seed: 8)
        let one = try DividedInput(input, parts: 7)
        let other = try DividedInput(input, parts: 7, jobs: jobs, pieces: 7001)
        for part in 0..<7 { #expect(one.output.text(part) == other.output.text(part)) }
    }

    @Test func firstAndLastLineSayWhichPartItIs() throws {
        let divided = try DividedInput("", parts: 2)
        #expect(
            divided.output.text(0)
                == "\"pushpipe-part 1 0 of 2 eff6d0ac31ae8193\"\n{\"place\":{\"seq\":0,\"end\":true}}\n")
        #expect(
            divided.output.text(1)
                == "\"pushpipe-part 1 1 of 2 a816bec194b679d8\"\n{\"place\":{\"seq\":0,\"end\":true}}\n")
    }

    @Test func theCaseOfATokenMeansNothing() throws {
        let input = """
            {"device":"AB54","payload":{"aps":{"alert":"a"}}}
            {"event":"device","device":"ab54","online":false}
            {"event":"device","device":"AB54","platform":"android"}
            {"to":"AB54","data":{"a":"b"}}
            """
        let divided = try DividedInput(input, parts: 4096)
        #expect(Set(divided.records.map(\.part)) == [Int(hash("ab54") % 4096)])
    }

    @Test func aRequestIsDividedByItsTargets() throws {
        let input = #"{"registration_ids":["one","two","three"],"notification":{"title":"t"}}"#
        let divided = try DividedInput(input, parts: 64)
        let records = divided.records.sorted { ($0.place.target ?? 0) < ($1.place.target ?? 0) }
        #expect(records.map(\.part) == ["one", "two", "three"].map { Int(hash($0) % 64) })
        #expect(records.map(\.place.target) == [0, 1, 2])
        #expect(
            records.map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
                == [input]
                + ["two", "three"].map { #"{"registration_ids":["\#($0)"],"notification":{"title":"t"}}"# })
        #expect(divided.summary.targets == 3)
    }

    @Test func aRequestToOnePartStaysWhole() throws {
        let input = #"{"registration_ids":["one","two","three"],"notification":{"title":"t"}}"#
        let divided = try DividedInput(input, parts: 1)
        #expect(divided.records.map(\.bytes) == [Array(input.utf8)])
        #expect(divided.records.map(\.place.target) == [nil])
    }

    /// Requests with several targets, as each of them is reported in a run of the whole.
    static let requests = [
        #"{"registration_ids":["one","two","three"],"data":{"a":"b"}}"#,
        #"{"registration_ids":["one","","three"],"data":{"a":"b"}}"#,
        #"{"registration_ids":["",7,"three",null,"f ve"],"data":{"a":"b"}}"#,
        #"{"data":{"a":"b","a":"c"},"registration_ids":["one","two"]}"#,
        #"{"registration_ids":["x"],"registration_ids":["one","two"],"data":{"a":"\ud800"}}"#,
        #"{"registration_ids":["one","t\ud800","two"],"registration_ids":null,"dry_run":true}"#,
        #"{"registration\u005fids":["one","two"],"data":{"a":"b"}}"#,
        #"{ "registration_ids" : [ "one" , "two" ] , "notification" : { "title" : "t" } }"#,
        #"{"provider":"gcm","payload":{"registration_ids":["one","two",""],"data":{"a":"b"}}}"#,
        #"{"provider":"gcm","payload":"{\"registration_ids\":[\"one\",\"two\",\"\"],\"data\":{}}"}"#,
        #"{"deviceTokens":["ab","CD","xyz",4],"messageType":"checkEchoV1","topic":"org.example.app"}"#,
        #"{"deviceTokens":["one","two"],"messageType":"checkEchoV1"}"#,
        #"{"TargetArn":"arn","APNS":"{\"aps\":{\"alert\":\"a\"}}","GCM":"{\"registration_ids\":[\"one\",\"two\"],\"data\":{}}"}"#,
        #"{"registration_ids":["one","two"],"time_to_live":-1,"data":{}}"#,
    ]

    @Test(arguments: requests, [nil, Platform.ios])
    func targetsAreReportedAsInTheWhole(request: String, platform: Platform?) throws {
        let change = { (configuration: inout PipelineConfiguration) in configuration.decoding.platform = platform }
        let whole = try lines(of: Array(request.utf8), change)
        let divided = try DividedInput(request, parts: 4096, change)
        var found: [Int: String] = [:]
        for record in divided.records {
            let alone = try lines(of: record.bytes ?? [], target: record.place.target, change)
            if let target = record.place.target {
                found[target] = alone[min(target, alone.count - 1)]
            } else {
                for (target, line) in alone.enumerated() { found[target] = line }
            }
        }
        #expect(whole.count > 1)
        #expect(whole.indices.map { found[$0] ?? "" } == whole)
    }

    @Test func requestsThatAreRefusedStayWhole() throws {
        let ids = (0...1000).map { "\"id\($0)\"" }.joined(separator: ",")
        let input = """
            {"registration_ids":[\(ids)],"data":{"a":"b"}}
            {"registration_ids":["one","two"],"time_to_live":-1}
            {"registration_ids":["","",""],"data":{}}
            """
        let divided = try DividedInput(input, parts: 64)
        #expect(divided.records.count == 3)
        #expect(divided.records.allSatisfy { $0.place.target == nil })
        #expect(divided.records.first { $0.place.seq == 1 }?.part == Int(hash("id0") % 64))
    }

    @Test func whatIsMalformedGoesByItsNumber() throws {
        let input: [UInt8] = Array("{\"aps\":\n{}\n{\"a\":\"".utf8) + [0xFF, 0xFE] + Array("\"}\n[1]\n".utf8)
        let divided = try DividedInput(input, parts: 3, framing: .ndjson)
        let records = divided.records.sorted { $0.place.seq < $1.place.seq }
        #expect(records.map(\.part) == [1, 2, 0, 1])
        #expect(records[2].bytes == Array("{\"a\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8))
        #expect(divided.output.text(1).contains("\"base64\":\"eyJhcHMiOg==\""))
        #expect(divided.output.text(1).contains("\"record\":[1]"))
    }

    @Test func aRecordOnSeveralLinesSurvives() throws {
        let text = "{\n  \"device\": \"ab\",\n  \"payload\": {\"aps\": {\"alert\": \"é\"}}\n}"
        let divided = try DividedInput(text + "\n" + text, parts: 2)
        #expect(divided.records.map(\.bytes) == [Array(text.utf8), Array(text.utf8)])
        #expect(divided.records.map(\.place.source) == ["input.ndjson 1 1:1 0", "input.ndjson 2 5:1 60"])
    }

    @Test func relaxedJSONSurvives() throws {
        let text = "{'device':'ab',payload:{aps:{alert:'a',},},}"
        let divided = try DividedInput(text, parts: 4) { $0.decoding.acceptsRelaxedJSON = true }
        #expect(divided.records.map(\.bytes) == [Array(text.utf8)])
        #expect(divided.records.map(\.part) == [Int(hash("ab") % 4)])
    }

    @Test func aRecordOverTheLimitHasNoBytes() throws {
        let divided = try DividedInput(
            String(repeating: "x", count: 300) + "\n{\"aps\":{}}\n", parts: 2
        ) { ($0.maximumRecordBytes, $0.framing) = (100, .ndjson) }
        let record = try #require(divided.records.first { $0.place.seq == 1 })
        #expect(record.place.isTooLong)
        #expect(record.bytes == nil)
        #expect(divided.output.text(1).contains(#""too_long":{"offset":100,"line":1,"column":101}"#))
    }

    @Test func aPayloadInALogLineIsTheRecord() throws {
        let input = """
            2026-11-03 {"log":{"push":{"device":"ab","payload":{"aps":{"alert":"a"}}}}}
            2026-11-03 {"log":{}}
            2026-11-03 {"log":{"push":"{\\"device\\":\\"cd\\",\\"payload\\":{\\"aps\\":{}}}"}}
            """
        let divided = try DividedInput(input, parts: 64) {
            $0.decoding.location = RecordLocation(pointer: "/log/push", skipsPrefix: true)
            $0.framing = .ndjson
        }
        let records = divided.records.sorted { $0.place.seq < $1.place.seq }
        #expect(records.map(\.place.seq) == [1, 3])
        #expect(records.map(\.part) == [Int(hash("ab") % 64), Int(hash("cd") % 64)])
        #expect(records.last?.bytes == Array(#"{"device":"cd","payload":{"aps":{}}}"#.utf8))
        #expect(divided.summary.emptyRecords == 1)
    }

    @Test func aPartIsRecognized() throws {
        let divided = try DividedInput("{\"place\":{\"seq\":1},\"record\":{\"aps\":{}}}\n", parts: 2)
        #expect(divided.summary.placedBefore == 1)
    }
}

/// Inputs that are meant to cost much.
struct HostilePartitionTests {
    @Test func aRecordAtTheLimit() throws {
        let text = #"{"device":"ab","payload":{"aps":{"alert":"\#(String(repeating: "a", count: 1 << 20))"}}}"#
        let record = Array(text.utf8.prefix((1 << 20) - 5)) + Array("\"}}}".utf8)
        let divided = try DividedInput(record + [0x0A] + Array(text.utf8), parts: 7, framing: .ndjson)
        #expect(divided.records.first { $0.place.seq == 1 }?.bytes == record)
        #expect(divided.records.first { $0.place.seq == 2 }?.place.isTooLong == true)
    }

    /// One target in ten is malformed: the copies are as long as what they say, and not a thousand times the request.
    @Test func aThousandTargets() throws {
        let ids = (0..<1000).map { $0.isMultiple(of: 10) ? "\"\"" : "\"\(String(repeating: "x", count: 150))\($0)\"" }
        let request = Array(#"{"registration_ids":[\#(ids.joined(separator: ","))],"data":{"a":"b"}}"#.utf8)
        let divided = try DividedInput(request, parts: 4096)
        #expect(divided.records.count == 1000)
        #expect(divided.records.reduce(0) { $0 + ($1.bytes?.count ?? 0) } < 4 * request.count)
    }

    @Test func manyTokensWithoutALimit() throws {
        let tokens = (0..<5000).map { $0.isMultiple(of: 2) ? "7" : "\"\($0)a\"" }.joined(separator: ",")
        let request = #"{"deviceTokens":[\#(tokens)],"messageType":"checkEchoV1"}"#
        let divided = try DividedInput(request, parts: 64)
        #expect(divided.records.count == 5000)
        #expect(divided.records.reduce(0) { $0 + ($1.bytes?.count ?? 0) } < 2_000_000)
    }

    @Test func manyRequestsWithFindings() throws {
        let request = #"{"registration_ids":["a","b",""],"data":{}}"# + "\n"
        let divided = try DividedInput(String(repeating: request, count: 5000), parts: 64)
        #expect(divided.records.count == 15_000)
    }

    @Test(arguments: ["", "\n\n \n", "\u{FEFF}", "{", "\"", "\0", "[[[[", "{}\n{}"]) func oddInputs(input: String)
        throws
    {
        for parts in [1, 4096] {
            let divided = try DividedInput(input, parts: parts)
            #expect(divided.output.parts.count == parts)
            #expect(UInt64(divided.records.count) == divided.summary.records)
        }
    }

    @Test func aTopicWithManySubscribers() throws {
        let events = (0..<3000).map { #"{"event":"device","device":"d\#($0)","app":"a","topics":["n"]}"# + "\n" }
        let divided = try DividedInput(events.joined() + #"{"to":"/topics/n","data":{}}"#, parts: 64)
        #expect(divided.summary.recipients == 3000)
        let copies = divided.records.filter { $0.place.recipient != nil }
        #expect(Set(copies.map(\.place.target)).count == 3000)
    }
}
