package import AppSimulation
package import PayloadJSON
import PushModel

/// What comes of a held message when something else happens: a report line of its own, behind that of the record that caused it.
package enum FollowUp: Equatable {
    /// Its device is back: it arrives now.
    case release(QueuedMessage)
    /// It was kept for as long as it may be.
    case expired(QueuedMessage)
    /// Something took its place.
    case discarded(QueuedMessage, OfflineStorage.Reason)
    /// The device is back, and its app is told that so many messages were dropped.
    case deletedMessages(device: String, app: String, count: Int)
    /// The sender has changed its mind about a token.
    case token(device: String, app: String, TokenFate)
}

/// What a sender does about a token.
package enum TokenFate: Sendable, CaseIterable {
    /// Nobody has confirmed it.
    case sweptAway
    /// A push service has said that it is dead, for the first time: its owner is told.
    case disabled
    /// It has been so for long.
    case deleted

    /// The event's name in reports.
    package var event: StaticString {
        switch self {
        case .disabled: "token_disabled"
        case .sweptAway, .deleted: "token_deleted"
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

/// What a provider answers beside the status, and what an app does with a push that arrives.
package struct RegistryAnswer: Equatable, Sendable {
    /// Since when the token is dead, in milliseconds since the epoch.
    package var unregisteredAt: Int64?
    /// The token that the provider should go on with.
    package var canonical: String?
    /// What the app does about it.
    package var steps: [AppStateMachine.Step] = []
    /// Whether a device that is there puts it off.
    package var isThrottled = false

    package init() {}

    package var isEmpty: Bool { unregisteredAt == nil && canonical == nil && steps.isEmpty && !isThrottled }
}

/// What came of an event.
package struct EventAnswer: Equatable, Sendable {
    /// Why nothing came of it; nil when something did.
    package var ignored: Reason?
    /// What the app does about it, and its name.
    package var steps: [AppStateMachine.Step] = []
    package var app: String?

    /// Why an event changes nothing.
    package enum Reason: Sendable, CaseIterable {
        case noSuchNotification
        case clockAtItsEnd
        /// Not on this screen, or not in this state of the app.
        case notPossible
        /// No such token has been registered, and others are refused.
        case unknownDevice

        /// As in reports.
        package var name: StaticString {
            switch self {
            case .noSuchNotification: "no-such-notification"
            case .clockAtItsEnd: "clock-at-its-end"
            case .notPossible: "not-possible"
            case .unknownDevice: "unknown-device"
            }
        }
    }

    package init(ignored: Reason? = nil) { self.ignored = ignored }
}

/// Keeps devices and held messages in a store that has more of them than are at hand.
package protocol DeviceRows: AnyObject {
    /// Whether there is a device in the store.
    var hasDevices: Bool { get }

    /// Takes up what the store knows of a device, if it knows anything.
    func load(_ device: BorrowedText, into registry: inout DeviceTable) throws

    /// When the next held message expires, in milliseconds since the epoch; nil when nothing is held.
    func nextExpiry() throws -> Int64?

    /// The devices that messages are held for which are no longer kept at a time.
    func devicesWithExpired(at: Int64) throws -> [String]

    /// When something is to be done about the next token, and the devices of those that something is to be done about at a time.
    func nextTokenDue() throws -> Int64?
    func devicesWithTokenDue(at: Int64) throws -> [String]

    /// Keeps a message, for the app that it is held for.
    func insert(_ message: QueuedMessage, app: BorrowedText) throws

    /// Drops it.
    func delete(_ message: QueuedMessage) throws
}
