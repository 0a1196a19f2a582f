import PushJSON
package import PushModel

/// The content that is seen in place of a notification's own, which has so many in its thread; nil if its own is.
package typealias SeenContent = (_ notification: DeliveredNotification, _ threadCount: Int) -> ShownContent?

/// The screens of devices, read once.
package struct ScreenContents: Sendable {
    /// The most devices in a picture unless one is named.
    package static let mostDevices = 4
    /// The most notifications of a device that are drawn as cards.
    static let mostCards = 12

    /// The screens in the order in which the devices got what is on them.
    private(set) var screens: [PhoneScreen]
    /// Devices that have something on their screens and are not among `screens`.
    let devicesLeftOut: Int

    /// All screens are seen at one time, that of the newest notification on any of them.
    package init(screens: [PhoneScreen], devicesLeftOut: Int = 0) {
        self.screens = screens
        let time = screens.map(\.time).max() ?? 0
        for index in screens.indices { self.screens[index].time = time }
        self.devicesLeftOut = devicesLeftOut
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
        self.init(screens: [
            contents.screen(platform: platform, eventTime: eventTime, seen: seen, badges: badges)
        ])
    }
}

/// The part of a device that has been read so far.
package struct DeviceContents {
    package let device: String
    /// Newest last; at most twice as many as are drawn.
    private var notifications: [DeliveredNotification] = []
    private var counts: [PhoneScreen.Group: Int] = [:]
    private var activities: [LiveActivity] = []
    private var time = Int64.min

    package init(device: String) { self.device = device }

    package mutating func add(_ activity: LiveActivity) {
        activities.append(activity)
        time = max(time, activity.updatedAt)
    }

    package mutating func add(_ notification: DeliveredNotification) {
        let group = PhoneScreen.Group(app: notification.app, thread: notification.content.thread ?? "")
        counts[group, default: 0] += 1
        notifications.append(notification)
        time = max(time, notification.deliveredAt)
        if notifications.count >= 2 * ScreenContents.mostCards {
            notifications.removeFirst(notifications.count - ScreenContents.mostCards)
        }
    }

    /// The screen of the device; the parameters are those of `ScreenContents`.
    /// - Parameter leastOfBundle: the fewest notifications of an app that are bundled, by the apps of which an event has said it; an empty name
    ///   stands for every app.
    package func screen(
        platform: Platform?, eventTime: ((DeliveredNotification) -> Int64)?, seen: SeenContent,
        badges: [(app: String, badge: Int)], leastOfBundle: [String: Int] = [:]
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
            activities: LiveActivity.inOrderOfRelevance(activities),
            icons: badges.map { PhoneScreen.Icon(app: $0.app, badge: $0.badge) }, leastOfBundle: leastOfBundle)
    }
}

/// The visible parts of a notification other than its texts, and its platform, from its payload.
struct NotificationTraits: Sendable, Equatable {
    /// Source of the words: Apple, "Generating a remote notification", `interruption-level`.
    enum Level: String, Sendable {
        case passive, active, critical
        case timeSensitive = "time-sensitive"
    }

    var level = Level.active
    /// True if there is a picture or another attachment.
    var hasPicture = false
    /// Whom a communication notification is from; nil for any other.
    var sender: String?
    /// The sender's picture, as a data URL that is safe to embed; nil without one.
    var senderImage: String?
    /// The app that a message of Google is restricted to; nil if it names none.
    var package: String?
    /// The platform of a device that nobody has registered.
    var platform = Platform.ios

    /// - Parameter notification: with its payload; without one, it is like a plain notification of an Apple device.
    init(_ notification: DeliveredNotification) {
        BorrowedText.with(notification.payload) { text in text.withJSON { read($0) } }
        if let changes = notification.changes { BorrowedText.with(changes) { text in text.withJSON { apply($0) } } }
    }

    /// Hides what is hidden together with the texts. That iOS hides pictures and senders is UNCONFIRMED.
    mutating func hide() {
        hasPicture = false
        sender = nil
        senderImage = nil
    }

    /// A body of APNs has `aps`, as a local notification of an extension has nothing; all else is from Google.
    private mutating func read(_ root: JSONView) {
        var members = root.members
        guard root.isObject, members.next() != nil else { return }
        let message = root["message"] ?? root
        guard root["aps"] == nil else { return read(aps: root["aps"]) }
        // As `RecordDecoder` decides.
        let second = message["android_v2"] ?? message["androidV2"]
        let android = second ?? message["android"]
        let web = message["webpush"]
        let apns = message["apns"]
        platform =
            web != nil && android == nil && apns == nil
            ? .web : apns != nil && android == nil && web == nil ? .ios : .android
        if platform == .ios { read(aps: apns?[pointer: "/payload/aps"]) }
        package = [
            message["restricted_package_name"], android?["restricted_package_name"], second?["restrictedPackageName"],
        ]
        .compactMap { $0?.string?.string }.first { !$0.isEmpty }
        let remote = second?["remote_notification"] ?? second?["remoteNotification"]
        hasPicture = [message["notification"], (second == nil ? android : remote)?["notification"]].map { $0?["image"] }
            .contains { $0?.string?.string.isEmpty == false }
    }

    private mutating func read(aps: JSONView?) {
        if let word = aps?["interruption-level"]?.string?.string, let named = Level(rawValue: word) { level = named }
    }

    /// True if a text is the data URL of a picture and nothing else: anything else could be an address to load, or a script.
    static func isPicture(_ text: String) -> Bool {
        for type in ["png", "jpeg", "gif", "webp"] where text.hasPrefix("data:image/\(type);base64,") {
            let digits = text.utf8.dropFirst("data:image/\(type);base64,".utf8.count)
            return !digits.isEmpty
                && digits.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                        true
                    default: false
                    }
                }
        }
        return false
    }

    private mutating func apply(_ changes: JSONView) {
        if let word = changes["interruptionLevel"]?.string?.string, let named = Level(rawValue: word) { level = named }
        sender = changes["sender"]?.string.flatMap { $0.string.isEmpty ? nil : $0.string }
        senderImage = changes["senderImage"]?.string.flatMap { Self.isPicture($0.string) ? $0.string : nil }
        var attachments = changes["attachments"]?.elements
        if attachments?.next() != nil { hasPicture = true }
    }
}
