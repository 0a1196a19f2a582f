import PushJSON
import Testing

@testable import PushDecoding
@testable import PushModel

/// Findings about the messages of a record can come in any order, and there may be as many as a record has bytes.
struct FindingOrderTests {
    private static func finding(_ number: Int) -> Finding {
        Finding(rule: "test.order", severity: .info, pointer: "", message: "\(number)")
    }

    @Test func `findings stand by message, whatever order they are found in`() {
        var batch = MessageBatch()
        for record in 0..<3 { batch.append(DecodedMessage(record: record, device: .empty)) }
        for (number, message) in [2, 0, 1, 0, 2, 0].enumerated() {
            batch.report(Self.finding(number), message: message)
        }
        #expect(batch.findings.map(\.message) == [0, 0, 0, 1, 2, 2])
        #expect(batch.findings.map(\.finding.message) == ["1", "3", "5", "2", "0", "4"])
    }

    @Test func `63 findings about a message are kept and one for a refusal, in any order`() {
        var batch = MessageBatch()
        for record in 0..<2 { batch.append(DecodedMessage(record: record, device: .empty)) }
        for number in 0..<70 {
            batch.report(Self.finding(number), message: 1)
            batch.report(Self.finding(number), message: 0)
        }
        for index in 0..<2 { batch.reject(.badDeviceToken, pointer: "", message: index) }
        for index in 0..<2 {
            let kept = batch.findings.filter { $0.message == index }.map(\.finding)
            #expect(kept.count == Finding.maximumPerRecord)
            #expect(kept.last?.rule == Rejection.badDeviceToken.rule)
        }
    }

    @Test func `messages that are taken back take their findings along`() {
        var batch = MessageBatch()
        for record in 0..<3 {
            batch.append(DecodedMessage(record: record, device: .empty))
            for number in 0..<70 { batch.report(Self.finding(number), message: record) }
        }
        batch.removeMessages(from: 1)
        #expect(batch.findings.count == 63)
        batch.append(DecodedMessage(record: 1, device: .empty))
        batch.report(Self.finding(0), message: 1)
        #expect(batch.findings.last?.message == 1)
        batch.removeAll()
        #expect(batch.findings.isEmpty)
    }

    // Inserting findings one by one took a minute for a record of 140 KB, and an hour for one of 1 MiB.
    @Test func `every other target refused while it is read, and the others later, take no more than a sort`() {
        let count = 60_000
        let targets = (0..<count / 2).map { _ in "0,\"x\"" }.joined(separator: ",")
        let text = #"{"messageType":"checkEchoV1","topic":"a.b","deviceTokens":[\#(targets)]}"#
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        Array(text.utf8).withUnsafeBytes { bytes in
            decoder.decode(bytes, record: 0, into: &batch)
            for index in batch.messages.indices { Acceptance(budget: nil).check(index, in: &batch) }
        }
        #expect(batch.messages.count == count)
        #expect(batch.findings.map(\.message) == Array(0..<count))
    }

    @Test func `a message is one line, whatever a name holds`() {
        for lineBreak in ["\n", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}"] {
            var batch = MessageBatch()
            batch.append(DecodedMessage(record: 0, device: .empty))
            var finding = Self.finding(0)
            finding.message = "a\(lineBreak)b é"
            batch.report(finding, message: 0)
            batch.append(DecodeFailure(rule: "test.order", message: "a\(lineBreak)b"), record: 1)
            #expect(batch.findings.first?.finding.message == "a b é")
            #expect(batch.decodeFailures.first?.decodeFailure.message == "a b")
        }
    }
}
