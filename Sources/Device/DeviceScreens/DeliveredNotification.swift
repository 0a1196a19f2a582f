package import PayloadJSON
import PushDecoding
public import PushModel

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

extension NotificationCenters {
    /// The notifications on the screens, newest last.
    ///
    /// Parses the payloads to get the texts, so do not call it on a hot path. Nil selects every device or app. Empty
    /// unless everything is kept.
    package func notifications(device: String? = nil, app: String? = nil) -> [DeliveredNotification] {
        orderedNotifications(device: device, app: app).map(\.notification)
    }

    /// The same with their places in the order of delivery.
    package func orderedNotifications(
        device: String?, app: String?
    ) -> [(order: UInt64, notification: DeliveredNotification)] {
        guard keeping == .everything else { return [] }
        return slotsInOrder().compactMap { position in
            let slot = self[slot: position]
            if let device, self.device(slot.center).string != device { return nil }
            if let app, self.app(slot.center).string != app { return nil }
            return (order(of: position), notification(in: position))
        }
    }

    /// The notification in a slot. Everything is kept.
    func notification(in position: UInt32) -> DeliveredNotification {
        let slot = self[slot: position]
        let (payload, changes, content) = body(of: position)
        // SOUND: the texts are borrowed from the slot, which does not change here.
        let shown = unsafe ShownContent(
            payload: payload.bytes, changes: changes, provider: content?.provider ?? .apns,
            platform: content?.platform ?? .ios, app: app(slot.center))
        return DeliveredNotification(
            seq: slot.seq, device: device(slot.center).string, app: app(slot.center).string,
            identifier: withIdentifier(of: slot) { $0.string }, content: shown, deliveredAt: content?.at ?? 0,
            payload: payload.string, changes: changes.isEmpty ? nil : changes.string)
    }

    /// The number on an app's icon; nil when no push has set it.
    package func badge(device: String, app: String) -> Int? {
        BorrowedText.with(device) { device in
            BorrowedText.with(app) { app in find(device: device, app: app).flatMap { self[center: $0].badge } }
        }
    }
}
