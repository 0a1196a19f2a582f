import PushSystem
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
    /// - Throws: `BenchmarkError`; errors of the store.
    package func run(
        style: TextStyle, isStopped: @escaping () -> Bool, progress: @escaping (String) -> Void,
        makeLine: @escaping (_ measuresStages: Bool) throws -> BenchmarkLine
    ) throws -> Output {
        // First, because a measurement that cannot be compared in the end is a waste of time.
        let baseline = try baselinePath.map { path throws(BenchmarkError) in try BenchmarkResult(path: path) }
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
        let result = try BenchmarkResult(
            runner.run(), input, settings, version: version, milliseconds: start, options: options)
        try savePath.map { path throws(BenchmarkError) in try result.save(to: path) }
        let comparison = baseline.flatMap { BenchmarkComparison(baseline: $0, current: result) }
        let text = BenchmarkText(style: style)
        let compared = comparison.map { text.text($0, name: name) } ?? ""
        return Output(
            standardOutput: writesJSON ? String(decoding: result.json(), as: UTF8.self) : text.text(result) + compared,
            standardError: writesJSON ? compared : "",
            isRegression: regressionLimit.map { comparison?.isRegression(beyondPercent: $0) ?? false } ?? false)
    }
}
