#if os(Linux)
    import Foundation
    import Synchronization
    import UserNotifications

    /// Forwards calls of the Notification Center to the host as messages, and its answers to completion handlers.
    ///
    /// The permission to notify, which is always granted, stays in this process. So does what the host does not keep of categories, such as icons.
    final class RemoteCenter: UserNotificationHost {
        private typealias Completion = @Sendable ([String: Any]) -> Void

        private struct State {
            var currentPush = 0
            var previews = UNShowPreviewsSetting.always
            var lastCall = 0
            var completions: [Int: Completion] = [:]
            /// The categories that this process has set.
            var categories: Set<UNNotificationCategory> = []
        }

        /// An answer for a completion handler.
        private struct Answer: @unchecked Sendable {
            let message: [String: Any]
        }

        private let connection: HostConnection
        private let state = Mutex(State())
        /// Serial: completions are called in the order of the calls.
        private let answers = DispatchQueue(label: "pushpipe.notification-center")

        init(connection: HostConnection) { self.connection = connection }

        /// Says which push's device the calls concern from now on, and when it shows previews.
        func begin(_ push: Int, previews: UNShowPreviewsSetting) {
            state.withLock { state in
                state.currentPush = push
                state.previews = previews
            }
        }

        /// Calls the completion handler that waits for this answer.
        func receive(_ message: [String: Any]) {
            guard let call = message["call"] as? Int else { return }
            let completion = state.withLock { $0.completions.removeValue(forKey: call) }
            guard let completion else { return }
            let answer = Answer(message: message)
            answers.async { completion(answer.message) }
        }

        /// Sends a call; one with a completion handler has an answer.
        private func call(_ method: String, _ members: [String: Any] = [:], _ completion: Completion? = nil) {
            var message = members
            message["method"] = method
            state.withLock { state in
                message["id"] = state.currentPush
                guard let completion else { return }
                state.lastCall += 1
                state.completions[state.lastCall] = completion
                message["call"] = state.lastCall
            }
            connection.send(message)
        }

        // MARK: - UserNotificationHost

        func requestAuthorization(
            _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            answers.async { completion(true, nil) }
        }

        func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void) {
            let previews = state.withLock { $0.previews }
            answers.async { completion(UNNotificationSettings(showPreviewsSetting: previews)) }
        }

        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            guard count >= 0 else {
                answers.async { completion(UNError(.badgeInputInvalid)) }
                return
            }
            call("setBadgeCount", ["count": count]) { _ in completion(nil) }
        }

        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            var members: [String: Any] = ["request": RequestJSON.encoded(request)]
            if let trigger = request.trigger {
                guard let due = RequestJSON.nextDate(of: trigger) else {
                    // The trigger never fires: the request stays pending, as on a device.
                    members["due"] = NSNull()
                    call("add", members) { _ in completion(nil) }
                    return
                }
                members["due"] = due.timeIntervalSince1970
                if trigger.repeats, let interval = trigger as? UNTimeIntervalNotificationTrigger {
                    members["every"] = interval.timeInterval
                }
            }
            call("add", members) { _ in completion(nil) }
        }

        func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
            call("getPendingNotificationRequests") { answer in
                completion((answer["requests"] as? [[String: Any]] ?? []).compactMap(RequestJSON.request))
            }
        }

        func removePendingRequests(_ identifiers: [String]?) {
            if let identifiers {
                call("removePendingNotificationRequests", ["identifiers": identifiers])
            } else {
                call("removeAllPendingNotificationRequests")
            }
        }

        func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void) {
            call("getDeliveredNotifications") { answer in
                completion((answer["notifications"] as? [[String: Any]] ?? []).compactMap(RequestJSON.notification))
            }
        }

        func removeDeliveredNotifications(_ identifiers: [String]?) {
            if let identifiers {
                call("removeDeliveredNotifications", ["identifiers": identifiers])
            } else {
                call("removeAllDeliveredNotifications")
            }
        }

        func setCategories(_ categories: Set<UNNotificationCategory>) {
            state.withLock { $0.categories = categories }
            call("setNotificationCategories", ["categories": CategoryJSON.encoded(categories)])
        }

        func report(_ rule: String, _ message: String) {
            // One line: a finding is shown as one.
            let line = message.replacingOccurrences(of: "\n", with: " ")
            call("finding", ["rule": rule, "message": line])
        }

        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
            call("getNotificationCategories") { [self] answer in
                let own = state.withLock { $0.categories }
                completion(CategoryJSON.categories(answer["categories"] as? [[String: Any]] ?? [], preferring: own))
            }
        }
    }
#endif
