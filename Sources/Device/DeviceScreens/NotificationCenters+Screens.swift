package import PayloadJSON
import PushCompactStorage
import PushDecoding
package import PushModel

/// Screens in parts, for whoever shows them.
extension NotificationCenters {
    /// The newest notifications of a device, newest first, with their places in the order of delivery.
    ///
    /// O(n log n) on the first call; then O(skipped + limit) for each app of the device. Empty unless everything is kept.
    ///
    /// - Parameters:
    ///   - app: nil for all apps of the device.
    ///   - order: only notifications that were delivered before the one in this place.
    package mutating func newest(
        on device: BorrowedText, app: String?, before order: UInt64, limit: Int
    ) -> [(order: UInt64, notification: DeliveredNotification)] {
        guard keeping == .everything else { return [] }
        makeLists()
        var found: [(order: UInt64, slot: UInt32)] = []
        for center in centers(of: device) where app == nil || self.app(center).string == app {
            var position = lists.ends(of: center).last
            var count = 0
            while position != Self.none, count < limit {
                let place = self.order(of: position)
                if place < order {
                    found.append((place, position))
                    count += 1
                }
                position = lists.previous(before: position)
            }
        }
        return found.sorted { $0.order > $1.order }.prefix(limit).map { ($0.order, notification(in: $0.slot)) }
    }

    /// The screens of apps on devices, in the order in which they were first seen here: names, number of notifications, badge,
    /// and the time of the newest one, in milliseconds since the epoch.
    ///
    /// O(n log n) on the first call, then O(apps on devices). Empty unless everything is kept.
    ///
    /// - Parameter device: nil for all.
    package mutating func forEachCenter(
        on device: BorrowedText?,
        _ body: (
            _ order: UInt64, _ device: BorrowedText, _ app: BorrowedText, _ count: Int, _ badge: Int?,
            _ latest: Int64?
        ) -> Void
    ) {
        guard keeping == .everything else { return }
        makeLists()
        for center in device.map({ centers(of: $0) }) ?? Array(0..<UInt32(centers.count)) {
            let ends = lists.ends(of: center)
            let latest = ends.last == Self.none ? nil : self.body(of: ends.last).content?.at
            body(
                ordersOfCenters[Int(center)], self.device(center), app(center), Int(ends.count),
                self[center: center].badge, latest)
        }
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
