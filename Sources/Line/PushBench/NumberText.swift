import PushReports

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

    /// As `fixed`, with millions as `12.3 M`, so that it fits into a column.
    static func rate(_ value: Double, _ decimals: Int = 0) -> String {
        value < 1e7 ? fixed(value, decimals) : significant(value / 1e6) + " M"
    }

    /// With three significant digits, at least those before the point: `0.123`, `1.23`, `12.3`, `1,234`.
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
