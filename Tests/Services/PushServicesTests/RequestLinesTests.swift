import PushJSON
import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Which report lines belong to which request.
struct RequestLinesTests {
    /// Each line of a body is a record, and the answer says which lines it is told about.
    private final class EchoService: GatewayService {
        override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
            for line in request.body.split(separator: UInt8(ascii: "\n")) {
                BorrowedText.with(String(decoding: line, as: UTF8.self)) { records.append(record: $0) }
            }
            return request.path == "/answered" ? .answer(GatewayAnswer(status: 204)) : .report(Echo())
        }
    }

    private struct Echo: AnswerDraft {
        private var lines: [String] = []

        mutating func add(_ line: borrowing RecordReport, record: Int) {
            lines.append("\(record): \(line.seq) \(line.outcome)")
        }

        mutating func addConsequence(_ line: borrowing RecordReport) {
            lines.append("\(line.seq) \(line.outcome) \(line.message.device.string)")
        }

        func answer() -> GatewayAnswer {
            GatewayAnswer(status: 200, body: Array(lines.joined(separator: "\n").utf8))
        }
    }

    private static func push(to device: String, expiration: String = "") -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.app"\#(expiration)},"payload":{"aps":{"alert":"Hi"}}}"#
    }

    private static func switchOn(_ isOnline: Bool) -> String {
        #"{"event":"device","device":"ab12","online":\#(isOnline)}"#
    }

    /// - Parameter mostConsequences: the pipeline's, by which records are divided among transactions.
    private func trial(mostConsequences: Int = .max) -> SessionTrial {
        let trial = SessionTrial(services: [EchoService()]) {
            // The eighth record comes at 1700000000 s.
            $0.clock = .fixed(milliseconds: 1_699_999_999_993)
        }
        trial.pipeline.mostConsequences = mostConsequences
        return trial
    }

    /// The lines of each request.
    private func lines(_ requests: [(path: String, records: [String])], _ trial: SessionTrial) throws -> [[String]] {
        let requests = requests.map {
            GatewayRequest(method: "POST", path: $0.path, body: Array($0.records.joined(separator: "\n").utf8))
        }
        return try trial.session.answers(to: requests).map { $0.text.split(separator: "\n").map(String.init) }
    }

    @Test func `requests with no line, one and several get their own`() throws {
        let trial = trial()
        let two = #"{"registration_ids":["one","two"],"data":{"a":"b"}}"#
        let one = Self.push(to: "ab12")
        let requests: [(String, [String])] = [
            ("/", []), ("/", [two]), ("/answered", [one]), ("/", [one, "nonsense", two]), ("/", []), ("/", [one]),
        ]
        #expect(
            try lines(requests, trial) == [
                [], ["0: 1 silent", "0: 1 silent"], [],
                ["0: 3 delivered", "1: 4 malformed", "2: 5 silent", "2: 5 silent"], [], ["0: 6 delivered"],
            ])
        // The numbers go on, and the places of the next part begin anew.
        #expect(
            try lines([("/answered", [one]), ("/", [one, one])], trial)
                == [[], ["0: 8 delivered", "1: 9 delivered"]])
        #expect(trial.lines.count == 11)
    }

    @Test(arguments: [0, 1, .max])
    func `what a record brings about belongs to its request`(mostConsequences: Int) throws {
        let topic = #"{"message":{"topic":"news","notification":{"body":"Hi"}}}"#
        let subscriptions = ["one", "two"].map { #"{"event":"subscribe","device":"\#($0)","topic":"news"}"# }
        let requests: [(String, [String])] = [
            ("/", subscriptions), ("/", [topic, Self.switchOn(false)]),
            ("/", [Self.push(to: "ab12", expiration: #","apns-expiration":"1700000000""#), Self.push(to: "cd34")]),
            ("/answered", [Self.push(to: "cd34")]),
            // What time brings about comes before the record at whose time it happens.
            ("/", [Self.push(to: "ab12")]), ("/", []), ("/", [Self.switchOn(true), Self.push(to: "ab12")]),
        ]
        #expect(
            try lines(requests, trial(mostConsequences: mostConsequences)) == [
                ["0: 1 applied", "1: 2 applied"],
                ["0: 3 fanned-out", "3 delivered one", "3 delivered two", "1: 4 applied"],
                ["0: 5 held", "1: 6 delivered"], [], ["8 expired ab12", "0: 8 held"], [],
                ["0: 9 applied", "9 delivered ab12", "1: 10 delivered"],
            ])
    }
}
