import Feathers
import SharedKit
import UserNotifications

@objc(NotificationService)
class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
        guard let content = bestAttemptContent, let sighting = Sighting(userInfo: content.userInfo) else {
            return contentHandler(request.content)
        }
        content.title = sighting.title
        content.subtitle =
            "\(Plumage.color(of: sighting.bird)), \(checksum(sighting.bird, Int32(sighting.bird.utf8.count)))"
        content.threadIdentifier = GroupNames.sightings
        #if STAGING
            content.title = "staging"
        #endif
        if sighting.bird == "ostrich" { content.badge = Plumage.height(of: sighting.bird) as NSNumber }
        contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
    }
}
