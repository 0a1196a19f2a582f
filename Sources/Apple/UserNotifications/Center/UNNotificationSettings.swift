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
    open class UNNotificationSettings: NSObject, NSCopying, @unchecked Sendable {
        /// The app's permission to notify.
        public var authorizationStatus: UNAuthorizationStatus { .init(rawValue: numbers[0]) ?? .notDetermined }
        /// Sounds.
        public var soundSetting: UNNotificationSetting { setting(1) }
        /// The badge on the icon.
        public var badgeSetting: UNNotificationSetting { setting(2) }
        /// Alerts.
        public var alertSetting: UNNotificationSetting { setting(3) }
        /// The notification center.
        public var notificationCenterSetting: UNNotificationSetting { setting(4) }
        /// The locked screen.
        public var lockScreenSetting: UNNotificationSetting { setting(5) }
        /// A car.
        public var carPlaySetting: UNNotificationSetting { setting(6) }
        /// How alerts are shown.
        public var alertStyle: UNAlertStyle { .init(rawValue: numbers[7]) ?? .none }
        /// When the text is shown.
        public var showPreviewsSetting: UNShowPreviewsSetting { .init(rawValue: numbers[8]) ?? .never }
        /// Sounds of critical alerts.
        public var criticalAlertSetting: UNNotificationSetting { setting(9) }
        /// True if the app has settings for notifications of its own.
        public var providesAppNotificationSettings: Bool { numbers[10] == 1 }
        /// Announcements: reading aloud.
        public var announcementSetting: UNNotificationSetting { setting(11) }
        /// Time-sensitive notifications.
        public var timeSensitiveSetting: UNNotificationSetting { setting(12) }
        /// The scheduled summary.
        public var scheduledDeliverySetting: UNNotificationSetting { setting(13) }
        /// Notifications of messages from people.
        public var directMessagesSetting: UNNotificationSetting { setting(14) }

        /// The raw values, in the order in which the settings are declared.
        private let numbers: [Int]

        private func setting(_ index: Int) -> UNNotificationSetting { .init(rawValue: numbers[index]) ?? .notSupported }

        /// Makes settings in which everything else is allowed, and alerts are banners.
        package init(
            authorizationStatus: UNAuthorizationStatus = .authorized, alertSetting: UNNotificationSetting = .enabled,
            showPreviewsSetting: UNShowPreviewsSetting = .always, providesAppNotificationSettings: Bool = false
        ) {
            var numbers = Array(repeating: UNNotificationSetting.enabled.rawValue, count: 15)
            numbers[0] = authorizationStatus.rawValue
            numbers[3] = alertSetting.rawValue
            numbers[7] = UNAlertStyle.banner.rawValue
            numbers[8] = showPreviewsSetting.rawValue
            numbers[10] = providesAppNotificationSettings ? 1 : 0
            self.numbers = numbers
            super.init()
        }

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            (object as? UNNotificationSettings)?.numbers == numbers
        }

        open override var hash: Int { numbers.hashValue }

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
