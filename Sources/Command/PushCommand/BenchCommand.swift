public import ArgumentParser
import PushBench
import PushDevices
import PushFiles
import PushLint
import PushPipeline
import PushRuns
import PushSettings
import PushStreams
import PushSystem
import PushText
public import PushWorkload

struct BenchCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "bench",
        abstract: "Measure how fast payloads are processed on this machine.",
        discussion: """
            Runs each FILE, or standard input if there is none or FILE is -, again and again as run does, and throws the reports away. \
            Prints records per second, time per stage, the latency of a record that arrives alone, and peak memory. Takes the options of run \
            that say how records are processed. Without any input, on a terminal, measures generated traffic.

              pushpipe bench traffic.ndjson --save before.json
              pushpipe bench traffic.ndjson --compare before.json
            """)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var work: WorkArguments
    @OptionGroup var measurement: MeasurementArguments
    @Flag(name: .shortAndLong, help: "Print no progress on standard error.") var quiet = false
    @OptionGroup var common: CommonArguments

    func plan(_ settings: Settings) throws -> (run: RunJob, job: BenchmarkJob) {
        let run = try RunPlan(self, settings).job
        let files = source.files
        guard files.isEmpty || measurement.generate == nil else {
            throw ValidationError("--generate cannot be combined with files.")
        }
        guard measurement.failOnRegression == nil || measurement.compare != nil else {
            throw ValidationError("--fail-on-regression needs --compare.")
        }
        let options = ProcessingOptions.words(
            of: CommandLine.arguments.dropFirst(2).filter { !["-q", "--quiet"].contains($0) }, files: files,
            except: MeasurementArguments.names + ["--jobs", "-j"])
        let assignments = Self.assignments(settings)
        guard measurement.time > 0, measurement.time <= 86_400 else {
            throw ValidationError("--time takes seconds up to 86400.")
        }
        if measurement.save == "-" {
            throw ValidationError("--save takes a file; --format json writes to standard output.")
        }
        var job: BenchmarkJob
        do throws(PlainError) {
            let benchmark = settings.benchmark
            let times = try BenchmarkSettings(
                warmups: benchmark.warmups, samples: benchmark.samples, seconds: measurement.time,
                latencyRecords: benchmark.latencyRecords)
            job = BenchmarkJob(
                paths: run.inputs, settings: times,
                version: ToolVersion.current + (VersionText.isOptimized ? "" : " (not optimized)"),
                options: ["--jobs", "\(run.configuration.jobs)"] + options + assignments)
        } catch {
            throw ValidationError("\(error.namingOption).")
        }
        job.baselinePath = measurement.compare
        job.savePath = measurement.save
        job.writesJSON = measurement.format == .json
        job.regressionLimit = measurement.failOnRegression
        if measurement.generate != nil || files.isEmpty && Terminal.isTerminal(.standardInput) {
            job.workload = try Self.workload(measurement.generate ?? "")
        }
        return (run, job)
    }

    /// The settings that say how records are processed, each as `KEY=VALUE`.
    private static func assignments(_ settings: Settings) -> [String] {
        let isProcessing = { (key: String) in SettingsTable.row(key)?.commands != nil && !key.hasPrefix("bench.") }
        let origins = settings.origins.filter { !$0.isIgnored && isProcessing($0.key) }
        let inForce = Dictionary(origins.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        return inForce.map { "\($0.key)=\($0.value)" }.sorted()
    }

    private static func workload(_ text: String) throws -> WorkloadConfiguration {
        do {
            let words = text.split(separator: " ").map(String.init)
            return try WorkloadArguments.parse(["--count", "100000"] + words).configuration()
        } catch {
            throw ValidationError("--generate: \(WorkloadArguments.message(for: error))")
        }
    }

    /// - Throws: `Failure`, `StoreError`.
    func run(_ settings: Settings) throws {
        let (run, job) = try plan(settings)
        for case let input? in run.inputs { try InputFile.checkReadable(input) }
        try run.checkFiles()
        if let path = run.store?.path, FileBytes.isPresent(path) {
            throw PlainError("store \(path): exists; bench creates a store for each sample and removes it")
        }
        let setup = try run.setUp(note: StandardError.write)
        if job.workload == nil {
            if run.inputs.contains(nil) { StandardInput.invite("payloads") }
        } else if measurement.generate == nil, !quiet {
            StandardError.write(
                "pushpipe: no FILE, so generated traffic is measured; - reads payloads from the terminal\n")
        }
        StopSignal.listen()
        let show = { (step: String) in
            if StandardError.showsProgress, !quiet { StandardError.write("\r\u{1B}[K" + step) }
        }
        let output: BenchmarkJob.Output
        do {
            defer { show("") }
            output = try job.run(
                style: .standardOutput, isStopped: { StopSignal.current != nil }, progress: show,
                makeLine: { try BenchmarkLine(run, setup, measuresStages: $0, note: StandardError.write) })
        } catch let error as PlainError {
            if error == .stopped, let signal = StopSignal.current { throw Failure.stopped(signal) }
            throw error
        }
        try StandardOutput().write(output.standardOutput)
        StandardError.write(output.standardError)
        if output.isRegression { throw Failure.conditionMet }
    }
}

