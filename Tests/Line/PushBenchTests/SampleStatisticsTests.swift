import PushBench
import Testing

@Suite struct SampleStatisticsTests {
    @Test(arguments: [([2], 2), ([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([5, 5, 1, 9], 5)] as [([Double], Double)])
    func `the median is the middle value or the mean of the two in the middle`(values: [Double], median: Double) {
        #expect(SampleStatistics.median(of: values) == median)
        #expect(SampleStatistics(values)?.median == median)
    }

    @Test func `without values there are no statistics`() {
        #expect(SampleStatistics([]) == nil)
        #expect(SampleStatistics.median(of: []) == nil)
        #expect(SampleStatistics.percentile(50, of: []) == nil)
        #expect(LatencyPercentiles(nanoseconds: []) == nil)
    }

    /// The example of Wikipedia's article on the median absolute deviation.
    @Test func `the deviation is the median distance from the median`() throws {
        let statistics = try #require(SampleStatistics([1, 1, 2, 2, 4, 6, 9]))
        #expect(statistics.median == 2)
        #expect(statistics.deviation == 1)
        #expect((statistics.minimum, statistics.maximum) == (1, 9))
    }

    /// The examples of Wikipedia's article on percentiles, by the nearest-rank method.
    @Test(
        arguments: [
            (5, [15, 20, 35, 40, 50], 15), (30, [15, 20, 35, 40, 50], 20), (40, [15, 20, 35, 40, 50], 20),
            (50, [15, 20, 35, 40, 50], 35), (100, [15, 20, 35, 40, 50], 50),
            (25, [3, 6, 7, 8, 8, 10, 13, 15, 16, 20], 7), (50, [3, 6, 7, 8, 8, 10, 13, 15, 16, 20], 8),
            (75, [3, 6, 7, 8, 8, 10, 13, 15, 16, 20], 15), (100, [3, 6, 7, 8, 8, 10, 13, 15, 16, 20], 20),
            (0, [1, 2], 1),
        ] as [(Double, [Double], Double)])
    func `a percentile is a value of the list`(percent: Double, sorted: [Double], expected: Double) {
        #expect(SampleStatistics.percentile(percent, of: sorted) == expected)
    }

    /// The median of nine draws is at most the k-th of nine values when five of the draws or more are among the first k: a binomial
    /// distribution, here in closed form by Python's `math.comb`.
    @Test func `medians of random selections have the distribution that they should`() {
        let medians = Bootstrap.medians(of: (1...9).map(Double.init))
        let expected = [0.0014, 0.0304, 0.1448, 0.3655, 0.6345, 0.8552, 0.9696, 0.9986, 1]
        for (value, share) in zip(1...9, expected) {
            let count = medians.count { $0 <= Double(value) }
            // Five standard deviations, and one for rounding.
            let deviation = (2000 * share * (1 - share)).squareRoot()
            #expect(abs(Double(count) - 2000 * share) <= 5 * deviation + 1, "\(value): \(count)")
        }
    }

    @Test func `the interval of equal values is that value`() throws {
        let statistics = try #require(SampleStatistics([7, 7, 7, 7]))
        #expect((statistics.low, statistics.high, statistics.deviation) == (7, 7, 0))
    }

    /// With five values, the smallest is the median of 5.8 % of the selections, which is more than 2.5 %.
    @Test func `the interval of five values is from the smallest to the largest`() throws {
        let statistics = try #require(SampleStatistics([5, 3, 1, 4, 2]))
        #expect((statistics.low, statistics.high) == (1, 5))
    }

    @Test func `the same values give the same interval`() {
        let values = (0..<50).map { Double(($0 * 37) % 101) }
        #expect(SampleStatistics(values) == SampleStatistics(values))
    }

    @Test func `percentiles of latency need enough records`() throws {
        let few = try #require(LatencyPercentiles(nanoseconds: (1...99).map(Double.init)))
        #expect(few.p99 == nil && few.p999 == nil)
        let hundred = try #require(LatencyPercentiles(nanoseconds: (1...100).reversed().map(Double.init)))
        #expect((hundred.p50, hundred.p90, hundred.p99, hundred.maximum) == (50, 90, 99, 100))
        #expect(hundred.p999 == nil)
        let thousand = try #require(LatencyPercentiles(nanoseconds: (1...1000).map(Double.init)))
        #expect(thousand.p999 == 999)
        // The parts are in the order of time: 1 to 100, 101 to 200, and so on.
        #expect(thousand.parts == [50, 150, 250, 350, 450, 550, 650, 750, 850, 950])
    }
}
