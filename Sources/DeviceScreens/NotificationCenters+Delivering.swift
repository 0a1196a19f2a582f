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
        deliver(message, DeliveryKey(message, hasher, lanes: 1), seq: seq, at: at, recorder: &recorder)
    }

    /// The same without a journal.
    package mutating func deliver(_ message: PushMessage, seq: UInt64, at: Int64) -> Delivery {
        var recorder = NoRecorder()
        return deliver(message, seq: seq, at: at, recorder: &recorder)
    }

    /// Delivers a message whose key is known.
    @inline(__always)
    mutating func deliver(
        _ message: PushMessage, _ key: DeliveryKey, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        guard key.effect != .nothing else { return Delivery(outcome: .silent) }
        let center = center(device: message.device, app: message.app, hash: key.center)
        if let badge = message.content.badge {
            self[center: center].badge = badge
            recorder.setBadge(badge, center: Int(center))
        }
        guard key.effect == .screen else { return Delivery(outcome: .silent) }

        var delivery = Delivery(outcome: .delivered)
        if let customID = message.content.customID, message.startsServiceExtension {
            removeAll(with: customID, for: message, seq: seq, at: at, center: center, &delivery, &recorder)
        }
        show(message, key, seq: seq, at: at, center: center, &delivery, &recorder)
        return delivery
    }

    /// Removes the notifications with a custom id, as an extension does before it shows the new one.
    private mutating func removeAll(
        with customID: BorrowedText, for message: PushMessage, seq: UInt64, at: Int64, center: UInt32,
        _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let hash = hasher.hash(customID, salt(center))
        while let found = findCustomID(customID, hash, center) {
            let slot = self[slot: found]
            delivery.replaces = max(delivery.replaces ?? 0, slot.seq)
            delivery.outcome = .reposted
            recorder.remove(order: order(of: found))
            withIdentifier(of: slot) { identifier in
                recorder.record(
                    .removed, seq: seq, at: at, center: Int(center), message, identifier: identifier)
            }
            remove(found)
        }
    }

    /// Adds a notification to its app's screen, replacing one with the same identifier.
    @inline(__always)
    private mutating func show(
        _ message: PushMessage, _ key: DeliveryKey, seq: UInt64, at: Int64, center: UInt32,
        _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        if key.mayEqualGenerated { indexGenerated() }
        if let identifier = message.identifier {
            show(message, key, identifier, seq: seq, at: at, center: center, &delivery, &recorder)
        } else if indexesGenerated || recorder.isListening {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText { identifier in
                var key = key
                key.identifier = indexesGenerated ? hasher.hash(identifier, salt(center)) : 0
                show(message, key, identifier, seq: seq, at: at, center: center, &delivery, &recorder)
            }
        } else {
            // Nothing has this identifier, and no one is told of it.
            insert(entry(for: message, seq: seq, at: at), hash: 0, in: center)
        }
    }

    private mutating func show(
        _ message: PushMessage, _ key: DeliveryKey, _ identifier: BorrowedText, seq: UInt64, at: Int64,
        center: UInt32, _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        var event = JournalKind.delivered
        let found =
            key.identifier == 0 && message.identifier == nil
            ? nil : findIdentifier(identifier, key.identifier, center)
        if let found {
            if delivery.outcome == .delivered {
                delivery.outcome = .replaced
                delivery.replaces = self[slot: found].seq
            }
            event = .replaced
            recorder.remove(order: order(of: found))
        }
        let entry = entry(for: message, seq: seq, at: at)
        if let found, canRenew(found, with: entry) {
            renew(found, with: entry)
        } else {
            if let found { remove(found) }
            insert(entry, hash: key.identifier, in: center)
        }
        recorder.add(order: entry.order, message, seq: seq, at: at, center: Int(center), identifier: identifier)
        recorder.record(event, seq: seq, at: at, center: Int(center), message, identifier: identifier)
    }

    private mutating func entry(for message: PushMessage, seq: UInt64, at: Int64) -> Entry {
        let order = nextOrder
        nextOrder &+= 1
        return Entry(
            order: order, seq: seq, at: at, target: message.target, identifier: message.identifier,
            customID: message.content.customID, payload: message.payload, changes: message.changes,
            provider: message.provider, platform: message.platform)
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