struct MeasurementArguments: ParsableArguments {
    // Its value begins with a dash.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Measure generated traffic: options of pushpipe generate, as one argument. --count is 100000 here by default.",
            valueName: "options"))
    var generate: String?

    @Option(help: ArgumentHelp("Seconds that the samples take together.", valueName: "seconds"))
    var time = 3.0
    @Option(help: "Format of the result on standard output: text or json.")
    var format = Format.text

    @Option(help: ArgumentHelp("Also write the result to this file, as JSON.", valueName: "file"), completion: .file())
    var save: String?

    @Option(
        help: ArgumentHelp("Say what changed since this result, which --save wrote.", valueName: "file"),
        completion: .file())
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if a record takes more time by more than this and the noise together; needs --compare.",
            valueName: "percent"))
    var failOnRegression: Double?

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    /// The names of these options, with the dashes. Each has a value.
    static let names = [
        "--generate", "--time", "--format", "--save", "--compare", "--fail-on-regression", "--color", "--config",
        "--set",
    ]
}

/// The options of a command line that say how records are processed.
enum ProcessingOptions {
    /// The words that are neither files nor other options.
    ///
    /// - Parameters:
    ///   - words: the arguments after the name of the subcommand.
    ///   - files: words that are arguments and not options.
    ///   - others: the names of options to leave out, each with a value in the next word, after `=`, or, of a short name, right after it.
    static func words(of words: [String], files: [String], except others: [String]) -> [String] {
        var kept: [String] = []
        var files = files
        var isValue = false
        for word in words where word != "--" {
            if isValue {
                isValue = false
            } else if let index = files.firstIndex(of: word) {
                files.remove(at: index)
            } else if others.contains(word) {
                isValue = true
            } else if !others.contains(where: { word.hasPrefix($0.hasPrefix("--") ? $0 + "=" : $0) }) {
                kept.append(word)
            }
        }
        return kept
    }
}

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        named: "generate",
        abstract: "Generate synthetic push traffic, identical for identical arguments on every machine.",
        discussion: "  pushpipe generate --count 100000 | pushpipe run --format none")

    @OptionGroup var workload: WorkloadArguments
    @Flag(help: "Write only the events that register the devices, one per line: a file for run --devices.")
    var register = false

    func run() throws {
        var generator = WorkloadGenerator(try workload.configuration())
        let output = StandardOutput()
        var chunk: [UInt8] = []
        var registered = 0
        var hasMore = true
        while hasMore {
            chunk.removeAll(keepingCapacity: true)
            while chunk.count < 60_000, hasMore {
                hasMore =
                    register
                    ? generator.appendRegistration(of: registered, to: &chunk) : generator.appendRecord(to: &chunk)
                registered += 1
            }
            try chunk.withUnsafeBytes { try output.write($0) }
        }
    }
}

extension WorkloadDeviceChoice: ExpressibleByArgument {}

/// The traffic that `generate` writes and `bench --generate` measures.
struct WorkloadArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: "Number of records.")
    var count = 1000

    @Option(parsing: .unconditional, help: "Seed of the random numbers.")
    var seed: UInt64 = 1
    @Option(parsing: .unconditional, help: ArgumentHelp("Number of devices.", valueName: "n"))
    var deviceCount = 1000
    @Option(help: "How devices are chosen: skewed sends more to some of them, uniform the same to all.")
    var deviceChoice = WorkloadDeviceChoice.skewed
    @Option(help: "Relative weights of the providers.")
    var mix = "apns=5,gcm=2,fcm=1"
    @Option(parsing: .unconditional, help: "Share of records that replace an earlier notification, 0 to 1.")
    var replaceRate = "0.2"
    @Option(parsing: .unconditional, help: "Share of malformed records, 0 to 1.")
    var malformedRate = "0"
    @Option(parsing: .unconditional, help: "Share of device events, 0 to 1.")
    var eventRate = "0"

    @Option(
        help: ArgumentHelp(
            "Make every record an APNs alert of this many bytes, for benchmarks; --mix is ignored then.",
            valueName: "bytes"))
    var recordBytes: String?

    /// Validates here, so that errors come with the usage of the command.
    func validate() throws { _ = try configuration() }

    /// - Throws: `ValidationError`.
    func configuration() throws -> WorkloadConfiguration {
        let bytes = try recordBytes.map { text in try OptionValue.byteCount(text, option: "--record-bytes") }
        do {
            return try WorkloadConfiguration(
                count: count, seed: seed, devices: deviceCount, mix: WorkloadMix(parsing: mix),
                replaceRate: WorkloadRate(parsing: replaceRate), malformedRate: WorkloadRate(parsing: malformedRate),
                eventRate: WorkloadRate(parsing: eventRate), recordBytes: bytes, deviceChoice: deviceChoice)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
