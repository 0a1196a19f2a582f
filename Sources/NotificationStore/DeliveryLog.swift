import DeviceScreens
import PayloadJSON
import PushModel

/// Collects what deliveries do to the screens, for whoever traces messages. The journal is kept as it is without.
package final class DeliveryLog {
    /// In the order in which it happened.
    package private(set) var entries: [JournalEntry] = []

    /// An empty log.
    package init() {}

    func record(
        _ event: JournalKind, seq: UInt64, at: Int64, _ message: PushMessage, identifier: BorrowedText
    ) {
        entries.append(
            JournalEntry(
                seq: seq, at: at, device: message.device.string, app: message.app.string, kind: event,
                identifier: identifier.string))
    }

    /// Hands out the entries, and forgets them.
    package func take() -> [JournalEntry] {
        defer { entries.removeAll() }
        return entries
    }
}

/// What an app shows on a device, in numbers.
public struct ScreenState: Sendable, Equatable {
    /// Notifications on the screen.
    public var count: Int
    /// The number on the app's icon; nil when no push has set it.
    public var badge: Int?

    /// Makes a state.
    public init(count: Int, badge: Int?) {
        self.count = count
        self.badge = badge
    }
}
