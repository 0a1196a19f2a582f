package import PayloadJSON
public import PushModel

/// What became of a message at its device.
public struct Delivery: Sendable, Equatable {
    /// `delivered`, `replaced`, `reposted` or `silent`.
    public var outcome: Outcome
    /// `seq` of the notification that gave way, the newest one when an extension removed several.
    public var replaces: UInt64?

    /// Makes a result.
    public init(outcome: Outcome, replaces: UInt64? = nil) {
        self.outcome = outcome
        self.replaces = replaces
    }
}

/// Is told what deliveries change, in the order in which it happens, within the call that delivers. Texts are borrowed.
///
/// `center` is the position of the app on the device among those that the `NotificationCenters` have seen, counted from 0.
package protocol DeliveryRecorder: ~Copyable {
    /// A notification is on the screen now.
    mutating func add(
        order: UInt64, _ message: PushMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText)
    /// A notification is no longer on the screen.
    mutating func remove(order: UInt64)
    /// The number on the app's icon.
    mutating func setBadge(_ badge: Int, center: Int)
    /// A line for the journal. `seq` is that of the record that caused it.
    mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: PushMessage, identifier: BorrowedText)
}
