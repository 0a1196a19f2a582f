// In the manner of public code, and so not held against the rules of this package.
// swift-format-ignore-file
#if os(Linux)

import Foundation
import UserNotifications

/// Counts unread messages in the defaults of an app group.
public class BadgeService: UNNotificationServiceExtension {
    public static let group = "group.org.example.news"

    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
            let defaults = UserDefaults(suiteName: Self.group)
        else { return contentHandler(request.content) }
        let unread = defaults.integer(forKey: "unread") + 1
        defaults.set(unread, forKey: "unread")
        content.badge = unread as NSNumber
        if let level = content.userInfo["urgent"] as? Bool, level {
            content.interruptionLevel = .timeSensitive
        }
        content.threadIdentifier = (content.userInfo["thread"] as? String) ?? ""
        contentHandler(content)
    }
}
#endif
