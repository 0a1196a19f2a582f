#if os(Linux)
    /// The kinds of notifications that an app asks authorization for.
    public struct UNAuthorizationOptions: OptionSet, Sendable {
        /// The raw bits.
        public let rawValue: UInt

        /// Creates a set from raw bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// To set the number on the icon.
        public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
        /// To play sounds.
        public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
        /// To show alerts.
        public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
        /// To show notifications in a car.
        public static let carPlay = UNAuthorizationOptions(rawValue: 1 << 3)
        /// To play sounds for critical alerts.
        public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
        /// Says that the app has settings for notifications of its own.
        public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 1 << 5)
        /// To notify quietly on a trial basis, without asking the person.
        public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
        /// Deprecated since iOS 15, always included: to have notifications read aloud.
        public static let announcement = UNAuthorizationOptions(rawValue: 1 << 7)
        /// Deprecated in favor of the entitlement: to send time-sensitive notifications.
        public static let timeSensitive = UNAuthorizationOptions(rawValue: 1 << 8)
    }

    /// The app's permission to notify.
    public enum UNAuthorizationStatus: Int, Sendable {
        /// The person was not asked yet.
        case notDetermined = 0
        /// The person said no.
        case denied = 1
        /// The person said yes.
        case authorized = 2
        /// Provisionally: quietly.
        case provisional = 3
        /// The app may notify for some hours, as an app clip.
        case ephemeral = 4
    }

    /// The state of one setting.
    public enum UNNotificationSetting: Int, Sendable {
        /// The app did not ask for it, or the device cannot do it.
        case notSupported = 0
        /// The person turned it off.
        case disabled = 1
        /// Allowed.
        case enabled = 2
    }

    /// How alerts are shown.
    public enum UNAlertStyle: Int, Sendable {
        /// Alerts are not shown.
        case none = 0
        /// Alerts are shown above the screen, for a while.
        case banner = 1
        /// Alerts are shown until they are dismissed.
        case alert = 2
    }

    /// When the text of a notification is shown.
    public enum UNShowPreviewsSetting: Int, Sendable {
        /// The text is shown on the locked screen too.
        case always = 0
        /// The text is shown when the device is unlocked.
        case whenAuthenticated = 1
        /// Never.
        case never = 2
    }

    /// The settings of the app's notifications. Immutable; only the host makes one. The settings that it does not choose are enabled.
    open class UNNotificationSettings: ImmutableObject, @unchecked Sendable {
        /// The app's permission to notify.
        public let authorizationStatus: UNAuthorizationStatus
        /// Sounds.
        public var soundSetting: UNNotificationSetting { .enabled }
        /// The badge on the icon.
        public var badgeSetting: UNNotificationSetting { .enabled }
        /// Alerts.
        public let alertSetting: UNNotificationSetting
        /// The notification center.
        public var notificationCenterSetting: UNNotificationSetting { .enabled }
        /// The locked screen.
        public var lockScreenSetting: UNNotificationSetting { .enabled }
        /// A car.
        public var carPlaySetting: UNNotificationSetting { .enabled }
        /// How alerts are shown.
        public var alertStyle: UNAlertStyle { .banner }
        /// When the text is shown.
        public let showPreviewsSetting: UNShowPreviewsSetting
        /// Sounds of critical alerts.
        public var criticalAlertSetting: UNNotificationSetting { .enabled }
        /// True if the app has settings for notifications of its own.
        public let providesAppNotificationSettings: Bool
        /// Announcements: reading aloud.
        public var announcementSetting: UNNotificationSetting { .enabled }
        /// Time-sensitive notifications.
        public var timeSensitiveSetting: UNNotificationSetting { .enabled }
        /// The scheduled summary.
        public var scheduledDeliverySetting: UNNotificationSetting { .enabled }
        /// Notifications of messages from people.
        public var directMessagesSetting: UNNotificationSetting { .enabled }

        /// Makes settings in which everything else is allowed, and alerts are banners.
        package init(
            authorizationStatus: UNAuthorizationStatus = .authorized, alertSetting: UNNotificationSetting = .enabled,
            showPreviewsSetting: UNShowPreviewsSetting = .always, providesAppNotificationSettings: Bool = false
        ) {
            self.authorizationStatus = authorizationStatus
            self.alertSetting = alertSetting
            self.showPreviewsSetting = showPreviewsSetting
            self.providesAppNotificationSettings = providesAppNotificationSettings
            super.init()
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] {
            [authorizationStatus, alertSetting, showPreviewsSetting, providesAppNotificationSettings]
        }

        open override var description: String {
            describe(
                self,
                [
                    "authorizationStatus: \(authorizationStatus)", "alertSetting: \(alertSetting)",
                    "soundSetting: \(soundSetting)", "badgeSetting: \(badgeSetting)", "alertStyle: \(alertStyle)",
                    "showPreviewsSetting: \(showPreviewsSetting)",
                ])
        }
    }
#endif
