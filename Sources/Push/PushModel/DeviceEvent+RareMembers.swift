/// The members that few events have. In an object of their own, because an event is copied several times on its way, and each copy
/// would count a reference for each of them.
final class RareMembers: Sendable, Equatable {
    struct Values: Sendable, Equatable {
        var forgotten: [DeviceEvent.Unknown]?
        var settings: [DeviceEvent.NotificationSetting: Bool] = [:]
        var canonical: String?
        var startToken: String?
        var activityTokens: [String]?
        var expoToken: String?
        var willPresent: [DeviceEvent.Presentation]?
        var screensWithBell: [String]?
        var types: [String]?
        var levels: [DeviceEvent.Level]?
        var allowedApps: [String]?
        var allowedPeople: [String]?
        var categories: [ActionCategory]?
        var channels: [NotificationChannel]?
        var activities: [String]?
        var topics: [String]?
        var topic: String?
        var post = LocalNotification()
    }

    let values: Values

    init(_ values: Values) { self.values = values }

    static func == (left: RareMembers, right: RareMembers) -> Bool { left.values == right.values }
}

extension DeviceEvent {
    /// The members of which nothing is known any more, unless the event gives a new value.
    package var forgotten: [Unknown]? {
        get { rare?.values.forgotten }
        set { changeRare { $0.forgotten = newValue } }
    }
    /// The parts of its notifications that the user allows or switches off; nothing is said about the others.
    package var settings: [NotificationSetting: Bool] {
        get { rare?.values.settings ?? [:] }
        set { changeRare { $0.settings = newValue } }
    }
    /// The token that replaces this one.
    package var canonical: String? {
        get { rare?.values.canonical }
        set { changeRare { $0.canonical = newValue } }
    }
    /// The token that starts Live Activities of the app on the device; empty for none.
    package var startToken: String? {
        get { rare?.values.startToken }
        set { changeRare { $0.startToken = newValue } }
    }
    /// More tokens of its Live Activities, in the order in which the activities began; an empty list forgets all.
    package var activityTokens: [String]? {
        get { rare?.values.activityTokens }
        set { changeRare { $0.activityTokens = newValue } }
    }
    /// The token of Expo's push service that leads to the app on the device, and to no other from then on; empty for none.
    package var expoToken: String? {
        get { rare?.values.expoToken }
        set { changeRare { $0.expoToken = newValue } }
    }
    /// How the app's delegate presents a notification that arrives while the app is in the foreground.
    package var willPresent: [Presentation]? {
        get { rare?.values.willPresent }
        set { changeRare { $0.willPresent = newValue } }
    }
    /// The app's screens with the bell.
    package var screensWithBell: [String]? {
        get { rare?.values.screensWithBell }
        set { changeRare { $0.screensWithBell = newValue } }
    }
    /// The notification types that are on; all others are off.
    package var types: [String]? {
        get { rare?.values.types }
        set { changeRare { $0.types = newValue } }
    }
    /// The interruption levels above the default that the app may use.
    package var levels: [Level]? {
        get { rare?.values.levels }
        set { changeRare { $0.levels = newValue } }
    }
    /// The apps that a Focus does not silence.
    package var allowedApps: [String]? {
        get { rare?.values.allowedApps }
        set { changeRare { $0.allowedApps = newValue } }
    }
    /// The people whose communication notifications pass a Focus, as these notifications name their senders.
    package var allowedPeople: [String]? {
        get { rare?.values.allowedPeople }
        set { changeRare { $0.allowedPeople = newValue } }
    }
    /// The only categories of the app's notifications.
    package var categories: [ActionCategory]? {
        get { rare?.values.categories }
        set { changeRare { $0.categories = newValue } }
    }
    /// The only notification channels of the app, on an Android device.
    package var channels: [NotificationChannel]? {
        get { rare?.values.channels }
        set { changeRare { $0.channels = newValue } }
    }
    /// The actions for which the app has an activity with an intent filter, on an Android device; no others.
    package var activities: [String]? {
        get { rare?.values.activities }
        set { changeRare { $0.activities = newValue } }
    }
    /// The topics that the app is subscribed to; no others.
    package var topics: [String]? {
        get { rare?.values.topics }
        set { changeRare { $0.topics = newValue } }
    }
    /// A topic that the app subscribes to or unsubscribes from.
    package var topic: String? {
        get { rare?.values.topic }
        set { changeRare { $0.topic = newValue } }
    }
    /// The notification that the app posts.
    package var post: LocalNotification {
        get { rare?.values.post ?? LocalNotification() }
        set { changeRare { $0.post = newValue } }
    }

    private mutating func changeRare(_ change: (inout RareMembers.Values) -> Void) {
        let nothing = RareMembers.Values()
        var values = rare?.values ?? nothing
        change(&values)
        // Two events with the same members are equal.
        rare = values == nothing ? nil : RareMembers(values)
    }
}
