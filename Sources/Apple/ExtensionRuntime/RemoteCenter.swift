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

    /// Requests and delivered notifications as JSON of the protocol.
    enum RequestJSON {
        /// A local notification: all of its content, and its trigger, which a push does not have.
        static func encoded(_ request: UNNotificationRequest) -> [String: Any] {
            var content = ContentChanges.between(UNNotificationContent(), request.content)
            content["trigger"] = json(request.trigger)
            return ["identifier": request.identifier, "content": content]
        }

        private static func json(_ trigger: UNNotificationTrigger?) -> Any {
            switch trigger {
            case let trigger as UNTimeIntervalNotificationTrigger:
                ["timeInterval": trigger.timeInterval, "repeats": trigger.repeats]
            case let trigger as UNCalendarNotificationTrigger:
                ["dateComponents": components(trigger.dateComponents), "repeats": trigger.repeats]
            default: NSNull()
            }
        }

        /// When a trigger fires next, by the device's clock; nil for never.
        static func nextDate(of trigger: UNNotificationTrigger) -> Date? {
            switch trigger {
            case let trigger as UNTimeIntervalNotificationTrigger: trigger.nextTriggerDate()
            case let trigger as UNCalendarNotificationTrigger: trigger.nextTriggerDate()
            default: nil
            }
        }

        /// A request that the host keeps until it is due.
        static func request(_ object: [String: Any]) -> UNNotificationRequest? {
            guard let identifier = object["identifier"] as? String else { return nil }
            let changes = object["content"] as? [String: Any] ?? [:]
            let payload = object["payload"] as? [String: Any] ?? [:]
            let content = UNMutableNotificationContent(apnsPayload: payload, localized: PushServer.localized)
            return UNNotificationRequest(
                identifier: identifier, content: ContentChanges.applied(changes, to: content),
                trigger: changes["trigger"].map(trigger) ?? UNPushNotificationTrigger())
        }

        /// A notification that is on the screen.
        static func notification(_ object: [String: Any]) -> UNNotification? {
            guard let request = request(object), let date = object["date"] as? NSNumber else { return nil }
            return UNNotification(date: Date(timeIntervalSince1970: date.doubleValue), request: request)
        }

        private static func trigger(_ json: Any) -> UNNotificationTrigger? {
            guard let trigger = json as? [String: Any] else { return nil }
            let repeats = (trigger["repeats"] as? NSNumber)?.boolValue ?? false
            if let interval = (trigger["timeInterval"] as? NSNumber)?.doubleValue, interval > 0 {
                // The initializer traps on a shorter interval that repeats.
                return UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: repeats && interval >= 60)
            }
            guard let parts = trigger["dateComponents"] as? [String: Any] else { return nil }
            return UNCalendarNotificationTrigger(dateMatching: components(parts), repeats: repeats)
        }

        private static let parts: [(name: String, path: any WritableKeyPath<DateComponents, Int?> & Sendable)] = [
            ("era", \.era), ("year", \.year), ("month", \.month), ("day", \.day), ("hour", \.hour),
            ("minute", \.minute),
            ("second", \.second), ("weekday", \.weekday), ("weekdayOrdinal", \.weekdayOrdinal), ("quarter", \.quarter),
            ("weekOfMonth", \.weekOfMonth), ("weekOfYear", \.weekOfYear), ("yearForWeekOfYear", \.yearForWeekOfYear),
        ]

        private static func components(_ components: DateComponents) -> [String: Any] {
            var object: [String: Any] = [:]
            for (name, path) in parts { object[name] = components[keyPath: path] }
            if let zone = components.timeZone { object["timeZone"] = zone.identifier }
            return object
        }

        private static func components(_ object: [String: Any]) -> DateComponents {
            var components = DateComponents()
            for (name, path) in parts { components[keyPath: path] = (object[name] as? NSNumber)?.intValue }
            components.timeZone = (object["timeZone"] as? String).flatMap(TimeZone.init(identifier:))
            return components
        }
    }

    /// Categories as JSON of the protocol, which has the form of those in events.
    enum CategoryJSON {
        /// The categories that a payload can name, in the order of identifiers.
        static func encoded(_ categories: Set<UNNotificationCategory>) -> [[String: Any]] {
            categories.filter { !$0.identifier.isEmpty }.sorted { $0.identifier < $1.identifier }.map(encoded)
        }

        private static func encoded(_ category: UNNotificationCategory) -> [String: Any] {
            var object: [String: Any] = ["id": category.identifier]
            let actions = category.actions.filter { !$0.identifier.isEmpty }.map(encoded)
            if !actions.isEmpty { object["actions"] = actions }
            for (name, option) in options where category.options.contains(option) { object[name] = true }
            let placeholder = category.hiddenPreviewsBodyPlaceholder
            if !placeholder.isEmpty { object["placeholder"] = placeholder }
            return object
        }

        private static let options: [(String, UNNotificationCategoryOptions)] = [
            ("dismissal", .customDismissAction), ("shows_title", .hiddenPreviewsShowTitle),
            ("shows_subtitle", .hiddenPreviewsShowSubtitle),
        ]

        private static func encoded(_ action: UNNotificationAction) -> [String: Any] {
            var object: [String: Any] = ["id": action.identifier]
            if action.title != action.identifier { object["title"] = action.title }
            if action.options.contains(.foreground) { object["foreground"] = true }
            if action is UNTextInputNotificationAction { object["text"] = true }
            return object
        }

        /// - Parameter own: categories of this process: the host does not keep all that they have.
        static func categories(
            _ objects: [[String: Any]], preferring own: Set<UNNotificationCategory>
        ) -> Set<UNNotificationCategory> {
            Set(
                objects.compactMap { object in
                    own.first { (encoded($0) as NSDictionary).isEqual(object as NSDictionary) } ?? category(object)
                })
        }

        private static func category(_ object: [String: Any]) -> UNNotificationCategory? {
            guard let identifier = object["id"] as? String else { return nil }
            let set = options.filter { object[$0.0] as? Bool == true }.map(\.1)
            return UNNotificationCategory(
                identifier: identifier, actions: (object["actions"] as? [[String: Any]] ?? []).compactMap(action),
                intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: object["placeholder"] as? String,
                categorySummaryFormat: nil, options: UNNotificationCategoryOptions(set))
        }

        private static func action(_ object: [String: Any]) -> UNNotificationAction? {
            guard let identifier = object["id"] as? String else { return nil }
            let title = object["title"] as? String ?? identifier
            let options: UNNotificationActionOptions = object["foreground"] as? Bool == true ? .foreground : []
            guard object["text"] as? Bool == true else {
                return UNNotificationAction(identifier: identifier, title: title, options: options)
            }
            return UNTextInputNotificationAction(
                identifier: identifier, title: title, options: options, textInputButtonTitle: "",
                textInputPlaceholder: "")
        }
    }
#endif
