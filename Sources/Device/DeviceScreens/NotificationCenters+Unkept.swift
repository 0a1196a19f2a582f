import PayloadJSON
package import PushModel

/// Deliveries to an app whose notifications are in a store's file only.
extension NotificationCenters {
    /// True if a message can be delivered without the other notifications of its app: it removes none, and replaces none if no identifier
    /// that was chosen equals a generated one.
    package static func needsNone(_ message: DecodedMessage) -> Bool {
        message.badge != 0 && message.content.customID == nil && (message.identifier?.isEmpty ?? true)
    }

    /// Delivers a message that needs no other notification (`needsNone`). Its own goes to the recorder, and is not kept.
    ///
    /// - Parameter isFull: true if Android drops a further notification of the app.
    package mutating func deliverUnkept(
        _ message: DecodedMessage, seq: UInt64, at: Int64, isFull: Bool,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        let isOnScreen = message.isShown && !message.isUnlisted
        guard isOnScreen || message.badge != nil else { return Delivery(outcome: .silent) }
        if seq < highestSeq { keepOrderFromNowOn() }
        highestSeq = max(highestSeq, seq)
        let center = center(device: message.device, app: message.app)
        if let badge = message.badge {
            let before = self[center: center].badge ?? 0
            setBadge(badge, of: center)
            recorder.setBadge(badge, center: Int(center))
            if !isOnScreen, badge != before {
                BorrowedText.with(String(badge)) { number in
                    recorder.record(.badgeSet, seq: seq, at: at, center: Int(center), message, identifier: number)
                }
            }
        }
        guard isOnScreen else { return Delivery(outcome: .silent) }
        GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText { identifier in
            if !isFull {
                recorder.add(order: nextOrder, message, seq: seq, at: at, center: Int(center), identifier: identifier)
                nextOrder &+= 1
            }
            recorder.record(
                isFull ? .suppressed : .delivered, seq: seq, at: at, center: Int(center), message,
                identifier: identifier)
        }
        return Delivery(outcome: isFull ? .suppressed : .delivered)
    }
}
