import PushSystem

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
