package import PayloadJSON

/// A notification channel of an app on an Android device, as the app created it and the user has set it since.
/// Source: Android, "Create and manage notification channels".
package struct NotificationChannel: Sendable, Equatable {
    /// How much a channel interrupts. Source: as above, "Set the importance level".
    package enum Importance: String, Sendable, CaseIterable {
        /// The user has switched it off: nothing is shown.
        case none
        /// In the shade, without a sound.
        case min, low
        /// With a sound, too.
        case `default`
        /// With a sound, and on top of whatever is on the screen.
        case high
    }

    /// The channel that FCM creates for a notification whose channel the app does not have.
    /// Source: firebase-android-sdk, `CommonNotificationBuilder`.
    package static let fallback = "fcm_fallback_notification_channel"

    /// The name in messages: `channel_id`.
    package var identifier: String
    package var importance = Importance.default
    /// False if it makes no sound, whatever its importance.
    package var hasSound = true
    /// True if its notifications put a dot on the app's icon.
    package var showsBadge = true
    /// True if the app's manifest names it for notifications without a channel.
    package var isDefault = false

    package init(_ identifier: String) { self.identifier = identifier }
}

extension NotificationChannel {
    /// Reads `{"id":"news","importance":"high","sound":false,"badge":false,"default":true}`.
    ///
    /// - Returns: nil if the value does not have this form.
    private init?(_ view: JSONView) {
        guard view.isObject, let identifier = view["id"]?.string?.string, !identifier.isEmpty else { return nil }
        self.init(identifier)
        for (key, value) in view.members {
            let flag: Bool? = value.kind == .true ? true : value.kind == .false ? false : nil
            switch key.string {
            case "id": break
            case "importance":
                guard let word = value.string.flatMap({ Importance(rawValue: $0.string) }) else { return nil }
                importance = word
            case "sound":
                guard let flag else { return nil }
                hasSound = flag
            case "badge":
                guard let flag else { return nil }
                showsBadge = flag
            case "default":
                guard let flag else { return nil }
                isDefault = flag
            default: return nil
            }
        }
    }

    /// The channels of a list; nil if it is not one.
    package static func list(_ view: JSONView) -> [NotificationChannel]? {
        guard view.kind == .array else { return nil }
        var found: [NotificationChannel] = []
        for element in view.elements {
            guard let channel = NotificationChannel(element) else { return nil }
            found.append(channel)
        }
        return found
    }

    /// The same as JSON.
    package static func append(_ channels: [NotificationChannel], to out: inout ByteBuffer) {
        out.append("[")
        for (position, channel) in channels.enumerated() {
            out.append(position > 0 ? ",{\"id\":" : "{\"id\":")
            out.appendJSONString(channel.identifier)
            out.append(",\"importance\":")
            out.appendJSONString(channel.importance.rawValue)
            if !channel.hasSound { out.append(",\"sound\":false") }
            if !channel.showsBadge { out.append(",\"badge\":false") }
            if channel.isDefault { out.append(",\"default\":true") }
            out.append("}")
        }
        out.append("]")
    }
}
