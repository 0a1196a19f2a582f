import UIKit
import UniformTypeIdentifiers
import UserNotifications
import os.log

/// Names the sender of a message, counts unread messages in the defaults of the app group, and logs what it does.
public class NotificationService: UNNotificationServiceExtension {
    /// Shared with the app.
    public static let group = "group.org.example.chat"

    private let log = Logger(subsystem: "org.example.chat", category: "service-extension")

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            contentHandler(request.content)
            return
        }
        let sender = content.userInfo["sender"] as? String ?? "Somebody"
        content.title = sender
        if let mime = content.userInfo["media-type"] as? String, let type = UTType(mimeType: mime) {
            content.body = type.conforms(to: .image) ? "sent a photo" : "sent a file"
            log.debug("media of type \(type.identifier, privacy: .public)")
        }
        if let defaults = UserDefaults(suiteName: Self.group) {
            let unread = defaults.integer(forKey: "unread") + 1
            defaults.set(unread, forKey: "unread")
            content.badge = NSNumber(value: unread)
        } else {
            os_log("no defaults for %{public}@", log: .default, type: .error, Self.group as NSString)
        }
        log.info("message from \(sender, privacy: .private)")
        contentHandler(content)
    }
}
