package import PushModel

/// How a sender treats the tokens that it stores, after the plan for Moodle's notification server. A policy of the
/// sender: no push service requires it. Pure.
///
/// A token that is not confirmed is swept. When a push service reports a token as unregistered, its owner is notified
/// once, and nothing more is sent to the token; later it is deleted, unless it was confirmed again.
package struct TokenLifeCycle: Sendable, Equatable {
    /// Minimum time that an unconfirmed token is kept, in milliseconds.
    package var confirmWithin: Int64 = 60_000
    /// Time between sweeps, in milliseconds. Sweeps are at its multiples since the epoch: on the hour.
    package var sweepInterval: Int64 = 3_600_000
    /// Time from a token's first failure to its deletion, in milliseconds: 30 days.
    package var keepsDisabled: Int64 = 30 * 86_400_000

    /// The defaults: a minute, an hour, 30 days.
    package init() {}

    /// The standing of a token with the sender.
    package typealias Standing = DeviceEvent.TokenStanding

    /// Why nothing is sent to a token; nil for one that gets pushes.
    package static func silence(_ standing: Standing) -> StaticString? {
        switch standing {
        case .confirmed, .unconfirmed: nil
        case .disabled: "token-disabled"
        case .deleted: "token-deleted"
        }
    }

    /// True if nothing is sent for this reason because of the token's standing.
    package static func isSilence(_ reason: StaticString) -> Bool {
        let reason = reason.description
        return Standing.allCases.contains { silence($0)?.description == reason }
    }

    /// When a token that has had its standing since a time is due; nil when nothing is scheduled.
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
