import PayloadJSON
package import PushModel

/// What a message asks of an Android device beside its texts. Read only for devices of which something is known that it depends on.
///
/// Sources: FCM v1, `AndroidNotification`; Firebase Cloud Messaging HTTP protocol, "Notification payload support".
package struct AndroidOptions: Sendable {
    /// The channel that it names, and its place in the payload as a JSON Pointer.
    package private(set) var channel: (id: String, pointer: String)?

    fileprivate init() {}

    fileprivate init(_ payload: JSONView, of provider: Provider) {
        guard let notification = Self.notification(payload, of: provider) else { return }
        for (key, value) in notification.members {
            switch key {
            case "channel_id", "channelId", "android_channel_id":
                if let id = value.string, id.count > 0 { channel = (id.string, payload.pointer(to: value.index)) }
            default: break
            }
        }
    }

    /// The notification in the block of the platform.
    private static func notification(_ payload: JSONView, of provider: Provider) -> JSONView? {
        if provider == .gcm { return LegacyRequest(payload).notification }
        let message = FCMMessage(payload)
        if let second = message.androidV2 { return AndroidV2(second).notification }
        return message.androidNotification
    }
}

extension TransitReader {
    package mutating func androidOptions(of message: DecodedMessage) -> AndroidOptions {
        withPayload(of: message) { $0.map { AndroidOptions($0, of: message.provider) } ?? AndroidOptions() }
    }
}
