package import PayloadJSON
package import PushModel

/// Collects the changes that deliveries make to the screens, for tracing messages. The journal is kept as it is without
/// it.
package final class DeliveryLog {
    /// The entries in the order in which they happened.
    package private(set) var entries: [JournalEntry] = []

    package init() {}

    package func record(
        _ event: JournalKind, seq: UInt64, at: Int64, _ message: DecodedMessage, identifier: BorrowedText
    ) {
        entries.append(
            JournalEntry(
                seq: seq, at: at, device: message.device.string, app: message.app.string, kind: event,
                identifier: identifier.string))
    }

    package func take() -> [JournalEntry] {
        defer { entries.removeAll() }
        return entries
    }
}

/// The state of an app's screen on a device.
package struct ScreenState: Sendable, Equatable {
    /// Notifications on the screen.
    package var count: Int
    /// The number on the app's icon; nil when no push has set it.
    package var badge: Int?

    /// Makes a state.
    package init(count: Int, badge: Int?) {
        self.count = count
        self.badge = badge
    }
}
