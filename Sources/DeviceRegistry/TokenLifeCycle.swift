/// What a sender does about the tokens that it keeps, as Moodle's notification server plans it. A policy of its own: no push service asks
/// for it. Pure.
///
/// A token that nobody confirms is swept away. When a push service says that a token is dead, its owner is told, once, and the token
/// is sent nothing more; some time later it is deleted, unless it was confirmed again.
public struct TokenLifeCycle: Sendable, Equatable {
    /// Milliseconds for which an unconfirmed token is kept at least.
    public var confirmWithin: Int64 = 60_000
    /// Milliseconds from one sweep to the next. Sweeps are at the multiples of this since the epoch: on the hour.
    public var sweepInterval: Int64 = 3_600_000
    /// Milliseconds from the first failure of a token to its end: 30 days.
    public var keepsDisabled: Int64 = 30 * 86_400_000

    /// A minute, an hour, a month.
    public init() {}

    /// What the sender thinks of a token.
    package enum Standing: String, Sendable, CaseIterable, BitwiseCopyable {
        case confirmed, unconfirmed, disabled, deleted
    }

    /// When something is to be done about a token that has had its standing since a time; nil when nothing is.
    package func due(_ standing: Standing, since: Int64) -> Int64? {
        switch standing {
        case .confirmed, .deleted: return nil
        case .disabled: return since &+ max(keepsDisabled, 0)
        case .unconfirmed:
            // The first sweep at which it is older than that.
            let interval = max(sweepInterval, 1)
            let end = since &+ max(confirmWithin, 0)
            return end &+ (interval &- (end % interval &+ interval) % interval)
        }
    }
}
