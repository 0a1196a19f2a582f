import PushPipeline
package import PushSystem

/// Everything about one benchmark: what was measured, where, every sample, and the statistics of them. Also the JSON format.
package struct BenchmarkResult: Sendable, Equatable, Codable {
    /// The version of the JSON format. Members may be added without changing it.
    package static let currentFormat = 1

    package var format = Self.currentFormat
    package var version: String
    /// When it began, in RFC 3339.
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

        package init(names: [String], records: UInt64, bytes: UInt64, digest: String) {
            self.names = names
            self.records = records
            self.bytes = bytes
            self.digest = digest
        }
    }

    /// One measurement: `passes` passes over the input by a new pipeline with a new store.
    package struct Sample: Sendable, Equatable, Codable {
        package var seconds: Double
        /// Of all cores.
        package var processorSeconds: Double
        /// Seconds by stage. `decode` and `check` are sums over all cores.
        package var stages: [String: Double]

        package init(seconds: Double, processorSeconds: Double, stages: [String: Double]) {
            self.seconds = seconds
            self.processorSeconds = processorSeconds
            self.stages = stages
        }
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

    /// The measurements of a runner, with its machine.
    ///
    /// - Parameter milliseconds: when it began, since the epoch.
    package init(
        _ measured: BenchmarkRunner.Measurements, _ input: BenchmarkInput, _ settings: BenchmarkSettings,
        version: String, milliseconds: Int64, options: [String]
    ) throws(BenchmarkError) {
        let input = Input(names: input.names, records: measured.records, bytes: input.bytes, digest: input.digest)
        guard
            let result = Self(
                version: version, time: RFC3339.text(milliseconds), machine: .current, input: input, options: options,
                warmups: settings.warmups, passes: measured.passes, samples: measured.samples,
                stageNames: StageTimes.Stage.allCases.map { "\($0)" }, latency: measured.latency,
                peakMemoryBytes: measured.peakMemoryBytes, outcomes: measured.outcomes)
        else { throw BenchmarkError("there is nothing that was measured") }
        self = result
    }

    /// - Parameters:
    ///   - stageNames: the stages in processing order.
    ///   - samples: at least one.
    /// - Returns: nil without samples or records.
    package init?(
        version: String, time: String, machine: Machine, input: Input, options: [String], warmups: Int,
        passes: Int, samples: [Sample], stageNames: [String], latency: LatencyPercentiles?, peakMemoryBytes: Int?,
        outcomes: [String: UInt64]
    ) {
        self.version = version
        self.time = time
        self.machine = machine
        self.input = input
        self.options = options
        self.warmups = warmups
        self.passes = passes
        self.samples = samples
        self.latency = latency
        self.peakMemoryBytes = peakMemoryBytes
        self.outcomes = outcomes
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
