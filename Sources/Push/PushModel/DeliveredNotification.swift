package import PushJSON

/// A notification that is on a device's screen.
public struct DeliveredNotification: Sendable, Equatable {
    /// Number of the record that contained it.
    public var seq: UInt64
    /// Token, registration id, topic name or condition.
    public var device: String
    /// Bundle identifier or package name; empty when the record named none.
    public var app: String
    /// Collapse id, tag, or a generated identifier.
    public var identifier: String
    /// The content that the user sees.
    public var content: ShownContent
    /// Milliseconds since the epoch.
    public var deliveredAt: Int64
    /// The time of delivery, since the epoch.
    public var deliveryTime: Duration { .milliseconds(deliveredAt) }
    /// The body as it was sent.
    public var payload: String
    /// Members of the content that a service extension changed, as a JSON object; nil when it changed nothing.
    public var changes: String?

    /// Makes a notification.
    package init(
        seq: UInt64, device: String, app: String, identifier: String, content: ShownContent, deliveredAt: Int64,
        payload: String, changes: String? = nil
    ) {
        self.seq = seq
        self.device = device
        self.app = app
        self.identifier = identifier
        self.content = content
        self.deliveredAt = deliveredAt
        self.payload = payload
        self.changes = changes
    }
}

/// A notification that an app posts by itself: a push may be why, and no push shows it.
package struct LocalNotification: Sendable, Equatable {
    package var title: String?
    package var body: String?
    /// The identifier that the app chose: the tag on Android and in a browser, the identifier of the request on an Apple device.
    package var tag: String?
    /// The number of the notification, on Android; nil and 0 are the same.
    package var id: Int?
    /// The group of notifications, on Android.
    package var group: String?
    /// The notification channel, on Android.
    package var channel: String?
    /// True if Android makes no sound for it, such as for one whose group alerts with its summary alone; nil and false are the same.
    package var isSilent: Bool?
    /// True if Android makes no sound for it once it is shown; nil and false are the same.
    package var alertsOnce: Bool?

    package init() {}

    /// What tells it from the other notifications of its app; nil if the app chose nothing. Android tells them apart by tag and number, and
    /// FCM shows its own with 0. Elsewhere there is no number.
    package func key(on platform: Platform) -> String? {
        let tag = tag ?? ""
        guard platform == .android, let id else { return tag.isEmpty ? nil : tag }
        return id == 0 && !tag.isEmpty ? tag : "\(tag)#\(id)"
    }

    /// True if there is something to show.
    package var hasText: Bool { [title, body].contains { $0.map { !$0.isEmpty } ?? false } }

    /// The identifier of one whose app chose none: `post-7`, or `post-7.2` for the target with index 2. It differs from that of the push, which
    /// may be on the screen as well.
    package static func identifier(seq: UInt64, target: Int?) -> String {
        prefix + String(seq) + (target.map { ".\($0)" } ?? "")
    }

    /// The beginning of such an identifier.
    package static let prefix = "post-"

    /// The member of the payload of such a notification that tells it from a push.
    package static let mark: StaticString = "posted"
}

/// The notifications in the tray of an Android device: their order, and which of them are bundled.
///
/// Sources: FCM v1, `AndroidNotification.event_time` ("Notifications in the panel are sorted by this time"); AOSP, `GroupHelper` and
/// `config_autoGroupAtCount`: Android 13 to 16 bundle two and more notifications of an app that names no group, and FCM names none. The guide,
/// "Create a group of notifications", says four.
package enum AndroidScreen {
    /// The fewest notifications of an app that are bundled, unless an event says otherwise.
    package static let leastOfBundle = 2

    /// True if the system bundles so many notifications of an app.
    ///
    /// - Parameter said: what an event has said is the fewest.
    package static func bundles(_ count: Int, from said: Int?) -> Bool { count >= max(said ?? leastOfBundle, 1) }

    /// Sorts what is in the order of delivery, oldest or newest first, by the time of the events.
    package static func sort<Element>(
        _ elements: inout [Element], newestFirst: Bool = false, _ time: (Element) -> Int64
    ) {
        let times = elements.map(time)
        let order = elements.indices.sorted { first, second in
            if times[first] == times[second] { return first < second }
            return (times[first] < times[second]) != newestFirst
        }
        elements = order.map { elements[$0] }
    }
}

/// The visible content of a notification.
public struct ShownContent: Sendable, Equatable {
    /// The title, or the key that stands for it.
    public var title: String?
    /// The subtitle, or the key that stands for it.
    public var subtitle: String?
    /// The body, or the key that stands for it.
    public var body: String?
    /// `thread-id`: notifications of one thread are grouped.
    public var thread: String?
    /// The number for the app's badge; nil leaves the badge unchanged.
    public var badge: Int?

    /// Creates content.
    package init(
        title: String? = nil, subtitle: String? = nil, body: String? = nil, thread: String? = nil, badge: Int? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.thread = thread
        self.badge = badge
    }

    /// Copies the content that a message shows.
    package init(_ content: NotificationContent) {
        self.init(
            title: content.title?.string, subtitle: content.subtitle?.string, body: content.body?.string,
            thread: content.thread?.string, badge: content.badge)
    }
}

/// The texts of an alert, in the order in which a reader misses them least.
public enum AlertText: String, Sendable, CaseIterable {
    /// The text below the titles.
    case body
    /// The second line. Android has none.
    case subtitle
    /// The first line.
    case title

    /// Its member name in an alert or notification.
    package var key: StaticString {
        switch self {
        case .body: "body"
        case .subtitle: "subtitle"
        case .title: "title"
        }
    }
}

extension NotificationContent {
    /// Applies the changes of a service extension: a JSON object with the names of Apple's properties as members
    /// (`Documentation/reference/extension-protocol.md`). The texts are valid as long as those of the object.
    package mutating func apply(_ changes: JSONView) {
        func text(_ member: JSONView?, or old: JSONString?) -> JSONString? {
            guard let string = member?.string else { return old }
            return string.count == 0 ? nil : string
        }
        title = text(changes["title"], or: title)
        subtitle = text(changes["subtitle"], or: subtitle)
        body = text(changes["body"], or: body)
        thread = text(changes["threadIdentifier"], or: thread)
        if let number = changes["badge"] {
            badge = number.int64.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
        }
        if let category = changes["categoryIdentifier"], category.isString { tapOptions = .action(category.text) }
        hasAlert = title != nil || subtitle != nil || body != nil
    }
}
