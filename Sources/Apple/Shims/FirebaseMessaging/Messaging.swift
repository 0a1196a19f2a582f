#if os(Linux)
    @_spi(Overlay) public import UserNotifications

    /// A stand-in for the part of Firebase's SDK that service extensions use, and the modules that an app shares with one.
    public final class Messaging: NSObject, Sendable {
        private static let shared = Messaging()

        /// The helper for extensions.
        public static func serviceExtension() -> FIRMessagingExtensionHelper { FIRMessagingExtensionHelper() }
        /// The app's object.
        public static func messaging() -> Messaging { shared }

        /// None: only an app registers.
        public var fcmToken: String? { nil }

        /// Fails as the SDK does where the app has no token of APNs, and an extension never has one.
        public func token(completion: @escaping (String?, (any Error)?) -> Void) {
            StandIn.report("FirebaseMessaging: the SDK has no registration token in an extension")
            completion(nil, Self.noToken)
        }

        /// Fails as the SDK does where the app has no token of APNs, and an extension never has one.
        public func token() async throws -> String {
            try await withCheckedThrowingContinuation { continuation in
                token { _, error in continuation.resume(throwing: error ?? Self.noToken) }
            }
        }

        // The code and the text of firebase-ios-sdk, `FIRMessagingTokenManager.m`.
        private static var noToken: NSError {
            let text = "No APNS token specified before fetching FCM Token"
            return NSError(domain: "com.google.fcm", code: 505, userInfo: [NSLocalizedFailureReasonErrorKey: text])
        }

        /// Would tell Google that a message came; sends nothing.
        @discardableResult
        public func appDidReceiveMessage(_ message: [AnyHashable: Any]) -> MessagingMessageInfo {
            MessagingMessageInfo(status: .unknown)
        }
    }

    /// The SDK's knowledge of a message.
    public struct MessagingMessageInfo: Sendable {
        /// Tells if the message is new.
        public let status: MessagingMessageStatus
    }

    /// Tells if a message is new.
    public enum MessagingMessageStatus: Int, Sendable {
        /// It is not known.
        case unknown
        /// It is new.
        case new
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
                StandIn.reportFailure("FirebaseMessaging: \(image) is not attached", StandIn.error("not a URL"))
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
