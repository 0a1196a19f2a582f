#if os(Linux)
    public import Foundation

    /// The app's notifications: authorization, delivered and pending ones.
    ///
    /// Forwards everything to the host, in the order of the calls. It can be used from any thread. Completion handlers are called on a thread of
    /// the host's.
    open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
        private struct WeakDelegate {
            weak var delegate: (any UNUserNotificationCenterDelegate)?
        }

        private static let center = UNUserNotificationCenter(only: ())
        private static let currentHost = Locked<any UserNotificationHost>(MemoryHost())

        private let weakDelegate = Locked(WeakDelegate())

        private init(only: Void) {
            super.init()
        }

        /// The app's center.
        open class func current() -> UNUserNotificationCenter { center }

        /// Sets the device behind the center for the whole process. Nil sets a new host in memory.
        package static func setHost(_ host: (any UserNotificationHost)?) {
            let host = host ?? MemoryHost()
            // The old host is released after the lock: it may hold more than memory.
            _ = currentHost.withLock { current in
                defer { current = host }
                return current
            }
        }

        private var host: any UserNotificationHost { Self.currentHost.snapshot }

        /// The delegate for notifications in the foreground and for responses. Held weakly.
        open var delegate: (any UNUserNotificationCenterDelegate)? {
            get { weakDelegate.delegate }
            set { weakDelegate.delegate = newValue }
        }

        /// True if content extensions can show notifications: false, there is no screen here.
        open var supportsContentExtensions: Bool { false }

        // MARK: Leave and settings

        /// Requests authorization to show notifications.
        open func requestAuthorization(
            options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            host.requestAuthorization(options, completionHandler)
        }

        /// Passes the settings of the app's notifications to a handler.
        open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
            host.settings(completionHandler)
        }

        /// Sets the number on the app's icon; 0 removes it.
        open func setBadgeCount(
            _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
        ) {
            host.setBadgeCount(newBadgeCount, completionHandler ?? { _ in })
        }

        // MARK: Notifications to come

        /// Schedules a local notification, or delivers it at once without a trigger. Replaces one with the same identifier.
        open func add(
            _ request: UNNotificationRequest,
            withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
        ) {
            host.add(request, completionHandler ?? { _ in })
        }

        /// The pending local notifications.
        open func getPendingNotificationRequests(
            completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
        ) {
            host.pendingRequests(completionHandler)
        }

        /// Removes pending local notifications. Unknown identifiers are ignored.
        open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
            host.removePendingRequests(identifiers)
        }

        /// Removes all pending local notifications.
        open func removeAllPendingNotificationRequests() {
            host.removePendingRequests(nil)
        }

        // MARK: Notifications on the screen

        /// The delivered notifications.
        open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
            host.deliveredNotifications(completionHandler)
        }

        /// Removes delivered notifications. Returns before they are gone. Unknown identifiers are ignored.
        open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
            host.removeDeliveredNotifications(identifiers)
        }

        /// Removes all of the app's delivered notifications. Returns before they are gone.
        open func removeAllDeliveredNotifications() {
            host.removeDeliveredNotifications(nil)
        }

        // MARK: Categories

        /// Replaces the app's categories. Returns before that is done.
        open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
            host.setCategories(categories)
        }

        /// The app's categories.
        open func getNotificationCategories(
            completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
        ) {
            host.categories(completionHandler)
        }

        /// Reports a finding about the push in progress. Apple's center has no such method.
        package func report(_ rule: String, _ message: String) { host.report(rule, message) }
    }
#endif
