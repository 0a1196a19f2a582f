/// The source of an extension from Xcode's template.
public func serviceSource(_ name: String = "NotificationService", imports: [String] = ["UserNotifications"]) -> String {
    imports.map { "import \($0)\n" }.joined() + """

        class \(name): UNNotificationServiceExtension {
            var contentHandler: ((UNNotificationContent) -> Void)?
            var bestAttemptContent: UNMutableNotificationContent?

            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                self.contentHandler = contentHandler
                bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
                if let bestAttemptContent = bestAttemptContent {
                    bestAttemptContent.title = "\\(bestAttemptContent.title) [modified]"
                    contentHandler(bestAttemptContent)
                }
            }

            override func serviceExtensionTimeWillExpire() {
                if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
                    contentHandler(bestAttemptContent)
                }
            }
        }

        """
}
