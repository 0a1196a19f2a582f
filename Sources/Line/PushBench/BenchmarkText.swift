import PushReports
package import PushText

/// A result for people, in at most 80 columns as long as the machine's name is not longer, or in those of a narrower terminal.
package struct BenchmarkText {
    private let style: TextStyle
    /// The interval of the median above which a result is called unsteady, as a fraction of the median.
    private static let unsteady = 0.1

    package init(style: TextStyle) { self.style = style }

    package func text(_ result: BenchmarkResult) -> String {
        var lines = [
            TextStyle.clean("pushpipe \(result.version) on \(result.machine.shortDescription)"),
            input(result.input), effort(result), "",
            style.bold(row("", ["median", "95 % of medians", "lowest", "highest"])),
            row("records/s", result.recordsPerSecond) { NumberText.rate($0) },
            row("MB/s", result.megabytesPerSecond) { NumberText.rate($0, 1) },
            row("time per record", result.perRecord.wall) { NumberText.duration(nanoseconds: $0) },
            row("CPU time per record", result.perRecord.processor) { NumberText.duration(nanoseconds: $0) }, "",
        ]
        lines += stages(result.perRecord.stages) + [""] + latency(result.latency)
        if let bytes = result.peakMemoryBytes {
            lines.append("peak memory            \(NumberText.bytes(Double(bytes))) in the first pass")
        }
        lines += outcomes(result.outcomes)
        let wall = result.perRecord.wall
        let variation = wall.median > 0 ? (wall.high - wall.low) / wall.median : 0
        if variation > Self.unsteady {
            lines += [
                "",
                style.changed(
                    "The median is uncertain by \(NumberText.percent(variation)): other programs were probably busy."),
            ]
        }
        guard let columns = style.columns else { return lines.joined(separator: "\n") + "\n" }
        return lines.map {
            TerminalText.width(ofStyled: $0) > columns ? TerminalText.wrappedLines($0, to: columns) : $0
        }
        .joined(separator: "\n") + "\n"
    }

    private func input(_ input: BenchmarkResult.Input) -> String {
        let name =
            switch input.names {
            case ["-"]: "standard input"
            case let names where names.count == 1:
                TerminalText.shortened(TextStyle.clean(names[0]), to: 30, keepingEnd: 15)
            case let names: "\(names.count) files"
            }
        return "\(name): \(input.size)"
    }

    private func effort(_ result: BenchmarkResult) -> String {
        let warmups = counted(result.warmups, "warm-up")
        let passes = result.passes == 1 ? "one pass" : counted(result.passes, "pass", "passes")
        let samples = counted(result.samples.count, "sample") + " of " + passes
        return "\(warmups), \(samples), \(TextStyle.clean(result.options.joined(separator: " ")))"
    }

    private func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        NumberText.fixed(Double(count)) + " " + (count == 1 ? noun : plural ?? noun + "s")
    }

    private func row(_ name: String, _ statistics: SampleStatistics, _ text: (Double) -> String) -> String {
        row(
            name,
            [
                text(statistics.median), text(statistics.low) + " - " + text(statistics.high), text(statistics.minimum),
                text(statistics.maximum),
            ])
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        let widths = [11, 25, 11, 11]
        // In a narrow terminal, without the interval.
        let shown = cells.indices.filter { $0 != 1 || style.columns ?? .max >= 20 + widths.reduce(0, +) }
        return name.padded(to: 20) + shown.map { cells[$0].padded(to: widths[$0], right: true) }.joined()
    }

    private func stages(_ stages: [BenchmarkResult.Stage]) -> [String] {
        let total = stages.reduce(0) { $0 + $1.nanoseconds.median }
        return [
            style.bold(
                "stage".padded(to: 20) + "per record".padded(to: 11, right: true) + "share".padded(to: 8, right: true))
        ]
            + stages.map { stage in
                let time = stage.nanoseconds.median
                return stage.name.padded(to: 20) + NumberText.duration(nanoseconds: time).padded(to: 11, right: true)
                    + (total > 0 ? NumberText.fixed(time / total * 100) + " %" : "-").padded(to: 8, right: true)
            }
    }

    private func latency(_ latency: LatencyPercentiles?) -> [String] {
        guard let latency else { return [] }
        let values: [(String, Double?)] = [
            ("p50", latency.p50), ("p90", latency.p90), ("p99", latency.p99), ("p99.9", latency.p999),
            ("max", latency.maximum),
        ]
        let cells = values.compactMap { name, value in value.map { "\(name) \(NumberText.duration(nanoseconds: $0))" } }
        let head = "latency of a record that arrives alone, of \(NumberText.fixed(Double(latency.records)))"
        return [style.bold(head), "  " + cells.joined(separator: "   "), ""]
    }

    private func outcomes(_ outcomes: [String: UInt64]) -> [String] {
        guard !outcomes.isEmpty else { return [] }
        let counts = outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(NumberText.fixed(Double($0.value))) \(TextStyle.clean($0.key))" }
        // Three to a line fit in any case.
        return stride(from: 0, to: counts.count, by: 3).map { start in
            (start == 0 ? "outcomes" : "").padded(to: 23)
                + counts[start..<min(start + 3, counts.count)].joined(separator: ", ")
        }
    }

    // MARK: - Comparison

    /// The rows of a comparison, and what makes it doubtful.
    ///
    /// - Parameter limit: the percentage of a regression that fails; nil if none does.
    package func text(_ comparison: BenchmarkComparison, name: String, limit: Double? = nil) -> String {
        let baseline = comparison.baseline
        var lines = [
            "",
            "compared with \(TextStyle.clean(name)): pushpipe \(TextStyle.clean(baseline.version)), "
                + TextStyle.clean(baseline.time),
            style.bold(changeRow("", ["baseline", "now", "change", "noise"], "")),
        ]
        lines += comparison.rows.map(changeRow)
        let doubts = comparison.doubts + [limit.flatMap(comparison.blindness)].compactMap(\.self)
        lines += doubts.map { style.changed("warning: \(TextStyle.clean($0))") }
        lines.append("")
        if let perKiB = comparison.timePerKiB {
            lines.append(style.bold("per record: \(Self.sentence(comparison.time))"))
            lines.append(style.bold("per KiB: \(Self.sentence(perKiB))"))
        } else {
            lines.append(style.bold(Self.sentence(comparison.time)))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package static func sentence(_ row: BenchmarkComparison.Row) -> String {
        let noise = NumberText.percent(row.noise)
        if row.verdict == .unchanged {
            return "no change beyond noise (\(NumberText.signedPercent(row.change)), noise \(noise))"
        }
        return
            "\(NumberText.signedPercent(abs(row.change)).drop { $0 == "+" }) \(row.verdict == .more ? "slower" : "faster"), "
            + "\(NumberText.fixed(row.timesNoise, 1)) times the noise (\(noise))"
    }

    private func changeRow(_ row: BenchmarkComparison.Row) -> String {
        let words: (less: String, more: String) = row.unit == .bytes ? ("less", "more") : ("faster", "slower")
        let verdict =
            switch row.verdict {
            case .unchanged: "no change"
            case .less: style.added(words.less)
            case .more: style.removed(words.more)
            }
        let values = [row.baseline, row.current].map {
            row.unit == .bytes ? NumberText.bytes($0) : NumberText.duration(nanoseconds: $0)
        }
        return changeRow(
            (row.isStage ? "  " : "") + row.name,
            values + [NumberText.signedPercent(row.change), NumberText.percent(row.noise)], verdict)
    }

    private func changeRow(_ name: String, _ cells: [String], _ verdict: String) -> String {
        let line = name.padded(to: 20) + cells.map { $0.padded(to: 12, right: true) }.joined()
        return verdict.isEmpty ? line : line + "  " + verdict
    }
}

enum NumberText {
    /// Grouped, with so many decimals: `1,234.50`. A number that is too large for a table is written as `…`.
    static func fixed(_ value: Double, _ decimals: Int = 0) -> String {
        var scale: UInt64 = 1
        for _ in 0..<decimals { scale *= 10 }
        guard let scaled = UInt64(exactly: (abs(value) * Double(scale)).rounded()) else { return "…" }
        let whole = SummaryText.grouped(scaled / scale)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return sign + whole }
        return sign + whole + "." + String(scaled % scale + scale).dropFirst()
    }

    /// A number as in `fixed`, but millions as `12.3 M`, so that it fits into a column.
    static func rate(_ value: Double, _ decimals: Int = 0) -> String {
        value < 1e7 ? fixed(value, decimals) : significant(value / 1e6) + " M"
    }

    /// A number with three significant digits, at least those before the point: `0.123`, `1.23`, `12.3`, `1,234`.
    static func significant(_ value: Double) -> String {
        fixed(value, abs(value) < 1 ? 3 : abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0)
    }

    /// A duration with its unit: `850 ns`, `2.43 µs`, `12.3 ms`.
    static func duration(nanoseconds: Double) -> String {
        // More than eleven days are not worth a wider column.
        guard abs(nanoseconds) < 1e15 else { return "…" }
        for (unit, size) in [("s", 1e9), ("ms", 1e6), ("µs", 1e3)] where abs(nanoseconds) >= size {
            return significant(nanoseconds / size) + " " + unit
        }
        return fixed(nanoseconds) + " ns"
    }

    /// `12.3 MiB`.
    static func bytes(_ value: Double) -> String {
        for (unit, size) in [("GiB", Double(1 << 30)), ("MiB", Double(1 << 20)), ("KiB", Double(1 << 10))]
        where value >= size {
            return significant(value / size) + " " + unit
        }
        return fixed(value) + " bytes"
    }

    /// `12.3 %` for 0.123.
    static func percent(_ fraction: Double) -> String { fixed(fraction * 100, 1) + " %" }

    /// `+12.3 %` for 0.123; `× 12.0` for 11.
    static func signedPercent(_ fraction: Double) -> String {
        guard fraction < 10 else { return "× " + significant(fraction + 1) }
        return fraction * 100 >= 0.05 ? "+" + percent(fraction) : percent(fraction)
    }
}
