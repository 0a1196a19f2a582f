import PayloadJSON
import PushModel

/// Requests of an extension that remove the notifications with the same custom id.
extension NotificationCenters {
    /// Shows a notification that has a custom id. If it starts the extension, those with the same id are removed, before or
    /// after it appears.
    ///
    /// - Parameter at: when the extension asks for the removal, in milliseconds since the epoch.
    @unsafe
    mutating func repost(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64, center: UInt32,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        // SOUND: the caller vouches for the message.
        var delivery = Delivery(outcome: .delivered)
        guard unsafe message.pointee.startsServiceExtension, let customID = unsafe message.pointee.content.customID,
            case let hash = hasher.hash(customID, salt(center)), findOldest(customID, hash, center) != nil
        else {
            unsafe show(key, message, seq: seq, at: at, center: center, &delivery, &recorder)
            return delivery
        }
        let removal = replacement?.removal ?? .immediate
        let wait = replacement?.wait.milliseconds ?? 0
        let effect = removal.effect(waiting: wait)
        var late: [String] = []
        switch effect {
        case .before:
            unsafe removeSame(
                customID, hash, for: message, seq: seq, at: at &+ removal.delay, center: center, &delivery, &recorder)
        // The new one is not among them: the extension has looked before it appears.
        case .after, .lost: late = identifiersOfSame(customID, hash, center, isLost: effect == .lost)
        }
        let shownAt = at &+ wait
        unsafe show(key, message, seq: seq, at: shownAt, center: center, &delivery, &recorder)
        if !late.isEmpty {
            removeLate(
                late, askedBy: unsafe message.pointee, seq: seq, shownAt: shownAt,
                due: effect == .after ? at &+ removal.delay : nil, recorder: &recorder)
        }
        return delivery
    }

    /// Removes the notifications with a custom id, or the oldest of them.
    @unsafe
    private mutating func removeSame(
        _ customID: BorrowedText, _ hash: UInt32, for message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64,
        center: UInt32, _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        // SOUND: the caller vouches for the message.
        // Oldest first, as in the notification center's own list.
        while let found = findOldest(customID, hash, center) {
            let slot = self[slot: found]
            delivery.replaces = max(delivery.replaces ?? 0, slot.seq)
            delivery.outcome = .reposted
            recorder.remove(order: order(of: found))
            withIdentifier(of: slot) { identifier in
                unsafe recorder.record(
                    .removed, seq: seq, at: at, center: Int(center), message.pointee, identifier: identifier)
            }
            remove(found)
            if replacement?.match == .first { return }
        }
    }

    /// The identifiers of the notifications with a custom id, oldest first, or that of the oldest.
    ///
    /// Those that are stale already are left out where naming them again changes nothing: a removal that was lost is not
    /// lost again, and a generated identifier does not come back after its removal. So a flood of pushes with one id costs
    /// no more for each than the ones before it have left behind.
    private func identifiersOfSame(
        _ customID: BorrowedText, _ hash: UInt32, _ center: UInt32, isLost: Bool
    ) -> [String] {
        guard let oldest = findOldest(customID, hash, center) else { return [] }
        var identifiers: [String] = []
        // Newest first: those that were stale before are the oldest ones.
        let newest = customIDs[oldest].older
        var next = replacement?.match == .first ? oldest : newest
        repeat {
            let isKnown = customIDs[next].isStale && (isLost || texts(of: self[slot: next]).first.isEmpty)
            if !isKnown { identifiers.append(withIdentifier(of: self[slot: next]) { $0.string }) }
            // All that are older are known, too.
            if isKnown, isLost || staleChosenCount == 0 { break }
            next = customIDs[next].older
        } while next != newest && replacement?.match != .first
        return identifiers.reversed()
    }
}
