#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The machine's clocks.
package enum SystemClock {
    /// Milliseconds since the epoch. This clock can go backward.
    package static func wallMilliseconds() -> Int64 {
        let now = read(CLOCK_REALTIME)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// The time of day where the user is, such as `09:41:00`.
    package static func timeOfDay() -> String {
        var seconds = read(CLOCK_REALTIME).tv_sec
        var parts = unsafe tm()
        // SOUND: the call reads one number, and writes one `tm`.
        guard unsafe localtime_r(&seconds, &parts) != nil else { return "" }
        return unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(
            separator: ":")
    }

    /// Nanoseconds of a monotonic clock, for measuring durations. Only differences are meaningful.
    package static func monotonicNanoseconds() -> Int64 {
        let now = read(CLOCK_MONOTONIC)
        return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    }

    /// The same clock in seconds.
    package static func monotonicSeconds() -> Double {
        let now = read(CLOCK_MONOTONIC)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// Nanoseconds that all threads of this process have run so far.
    package static func processNanoseconds() -> Int64 {
        let now = read(CLOCK_PROCESS_CPUTIME_ID)
        return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        // SOUND: `now` outlives the call, which writes one `timespec`.
        unsafe clock_gettime(clock, &now)
        return now
    }
}
