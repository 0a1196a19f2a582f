import ExtensionHosting
import PushDevices
import PushFraming
import PushJSON
import PushModel
package import PushPipeline
package import PushRuns
package import PushSystem
package import PushText
package import PushWorkload

/// The job of `pushpipe bench`: measures an input, writes the result, and compares it with an earlier one.
package struct BenchmarkJob {
    /// Paths to measure; nil for standard input.
    package var paths: [String?]
    /// Traffic to generate and measure in place of files; nil for none.
    package var workload: WorkloadConfiguration?
    package var settings: BenchmarkSettings
    /// File of the result to compare with.
    package var baselinePath: String?
    /// File that the result is written to.
    package var savePath: String?
    /// True if the output is JSON, and text otherwise.
    package var writesJSON = false
    /// Percent by which a record may take longer than in the baseline.
    package var regressionLimit: Double?
    package var version: String
    /// The options that say how records are processed; see `ProcessingOptions`.
    package var options: [String]

    package init(paths: [String?], settings: BenchmarkSettings, version: String, options: [String]) {
        self.paths = paths
        self.settings = settings
        self.version = version
        self.options = options
    }

    /// The text to write, and true if the limit was exceeded.
    package struct Output {
        package let standardOutput: String
        package let standardError: String
        package let isRegression: Bool
    }

    /// - Parameters: see `BenchmarkRunner`.
    /// - Throws: `PlainError`; errors of the store.
    package func run(
        style: TextStyle, isStopped: @escaping () -> Bool, progress: @escaping (String) -> Void,
        makeLine: @escaping (_ measuresStages: Bool) throws -> BenchmarkLine
    ) throws -> Output {
        // First, because a measurement that cannot be compared in the end is a waste of time.
        let baseline = try baselinePath.map { path throws(PlainError) in try BenchmarkResult(path: path) }
        let name = baselinePath ?? ""
        let input =
            if let workload {
                try BenchmarkInput(generating: workload, isStopped: isStopped)
            } else {
                try BenchmarkInput(paths: paths, isStopped: isStopped)
            }
        var settings = settings
        // As many of the same input.
        if let baseline, (baseline.input.digest, baseline.input.bytes) == (input.digest, input.bytes) {
            settings.passes = baseline.passes
        }
        let start = SystemClock.wallMilliseconds()
        let runner = BenchmarkRunner(
            input, settings, isStopped: isStopped, progress: progress, makeLine: makeLine)
        let measured = try runner.run()
        guard
            let result = BenchmarkResult(
                version: version, time: RFC3339.text(start), machine: .current,
                input: .init(
                    names: input.names, records: measured.records, bytes: input.bytes, digest: input.digest),
                options: options, warmups: settings.warmups,
                stageNames: StageTimes.Stage.allCases.map { "\($0)" }, measured)
        else { throw PlainError("there is nothing that was measured") }
        try savePath.map { path throws(PlainError) in try result.save(to: path) }
        let comparison = baseline.flatMap { BenchmarkComparison(baseline: $0, current: result) }
        let text = BenchmarkText(style: style)
        let compared = comparison.map { text.text($0, name: name, limit: regressionLimit) } ?? ""
        return Output(
            standardOutput: writesJSON ? String(decoding: result.json(), as: UTF8.self) : text.text(result) + compared,
            standardError: writesJSON ? compared : "",
            isRegression: regressionLimit.map { comparison?.isRegression(beyondPercent: $0) ?? false } ?? false)
    }
}

/// A pipeline at the beginning of its input, with a store of its own.
package struct BenchmarkLine {
    package let pipeline: Pipeline
    /// True if the store keeps the report of a file, as `run` does with a store.
    let keepsReport: Bool
    /// Called after the last use, outside of the measured time.
    package let finish: () -> Void

    package init(_ pipeline: Pipeline, keepsReport: Bool = false, finish: @escaping () -> Void = {}) {
        self.pipeline = pipeline
        self.keepsReport = keepsReport
        self.finish = finish
    }
}

/// How much to measure.
package struct BenchmarkSettings: Sendable, Equatable {
    /// The least number of samples: fewer do not show how far they vary.
    package static let fewestSamples = 3

    /// Passes before the samples, at least 1.
    package var warmups: Int
    /// The number of samples; nil for as many as take `seconds`, but at least 5.
    package var samples: Int?
    /// Seconds that all samples take together, and the latencies at most.
    package var seconds: Double
    /// Passes per sample; nil for as many as take `sampleSeconds`.
    package var passes: Int?
    /// Records to measure the latency of; 0 for none.
    package var latencyRecords: Int

    /// - Throws: `PlainError` for a number that is out of range.
    package init(
        warmups: Int = 1, samples: Int? = nil, seconds: Double = 3, latencyRecords: Int = 5000
    ) throws(PlainError) {
        guard warmups >= 1 else { throw PlainError("takes a number from 1", of: "warmup") }
        guard samples ?? .max >= Self.fewestSamples else {
            throw PlainError("takes a number from \(Self.fewestSamples)", of: "samples")
        }
        guard seconds > 0, seconds <= 86_400 else { throw PlainError("takes seconds up to 86400", of: "time") }
        guard (0...1_000_000).contains(latencyRecords) else {
            throw PlainError("takes a number from 0 to 1000000", of: "latency records")
        }
        self.warmups = warmups
        self.samples = samples
        self.seconds = seconds
        self.latencyRecords = latencyRecords
    }
}

