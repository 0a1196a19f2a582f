#if os(Linux)
    public import Foundation

    /// The kinds of notifications that an app asks authorization for.
    public struct UNAuthorizationOptions: OptionSet, Sendable {
        /// The raw bits.
        public let rawValue: UInt

        /// Creates a set from raw bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

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
        /// For some hours, as an app clip.
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
        /// Not at all.
        case none = 0
        /// Above the screen, for a while.
        case banner = 1
        /// Until they are dismissed.
        case alert = 2
    }

    /// When the text of a notification is shown.
    public enum UNShowPreviewsSetting: Int, Sendable {
        /// On the locked screen too.
        case always = 0
        /// When the device is unlocked.
        case whenAuthenticated = 1
        /// Never.
        case never = 2
    }

    /// The settings of the app's notifications. Immutable; only the host makes one.
    open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
        /// The app's permission to notify.
        public let authorizationStatus: UNAuthorizationStatus
        /// Sounds.
        public let soundSetting: UNNotificationSetting
        /// The badge on the icon.
        public let badgeSetting: UNNotificationSetting
        /// Alerts.
        public let alertSetting: UNNotificationSetting
        /// The notification center.
        public let notificationCenterSetting: UNNotificationSetting
        /// The locked screen.
        public let lockScreenSetting: UNNotificationSetting
        /// A car.
        public let carPlaySetting: UNNotificationSetting
        /// How alerts are shown.
        public let alertStyle: UNAlertStyle
        /// When the text is shown.
        public let showPreviewsSetting: UNShowPreviewsSetting
        /// Sounds of critical alerts.
        public let criticalAlertSetting: UNNotificationSetting
        /// True if the app has settings for notifications of its own.
        public let providesAppNotificationSettings: Bool
        /// Announcements: reading aloud.
        public let announcementSetting: UNNotificationSetting
        /// Time-sensitive notifications.
        public let timeSensitiveSetting: UNNotificationSetting
        /// The scheduled summary.
        public let scheduledDeliverySetting: UNNotificationSetting
        /// Notifications of messages from people.
        public let directMessagesSetting: UNNotificationSetting

        /// Makes settings. By default everything is allowed, alerts are banners, and their text is always shown.
        package init(
            authorizationStatus: UNAuthorizationStatus = .authorized, soundSetting: UNNotificationSetting = .enabled,
            badgeSetting: UNNotificationSetting = .enabled, alertSetting: UNNotificationSetting = .enabled,
            notificationCenterSetting: UNNotificationSetting = .enabled,
            lockScreenSetting: UNNotificationSetting = .enabled, carPlaySetting: UNNotificationSetting = .enabled,
            alertStyle: UNAlertStyle = .banner, showPreviewsSetting: UNShowPreviewsSetting = .always,
            criticalAlertSetting: UNNotificationSetting = .enabled, providesAppNotificationSettings: Bool = false,
            announcementSetting: UNNotificationSetting = .enabled,
            timeSensitiveSetting: UNNotificationSetting = .enabled,
            scheduledDeliverySetting: UNNotificationSetting = .enabled,
            directMessagesSetting: UNNotificationSetting = .enabled
        ) {
            self.authorizationStatus = authorizationStatus
            self.soundSetting = soundSetting
            self.badgeSetting = badgeSetting
            self.alertSetting = alertSetting
            self.notificationCenterSetting = notificationCenterSetting
            self.lockScreenSetting = lockScreenSetting
            self.carPlaySetting = carPlaySetting
            self.alertStyle = alertStyle
            self.showPreviewsSetting = showPreviewsSetting
            self.criticalAlertSetting = criticalAlertSetting
            self.providesAppNotificationSettings = providesAppNotificationSettings
            self.announcementSetting = announcementSetting
            self.timeSensitiveSetting = timeSensitiveSetting
            self.scheduledDeliverySetting = scheduledDeliverySetting
            self.directMessagesSetting = directMessagesSetting
            super.init()
        }

        /// The settings themselves, since they do not change.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// True if the other object holds the same settings.
        open override func isEqual(_ object: Any?) -> Bool {
            (object as? UNNotificationSettings)?.numbers == numbers
        }

        /// A hash of the settings.
        open override var hash: Int { numbers.hashValue }

        /// The app's permission to notify, and how.
        open override var description: String {
            describe(
                self,
                [
                    "authorizationStatus: \(authorizationStatus)", "alertSetting: \(alertSetting)",
                    "soundSetting: \(soundSetting)", "badgeSetting: \(badgeSetting)", "alertStyle: \(alertStyle)",
                    "showPreviewsSetting: \(showPreviewsSetting)",
                ])
        }

        /// True: archives are decoded by class.
        public static var supportsSecureCoding: Bool { true }

        /// All settings as numbers, in the order in which they are declared.
        private var numbers: [Int] {
            [
                authorizationStatus.rawValue, soundSetting.rawValue, badgeSetting.rawValue, alertSetting.rawValue,
                notificationCenterSetting.rawValue, lockScreenSetting.rawValue, carPlaySetting.rawValue,
                alertStyle.rawValue, showPreviewsSetting.rawValue, criticalAlertSetting.rawValue,
                providesAppNotificationSettings ? 1 : 0, announcementSetting.rawValue, timeSensitiveSetting.rawValue,
                scheduledDeliverySetting.rawValue, directMessagesSetting.rawValue,
            ]
        }

        /// Writes the settings to an archive.
        open func encode(with coder: NSCoder) {
            coder.encode(numbers as NSArray, forKey: "settings")
        }

        /// Reads settings from an archive; nil when it holds others than these.
        public required init?(coder: NSCoder) {
            let numbers = coder.objects(of: NSNumber.self, forKey: "settings").map(\.intValue)
            guard numbers.count == 15, let status = UNAuthorizationStatus(rawValue: numbers[0]),
                let style = UNAlertStyle(rawValue: numbers[7]),
                let previews = UNShowPreviewsSetting(rawValue: numbers[8])
            else { return nil }
            let settings = numbers.map { UNNotificationSetting(rawValue: $0) ?? .notSupported }
            authorizationStatus = status
            soundSetting = settings[1]
            badgeSetting = settings[2]
            alertSetting = settings[3]
            notificationCenterSetting = settings[4]
            lockScreenSetting = settings[5]
            carPlaySetting = settings[6]
            alertStyle = style
            showPreviewsSetting = previews
            criticalAlertSetting = settings[9]
            providesAppNotificationSettings = numbers[10] == 1
            announcementSetting = settings[11]
            timeSensitiveSetting = settings[12]
            scheduledDeliverySetting = settings[13]
            directMessagesSetting = settings[14]
            super.init()
        }
    }
#endif
