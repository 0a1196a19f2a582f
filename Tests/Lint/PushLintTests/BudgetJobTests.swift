import Foundation
import PushDecoding
import PushModel
import Testing

@testable import PushLint
@testable import PushLintFiles

/// The budget report.
struct BudgetJobTests {
    private func report(_ text: String, _ change: (inout LintJob) -> Void = { _ in }) throws -> JobOutput {
        var job = LintJob([nil])
        job.configuration = .none
        change(&job)
        return try job.run(CollectedStreams(input: text), budgets: true)
    }

    @Test func `a report shows remaining bytes, a bar for each member, and possible savings`() throws {
        let text = #"{"aps":{"alert":{"body":"Caf\u00e9"}}, "id":7}"#
        let output = try report(text)
        #expect(output.outcome == LintJob.Outcome())
        let bytes = text.utf8.count
        #expect(output.lines.first == "<stdin>:1: apns, \(bytes) of 4096 bytes, \(4096 - bytes) left")
        let names = output.lines.dropFirst().prefix(5).compactMap { $0.split(separator: " ").last }
        #expect(names == ["aps", "alert", "body", "id", "space)"])
        #expect(output.results.contains("█"))
        #expect(output.results.contains("on one line 1 byte fewer"))
        #expect(output.results.contains("with UTF-8 in place of escapes 4 bytes fewer"))
    }

    @Test func `a message over its limit is an error`() throws {
        let text = #"{"aps":{"alert":"\#(String(repeating: "x", count: 300))"}}"#
        let output = try report(text) { $0.options.decoding.budget = Budget(parsing: "256") }
        #expect(output.outcome.errors == 1)
        #expect(output.lines.first?.hasSuffix("\(text.utf8.count - 256) too many") == true)
    }

    @Test func `concise, each message is one line, with its size first`() throws {
        let long = #"{"aps":{"alert":"\#(String(repeating: "x", count: 300))"}}"#
        let output = try report("\n{\"aps\":{\"alert\":\"Hi\"}}\n\(long)\n") {
            $0.format = .concise
            $0.options.decoding.budget = Budget(parsing: "256")
        }
        #expect(
            output.lines == ["   22 of 256  <stdin>:2", "  320 of 256  <stdin>:3  64 too many; /aps/alert has 310"])
        #expect(output.outcome.errors == 1)
    }

    private struct Line: Decodable {
        struct Member: Decodable { var pointer: String }
        var line: Int
        var bytes: Int
        var members: [Member]
    }

    @Test func `as JSON each message is a line with its position in the file`() throws {
        let text = "\n{\"aps\":{\"alert\":\"Hi\"}}\n{\"to\":\"a1\",\"data\":{\"n\":\"1\"}}\n"
        let lines = try report(text) { $0.format = .ndjson }.lines
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.line) == [2, 3])
        #expect(lines.map(\.bytes) == [22, 2])
        #expect(lines.first?.members.map(\.pointer) == ["/aps", "/aps/alert"])
    }

    @Test func `unmeasurable records are noted, and the rest is measured`() throws {
        let output = try report("{\"a\":1}\n{\"aps\":{\"alert\":\"Hi\"}}\n")
        #expect(output.notes.contains("no message to measure"))
        #expect(!output.outcome.isEmpty)
    }

    @Test func `if no record can be measured, nothing was checked`() throws {
        let output = try report("{\"aps\":\n")
        #expect(output.outcome.isEmpty)
        #expect(output.notes.contains("nothing to check: no message to measure in"))
    }
}
