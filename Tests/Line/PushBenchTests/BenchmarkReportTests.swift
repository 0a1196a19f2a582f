import Foundation
import PushBench
import PushSystem
import PushText
import Testing

@Suite struct BenchmarkReportTests {
    private let plain = BenchmarkText(style: TextStyle(hasColors: false))

    @Test func `a result as text`() throws {
        let text = plain.text(try MadeUp.result([0.001, 0.001, 0.001], latency: (1...1000).map { Double($0) * 10 }))
        #expect(
            text == """
                pushpipe 1.2.3 on Pencil, 2 cores, 8.00 GiB, Paper 1.0 a4
                traffic.ndjson: 100 records, 40,000 bytes
                1 warm-up, 3 samples of one pass, --jobs 2

                                         median          95 % of medians     lowest    highest
                records/s               100,000        100,000 - 100,000    100,000    100,000
                MB/s                       40.0              40.0 - 40.0       40.0       40.0
                time per record         10.0 µs        10.0 µs - 10.0 µs    10.0 µs    10.0 µs
                CPU time per record     5.00 µs        5.00 µs - 5.00 µs    5.00 µs    5.00 µs

                stage                per record   share
                decode                  5.00 µs    50 %
                deliver                 5.00 µs    50 %

                latency of a record that arrives alone, of 1,000
                  p50 5.00 µs   p90 9.00 µs   p99 9.90 µs   p99.9 9.99 µs   max 10.0 µs

                peak memory            10.0 MiB in the first pass
                outcomes               99 delivered, 1 rejected

                """)
    }

    @Test func `a narrow terminal gets the result in its columns`() throws {
        let narrow = BenchmarkText(style: TextStyle(hasColors: true, columns: 60))
        let text = narrow.text(try MadeUp.result([0.001, 0.001, 0.001], latency: (1...1000).map { Double($0) * 10 }))
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { TerminalText.width(ofStyled: $0) <= 60 }, "\(text)")
        #expect(lines.contains { $0.contains("median") && $0.contains("highest") && !$0.contains("95 %") })
        #expect(text.contains("p99.9 9.99 µs") && text.contains("max 10.0 µs"))
    }

    @Test func `a comparison as text`() throws {
        let comparison = try #require(
            BenchmarkComparison(
                baseline: try MadeUp.result([0.001, 0.001, 0.001]),
                current: try MadeUp.result([0.0012, 0.0012, 0.0012], peakMemoryBytes: 5 << 20)))
        #expect(
            plain.text(comparison, name: "before.json") == """

                compared with before.json: pushpipe 1.2.3, 2026-11-22T12:00:00Z
                                        baseline         now      change       noise
                time                     10.0 µs     12.0 µs     +20.0 %       1.0 %  slower
                  decode                 5.00 µs     6.00 µs     +20.0 %       1.0 %  slower
                  deliver                5.00 µs     6.00 µs     +20.0 %       1.0 %  slower
                latency p50              1.00 µs     1.00 µs       0.0 %       1.0 %  no change
                peak memory             10.0 MiB    5.00 MiB     -50.0 %       5.0 %  less

                20.0 % slower, 20.0 times the noise (1.0 %)

                """)
    }

    @Test func `a comparison with other input as text`() throws {
        let comparison = try #require(
            BenchmarkComparison(
                baseline: try MadeUp.result([0.001, 0.001, 0.001]),
                current: try MadeUp.result([0.0012, 0.0012, 0.0012], recordBytes: 480, digest: "e")))
        // 39.0625 KiB take 1 ms, and 46.875 KiB take 1.2 ms.
        #expect(
            plain.text(comparison, name: "before.json") == """

                compared with before.json: pushpipe 1.2.3, 2026-11-22T12:00:00Z
                                        baseline         now      change       noise
                time                     10.0 µs     12.0 µs     +20.0 %       1.0 %  slower
                time per KiB             25.6 µs     25.6 µs       0.0 %       1.0 %  no change
                  decode                 5.00 µs     6.00 µs     +20.0 %       1.0 %  slower
                  deliver                5.00 µs     6.00 µs     +20.0 %       1.0 %  slower
                latency p50              1.00 µs     1.00 µs       0.0 %       1.0 %  no change
                peak memory             10.0 MiB    10.0 MiB       0.0 %       5.0 %  no change
                warning: the input differs: 100 records, 40,000 bytes in the baseline; 100 records, 48,000 bytes now

                per record: 20.0 % slower, 20.0 times the noise (1.0 %)
                per KiB: no change beyond noise (0.0 %, noise 1.0 %)

                """)
    }

    @Test(arguments: [1e-9, 1e-3, 1, 1e9, 1e300])
    func `no line is wider than 80 columns`(seconds: Double) throws {
        let result = try MadeUp.result(
            [seconds, seconds * 1.5, seconds * 2], latency: (1...2000).map { Double($0) * 7e5 })
        var lines = plain.text(result).split(separator: "\n")
        let comparison = try #require(BenchmarkComparison(baseline: result, current: result))
        lines += plain.text(comparison, name: "before.json").split(separator: "\n")
        for line in lines { #expect(TerminalText.width(String(line)) <= 80, "\(line)") }
    }

    @Test func `unsteady samples are called so`() throws {
        #expect(plain.text(try MadeUp.result([1, 2, 3])).contains("The median is uncertain by 100.0 %"))
        #expect(!plain.text(try MadeUp.result([1, 1, 1])).contains("uncertain"))
    }

    @Test func `nothing in a file's name reaches the terminal as it is`() throws {
        var result = try MadeUp.result([1, 1, 1])
        result.input.names = ["\u{1B}[31mred"]
        #expect(!plain.text(result).contains("\u{1B}"))
    }

    @Test func `a result reads what it writes`() throws {
        let result = try MadeUp.result([0.1, 0.25, 1.0 / 3], latency: (1...1000).map(Double.init))
        #expect(try BenchmarkResult(json: result.json()) == result)
    }

    @Test func `the document has the documented members`() throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(MadeUp.result([1, 2, 3]).json())) as? [String: Any])
        #expect(
            document.keys.sorted() == [
                "format", "input", "latency", "machine", "megabytesPerSecond", "options", "outcomes", "passes",
                "peakMemoryBytes", "perRecord", "recordsPerSecond", "samples", "time", "version", "warmups",
            ])
        #expect(document["format"] as? Int == 1)
        let samples = try #require(document["samples"] as? [[String: Any]])
        #expect(samples.map { $0["seconds"] as? Double } == [1, 2, 3])
        let rate = try #require(document["recordsPerSecond"] as? [String: Double])
        #expect(rate.keys.sorted() == ["deviation", "high", "low", "maximum", "median", "minimum"])
        #expect(rate["median"] == 50)
    }

    @Test(arguments: [
        ("", "not a result of pushpipe bench"), ("[]", "not a result of pushpipe bench"),
        ("{\"format\":\"1\"}", "not a result of pushpipe bench"),
        ("{\"format\":2}", "a result in format 2, and this version reads format 1; measure it again"),
        ("{\"format\":1}", "not a complete result of pushpipe bench"),
    ])
    func `a document of another kind is refused`(text: String, reason: String) {
        let error = #expect(throws: PlainError.self) { try BenchmarkResult(json: Array(text.utf8)) }
        #expect(error?.description == reason)
    }

    @Test(arguments: [
        ("\"seconds\" : 1", "\"seconds\" : -1"), ("\"passes\" : 1", "\"passes\" : 0"),
        ("\"records\" : 100", "\"records\" : 0"), ("\"peakMemoryBytes\" : 10485760", "\"peakMemoryBytes\" : -1"),
    ])
    func `a document with impossible numbers is refused`(member: String, other: String) throws {
        let text = String(decoding: try MadeUp.result([1, 1, 1]).json(), as: UTF8.self)
        let changed = text.replacing(member, with: other)
        try #require(changed != text)
        let error = #expect(throws: PlainError.self) { try BenchmarkResult(json: Array(changed.utf8)) }
        #expect(error?.description == "a result whose numbers cannot be measurements")
    }
}
