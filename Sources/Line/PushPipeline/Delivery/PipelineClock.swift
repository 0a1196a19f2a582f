/// The source of delivery times.
public enum PipelineClock: Sendable, Equatable {
    /// The machine's clock, read once per chunk. If it goes backward, within a run or between two runs on a store, deliveries reuse the last
    /// time until the clock catches up: no notification is older than the one before it.
    case wall
    /// This time for the first record, in milliseconds since the epoch, and one millisecond more for each further record. Two runs over
    /// the same input produce the same bytes.
    case fixed(milliseconds: Int64)

    /// A fixed clock that starts at a time since the epoch, rounded down to a millisecond: `.fixed(.seconds(1_767_268_800))`.
    public static func fixed(_ start: Duration) -> PipelineClock {
        let (seconds, attoseconds) = start.components
        return .fixed(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
