/// The result of a service extension for a push.
package enum ServiceExtensionOutcome: UInt8, Sendable, CaseIterable {
    /// The content from the extension is shown.
    case modified
    /// The original content is shown, because the extension failed. A finding says how.
    case original
    /// Nothing is shown, because the extension filtered the notification.
    case filtered

    /// The name in reports.
    package var name: StaticString { Self.names[Int(rawValue)] }

    private static let names: [StaticString] = ["modified", "original", "filtered"]
}

/// When the removal of delivered notifications takes effect.
///
/// Apple: `removeDeliveredNotifications` returns immediately, and removes in the background.
public enum RemovalTiming: Sendable, Equatable {
    /// Immediately.
    case immediate
    /// After a delay, whatever the extension does in the meantime.
    case delayed(Duration)
    /// After a delay, but not if the extension has called its content handler by then: its process is suspended.
    case lostAfterHandler(Duration)
}

/// The effect of a removal that an extension asks for.
package enum RemovalEffect: Sendable, Equatable {
    /// It is done when the content handler is called.
    case before
    /// It comes later.
    case after
    /// It never comes.
    case lost
}

extension RemovalTiming {
    /// Milliseconds from the request for a removal to the removal.
    package var delay: Int64 {
        switch self {
        case .immediate: 0
        case .delayed(let delay), .lostAfterHandler(let delay): delay.milliseconds
        }
    }

    /// The effect of a removal if the content handler is called so many milliseconds after the request.
    package func effect(waiting wait: Int64) -> RemovalEffect {
        if delay <= wait { return .before }
        if case .lostAfterHandler = self { return .lost }
        return .after
    }
}

extension Duration {
    /// Whole milliseconds, from 0 to those of a year.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 31_536_000) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
    }
}

/// Detects removals that may come too late: the extension calls its content handler right after them, without checking
/// what is left.
package struct RemovalWatch: Sendable {
    /// How long apps are known to wait between a removal and the end of the extension. Observed; Apple gives no figure.
    private static let safeTime = Duration.milliseconds(200)

    private var removals: [(at: Duration, identifiers: [String]?)] = []
    private var lastListing: (at: Duration, identifiers: Set<String>)?

    package init() {}

    /// Records a removal. Nil stands for all notifications.
    package mutating func didRemove(_ identifiers: [String]?, at time: Duration) {
        guard identifiers?.isEmpty != true else { return }
        removals.append((time, identifiers))
    }

    /// Records that the extension read the list of delivered notifications.
    package mutating func didList(_ identifiers: Set<String>, at time: Duration) {
        lastListing = (time, identifiers)
    }

    /// The findings when the content handler is called.
    package func findings(handledAt: Duration) -> [Finding] {
        removals.filter { handledAt - $0.at < Self.safeTime && !isSeenDone($0) }.map { removal in
            let names = removal.identifiers.map { $0.joined(separator: ", ") } ?? "all"
            return Finding(
                rule: "extension.removal-race", severity: .warning, pointer: "",
                message: "the content handler was called right after the removal of \(names): a device removes in the "
                    + "background, and may not get to it before the extension is suspended")
        }
    }

    private func isSeenDone(_ removal: (at: Duration, identifiers: [String]?)) -> Bool {
        guard let lastListing, lastListing.at >= removal.at else { return false }
        return removal.identifiers.map(lastListing.identifiers.isDisjoint) ?? lastListing.identifiers.isEmpty
    }
}
