import CryptoKit
import UserNotifications

/// Opens what it has sealed.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        let key = SymmetricKey(size: .bits256)
        do {
            let sealed = try AES.GCM.seal(Data("opened".utf8), using: key)
            content.body = String(decoding: try AES.GCM.open(sealed, using: key), as: UTF8.self)
        } catch {
            content.body = "\(error)"
        }
        contentHandler(content)
    }
}
