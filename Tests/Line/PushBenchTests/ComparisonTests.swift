import PushSystem
import PushText
import TestSupport
import Testing

@testable import PushBench

/// Results with made-up samples.
enum MadeUp {
    static let machine = Machine(processor: "Pencil", cores: 2, memoryBytes: 8 << 30, system: "Paper 1.0 a4")

    /// Samples of a hundred records each, in seconds: with 1 second, a record takes 10 ms.
    static func result(
        _ seconds: [Double], deliver: Double = 0.5, records: UInt64 = 100, recordBytes: UInt64 = 400,
        digest: String = "d", passes: Int = 1,
        machine: Machine = machine, options: [String] = ["--jobs", "2"], latency: [Double] = [1000],
        peakMemoryBytes: Int? = 10 << 20
    ) throws -> BenchmarkResult {
        let samples = seconds.map {
            BenchmarkResult.Sample(
                seconds: $0, processorSeconds: $0 / 2,
                stages: ["decode": $0 * (1 - deliver), "deliver": $0 * deliver, "wait": 0])
        }
        return try #require(
            BenchmarkResult(
                version: "1.2.3", time: "2026-11-22T12:00:00Z", machine: machine,
                input: .init(names: ["traffic.ndjson"], records: records, bytes: records * recordBytes, digest: digest),
                options: options, warmups: 1, stageNames: ["decode", "wait", "deliver"],
                BenchmarkRunner.Measurements(
                    samples: samples, passes: passes, records: records,
                    outcomes: ["delivered": records - 1, "rejected": 1], peakMemoryBytes: peakMemoryBytes,
                    latency: LatencyPercentiles(nanoseconds: latency))))
    }
}

