#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where the time of a delivery comes from.
public enum PipelineClock: Sendable, Equatable {
    /// The machine's clock, read once a chunk. When it goes back, by itself or from one run on a store to the next, deliveries get the
    /// time of the last one until it has caught up: no notification is older than one before it.
    case wall
    /// This time for the first record, in milliseconds since the epoch, and one millisecond more for each further one. Two runs over
    /// the same input then give the same bytes.
    case fixed(milliseconds: Int64)

    /// The last one that RFC 3339 can write: the end of the year 9999.
    package static let latestMilliseconds: Int64 = 253_402_300_799_999

    /// Milliseconds since the epoch now, by the machine's clock.
    package static func wallMilliseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Seconds of a clock that never goes back, for measuring how long something takes.
    package static func monotonicSeconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
