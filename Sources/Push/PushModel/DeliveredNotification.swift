/// A notification that is on a device's screen.
public struct DeliveredNotification: Sendable, Equatable {
    /// Number of the record that contained it.
    public var seq: UInt64
    /// Token, registration id, topic name or condition.
    public var device: String
    /// Bundle identifier or package name; empty when the record named none.
    public var app: String
    /// Collapse id, tag, or a generated identifier.
    public var identifier: String
    /// The content that the user sees.
    public var content: ShownContent
    /// Milliseconds since the epoch.
    public var deliveredAt: Int64
    /// The time of delivery, since the epoch.
    public var deliveryTime: Duration { .milliseconds(deliveredAt) }
    /// The body as it was sent.
    public var payload: String
    /// Members of the content that a service extension changed, as a JSON object; nil when it changed nothing.
    public var changes: String?

    /// Makes a notification.
    package init(
        seq: UInt64, device: String, app: String, identifier: String, content: ShownContent, deliveredAt: Int64,
        payload: String, changes: String? = nil
    ) {
        self.seq = seq
        self.device = device
        self.app = app
        self.identifier = identifier
        self.content = content
        self.deliveredAt = deliveredAt
        self.payload = payload
        self.changes = changes
    }
}
