#if os(Linux)
    import UserNotifications

    /// Removes earlier notifications that carry the same `custom-payload-id`, and then lets the new one appear.
    public class CustomIDService: UNNotificationServiceExtension {
        /// Whether to look again until the removal is done.
        public var waitsForRemoval = true

        override public func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            guard let customID = request.content.userInfo["custom-payload-id"] as? String else {
                return contentHandler(request.content)
            }
            let center = UNUserNotificationCenter.current()
            let waits = waitsForRemoval
            center.getDeliveredNotifications { notifications in
                let identifiers =
                    notifications
                    .filter { $0.request.content.userInfo["custom-payload-id"] as? String == customID }
                    .map { $0.request.identifier }
                center.removeDeliveredNotifications(withIdentifiers: identifiers)
                guard waits, !identifiers.isEmpty else { return contentHandler(request.content) }
                center.getDeliveredNotifications { _ in contentHandler(request.content) }
            }
        }
    }
#endif
