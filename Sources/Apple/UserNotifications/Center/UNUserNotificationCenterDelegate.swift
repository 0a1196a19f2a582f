#if os(Linux)
    public import Foundation
    import Synchronization

    /// Decides about notifications that arrive while the app is in the foreground, and learns of responses to notifications.
    ///
    /// Apple's methods are optional, which needs Objective-C. Here each has a default: a completion form calls the async form, whose default shows
    /// nothing and does nothing, as if it were missing, and tells the host so. So the host calls the completion forms.
    @preconcurrency
    public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
        /// Called to ask how to present a notification while the app is in the foreground.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

        /// Called to ask how to present a notification while the app is in the foreground.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification
        ) async -> UNNotificationPresentationOptions

        /// Called with a person's response to a notification.
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

        /// Called with a person's response to a notification.
        func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse)
            async

        /// Called when the person wants to see the app's own notification settings.
        func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
    }

    extension UNUserNotificationCenterDelegate {
        /// Asks the async form.
        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            // As in Objective-C, the delegate is used from a task, whether or not it is `Sendable`.
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
        /// The raw bits.
        public let rawValue: UInt

        /// Creates a set from raw bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Sets the number on the icon.
        public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
        /// Plays the sound.
        public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
        /// Deprecated since iOS 14 in favor of `list` and `banner`: shows it.
        public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
        /// Shows it in the list.
        public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
        /// Shows it as a banner.
        public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
    }

    /// Lets a host find out that a delegate does not implement a method.
    ///
    /// Apple's methods are optional, and the system asks the Objective-C runtime. Here a missing method is its default, which records that it was
    /// reached in a `MissingMethod`: a task-local value that the host sets, and that the task of an async form inherits.
    package final class MissingMethod: Sendable {
        @TaskLocal static var current: MissingMethod?

        private let isReached = Atomic(false)

        package init() {}

        /// True if a default was reached. Final once the completion handler has been called.
        package var isMissing: Bool { isReached.load(ordering: .acquiring) }

        package func whileAsking(_ body: () -> Void) { Self.$current.withValue(self) { body() } }

        func note() { isReached.store(true, ordering: .releasing) }
    }
#endif
