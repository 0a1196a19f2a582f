import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushStore

/// Messages to topics.
extension RegistryStage {
    /// Sends a message to each subscriber of its topic, who get a line each. False for a topic without any: then it is a
    /// message like others.
    func sendToSubscribers(_ message: inout DecodedMessage, _ context: DeliveryContext) throws -> Bool {
        guard let recipients = try registry.recipients(of: message, at: context.at) else { return false }
        message.verdict = .accepted
        let copy = message
        guard fanOut(&message, count: recipients.count, context) else { return true }
        for (position, recipient) in recipients.enumerated() {
            try send(copy, to: recipient, position: position, context)
        }
        return true
    }

    /// Marks a message as sent to subscribers, unless there are too many messages to its topic.
    private func fanOut(_ message: inout DecodedMessage, count: Int, _ context: DeliveryContext) -> Bool {
        registry.limitRate(&message, at: context.at)
        guard case .accepted = message.verdict else {
            reportRejection(of: message, context)
            return false
        }
        message.verdict = .fannedOut
        context.updateNote { $0.recipients = count }
        return true
    }

    /// Suppresses a copy for an Apple device that APNs does not take from FCM for its size.
    private func lose(_ push: inout DecodedMessage, _ context: DeliveryContext) -> Finding? {
        guard push.provider == .fcm, push.platform == .ios, push.payload.count > Budget.apns.bytes,
            context.configuration.decoding.budget == nil
        else { return nil }
        push.verdict = .suppressed(TopicSize.lost)
        return TopicSize.lostFinding(at: push.place.string + "\(push.payloadPointer)")
    }

    private func send(
        _ message: DecodedMessage, to recipient: DeviceRegistry.Recipient, position: Int, _ context: DeliveryContext
    ) throws {
        let screens = try context.store.screens
        var push = withQueued(context) {
            $0.copy(of: message, device: recipient.device, app: recipient.app, target: position)
        }
        let app = push.topic
        let adaptation = try adapt(&push, context) ?? lose(&push, context)
        if push.topic.isEmpty { push.topic = app }
        var answer = RegistryAnswer()
        if case .accepted = push.verdict {
            answer = try registry.decide(&push, seq: context.seq, at: context.at, isFannedOut: true)
            try Self.limit(&answer.arrival, &push, context)
        }
        try Self.record(push, seq: context.seq, at: context.at, screens)
        let cleared = try Self.record(answer.arrival, push, seq: context.seq, at: context.at, screens)
        var (result, findings, delivered) = try context.deliver(&push, seq: context.seq, at: context.at, after: self)
        result.cleared += cleared
        var note = ReportNote()
        note.sentTo = message.device.string
        note.take(delivered)
        note.set(answer.arrival)
        if case .held = push.verdict { note.reason = answer.delay?.name }
        context.lines.append(
            ReportLines.Consequence(
                index: context.index, result: result, message: push,
                findings: [adaptation, answer.arrival.finding].compactMap(\.self) + findings, note: note))
        let place = LinePlace(index: context.index, seq: context.seq)
        try react(to: push, seq: context.seq, at: context.at, place, context)
        try takeFollowUps(context)
        try deliverReleased(at: context.at, context)
    }
}
