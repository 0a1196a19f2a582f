import PayloadJSON
import PushModel

/// What an extension does that removes the notifications with the same custom id.
extension NotificationCenters {
    /// Shows a notification that has a custom id. If it starts the extension, those with the same id are removed, before or
    /// after it appears.
    ///
    /// - Parameter at: when the extension asks for the removal, in milliseconds since the epoch.
    @unsafe
    mutating func repost(
        _ key: DeliveryKey, _ message: UnsafePointer<PushMessage>, seq: UInt64, at: Int64, center: UInt32,
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
        var late: [String] = []
        switch removal.effect(waiting: wait) {
        case .before:
            unsafe removeSame(
                customID, hash, for: message, seq: seq, at: at &+ removal.delay, center: center, &delivery, &recorder)
        // The new one is not among them: the extension has looked before it appears.
        case .after: late = identifiersOfSame(customID, hash, center)
        case .lost: break
        }
        unsafe show(key, message, seq: seq, at: at &+ wait, center: center, &delivery, &recorder)
        if !late.isEmpty {
            _ = remove(
                late, askedBy: unsafe message.pointee, seq: seq, at: at &+ removal.delay, recorder: &recorder)
        }
        return delivery
    }

    /// Removes the notifications with a custom id, or the oldest of them.
    @unsafe
    private mutating func removeSame(
        _ customID: BorrowedText, _ hash: UInt32, for message: UnsafePointer<PushMessage>, seq: UInt64, at: Int64,
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
    private func identifiersOfSame(_ customID: BorrowedText, _ hash: UInt32, _ center: UInt32) -> [String] {
        guard let oldest = findOldest(customID, hash, center) else { return [] }
        var identifiers: [String] = []
        var next = oldest
        repeat {
            identifiers.append(withIdentifier(of: self[slot: next]) { $0.string })
            next = customIDs[next].newer
        } while next != oldest && replacement?.match != .first
        return identifiers
    }
}
