/// Something that happens at a device, not to a message: a device is registered or goes offline, its user taps a
/// notification, time passes.
///
/// Read from a record such as `{"event":"device","device":"ab54","app":"org.example.news","online":false}`. A member
/// that the record does not name is nil, and leaves that property unchanged. `EventMember.table` lists the members of
/// each event, and `EventWord.table` says what the words of each mean.
public struct DeviceEvent: Sendable, Equatable {
    /// The kinds of event: things that happen to a device or to its clock, that its user does, and that an app does. `words` says what each is.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Name: String, Sendable, CaseIterable {
        /// See `Documentation/reference/events.md`.
        case device, clock, tap, dismiss, clear, open, back, close, edit, save, confirm, read, preference, focus,
            summary, subscribe,
            unsubscribe, post

        /// The name in a sentence: `a tap event`, `an edit event`.
        package var withArticle: String {
            ("aeiou".contains(rawValue.first ?? " ") ? "an " : "a ") + rawValue + " event"
        }

        /// A sentence for the documentation.
        package var words: String {
            switch self {
            case .device: "A device, or an app on it, is registered or changes. Absent members stay as they are."
            case .clock: "The emulated clock advances."
            case .tap: "The user taps a notification, which leaves the screen."
            case .dismiss: "The user dismisses a notification or a Live Activity."
            case .clear: "All notifications of an app, or of a device, leave the screen."
            case .open: "The user opens the app or a screen. The kind centre is the app's own list of notifications."
            case .back: "The user goes back from a pushed screen."
            case .close: "The user closes a modal screen."
            case .edit: "The user edits in the editor on top."
            case .save: "The user saves the work in the editor on top."
            case .confirm: "The user answers what happens to unsaved work that is in the way."
            case .preference: "The user turns a notification type on or off, and the server has accepted the change."
            case .focus: "The user turns a Focus on or off. It silences all apps except those that it allows."
            case .summary: "The user adds an app to the scheduled summary, or removes it."
            case .subscribe: "The app subscribes to an FCM or GCM topic."
            case .unsubscribe: "The app unsubscribes from a topic."
            case .read: "The user reads a notification in the app's own list, or all of them when none is named."
            case .post: "The app posts a notification itself, without a push that shows it."
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
        case none
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
        case succeeded, failed, pending
        case subscriptionFailed = "subscription-failed"
    }

    /// The standing of a token with its sender.
    package enum TokenStanding: String, Sendable, CaseIterable, BitwiseCopyable {
        case confirmed, unconfirmed, disabled, deleted
    }

    /// Access to what a device protects while it is locked. Source: Apple, "Restricting keychain item accessibility".
    package enum Lock: String, Sendable, CaseIterable, BitwiseCopyable {
        case beforeFirstUnlock = "before-first-unlock"
        case locked = "true"
        case unlocked = "false"
    }

    /// Whether the app is on the device.
    package enum Install: String, Sendable, CaseIterable {
        case installed, deleted
    }

    /// Whether background pushes reach an app that is not in the foreground. Source: Apple, `UIBackgroundRefreshStatus`.
    package enum BackgroundRefresh: String, Sendable, CaseIterable {
        case on, off
        case lowPower = "low-power"
    }

    /// What an app does about VoIP pushes. Source: Apple, `PKPushRegistryDelegate`: the system ends an app that reports no call.
    package enum Calls: String, Sendable, CaseIterable {
        case reported, unreported, blocked
    }

    /// Whether an app's Live Activities appear.
    package enum ActivityPermission: String, Sendable, CaseIterable {
        case allowed
        case whenUnlocked = "when-unlocked"
        case off
    }

    /// When an app removes its notifications by itself.
    package enum Removal: String, Sendable, CaseIterable {
        case open, read
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

    // The members that `EventMember.table` explains. Times are in milliseconds since the epoch, durations in milliseconds.
    package var platform: Platform?
    package var isOnline: Bool?
    package var isDozing: Bool?
    package var lock: Lock?
    package var appState: AppState?
    package var authorization: Authorization?
    package var showsAlerts: Bool?
    package var isLoggedIn: Bool?
    package var registration: Registration?
    package var isUnregistered: Bool?
    package var unregisteredAt: Int64?
    package var isConfirmed: Bool?
    package var token: TokenStanding?
    package var tokenSince: Int64?
    package var type: String?
    package var isOn: Bool?
    package var allowsTimeSensitive: Bool?
    package var screen: String?
    package var screenKind: ScreenKind?
    package var isModal: Bool?
    package var answer: Answer?
    package var advance: Int64?
    package var seq: UInt64?
    package var isOnBundle: Bool?

    /// The notification that is tapped, dismissed or read; the newest one when neither this nor `seq` is given.
    public var identifier: String?
    /// The action of the notification that the user chooses; nil for the notification itself.
    public var action: String?
    /// The text that the user types with the action.
    public var text: String?

    private var box: RareBox?

    /// Creates an event that changes nothing yet.
    package init(_ name: Name, device: String? = nil, app: String? = nil) {
        self.name = name
        self.device = device
        self.app = app
    }
}

extension DeviceEvent {
    /// The members that few events have.
    package struct Rare: Sendable, Equatable {
        package var settings = AppSettings()
        package var forgotten: Set<Unknown>?
        package var allowedApps: Set<String>?
        package var allowedPeople: Set<String>?
        package var topic: String?
        package var badge: Int?
        package var restoredFrom: String?
        package var isOnBanner: Bool?
        package var post = LocalNotification()

        package init() {}
    }

    /// Holds the rare members of an event: it is copied several times on its way, and each copy would count a reference for each of them.
    private final class RareBox: Sendable, Equatable {
        let members: Rare

        init(_ members: Rare) { self.members = members }

        static func == (left: RareBox, right: RareBox) -> Bool { left.members == right.members }
    }

    /// The rare members of the event. Whoever reads several of them in a hot loop asks `hasRareMembers` first.
    package var rare: Rare {
        get { box?.members ?? Rare() }
        // Two events with the same members are equal.
        set { box = newValue == Rare() ? nil : RareBox(newValue) }
    }

    /// What the event says of the app's settings.
    package var settings: AppSettings {
        get { box?.members.settings ?? AppSettings() }
        set { rare.settings = newValue }
    }

    package var hasRareMembers: Bool { box != nil }

    /// True for an event that may concern devices in several parts: a topic has subscribers in all of them, and a token of Expo's or of a Live
    /// Activity says nothing about the device that it leads to.
    package var concernsSeveralDevices: Bool {
        switch name {
        case .subscribe, .unsubscribe: return true
        case .clock: return false
        case .device, .preference, .focus, .summary, .tap, .dismiss, .clear, .open, .back, .close, .edit, .save,
            .confirm, .read, .post:
            guard device != nil, hasRareMembers else { return device == nil }
            return settings.topics != nil || settings.tokens != OtherTokens() || rare.restoredFrom != nil
        }
    }
}

/// What is known of an app on a device beyond its state. In an event, nil stands for what it does not say; where it is kept, for what no event
/// has said and for what every app begins with. `EventMember.table` explains each.
package struct AppSettings: Sendable, Equatable {
    package var browser: DeviceEvent.Browser?
    package var silentPushes: Int?
    package var previews: DeviceEvent.Previews?
    package var switches: [DeviceEvent.NotificationSetting: Bool] = [:]
    package var canonical: String?
    package var tokens = OtherTokens()
    package var install: DeviceEvent.Install?
    package var backgroundRefresh: DeviceEvent.BackgroundRefresh?
    package var calls: DeviceEvent.Calls?
    package var liveActivities: DeviceEvent.ActivityPermission?
    package var removals: Set<DeviceEvent.Removal>?
    package var deletedChannels: [NotificationChannel]?
    package var isLowered: Bool?
    package var hasTrampoline: Bool?
    package var autoGroupAt: Int?
    package var updatesPerSecond: Int?
    /// The number on the app's icon when it was deleted, which the system remembers.
    package var keptBadge: Int?
    package var willPresent: Set<DeviceEvent.Presentation>?
    package var delegate: DeviceEvent.Delegate?
    package var showsToasts: Bool?
    package var screensWithBell: Set<String>?
    package var types: Set<String>?
    package var levels: Set<DeviceEvent.Level>?
    package var categories: [ActionCategory]?
    package var channels: [NotificationChannel]?
    package var activities: [String]?
    package var topics: Set<String>?
    /// True if the app is in the scheduled summary, which an event of its own says.
    package var isInSummary: Bool?

    package init() {}

    /// The screens with the bell of every app.
    package static let usualScreensWithBell: Set = [DeviceEvent.ScreenName.main]
}

/// The tokens of an app on a device beside the device's own.
package struct OtherTokens: Sendable, Equatable {
    /// The token that starts Live Activities, whatever the type of their attributes.
    package var start: String?
    /// Those that start Live Activities with attributes of a type, by its name.
    package var starts: [String: String]?
    /// Those of Live Activities.
    package var activities: [String]?
    /// Those of Live Activities that others have replaced.
    package var outdated: [String]?
    /// The token of Expo's push service.
    package var expo: String?

    package init() {}
}
