import Foundation
import PushPipeline
import ServiceTestSupport
import TestSupport
import Testing

@testable import PushServices

/// A request with many consequences is run in pieces, and others are answered between them.
struct RequestTurnsTests {
    private let subscribers = 3
    private let trial = SessionTrial.withAPI { $0.clock = .fixed(milliseconds: 0) }

    /// Each message to the topic has three consequences.
    private func begin(mostConsequences: Int) throws {
        let devices = (0..<subscribers).map {
            #"{"event":"device","device":"d\#($0)","platform":"android","topics":["a"]}"#
        }
        #expect(try trial.answer(records(devices)).status == 200)
        trial.pipeline.mostConsequences = mostConsequences
    }

    private func records(_ lines: [String], connection: UInt64 = 1) -> GatewayRequest {
        sent(
            GatewayRequest(method: "POST", path: "/api/v1/records", body: Array(lines.joined(separator: "\n").utf8)),
            connection)
    }

    private func messages(_ count: Int, connection: UInt64 = 1) -> GatewayRequest {
        records(
            (0..<count).map { #"{"message":{"topic":"a","notification":{"title":"\#($0)"}}}"# }, connection: connection)
    }

    private func sent(_ request: GatewayRequest, _ connection: UInt64) -> GatewayRequest {
        var request = request
        request.sender = RequestSender(connection: connection)
        return request
    }

    /// The numbers of the answered requests, from 0, for each call.
    private func turns(_ groups: [[GatewayRequest]]) throws -> [[Int]] {
        let first = trial.session.nextTicket
        var turns: [[Int]] = []
        for group in groups { turns.append(try trial.session.advance(adding: group).map { $0.ticket - first }) }
        while trial.session.isBusy { turns.append(try trial.session.advance(adding: []).map { $0.ticket - first }) }
        return turns
    }

    @Test func `another client is answered after the first piece`() throws {
        try begin(mostConsequences: 1)
        #expect(try turns([[messages(3), sent(push(), 2)]]) == [[], [1], [], [0]])
    }

    /// A turn has 4096 records at most, whatever follows from them.
    @Test func `so it is after the first records of many`() throws {
        let many = records(Array(repeating: #"{"event":"clock","advance":0}"#, count: 4100))
        #expect(try turns([[many, sent(push(), 2)]]) == [[], [1], [0]])
        #expect(trial.lines.count == 4101)
    }

    @Test func `a client that comes later is answered at once`() throws {
        try begin(mostConsequences: 1)
        #expect(try turns([[messages(4)], [sent(push(), 2)]]) == [[], [1], [], [], [0]])
    }

    @Test func `the requests of one client keep their order`() throws {
        try begin(mostConsequences: 1)
        #expect(try turns([[messages(2), sent(push(), 1)]]).flatMap(\.self) == [0, 1])
        #expect(try turns([[messages(3)], [sent(push(), 1), sent(push(), 2)]]).flatMap(\.self) == [2, 0, 1])
    }

    /// Otherwise others could keep it from ever being answered.
    @Test func `it has its own turn among others`() throws {
        try begin(mostConsequences: 1)
        let others = (0..<20).map { [sent(push(), UInt64($0) + 2)] }
        let answered = try turns([[messages(3)]] + others).flatMap(\.self)
        #expect(answered.count == 21)
        #expect(answered.last != 0)
    }

    @Test func `several such clients take turns`() throws {
        try begin(mostConsequences: 1)
        let answered = try turns([[messages(4, connection: 1), messages(1, connection: 2), messages(2, connection: 3)]])
        #expect(answered.flatMap(\.self) == [1, 2, 0])
    }

    /// A message to the topic has three consequences.
    @Test(arguments: [(3, [[], [0]]), (4, [[0]])])
    func `a piece ends with the record that reaches the limit`(limit: Int, expected: [[Int]]) throws {
        try begin(mostConsequences: limit)
        #expect(try turns([[messages(2)]]) == expected)
    }

    /// Four times a thousand have 3996 commas, and five times 4995.
    @Test(arguments: [(5, [[0], [1]]), (4, [[0, 1]])])
    func `so do records with many targets`(count: Int, expected: [[Int]]) throws {
        let tokens = (0..<1000).map { #""t\#($0)""# }.joined(separator: ",")
        let record = #"{"registration_ids":[\#(tokens)],"data":{"a":"b"}}"#
        let found = try turns([[records(Array(repeating: record, count: count)), sent(push(), 1)]])
        #expect(found == expected)
        #expect(trial.lines.count == 1000 * count + 1)
    }

    @Test func `the pieces give the lines, the answer and the recording of the whole`() throws {
        let folder = try TestFolder()
        func outcome(_ most: Int, _ name: String) throws -> (lines: [String], answer: GatewayAnswer, recorded: Data) {
            let tests = RequestTurnsTests()
            try tests.begin(mostConsequences: most)
            tests.trial.session.recordFile = try RecordFile(folder.path(name))
            let answer = try tests.trial.answer(tests.messages(7))
            return (tests.trial.lines, answer, try Data(contentsOf: URL(filePath: folder.path(name))))
        }
        let whole = try outcome(.max, "whole")
        let pieces = try outcome(1, "pieces")
        #expect(whole.lines.count == subscribers + 7 * (1 + subscribers))
        #expect(pieces.lines == whole.lines)
        #expect(pieces.answer == whole.answer)
        #expect(pieces.recorded == whole.recorded)
        #expect(String(decoding: whole.recorded, as: UTF8.self).split(separator: "\n").count == 7)
    }

    @Test func `what needs no records is answered at once`() throws {
        try begin(mostConsequences: 1)
        let health = sent(GatewayRequest(method: "GET", path: "/healthz"), 1)
        #expect(try turns([[messages(2), health]]) == [[1], [0]])
    }
}
