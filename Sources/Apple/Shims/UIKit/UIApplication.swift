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
#endif
