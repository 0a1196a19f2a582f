import PayloadJSON
import PushDecoding
package import PushModel
import PushSystem

/// The options in the payload of a notification, and what of it a lock screen shows.
///
/// Source: FCM v1, `AndroidNotification.event_time` and `visibility`.
extension AndroidScreen {
    /// The text in place of one that is hidden. That each version of Android has these words is UNCONFIRMED.
    package static let hiddenText = "New notification"

    /// True if a notification is for an Android device, as far as its payload says.
    package static func isFor(_ notification: DeliveredNotification) -> Bool { options(of: notification) != nil }

    /// The time by which the tray is sorted, in milliseconds since the epoch.
    package static func time(of notification: DeliveredNotification) -> Int64 {
        options(of: notification)?.eventTime ?? notification.deliveredAt
    }

    /// A notification as a lock screen shows it; nil if it does not. One that says nothing is private.
    ///
    /// Of a payload remains what says when and for which app it is.
    package static func onLockScreen(_ notification: DeliveredNotification) -> DeliveredNotification? {
        let options = options(of: notification)
        switch options?.visibility ?? .private {
        case .public: return notification
        case .secret: return nil
        case .private: break
        }
        var hidden = notification
        hidden.content = ShownContent(body: hiddenText, badge: notification.content.badge)
        hidden.changes = nil
        hidden.payload = payload(of: notification)
        return hidden
    }

    private static func options(of notification: DeliveredNotification) -> AndroidOptions? {
        // Those of APNs are left out where a screen is read as text. Most others of APNs need no parsing.
        if notification.payload.isEmpty || notification.payload.hasPrefix("{\"aps\"") { return nil }
        return BorrowedText.with(notification.payload) { text in text.withJSON { AndroidOptions(shown: $0) } } ?? nil
    }

    private static func payload(of notification: DeliveredNotification) -> String {
        let name = BorrowedText.with(notification.payload) { text in
            text.withJSON { payload in
                let blocks = [payload["android"], payload["android_v2"], payload["androidV2"], payload]
                return blocks.compactMap { $0?["restricted_package_name"] ?? $0?["restrictedPackageName"] }
                    .compactMap { $0.string?.string }.first { !$0.isEmpty }
            }
        }
        return .composed { out in
            out.append("{\"android\":{")
            out.appendMember("restricted_package_name", name ?? nil)
            out.appendMemberName("notification")
            out.append("{\"event_time\":")
            out.appendJSONString(RFC3339.text(time(of: notification)))
            out.append("}}}")
        }
    }
}
