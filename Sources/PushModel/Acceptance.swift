import PayloadJSON

/// Measures messages against their budgets, and asks what their providers refuse.
package struct Acceptance: Sendable {
    private let forced: Budget?

    package init(budget: Budget?) { forced = budget }

    /// Sets the verdict of the message at `index`, unless it has been refused before.
    package func check(_ index: Int, in batch: inout MessageBatch) {
        switch batch.messages[index].provider {
        case .apns:
            measureAPNs(&batch.messages[index])
            guard case .accepted = batch.messages[index].verdict else { return }
            APNsAcceptance.check(index, in: &batch)
        case .gcm: checkSize(index, .messageTooBig, in: &batch)
        case .fcm: checkSize(index, .invalidArgument, in: &batch)
        }
        if batch.messages[index].isDryRun, case .accepted = batch.messages[index].verdict {
            batch.messages[index].verdict = .suppressed("dry-run")
        }
    }

    private func measureAPNs(_ message: inout PushMessage) {
        message.byteCount = message.payload.count
        if let forced {
            message.byteLimit = forced.bytes
        } else if message.byteLimit == 0 {
            let budget: Budget =
                message.headers.pushType == .voip
                ? .apnsVoIP : message.headers.channelID != nil ? .apnsBroadcast : .apns
            message.byteLimit = budget.bytes
        }
    }

    private func checkSize(_ index: Int, _ rejection: Rejection, in batch: inout MessageBatch) {
        guard batch.messages[index].byteCount > batch.messages[index].byteLimit else { return }
        let message = batch.messages[index]
        batch.reject(
            rejection, pointer: "\(message.place.string)\(message.payloadPointer)",
            "the message has \(message.byteCount) bytes, \(message.byteLimit) are allowed", message: index)
    }
}
