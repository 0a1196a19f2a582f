#if os(Linux)
    @_spi(Overlay) public import UserNotifications

    /// A stand-in for the part of Firebase's SDK that service extensions use.
    public enum Messaging {
        /// The helper for extensions.
        public static func serviceExtension() -> FIRMessagingExtensionHelper { FIRMessagingExtensionHelper() }
    }

    /// Attaches the picture of a message, as Firebase's helper does.
    ///
    /// The SDK gives the class no other name in Swift. Source: firebase-ios-sdk, `FIRMessagingExtensionHelper.h` and `.m`.
    public final class FIRMessagingExtensionHelper: NSObject, Sendable {
        private struct Passed: @unchecked Sendable {
            let content: UNMutableNotificationContent
            let handler: (UNNotificationContent) -> Void
        }

        /// Makes a helper.
        public override init() {}

        /// Downloads the picture in `fcm_options.image`, attaches it, and calls the handler; without a picture, or if it cannot be attached,
        /// with the content as it is.
        public func populateNotificationContent(
            _ content: UNMutableNotificationContent,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let options = content.userInfo["fcm_options"] as? [String: Any]
            guard let image = options?["image"] as? String else { return contentHandler(content) }
            guard let url = URL(string: image) else {
                StandIn.reportFailure("FirebaseMessaging: \(image) is not attached", StandIn.Failure("not a URL"))
                return contentHandler(content)
            }
            let passed = Passed(content: content, handler: contentHandler)
            URLSession.notedShared.downloadTask(with: url) { file, response, error in
                do {
                    let attachment = try StandIn.attachment("", file, response, error) {
                        SuggestedFilename.of($0).map { ($0 as NSString).pathExtension }
                    }
                    passed.content.attachments = [attachment]
                    StandIn.report("FirebaseMessaging: attached the picture in fcm_options.image, as the SDK does")
                } catch {
                    StandIn.reportFailure("FirebaseMessaging: \(image) is not attached", error)
                }
                passed.handler(passed.content)
            }.resume()
        }

        /// Would count a delivery at Google; sends nothing.
        public func exportDeliveryMetricsToBigQuery(withMessageInfo info: [AnyHashable: Any]) {
            StandIn.report("FirebaseMessaging: the SDK would export delivery metrics to BigQuery; nothing is sent")
        }
    }
#endif
