#if os(Linux)
    extension UNUserNotificationCenter {
        /// Requests authorization, and returns the answer.
        public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
            try await withCheckedThrowingContinuation { continuation in
                requestAuthorization(options: options) { isGranted, error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: isGranted)
                    }
                }
            }
        }

        /// The settings of the app's notifications.
        public func notificationSettings() async -> UNNotificationSettings {
            await withCheckedContinuation { continuation in
                getNotificationSettings { continuation.resume(returning: $0) }
            }
        }

        /// Sets the number on the app's icon; 0 removes it.
        public func setBadgeCount(_ newBadgeCount: Int) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                setBadgeCount(newBadgeCount) { continuation.resume(with: Self.result($0)) }
            }
        }

        /// Schedules a local notification, and returns when that is done. Replaces one with the same identifier.
        public func add(_ request: UNNotificationRequest) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                add(request) { continuation.resume(with: Self.result($0)) }
            }
        }

        /// The pending local notifications.
        public func pendingNotificationRequests() async -> [UNNotificationRequest] {
            await withCheckedContinuation { continuation in
                getPendingNotificationRequests { continuation.resume(returning: $0) }
            }
        }

        /// The delivered notifications.
        public func deliveredNotifications() async -> [UNNotification] {
            await withCheckedContinuation { continuation in
                getDeliveredNotifications { continuation.resume(returning: $0) }
            }
        }

        /// The app's categories.
        public func notificationCategories() async -> Set<UNNotificationCategory> {
            await withCheckedContinuation { continuation in
                getNotificationCategories { continuation.resume(returning: $0) }
            }
        }

        private static func result(_ error: (any Error)?) -> Result<Void, any Error> {
            error.map { .failure($0) } ?? .success(())
        }
    }
#endif
