import Foundation
import PushFraming
import PushJSON
import PushModel
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// Texts that are linted as they arrive.
struct StreamTests {
    private func run(
        _ text: [UInt8], pieces: Int, pauses: Bool = false, _ change: (inout LintJob) -> Void = { _ in }
    ) throws -> (JobOutput, CollectedStreams) {
        var job = LintJob([nil])
        job.configuration = .none
        job.options.severity = .info
        change(&job)
        let cut = stride(from: 0, to: text.count, by: pieces).map { Array(text[$0..<min($0 + pieces, text.count)]) }
        let streams = CollectedStreams(pieces: cut, pauses: pauses)
        return (try job.run(streams), streams)
    }

    private func lines(_ records: [String]) -> [UInt8] { Array((records.joined(separator: "\n") + "\n").utf8) }

    // MARK: - Promptness

    @Test func `a finding is written when the input pauses`() throws {
        let record = Payload.misspelled + "\n"
        let (output, streams) = try run(Array((record + record).utf8), pieces: record.utf8.count, pauses: true) {
            $0.format = .ndjson
        }
        #expect(streams.atPauses.map { $0.lines.count } == [0, 1, 2])
        #expect(output.lines.count == 2)
        #expect(try output.findings().map(\.record) == [1, 2])
    }

    @Test func `a broken record waits for what may continue it`() throws {
        let first = Payload.good + "\n{\"aps\":{\"alert\":1\n"
        let text = first + Payload.good + "\n"
        let (_, streams) = try run(Array(text.utf8), pieces: first.utf8.count, pauses: true) { $0.format = .ndjson }
        #expect(streams.atPauses.map { $0.contains("json.") } == [false, false, true])
        // With a framing that never joins lines it does not wait.
        let (_, lines) = try run(Array(text.utf8), pieces: first.utf8.count, pauses: true) {
            $0.format = .ndjson
            $0.options.framing = .ndjson
        }
        #expect(lines.atPauses.map { $0.contains("json.") } == [false, true, true])
    }

    @Test func `a job that is stopped leaves most of what it has read, if that is many records`() throws {
        var job = LintJob([nil])
        job.configuration = .none
        job.format = .concise
        let streams = CollectedStreams(pieces: [Array(String(repeating: "{}\n", count: 60_000).utf8)], pauses: false)
        streams.stopsAtEnd = true
        let records = try #require(try job.run(streams).outcome.stop?.records)
        #expect(records > 0 && records <= 2 * TextCutter.mostRecords)
    }

    @Test func `a job that is stopped reports what it has read, and where it stopped`() throws {
        var job = LintJob([nil])
        job.configuration = .none
        job.format = .sarif
        let streams = CollectedStreams(pieces: [lines([Payload.misspelled, Payload.good]) + [0x7B]], pauses: false)
        streams.stopsAtEnd = true
        let output = try job.run(streams)
        #expect(output.outcome.stop == LintJob.Stop(input: "<stdin>", records: 2))
        #expect(output.outcome.errors == 1)
        #expect(!output.outcome.hasUnreadable)
        #expect(output.results.contains("\"executionSuccessful\" : false"))
        #expect(output.results.contains("<stdin>: stopped after record 2"))
    }

    // MARK: - The same output, however bytes arrive

    /// Texts whose records, lines and characters are easily torn apart.
    private static let texts: [[UInt8]] = [
        Array(
            "\u{FEFF}{\"aps\":{\"alert\":\"Größe 日本 👍🏽\",\"mutable_content\":1}}\r\n\r\n{\"aps\":{\"badge\":\"1\"}}".utf8
        ),
        Array(String(repeating: "{\"aps\":{\"alert\":\"日本\",\"mutable_content\":1}} ", count: 40).utf8),
        Array(
            "{\n  \"aps\": {\n    \"alert\": \"x\n  }\n}\n{\n \"aps\": { 'alert': 1 }\n}\n}\n]\n{\"aps\":\n{\"badge\":-1}}"
                .utf8),
        Array("{\"aps\":{\"alert\":\"é".utf8) + [0xFF, 0xE6, 0x97] + Array("\"}}\n\u{85}x\n".utf8),
        Array("{\"aps\":{\"alert\":\"".utf8) + Array(repeating: 0xE6, count: 300)
            + Array("\"}}\n{\"aps\":{\"badge\":\"1\"}}".utf8),
        Array("// A comment\n{'aps':{}}\n{'aps':{}}\nrubbish\n{\"aps\":\n".utf8),
        Array(" \n\n \t".utf8), [],
    ]