/// Runs an input through new pipelines again and again, and measures.
///
/// Every sample begins with an empty store, and reads and reports as `pushpipe run` does, except that the report is thrown away.
package struct BenchmarkRunner {
    package typealias Sample = BenchmarkResult.Sample

    private let input: BenchmarkInput
    private let settings: BenchmarkSettings
    private let isStopped: () -> Bool
    private let progress: (String) -> Void
    private let makeLine: (_ measuresStages: Bool) throws -> BenchmarkLine

    /// The shortest sample, so that the clock's steps and a single interruption do not matter.
    private static let sampleSeconds = 0.05
    private static let mostPasses = 1 << 20
    private static let defaultSamples = 5
    /// Latencies at the beginning that do not count: of a new pipeline's first records.
    private static let uncountedLatencies = 100

    /// - Parameters:
    ///   - isStopped: called between parts of the work; once it returns true, `PlainError.stopped` is thrown.
    ///   - progress: called with what is done next.
    ///   - makeLine: called before each pass or sample. Its time does not count. Latencies are measured without measuring stages, because
    ///     that reads the clock several times per record.
    package init(
        _ input: BenchmarkInput, _ settings: BenchmarkSettings, isStopped: @escaping () -> Bool = { false },
        progress: @escaping (String) -> Void = { _ in },
        makeLine: @escaping (_ measuresStages: Bool) throws -> BenchmarkLine
    ) {
        self.input = input
        self.settings = settings
        self.isStopped = isStopped
        self.progress = progress
        self.makeLine = makeLine
    }

    package struct Measurements {
        package var samples: [Sample] = []
        package var passes = 1
        package var records: UInt64 = 0
        package var outcomes: [String: UInt64] = [:]
        package var peakMemoryBytes: Int?
        package var latency: LatencyPercentiles?
    }

    /// - Throws: `PlainError`; errors of the store.
    package func run() throws -> Measurements {
        var measured = Measurements()
        for number in 1...max(settings.warmups, 1) {
            progress("warm-up \(number)")
            let (sample, summary) = try measure(passes: 1)
            if number > 1 { continue }
            guard summary.records > 0 else { throw PlainError("there are no records to measure") }
            guard Outcome.allCases.contains(where: { $0 != .malformed && summary.count($0) > 0 }) else {
                throw PlainError("there is nothing to measure: no record is valid (\(summary.records) malformed)")
            }
            measured.records = summary.records
            measured.peakMemoryBytes = CurrentProcess.peakMemoryBytes
            for outcome in Outcome.allCases where summary.count(outcome) > 0 {
                measured.outcomes["\(outcome.name)"] = summary.count(outcome)
            }
            measured.passes =
                settings.passes.map { min(max($0, 1), Self.mostPasses) } ?? Self.passes(for: sample.seconds)
        }
        var seconds = 0.0
        while !isEnough(measured.samples.count, seconds) {
            progress("sample \(measured.samples.count + 1), \(Int(seconds)) s")
            let (sample, summary) = try measure(passes: measured.passes)
            guard summary.records == measured.records * UInt64(measured.passes) else {
                throw PlainError("the input changed while it was measured")
            }
            measured.samples.append(sample)
            seconds += sample.seconds
        }
        if settings.latencyRecords > 0 {
            progress("latency")
            measured.latency = try latencies()
        }
        return measured
    }

    private func isEnough(_ count: Int, _ seconds: Double) -> Bool {
        settings.samples.map { count >= $0 } ?? (count >= Self.defaultSamples && seconds >= settings.seconds)
    }

    /// A power of two, so that it is the same for similar times.
    private static func passes(for seconds: Double) -> Int {
        var passes = 1
        while passes < mostPasses, seconds * Double(passes) < sampleSeconds { passes *= 2 }
        return passes
    }

    private func measure(passes: Int) throws -> (Sample, RunSummary) {
        let line = try makeLine(true)
        defer { line.finish() }
        let wall = SystemClock.monotonicNanoseconds()
        let processor = SystemClock.processNanoseconds()
        let report = DiscardedReport()
        for _ in 0..<passes {
            for (name, file) in zip(input.names, input.files) {
                do throws(SystemError) { try file.rewind() } catch { throw PlainError("\(name): \(error)") }
                do {
                    try process(file, name, with: line, report)
                } catch let error as SystemError {
                    throw PlainError("\(name): \(error)")
                }
            }
        }
        let sample = Sample(
            // At least the clock's smallest step, because times are divided by it.
            seconds: Double(max(SystemClock.monotonicNanoseconds() - wall, 1)) / 1e9,
            processorSeconds: Double(max(SystemClock.processNanoseconds() - processor, 0)) / 1e9,
            stages: Dictionary(
                uniqueKeysWithValues: StageTimes.Stage.allCases.map {
                    ("\($0)", Double(line.pipeline.stageTimes[$0].nanoseconds) / 1e9)
                }))
        if isStopped() { throw PlainError.stopped }
        return (sample, line.pipeline.summary)
    }

    /// Processes a file as `run` does.
    private func process(
        _ file: FileDescriptor, _ name: String, with line: BenchmarkLine, _ report: DiscardedReport
    ) throws {
        let isStored = line.keepsReport && name != "-"
        let writer = NDJSONReport()
        try line.pipeline.process(
            fileDescriptor: file.rawValue, source: InputSource(name),
            progress: isStored ? InputProgress(path: name) : nil, isStopped: isStopped,
            composer: { writer.append($0, to: &$1) }, isStored: isStored,
            text: { if !isStored { report.append($0) } }, flush: report.discard)
    }

    // MARK: - Latency

    /// Feeds one piece at a time, as a pipe does whose writer waits, and measures each that completes a record.
    private func latencies() throws -> LatencyPercentiles? {
        let line = try makeLine(false)
        defer { line.finish() }
        let report = DiscardedReport()
        let isNUL = line.pipeline.configuration.framing == .nul
        let wanted = settings.latencyRecords + Self.uncountedLatencies
        let pieces = try input.pieces(wanted, endingWith: isNUL ? 0 : UInt8(ascii: "\n"))
        let deadline = SystemClock.monotonicSeconds() + settings.seconds
        var latencies: [Double] = []
        var uncounted = Self.uncountedLatencies
        // Blank lines complete nothing, and the end of a record may be where the next one begins.
        var roundsWithout = 0
        while roundsWithout < 2 {
            roundsWithout += 1
            for piece in pieces {
                let lines = report.lines
                let start = SystemClock.monotonicNanoseconds()
                // SOUND: the array outlives the call, which copies its bytes.
                try unsafe piece.withUnsafeBytes { try unsafe line.pipeline.feed($0, report: report.append) }
                let end = SystemClock.monotonicNanoseconds()
                if isStopped() { throw PlainError.stopped }
                guard report.lines > lines else { continue }
                roundsWithout = 0
                if uncounted > 0 {
                    uncounted -= 1
                    continue
                }
                latencies.append(Double(end - start))
                if latencies.count == settings.latencyRecords || SystemClock.monotonicSeconds() > deadline {
                    return LatencyPercentiles(nanoseconds: latencies)
                }
            }
        }
        return LatencyPercentiles(nanoseconds: latencies)
    }
}

