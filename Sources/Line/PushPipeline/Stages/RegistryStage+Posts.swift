import AppSimulation
import DeviceScreens
import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushStore

/// The deeds of apps themselves: notifications that they post, and those that they remove.
extension RegistryStage {
    /// Where the line of a message is, for those that follow it.
    struct LinePlace {
        var index: Int
        /// The number of the record that has brought it about.
        var seq: UInt64
        /// The number of the record that the message came in, if it was queued since.
        var original: UInt64?
    }

    /// Does what an app does with a message that has arrived, by its rules. Each notification that it removes or posts has a line of its own.
    func react(
        to message: DecodedMessage, seq: UInt64, at: Int64, _ place: LinePlace, _ context: DeliveryContext
    ) throws {
        guard registry.policy.messageRules != nil, case .accepted = message.verdict,
            let reaction = try registry.reaction(to: message)
        else { return }
        var standIn = message
        standIn.verdict = .event
        for identifier in reaction.withdrawn {
            let note = try withdraw(identifier, of: message, seq: seq, at: at, context)
            append(Reported(note: note), about: standIn, as: .withdrawn, place, context)
        }
        guard let notification = reaction.post else { return }
        let reported = try show(
            notification, data: reaction.data, like: message, seq: seq, at: at, context)
        append(reported, about: standIn, as: .posted, place, context)
    }

    /// Posts the notification of an event.
    func post(_ event: DeviceEvent, _ standIn: DecodedMessage, _ context: DeliveryContext) throws -> EventResult {
        let app = try registry.appName(of: event) ?? ""
        var message = withQueued(context) { $0.event(device: standIn.device.string, app: app) }
        // Only a token of APNs tells by itself what kind of device it is.
        let other = standIn.platform == .android ? context.configuration.decoding.platform : nil
        message.platform = try registry.platform(of: message.device) ?? other ?? standIn.platform
        var reported = try show(event.post, data: "", like: message, seq: context.seq, at: context.at, context)
        reported.note.event = event.name.rawValue
        context.updateNote { $0 = reported.note }
        for var finding in reported.findings {
            if event.post.channel != nil, finding.rule == "android.unknown-channel" {
                finding.pointer = standIn.place.string + "/channel"
            }
            context.report(finding)
        }
        return reported.note.reason == nil ? .applied : .ignored
    }

    /// A line about a notification; its reason is nil if the app could do what it wanted.
    private struct Reported {
        var note: ReportNote
        var findings: [Finding] = []
    }

    private func append(
        _ reported: Reported, about standIn: DecodedMessage, as reaction: DeviceEvent.Reaction, _ place: LinePlace,
        _ context: DeliveryContext
    ) {
        var note = reported.note
        note.event = reaction.rawValue
        note.isDerivedEvent = true
        note.original = place.original
        let outcome = note.reason == nil ? Outcome.applied : .ignored
        context.lines.append(
            ReportLines.Consequence(
                index: place.index, isBefore: isBefore, result: Delivered(seq: place.seq, outcome: outcome),
                message: standIn, findings: reported.findings, note: note))
    }

    /// Removes a delivered notification.
    private func withdraw(
        _ identifier: String, of message: DecodedMessage, seq: UInt64, at: Int64, _ context: DeliveryContext
    ) throws -> ReportNote {
        var note = ReportNote()
        note.identifier = identifier
        var app = message
        app.isLocal = true
        if try context.store.screens.remove([identifier], askedBy: app, seq: seq, at: at) == nil {
            note.reason = EventAnswer.Reason.noSuchNotification.name
        }
        return note
    }

    /// Shows a notification of an app, unless something keeps it from the screen. No push is behind it, so service extensions and stages of a
    /// library's user do not see it.
    private func show(
        _ notification: LocalNotification, data: String, like other: DecodedMessage, seq: UInt64, at: Int64,
        _ context: DeliveryContext
    ) throws -> Reported {
        var reported = Reported(note: ReportNote())
        guard notification.hasText else {
            reported.note.reason = EventAnswer.Reason.noAlert.name
            return reported
        }
        let chosen = notification.tag.flatMap { $0.isEmpty ? nil : $0 }
        let identifier = chosen ?? LocalNotification.identifier(seq: seq, target: other.target)
        var message = withQueued(context) {
            $0.message(posting: notification, as: identifier, data: data, like: other)
        }
        let screens = try context.store.screens
        try screens.record(.posted, for: message, seq: seq, at: at)
        var arrival = try registry.arrive(posted: &message, seq: seq, at: at)
        try Self.limit(&arrival, &message, context)
        try Self.record(message, seq: seq, at: at, screens)
        _ = try Self.record(arrival, message, seq: seq, at: at, screens)
        reported.note.set(arrival)
        if let finding = arrival.finding { reported.findings.append(finding) }
        reported.note.identifier = identifier
        guard case .accepted = message.verdict else {
            if case .suppressed(let reason) = message.verdict { reported.note.reason = reason }
            return reported
        }
        let delivery = try screens.deliver(message, seq: seq, at: at)
        reported.note.replaces = delivery.replaces
        if delivery.outcome == .suppressed {
            reported.note.reason = Delivery.tooMany
            reported.findings.append(RecordReport.tooMany)
        }
        return reported
    }
}
