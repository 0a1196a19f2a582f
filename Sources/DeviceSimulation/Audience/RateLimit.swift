/// Counts pushes within a while: it begins with the first push behind the last one's end.
package struct RateWindow: BitwiseCopyable, Sendable, Equatable {
    /// In milliseconds.
    package static let minute: Int64 = 60_000
    package static let hour: Int64 = 60 * minute

    private var start = Int64.min
    private var count: Int32 = 0

    package init() {}

    /// Counts one push. False when it is over the limit, and then it counts all the same: whoever goes on sending stays over it.
    package mutating func admits(at: Int64, limit: Int, within length: Int64) -> Bool {
        // A start in the future comes from a clock that went back.
        let (age, overflowed) = at.subtractingReportingOverflow(start)
        if overflowed || age >= length || age < 0 {
            start = at
            count = 0
        }
        count = count == .max ? .max : count + 1
        return Int(count) <= limit
    }
}
