/// A notification that an extension asked to remove, and that is still on the screen when its own notification appears.
///
/// Apple: `removeDeliveredNotifications` returns at once, and the system removes in the background. An extension that does
/// not wait leaves both notifications on the screen: for a while, or for good if its process is suspended first.
package struct LateRemoval: Sendable, Equatable {
    /// The identifiers that it named; nil for all notifications of the app.
    package var identifiers: [String]?
    /// When the removal takes effect, in milliseconds since the epoch; nil if it is lost.
    package var due: Int64?
    /// The notifications that became stale duplicates with this removal, oldest first.
    package var stale: [StaleNotification]
}

/// A notification that is on the screen beside the one that should have taken its place.
package struct StaleNotification: Sendable, Equatable {
    /// Number of the record that contained it.
    package var seq: UInt64
    /// Its identifier on the device.
    package var identifier: String
    /// Milliseconds from the new notification's appearance to the removal; nil if the removal is lost.
    package var milliseconds: Int64?

    /// Makes a value.
    package init(seq: UInt64, identifier: String, milliseconds: Int64?) {
        self.seq = seq
        self.identifier = identifier
        self.milliseconds = milliseconds
    }
}
