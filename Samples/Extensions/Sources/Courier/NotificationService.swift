import UserNotifications

/// Says in the user's language where a parcel is. The payload contains only data: a status, a name, a number.
public class NotificationService: UNNotificationServiceExtension {
    /// Where `NSLocalizedString` looks. A test sets it to the bundle of one language.
    public var bundle = Bundle.main

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
            let status = content.userInfo["status"] as? String
        else {
            contentHandler(request.content)
            return
        }
        let courier = content.userInfo["courier"] as? String ?? "?"
        content.title = NSString.localizedUserNotificationString(forKey: "STATUS_\(status)", arguments: [courier])
        content.subtitle = NSLocalizedString("SUBTITLE", bundle: bundle, comment: "Below each status")
        if let stops = content.userInfo["stops"] as? Int {
            content.body = String(localized: "\(stops) stops before yours", comment: "How far away the courier is")
        }
        contentHandler(content)
    }
}
