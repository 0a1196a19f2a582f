import AppSimulation
import DeviceScreens
import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushStore

/// Lines of the journal about messages that do not reach the screen, and about what devices and apps do with them.
extension RegistryStage {
    /// Journals why a message does not reach its device.
    static func record(
        _ message: DecodedMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws {
        let kind: JournalKind
        switch message.verdict {
        case .held: kind = .held
        case .suppressed, .withheld: kind = .suppressed
        case .expired: kind = .expired
        case .discarded: kind = .discarded
        case .accepted, .fannedOut, .rejected, .refused, .malformed, .event: return
        }
        try screens.record(kind, for: message, seq: seq, at: at)
    }

    /// Leaves a notification whose channel decides about it to the screen, which drops it, if that is full: Android counts before it looks
    /// whether the channel is off.
    ///
    /// Source: AOSP, `NotificationManagerService.checkDisqualifyingFeatures`.
    static func limit(
        _ arrival: inout Arrival, _ message: inout DecodedMessage, _ context: DeliveryContext
    ) throws {
        guard arrival.isByChannel, try context.store.screens.isFull(for: message) else { return }
        message.verdict = .accepted
        arrival.isByChannel = false
        arrival.steps = []
        arrival.quiet = nil
    }

    /// Journals what the device and the app do with a message, or why it does not reach them, and reports what its badge removed.
    static func journal(_ arrival: Arrival, _ message: DecodedMessage, _ context: DeliveryContext) throws {
        let screens = try context.store.screens
        try record(message, seq: context.seq, at: context.at, screens)
        let cleared = try record(arrival, message, seq: context.seq, at: context.at, screens)
        if cleared > 0 { context.report(RecordReport.cleared(cleared)) }
    }

    /// Journals what the device and the app do with a message.
    ///
    /// - Returns: the number of notifications that the badge of a suppressed message removed.
    static func record(
        _ arrival: Arrival, _ message: DecodedMessage, seq: UInt64, at: Int64, _ screens: any DeliverySession
    ) throws -> Int {
        var cleared = 0
        if arrival.quiet != nil { try screens.record(.quiet, for: message, seq: seq, at: at) }
        if let badge = arrival.badge {
            var number = message
            number.verdict = .accepted
            number.content = NotificationContent()
            number.content.badge = badge
            cleared = try screens.deliver(number, seq: seq, at: at).cleared
        }
        try record(arrival.steps, message, seq: seq, at: at, screens)
        return cleared
    }

    /// Presents a message that its service extension is done with, journals what the device and the app do, and notes it for the report.
    static func presentLater(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        let registry = try context.store.registry
        guard context.presentsLater, !registry.isIdle, case .accepted = message.verdict else { return }
        let arrival = try registry.presentLater(&message, seq: context.seq, at: context.at)
        if !arrival.isEmpty { context.updateNote { $0.set(arrival) } }
        if let finding = arrival.finding { context.report(finding) }
        try journal(arrival, message, context)
    }

    /// Journals the app's actions: each with the screen or action that it is about, or else with the notification.
    static func record(
        _ steps: [AppStateMachine.Step], _ message: DecodedMessage, seq: UInt64, at: Int64,
        _ screens: any DeliverySession
    ) throws {
        for step in steps {
            // An event has no notification.
            guard let subject = step.subject ?? (message.verdict.isEvent ? "" : nil) else {
                try screens.record(step.kind, for: message, seq: seq, at: at)
                continue
            }
            try BorrowedText.with(subject) {
                try screens.record(step.kind, for: message, about: $0, seq: seq, at: at)
            }
        }
    }
}
