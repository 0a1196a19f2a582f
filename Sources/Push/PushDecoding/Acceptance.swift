import PayloadJSON
package import PushModel

/// Checks messages against their budgets and their providers' rules.
package struct Acceptance: Sendable {
    private let forced: Budget?
    private let isBinary: Bool

    package init(budget: Budget?) {
        forced = budget
        isBinary = budget?.isBinaryInterface ?? false
    }

    /// Sets the verdict of the message at `index`, unless it has been rejected already.
    package func check(_ index: Int, in batch: inout MessageBatch) {
        // SOUND: the batch has a message at `index`, and nothing is appended here.
        switch unsafe batch.messages[index].provider {
        case .apns:
            // In place: a message is too large to copy.
            guard let base = unsafe batch.messages.baseAddress else { return }
            let message = unsafe base + index
            // A record that names the budget came over the binary interface, whatever the user forces. Moodle's form has none to force.
            let named = unsafe message.pointee.byteLimit
            var isBinary = isBinary
            if named != 0, unsafe message.pointee.gateway == nil, Budget.isLimitOfBinaryInterface(named) {
                isBinary = true
            }
            unsafe message.pointee.byteLimit = APNsAcceptance.byteLimit(message, forced: forced)
            unsafe message.pointee.byteCount = message.pointee.payload.count
            guard case .accepted = unsafe message.pointee.verdict else { return }
            if isBinary { unsafe APNsAcceptance.dropHeaders(of: message) }
            APNsAcceptance.check(index, isBinary: isBinary, in: &batch)
        case .gcm: checkSize(index, .messageTooBig, in: &batch)
        case .fcm: checkSize(index, .invalidArgument, in: &batch)
        }
        if unsafe batch.messages[index].isDryRun, case .accepted = unsafe batch.messages[index].verdict {
            unsafe batch.messages[index].verdict = .suppressed("dry-run")
        }
    }

    /// A message's size and limit in bytes at this point: a stage may still change both.
    ///
    /// For GCM and FCM, decoding computes the size and the limit. For APNs, a limit of 0 means that no gateway has set
    /// one.
    package func size(of message: DecodedMessage) -> (bytes: Int, limit: Int) {
        guard message.provider == .apns else { return (message.byteCount, message.byteLimit) }
        // SOUND: the message lives until the call returns.
        return unsafe withUnsafePointer(to: message) {
            unsafe ($0.pointee.payload.count, APNsAcceptance.byteLimit($0, forced: forced))
        }
    }

    private func checkSize(_ index: Int, _ rejection: Rejection, in batch: inout MessageBatch) {
        // SOUND: the batch has a message at `index`, and nothing is appended here.
        guard unsafe batch.messages[index].byteCount > batch.messages[index].byteLimit else { return }
        var message = unsafe batch.messages[index]
        guard case .accepted = message.verdict else { return }
        if message.isForTopic, message.provider == .fcm, forced == nil {
            if let finding = TopicSize.finding(message) {
                batch.report(finding, message: index)
                guard message.platform == .ios, !message.isDryRun else { return }
                unsafe batch.messages[index].verdict = .suppressed(TopicSize.lost)
                return
            }
            message.byteLimit = Budget.fcm.bytes
            unsafe batch.messages[index].byteLimit = message.byteLimit
        }
        batch.reject(
            rejection, pointer: "\(message.place.string)\(message.payloadPointer)",
            "the message has \(message.byteCount) bytes, \(message.byteLimit) are allowed",
            detail: message.provider == .fcm ? FCMSentence.tooBig(for: message.platform) : nil, message: index)
    }
}

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
