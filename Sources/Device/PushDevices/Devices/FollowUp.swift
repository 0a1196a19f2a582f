package import AppSimulation
package import PushModel

/// An effect of another event on a queued message: a report line of its own, after the line of the record
/// that caused it.
package enum FollowUp: Equatable {
    /// Its device is online again: it arrives now.
    case release(QueuedMessage)
    /// Its time to live is over.
    case expired(QueuedMessage)
    /// It was superseded or dropped.
    case discarded(QueuedMessage, OfflineStorage.Reason)
    /// The device is online again, and its app is told how many messages were dropped.
    case deletedMessages(device: String, app: String, count: Int)
    case token(device: String, app: String, TokenFate)
}

/// How a token's standing changed.
package enum TokenFate: Sendable, CaseIterable {
    /// It was not confirmed in time.
    case sweptAway
    /// A push service reported it as unregistered for the first time: its owner is notified.
    case disabled
    /// It has been disabled for long enough.
    case deleted

    /// The journal's word for it, and the event's name in reports.
    package var kind: JournalKind {
        switch self {
        case .disabled: .tokenDisabled
        case .sweptAway, .deleted: .tokenDeleted
        }
    }

    /// Why, as in reports.
    package var reason: StaticString {
        switch self {
        case .sweptAway: "unconfirmed"
        case .disabled: "failed-delivery"
        case .deleted: "disabled-for-long"
        }
    }
}

/// The effects of an arriving push on an app and its device.
package struct Arrival: Equatable, Sendable {
    package var steps: [AppStateMachine.Step] = []
    /// Why it goes to the list alone.
    package var quiet: QuietReason?
    /// The badge that it sets though the rest of it is suppressed.
    package var badge: Int?
    /// True if a notification channel has decided about it.
    package var isByChannel = false
    /// The reason for which the device does not do what the message asks for.
    package var finding: Finding?
    /// How many updates of the app's notifications the device takes within a second; nil for any number.
    package var updatesPerSecond: Int?

    package init() {}

    /// True for most arrivals. A comparison with an empty one costs as much as a small report line.
    package var isEmpty: Bool {
        steps.isEmpty && quiet == nil && badge == nil && !isByChannel && finding == nil && updatesPerSecond == nil
    }
}

/// The answer of a provider in addition to the status, and the effects of an arriving push on an app.
package struct RegistryAnswer: Equatable, Sendable {
    /// When the token became invalid, in milliseconds since the epoch.
    package var unregisteredAt: Int64?
    /// The token to use instead.
    package var canonical: String?
    /// The effects on the app and its device.
    package var arrival = Arrival()
    /// Why it waits though the device is online.
    package var delay: Delay?

    /// Why an online device gets a message later.
    package enum Delay: Sendable, CaseIterable {
        /// There were too many background pushes within the hour.
        case throttled
        /// It has normal priority, and the device is in Doze.
        case doze
        /// An Android device was restarted and not unlocked since, and the message is not for that time.
        case beforeFirstUnlock

        /// The name in reports.
        package var name: StaticString {
            switch self {
            case .throttled: "throttled"
            case .doze: "doze"
            case .beforeFirstUnlock: "before-first-unlock"
            }
        }
    }

    package init() {}

    package var isEmpty: Bool { unregisteredAt == nil && canonical == nil && arrival.isEmpty && delay == nil }
}

/// The result of an event.
package struct EventAnswer: Equatable, Sendable {
    /// Why the event was ignored; nil when it was not.
    package var ignored: Reason?
    package var steps: [AppStateMachine.Step] = []
    package var app: String?
    /// True if the user has deleted the app or installed it anew, so that nothing of it is left on the screen.
    package var isReset = false

    /// Why an event was ignored.
    package enum Reason: Sendable, CaseIterable {
        case noSuchNotification
        case clockAtItsEnd
        /// The action is not possible on this screen, or in this state of the app.
        case notPossible
        /// The token is not registered, and unregistered tokens are rejected.
        case unknownDevice
        /// An app cannot be subscribed to more topics.
        case tooManyTopics
        /// The category of the notification has no such action, or the action takes no text.
        case noSuchAction
        /// The notification that an app posts has neither a title nor a body.
        case noAlert

        /// The name in reports.
        package var name: StaticString {
            switch self {
            case .noSuchNotification: "no-such-notification"
            case .clockAtItsEnd: "clock-at-its-end"
            case .notPossible: "not-possible"
            case .unknownDevice: "unknown-device"
            case .tooManyTopics: "too-many-topics"
            case .noSuchAction: "no-such-action"
            case .noAlert: "no-alert"
            }
        }
    }

    package init(ignored: Reason? = nil) { self.ignored = ignored }
}

/// The members of an event that say which notification it is about. The event itself is large, and each copy of it counts dozens of references.
package struct EventSubject {
    package let name: DeviceEvent.Name
    package let device: String?
    /// Nil for all apps on the device.
    package let app: String?
    /// Number of the record of its notification, and the identifier; nil for the newest one.
    package let seq: UInt64?
    package let identifier: String?

    package init(_ event: borrowing DeviceEvent) {
        name = event.name
        device = event.device
        app = event.app
        seq = event.seq
        identifier = event.identifier
    }
}

/// A notification that the app in the foreground presents as a banner and not in the list: it can be tapped for a moment.
package struct ShownBanner: Equatable, Sendable {
    /// How long it stays, in milliseconds. Apple's Human Interface Guidelines say "a few seconds", and no figure is
    /// published.
    package static let lifetime: Int64 = 5000

    /// Identifier of the request.
    package var identifier: String
    /// Number of the record that it came in.
    package var seq: UInt64
    /// When it appeared, in milliseconds since the epoch.
    package var shownAt: Int64
    /// Its payload, for a tap that leads somewhere by the content; nil when taps do not.
    package var payload: String?

    /// True if it is still there. A clock that was set back does not hide it.
    package func isShown(at: Int64) -> Bool { at &- shownAt < Self.lifetime }
}
