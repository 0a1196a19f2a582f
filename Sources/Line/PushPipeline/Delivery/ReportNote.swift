import AppSimulation
package import DeviceScreens
import PushDevices
import PushModel

/// Rare details of report lines: for events, for messages that were queued, and for tokens whose state changed.
package struct ReportNote: Sendable {
    /// The event that the line is about; nil for a message.
    package internal(set) var event: String?
    /// Why the event had no effect.
    package internal(set) var reason: StaticString?
    /// `seq` of the formerly queued message that the line is about.
    package internal(set) var original: UInt64?
    /// The topic or condition that the message was sent to, on the lines of its subscribers.
    package internal(set) var sentTo: String?
    /// The token of Expo's that the message was sent to, and that led to its device.
    package internal(set) var expoToken: String?
    /// Number of subscribers that a message to a topic was sent to.
    package internal(set) var recipients: Int?
    /// Since when the token is dead, in milliseconds since the epoch.
    package internal(set) var timestamp: Int64?
    /// The token that the provider should use from now on.
    package internal(set) var canonical: String?
    /// The app's actions, in order: `come-to-front`, `dismiss-modal compose`, `push-centre`.
    package internal(set) var steps: [String] = []
    /// Why the notification is in the list and made no sound: `focus`, `summary`, `passive`, `provisional`.
    package internal(set) var quiet: String?
    /// The token of a Live Activity that the message was sent to, if that is not its device. Not reported.
    var activityToken: String?
    /// The identifiers of the Live Activities that the message changed, in the order in which they began.
    package internal(set) var activities: [String] = []
    /// True for an event of a token or a device that follows from a record, instead of being one.
    var isDerivedEvent = false
    /// True if the line is not about a record itself, but about a queued message, a subscriber or a token.
    package var isConsequence: Bool { original != nil || sentTo != nil || isDerivedEvent }
    /// The notification that an app has posted or removed by itself, and `seq` of the one that it replaced.
    package internal(set) var identifier: String?
    package internal(set) var replaces: UInt64?
    /// Number of dropped messages that the app is notified of.
    package internal(set) var totalDeleted: Int?

    /// The notifications that became stale duplicates with this delivery: an extension asked for their removal, which comes later or
    /// is lost.
    package internal(set) var stale: [StaleNotification] = []

    /// The answer that the record's sender got; nil without one, and in a run that does not compare answers.
    var answer: ComparedAnswer?

    init() {}
}

extension ReportNote {
    /// Takes what the delivery of a message that is not in the chunk has noted.
    mutating func take(_ delivered: ReportNote) {
        activities = delivered.activities
        stale = delivered.stale
        if !delivered.steps.isEmpty { steps = delivered.steps }
        quiet = delivered.quiet ?? quiet
    }

    mutating func set(_ arrival: Arrival) {
        // It is presented later, which is noted by then.
        if arrival.isEmpty { return }
        steps = arrival.steps.map(\.text)
        quiet = arrival.quiet?.rawValue
    }
}
