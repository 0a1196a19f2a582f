import FoundationEssentials
import PushFiles
package import PushSystem

/// Everything about one benchmark: what was measured, where, every sample, and the statistics of them. Also the JSON format.
package struct BenchmarkResult: Sendable, Equatable, Codable {
    /// The version of the JSON format. Members may be added without changing it.
    package static let currentFormat = 1

    package var format = Self.currentFormat
    package var version: String
    /// The time at which it began, in RFC 3339.
    package var time: String
    package var machine: Machine
    package var input: Input
    /// The options that say how records are processed, as typed, beginning with the number of cores.
    package var options: [String]
    /// Passes over the input before the samples.
    package var warmups: Int
    /// Passes over the input per sample: more than 1 for a small input.
    package var passes: Int
    package var samples: [Sample]
    package var perRecord: PerRecord
    package var recordsPerSecond: SampleStatistics
    package var megabytesPerSecond: SampleStatistics
    /// Nil if it was not measured.
    package var latency: LatencyPercentiles?
    /// The most resident memory during the first pass, in bytes; nil if the system does not say.
    package var peakMemoryBytes: Int?
    /// Report lines of the first pass by outcome.
    package var outcomes: [String: UInt64]

    package struct Input: Sendable, Equatable, Codable {
        /// Paths; `-` for standard input.
        package var names: [String]
        package var records: UInt64
        package var bytes: UInt64
        /// FNV-1a over all bytes: the same digest, the same input.
        package var digest: String
    }

    /// One measurement: `passes` passes over the input by a new pipeline with a new store.
    package struct Sample: Sendable, Equatable, Codable {
        package var seconds: Double
        /// Processor time of all cores.
        package var processorSeconds: Double
        /// Seconds by stage. `decode` and `check` are sums over all cores.
        package var stages: [String: Double]
    }

    /// Nanoseconds per record.
    package struct PerRecord: Sendable, Equatable, Codable {
        package var wall: SampleStatistics
        package var processor: SampleStatistics
        package var stages: [Stage]
    }

    package struct Stage: Sendable, Equatable, Codable {
        package var name: String
        package var nanoseconds: SampleStatistics
    }

    /// - Parameters:
    ///   - stageNames: the stages in processing order.
    ///   - measured: has at least one sample.
    /// - Returns: nil without samples or records.
    package init?(
        version: String, time: String, machine: Machine, input: Input, options: [String], warmups: Int,
        stageNames: [String], _ measured: BenchmarkRunner.Measurements
    ) {
        self.version = version
        self.time = time
        self.machine = machine
        self.input = input
        self.options = options
        self.warmups = warmups
        passes = measured.passes
        let samples = measured.samples
        self.samples = samples
        latency = measured.latency
        peakMemoryBytes = measured.peakMemoryBytes
        outcomes = measured.outcomes
        let records = Double(input.records) * Double(passes)
        let bytes = Double(input.bytes) * Double(passes)
        guard records > 0,
            let wall = SampleStatistics(samples.map { $0.seconds * 1e9 / records }),
            let processor = SampleStatistics(samples.map { $0.processorSeconds * 1e9 / records }),
            let recordsPerSecond = SampleStatistics(samples.map { records / $0.seconds }),
            let megabytesPerSecond = SampleStatistics(samples.map { bytes / 1e6 / $0.seconds })
        else { return nil }
        self.recordsPerSecond = recordsPerSecond
        self.megabytesPerSecond = megabytesPerSecond
        let stages = stageNames.compactMap { name in
            SampleStatistics(samples.map { ($0.stages[name] ?? 0) * 1e9 / records })
                .map { Stage(name: name, nanoseconds: $0) }
        }
        // A stage that took no time did not run.
        perRecord = PerRecord(wall: wall, processor: processor, stages: stages.filter { $0.nanoseconds.maximum > 0 })
    }
}

/// How long a record takes that arrives alone: from the bytes that complete it to its report line. In nanoseconds.
package struct LatencyPercentiles: Sendable, Equatable, Codable {
    package var records: Int
    package var p50: Double
    package var p90: Double
    /// Nil for fewer than 100 records.
    package var p99: Double?
    /// Nil for fewer than 1000 records.
    package var p999: Double?
    package var maximum: Double
    /// The p50 of each tenth of the measurement, in the order of time: they say how far it varies.
    package var parts: [Double]

    private static let partCount = 10

    /// - Returns: nil for no values.
    package init?(nanoseconds values: [Double]) {
        let sorted = values.sorted()
        guard let p50 = SampleStatistics.percentile(50, of: sorted),
            let p90 = SampleStatistics.percentile(90, of: sorted), let maximum = sorted.last
        else { return nil }
        records = values.count
        self.p50 = p50
        self.p90 = p90
        self.maximum = maximum
        p99 = values.count < 100 ? nil : SampleStatistics.percentile(99, of: sorted)
        p999 = values.count < 1000 ? nil : SampleStatistics.percentile(99.9, of: sorted)
        let size = max(values.count / Self.partCount, 1)
        parts = stride(from: 0, to: values.count - values.count % size, by: size).compactMap { start in
            SampleStatistics.percentile(50, of: values[start..<start + size].sorted())
        }
    }
}

