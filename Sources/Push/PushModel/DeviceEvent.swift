/// Something that happens at a device, not to a message: a device is registered or goes offline, its user taps a
/// notification, time passes.
///
/// Read from a record such as `{"event":"device","device":"ab54","app":"org.example.news","online":false}`. A member
/// that the record does not name is nil, and leaves that property unchanged. `EventMember.table` lists the members of
/// each event.
public struct DeviceEvent: Sendable, Equatable {
    /// The kinds of event.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Name: String, Sendable, CaseIterable {
        /// A device, or an app on it, is registered or changes.
        case device
        /// The emulated clock advances.
        case clock
        /// The user taps a notification.
        case tap
        /// The user dismisses a notification.
        case dismiss
        /// The user, or the app, dismisses all notifications.
        case clear
        /// The user opens a screen of the app, pushed or presented.
        case open
        /// The user goes back from a pushed screen.
        case back
        /// The user closes a modal screen.
        case close
        /// The user types in an editor.
        case edit
        /// The user saves the contents of an editor.
        case save
        /// The user answers whether to keep unsaved work.
        case confirm
        /// The user reads one or all notifications in the app's own list.
        case read
        /// A notification type is switched on or off.
        case preference
        /// The user turns a Focus on or off.
        case focus
        /// The user adds an app to the scheduled summary, or removes it.
        case summary
        /// An app on a device subscribes to a topic, or unsubscribes from one.
        case subscribe, unsubscribe
        /// The app posts a notification by itself.
        case post

        /// The name in a sentence: `a tap event`, `an edit event`.
        package var withArticle: String {
            ("aeiou".contains(rawValue.first ?? " ") ? "an " : "a ") + rawValue + " event"
        }

