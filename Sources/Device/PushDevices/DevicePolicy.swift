package import AppSimulation
import PushModel

/// Which limits an emulated provider and its devices enforce.
public struct DevicePolicy: Sendable, Equatable {
    /// True if a token that no event has registered counts as unregistered. Otherwise it is reachable.
    public var rejectsUnknownDevices = false
    /// Pushes to one token per minute; nil for no limit.
    public var pushesPerMinute: Int?
    /// Pushes of one sender, which is an app at its provider, per minute; nil for no limit.
    public var pushesPerMinuteOfSender: Int?
    /// Background pushes that a device delivers to one app per hour; nil for no limit.
    public var backgroundPushesPerHour: Int?
    /// Updates of priority 10 that a device shows of one Live Activity per hour; nil for no limit.
    public var activityUpdatesPerHour: Int?
    /// Notifications that an app on an Android device shows at most; further ones are dropped.
    public var notificationsPerAndroidApp = Platform.mostNotificationsOnAndroid
    /// Maps a push to its notification type, for devices on which types are switched on and off; nil when there are no
    /// rules.
    package var typeMapping: PreferenceMapping?
    /// Where taps on notifications lead in the apps; nil when every tap leads to the app's own list.
    package var tapRoutes: TapRoutes?
    /// The reactions of apps to messages; nil when they have none that shows.
    package var messageRules: MessageRules?
    /// How the sender treats dead and unconfirmed tokens; nil when it does not track them.
    package var tokenLifeCycle: TokenLifeCycle?

    /// Values that options and scenarios accept as a rate limit.
    package static let limits = 0...1_000_000_000

    /// Every unknown device is reachable, and nothing is rate-limited.
    public init() {}

    /// True if messages to devices that no event has named pass without a look at the registry. What an Android app shows at most is counted
    /// on its screen.
    var isPlain: Bool {
        var plain = DevicePolicy()
        plain.notificationsPerAndroidApp = notificationsPerAndroidApp
        return self == plain
    }
}
