import PushModel

extension LiveActivity {
    /// True if a push can still change it.
    func isRunning(at time: Int64) -> Bool {
        endedAt == nil && dismissedAt == nil && time < startedAt &+ Self.longestActive
    }

    /// True if the user swiped it away before a push had ended it. Source: Apple, `ActivityState.dismissed`: it will not be updated again.
    var isSwipedAway: Bool { endedAt == nil && dismissedAt != nil }

    /// Ends it.
    ///
    /// - Parameter dismissAt: when it leaves the lock screen: at once if that is past, and after 4 hours at the latest.
    mutating func end(at time: Int64, dismissAt: Int64?) {
        endedAt = time
        dismissedAt = min(max(dismissAt ?? .max, time), time &+ Self.longestEnded)
    }
}