        /// A sentence for the documentation.
        package var words: String {
            switch self {
            case .device: "A device, or an app on it, is registered or changes. What is not named stays as it is."
            case .clock: "The emulated clock moves on."
            case .tap: "The user taps a notification, which leaves the screen."
            case .dismiss: "The user wipes a notification or a Live Activity off the screen."
            case .clear: "All notifications of an app, or of a device, leave the screen."
            case .open: "The user opens a screen of the app; of kind centre, the app's own list of notifications."
            case .back: "The user goes back from a screen that was pushed."
            case .close: "The user closes a modal screen."
            case .edit: "The user writes in the editor on top."
            case .save: "The user saves what is in the editor on top."
            case .confirm: "The user answers what becomes of unsaved work that is in the way."
            case .preference: "The user switches a type of notifications on or off, and the server has taken it."
            case .focus: "The user turns a Focus on or off, which silences all apps but those that it allows."
            case .summary: "The user adds an app to the scheduled summary, or takes it out."
            case .subscribe: "The app subscribes to a topic of FCM or GCM."
            case .unsubscribe: "The app unsubscribes from a topic."
            case .read: "The user reads a notification in the app's own list; all of them, when none is named."
            case .post: "The app shows a notification of its own, which no push shows."
            }
        }
    }

    /// The state of an app. Source of the words: Apple, "Managing your app's life cycle"; `force-quit` is the user's
    /// action.
    public enum AppState: String, Sendable, CaseIterable, BitwiseCopyable {
        /// On the screen, or running and not on the screen.
        case foreground, background
        /// The system has ended the app, or it was never started.
        case terminated
        /// The user has ended the app. Background pushes do not reach it until the user starts it again.
        case forceQuit = "force-quit"
        /// The user has stopped the app in the settings of an Android device. No message reaches it until the user opens it.
        case forceStopped = "force-stopped"
    }

    /// The permission of an app to show notifications. Source: Apple, `UNAuthorizationStatus`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Authorization: String, Sendable, CaseIterable, BitwiseCopyable {
        /// The app has not asked yet.
        case notDetermined = "not-determined"
        /// The user refused, or agreed.
        case denied, authorized
        /// The app did not ask: notifications go to the list without a sound, and the user decides there.
        case provisional
    }

    /// The purpose of a screen of an app.
    package enum ScreenKind: String, Sendable, CaseIterable {
        case plain, editor
        case center = "centre"
        case article
    }

    /// A reaction of an app to a message: the event of a line that follows that of the message.
    package enum Reaction: String, Sendable, CaseIterable {
        /// It posts a notification.
        case posted
        /// It removes a delivered notification.
        case withdrawn
    }

    /// The screens that every app has.
    package enum ScreenName {
        package static let main = "main"
        package static let center = "centre"

        /// True for a name that every app has, which no app chose.
        package static func isOwn(_ name: String) -> Bool { name == main || name == center }
    }

    /// The fate of unsaved work.
    package enum Answer: String, Sendable, CaseIterable {
        case discard, cancel
    }

    /// Replaces an answer of `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    package enum Delegate: String, Sendable, CaseIterable {
        /// The app has no delegate.
        case none
        /// The app has a delegate without that method.
        case withoutWillPresent = "without-will-present"
    }

    /// A presentation option. Source: Apple, `UNNotificationPresentationOptions`.
    package enum Presentation: String, Sendable, CaseIterable {
        case banner, list, sound, badge, alert
    }

    /// An interruption level that an app needs an entitlement for. Source: Apple, `UNNotificationInterruptionLevel`.
    package enum Level: String, Sendable, CaseIterable {
        case timeSensitive = "time-sensitive"
        case critical
    }

    /// A part of an app's notifications that the user can switch off alone. Source: Apple, `UNNotificationSettings`.
    package enum NotificationSetting: String, Sendable, CaseIterable {
        case badges, sounds
        case lockScreen = "lock_screen"
        case notificationCenter = "notification_center"
    }

    /// A member of which nothing may be known, which is not the same as any value.
    package enum Unknown: String, Sendable, CaseIterable {
        case browser, types, categories, channels, activities
        case loggedIn = "logged_in"
    }

    /// The browser that a device with the platform `web` is.
    package enum Browser: String, Sendable, CaseIterable, BitwiseCopyable {
        case chrome, firefox, safari
    }

    /// The state of the app's registration for pushes.
    package enum Registration: String, Sendable, CaseIterable, BitwiseCopyable {
        case succeeded, failed
        /// The app has not asked, or has no answer yet.
        case pending
        /// There is a token, which the server that sends pushes did not take.
        case subscriptionFailed = "subscription-failed"
    }

    /// The standing of a token with its sender.
    package enum TokenStanding: String, Sendable, CaseIterable, BitwiseCopyable {
        case confirmed
        /// Its owner has not confirmed it yet.
        case unconfirmed
        /// A push service reported it as unregistered: nothing is sent to it.
        case disabled
        /// Nothing is sent to it either, and it does not come back unless it is confirmed.
        case deleted
    }

    /// Access to what a device protects while it is locked. Source: Apple, "Restricting keychain item accessibility".
    package enum Lock: String, Sendable, CaseIterable, BitwiseCopyable {
        /// It was restarted, and not unlocked since.
        case beforeFirstUnlock = "before-first-unlock"
        case locked = "true"
        case unlocked = "false"
    }

    /// When the texts of notifications are shown. Source: Apple, `UNShowPreviewsSetting`.
    package enum Previews: String, Sendable, CaseIterable {
        case always
        case whenUnlocked = "when-unlocked"
        case never
    }

    /// The kind of event.
    public var name: Name
    /// Token or registration id. Only clock events have none.
    public var device: String?
    /// Bundle identifier or package name; nil stands for any app on the device.
    public var app: String?

    /// The kind of device.
    package var platform: Platform?
    /// Which browser it is, if it is one.
    package var browser: Browser?
    /// The number of pushes for which the site shows nothing that Safari has counted.
    package var silentPushes: Int64?
    /// True if the device is online.
    package var isOnline: Bool?
    /// True if an Android device is in Doze.
    package var isDozing: Bool?
    /// The device is locked, or not any more.
    package var lock: Lock?
    /// When the texts of the app's notifications are shown.
    package var previews: Previews?
    /// The new state of the app.
    package var appState: AppState?
    /// The permission to show notifications.
    package var authorization: Authorization?
    /// True if the user allows alerts of the app.
    package var showsAlerts: Bool?
    /// True if a user is logged in to the app.
    package var isLoggedIn: Bool?
    /// The state of the app's registration for pushes.
    package var registration: Registration?
    /// True if the token becomes unregistered, false if it is registered again.
    package var isUnregistered: Bool?
    /// When the token became unregistered, in milliseconds since the epoch.
    package var unregisteredAt: Int64?
    /// True if the owner has confirmed the token to the provider.
    package var isConfirmed: Bool?
    /// The token's standing with its sender, in more detail than `isConfirmed`.
    package var token: TokenStanding?
    /// Since when, in milliseconds since the epoch.
    package var tokenSince: Int64?

    /// Why the delegate gives no such answer.
    package var delegate: Delegate?

    /// True if the app shows a toast of its own for a notification that arrives while no bell is visible.
    package var showsToasts: Bool?

    /// A notification type that is switched on or off.
    package var type: String?
    /// True if a type, a Focus or the summary is on.
    package var isOn: Bool?
    /// True if time-sensitive notifications pass a Focus.
    package var allowsTimeSensitive: Bool?

    /// The name of the screen that is opened. `screenKind` is its purpose; `isModal` is true if it is presented over
    /// the others.
    package var screen: String?
    /// See `screen`.
    package var screenKind: ScreenKind?
    /// See `screen`.
    package var isModal: Bool?
    /// The fate of unsaved work.
    package var answer: Answer?

    /// How far the clock advances, in milliseconds.
    package var advance: Int64?

    /// The notification that is tapped, dismissed or read; the newest one when neither this nor `seq` is given.
    public var identifier: String?
    /// The action of the notification that the user chooses; nil for the notification itself.
    public var action: String?
    /// The text that the user types with the action.
    public var text: String?
    /// The same notification, by the number of its record.
    package var seq: UInt64?
    /// True if the user taps the bundle of an app's notifications, and none of them.
    package var isOnBundle: Bool?

    /// The members that few events have; nil for an event with none of them.
    var rare: RareMembers?

    /// True if it gives a value of a member.
    package func says(_ member: Unknown) -> Bool {
        switch member {
        case .browser: browser != nil
        case .types: types != nil
        case .categories: categories != nil
        case .channels: channels != nil
        case .activities: activities != nil
        case .loggedIn: isLoggedIn != nil
        }
    }

    /// Creates an event that changes nothing yet.
    package init(_ name: Name, device: String? = nil, app: String? = nil) {
        self.name = name
        self.device = device
        self.app = app
    }
}

extension DeviceEvent {
    /// True for an event that may concern devices in several parts: a topic has subscribers in all of them, and a token of Expo's or of a Live
    /// Activity says nothing about the device that it leads to.
    package var concernsSeveralDevices: Bool {
        switch name {
        case .subscribe, .unsubscribe: return true
        case .clock: return false
        case .device, .preference, .focus, .summary, .tap, .dismiss, .clear, .open, .back, .close, .edit, .save,
            .confirm, .read, .post:
            return device == nil || topics != nil || expoToken != nil || startToken != nil || activityTokens != nil
        }
    }
}

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
