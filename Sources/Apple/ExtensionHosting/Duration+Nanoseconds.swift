extension Duration {
    /// Nanoseconds, capped at 10 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 315_360_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
