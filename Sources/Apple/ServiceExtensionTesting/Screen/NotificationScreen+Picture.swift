#if os(Linux)
    import PushModel
    import ScreenPictures
    import UserNotifications

    extension NotificationScreen {
        /// 2026-01-01T09:41:00Z, in milliseconds since 1970: when the newest notification of every picture came.
        private static let pictureTime: Int64 = 1_767_260_460_000

        /// The lock screen with these notifications, as SVG. The same screen gives the same bytes: the clock shows 9:41, and other notifications
        /// are as much older than the newest one as they were on the harness's clock.
        ///
        /// - Parameter app: the app's identifier; the last component names it, and chooses the colors of its icon.
        public func svg(app: String = "org.example.app") -> String {
            let newest = notifications.first?.date ?? .distantPast
            let shown = notifications.enumerated().map { position, notification in
                DeliveredNotification(
                    seq: UInt64(notifications.count - position), device: "phone", app: app,
                    identifier: Self.stable(notification.request.identifier),
                    content: Self.shown(notification.request.content),
                    // No clock of a test moves by centuries.
                    deliveredAt: Self.pictureTime
                        - Int64(min(max(newest.timeIntervalSince(notification.date), 0), 1e9) * 1000),
                    payload: "{}", changes: Self.changes(notification.request.content))
            }
            let contents = ScreenContents(
                device: "phone", platform: .ios, notifications: shown, activities: [],
                badges: badge > 0 ? [(app, badge)] : [])
            return ScreensPicture.draw(contents).svg
        }

        private static func shown(_ content: UNNotificationContent) -> ShownContent {
            func visible(_ text: String) -> String? { text.isEmpty ? nil : text }
            return ShownContent(
                title: visible(content.title), subtitle: visible(content.subtitle), body: visible(content.body),
                thread: visible(content.threadIdentifier), badge: content.badge?.intValue)
        }

        /// The visible parts other than the texts, in the words of the extension protocol.
        private static func changes(_ content: UNNotificationContent) -> String {
            #"{"interruptionLevel":"\#(content.interruptionLevel.payloadName)""#
                + (content.attachments.isEmpty ? "}" : #","attachments":[{}]}"#)
        }
    }
#endif
