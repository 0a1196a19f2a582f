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

    /// Looks at what a message also has for devices of another kind than the one that its topic stands for.
    @inline(never)
    static func check(_ parts: DerivedParts, _ message: DecodedMessage, _ index: Int, in batch: inout MessageBatch) {
        guard message.platform == .ios else {
            guard parts.isLonger(than: Budget.apns.bytes) else { return }
            return batch.report(lostFinding(at: pointer(to: message)), message: index)
        }
        let bytes = GoogleParts.countedBytes(parts.data) + GoogleParts.countedBytes(parts.notification)
        if bytes > Budget.fcm.bytes {
            batch.reject(
                .invalidArgument, pointer: pointer(to: message),
                "data and notification have \(bytes) bytes, \(Budget.fcm.bytes) are allowed",
                detail: FCMSentence.tooBig(for: .android), message: index)
        } else if GoogleParts.countedBytes(parts.data) > Budget.fcmTopic.bytes {
            let size = "data has \(GoogleParts.countedBytes(parts.data)) bytes"
            batch.report(overDocumented(size, at: pointer(to: message)), message: index)
        }
    }

    /// The finding about a message over its limit that FCM accepts all the same; nil for one that it refuses.
    static func finding(_ message: DecodedMessage) -> Finding? {
        if message.platform == .ios { return lostFinding(at: pointer(to: message)) }
        guard message.byteCount <= Budget.fcm.bytes else { return nil }
        return overDocumented("the message has \(message.byteCount) bytes", at: pointer(to: message))
    }

    /// The finding about what APNs refuses to take from FCM.
    package static func lostFinding(at pointer: String) -> Finding {
        Finding(
            rule: "fcm.topic-apns-size", severity: .error, pointer: pointer,
            message:
                "no Apple device gets it: APNs takes \(Budget.apns.bytes) bytes, and FCM does not say that this is more"
        )
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
