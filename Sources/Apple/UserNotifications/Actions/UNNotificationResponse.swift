#if os(Linux)
    public import Foundation

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The action of opening the app from a notification.
    public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The action of dismissing a notification; reported only if the category asks for it.
    public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// A person's response to a notification. Immutable; only the host makes one.
    open class UNNotificationResponse: NSObject, NSCopying, @unchecked Sendable {
        /// The notification.
        public let notification: UNNotification
        /// The action chosen.
        public let actionIdentifier: String

        package init(notification: UNNotification, actionIdentifier: String = UNNotificationDefaultActionIdentifier) {
            self.notification = notification
            self.actionIdentifier = actionIdentifier
            super.init()
        }

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotificationResponse, type(of: other) == type(of: self) else { return false }
            return other.notification == notification && other.actionIdentifier == actionIdentifier
        }

        open override var hash: Int { notification.hash ^ actionIdentifier.hashValue }

        open override var description: String {
            describe(self, ["actionIdentifier: \(actionIdentifier)", "notification: \(notification)"])
        }
    }

    /// A response with a text.
    open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
        /// The text that the person typed.
        public let userText: String

        package init(notification: UNNotification, actionIdentifier: String, userText: String) {
            self.userText = userText
            super.init(notification: notification, actionIdentifier: actionIdentifier)
        }

        open override func isEqual(_ object: Any?) -> Bool {
            super.isEqual(object) && (object as? UNTextInputNotificationResponse)?.userText == userText
        }
    }
#endif
