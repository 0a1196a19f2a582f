package import PayloadJSON
import PushCompactStorage

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
        _ body: (_ device: BorrowedText, _ app: BorrowedText, _ count: Int, _ badge: Int?, _ latest: Int64?) -> Void
    ) {
        guard keeping == .everything else { return }
        makeLists()
        for center in device.map({ centers(of: $0) }) ?? Array(0..<UInt32(centers.count)) {
            let ends = lists.ends(of: center)
            let latest = ends.last == Self.none ? nil : self.body(of: ends.last).content?.at
            body(self.device(center), app(center), Int(ends.count), self[center: center].badge, latest)
        }
    }
}
