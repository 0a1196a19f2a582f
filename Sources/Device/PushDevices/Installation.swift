package import AppSimulation
package import PushModel

/// The state of one app on one device. A plain value: rare state is in `InstallationDetails`.
package struct Installation: Equatable, BitwiseCopyable, Sendable {
    package var appState = DeviceEvent.AppState.background
    package var authorization = DeviceEvent.Authorization.authorized
    /// True if the user has alerts switched on.
    package var showsAlerts = true
    /// Nil when no event has set it.
    package var isLoggedIn: Bool?
    package var registration = DeviceEvent.Registration.succeeded
    /// When the token became invalid, in milliseconds since the epoch.
    package var unregisteredAt: Int64?
    /// The token's standing with the sender, and since when, in milliseconds since the epoch.
    package var standing = TokenLifeCycle.Standing.confirmed
    package var standingSince: Int64 = 0
    /// True if `InstallationDetails.typesOn` is set.
    package var hasTypes = false

    package init() {}

    /// True if the app has only default state, so that a push is shown as on an unknown device.
    package var isPlain: Bool { self == Installation() }
}

/// State that only few apps on devices have.
package struct InstallationDetails: Equatable, Sendable {
    /// The messages that its provider has queued until the device is online.
    package var storage = OfflineStorage()
    /// The token to use instead of this one.
    package var canonical: String?
    /// The app's screens. Nil until first needed: the app is then in the state of `Installation.appState`.
    package var app: AppStateMachine?
    /// Since when the app has not been in the foreground, in milliseconds since the epoch; nil when unknown.
    package var awaySince: Int64?
    /// The notification that is on top of the app and not in the list; nil when there is none.
    package var banner: ShownBanner?
    /// The answer of the app's delegate for a notification that arrives while the app is in the foreground.
    package var delegate = PresentationDelegate.none
    /// True if the app shows a toast of its own where no bell is visible, and the screens with the bell.
    package var showsToasts = false
    package var screensWithBell: Set<String> = [AppScreen.main.name]
    /// The types of notifications that are on; nil when no event has set them.
    package var typesOn: Set<NotificationType>?
    /// The parts of its notifications that the user has switched off.
    package var settingsOff: Set<DeviceEvent.NotificationSetting> = []
    /// True if the app is in the scheduled summary.
    package var isInSummary = false
    /// The special interruption levels that the app may use.
    package var levels = InterruptionLevel.special
    /// When the texts of notifications are shown.
    package var previews = DeviceEvent.Previews.always
    /// The actions of notifications, by category; nil when no event has said anything about categories.
    package var categories: [ActionCategory]? {
        didSet { categoryIndex = categories.flatMap { CategoryIndex.kept(for: $0) } }
    }
    /// Of many categories.
    private(set) var categoryIndex: CategoryIndex?
    /// The notification channels on an Android device; nil when no event has said anything about channels.
    package var channels: [NotificationChannel]?
    /// The actions that `click_action` can open there; nil when no event has said anything about activities.
    package var activities: [String]?
    /// The token that starts its Live Activities, and the tokens of these, as far as events have named them.
    package var startToken: String?
    package var activityTokens: [String] = []
    /// The token of Expo's push service that leads to it.
    package var expoToken: String?
    /// The browser that the device is; nil when no event has said.
    package var browser: DeviceEvent.Browser?
    /// Number of pushes that showed nothing in Safari, since it was last said what it may show.
    package var silentPushes = 0
    /// The topics that the app is subscribed to; nil when no event has said anything about topics.
    package var topics: Set<String>?

    package init() {}

    package var isEmpty: Bool { storage.isEmpty && !hasScreens && self == Self.nothing }

    /// True if the app's screens are known. Comparing with nil would copy them first.
    var hasScreens: Bool { @inline(__always) get { if case .some = app { true } else { false } } }

    private static let nothing = InstallationDetails()
}
