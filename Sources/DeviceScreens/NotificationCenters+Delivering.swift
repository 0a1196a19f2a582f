import CompactStorage
import PayloadJSON
package import PushModel

extension NotificationCenters {
    /// Delivers a message to its device.
    ///
    /// - Parameters:
    ///   - seq: the record's number.
    ///   - at: milliseconds since the epoch.
    package mutating func deliver(
        _ message: PushMessage, seq: UInt64, at: Int64, recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        let isShown = message.isShown && !message.isUnlisted
        guard isShown || message.content.badge != nil else { return Delivery(outcome: .silent) }
        let center = center(device: message.device, app: message.app)
        if let badge = message.content.badge {
            self[center: center].badge = badge
            recorder.setBadge(badge, center: Int(center))
        }
        guard isShown else { return Delivery(outcome: .silent) }

        var delivery = Delivery(outcome: .delivered)
        if let customID = message.content.customID, message.startsServiceExtension {
            // The extension finds the notifications with the same custom id and removes them before this one appears.
            let hash = hasher.hash(customID, salt(center))
            while let found = findCustomID(customID, hash, center) {
                let slot = self[slot: found]
                delivery.replaces = max(delivery.replaces ?? 0, slot.seq)
                delivery.outcome = .reposted
                recorder.remove(order: slot.order)
                withIdentifier(of: slot) { identifier in
                    recorder.record(.removed, seq: seq, at: at, center: Int(center), message, identifier: identifier)
                }
                remove(found)
            }
        }
        if let identifier = message.identifier {
            show(message, seq: seq, at: at, center: center, identifier: identifier, &delivery, &recorder)
        } else {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText { identifier in
                show(message, seq: seq, at: at, center: center, identifier: identifier, &delivery, &recorder)
            }
        }
        return delivery
    }

    /// Adds a notification to its app's screen, replacing one with the same identifier.
    private mutating func show(
        _ message: PushMessage, seq: UInt64, at: Int64, center: UInt32, identifier: BorrowedText,
        _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let hash = hasher.hash(identifier, salt(center))
        var event = JournalKind.delivered
        if let found = findIdentifier(identifier, hash, center) {
            let slot = self[slot: found]
            if delivery.outcome == .delivered {
                delivery.outcome = .replaced
                delivery.replaces = slot.seq
            }
            event = .replaced
            recorder.remove(order: slot.order)
            remove(found)
        }
        let order = nextOrder
        nextOrder &+= 1
        insert(
            Entry(
                order: order, seq: seq, at: at, target: message.target, identifier: message.identifier,
                customID: message.content.customID, payload: keepsPayloads ? message.payload : .empty,
                changes: keepsPayloads ? message.changes : .empty,
                provider: message.provider, platform: message.platform),
            hash: hash, in: center)
        recorder.add(order: order, message, seq: seq, at: at, center: Int(center), identifier: identifier)
        recorder.record(event, seq: seq, at: at, center: Int(center), message, identifier: identifier)
    }

    /// Adds a journal line about a message that is not shown.
    package mutating func record(
        _ event: JournalKind, for message: PushMessage, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let center = Int(center(device: message.device, app: message.app))
        if let identifier = message.identifier {
            recorder.record(event, seq: seq, at: at, center: center, message, identifier: identifier)
        } else {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText {
                recorder.record(event, seq: seq, at: at, center: center, message, identifier: $0)
            }
        }
    }
}
