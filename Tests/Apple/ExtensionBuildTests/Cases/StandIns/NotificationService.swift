import FirebaseMessaging
import OneSignal
import OneSignalExtension
import UserNotifications

/// Passes each push to the SDK that its payload is for.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        if content.userInfo["fcm_options"] != nil {
            let helper: FIRMessagingExtensionHelper = Messaging.serviceExtension()
            helper.exportDeliveryMetricsToBigQuery(withMessageInfo: content.userInfo)
            FIRMessagingExtensionHelper().populateNotificationContent(content, withContentHandler: contentHandler)
        } else {
            OneSignalExtension.didReceiveNotificationExtensionRequest(
                request, with: content, withContentHandler: contentHandler)
        }
    }

    /// By the name that the SDK had before its version 5.
    func expire(_ request: UNNotificationRequest, _ content: UNMutableNotificationContent) {
        OneSignal.serviceExtensionTimeWillExpireRequest(request, with: content)
    }
}