/// Composes report lines as NDJSON, as `run` does, and throws them away where `run` would write them.
private final class DiscardedReport {
    // SOUND: changed once per line, by code that never calls back.
    @exclusivity(unchecked) private var text = ByteBuffer(capacity: 128 * 1024)
    @exclusivity(unchecked) private var count = 0
    private let writer = NDJSONReport()
    private static let flushBytes = 64 * 1024

    var lines: Int { unsafe count }

    func append(_ line: borrowing RecordReport) {
        unsafe writer.append(line, to: &text)
        unsafe count += 1
        if unsafe text.count >= Self.flushBytes { discard() }
    }

    /// Copies lines that have been composed, as `run` does.
    func append(_ lines: BorrowedText) {
        unsafe text.append(lines)
        if unsafe text.count >= Self.flushBytes { discard() }
    }

    func discard() { unsafe text.removeAll() }
}

extension BenchmarkLine {
    /// A new pipeline with the job's devices registered, and a new store that is removed with it.
    ///
    /// - Parameter note: called with a line for people.
    /// - Throws: errors of `RunJob.setUp`, of the registration of devices and of the store.
    package init(
        _ job: RunJob, _ setup: RunSetup, measuresStages: Bool, note: @escaping (String) -> Void
    ) throws {
        var setup = setup
        setup.configuration.measuresStages = measuresStages
        let removeStore = {
            for suffix in ["", "-wal", "-shm"] {
                if let path = job.store?.path { try? FileSystem.removeFile(path + suffix) }
            }
        }
        do {
            let store: any DeliveryStore = try job.store.map { try setup.open($0) } ?? job.memoryStore()
            let (pipeline, host) = try setup.pipeline(deliveringTo: store)
            try job.registerDevices(setup, pipeline, note: note)
            self.init(pipeline, keepsReport: job.store != nil) {
                host?.finish()
                removeStore()
            }
        } catch {
            removeStore()
            throw error
        }
    }
}
