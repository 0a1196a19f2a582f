import UserNotifications

/// Replaces an empty ping with the notification it announces. A file stands in for the wiki's server, so that the sample works anywhere.
public class NotificationService: UNNotificationServiceExtension {
    /// The wiki's notifications: `{"notifications":[{"id":7,"type":"edit-user-talk","header":"…"}]}`.
    public var source: URL?

    private struct Answer: Decodable {
        struct Notification: Decodable {
            let id: Int
            let type: String
            let header: String
        }

        let notifications: [Notification]
    }

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            contentHandler(request.content)
            return
        }
        content.body = "New activity on the wiki"
        defer { contentHandler(content) }
        guard request.content.body == "checkEchoV1", let source = source, let data = try? Data(contentsOf: source),
            let answer = try? JSONDecoder().decode(Answer.self, from: data), let newest = answer.notifications.last
        else { return }
        content.body = answer.notifications.count == 1 ? newest.header : "\(answer.notifications.count) new messages"
        content.badge = answer.notifications.count as NSNumber
        content.threadIdentifier = newest.type
        content.interruptionLevel = newest.type == "edit-user-talk" ? .timeSensitive : .passive
        content.userInfo["ids"] = answer.notifications.map { $0.id }
    }
}
