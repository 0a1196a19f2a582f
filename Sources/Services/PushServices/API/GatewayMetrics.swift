/// Counts of requests, and how long they took.
struct GatewayMetrics {
    struct Key: Hashable {
        var service: String
        var status: Int
    }

    private(set) var requests: [Key: UInt64] = [:]
    /// Notifications of the binary interface that were lost, because one before them was refused.
    var dropped: UInt64 = 0
    /// Requests by the first of `bounds` that they did not take longer than, and those that took longer than the last one.
    private(set) var durations = [UInt64](repeating: 0, count: bounds.count + 1)
    /// Of all requests, in seconds.
    private(set) var totalSeconds = 0.0

    /// Upper bounds of the histogram, in seconds, as they are written.
    static let bounds: [(seconds: Double, text: StaticString)] = [
        (0.0001, "0.0001"), (0.00025, "0.00025"), (0.0005, "0.0005"), (0.001, "0.001"), (0.0025, "0.0025"),
        (0.005, "0.005"), (0.01, "0.01"), (0.025, "0.025"), (0.05, "0.05"), (0.1, "0.1"), (0.25, "0.25"),
        (0.5, "0.5"), (1, "1"), (2.5, "2.5"), (5, "5"), (10, "10"),
    ]

    /// Counts an answer. Services and their statuses are few.
    mutating func count(service: String, status: Int) {
        requests[Key(service: service, status: status), default: 0] += 1
    }

    /// Counts the time from the arrival of a complete request to its answer.
    mutating func observe(nanoseconds: Int64) {
        let seconds = Double(max(nanoseconds, 0)) / 1e9
        totalSeconds += seconds
        let bucket = Self.bounds.firstIndex { seconds <= $0.seconds } ?? Self.bounds.count
        durations[bucket] += 1
    }
}
