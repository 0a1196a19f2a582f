import ArgumentParser
import PushBench
import PushFiles
import PushLint
import PushPipeline
import PushRuns
import PushStore
import PushStreams
import PushSystem
import PushText
import PushWorkload

struct BenchPlan {
    private let run: RunJob
    private var job: BenchmarkJob

    init(_ command: BenchCommand) throws {
        run = try RunPlan(command).job
        let measurement = command.measurement
        let files = command.source.files
        guard files.isEmpty || measurement.generate == nil else {
            throw ValidationError("--generate cannot be combined with files.")
        }
        guard measurement.failOnRegression == nil || measurement.compare != nil else {
            throw ValidationError("--fail-on-regression needs --compare.")
        }
        let options = ProcessingOptions.words(
            of: Array(CommandLine.arguments.dropFirst(2)), files: files,
            except: MeasurementArguments.names + ["--jobs", "-j"])
        do throws(BenchmarkError) {
            let settings = try BenchmarkSettings(
                warmups: measurement.warmup, samples: measurement.samples, seconds: measurement.time,
                latencyRecords: measurement.latencyRecords)
            job = BenchmarkJob(
                paths: run.inputs, settings: settings, version: ToolVersion.current,
                options: ["--jobs", "\(run.configuration.jobs)"] + options)
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
    func execute() throws {
        for case let input? in run.inputs { try InputFile.checkReadable(input) }
        try run.checkFiles()
        if let path = run.store?.path, FileBytes.isPresent(path) {
            throw Failure.trouble("store \(path): exists; bench creates a store for each sample and removes it")
        }
        let setup = try run.setUp(note: StandardError.write)
        if run.inputs.contains(nil), job.workload == nil { StandardInput.invite("payloads") }
        StopSignal.listen()
        let show = { (step: String) in
            if StandardError.isTerminal { StandardError.write("\r\u{1B}[K" + step) }
        }
        let output: BenchmarkJob.Output
        do {
            defer { show("") }
            output = try job.run(
                style: .standardOutput, isStopped: { StopSignal.current != nil },
                progress: show,
                makeLine: { try BenchmarkLine(run, setup, measuresStages: $0, note: StandardError.write) })
        } catch let error as BenchmarkError {
            if error.isStop, let signal = StopSignal.current { throw Failure.stopped(signal) }
            throw Failure.trouble(error.description)
        }
        try StandardOutput().write(output.standardOutput)
        StandardError.write(output.standardError)
        if output.isRegression { throw Failure.conditionMet }
    }
}
