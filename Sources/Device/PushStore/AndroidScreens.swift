import DeviceScreens
package import PushModel

/// The screens of a store as they are seen where a device is one of Android's: in the order of events, and with what a lock screen hides hidden.
/// Screens of other devices are as they are in the store.
package final class AndroidScreens {
    private let store: any BrowsableStore
    private let locked: Set<String>
    /// The device that was asked about last; its platform is nil if no event has said it.
    private var last: (device: String, platform: Platform?)?

    /// - Parameter device: the only one that is asked about; nil for any.
    package init(_ store: any BrowsableStore, device: String? = nil) throws {
        self.store = store
        guard let device else {
            locked = try store.lockedDevices()
            return
        }
        let registered = try store.registered(on: device)
        let isLocked = registered.contains { $0.event.lock ?? .unlocked != .unlocked }
        // The store may know it by another spelling of its token.
        locked = isLocked ? Set(registered.map(\.device) + [device]) : []
    }

    /// Calls `body` for each screen with something to see, oldest first, and says whether the system bundles its notifications.
    package func forEachScreen(
        device: String?, app: String?, _ body: (_ shown: [DeliveredNotification], _ isBundle: Bool) throws -> Void
    ) throws {
        try store.forEachScreen(device: device, app: app) { shown in
            let seen = try self.seen(shown)
            if !seen.isEmpty { try body(seen, try isBundle(seen)) }
        }
    }

    /// The notifications of a device as they are seen, in the order of delivery before.
    package func seen(
        _ notifications: [DeliveredNotification], newestFirst: Bool = false
    ) throws -> [DeliveredNotification] {
        var seen = try notifications.compactMap { try self.seen($0) }
        guard seen.contains(where: { AndroidScreen.time(of: $0) != $0.deliveredAt }), try isAndroid(seen[0]) else {
            return seen
        }
        AndroidScreen.sort(&seen, newestFirst: newestFirst, AndroidScreen.time)
        return seen
    }

    /// Makes the notifications of a device, newest first, what is seen of them.
    package func see(_ newest: inout [PlacedNotification]) throws {
        newest = try newest.compactMap { placed in
            try seen(placed.notification).map { PlacedNotification(place: placed.place, notification: $0) }
        }
        guard let first = newest.first, try isAndroid(first.notification) else { return }
        AndroidScreen.sort(&newest, newestFirst: true) { AndroidScreen.time(of: $0.notification) }
    }

    /// A notification as it is seen; nil if it is not.
    package func seen(_ notification: DeliveredNotification) throws -> DeliveredNotification? {
        guard locked.contains(notification.device), try isAndroid(notification) else { return notification }
        return AndroidScreen.onLockScreen(notification)
    }

    /// True if the system bundles the notifications of an app.
    package func isBundle(_ notifications: [DeliveredNotification]) throws -> Bool {
        guard notifications.count >= AndroidScreen.leastOfBundle, let last = notifications.last else { return false }
        return try AndroidScreen.isFor(last) && isAndroid(last)
    }

    private func isAndroid(_ notification: DeliveredNotification) throws -> Bool {
        if last?.device != notification.device {
            let platform = try store.registered(on: notification.device).lazy.compactMap(\.event.platform).first
            last = (notification.device, platform)
        }
        return last?.platform.map { $0 == .android } ?? AndroidScreen.isFor(notification)
    }
}
