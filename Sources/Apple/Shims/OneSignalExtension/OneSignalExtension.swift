#if os(Linux)
    public import UserNotifications

    /// A stand-in for OneSignal's SDK: passes content on as it is. The SDK reports a receipt, downloads pictures and adds buttons; none of
    /// that is done, because it needs OneSignal's servers.
    public enum OneSignalExtension {
        /// Calls the handler with the content, or else with the request's.
        @discardableResult
        public static func didReceiveNotificationExtensionRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?,
            withContentHandler contentHandler: ((UNNotificationContent) -> Void)?
        ) -> UNMutableNotificationContent? {
            contentHandler?(content ?? request.content)
            return content
        }

        /// Returns the content.
        @discardableResult
        public static func didReceiveNotificationExtensionRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?
        ) -> UNMutableNotificationContent? {
            content
        }

        /// Returns the content.
        @discardableResult
        public static func serviceExtensionTimeWillExpireRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?
        ) -> UNMutableNotificationContent? {
            content
        }
    }
#endif
