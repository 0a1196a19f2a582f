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
    private init(_ view: JSONView, _ place: String) throws(ListMistake) {
        self.init(try ListMistake.identifier(of: view, place))
        for (key, value) in view.members {
            let name = key.string
            switch name {
            case "id": break
            case "importance":
                guard let word = value.string.flatMap({ Importance(rawValue: $0.string) }) else {
                    let words = Importance.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ListMistake("\(place).importance must be one of \(words)", value)
                }
                importance = word
            case "sound": hasSound = try ListMistake.flag(value, "\(place).sound")
            case "badge": showsBadge = try ListMistake.flag(value, "\(place).badge")
            case "default": isDefault = try ListMistake.flag(value, "\(place).default")
            default:
                let names = ["id", "importance", "sound", "badge", "default"]
                throw ListMistake(unknown: name, among: names, place, value)
            }
        }
    }

    /// The channels of a list; nil if it is not one.
    package static func list(_ view: JSONView) throws(ListMistake) -> [NotificationChannel]? {
        guard view.kind == .array else { return nil }
        var found: [NotificationChannel] = []
        for element in view.elements {
            found.append(try NotificationChannel(element, "channels[\(found.count)]"))
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
