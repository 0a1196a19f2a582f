import Foundation
import PushDecoding
import PushDevices
import PushFraming
import PushModel
import PushPipeline
import PushRedaction
import PushSQLite
import PushSystem
import TestSupport
import Testing

@testable import PushRuns

/// `run --emit`: the records themselves, besides the report.
struct EmissionTests {
    private static let hello = #"{"aps":{"alert":"Hello"},"id":7}"#
    private static let refused = #"{"device":"xyz","headers":{"apns-topic":"t"},"payload":{"aps":{}}}"#
    private static let event = #"{"event":"device","device":"ab12"}"#
    private static let broken = #"{"aps":"#
    private static let long = String(repeating: "a", count: 5000)

    private struct Result {
        var records: String
        var report: String
        var notes: String
        var outcome: RunJob.Outcome
    }

    private func run(
        _ input: String, _ emission: Emission, _ configure: (inout RunJob) throws -> Void = { _ in }
    ) throws -> Result {
        let folder = try Folder(["in": input])
        var job = RunJob([folder["in"]], output: .ndjson)
        job.configuration.clock = .fixed(milliseconds: 0)
        job.emission = emission
        job.reportFile = .path(folder["report"])
        try configure(&job)
        let streams = CollectedStreams()
        let outcome = try job.run(to: streams)
        let report = String(decoding: streams.reportOutput.bytes, as: UTF8.self)
        return Result(records: streams.text, report: report, notes: streams.notes, outcome: outcome)
    }

    private func lines(_ lines: String...) -> String { lines.map { $0 + "\n" }.joined() }

    @Test(arguments: [
        (Emission.Selection.accepted, [hello, hello]), (.all, [hello, refused, event, broken, hello]), (.changed, []),
    ])
    func `the selected records are written as they came`(_ selection: Emission.Selection, _ expected: [String]) throws {
        let input = lines(Self.hello, Self.refused, "", Self.event, Self.broken, Self.hello)
        let result = try run(input, Emission(selection))
        #expect(result.records == expected.map { $0 + "\n" }.joined())
        #expect(result.report.split(separator: "\n").count == 5)
        #expect(result.outcome == RunJob.Outcome())
    }

    private static let target = #"{"Simulator Target Bundle":"org.a","#

