import Foundation
import PushFaults
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

struct GatewaySessionTests {
    @Test func `a push is delivered, reported and answered 200 without a body`() throws {
        let trial = SessionTrial()
        let answer = try trial.answer(push())
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.header("content-type") == nil)
        #expect(trial.lines.count == 1)
        #expect(
            trial.lines.first?.hasPrefix(#"{"seq":1,"provider":"apns","device":"ab12","topic":"org.example.app""#)
                == true)
        #expect(trial.pipeline.summary.count(.delivered) == 1)
    }

    @Test(arguments: ["0F0E0D0C-1111-2222-3333-444455556666", "0f0e0d0c-1111-2222-3333-444455556666", "no UUID"])
    func `apns-id comes back as it was sent, on errors too`(id: String) throws {
        let answer = try SessionTrial().answer(push(headers: [("apns-topic", "a.b"), ("apns-id", id)]))
        #expect(answer.header("apns-id") == id)
    }

    @Test func `an apns-id is made up for each request without one`() throws {
        let answers = try SessionTrial().session.answers(to: [push(), push()])
        let ids = answers.compactMap { $0.header("apns-id") }
        #expect(Set(ids).count == 2)
        for id in ids { #expect(id.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil, "\(id)") }
    }

    /// Reasons and status codes as in Apple's table, "Handling notification responses from APNs".
    static let refused: [(request: GatewayRequest, status: Int, reason: String)] = [
        (push(headers: []), 400, "MissingTopic"),
        (push(headers: [("apns-topic", "a.b"), ("apns-id", "12")]), 400, "BadMessageId"),
        (
            push(headers: [("apns-topic", "a.b"), ("apns-collapse-id", String(repeating: "x", count: 65))]), 400,
            "BadCollapseId"
        ),
        (push(headers: [("apns-topic", "a.b"), ("apns-priority", "7")]), 400, "BadPriority"),
        (push(headers: [("apns-topic", "a.b"), ("apns-expiration", "soon")]), 400, "BadExpirationDate"),
        (push(headers: [("apns-topic", "a.b"), ("apns-push-type", "loud")]), 400, "InvalidPushType"),
        (push(headers: [("apns-topic", "a.b"), ("apns-topic", "a.b")]), 400, "DuplicateHeaders"),
        (push(to: ""), 400, "MissingDeviceToken"),
        (push(to: "xyz"), 400, "BadDeviceToken"),
        (push(to: "ab12%20"), 400, "BadDeviceToken"),
        (push(""), 400, "PayloadEmpty"),
        (push(#"{"aps":{"alert":"\#(String(repeating: "x", count: 4096))"}}"#), 413, "PayloadTooLarge"),
        (push(method: "GET"), 405, "MethodNotAllowed"),
        (push(to: "ab12/3"), 404, "BadPath"),
        (GatewayRequest(method: "GET", path: "/metrics"), 404, "BadPath"),
    ]

    @Test(arguments: refused.indices)
    func `a refused request gets APNs' status and reason`(index: Int) throws {
        let row = Self.refused[index]
        let trial = SessionTrial()
        let answer = try trial.answer(row.request)
        #expect(answer.status == row.status)
        #expect(answer.text == #"{"reason":"\#(row.reason)"}"#)
        #expect(answer.header("content-type") == "application/json")
        #expect(answer.header("apns-id") != nil)
        let line = trial.lines.first
        #expect(row.request.path == "/metrics" ? line == nil : line?.contains(#""reason":"\#(row.reason)""#) == true)
    }

    @Test(arguments: ["not JSON", "[1]", "{\"aps\":{}", "{\"aps\":{}} {}", "\u{0}", "\"text\""])
    func `a body that is no JSON object is refused, and only its own request`(body: String) throws {
        let trial = SessionTrial()
        let answers = try trial.session.answers(to: [push(), push(body), push()])
        #expect(answers.map(\.status) == [200, 400, 200])
        #expect(answers[1].reason == "BadRequestPayload")
        #expect(trial.lines.count == 3)
    }

    @Test func `a body of bytes that are no UTF-8 is refused`() throws {
        var request = push()
        request.body = [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]
        #expect(try SessionTrial().answer(request).status == 400)
    }

    @Test func `a body cannot add anything to its record`() throws {
        let trial = SessionTrial()
        let body = #"{"aps":{"alert":"Hi"}},"device":"cd34","x":{}"# + "\n" + #"{"device":"ef56","payload":{"aps":{}}}"#
        let answer = try trial.answer(push(body))
        #expect(answer.status == 400)
        #expect(trial.lines.count == 1)
        #expect(trial.pipeline.summary.count(.delivered) == 0)
    }

    @Test func `a pretty-printed body is measured as it was sent`() throws {
        let trial = SessionTrial()
        let body = "{\n  \"aps\": {\n    \"alert\": \"Hi\"\n  }\n}\n"
        #expect(try trial.answer(push(body)).status == 200)
        #expect(trial.lines.first?.contains(#""bytes":\#(body.utf8.count),"#) == true)
    }

    @Test(arguments: [(4096, 200), (4097, 413)])
    func `the limit is that of the whole body`(bytes: Int, status: Int) throws {
        let rest = #"{"aps":{"alert":""}}"#.utf8.count
        let body = #"{"aps":{"alert":"\#(String(repeating: "x", count: bytes - rest))"}}"#
        #expect(body.utf8.count == bytes)
        #expect(try SessionTrial().answer(push(body)).status == status)
    }

    @Test func `each answer is that of its own request`() throws {
        let requests = (0..<50).map { $0 % 3 == 0 ? push(to: "x\($0)") : push(to: "aa\($0 + 10)") }
        let answers = try SessionTrial().session.answers(to: requests)
        #expect(answers.map(\.status) == (0..<50).map { $0 % 3 == 0 ? 400 : 200 })
    }

    @Test func `a dead token is answered 410 with the time since when`() throws {
        let trial = SessionTrial()
        let time = "2026-01-02T03:04:05Z"
        try trial.pipeline.registerDevices(
            #"{"device":"ab12","app":"org.example.app","unregistered":true,"unregistered_at":"\#(time)"}"#)
        let answer = try trial.answer(push())
        #expect(answer.status == 410)
        // Milliseconds, as Apple has it; `date -d` gives the seconds.
        #expect(answer.text == #"{"reason":"Unregistered","timestamp":1767323045000}"#)
    }

    @Test func `a message for a device that is offline is accepted`() throws {
        let trial = SessionTrial()
        try trial.pipeline.registerDevices(
            #"{"device":"ab12","app":"org.example.app","online":false}"#)
        #expect(try trial.answer(push()).status == 200)
        #expect(trial.lines.first?.contains(#""outcome":"held""#) == true)
    }

    @Test func `a broadcast is answered with its request id`() throws {
        let trial = SessionTrial()
        var request = GatewayRequest(
            method: "POST", path: "/4/broadcasts/apps/org.example.app",
            headers: [
                HeaderField("apns-channel-id", "dHN0LXNyY2gtY2hubA=="), HeaderField("apns-push-type", "liveactivity"),
                HeaderField("apns-request-id", "4C106C5F-2013-40B9-8193-EAA270B8F2C5"),
            ],
            body: Array(#"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#.utf8))
        #expect(try trial.answer(request).status == 200)
        request.headers.removeFirst()
        let answer = try trial.answer(request)
        #expect(answer.text == #"{"reason":"MissingChannelId"}"#)
        #expect(answer.header("apns-request-id") == "4C106C5F-2013-40B9-8193-EAA270B8F2C5")
    }

    @Test func `the path says that a push is no broadcast`() throws {
        var request = push()
        request.headers.append(HeaderField("apns-channel-id", "dHN0LXNyY2gtY2hubA=="))
        #expect(try SessionTrial().answer(request).status == 200)
    }

    @Test func `secrets of the header are not in the record`() {
        var composer = RecordComposer()
        composer.appendAPNs(
            push(headers: [("authorization", "bearer secret"), ("apns-topic", "a.b"), ("cookie", "x")]), device: "ab12",
            refusal: nil)
        let text = String(decoding: composer.lines.bytes, as: UTF8.self)
        #expect(
            text == #"{"device":"ab12","headers":{"apns-topic":"a.b"},"payload":{"aps":{"alert":"Hi"}}}"# + "\n")
    }

    @Test func `what is received is kept, and a run over it has the same report`() throws {
        let path = NSTemporaryDirectory() + "pushpipe-record-\(UInt64.random(in: .min ... .max)).ndjson"
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Half a line, as a gateway that was killed leaves it.
        try Data(#"{"device":"ab"#.utf8).write(to: URL(fileURLWithPath: path))
        let trial = SessionTrial()
        trial.session.recordFile = try RecordFile(path)
        trial.session.faults.rules = FaultRules(try FaultFile.rules(Array("- {every: 4, status: 503}".utf8)))
        _ = try trial.session.answers(to: [push(), push("[]"), push("no JSON\n", to: "cd34")])
        _ = try trial.session.answers(to: [push(to: "cd34"), push(to: "cd34")])
        trial.session.recordFile = nil
        let kept = try String(contentsOfFile: path, encoding: .utf8)
        let lines = kept.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 7, "\(kept)")
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        let collector = LineCollector()
        let run = Pipeline(configuration)
        // The half line is a record of its own.
        var start = InputPlace()
        let half = Array((lines[0] + "\n").utf8)
        half.withUnsafeBytes { start.advance(by: half.count, in: $0) }
        start.records = 1
        run.name(InputSource(path, from: start))
        try run.process(lines[1...].joined(separator: "\n"), report: collector.add)
        #expect(collector.lines == trial.lines)
        #expect(trial.lines.contains { $0.contains(#""reason":"ServiceUnavailable""#) })
    }

    @Test func `a line has the place of its record in the file, which goes on after an earlier gateway's`() throws {
        let path = NSTemporaryDirectory() + "pushpipe-record-\(UInt64.random(in: .min ... .max)).ndjson"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("{}\n{\"device\":\"é".utf8).write(to: URL(fileURLWithPath: path))
        let trial = SessionTrial()
        trial.session.recordFile = try RecordFile(path)
        _ = try trial.session.answers(to: [push(), push("[]")])
        _ = try trial.session.answers(to: [push("[]", to: "cd34")])
        trial.session.recordFile = nil
        let text = try Data(contentsOf: URL(fileURLWithPath: path))
        let starts = [0] + text.indices.filter { text[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        for (line, record) in [(1, 4), (2, 5)] {
            let place = "\"record\":\(record),\"line\":\(record),\"column\":1,\"offset\":\(starts[record - 1])}"
            #expect(trial.lines[line].contains(place), "\(trial.lines[line])")
        }
        #expect(!trial.lines[0].contains("source"))
    }

    @Test func `a refused request is a record that run refuses in the same way`() throws {
        var composer = RecordComposer()
        composer.appendAPNs(push(), device: "ab12", refusal: .expiredProviderToken)
        let record = String(decoding: composer.lines.bytes, as: UTF8.self)
        var outcomes: [String] = []
        try Pipeline().process(record) { outcomes.append("\($0.outcome) \($0.status ?? 0) \($0.reason ?? "")") }
        #expect(outcomes == ["rejected 403 ExpiredProviderToken"])
    }
}
