#if os(Linux)
    import Foundation
    import UserNotifications

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
#endif
