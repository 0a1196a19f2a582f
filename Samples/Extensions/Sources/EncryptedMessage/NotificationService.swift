import CryptoKit
import UserNotifications

/// Decrypts a message whose text the server must not know. The app has stored the key in the container of their app group.
///
/// A message that cannot be decrypted is shown as the provider sent it, with a text that reveals nothing.
public class NotificationService: UNNotificationServiceExtension {
    /// Shared with the app.
    public static let group = "group.org.example.whisper"
    /// Name of the file with the 32 bytes of the key.
    public static let keyFile = "message.key"

    private struct Message: Decodable {
        var title: String
        var body: String
    }

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
            let message = try? decrypt(content.userInfo["box"] as? String)
        else {
            contentHandler(request.content)
            return
        }
        content.title = message.title
        content.body = message.body
        // Other parts of the app must not be able to read the message.
        content.userInfo["box"] = nil
        contentHandler(content)
    }

    private func decrypt(_ box: String?) throws -> Message? {
        guard let box = box, let data = Data(base64Encoded: box),
            let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.group)
        else { return nil }
        let key = SymmetricKey(data: try Data(contentsOf: folder.appendingPathComponent(Self.keyFile)))
        let text = try AES.GCM.open(AES.GCM.SealedBox(combined: data), using: key)
        return try JSONDecoder().decode(Message.self, from: text)
    }
}
