#if os(Linux)
    public import Foundation
    import UserNotifications

    /// An app, which the modules that it shares with its extension name. An extension has none: its methods do nothing here, and asking for
    /// the app is reported.
    @preconcurrency @MainActor
    open class UIApplication: NSObject {
        private static let one = UIApplication()

        /// The app, which an extension must not ask for: Apple's systems end an extension that does. Here that is a finding.
        public static var shared: UIApplication {
            UNUserNotificationCenter.current().report(
                "extension.reported", "UIApplication.shared was used, which an extension does not have")
            return one
        }

        /// In the background, as the app of an extension mostly is.
        open var applicationState: State { .background }
        /// The badge of its icon, which an extension sets in content.
        open var applicationIconBadgeNumber = 0
        /// The time that is left in the background: as much as an extension has.
        open var backgroundTimeRemaining: TimeInterval { 30 }
        /// An extension's files can be read.
        open var isProtectedDataAvailable: Bool { true }

        /// False: an extension opens nothing.
        open func canOpenURL(_ url: URL) -> Bool { false }

        /// Opens nothing.
        open func open(
            _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:], completionHandler: ((Bool) -> Void)? = nil
        ) {
            completionHandler?(false)
        }

        /// Begins nothing: an extension has its own time.
        open func beginBackgroundTask(expirationHandler: (() -> Void)? = nil) -> UIBackgroundTaskIdentifier { .invalid }
        /// Begins nothing: an extension has its own time.
        open func beginBackgroundTask(
            withName name: String?, expirationHandler: (() -> Void)? = nil
        ) -> UIBackgroundTaskIdentifier { .invalid }
        /// Ends nothing.
        open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
        /// Registers nothing.
        open func registerForRemoteNotifications() {}
        /// False.
        open var isRegisteredForRemoteNotifications: Bool { false }

        /// The state of the app.
        public enum State: Int, Sendable {
            /// It has the screen.
            case active
            /// It has the screen, and no events.
            case inactive
            /// It does not have the screen.
            case background
        }

        /// A member of the options of `open`.
        public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
            /// The name.
            public let rawValue: String
            /// Makes a key of a name.
            public init(rawValue: String) { self.rawValue = rawValue }
        }

        // Nobody posts these in an extension.

        /// The app got the screen.
        public nonisolated static let didBecomeActiveNotification = Notification.Name(
            "UIApplicationDidBecomeActiveNotification")
        /// The app has lost the screen.
        public nonisolated static let didEnterBackgroundNotification = Notification.Name(
            "UIApplicationDidEnterBackgroundNotification")
        /// The app was launched.
        public nonisolated static let didFinishLaunchingNotification = Notification.Name(
            "UIApplicationDidFinishLaunchingNotification")
        /// There is little memory.
        public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name(
            "UIApplicationDidReceiveMemoryWarningNotification")
        /// The app gets the screen.
        public nonisolated static let willEnterForegroundNotification = Notification.Name(
            "UIApplicationWillEnterForegroundNotification")
        /// The app loses the screen.
        public nonisolated static let willResignActiveNotification = Notification.Name(
            "UIApplicationWillResignActiveNotification")
        /// The app ends.
        public nonisolated static let willTerminateNotification = Notification.Name(
            "UIApplicationWillTerminateNotification")
        /// The device was unlocked.
        public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name(
            "UIApplicationProtectedDataDidBecomeAvailable")
        /// Opens the app's settings.
        public nonisolated static let openSettingsURLString = "app-settings:"
    }

    /// A task of an app in the background.
    public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int
        /// Makes an identifier of a number.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// No task.
        public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
    }

    /// A device like today's iPhones.
    public final class UIDevice: NSObject, Sendable {
        /// The device.
        public static let current = UIDevice()

        /// Its name, which apps do not learn.
        public var name: String { "iPhone" }
        /// The kind of device.
        public var model: String { "iPhone" }
        /// The kind of device.
        public var localizedModel: String { "iPhone" }
        /// Its system.
        public var systemName: String { "iOS" }
        /// The version of its system.
        public var systemVersion: String { "18.0" }
        /// An identifier that every device here has.
        public var identifierForVendor: UUID? { UUID(uuidString: "5E1F0000-0000-4000-8000-000000000001") }
        /// The device's style of interface.
        public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
        /// Full.
        public var batteryLevel: Float { 1 }
    }

    /// The styles of interfaces.
    public enum UIUserInterfaceIdiom: Int, Sendable {
        /// Unknown.
        case unspecified = -1
        /// An iPhone.
        case phone
        /// An iPad.
        case pad
        /// A television.
        case tv
        /// A car.
        case carPlay
        /// A Mac.
        case mac = 5
    }

    /// A font. Text has a size here, and is not drawn: there are no glyphs.
    public final class UIFont: NSObject, Sendable {
        /// How bold a font is.
        public struct Weight: RawRepresentable, Hashable, Sendable {
            /// From -1 to 1.
            public let rawValue: CGFloat
            /// A weight.
            public init(rawValue: CGFloat) { self.rawValue = rawValue }
            /// A weight.
            public init(_ rawValue: CGFloat) { self.rawValue = rawValue }
            /// Light.
            public static let light = Weight(-0.4)
            /// Regular.
            public static let regular = Weight(0)
            /// Medium.
            public static let medium = Weight(0.23)
            /// Between medium and bold.
            public static let semibold = Weight(0.3)
            /// Bold.
            public static let bold = Weight(0.4)
            /// Bolder.
            public static let heavy = Weight(0.56)
            /// The boldest.
            public static let black = Weight(0.62)
        }

        /// Points from line to line, without a gap.
        public let pointSize: CGFloat
        /// Its name.
        public let fontName: String

        /// A font by its name, which has no effect.
        public init?(name: String, size: CGFloat) {
            fontName = name
            pointSize = size
        }

        private init(named name: String, size: CGFloat) {
            fontName = name
            pointSize = size
        }

        private convenience init(system size: CGFloat) { self.init(named: ".SFUI-Regular", size: size) }

        /// The system's font.
        public static func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
        /// The system's font.
        public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(system: size) }
        /// The system's font.
        public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
        /// The same font in another size.
        public func withSize(_ size: CGFloat) -> UIFont { UIFont(named: fontName, size: size) }
        /// The name of the family, which is that of the font here.
        public var familyName: String { fontName }
        /// Points from line to line.
        public var lineHeight: CGFloat { ascender - descender }
        /// Points above the baseline.
        public var ascender: CGFloat { pointSize * 0.95 }
        /// Points below the baseline, as a negative number.
        public var descender: CGFloat { pointSize * -0.25 }
    }

    extension NSAttributedString.Key {
        /// The font, a `UIFont`.
        public static let font = NSAttributedString.Key("NSFont")
        /// The color, a `UIColor`.
        public static let foregroundColor = NSAttributedString.Key("NSColor")
        /// The color behind the text, a `UIColor`.
        public static let backgroundColor = NSAttributedString.Key("NSBackgroundColor")
    }
#endif
