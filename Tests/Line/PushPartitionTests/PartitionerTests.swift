import PushDecoding
import PushFraming
import PushModel
import PushPartition
import PushPipeline
import PushSystem
import PushWorkload
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
    func everyRecordIsInThePartsOfItsDevices(parts count: Int) throws {
        let input = try Self.traffic(600, seed: 21)
        let divided = try DividedInput(input, parts: count)
        let originals = input.split(separator: UInt8(ascii: "\n")).map(Array.init)
        #expect(divided.summary.records == UInt64(originals.count))
        var found: [UInt64: Set<Int>] = [:]
        for record in divided.records {
            #expect(record.bytes == originals[Int(record.place.seq) - 1])
            #expect(found[record.place.seq, default: []].insert(record.part).inserted)
        }
        for (index, original) in originals.enumerated() {
            let seq = UInt64(index + 1)
            #expect(try found[seq] == parts(of: original, seq: seq, among: count))
        }
    }

    @Test func theOrderInAPartIsThatOfTheInput() throws {
        let divided = try DividedInput(try Self.traffic(500, seed: 3), parts: 5)
        for lines in divided.output.parts.values {
            let numbers = lines.map(\.seq)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
            #expect(lines.first?.seq == 0)
            #expect(lines.last?.seq == divided.summary.records + 1)
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

    @Test(arguments: [
        (#"{"registration_ids":["one","two","three",""],"data":{}}"#, ["one", "two", "three", ""]),
        (#"{"deviceTokens":["one","two"],"messageType":"checkEchoV1"}"#, ["one", "two"]),
        (
            #"[{"to":"ExponentPushToken[a]"},{"to":"ExponentPushToken[b]"}]"#,
            ["ExponentPushToken[a]", "ExponentPushToken[b]"]
        ),
    ])
    func aRequestIsCompleteInThePartsOfItsTargets(request: String, devices: [String]) throws {
        let divided = try DividedInput(request, parts: 64)
        #expect(divided.records.map(\.part) == Set(devices.map { Int(hash($0) % 64) }).sorted())
        #expect(divided.records.allSatisfy { $0.bytes == Array(request.utf8) })
        #expect(divided.summary.copies == UInt64(divided.records.count - 1))
        #expect(try DividedInput(request, parts: 1).records.count == 1)
    }

    @Test func theClockAdvancesInEveryPart() throws {
        let divided = try DividedInput(#"{"event":"clock","advance":"1h"}"#, parts: 3)
        #expect(divided.records.map(\.part) == [0, 1, 2])
        #expect(divided.summary.copies == 2)
    }

    /// Records that one part alone cannot have the outcome of, and what is said about them.
    @Test(arguments: [
        (#"{"event":"subscribe","device":"one","topic":"news"}"#, "subscribes to topics"),
        (#"{"event":"unsubscribe","device":"one","topic":"news"}"#, "subscribes to topics"),
        (#"{"event":"device","device":"one","app":"a","topics":["news"]}"#, "subscribes to topics"),
        (#"{"event":"device","device":"one","app":"a","start_token":"ab"}"#, "gives a device a token"),
        (#"{"event":"device","device":"one","app":"a","activity_tokens":["ab"]}"#, "gives a device a token"),
        (#"{"event":"device","device":"one","app":"a","expo":"ExponentPushToken[a]"}"#, "gives a device a token"),
        (
            #"{"device":"ab01","headers":{"apns-topic":"a.push-type.liveactivity","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":1,"event":"update","content-state":{}}}}"#,
            "is a push to a Live Activity"
        ),
        (
            #"{"headers":{"apns-channel-id":"Yw==","apns-push-type":"liveactivity"},"payload":{"aps":{"timestamp":1,"event":"update","content-state":{}}}}"#,
            "is a broadcast to a channel"
        ),
    ])
    func whatDependsOnOtherPartsEndsThePartition(record: String, reason: String) throws {
        let before = #"{"device":"ab02","payload":{"aps":{"alert":"a"}}}"# + "\n"
        let error = try #require(
            #expect(throws: PlainError.self) { _ = try DividedInput(before + record, parts: 4096) })
        #expect(error.message.hasPrefix("standard input: record 2 \(reason)"))
        #expect(error.message.contains(", so the input cannot be divided"))
    }

    /// What an event changes on its own device, and a topic, which is like a device where nobody subscribes.
    @Test(arguments: [
        #"{"event":"tap","device":"one"}"#, #"{"event":"device","device":"one","unregistered":true,"canonical":"two"}"#,
        #"{"event":"focus","device":"one","on":true}"#, #"{"to":"/topics/news","data":{"a":"b"}}"#,
        #"{"message":{"topic":"news","data":{"a":"b"}}}"#, #"{"to":"ExponentPushToken[a]","title":"t"}"#,
    ])
    func whatConcernsOneDeviceIsInItsPart(record: String) throws {
        #expect(try DividedInput(record, parts: 64).records.map(\.bytes) == [Array(record.utf8)])
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

    /// A part has the whole request, whatever it costs: once, and not for each target.
    @Test func manyTokens() throws {
        let tokens = (0..<5000).map { $0.isMultiple(of: 2) ? "7" : "\"\($0)a\"" }.joined(separator: ",")
        let divided = try DividedInput(#"{"deviceTokens":[\#(tokens)],"messageType":"checkEchoV1"}"#, parts: 64)
        #expect(divided.records.count == 64)
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
}
