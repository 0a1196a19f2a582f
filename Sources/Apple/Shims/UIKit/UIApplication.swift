// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

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

        /// The background, where the app of an extension mostly is.
        open var applicationState: State { .background }
        /// The badge of its icon, which an extension sets in content.
        open var applicationIconBadgeNumber = 0
        /// The time that is left in the background: as much as an extension has.
        open var backgroundTimeRemaining: TimeInterval { 30 }
        open var isProtectedDataAvailable: Bool { true }

        /// False: an extension opens nothing.
        open func canOpenURL(_ url: URL) -> Bool { false }

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
        open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
        open func registerForRemoteNotifications() {}
        open var isRegisteredForRemoteNotifications: Bool { false }

        /// The state of the app.
        public enum State: Int, Sendable {
            case active
            /// It has the screen, and no events.
            case inactive
            /// It does not have the screen.
            case background
        }

        /// A member of the options of `open`.
        public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
        }

        private nonisolated static func name(_ name: String) -> Notification.Name { .init("UIApplication" + name) }

        // Nobody posts these in an extension.

        public nonisolated static let didBecomeActiveNotification = name("DidBecomeActiveNotification")
        public nonisolated static let didEnterBackgroundNotification = name("DidEnterBackgroundNotification")
        public nonisolated static let didFinishLaunchingNotification = name("DidFinishLaunchingNotification")
        public nonisolated static let didReceiveMemoryWarningNotification = name("DidReceiveMemoryWarningNotification")
        public nonisolated static let willEnterForegroundNotification = name("WillEnterForegroundNotification")
        public nonisolated static let willResignActiveNotification = name("WillResignActiveNotification")
        public nonisolated static let willTerminateNotification = name("WillTerminateNotification")
        /// The device was unlocked.
        public nonisolated static let protectedDataDidBecomeAvailableNotification = name(
            "ProtectedDataDidBecomeAvailable")
        public nonisolated static let openSettingsURLString = "app-settings:"
    }

    /// A task of an app in the background.
    public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
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
        public var systemName: String { "iOS" }
        public var systemVersion: String { "18.0" }
        /// An identifier that every device here has.
        public var identifierForVendor: UUID? { UUID(uuidString: "5E1F0000-0000-4000-8000-000000000001") }
        /// The device's style of interface.
        public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
        public var batteryLevel: Float { 1 }
    }

    /// The styles of interfaces.
    public enum UIUserInterfaceIdiom: Int, Sendable {
        case unspecified = -1
        case phone
        case pad
        case tv
        case carPlay
        case mac = 5
    }

    /// A font. Text has a size here, and is not drawn: there are no glyphs.
    public final class UIFont: NSObject, Sendable {
        /// How bold a font is.
        public struct Weight: RawRepresentable, Hashable, Sendable {
            public let rawValue: CGFloat
            public init(rawValue: CGFloat) { self.rawValue = rawValue }
            public init(_ rawValue: CGFloat) { self.rawValue = rawValue }
            public static let light = Weight(-0.4)
            public static let regular = Weight(0)
            public static let medium = Weight(0.23)
            public static let semibold = Weight(0.3)
            public static let bold = Weight(0.4)
            public static let heavy = Weight(0.56)
            public static let black = Weight(0.62)
        }

        /// Points from line to line, without a gap.
        public let pointSize: CGFloat
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

        public static func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
        public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(system: size) }
        public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
        public func withSize(_ size: CGFloat) -> UIFont { UIFont(named: fontName, size: size) }
        /// The name of the family, which is that of the font here.
        public var familyName: String { fontName }
        public var lineHeight: CGFloat { ascender - descender }
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
