#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A monotonic clock, in nanoseconds.
enum MonotonicClock {
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension Duration {
    /// Nanoseconds, capped at 10 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 315_360_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
