package import PayloadJSON

/// A delivered notification as a service extension sees it while it runs. Texts are borrowed from the store and valid
/// only for the duration of the call that passes it.
package struct ShownNotification {
    /// Number of the record that contained it.
    package var seq: UInt64
    /// Its position in the order of delivery, across all devices.
    package var order: UInt64
    /// Collapse id, or a generated identifier.
    package var identifier: BorrowedText
    /// Milliseconds since the epoch.
    package var deliveredAt: Int64
    /// The body as it was sent; `{}` for a local notification.
    package var payload: BorrowedText
    /// Members of the content that an extension changed, as a JSON object. Empty when it changed nothing.
    package var changes: BorrowedText

    package init(
        seq: UInt64, order: UInt64, identifier: BorrowedText, deliveredAt: Int64, payload: BorrowedText,
        changes: BorrowedText
    ) {
        self.seq = seq
        self.order = order
        self.identifier = identifier
        self.deliveredAt = deliveredAt
        self.payload = payload
        self.changes = changes
    }
}
