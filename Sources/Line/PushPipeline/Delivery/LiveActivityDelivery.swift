import PushDecoding
import PushDevices
import PushJSON
import PushModel

/// Delivers pushes to Live Activities: applies them to the store, and says in the report and the journal what they changed.
struct LiveActivityDelivery: ~Copyable {
    private var reader = TransitReader()

    /// Applies an accepted push. One that changes nothing becomes suppressed, with the reason.
    ///
    /// - Parameter token: the activity's token, if it is not the device of the message.
    /// - Returns: the outcome; nil for a push that changes nothing.
    mutating func deliver(
        _ message: inout DecodedMessage, token: BorrowedText?, _ context: DeliveryContext,
        _ screens: any DeliverySession
    ) throws -> Outcome? {
        var push = reader.activityPush(message, token: token)
        if push.channel == nil { try address(&push, message, context) }
        let answer = try screens.apply(push, seq: context.seq, target: message.target, at: context.at)
        if let refusal = answer.refusal {
            message.verdict = .suppressed(refusal.name)
            // A broadcast that changes nothing concerns no device.
            if push.channel != nil { return nil }
            report(refusal, answer, push, context)
            try BorrowedText.with(answer.owner ?? push.device) { device in
                var subject = message
                subject.device = device
                try screens.record(.suppressed, for: subject, seq: context.seq, at: context.at)
            }
            return nil
        }
        context.updateNote { $0.activities = answer.changed.map(\.identifier) }
        report(answer, message, context)
        let (outcome, kind) = Self.outcome(of: push)
        for activity in answer.changed {
            try Self.record(kind, activity, message, context, screens)
            if push.alert != nil { try Self.record(.alerted, activity, message, context, screens) }
        }
        return outcome
    }

    /// Says which device and token a push is for, and what limits it.
    private func address(
        _ push: inout LiveActivityPush, _ message: borrowing DecodedMessage, _ context: DeliveryContext
    ) throws {
        let registry = try context.store.registry
        push.prioritiesPerHour = context.configuration.devicePolicy.activityUpdatesPerHour
        if context.index >= 0, let token = context.lines.note(of: context.index)?.activityToken { push.token = token }
        try registry.markToken(of: &push, on: message.device)
        guard context.index >= 0, push.token == push.device, message.provider == .apns,
            push.device != context.configuration.decoding.device
        else { return }
        push.mayBeOfOtherDevice = try !registry.knows(message.device)
    }

    private static func outcome(of push: LiveActivityPush) -> (Outcome, JournalKind) {
        switch push.event {
        case .start: (.started, .started)
        case .end: (.ended, .ended)
        case .update, nil: (.updated, .updated)
        }
    }

    static func record(
        _ kind: JournalKind, _ activity: LiveActivity, _ message: DecodedMessage, _ context: DeliveryContext,
        _ screens: any DeliverySession
    ) throws {
        try BorrowedText.with(activity.device) { device in
            try BorrowedText.with(activity.app) { app in
                try BorrowedText.with(activity.identifier) { identifier in
                    var subject = message
                    subject.device = device
                    subject.topic = app
                    subject.headers.pushType = nil  // The app has no suffix.
                    try screens.record(kind, for: subject, about: identifier, seq: context.seq, at: context.at)
                }
            }
        }
    }

    private func report(
        _ refusal: LiveActivities.Refusal, _ answer: LiveActivities.Answer, _ push: LiveActivityPush,
        _ context: DeliveryContext
    ) {
        if refusal == .startToken {
            context.report(
                "live-activity.start-token", .warning,
                "this token only starts Live Activities; send updates to the token that the started activity gets"
            )
        }
        for activity in answer.overBudget where refusal == .throttled {
            context.report(
                "live-activity.budget", .warning,
                "more than \(push.prioritiesPerHour ?? 0) priority-10 updates to \(activity.identifier) within an hour, so this one is dropped; priority 5 does not count"
            )
        }
    }

    private func report(_ answer: LiveActivities.Answer, _ message: DecodedMessage, _ context: DeliveryContext) {
        for activity in answer.overBudget {
            context.report(
                "live-activity.budget", .info,
                "more than \(LiveActivities.prioritiesPerHour) priority-10 pushes to \(activity.identifier) within an hour: the system delays those over a limit that Apple does not publish; priority 5 does not count"
            )
        }
        if let bytes = answer.bytes {
            context.report(
                "live-activity.size", .warning, at: "\(message.payloadPointer)/aps/content-state",
                "attributes and content-state together have \(bytes) bytes; Apple allows \(LiveActivities.maximumBytes)"
            )
        }
    }
}
