#if os(Linux)
    public import Foundation

    /// What the app says about notifications that come while it is in the foreground, and learns about what the person did.
    ///
    /// Apple's methods are optional, which needs Objective-C. Here each has a default: a completion form calls the async form,
    /// whose default shows nothing and does nothing, as if it were missing, and tells the host so. So the host calls the completion forms.
    @preconcurrency
    public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
        /// Asked how to present a notification while the app is in the foreground.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

        /// Asked how to present a notification while the app is in the foreground.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification
        ) async -> UNNotificationPresentationOptions

        /// Told what the person did with a notification.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

        /// Told what the person did with a notification.
        func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse)
            async

        /// Told that the person wants to see the app's own settings for notifications.
        func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
    }

    extension UNUserNotificationCenterDelegate {
        /// Asks the async form.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            // As Objective-C does it: the delegate is used from a task, whether or not it says that it may be.
            nonisolated(unsafe) let delegate: any UNUserNotificationCenterDelegate = self
            Task { completionHandler(await delegate.userNotificationCenter(center, willPresent: notification)) }
        }

        /// Presents nothing.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification
        ) async -> UNNotificationPresentationOptions {
            MissingMethod.current?.note()
            return []
        }

        /// Tells the async form.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            nonisolated(unsafe) let delegate: any UNUserNotificationCenterDelegate = self
            Task {
                await delegate.userNotificationCenter(center, didReceive: response)
                completionHandler()
            }
        }

        /// Does nothing.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
        ) async {
            MissingMethod.current?.note()
        }

        /// Does nothing.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
        ) {}
    }

    /// How a notification is presented while the app is in the foreground.
    public struct UNNotificationPresentationOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes a set of bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Sets the number on the icon.
        public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
        /// Plays the sound.
        public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
        /// Deprecated since iOS 14 in favour of `list` and `banner`: shows it.
        public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
        /// Puts it in the list.
        public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
        /// Shows it as a banner.
        public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
    }
#endif
