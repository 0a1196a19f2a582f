#if os(Linux)
    public import Foundation

    /// Notifications of the app: what it may show, what is shown, what is to come.
    ///
    /// A front: everything is done by the host, in the order of the calls. It can be used from any thread. Completion handlers are
    /// called on a thread of the host's.
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

        /// The one centre of the app.
        open class func current() -> UNUserNotificationCenter { center }

        /// Sets the device behind the centre for the whole process. Nil goes back to a new one in memory.
        package static func setHost(_ host: (any UserNotificationHost)?) {
            let host = host ?? MemoryHost()
            // The old host is let go after the lock is: it may hold more than memory.
            _ = currentHost.withLock { current in
                defer { current = host }
                return current
            }
        }

        private var host: any UserNotificationHost { Self.currentHost.snapshot }

        /// Whom the host asks about notifications in the foreground, and tells what the person did. Held weakly.
        open var delegate: (any UNUserNotificationCenterDelegate)? {
            get { weakDelegate.delegate }
            set { weakDelegate.delegate = newValue }
        }

        /// Whether notifications can be shown by a content extension: false, there is no screen here.
        open var supportsContentExtensions: Bool { false }

        // MARK: Leave and settings

        /// Asks for leave to notify.
        open func requestAuthorization(
            options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            host.requestAuthorization(options, completionHandler)
        }

        /// What the person allows the app.
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

        /// Schedules a local notification in place of one of the same identifier. Without a trigger it is delivered at once.
        open func add(
            _ request: UNNotificationRequest,
            withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
        ) {
            host.add(request, completionHandler ?? { _ in })
        }

        /// The local notifications that are still to come.
        open func getPendingNotificationRequests(
            completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
        ) {
            host.pendingRequests(completionHandler)
        }

        /// Takes back local notifications that are still to come. Unknown identifiers are passed over.
        open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
            host.removePendingRequests(identifiers)
        }

        /// Takes back all local notifications that are still to come.
        open func removeAllPendingNotificationRequests() {
            host.removePendingRequests(nil)
        }

        // MARK: Notifications on the screen

        /// The notifications on the screen.
        open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
            host.deliveredNotifications(completionHandler)
        }

        /// Takes notifications off the screen. Returns before that is done. Unknown identifiers are passed over.
        open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
            host.removeDeliveredNotifications(identifiers)
        }

        /// Takes all of the app's notifications off the screen. Returns before that is done.
        open func removeAllDeliveredNotifications() {
            host.removeDeliveredNotifications(nil)
        }

        // MARK: Categories

        /// Sets the app's categories in place of those it had. Returns before that is done.
        open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
            host.setCategories(categories)
        }

        /// The app's categories.
        open func getNotificationCategories(
            completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
        ) {
            host.categories(completionHandler)
        }
    }
#endif
