import PayloadJSON
package import PushModel

/// Removals that come after the notification of the extension that asked for them, or never.
extension NotificationCenters {
    /// Takes note of a removal that is not done when its extension's notification appears.
    ///
    /// Notifications that stay on the screen are marked as stale, and journaled if the removal is lost. Nothing is removed: that is
    /// done when the removal is due, by `remove`.
    ///
    /// - Parameters:
    ///   - identifiers: those that the extension named; nil for all notifications of its app.
    ///   - message: the push of the extension, which has been delivered.
    ///   - shownAt: when its notification appeared, in milliseconds since the epoch.
    ///   - due: when the removal takes effect; nil if it is lost.
    package mutating func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        guard let center = find(device: message.device, app: message.app) else { return }
        var late = LateRemoval(identifiers: identifiers, due: due, stale: [])
        for slot in slots(of: identifiers, in: center) {
            let found = self[slot: slot]
            // The push's own notification has taken the place of one with its identifier.
            if found.seq == seq, found.targetIndex == message.target { continue }
            guard !customIDs[slot].isStale else { continue }
            markStale(slot)
            recorder.markStale(order: order(of: slot), since: shownAt)
            withIdentifier(of: found) { identifier in
                late.stale.append(
                    StaleNotification(
                        seq: found.seq, identifier: identifier.string, milliseconds: due.map { $0 &- shownAt }))
                if due == nil {
                    recorder.record(
                        .removalLost, seq: seq, at: shownAt, center: Int(center), message, identifier: identifier)
                }
            }
        }
        // A removal of notifications that are gone by now may still meet one that comes back with their identifier.
        if due != nil || !late.stale.isEmpty { lateRemovals.append(late) }
    }

    /// Takes what came late of the deliveries since the last call.
    package mutating func takeLateRemovals() -> [LateRemoval] {
        guard !lateRemovals.isEmpty else { return [] }
        defer { lateRemovals.removeAll() }
        return lateRemovals
    }

    /// The slots of some notifications of an app, in the given order, or of all of them, oldest first.
    private mutating func slots(of identifiers: [String]?, in center: UInt32) -> [UInt32] {
        if let identifiers { return identifiers.compactMap { find($0, in: center) } }
        makeLists()
        var slots: [UInt32] = []
        var position = lists.ends(of: center).first
        while position != Self.none {
            slots.append(position)
            position = lists.next(after: position)
        }
        return slots
    }

    // MARK: - Marks

    mutating func markStale(_ slot: UInt32) {
        guard !customIDs[slot].isStale else { return }
        customIDs[slot].isStale = true
        staleCount += 1
        if !texts(of: self[slot: slot]).first.isEmpty { staleChosenCount += 1 }
    }

    @inline(__always)
    mutating func unmarkStale(_ slot: UInt32) {
        guard staleCount > 0, customIDs[slot].isStale else { return }
        customIDs[slot].isStale = false
        staleCount -= 1
        if !texts(of: self[slot: slot]).first.isEmpty { staleChosenCount -= 1 }
    }
}
