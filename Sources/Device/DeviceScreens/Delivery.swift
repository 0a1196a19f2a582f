package import PayloadJSON
package import PushModel

/// The result of delivering a message to its device.
package struct Delivery: Sendable, Equatable {
    /// `delivered`, `replaced`, `reposted` or `silent`; `suppressed`, `tooMany`, for one that Android drops.
    package var outcome: Outcome
    /// `seq` of the notification that was replaced; the newest one when an extension removed several.
    package var replaces: UInt64?
    /// Number of notifications that the badge removed.
    package var cleared = 0

    package init(outcome: Outcome, replaces: UInt64? = nil) {
        self.outcome = outcome
        self.replaces = replaces
    }
}

extension Delivery {
    /// The reason for which a delivery is suppressed: the Android app shows as many notifications as it may.
    package static let tooMany: StaticString = "too-many-notifications"
}

/// Records the changes that deliveries make, in the order in which they happen, within the delivering call. Texts are
/// borrowed.
///
/// `center` is the position of the app on the device in the order in which `NotificationCenters` first saw them,
/// counted from 0.
package protocol DeliveryRecorder: ~Copyable {
    /// True if it records notifications with generated identifiers. If not, their text need not be composed.
    var isListening: Bool { get }
    mutating func add(
        order: UInt64, _ message: DecodedMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText)
    mutating func remove(order: UInt64)
    /// A notification that is on the screen should have been removed: it is a stale duplicate from now on.
    ///
    /// - Parameter since: milliseconds since the epoch.
    mutating func markStale(order: UInt64, since: Int64)
    /// The number on the app's icon changed.
    mutating func setBadge(_ badge: Int, center: Int)
    /// Adds a journal line. `seq` is the number of the record that caused it.
    mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: DecodedMessage, identifier: BorrowedText)
}

extension DeliveryRecorder where Self: ~Copyable {
    package var isListening: Bool { true }
    package mutating func markStale(order: UInt64, since: Int64) {}
}

/// For stores without a journal.
package struct NoRecorder: DeliveryRecorder {
    /// False. Stored, because empty values share an address, which ThreadSanitizer takes for a race.
    package let isListening = false

    package init() {}

    @inline(__always)
    package func add(
        order: UInt64, _ message: DecodedMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText
    ) {}
    @inline(__always)
    package func remove(order: UInt64) {}
    @inline(__always)
    package func setBadge(_ badge: Int, center: Int) {}
    @inline(__always)
    package func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: DecodedMessage, identifier: BorrowedText
    ) {}
}
