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
        let android = try AndroidScreens(store, device: device)
        var devices = FirstDevices(most: most)
        try store.forEachLiveActivity(device: device, app: app) { activity in
            if activity.state != .dismissed { devices.update(activity.device) { $0.add(activity) } }
        }
        try store.forEachNotification(device: device, app: app) { notification in
            guard let seen = try android.seen(notification) else { return }
            devices.update(seen.device) { $0.add(seen) }
        }
        func take(_ device: String, _ name: String, _ badge: Int?) {
            if badge ?? 0 > 0, app ?? name == name { devices.update(device) { _ in } }
        }
        if let device {
            for (name, badge) in try store.badges(on: device) { take(device, name, badge) }
        } else {
            try store.forEachBadge { take($0, $1, $2) }
        }
        let screens = try devices.found.map { contents in
            let registered = try store.registered(on: contents.device)
            let badges = try store.badges(on: contents.device)
                .filter { $0.badge > 0 && (app ?? $0.app) == $0.app }
            return contents.screen(
                platform: registered.lazy.compactMap(\.event.platform).first, eventTime: AndroidScreen.time,
                seen: HiddenPreviews(registered).content, badges: badges,
                leastOfBundle: Dictionary(
                    registered.compactMap { app in app.event.settings.autoGroupAt.map { (app.app, $0) } }
                ) { first, _ in first })
        }
        self.init(screens: screens, devicesLeftOut: devices.leftOut.count)
    }
}

/// The first devices, and the names of the others.
private struct FirstDevices {
    let most: Int
    var found: [DeviceContents] = []
    var leftOut: Set<String> = []
    private var positions: [String: Int] = [:]

    init(most: Int) { self.most = max(most, 1) }

    mutating func update(_ device: String, _ body: (inout DeviceContents) -> Void) {
        if let position = positions[device] { return body(&found[position]) }
        guard found.count < most else {
            leftOut.insert(device)
            return
        }
        positions[device] = found.count
        var contents = DeviceContents(device: device)
        body(&contents)
        found.append(contents)
    }
}
