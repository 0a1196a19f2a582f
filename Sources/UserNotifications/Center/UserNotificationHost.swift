#if os(Linux)
    /// The device behind `UNUserNotificationCenter.current()`.
    ///
    /// Calls come from any thread, in the order in which the app makes them, and have to return soon. A completion is called once,
    /// on a thread of the host's, never on the one that made the call while that call lasts. A host checks what it is given: a
    /// negative badge is `UNError.badgeInputInvalid`.
    package protocol UserNotificationHost: AnyObject, Sendable {
        /// Asks for leave to notify. The completion takes the answer.
        func requestAuthorization(
            _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
        /// What the person allows the app.
        func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void)
        /// Sets the number on the app's icon; 0 removes it.
        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void)
        /// Schedules a local notification in place of one of the same identifier.
        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void)
        /// The local notifications that are still to come.
        func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void)
        /// Takes back local notifications that are still to come; nil stands for all.
        func removePendingRequests(_ identifiers: [String]?)
        /// The notifications on the screen.
        func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void)
        /// Takes notifications off the screen; nil stands for all.
        func removeDeliveredNotifications(_ identifiers: [String]?)
        /// Sets the app's categories in place of those it had.
        func setCategories(_ categories: Set<UNNotificationCategory>)
        /// The app's categories.
        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void)
    }
#endif
