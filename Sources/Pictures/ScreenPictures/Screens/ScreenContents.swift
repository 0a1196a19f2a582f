package import PushModel

/// The content that is seen in place of a notification's own, which has so many in its thread; nil if its own is.
package typealias SeenContent = (_ notification: DeliveredNotification, _ threadCount: Int) -> ShownContent?

/// The screens of devices, read once.
package struct ScreenContents: Sendable {
    /// The most devices in a picture unless one is named.
    package static let mostDevices = 4
    /// The most notifications of a device that are drawn as cards.
    static let mostCards = 12

    /// In the order in which they got what is on their screens.
    private(set) var screens: [PhoneScreen] = []
    /// Devices that have something on their screens and are not among `screens`.
    private(set) var devicesLeftOut = 0

    /// Reads the screens. Keeps the newest notifications of `most` devices in memory, and the names of all.
    ///
    /// - Parameters:
    ///   - forEachActivity: hands over all Live Activities.
    ///   - forEachNotification: hands over all notifications, oldest first.
    ///   - platform: of a device, if it is known.
    ///   - eventTime: the time by which the tray of an Android device is sorted.
    ///   - seen: what is seen of a device's notifications.
    ///   - badges: of a device, without those that are 0.
    ///   - forEachBadged: hands over the devices that have such a number.
    package init(
        most: Int = mostDevices, forEachActivity: ((LiveActivity) throws -> Void) throws -> Void,
        forEachNotification: ((DeliveredNotification) throws -> Void) throws -> Void,
        platform: (String) throws -> Platform?, eventTime: @escaping (DeliveredNotification) -> Int64,
        seen: (String) throws -> SeenContent,
        badges: (String) throws -> [(app: String, badge: Int)],
        forEachBadged: ((String) throws -> Void) throws -> Void
    ) throws {
        var devices = Devices(most: most)
        try forEachActivity { activity in
            guard activity.state != .dismissed else { return }
            devices.update(activity.device) { $0.add(activity) }
        }
        try forEachNotification { notification in
            devices.update(notification.device) { $0.add(notification) }
        }
        try forEachBadged { devices.update($0) { _ in } }
        screens = try devices.found.map { contents in
            contents.screen(
                platform: try platform(contents.device), eventTime: eventTime, seen: try seen(contents.device),
                icons: try badges(contents.device).map { PhoneScreen.Icon(app: $0.app, badge: $0.badge) })
        }
        devicesLeftOut = devices.leftOut.count
    }

    /// Makes the contents of one device that was read in parts.
    ///
    /// - Parameters:
    ///   - platform: nil for the one that its notifications are for.
    ///   - notifications: newest first.
    ///   - activities: those on the lock screen.
    ///   - badges: of the apps with a number on their icons.
    ///   - eventTime: the time by which the tray of an Android device is sorted; nil for other devices.
    ///   - seen: what is seen of the notifications.
    package init(
        device: String, platform: Platform?, notifications: [DeliveredNotification], activities: [LiveActivity],
        badges: [(app: String, badge: Int)], eventTime: ((DeliveredNotification) -> Int64)? = nil,
        seen: SeenContent = { _, _ in nil }
    ) {
        var contents = DeviceContents(device: device)
        for activity in activities { contents.add(activity) }
        for notification in notifications.reversed() { contents.add(notification) }
        let icons = badges.map { PhoneScreen.Icon(app: $0.app, badge: $0.badge) }
        screens = [contents.screen(platform: platform, eventTime: eventTime, seen: seen, icons: icons)]
    }

    /// Makes contents, for pictures of what is in no store.
    init(screens: [PhoneScreen]) { self.screens = screens }
}

/// The first devices, and the names of the others.
private struct Devices {
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

/// The part of a device that has been read so far.
private struct DeviceContents {
    let device: String
    /// Newest last; at most twice as many as are drawn.
    private var notifications: [DeliveredNotification] = []
    private var counts: [PhoneScreen.Group: Int] = [:]
    private var activities: [LiveActivity] = []
    private(set) var apps: [String] = []
    private var knownApps: Set<String> = []
    private var time = Int64.min

    init(device: String) { self.device = device }

    mutating func add(_ activity: LiveActivity) {
        activities.append(activity)
        time = max(time, activity.updatedAt)
    }

    mutating func add(_ notification: DeliveredNotification) {
        let group = PhoneScreen.Group(app: notification.app, thread: notification.content.thread ?? "")
        counts[group, default: 0] += 1
        if knownApps.insert(notification.app).inserted { apps.append(notification.app) }
        notifications.append(notification)
        time = max(time, notification.deliveredAt)
        if notifications.count >= 2 * ScreenContents.mostCards {
            notifications.removeFirst(notifications.count - ScreenContents.mostCards)
        }
    }

    func screen(
        platform: Platform?, eventTime: ((DeliveredNotification) -> Int64)?, seen: SeenContent,
        icons: [PhoneScreen.Icon]
    ) -> PhoneScreen {
        var cards = notifications.suffix(ScreenContents.mostCards).reversed().map { notification in
            var card = PhoneScreen.Card(notification: notification, traits: NotificationTraits(notification))
            if let content = seen(notification, counts[card.group] ?? 1) {
                card.notification.content = content
                card.traits.hide()
            }
            return card
        }
        let platform = platform ?? cards.first?.traits.platform ?? .ios
        if platform == .android, let eventTime {
            AndroidScreen.sort(&cards, newestFirst: true) { eventTime($0.notification) }
        }
        return PhoneScreen(
            device: device, platform: platform,
            time: time == .min ? 0 : time, cards: cards, counts: counts,
            activities: LiveActivity.inOrderOfRelevance(activities), icons: icons)
    }
}
