#if os(Linux)
    import Foundation

    /// The default host: an app with full authorization, and a screen in memory.
    ///
    /// It serves code that runs outside a harness. Requests without a trigger are delivered at once; those with one stay pending, because nothing
    /// here waits for a time.
    final class MemoryHost: UserNotificationHost {
        private struct State {
            var badge = 0
            var pending: [UNNotificationRequest] = []
            var delivered: [UNNotification] = []
            var categories: Set<UNNotificationCategory> = []
        }

        /// Serial, so that answers and changes come in the order of the calls.
        private let queue = DispatchQueue(label: "UserNotifications.MemoryHost")
        private let state = Locked(State())

        private func enqueue(_ change: @escaping @Sendable (inout State) -> Void) {
            queue.async { self.state.withLock(change) }
        }

        private func answer<Answer>(
            _ completion: @escaping @Sendable (Answer) -> Void, _ read: @escaping @Sendable (inout State) -> Answer
        ) {
            queue.async { completion(self.state.withLock(read)) }
        }

        func requestAuthorization(
            _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            queue.async { completion(true, nil) }
        }

        func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void) {
            queue.async { completion(UNNotificationSettings()) }
        }

        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            answer(completion) { state in
                guard count >= 0 else { return UNError(.badgeInputInvalid) }
                state.badge = count
                return nil
            }
        }

        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            answer(completion) { state in
                state.pending.removeAll { $0.identifier == request.identifier }
                if request.trigger != nil {
                    state.pending.append(request)
                } else {
                    state.delivered.removeAll { $0.request.identifier == request.identifier }
                    state.delivered.append(UNNotification(date: UNNotificationTrigger.now(), request: request))
                }
                return nil
            }
        }

        func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
            answer(completion) { $0.pending }
        }

        func removePendingRequests(_ identifiers: [String]?) {
            enqueue { $0.pending.removeAll { identifiers?.contains($0.identifier) ?? true } }
        }

        func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void) {
            answer(completion) { $0.delivered }
        }

        func removeDeliveredNotifications(_ identifiers: [String]?) {
            enqueue { $0.delivered.removeAll { identifiers?.contains($0.request.identifier) ?? true } }
        }

        func setCategories(_ categories: Set<UNNotificationCategory>) {
            enqueue { $0.categories = categories }
        }

        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
            answer(completion) { $0.categories }
        }
    }
#endif