@Suite struct ComparisonTests {
    private func compare(_ baseline: [Double], _ current: [Double]) throws -> BenchmarkComparison {
        try #require(
            BenchmarkComparison(baseline: try MadeUp.result(baseline), current: try MadeUp.result(current)))
    }

    @Test func `rates and times per record follow from the samples`() throws {
        let result = try MadeUp.result([1, 2, 4], passes: 2)
        // 200 records and 80,000 bytes in a sample.
        #expect(result.recordsPerSecond.median == 100)
        #expect((result.recordsPerSecond.minimum, result.recordsPerSecond.maximum) == (50, 200))
        #expect(result.megabytesPerSecond.median == 0.04)
        #expect(result.perRecord.wall.median == 10_000_000)
        #expect(result.perRecord.processor.median == 5_000_000)
        // A stage without time is left out.
        #expect(result.perRecord.stages.map(\.name) == ["decode", "deliver"])
        #expect(result.perRecord.stages.map(\.nanoseconds.median) == [5_000_000, 5_000_000])
    }

    @Test func `a change of steady samples is one`() throws {
        let slower = try compare([1, 1, 1, 1, 1], [1.1, 1.1, 1.1, 1.1, 1.1])
        #expect(slower.time.verdict == .more)
        #expect(abs(slower.time.change - 0.1) < 1e-12)
        #expect(slower.time.noise == 0.01)
        #expect(BenchmarkText.sentence(slower.time) == "10.0 % slower, 10.0 times the noise (1.0 %)")
        let faster = try compare([1, 1, 1, 1, 1], [0.8, 0.8, 0.8, 0.8, 0.8])
        #expect(faster.time.verdict == .less)
        #expect(BenchmarkText.sentence(faster.time) == "20.0 % faster, 25.0 times the noise (1.0 %)")
    }

    @Test func `less than one percent is no change`() throws {
        let comparison = try compare([1, 1, 1], [1.009, 1.009, 1.009])
        #expect(comparison.time.verdict == .unchanged)
        #expect(BenchmarkText.sentence(comparison.time) == "no change beyond noise (+0.9 %, noise 1.0 %)")
    }

    /// The medians of five values range over all of them, so ratios of medians range from 0.8 / 1.2 to 1.2 / 0.8.
    @Test func `the same change of unsteady samples is noise`() throws {
        let comparison = try compare([0.8, 0.9, 1, 1.1, 1.2], [0.88, 0.99, 1.1, 1.21, 1.32])
        #expect(abs(comparison.time.change - 0.1) < 1e-12)
        #expect((0.15...0.6).contains(comparison.time.noise))
        #expect(comparison.time.verdict == .unchanged)
    }

    @Test func `a change of many times is one however unsteady the samples are`() throws {
        let slower = try compare([1, 1.5, 2], [1000, 1500, 2000])
        #expect(slower.time.verdict == .more)
        #expect(BenchmarkText.sentence(slower.time).hasPrefix("× 1,000 slower, "))
        #expect(try compare([1000, 1500, 2000], [1, 1.5, 2]).time.verdict == .less)
    }

    @Test func `more samples make less noise`() throws {
        let few = [0.8, 0.9, 1, 1.1, 1.2]
        let many = (0..<Effort.rounds(20, fast: 5)).flatMap { _ in few }
        #expect(try compare(many, many).time.noise < compare(few, few).time.noise)
    }

    @Test func `a regression is larger than the limit and than the noise`() throws {
        let steady = try compare([1, 1, 1], [1.1, 1.1, 1.1])
        #expect(steady.isRegression(beyondPercent: 5))
        #expect(!steady.isRegression(beyondPercent: 15))
        let unsteady = try compare([0.8, 0.9, 1, 1.1, 1.2], [0.88, 0.99, 1.1, 1.21, 1.32])
        #expect(!unsteady.isRegression(beyondPercent: 5))
        #expect(!(try compare([1, 1, 1], [0.5, 0.5, 0.5])).isRegression(beyondPercent: 0))
        // The limit is within the noise of the change.
        let uncertain = try compare([1, 1.02, 1.04], [1.13, 1.15, 1.17])
        #expect(uncertain.time.verdict == .more)
        #expect(uncertain.isRegression(beyondPercent: 5) && !uncertain.isRegression(beyondPercent: 12))
    }

    @Test func `noise that hides a regression is told`() throws {
        let steady = try compare([1, 1, 1], [1.001, 1.001, 1.001])
        #expect(try compare([1, 1.02, 1.04], [1.03, 1.05, 1.07]).blindness(to: 1) != nil)
        #expect(try compare([1, 1, 1], [0.5, 0.5, 0.5]).blindness(to: 0.9) == nil)
        #expect(steady.blindness(to: 1) == nil)
        #expect(steady.blindness(to: 0.9)?.hasPrefix("the noise (1.0 %) hides a regression of 0.9 %") == true)
        let text = BenchmarkText(style: TextStyle(hasColors: false))
        #expect(text.text(steady, name: "a", limit: 0.9).contains("warning: the noise (1.0 %) hides"))
        #expect(!text.text(steady, name: "a").contains("hides"))
    }

    @Test func `each stage is compared`() throws {
        let comparison = try #require(
            BenchmarkComparison(
                baseline: try MadeUp.result([1, 1, 1], deliver: 0.5),
                current: try MadeUp.result([1, 1, 1], deliver: 0.25)))
        #expect(comparison.time.verdict == .unchanged)
        let stages = comparison.rows.filter(\.isStage)
        #expect(stages.map(\.name) == ["decode", "deliver"])
        #expect(stages.map(\.verdict) == [.more, .less])
        #expect(stages.map(\.change) == [0.5, -0.5])
    }

    @Test func `latency and memory are compared`() throws {
        let comparison = try #require(
            BenchmarkComparison(
                baseline: try MadeUp.result([1, 1, 1], latency: [1000, 1000], peakMemoryBytes: 100),
                current: try MadeUp.result([1, 1, 1], latency: [2000, 2000], peakMemoryBytes: 104)))
        let rows = comparison.rows.suffix(2)
        #expect(rows.map(\.name) == ["latency p50", "peak memory"])
        #expect(rows.first?.change == 1)
        #expect(rows.map(\.verdict) == [.more, .unchanged])
    }

    @Test func `the same input is compared per record alone`() throws {
        #expect(try compare([1, 1, 1], [1, 1, 1]).timePerKiB == nil)
    }

    /// A record has 400 bytes in the baseline: in a second, 100 records are 39.0625 KiB.
    @Test(
        arguments: [
            // Twice the bytes in twice the time: a record takes longer, a byte does not.
            (2.0, 800, 1, 0),
            // In four times the time both do.
            (4, 800, 3, 1),
            // Half the bytes in the same time.
            (1, 200, 0, 1),
        ] as [(Double, UInt64, Double, Double)])
    func `another input is compared per record and per byte`(
        seconds: Double, recordBytes: UInt64, change: Double, changePerKiB: Double
    ) throws {
        let now = try MadeUp.result([seconds, seconds, seconds], recordBytes: recordBytes, digest: "e", passes: 1)
        let comparison = try #require(BenchmarkComparison(baseline: try MadeUp.result([1, 1, 1]), current: now))
        let perKiB = try #require(comparison.timePerKiB)
        #expect(abs(perKiB.baseline - 1e9 / 39.0625) < 1e-3)
        #expect(abs(comparison.time.change - change) < 1e-12)
        #expect(abs(perKiB.change - changePerKiB) < 1e-12)
        #expect(
            comparison.doubts == [
                "the input differs: 100 records, 40,000 bytes in the baseline; 100 records, "
                    + "\(recordBytes == 800 ? "80,000" : "20,000") bytes now"
            ])
        // Larger records may take longer, and smaller ones more for each byte.
        #expect(comparison.isRegression(beyondPercent: 10) == (change > 0 && changePerKiB > 0))
    }

    @Test func `the same bytes in other records are another input`() throws {
        let baseline = try MadeUp.result([1, 1, 1])
        let now = try MadeUp.result([1, 1, 1], records: 1, recordBytes: 40_000, passes: 4)
        let comparison = try #require(BenchmarkComparison(baseline: baseline, current: now))
        #expect(
            comparison.doubts == [
                "the input differs: 100 records, 40,000 bytes in the baseline; 1 record, 40,000 bytes now"
            ])
    }

    @Test func `another machine and other options are doubts`() throws {
        let result = try MadeUp.result([1, 1, 1])
        var machine = MadeUp.machine
        machine.cores = 64
        let other = try MadeUp.result([1, 1, 1], passes: 4, machine: machine, options: ["--jobs", "2", "--fit"])
        let comparison = try #require(BenchmarkComparison(baseline: other, current: result))
        #expect(
            comparison.doubts == [
                "the baseline was measured on another machine: Pencil, 64 cores, 8.00 GiB, Paper 1.0 a4",
                "options differ: --fit in the baseline, none now",
                "passes per sample differ: 4 in the baseline, 1 now",
            ])
        #expect(try compare([1, 1, 1], [1, 1, 1]).doubts.isEmpty)
    }

    @Test(
        arguments: [
            // The order of options means nothing.
            ("--jobs 2 --fit --store a.db", "--store a.db --jobs 2 --fit", nil),
            ("--jobs 2", "--jobs 2 --rules", "none in the baseline, --rules now"),
            ("--jobs 1 --fit", "--jobs 2 --fit", "--jobs 1 in the baseline, --jobs 2 now"),
            (
                "--jobs 2 --store a.db --fit", "--jobs 2 --store b.db",
                "--store a.db --fit in the baseline, --store b.db now"
            ),
        ] as [(String, String, String?)])
    func `only options that differ are named`(before: String, now: String, difference: String?) throws {
        let results = try [before, now].map { options in
            try MadeUp.result([1, 1, 1], options: options.split(separator: " ").map(String.init))
        }
        let comparison = try #require(BenchmarkComparison(baseline: results[0], current: results[1]))
        #expect(comparison.doubts == (difference.map { ["options differ: \($0)"] } ?? []))
    }
}
