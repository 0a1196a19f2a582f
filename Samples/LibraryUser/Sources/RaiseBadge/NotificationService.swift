import UserNotifications

/// Counts each push on the app's icon.
public class NotificationService: UNNotificationServiceExtension {
    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        content.badge = NSNumber(value: (content.badge?.intValue ?? 0) + 1)
        contentHandler(content)
    }
}