/// Statistics of repeated measurements of one quantity. Medians, because other programs make a run slower and never faster.
package struct SampleStatistics: Sendable, Equatable, Codable {
    package var median: Double
    package var minimum: Double
    package var maximum: Double
    /// The 95 % interval of the median: what the median of other runs like these would be in 95 of 100 cases.
    package var low: Double
    package var high: Double
    /// Median absolute deviation: the median distance of a value from the median.
    package var deviation: Double

    /// - Parameter values: at least one, none of them NaN.
    /// - Returns: nil for no values.
    package init?(_ values: [Double]) {
        guard let median = Self.median(of: values), let minimum = values.min(), let maximum = values.max(),
            let deviation = Self.median(of: values.map { abs($0 - median) })
        else { return nil }
        self.median = median
        self.minimum = minimum
        self.maximum = maximum
        self.deviation = deviation
        let medians = Bootstrap.medians(of: values).sorted()
        (low, high) = (Self.percentile(2.5, of: medians) ?? median, Self.percentile(97.5, of: medians) ?? median)
    }

    /// The middle value, or the mean of the two in the middle; nil for no values.
    package static func median(of values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The smallest value that is at least as large as so many percent of the values (nearest rank); nil for no values.
    ///
    /// - Parameter sorted: in ascending order.
    package static func percentile(_ percent: Double, of sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        // Slightly less, because 99.9 % of 1000 is slightly more than 999 in floating-point numbers.
        let rank = (percent / 100 * Double(sorted.count) - 1e-6).rounded(.up)
        return sorted[min(max(Int(rank) - 1, 0), sorted.count - 1)]
    }
}

/// Resampling: what a statistic would be if the same values had come up in other numbers (Efron, 1979).
package enum Bootstrap {
    /// Enough for the ends of a 95 % interval.
    static let rounds = 2000

    /// Medians of random selections from the values, each as many as there are, with repetition. The same for the same values.
    package static func medians(of values: [Double], seed: UInt64 = 1) -> [Double] {
        var random = SplitMix64(seed: seed)
        var selection = values
        return (0..<rounds).compactMap { _ in
            for index in selection.indices { selection[index] = values[Int(random.next() % UInt64(values.count))] }
            return SampleStatistics.median(of: selection)
        }
    }
}

extension BenchmarkResult {
    /// The result as a JSON document, with members in alphabetical order.
    package func json() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Its numbers are finite, so it can always be encoded.
        return Array((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// Reads what `json()` returned.
    ///
    /// - Throws: `PlainError` for anything else, and for a format of another version.
    package init(json bytes: [UInt8]) throws(PlainError) {
        struct Head: Decodable { var format: Int }
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: Data(bytes)) else {
            throw PlainError("not a result of pushpipe bench")
        }
        guard head.format == Self.currentFormat else {
            throw PlainError(
                "a result in format \(head.format), and this version reads format \(Self.currentFormat); measure it again"
            )
        }
        do {
            self = try decoder.decode(Self.self, from: Data(bytes))
        } catch {
            throw PlainError("not a complete result of pushpipe bench")
        }
        guard isPlausible else { throw PlainError("a result whose numbers cannot be measurements") }
    }

    /// Reads a file that `save` wrote.
    package init(path: String) throws(PlainError) {
        let bytes = try BenchmarkInput.naming(path) { () throws(SystemError) in
            try FileBytes.read(path, limit: 64 << 20)
        }
        do throws(PlainError) { try self.init(json: bytes) } catch { throw PlainError("\(path): \(error)") }
    }

    /// Writes the result to a file, and replaces one that exists.
    package func save(to path: String) throws(PlainError) {
        try BenchmarkInput.naming(path) { () throws(SystemError) in
            try FileBytes.replaceOrMake(path, with: json())
        }
    }

    private var isPlausible: Bool {
        input.records > 0 && passes > 0 && samples.count >= BenchmarkSettings.fewestSamples
            && samples.allSatisfy {
                $0.seconds > 0 && $0.processorSeconds >= 0 && $0.stages.values.allSatisfy { $0 >= 0 }
            }
            && (latency?.parts ?? []).allSatisfy { $0 >= 0 } && peakMemoryBytes ?? 0 >= 0
    }
}
