#if os(Linux)
    import UserNotifications

    /// The buttons of a payload of OneSignal's, as a category of their own for each notification.
    ///
    /// Source: OneSignal-iOS-SDK, `OneSignalAttachmentHandler.m` and `OneSignalNotificationCategoryController.m`.
    enum OneSignalButtons {
        private static let prefix = "__onesignal__dynamic__"
        /// How many of its categories the SDK keeps.
        private static let limit = 128
        /// The identifiers of categories, the newest last.
        private static let registered = Locked<[String]>([])

        /// Registers the category, and gives it to the content.
        static func add(_ buttons: [OneSignalPayload.Button], of push: String, to content: UNMutableNotificationContent)
        {
            var actions = buttons.map {
                UNNotificationAction(identifier: $0.identifier, title: $0.title, options: .foreground, icon: $0.icon)
            }
            if actions.count == 2 { actions.reverse() }
            let category = UNNotificationCategory(
                identifier: prefix + push, actions: actions, intentIdentifiers: [], options: .customDismissAction)
            let kept = registered.withLock { registered in
                registered.removeAll { $0 == category.identifier }
                registered = registered.suffix(limit - 1) + [category.identifier]
                return Set(registered)
            }
            let others = existing().filter {
                $0.identifier != category.identifier
                    && (!$0.identifier.hasPrefix(prefix) || kept.contains($0.identifier))
            }
            UNUserNotificationCenter.current().setNotificationCategories(others.union([category]))
            content.categoryIdentifier = category.identifier
        }

        private static func existing() -> Set<UNNotificationCategory> {
            let found = Locked<Set<UNNotificationCategory>>([])
            let done = DispatchSemaphore(value: 0)
            UNUserNotificationCenter.current().getNotificationCategories { categories in
                found.withLock { $0 = categories }
                done.signal()
            }
            // A host need not know the call, and the content handler must not wait for it.
            _ = done.wait(timeout: .now() + 1)
            return found.snapshot
        }
    }
#endif
