#if os(Linux)
    public import UserNotifications

    /// A stand-in for the part of Firebase's SDK that service extensions use.
    public enum Messaging {
        /// The helper for extensions.
        public static func serviceExtension() -> MessagingExtensionHelper { MessagingExtensionHelper() }
    }

    /// Attaches the picture of a message, as Firebase's helper does.
    public final class MessagingExtensionHelper: Sendable {
        private struct Passed: @unchecked Sendable {
            let content: UNMutableNotificationContent
            let handler: (UNNotificationContent) -> Void
        }

        /// Makes a helper.
        public init() {}

        /// Downloads the picture in `fcm_options.image`, attaches it, and calls the handler; without a picture, or if it cannot be attached,
        /// with the content as it is.
        public func populateNotificationContent(
            _ content: UNMutableNotificationContent,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            guard let options = content.userInfo["fcm_options"] as? [String: Any],
                let url = (options["image"] as? String).flatMap({ URL(string: $0) })
            else { return contentHandler(content) }
            let passed = Passed(content: content, handler: contentHandler)
            URLSession.notedShared.downloadTask(with: url) { file, response, _ in
                if let file, let name = response.flatMap(SuggestedFilename.of) {
                    Self.attach(file, name: name, to: passed.content)
                }
                passed.handler(passed.content)
            }.resume()
        }

        private static func attach(_ file: URL, name: String, to content: UNMutableNotificationContent) {
            let place = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString + name)
            guard (try? FileManager.default.moveItem(at: file, to: place)) != nil,
                let attachment = try? UNNotificationAttachment(identifier: "", url: place)
            else { return }
            content.attachments = [attachment]
        }

        /// Would count a delivery at Google; does nothing.
        public func exportDeliveryMetricsToBigQuery(withMessageInfo info: [AnyHashable: Any]) {}
    }
#endif
