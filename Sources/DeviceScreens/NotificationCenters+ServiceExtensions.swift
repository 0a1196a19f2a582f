import CompactStorage
package import PayloadJSON
package import PushModel

/// What service extensions see and remove.
extension NotificationCenters {
    /// Removes notifications of the app that a push was for, at the request of its service extension. Nil removes all
    /// of them.
    ///
    /// - Returns: `seq` of the newest one removed; nil when there was none.
    package mutating func remove(
        _ identifiers: [String]?, askedBy message: PushMessage, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> UInt64? {
        guard
            let center = find(
                device: message.device, app: message.app, hash: centerHash(message.device, message.app))
        else { return nil }
        var newest: UInt64?
        func removeSlot(_ position: UInt32, _ recorder: inout some DeliveryRecorder & ~Copyable) {
            let slot = self[slot: position]
            newest = max(newest ?? 0, slot.seq)
            recorder.remove(order: slot.order)
            withIdentifier(of: slot) { identifier in
                recorder.record(.removed, seq: seq, at: at, center: Int(center), message, identifier: identifier)
            }
            remove(position)
        }
        if let identifiers {
            for var identifier in identifiers {
                let found = identifier.withUTF8 { bytes -> UInt32? in
                    guard let start = bytes.baseAddress else { return nil }
                    // SOUND: the text is used only within the closure.
                    let text = unsafe BorrowedText(start: start, count: bytes.count)
                    return findIdentifier(text, hasher.hash(text, salt(center)), center)
                }
                if let found { removeSlot(found, &recorder) }
            }
        } else {
            while self[center: center].first != Self.none { removeSlot(self[center: center].first, &recorder) }
        }
        return newest
    }

    /// Calls `body` for each notification of the app that a push was for, oldest first.
    package func forEachShown(for message: PushMessage, _ body: (ShownNotification) throws -> Void) rethrows {
        let hash = centerHash(message.device, message.app)
        guard let center = find(device: message.device, app: message.app, hash: hash) else { return }
        var position = self[center: center].first
        while position != Self.none {
            let slot = self[slot: position]
            try withIdentifier(of: slot) { identifier in
                try body(
                    ShownNotification(
                        seq: slot.seq, order: slot.order, identifier: identifier, deliveredAt: slot.at,
                        payload: slot.payload,
                        changes: slot.changes))
            }
            position = slot.next
        }
    }

    /// The number of notifications that an app shows on a device, and its badge; nil when the app has not been seen
    /// here.
    package func state(device: BorrowedText, app: BorrowedText) -> (count: Int, badge: Int?)? {
        find(device: device, app: app, hash: centerHash(device, app)).map {
            (Int(self[center: $0].count), self[center: $0].badge)
        }
    }
}
