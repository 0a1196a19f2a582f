/// What became of a push in the hands of a service extension.
public enum ServiceExtensionOutcome: UInt8, Sendable, CaseIterable {
    /// What the extension made of it is shown.
    case modified
    /// What came from the provider is shown, because the extension failed. A finding says how.
    case original
    /// Nothing is shown, because the extension filtered it.
    case filtered

    /// As in reports.
    public var name: StaticString {
        switch self {
        case .modified: "modified"
        case .original: "original"
        case .filtered: "filtered"
        }
    }
}

/// When removals of delivered notifications take effect.
///
/// Apple: `removeDeliveredNotifications` returns at once, and removes in the background.
public enum RemovalTiming: Sendable, Equatable {
    /// At once.
    case immediate
    /// After a while, whatever the extension does meanwhile.
    case delayed(Duration)
    /// After a while, and not at all when the extension has called its content handler before: its process is suspended.
    case lostAfterHandler(Duration)
}

/// Watches for removals that may come too late: the content handler is called right after them, without a look at what is left.
package struct RemovalWatch: Sendable {
    /// Time between a removal and the end of an extension that apps are known to leave. Observed; Apple gives no figure.
    private static let safeTime = Duration.milliseconds(200)

    private var removals: [(at: Duration, identifiers: [String]?)] = []
    private var lastListing: (at: Duration, identifiers: Set<String>)?

    package init() {}

    /// Nil stands for all notifications.
    package mutating func didRemove(_ identifiers: [String]?, at time: Duration) {
        guard identifiers?.isEmpty != true else { return }
        removals.append((time, identifiers))
    }

    /// The extension was told what is on the screen.
    package mutating func didList(_ identifiers: Set<String>, at time: Duration) {
        lastListing = (time, identifiers)
    }

    /// What is to be said when the content handler is called.
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