    @Test(arguments: texts.indices, LintReport.Format.allCases)
    func `the report does not depend on how the input arrives`(index: Int, format: LintReport.Format) throws {
        let text = Self.texts[index]
        for limit in [1 << 20, 60] {
            let whole = try run(text, pieces: max(text.count, 1)) {
                $0.format = format
                $0.options.maximumRecordBytes = limit
            }.0
            for size in [1, 2, 3, 7, 64] {
                let output = try run(text, pieces: size) {
                    $0.format = format
                    $0.options.maximumRecordBytes = limit
                    $0.jobs = size % 4
                }.0
                #expect(output.results == whole.results, "pieces of \(size), limit \(limit)")
                #expect(output.notes == whole.notes)
            }
        }
    }

    @Test func `a stream has the findings that its text has as a whole`() throws {
        let text = Self.texts.reduce([], +)
        var configuration = LintConfiguration()
        configuration.severity = .info
        let file = LintedFile(
            name: "<stdin>", bytes: text, diagnostics: TextLinter(configuration).lint(text).diagnostics)
        for format in LintReport.Format.allCases {
            var report = LintReport(format)
            let expected = report.add(file) + report.finish()
            #expect(try run(text, pieces: 50) { $0.format = format }.0.results == expected)
        }
    }

    @Test(arguments: [1, 2, 5]) func `findings come in order, whatever the number of jobs`(jobs: Int) throws {
        // Several parts.
        let count = 20_000
        let text = lines((0..<count).map { $0 % 100 == 7 ? Payload.misspelled : Payload.good })
        let output = try run(text, pieces: 100_000) {
            $0.jobs = jobs
            $0.format = .ndjson
        }.0
        #expect(try output.findings().map(\.record) == stride(from: 8, through: count, by: 100).map(\.self))
        #expect(try output.findings().map(\.line) == stride(from: 8, through: count, by: 100).map(\.self))
    }

    // MARK: - Memory

    @Test func `a part has so many records at most, however small they are`() {
        let most = TextCutter.mostRecords
        var cutter = TextCutter(RecordCutter(framing: .auto, maximumRecordBytes: 1 << 20), margin: 500)
        cutter.append(Array(String(repeating: "{}", count: 2 * most + 10).utf8)[...])
        var parts: [Int] = []
        repeat {
            guard let part = cutter.cut(isEnd: true, isPaused: false) else { break }
            #expect(part.firstRecord == parts.reduce(1, +))
            parts.append(part.pieces.count)
        } while cutter.isNextReady
        #expect(parts == [most, most, 10] && cutter.records == 2 * most + 10)
    }

    /// Feeds the same bytes over and over, and returns the most bytes that were kept.
    private func mostKept(_ piece: [UInt8], times: Int, framing: RecordCutter, isPaused: Bool = false) -> Int {
        var cutter = TextCutter(framing, margin: 500)
        var most = 0
        for _ in 0..<times {
            cutter.append(piece[...])
            _ = cutter.cut(isEnd: false, isPaused: isPaused)
            most = max(most, cutter.kept)
        }
        #expect(cutter.length == piece.count * times)
        return most
    }

    private static let endless = [
        "{\"aps\":{\"alert\":\"Hi\"}}\n", "{\"aps\":{\"alert\":\"Hi\"}}", "{\"a\":\n", "\"", "{", "\n", " \t", "\0",
        "}\n", "[",
        "x", "//\n", "日", "\u{1E}",
    ]

    @Test(arguments: Effort.some(endless, fast: 3))
    func `an endless input needs no more memory than two records`(text: String) {
        let limit = 1000
        let piece = Array(repeating: Array(text.utf8), count: 100).flatMap(\.self)
        let bound = 2 * limit + 1000 + 2 * piece.count
        for framing in [Framing.auto, .ndjson, .json, .seq, .nul] {
            let cutter = RecordCutter(framing: framing, maximumRecordBytes: limit)
            #expect(mostKept(piece, times: 300, framing: cutter) <= bound, "\(framing)")
            #expect(mostKept(piece, times: 300, framing: cutter, isPaused: true) <= bound, "\(framing), with pauses")
        }
    }

    // MARK: - JSON

    private struct Sample: Encodable {
        var empty: [Int] = []
        var flag = true
        var list: [String]
        var nested: [String: Int] = ["a": -1]
    }

    @Test func `indented JSON is laid out as Foundation does it`() throws {
        let texts = ["a/b", "\u{1}\u{1F}\u{7F}\u{85}\u{2028}", "\"\\\u{8}\u{C}\n\r\t", "é 日本 👍🏽", ""]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let expected = String(decoding: try encoder.encode(Sample(list: texts)), as: UTF8.self) + "\n"
        let json = JSONValue.members([
            "empty": [], "flag": true, "list": .array(texts.map { .string($0) }), "nested": .members(["a": -1]),
        ])
        var out = ByteBuffer()
        out.appendLines(json, depth: 0)
        out.append("\n")
        #expect(String(decoding: out.bytes, as: UTF8.self) == expected)
    }
}
