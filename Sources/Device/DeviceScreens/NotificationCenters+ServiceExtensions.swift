package import PayloadJSON
package import PushModel

extension NotificationCenters {
    /// Removes notifications of the app that a push was for, at the request of its service extension, or of the app if the message is
    /// local. Nil removes all of them.
    ///
    /// - Returns: `seq` of the newest one removed; nil when there was none.
    package mutating func remove(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> UInt64? {
        guard let center = find(device: message.device, app: message.app) else { return nil }
        var newest: UInt64?
        func removeSlot(_ position: UInt32, _ recorder: inout some DeliveryRecorder & ~Copyable) {
            newest = max(newest ?? 0, self[slot: position].seq)
            remove(position, as: message.isLocal ? .withdrawn : .removed, for: message, seq: seq, at: at, &recorder)
        }
        if let identifiers {
            for identifier in identifiers {
                if let found = find(identifier, in: center) { removeSlot(found, &recorder) }
            }
        } else {
            makeLists()
            var first = lists.ends(of: center).first
            while first != Self.none {
                removeSlot(first, &recorder)
                first = lists.ends(of: center).first
            }
        }
        return newest
    }

    /// Removes a notification, with a line of the journal.
    mutating func remove(
        _ position: UInt32, as kind: JournalKind, for message: DecodedMessage, seq: UInt64, at: Int64,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let slot = self[slot: position]
        recorder.remove(order: order(of: position))
        withIdentifier(of: slot) { identifier in
            recorder.record(kind, seq: seq, at: at, center: Int(slot.center), message, identifier: identifier)
        }
        remove(position)
    }

    mutating func find(_ identifier: String, in center: UInt32) -> UInt32? {
        var identifier = identifier
        return identifier.withUTF8 { bytes -> UInt32? in
            guard let start = bytes.baseAddress else { return nil }
            // SOUND: the text is used only within the closure.
            return findIdentifier(unsafe BorrowedText(start: start, count: bytes.count), in: center)
        }
    }

    /// Calls `body` for each notification of the app that a push was for, oldest first.
    package mutating func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) rethrows
    {
        guard let center = find(device: message.device, app: message.app) else { return }
        makeLists()
        var position = lists.ends(of: center).first
        while position != Self.none {
            let slot = self[slot: position]
            let (payload, changes, content) = self.body(of: position)
            try withIdentifier(of: slot) { identifier in
                try body(
                    ShownNotification(
                        seq: slot.seq, order: order(of: position), identifier: identifier,
                        deliveredAt: content?.at ?? 0, payload: payload, changes: changes))
            }
            position = lists.next(after: position)
        }
    }

    /// The number of notifications that an app shows on a device, and its badge; nil when the app has not been seen
    /// here.
    package mutating func state(device: BorrowedText, app: BorrowedText) -> (count: Int, badge: Int?)? {
        guard let center = find(device: device, app: app) else { return nil }
        makeLists()
        return (Int(lists.ends(of: center).count), self[center: center].badge)
    }
}
