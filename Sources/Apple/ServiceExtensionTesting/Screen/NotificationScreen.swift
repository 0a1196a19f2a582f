#if os(Linux)
    import Foundation
    import PushModel
    import ScreenPictures
    public import ServiceExtension
    public import UserNotifications

    extension ServiceExtensionHarness {
        /// The app's notifications on the phone now.
        public var screen: NotificationScreen {
            NotificationScreen(badge: badge, notifications: delivered.reversed(), pending: pending)
        }
    }

    /// The screen of a phone for an app: its badge, and its notifications in Notification Center.
    ///
    /// `text` is for comparing, best with a snapshot:
    ///
    ///     try harness.screen.assertSnapshot()
    public struct NotificationScreen: Sendable, CustomStringConvertible {
        /// The number on the app's icon.
        public let badge: Int
        /// Newest first.
        public let notifications: [UNNotification]
        /// Local notifications that are not due yet, in the order in which they were added.
        public let pending: [UNNotificationRequest]

        /// The screen as `text`.
        public var description: String { text }

        /// The screen as text: every line of it is something that a person notices. No times, no user info, and `(UUID)` in place of
        /// identifiers that are different in each run.
        public var text: String {
            var lines = ["badge: \(badge)"]
            if notifications.isEmpty { lines += ["", "no notifications"] }
            for (position, notification) in notifications.enumerated() {
                lines += ["", "\(position + 1). \(Self.stable(notification.request.identifier))"]
                lines += Self.lines(of: notification.request.content)
            }
            for request in pending {
                lines += ["", "pending \(Self.stable(request.identifier))"] + Self.lines(of: request.content)
            }
            return lines.joined(separator: "\n") + "\n"
        }

        private static func lines(of content: UNNotificationContent) -> [String] {
            var lines: [String] = []
            func add(_ name: String, _ text: String) {
                guard !text.isEmpty else { return }
                // Further lines of a text begin below its first one.
                let indentation = "\n" + String(repeating: " ", count: name.count + 5)
                lines.append("   \(name): " + visible(text).replacingOccurrences(of: "\n", with: indentation))
            }
            add("title", content.title)
            add("subtitle", content.subtitle)
            add("body", content.body)
            add("thread", content.threadIdentifier)
            add("category", content.categoryIdentifier)
            add("sound", content.sound.map(name(of:)) ?? "")
            if let badge = content.badge { add("badge", badge.stringValue) }
            if let level = levels[content.interruptionLevel] { add("interruption", level) }
            if content.relevanceScore != 0 { add("relevance", "\(content.relevanceScore)") }
            for attachment in content.attachments {
                let size = (try? attachment.url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
                let measured = size.map { ", \($0) bytes" } ?? ", no file"
                add("attachment", "\(stable(attachment.identifier)), \(attachment.type)\(measured)")
            }
            return lines
        }

        /// The usual level is not mentioned.
        private static let levels: [UNNotificationInterruptionLevel: String] = [
            .passive: "passive", .timeSensitive: "time-sensitive", .critical: "critical",
        ]

        private static func name(of sound: UNNotificationSound) -> String {
            let values = sound.values
            let name = values.name ?? (values.isRingtone ? "ringtone" : "default")
            guard values.isCritical else { return name }
            return name + ", critical" + (values.volume.map { " at volume \($0)" } ?? "")
        }

        static func stable(_ identifier: String) -> String {
            UUID(uuidString: identifier) == nil ? visible(identifier) : "(UUID)"
        }

        /// Controls other than line breaks as `\u{7}`, so that a snapshot is text.
        private static func visible(_ text: String) -> String {
            var result = ""
            for scalar in text.unicodeScalars {
                switch scalar.properties.generalCategory {
                // Joiners hold emoji together.
                case .control where scalar != "\n", .format where scalar != "\u{200D}", .lineSeparator,
                    .paragraphSeparator:
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
            return result
        }
    }

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
