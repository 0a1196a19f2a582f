import PayloadJSON
package import PushModel

/// Sizes of FCM v1 messages to topics and conditions that FCM accepts.
///
/// Firebase documents 2,048 bytes for the `data` of such a message ("FCM error codes"), and senders report that more passes, so it is
/// advice. What goes to APNs may have 4,096 bytes. FCM answers 200 before it asks APNs, which refuses more: nothing arrives, and nobody
/// is told. Sources: binwiederhier/ntfy-android issue 186, invertase/react-native-firebase issue 5332.
package enum TopicSize {
    /// Why a message that FCM accepted does not reach an Apple device, as in reports.
    package static let lost: StaticString = "too-large-for-apns"

    /// Reports `data` over the documented limit in a message for Apple devices, whose own limit is another.
    @inline(never)
    static func check(_ data: JSONView?, _ message: DecodedMessage, _ index: Int, in batch: inout MessageBatch) {
        let bytes = GoogleParts.countedBytes(data)
        guard bytes > Budget.fcmTopic.bytes else { return }
        batch.report(overDocumented("data has \(bytes) bytes", at: pointer(to: message)), message: index)
    }

    /// The finding about a message over its limit that FCM accepts all the same; nil for one that it refuses.
    static func finding(_ message: DecodedMessage) -> Finding? {
        if message.platform == .ios { return lostFinding(bytes: message.byteCount, at: pointer(to: message)) }
        guard message.byteCount <= Budget.fcm.bytes else { return nil }
        return overDocumented("the message has \(message.byteCount) bytes", at: pointer(to: message))
    }

    /// The finding about what APNs refuses to take from FCM.
    package static func lostFinding(bytes: Int, at pointer: String) -> Finding {
        Finding(
            rule: "fcm.topic-apns-size", severity: .error, pointer: pointer,
            message: """
                no Apple device gets it: the payload for APNs has \(bytes) bytes, \(Budget.apns.bytes) are allowed, and FCM \
                does not say so
                """)
    }

    /// True if a message to a topic does not reach Apple devices for its size. Other subscribers get it.
    package static func isLost(_ message: borrowing DecodedMessage) -> Bool {
        guard message.isForTopic, case .suppressed(let reason) = message.verdict else { return false }
        return reason.description == lost.description
    }

    private static func overDocumented(_ size: String, at pointer: String) -> Finding {
        Finding(
            rule: "fcm.topic-size", severity: .warning, pointer: pointer,
            message:
                "\(size); Firebase documents \(Budget.fcmTopic.bytes) for topics, and senders report that more passes")
    }

    private static func pointer(to message: DecodedMessage) -> String {
        "\(message.place.string)\(message.payloadPointer)"
    }
}
