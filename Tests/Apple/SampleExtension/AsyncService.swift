// In the manner of public code, and so not held against the rules of this package.
// swift-format-ignore-file
#if os(Linux)

import UserNotifications

/// With a category of its own for each message, by async/await.
public final class AsyncService: UNNotificationServiceExtension {
    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        Task {
            let center = UNUserNotificationCenter.current()
            let reply = UNTextInputNotificationAction(
                identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
                textInputPlaceholder: "Message")
            let category = UNNotificationCategory(
                identifier: "MESSAGE-\(request.identifier)", actions: [reply], intentIdentifiers: [],
                options: .customDismissAction)
            var categories = await center.notificationCategories()
            categories.insert(category)
            center.setNotificationCategories(categories)
            let content = request.content.mutableCopy() as! UNMutableNotificationContent
            content.categoryIdentifier = category.identifier
            content.sound = UNNotificationSound(named: UNNotificationSoundName("reply.caf"))
            contentHandler(content)
        }
    }
}
#endif
