#if os(Linux)
    public import UserNotifications

    /// A stand-in for OneSignal's SDK: attaches the files in `att` and shows `buttons`, as the SDK does. It sends no receipt, and does not
    /// count badges, because both are kept by OneSignal's servers and the app.
    ///
    /// Source: OneSignal-iOS-SDK, `OneSignalNotificationServiceExtensionHandler.m`.
    public enum OneSignalExtension {
        /// Adds files and buttons, and calls the handler with the content, or else with the request's.
        @discardableResult
        public static func didReceiveNotificationExtensionRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?,
            withContentHandler contentHandler: ((UNNotificationContent) -> Void)?
        ) -> UNMutableNotificationContent? {
            let content = add(to: content, of: request, withFiles: true)
            contentHandler?(content ?? request.content)
            return content
        }

        /// Adds files and buttons.
        @discardableResult
        public static func didReceiveNotificationExtensionRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?
        ) -> UNMutableNotificationContent? {
            add(to: content, of: request, withFiles: true)
        }

        /// Adds buttons: there is no time for files.
        @discardableResult
        public static func serviceExtensionTimeWillExpireRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?
        ) -> UNMutableNotificationContent? {
            add(to: content, of: request, withFiles: false)
        }

        /// Changes nothing for a payload that is not OneSignal's.
        private static func add(
            to given: UNMutableNotificationContent?, of request: UNNotificationRequest, withFiles: Bool
        ) -> UNMutableNotificationContent? {
            guard let payload = OneSignalPayload(request.content.userInfo),
                let content = given ?? request.content.mutableCopy() as? UNMutableNotificationContent
            else { return given }
            var done: [String] = []
            // A category of the developer's own stays.
            if !payload.buttons.isEmpty, request.content.categoryIdentifier.isEmpty {
                OneSignalButtons.add(payload.buttons, of: payload.identifier, to: content)
                done.append("added \(payload.buttons.count) of buttons")
            }
            if withFiles, let files = payload.attachments {
                content.attachments = OneSignalMedia.attachments(files)
                done.append("attached \(content.attachments.count) of \(files.count) files of att")
            }
            var message = done.joined(separator: " and ") + (done.isEmpty ? "" : ", as the SDK does; ")
            if payload.badgeIncrement != 0 { message += "badge_inc has no effect here; " }
            if !message.isEmpty { StandIn.report("OneSignalExtension: \(message)no receipt is sent") }
            return content
        }
    }
#endif
