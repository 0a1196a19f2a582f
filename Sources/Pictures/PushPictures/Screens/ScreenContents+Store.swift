package import PushDevices
import PushModel
package import ScreenPictures

extension ScreenContents {
    /// Reads the screens. Keeps the newest notifications of `most` devices in memory, and the names of all.
    ///
    /// - Parameters:
    ///   - device: nil for the first devices.
    ///   - app: nil for all apps.
    package init(
        _ store: any BrowsableStore, device: String? = nil, app: String? = nil, most: Int = mostDevices
    ) throws {
        let screens = try AndroidScreens(store, device: device)
        try self.init(
            most: most,
            forEachActivity: { try store.forEachLiveActivity(device: device, app: app, $0) },
            forEachNotification: { body in
                try store.forEachNotification(device: device, app: app) { notification in
                    if let seen = try screens.seen(notification) { try body(seen) }
                }
            },
            platform: { try store.registered(on: $0).lazy.compactMap(\.event.platform).first },
            eventTime: AndroidScreen.time,
            seen: { HiddenPreviews(try store.registered(on: $0)).content },
            badges: { device in
                try store.badges(on: device).filter { $0.badge > 0 && (app ?? $0.app) == $0.app }
                    .map { ($0.app, $0.badge) }
            },
            forEachBadged: { body in
                func take(_ device: String, _ name: String, _ badge: Int?) throws {
                    if badge ?? 0 > 0, app ?? name == name { try body(device) }
                }
                guard let device else { return try store.forEachBadge(take) }
                for (name, badge) in try store.badges(on: device) { try take(device, name, badge) }
            })
    }
}
