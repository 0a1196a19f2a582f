package import PushSystem

/// The changes between a baseline and a later result. Of other input, times are compared per record and per byte.
///
/// A change is the ratio of the medians. Its noise is how far that ratio varies when both medians are computed from random selections of the
/// samples: the factor that 95 % of the selections stay within. A change that is not larger than its noise is none. Half and double are equally
/// large changes.
package struct BenchmarkComparison: Sendable, Equatable {
    /// A quantity of which less is better.
    package struct Row: Sendable, Equatable {
        package enum Verdict: String, Sendable { case less, more, unchanged }

        package let name: String
        package var unit = Unit.nanoseconds
        package var isStage = false
        package let baseline: Double
        package let current: Double
        /// The change as a fraction of the baseline: 0.1 for a tenth more.
        package let change: Double
        /// The largest change that chance explains, as a fraction: 0.1 for a tenth more, or the reciprocal of that.
        package let noise: Double

        package var verdict: Verdict {
            timesNoise <= 1 ? .unchanged : change > 0 ? .more : .less
        }

        /// How many times as far from no change as the noise.
        package var timesNoise: Double { (BenchmarkComparison.factor(1 + change) - 1) / noise }
    }

    package enum Unit: Sendable { case nanoseconds, bytes }

    package let baseline: BenchmarkResult
    package let current: BenchmarkResult
    /// The time per record.
    package let time: Row
    /// The time per 1024 bytes of input; nil if both measured the same input.
    package let timePerKiB: Row?
    /// All quantities: the times, those of the stages, the latency and the memory.
    package let rows: [Row]

    /// Timings of two invocations differ by as much, however many samples there are: by where the program is in memory, for example.
    private static let timeFloor = 0.01
    /// Allocators take memory in large pieces.
    private static let memoryFloor = 0.05

    /// - Returns: nil without samples.
    package init?(baseline: BenchmarkResult, current: BenchmarkResult) {
        func row(_ name: String, samples: (BenchmarkResult) -> [Double]) -> Row? {
            Self.row(name, samples(baseline), samples(current), floor: Self.timeFloor)
        }
        guard let time = row("time", samples: { $0.perRecordSamples { $0.seconds } }) else { return nil }
        timePerKiB =
            baseline.measuresSameInput(as: current.input) ? nil : row("time per KiB") { $0.perKiBSamples }
        self.baseline = baseline
        self.current = current
        self.time = time
        // In the order of the current version, whose stages may be others.
        let stages = current.perRecord.stages.map { stage in
            var stage = row(stage.name) { $0.perRecordSamples { $0.stages[stage.name] ?? 0 } }
            stage?.isStage = true
            return stage
        }
        var memory = Self.row("peak memory", baseline.memory, current.memory, floor: Self.memoryFloor)
        memory?.unit = .bytes
        let latency = row("latency p50") { $0.latency?.parts ?? [] }
        let all: [Row?] = [time, timePerKiB] + stages + [latency, memory]
        rows = all.compactMap(\.self)
    }

    /// Compares the medians of samples; nil if there is nothing to compare.
    private static func row(_ name: String, _ baseline: [Double], _ current: [Double], floor: Double) -> Row? {
        guard let before = SampleStatistics.median(of: baseline), let now = SampleStatistics.median(of: current),
            before > 0
        else { return nil }
        let ratio = now / before
        // Another seed, so that equal samples are not selected alike.
        let factors = zip(Bootstrap.medians(of: baseline), Bootstrap.medians(of: current, seed: 2))
            .map { factor($1 / $0 / ratio) }.filter(\.isFinite).sorted()
        let noise = max((SampleStatistics.percentile(95, of: factors) ?? 1) - 1, floor)
        return Row(name: name, baseline: before, current: now, change: ratio - 1, noise: noise)
    }

    /// The ratio or its reciprocal, whichever is larger.
    private static func factor(_ ratio: Double) -> Double { max(ratio, 1 / ratio) }

    /// True if time per record grew by more than so many percent and the noise together. Of other input, that per byte must have grown as
    /// well: larger records take longer.
    package func isRegression(beyondPercent limit: Double) -> Bool {
        [time, timePerKiB ?? time].allSatisfy { $0.verdict == .more && ($0.change - $0.noise) * 100 > limit }
    }

    /// A sentence if the noise hides a regression of so many percent; nil if it would be seen.
    package func blindness(to limit: Double) -> String? {
        guard time.noise * 100 > limit, time.verdict != .less, !isRegression(beyondPercent: limit) else { return nil }
        let (noise, limit) = (NumberText.percent(time.noise), NumberText.percent(limit / 100))
        return "the noise (\(noise)) hides a regression of \(limit); measure longer, or on an idle machine"
    }

    /// Differences that make the comparison doubtful, a sentence for each.
    package var doubts: [String] {
        var doubts: [String] = []
        if timePerKiB != nil {
            let (before, now) = (baseline.input, current.input)
            doubts.append("the input differs: \(before.size) in the baseline; \(now.size) now")
        }
        if baseline.machine != current.machine {
            doubts.append("the baseline was measured on another machine: \(baseline.machine.shortDescription)")
        }
        let (before, now) = (baseline.groupedOptions, current.groupedOptions)
        if before.sorted() != now.sorted() {
            let (gone, new) = (before.without(now), now.without(before))
            doubts.append("options differ: \(gone) in the baseline, \(new) now")
        }
        // Other input takes other numbers of them.
        if timePerKiB == nil, baseline.passes != current.passes {
            doubts.append("passes per sample differ: \(baseline.passes) in the baseline, \(current.passes) now")
        }
        return doubts
    }
}

extension BenchmarkResult {
    /// True if this measured an input with the same bytes.
    package func measuresSameInput(as other: Input) -> Bool {
        (input.digest, input.bytes, input.records) == (other.digest, other.bytes, other.records)
    }

    /// The options, each with its values.
    fileprivate var groupedOptions: [String] {
        options.reduce(into: []) { groups, word in
            if word.hasPrefix("-") || groups.isEmpty {
                groups.append(word)
            } else {
                groups[groups.count - 1] += " " + word
            }
        }
    }

    fileprivate var memory: [Double] { peakMemoryBytes.map { [Double($0)] } ?? [] }

    /// Nanoseconds per 1024 bytes of input of each sample.
    fileprivate var perKiBSamples: [Double] {
        let amount = Double(input.bytes) / 1024 * Double(passes)
        return amount > 0 ? samples.map { $0.seconds * 1e9 / amount } : []
    }

    /// Nanoseconds per record of each sample.
    func perRecordSamples(_ seconds: (Sample) -> Double) -> [Double] {
        let records = Double(input.records) * Double(passes)
        return records > 0 ? samples.map { seconds($0) * 1e9 / records } : []
    }
}

extension BenchmarkResult.Input {
    /// Its records and bytes.
    package var size: String {
        "\(NumberText.fixed(Double(records))) \(records == 1 ? "record" : "records"), "
            + "\(NumberText.fixed(Double(bytes))) bytes"
    }
}

extension [String] {
    /// Those that are not among others, separated by spaces.
    fileprivate func without(_ others: [String]) -> String {
        let own = filter { !others.contains($0) }
        return own.isEmpty ? "none" : own.joined(separator: " ")
    }
}

extension Machine {
    /// Processor, cores, memory and system on one line.
    package var shortDescription: String {
        let parts = [
            processor, "\(cores) \(cores == 1 ? "core" : "cores")", NumberText.bytes(Double(memoryBytes)), system,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
