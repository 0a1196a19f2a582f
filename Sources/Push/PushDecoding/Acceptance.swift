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
