#if os(Linux)
    import UserNotifications

    /// Downloads the file whose address is in `attachment-url`, and attaches it.
    public class AttachmentService: UNNotificationServiceExtension {
        private var contentHandler: ((UNNotificationContent) -> Void)?
        private var content: UNMutableNotificationContent?

        override public func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            self.contentHandler = contentHandler
            content = request.content.mutableCopy() as? UNMutableNotificationContent
            guard let content = content, let text = content.userInfo["attachment-url"] as? String,
                let url = URL(string: text)
            else {
                contentHandler(request.content)
                return
            }
            URLSession.shared.downloadTask(with: url) { location, response, error in
                defer { contentHandler(content) }
                guard let location = location else { return }
                let name = ProcessInfo.processInfo.globallyUniqueString + "-" + url.lastPathComponent
                let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name)
                try? FileManager.default.moveItem(at: location, to: file)
                if let attachment = try? UNNotificationAttachment(identifier: "", url: file, options: nil) {
                    content.attachments = [attachment]
                }
            }.resume()
        }

        override public func serviceExtensionTimeWillExpire() {
            if let handler = contentHandler, let content = content { handler(content) }
        }
    }
#endif
