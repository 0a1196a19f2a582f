#if os(Linux)
    /// The device behind `UNUserNotificationCenter.current()`.
    ///
    /// Methods are called on any thread, in the order in which the app calls the center, and have to return soon. A completion is called once, on a
    /// thread of the host's, never on the calling thread while the call lasts. A host validates arguments: a negative badge is
    /// `UNError.badgeInputInvalid`.
    package protocol UserNotificationHost: AnyObject, Sendable {
        func requestAuthorization(
            _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
        /// Passes the settings of the app's notifications to a handler.
        func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void)
        /// Sets the number on the app's icon; 0 removes it.
        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void)
        /// Schedules a local notification. Replaces one with the same identifier.
        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void)
        /// The pending local notifications.
        func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void)
        /// Removes pending local notifications; nil for all.
        func removePendingRequests(_ identifiers: [String]?)
        func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void)
        /// Removes delivered notifications; nil for all.
        func removeDeliveredNotifications(_ identifiers: [String]?)
        func setCategories(_ categories: Set<UNNotificationCategory>)
        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void)
        /// Reports a finding about the push in progress, under a rule of `pushpipe run`.
        func report(_ rule: String, _ message: String)
    }

    extension UserNotificationHost {
        /// A host without pushes has no place for findings.
        package func report(_ rule: String, _ message: String) {}
    }
#endif