    /// The app is in the payload, or an argument: `xcrun simctl help push`.
    @Test(arguments: [
        (
            #"{"device":"ab12","headers":{"apns-topic":"org.a"},"payload":{"aps":{"alert":"Hi"},"id":7}}"#,
            [target + #""aps":{"alert":"Hi"},"id":7}"#]
        ),
        (#"{"aps":{"alert":"Hi"}}"#, [#"{"aps":{"alert":"Hi"}}"#]),
        (
            #"{"device":"ab12","headers":{"apns-topic":"org.a"},"payload":{"Simulator Target Bundle":"b","aps":{}}}"#,
            [#"{"Simulator Target Bundle":"b","aps":{}}"#]
        ),
        (
            #"{"message":{"token":"t","apns":{"headers":{"apns-topic":"org.a"},"payload":{"aps":{"badge":1},"id":7}}}}"#,
            [target + #""aps":{"badge":1},"id":7}"#]
        ),
        (#"{"message":{"token":"t","notification":{"title":"Hi"}}}"#, []),
        (#"{"to":"ExponentPushToken[a]","title":"Hi"}"#, [#"{"aps":{"alert":{"title":"Hi"}}}"#]),
        (refused, []), (event, []), (broken, []),
    ])
    func `a simulator gets the payload of each notification for an Apple device`(
        _ record: String, _ expected: [String]
    ) throws {
        let result = try run(lines(record), Emission(.accepted, as: .simctl)) { $0.failOn = [.malformed] }
        #expect(result.records == expected.map { $0 + "\n" }.joined())
        #expect(!result.outcome.hasUnwritten)
    }

    @Test func `a simulator gets what was fitted, on one line, and nothing but notifications`() throws {
        let pretty = #"{"device":"ab12","payload":"{\n \"aps\":{\"alert\":\"\#(Self.long)\"}}"}"#
        let result = try run(lines(pretty), Emission(.accepted, as: .simctl)) { $0.fitOrder = [.body] }
        #expect(result.records.split(separator: "\n").count == 1)
        #expect(result.records.contains("…") && result.records.utf8.count <= 4097)
        for type in ["", #","apns-push-type":"voip""#] {
            let headers = #""apns-topic":"org.a.voip"\#(type)"#
            let voip = #"{"device":"ab12","headers":{\#(headers)},"payload":{"aps":{"alert":"Hi"}}}"#
            let other = try run(lines(voip), Emission(.accepted, as: .simctl))
            #expect(other.records.isEmpty && other.outcome.hasUnwritten)
            #expect(other.notes.contains("1 record was not emitted: a simulator takes notifications only"))
        }
    }

    @Test func `a shortened text is all that changes in a record`() throws {
        let record =
            #"{ "device" : "ab12", "x": [1, 2],  "payload":{"aps":{"alert": {"body":"\#(Self.long)","title":"T"}} , "id":1}}"#
        let result = try run(lines(Self.hello, record), Emission(.changed)) { $0.fitOrder = [.body] }
        let payload = 4096 - #"{"aps":{"alert": {"body":"","title":"T"}} , "id":1}"#.utf8.count
        let body = String(repeating: "a", count: payload - "…".utf8.count) + "…"
        #expect(result.records == record.replacing(Self.long, with: body) + "\n")
    }

    /// Amazon's form has each platform's payload in a string, which may be in another string.
    @Test func `a shortened text is put back into strings that hold JSON`() throws {
        let apns = #"{\"aps\":{\"alert\":\"\#(Self.long)\"}}"#
        let record = #"{"default":"d","APNS":"\#(apns)","GCM":"{\"data\":{\"a\":\"b\"}}"}"#
        let result = try run(lines(record), Emission(.accepted)) { $0.fitOrder = [.body] }
        let body = String(repeating: "a", count: 4096 - #"{"aps":{"alert":""}}"#.utf8.count - 3) + "…"
        #expect(result.records == record.replacing(Self.long, with: body) + "\n")
        // What is written is accepted.
        let again = try run(result.records, Emission(.accepted))
        #expect(again.records == result.records)
    }

    @Test func `a legacy request keeps all its targets`() throws {
        let tokens = #"["abcdefgh:APA91b1","abcdefgh:APA91b2"]"#
        let record =
            #"{"registration_ids":\#(tokens),"notification":{"title":"T","body":"\#(Self.long)"},"priority":"high"}"#
        let result = try run(lines(record), Emission(.changed)) { $0.fitOrder = [.body] }
        let body = String(repeating: "a", count: 4096 - "titleTbody".utf8.count - 3) + "…"
        #expect(result.records == record.replacing(Self.long, with: body) + "\n")
        #expect(result.report.split(separator: "\n").count == 2)
    }

    @Test func `a payload made for Apple's devices cannot be put back, which is told`() throws {
        let record = #"{"message":{"token":"a","notification":{"body":"\#(Self.long)"},"apns":{"headers":{}}}}"#
        let result = try run(lines(record, Self.hello), Emission(.accepted)) { $0.fitOrder = [.body] }
        #expect(result.records == Self.hello + "\n")
        #expect(result.outcome.hasUnwritten)
        #expect(result.notes.contains("1 record was not emitted: the changed payload was derived"))
    }

    @Test(arguments: [
        (Framing.seq, "\u{1E}\(hello)\n", "\u{1E}\(hello)\n"), (.nul, "\(hello)\0\(hello)", "\(hello)\0\(hello)\0"),
        (.json, "{\"aps\":\n{}}\n\(hello)", "{\"aps\":\n{}}\n\(hello)\n"), (.ndjson, "\(hello)\r\n", "\(hello)\n"),
    ])
    func `records are separated as in the input`(_ framing: Framing, _ input: String, _ expected: String) throws {
        let result = try run(input, Emission(.accepted)) { $0.configuration.framing = framing }
        #expect(result.records == expected)
    }

    @Test func `relaxed JSON is written as strict JSON`() throws {
        let result = try run("{aps:{'alert':'Hi',},}\n", Emission(.accepted)) {
            $0.configuration.decoding.acceptsRelaxedJSON = true
        }
        #expect(result.records == #"{"aps":{"alert":"Hi"}}"# + "\n")
    }

    @Test func `payloads are taken out of a log`() throws {
        let log = lines(
            #"{"time":1,"push":\#(Self.hello)}"#, #"{"time":2}"#, #"{"time":3,"push":"{\"aps\":{\"badge\":1}}"}"#)
        let result = try run(log, Emission(.all)) {
            $0.configuration.decoding.location = RecordLocation(pointer: "/push")
        }
        #expect(result.records == lines(Self.hello, #"{"aps":{"badge":1}}"#))
        #expect(result.notes.contains("without a payload 1"))
    }

    @Test func `a redacted run writes no text that is not redacted`() throws {
        let secret = "0123456789abcdef0123456789abcdef"
        let record =
            #"{"device":"\#(secret)","note":"to \#(secret)","payload":{"aps":{"alert":"Dear \#(secret)"},"k":1}}"#
        for parts in [Redaction.Parts.tokens, .all] {
            for form in Emission.Form.allCases {
                let result = try run(
                    lines(record, Self.broken + secret, #"{"aps":{"alert":"\#(Self.long)"}}"#), Emission(.all, as: form)
                ) {
                    $0.redaction = RedactionRequest(parts, keyPath: nil)
                    $0.fitOrder = [.body]
                }
                #expect(!result.records.contains(secret))
                #expect(result.records.contains(#""aps":{"alert":"#))
                #expect(result.records.split(separator: "\n").count == 2)
                // Only messages go to a simulator.
                if form == .simctl { continue }
                #expect(result.outcome.hasUnwritten)
                #expect(
                    result.notes.contains("1 record was not emitted: malformed or too long"))
            }
        }
    }

    @Test func `an event hides people, texts and titles, and is still one`() throws {
        let input = lines(
            #"{"event":"focus","device":"ab12","on":true,"people":["secret"],"apps":["m"]}"#,
            #"{"event":"device","device":"ab12","app":"m","bell":["main"],"categories":[{"id":"T","placeholder":"secret","#
                + #""dismissal":true,"actions":[{"id":"R","title":"secret","text":true}]}]}"#,
            #"{"event":"device","device":"android","app":"m","channels":[{"id":"c","importance":"low","sound":false}]}"#,
            #"{"event":"tap","device":"ab12","action":"R","text":"secret"}"#)
        let result = try run(input, Emission(.all)) { $0.redaction = RedactionRequest(.content, keyPath: nil) }
        #expect(!result.records.contains("secret"))
        #expect(result.records.contains(#""bell":["main"],"categories":[{"id":"T""#))
        #expect(result.records.contains(#""channels":[{"id":"c","importance":"low","sound":false}]"#))
        let again = try run(result.records, Emission(.all))
        #expect(again.records == result.records && !again.report.contains("malformed"))
    }

    // MARK: - Envelopes

    private func envelopes(_ record: String, _ configure: (inout RunJob) -> Void = { _ in }) throws -> [[String: Any]] {
        let result = try run(record, Emission(.accepted, as: .envelope), configure)
        return try result.records.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `a bare payload becomes an envelope with what options say`() throws {
        let plain = try run(lines(Self.hello), Emission(.accepted, as: .envelope))
        #expect(plain.records == #"{"payload":\#(Self.hello)}"# + "\n")
        let named = try run(lines(Self.hello), Emission(.accepted, as: .envelope)) {
            $0.configuration.decoding.device = "phone"
            $0.configuration.decoding.topic = "a.b"
        }
        #expect(named.records == #"{"device":"phone","headers":{"apns-topic":"a.b"},"payload":\#(Self.hello)}"# + "\n")
    }

    @Test func `an envelope stays as it is`() throws {
        let record = #"{ "device":"ab12","headers":{"apns-topic":"t","authorization":"x"}, "payload":{"aps":{}} }"#
        #expect(try run(lines(record), Emission(.accepted, as: .envelope)).records == record + "\n")
    }

    @Test func `line breaks in a payload keep its size and the envelope on one line`() throws {
        let record = "{\"aps\":\n {\"alert\":\"Hi\"}}"
        let result = try run(record, Emission(.accepted, as: .envelope))
        #expect(result.records == #"{"payload":"{\"aps\":\n {\"alert\":\"Hi\"}}"}"# + "\n")
        let again = try run(result.records, Emission(.accepted))
        let size = "\"bytes\":\(record.utf8.count)"
        #expect(result.report.contains(size))
        #expect(again.report.contains(size))
    }

    @Test func `a gateway's request becomes an envelope for each provider and target`() throws {
        let sns =
            #"{"TargetArn":"arn:aws:sns:1","Message":"{\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Hi\\\"}}\",\"GCM\":\"{\\\"data\\\":{\\\"a\\\":\\\"b\\\"}}\"}","MessageStructure":"json","MessageAttributes":{"AWS.SNS.MOBILE.APNS.COLLAPSE_ID":{"DataType":"String","StringValue":"c"}}}"#
        let both = try envelopes(sns)
        #expect(both.count == 2)
        #expect((both[0]["headers"] as? [String: String])?["apns-collapse-id"] == "c")
        #expect(both[0]["payload"] as? NSDictionary == ["aps": ["alert": "Hi"]])
        #expect(both[1]["provider"] as? String == "gcm")
        #expect(both[1]["device"] as? String == "arn:aws:sns:1")
        #expect(both[1]["payload"] as? NSDictionary == ["data": ["a": "b"]])

        let wikimedia = try envelopes(#"{"deviceTokens":["abcd:1","abcd:2"],"messageType":"checkEchoV1"}"#)
        #expect(wikimedia.map { $0["device"] as? String } == ["abcd:1", "abcd:2"])
        #expect(
            wikimedia.allSatisfy {
                $0["provider"] as? String == "fcm" && ($0["payload"] as? [String: Any])?["message"] != nil
            })
    }

    /// Reading what was written has the same outcomes.
    @Test(arguments: ["gcm-score-updates.ndjson", "sns-mobile-push.ndjson", "quickstart.ndjson", "web-push.ndjson"])
    func `samples survive as envelopes`(_ name: String) throws {
        let folder = packageFolder.appendingPathComponent("Samples")
        let input = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        // Amazon's form does not name the app, and APNs wants to know it.
        let first = try run(input, Emission(.all, as: .envelope)) {
            $0.configuration.decoding.topic = "org.example.app"
        }
        let second = try run(first.records, Emission(.all, as: .envelope))
        #expect(first.records == second.records)
        #expect(try outcomes(first.report) == outcomes(second.report))
        #expect(!first.records.isEmpty)
    }

    private func outcomes(_ report: String) throws -> [String] {
        try report.split(separator: "\n").map { line in
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return ["provider", "outcome", "title", "bytes", "limit", "reason"].map { "\(object[$0] ?? "-")" }.joined(
                separator: " ")
        }
    }

    /// How the bytes of a string are written is the sender's choice.
    @Test func `what was not cut in a nested string keeps its escapes`() throws {
        let record =
            #"{"APNS":"{\"aps\":{\"alert\":{\"title\":\"Gr\u00fc\u00dfe \ud83d\",\"body\":\"\#(Self.long)\"}},\"u\":\u0022a\/b\u0022}"}"#
        let result = try run(lines(record), Emission(.changed)) { $0.fitOrder = [.body] }
        let parts = record.components(separatedBy: Self.long)
        #expect(result.records.hasPrefix(parts[0]))
        #expect(result.records.hasSuffix("a…" + parts[1] + "\n"))
    }

    @Test func `a payload in a string with line breaks is one line of the same size`() throws {
        let log = lines(#"{"push":"{\n \"aps\":\r\n{\"alert\":\"a\"}}"}"#)
        let result = try run(log, Emission(.accepted)) {
            $0.configuration.framing = .ndjson
            $0.configuration.decoding.location = RecordLocation(pointer: "/push")
        }
        #expect(result.records == lines(#"{  "aps":  {"alert":"a"}}"#))
    }

    @Test func `a shortened or relaxed payload in a string with line breaks is one line, too`() throws {
        let log = lines(
            #"{"push":"{\n\"aps\":{\"alert\":\"\#(Self.long)\"}}"}"#, #"{"push":"{\n'aps':{'alert':'a'}}"}"#)
        let result = try run(log, Emission(.accepted)) {
            $0.configuration.framing = .ndjson
            $0.configuration.decoding.location = RecordLocation(pointer: "/push")
            $0.configuration.decoding.acceptsRelaxedJSON = true
            $0.fitOrder = [.body]
        }
        let written = result.records.split(separator: "\n")
        #expect(written.count == 2)
        #expect(written.last == #"{ "aps":{"alert":"a"}}"#)
        #expect(written.first?.utf8.count == 4096)
    }

    @Test(arguments: Emission.Form.allCases)
    func `a payload in a string is hidden there`(form: Emission.Form) throws {
        let record = #"{"device":"ab12","payload":"{\"aps\":{\"alert\":\"secret\"},\"x\":\"secret\"}"}"#
        let result = try run(lines(record), Emission(.all, as: form)) {
            $0.redaction = RedactionRequest(.content, keyPath: nil)
        }
        #expect(!result.records.contains("secret") && !result.outcome.hasUnwritten)
        #expect(
            result.records.hasPrefix(
                form == .simctl
                    ? #"{"aps":{"alert":"redacted-"#
                    : #"{"device":"ab12","payload":"{\"aps\":{\"alert\":\"redacted-"#))
        #expect(try !run(result.records, Emission(.all)).report.contains("malformed"))
    }

    @Test func `a broken line after a prefix is no payload`() throws {
        let result = try run("pod-1 {\"push\":\n", Emission(.accepted)) {
            $0.configuration.framing = .ndjson
            $0.configuration.decoding.location = RecordLocation(pointer: "/push", skipsPrefix: true)
        }
        #expect(result.outcome.isEmpty)
    }

    @Test func `a mistake in the place is no success, whatever else is in the log`() throws {
        let result = try run(lines("starting up", #"{"push":1}"#, "{}"), Emission(.accepted)) {
            $0.configuration.framing = .ndjson
            $0.configuration.decoding.location = RecordLocation(pointer: "/psuh")
        }
        #expect(result.outcome.isEmpty)
        #expect(result.notes.contains("no payload at /psuh in any of 3 records"))
    }

    @Test func `a dry run stays one`() throws {
        let fcm = #"{"deviceTokens":["abcd:1"],"messageType":"checkEchoV1","dryRun":true}"#
        let envelope = try run(lines(fcm), Emission(.accepted, as: .envelope))
        #expect(envelope.records.contains(#""validate_only":true"#))
        #expect(try run(envelope.records, Emission(.accepted)).report.contains("dry-run"))
        let apns = #"{"deviceTokens":["abcd"],"topic":"a.b","messageType":"checkEchoV1","dryRun":true}"#
        let result = try run(lines(apns), Emission(.accepted, as: .envelope))
        #expect(result.records.isEmpty)
        #expect(result.notes.contains("it cannot be expressed as an envelope"))
    }

    @Test func `a request that names its provider is put into an envelope without the name`() throws {
        let record = #"{"provider":"fcm","message":{"token":"abc1234567","notification":{"body":"y"}}}"#
        let result = try run(lines(record), Emission(.accepted, as: .envelope))
        #expect(
            result.records
                == lines(
                    #"{"provider":"fcm","payload":{"message":{"token":"abc1234567","notification":{"body":"y"}}}}"#))
        #expect(try run(result.records, Emission(.accepted)).records == result.records)
    }

    @Test func `with hidden content a gateway's request is hidden in its envelope`() throws {
        let record = #"{"default":"x","GCM":"{\"data\":{\"a\":\"secret\"}}"}"#
        for form in Emission.Form.allCases {
            let result = try run(lines(record), Emission(.all, as: form)) {
                $0.redaction = RedactionRequest(.content, keyPath: nil)
            }
            #expect(!result.records.contains("secret"))
            #expect(!result.outcome.hasUnwritten)
            for line in result.records.split(separator: "\n") {
                _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
            }
        }
    }

    /// It may have anything anywhere: a text in place of a topic, a name or a number, or a number that is a person's.
    @Test(arguments: [
        #"{"message":{"token":"abc1234567","android":{"ttl":"Anna"}}}"#,
        #"{"message":{"topic":"Anna topic","notification":{"title":"x"}}}"#,
        #"{"message":{"condition":"Anna","notification":{"title":"x"}}}"#,
        #"{"message":{"token":"Anna","android":{"priority":"Anna","ttl":"491701234567s"}}}"#,
        #"{"device":"Anna","headers":{"apns-topic":"Anna"},"payload":{"aps":{"category":"Anna","badge":491701234567}}}"#,
        #"{"message":{"token":"/topics/Anna says hi","notification":{"title":"t"}}}"#,
        #"{"device":"/topics/Anna M","payload":{"aps":{"alert":"x"}},"headers":{"apns-priority":"7"}}"#,
        #"{"to":"/topics/Anna","registration_ids":["/topics/Anna wrote"],"data":{"a":"b"}}"#,
        #"{"message":{"token":"x","provider":"Anna wrote","android":{"provider":"Anna","priority":4917012345}}}"#,
        #"{"message":{"topic":"Anna.Meier","notification":{"icon":"Anna.Meier","sound":"491.701.2345"},"android":{"priority":"x"}}}"#,
        #"{"device":"ab12","headers":{"apns-topic":"Anna.4917012345","apns-priority":"4917012345","apns-id":"491-701-2345","apns-expiration":"+4917012345"},"payload":{"aps":{"alert":"x"}}}"#,
        #"{"to":"Anna","data":"Anna","priority":491701234567}"#,
    ])
    func `a refused request is written without what it may hide`(record: String) throws {
        for parts in [Redaction.Parts.content, .all] {
            let result = try run(lines(record, Self.hello), Emission(.all)) {
                $0.redaction = RedactionRequest(parts, keyPath: nil)
            }
            #expect(result.report.contains(#""rejected""#), "\(result.report)")
            #expect(!result.records.contains("Anna") && !result.records.contains("4917"), "\(result.records)")
            #expect(result.records.split(separator: "\n").count == 2)
            let again = try run(result.records, Emission(.all))
            #expect(!again.report.contains("malformed"), "\(result.records)")
        }
    }

    /// Six digits, and times in seconds, are no person's number.
    @Test(arguments: [
        ("999999", true), ("1000000", false), ("999999999", false), ("1000000000", true), ("2000000000", true),
        ("2000000001", false),
    ])
    func `a number in a refused request stays if it is short or a time`(number: String, stays: Bool) throws {
        let record =
            #"{"device":"xyz","headers":{"apns-expiration":"\#(number)"},"payload":{"aps":{"badge":\#(number)}}}"#
        let result = try run(lines(record), Emission(.all)) { $0.redaction = RedactionRequest(.all, keyPath: nil) }
        #expect(result.records.contains(#""apns-expiration":"\#(number)""#) == stays, "\(result.records)")
        #expect(result.records.contains(#""badge":\#(number)}"#) == stays, "\(result.records)")
    }

    @Test func `a request that its service refuses keeps what it defines`() throws {
        let record =
            #"{"device":"xyz","headers":{"apns-topic":"org.example.app","apns-push-type":"alert","apns-priority":"10","apns-expiration":"1700000000"},"payload":{"aps":{"badge":3,"interruption-level":"active"}}}"#
        let result = try run(lines(record), Emission(.all)) { $0.redaction = RedactionRequest(.all, keyPath: nil) }
        let kept = try #require(result.records.wholeMatch(of: /\{"device":"redacted-[0-9a-f]+",(.*)\n/))
        #expect(record.hasSuffix(kept.1))
    }

    // MARK: - Streams

    @Test func `records go on when nobody reads the report any more`() throws {
        let folder = try Folder(["in": String(repeating: Self.hello + "\n", count: 5000), "report": ""])
        var job = RunJob([folder["in"]], output: .ndjson)
        job.emission = Emission(.accepted)
        job.reportFile = .path(folder["report"])
        let streams = CollectedStreams()
        streams.reportOutput.error = PlainError.unwritable("report", .brokenPipe)
        let outcome = try job.run(to: streams)
        #expect(outcome == RunJob.Outcome())
        #expect(streams.text.split(separator: "\n").count == 5000)
        // Any other error ends the run.
        let full = CollectedStreams()
        full.reportOutput.error = PlainError.unwritable("report", .noSpace)
        #expect(throws: PlainError.self) { try job.run(to: full) }
    }

    @Test(arguments: ["devices", "preferences", "types", "key", "s.db", "s.db-wal"])
    func `a file that the run reads is not overwritten by the report`(_ name: String) throws {
        let folder = try Folder(["in": lines(Self.hello), name: "kept"])
        var job = RunJob([folder["in"]], output: .ndjson)
        job.reportFile = .path(folder[name])
        (job.devicesPath, job.preferencesPath) = (folder["devices"], folder["preferences"])
        for other in ["devices", "preferences"] where other != name { try folder.write("", to: other) }
        (job.typesPath, job.store) = (folder["types"], .sqlite(folder["s.db"]))
        job.redaction = RedactionRequest(.tokens, keyPath: folder["key"])
        #expect {
            try job.run(to: CollectedStreams())
        } throws: { error in
            "\(error)".contains("is the same file")
        }
        #expect(try folder.text(name) == "kept")
    }

    @Test(arguments: [1, 2, 3]) func `the order is that of the input for any number of cores`(_ jobs: Int) throws {
        let records = (0..<30_000).map { #"{"aps":{"alert":"\#($0)"}}"# + "\n" }
        let result = try run(records.joined(), Emission(.accepted)) { $0.configuration.jobs = jobs }
        #expect(result.records == records.joined())
    }

    @Test func `records are written with a store, too`() throws {
        let folder = try Folder()
        let result = try run(lines(Self.hello, Self.refused), Emission(.accepted)) {
            $0.store = .sqlite(folder["s.db"])
        }
        #expect(result.records == Self.hello + "\n")
        #expect(result.report.split(separator: "\n").count == 2)
    }

    @Test func `an output that is an input or the other output is refused`() throws {
        let folder = try Folder(["in": Self.hello, "report": ""])
        var job = RunJob([folder["in"]], output: .ndjson)
        job.reportFile = .path(folder["in"])
        #expect {
            try job.run(to: CollectedStreams())
        } throws: { error in
            "\(error)".contains("the report file is the same file; give it a file of its own")
        }
        #expect(try folder.text("in") == Self.hello)
    }

    @Test func `a resumed run continues its report file, and any other begins it anew`() throws {
        let folder = try Folder(["in": lines(Self.hello), "report": "old\n"])
        var job = RunJob([folder["in"]], output: .ndjson)
        job.store = .sqlite(folder["s.db"])
        job.reportFile = .path(folder["report"])
        _ = try job.run(to: CollectedStreams())
        // The streams of this test keep the report to themselves.
        #expect(try folder.text("report").isEmpty)
        try folder.write("kept\n", to: "report")
        job.resumes = true
        _ = try job.run(to: CollectedStreams())
        #expect(try folder.text("report") == "kept\n")
    }

    @Test func `a descriptor that is not open is named`() throws {
        let folder = try Folder(["in": Self.hello])
        var job = RunJob([folder["in"]], output: .ndjson)
        job.reportFile = .descriptor(987)
        #expect(throws: PlainError.self) { try job.run(to: CollectedStreams()) }
    }
}
