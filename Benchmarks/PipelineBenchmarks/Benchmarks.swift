import Benchmark
import PushDevices
import PushPipeline
import PushSQLite

/// The stages of the line, one by one and all together, over records of one size and over the default mixture.
///
/// All figures are per record. If a stage needs an earlier one's results, that one runs again, unmeasured, before each
/// iteration: so the stage has the same work every time, with the processor's caches as a pipeline leaves them.
let benchmarks: @Sendable () -> Void = {
    // The runner omits instructions where the machine does not count them, as on many virtual machines. Linux counts
    // processor time in steps of 10 ms, longer than most iterations: there, only the wall clock is meaningful.
    // Allocations would need traits that `Package.swift` does not enable: their metrics read 0.
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput, .cpuTotal, .instructions], warmupIterations: 10, scalingFactor: .kilo,
        maxDuration: .seconds(2))
    do {
        for workbench in [try Workbench("415 bytes", recordBytes: 415), try Workbench("mixture")] {
            addRecordLocalStages(workbench)
            addCoordinatingStages(workbench)
            addWholeLine(workbench)
        }
    } catch {
        fatalError("no workload: \(error)")
    }
}

/// Stages that process each record alone.
private func addRecordLocalStages(_ workbench: Workbench) {
    Benchmark("scan, \(workbench.name)") { benchmark in
        if workbench.scan() > 0 { benchmark.error("a record is not JSON") }
    }

    // Includes the scan.
    Benchmark("decode, \(workbench.name)") { benchmark in
        if workbench.decode() > 0 { benchmark.error("a record is malformed") }
    }

    Benchmark("checks, \(workbench.name)") { benchmark in
        _ = workbench.decode()
        benchmark.startMeasurement()
        workbench.check()
        benchmark.stopMeasurement()
    }
}

/// Stages that use a device's state, or run after those.
private func addCoordinatingStages(_ workbench: Workbench) {
    // Into an empty store each time: in a reused one every record would only replace its own predecessor.
    Benchmark("delivery, \(workbench.name)") { benchmark in
        let store = MemoryStore(keepsJournal: false)
        _ = workbench.decode()
        workbench.check()
        benchmark.startMeasurement()
        try workbench.deliver(to: store)
        benchmark.stopMeasurement()
    }

    Benchmark("report, \(workbench.name)") { benchmark in
        _ = workbench.decode()
        workbench.check()
        let reports = try workbench.reports()
        benchmark.startMeasurement()
        workbench.write(reports)
        benchmark.stopMeasurement()
    }

    // One transaction, its commit included. Opening the file is not, nor is the checkpoint, which waits for the disk:
    // the log is too short for one before the store is closed.
    Benchmark("store, \(workbench.name)") { benchmark in
        try withTemporaryFile { path in
            let store = try SQLiteStore(path: path)
            _ = workbench.decode()
            workbench.check()
            benchmark.startMeasurement()
            try workbench.deliver(to: store)
            benchmark.stopMeasurement()
        }
    }
}

/// From bytes to report lines, on one core.
private func addWholeLine(_ workbench: Workbench) {
    Benchmark("whole line, \(workbench.name)") { benchmark in
        let pipeline = Pipeline(store: MemoryStore(keepsJournal: false))
        benchmark.startMeasurement()
        try workbench.process(with: pipeline)
        benchmark.stopMeasurement()
        if pipeline.summary.records != UInt64(Workbench.recordCount) { benchmark.error("records were lost") }
    }
}

@main
struct PipelineBenchmarks: BenchmarkRunnerHooks {
    static func registerBenchmarks() { benchmarks() }
}
