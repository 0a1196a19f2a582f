#if os(Linux)
    public import Foundation
    public import UserNotifications

    // An app's own objects, which the modules that it shares with its extension name. An extension has none of them: their methods do nothing
    // here, and asking for the app is reported.

    /// An app. An extension has none.
    @preconcurrency @MainActor
    open class UIApplication: UIResponder {
        private static let one = UIApplication()

        /// The app, which an extension must not ask for: Apple's systems end an extension that does. Here that is a finding.
        public static var shared: UIApplication {
            UNUserNotificationCenter.current().report(
                "extension.reported", "UIApplication.shared was used, which an extension does not have")
            return one
        }

        /// Its delegate, which is not here.
        open weak var delegate: (any UIApplicationDelegate)?
        /// In the background, as the app of an extension mostly is.
        open var applicationState: State { .background }
        /// The badge of its icon, which an extension sets in content.
        open var applicationIconBadgeNumber = 0
        /// The time that is left in the background: as much as an extension has.
        open var backgroundTimeRemaining: TimeInterval { 30 }
        /// Fetching in the background is allowed.
        open var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }
        /// An extension's files can be read.
        open var isProtectedDataAvailable: Bool { true }
        /// None.
        open var connectedScenes: Set<UIScene> { [] }
        /// None.
        open var windows: [UIWindow] { [] }
        /// None.
        open var keyWindow: UIWindow? { nil }
        /// From left to right.
        open var userInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
        /// False to let the screen turn off.
        open var isIdleTimerDisabled = false

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
        /// Registers nothing.
        open func unregisterForRemoteNotifications() {}
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
            /// Only as a universal link.
            public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
        }

        /// A member of the options of a URL that the app is opened with.
        public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
            /// The name.
            public let rawValue: String
            /// Makes a key of a name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// The app that asks.
            public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
            /// The answer of that app.
            public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        }

        /// A member of the options that an app is launched with.
        public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
            /// The name.
            public let rawValue: String
            /// Makes a key of a name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// The URL to open.
            public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
            /// The push that was tapped.
            public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
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
        /// The device is about to be locked.
        public nonisolated static let protectedDataWillBecomeUnavailableNotification = Notification.Name(
            "UIApplicationProtectedDataWillBecomeUnavailable")
        /// The clock has changed.
        public nonisolated static let significantTimeChangeNotification = Notification.Name(
            "UIApplicationSignificantTimeChangeNotification")
        /// Opens the app's settings.
        public nonisolated static let openSettingsURLString = "app-settings:"
    }

    /// An app's delegate.
    @preconcurrency @MainActor
    public protocol UIApplicationDelegate: AnyObject {}

    extension UIApplicationDelegate {
        /// The methods that begin with this word, of which a delegate may have any: nil, because there is no delegate.
        public var application: UIApplicationDelegateMethods? { nil }
    }

    /// Methods of a delegate as optional ones are called: `delegate?.application?(app, open: url, options: [:])`.
    public struct UIApplicationDelegateMethods: Sendable {
        /// Continues an activity.
        public func callAsFunction(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool { false }

        /// Opens a URL.
        public func callAsFunction(
            _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
        ) -> Bool { false }
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

    /// The result of fetching in the background.
    public enum UIBackgroundFetchResult: UInt, Sendable {
        /// There is something new.
        case newData
        /// There is nothing new.
        case noData
        /// It failed.
        case failed
    }

    /// How an app may fetch in the background.
    public enum UIBackgroundRefreshStatus: Int, Sendable {
        /// The device does not allow it.
        case restricted
        /// The user does not allow it.
        case denied
        /// It may.
        case available
    }

    /// The direction of an interface.
    public enum UIUserInterfaceLayoutDirection: Int, Sendable {
        /// As in English.
        case leftToRight
        /// As in Arabic.
        case rightToLeft
    }
#endif
