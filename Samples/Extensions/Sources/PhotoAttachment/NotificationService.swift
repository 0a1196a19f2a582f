import UserNotifications

/// Downloads the picture at `attachment-url` and attaches it.
public class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt: UNMutableNotificationContent?
    private var download: URLSessionDownloadTask?

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttempt = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = bestAttempt, let address = content.userInfo["attachment-url"] as? String,
            let url = URL(string: address)
        else {
            contentHandler(request.content)
            return
        }
        download = URLSession.shared.downloadTask(with: url) { location, response, _ in
            if let location = location, (response as? HTTPURLResponse)?.statusCode == 200 {
                // The downloaded file has no extension, which is what an attachment's type comes from.
                let file = location.deletingPathExtension().appendingPathExtension(url.pathExtension)
                if (try? FileManager.default.moveItem(at: location, to: file)) != nil,
                    let attachment = try? UNNotificationAttachment(identifier: "photo", url: file)
                {
                    content.attachments = [attachment]
                }
            }
            contentHandler(content)
        }
        download?.resume()
    }

    public override func serviceExtensionTimeWillExpire() {
        download?.cancel()
        if let content = bestAttempt { contentHandler?(content) }
    }
}
