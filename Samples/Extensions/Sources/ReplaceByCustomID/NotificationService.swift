import UserNotifications

/// Replaces the earlier notification with the same `custom-payload-id`. Apps do this when they cannot use the collapse id, for example
/// because messages are encrypted and the server must not know it.
///
/// The earlier notification disappears before the new one appears: a flicker that a collapse id avoids.
public class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var original: UNNotificationContent?

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        original = request.content
        guard let customID = request.content.userInfo["custom-payload-id"] as? String else {
            contentHandler(request.content)
            return
        }
        let center = UNUserNotificationCenter.current()
        center.getDeliveredNotifications { notifications in
            let earlier =
                notifications
                .filter { $0.request.content.userInfo["custom-payload-id"] as? String == customID }
                .map { $0.request.identifier }
            center.removeDeliveredNotifications(withIdentifiers: earlier)
            self.finish(request.content, once: Set(earlier))
        }
    }

    /// The removal happens in the background. If the extension ends first, the removal is lost.
    private func finish(_ content: UNNotificationContent, once removed: Set<String>) {
        UNUserNotificationCenter.current().getDeliveredNotifications { notifications in
            if removed.isDisjoint(with: notifications.map { $0.request.identifier }) {
                self.contentHandler?(content)
            } else {
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { self.finish(content, once: removed) }
            }
        }
    }

    public override func serviceExtensionTimeWillExpire() {
        if let original = original { contentHandler?(original) }
    }
}
