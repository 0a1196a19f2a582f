package import PayloadJSON
import Synchronization

/// The outcome of a message. Each report line has one.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Outcome: UInt8, Sendable, CaseIterable {
    /// In Notification Center or in the Android drawer now.
    case delivered
    /// Replaced one with the same identifier, and moved to the top.
    case replaced
    /// An extension removed the earlier one, and this one appeared.
    case reposted
    /// Reached the app, which shows nothing.
    case silent
    /// Shown for a moment over the app in the foreground, and not in Notification Center.
    case presented
    /// Sent to each subscriber of its topic, with a line for each.
    case fannedOut
    /// Queued: the device is offline.
    case held
    /// Accepted by the provider, but not delivered.
    case suppressed
    /// Refused by the provider.
    case rejected
    /// The record contains no message.
    case malformed
    /// Expired in the queue.
    case expired
    /// Replaced in the queue by a later message, or dropped because the queue was full.
    case discarded
    /// An event that changed something.
    case applied
    /// An event that changed nothing.
    case ignored
    /// Started a Live Activity.
    case started
    /// Updated a Live Activity, or several through a channel.
    case updated
    /// Ended a Live Activity, or several through a channel.
    case ended

    /// The name in reports.
    package var name: StaticString { Self.names[Int(rawValue)] }

    /// The outcome with a name in reports; nil if there is none.
    public init?(name: String) {
        guard let outcome = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = outcome
    }

    /// In the order of the cases.
    private static let names: [StaticString] = [
        "delivered", "replaced", "reposted", "silent", "presented", "fanned-out", "held", "suppressed", "rejected",
        "malformed", "expired", "discarded", "applied", "ignored", "started", "updated", "ended",
    ]
}

extension Outcome: CustomStringConvertible {
    /// The name in reports.
    public var description: String { "\(name)" }
}

/// The decision of the record-local stages about a message. Processing ends with any verdict except `accepted`.
package enum Verdict {
    case accepted
    /// The provider refuses it.
    case rejected(Rejection)
    /// Accepted and not delivered. The value is the reason as in reports.
    case suppressed(StaticString)
    /// The record contains no message; the batch has the `DecodeFailure`.
    case malformed
    /// The record is an event at a device; the batch has the `DeviceEvent`.
    case event
    /// Accepted, and sent to each subscriber of its topic.
    case fannedOut
    /// Accepted, and queued by the provider until the device is online.
    case held
    /// Accepted, but expired: the device is offline, and the message must not be queued, or was queued for too long.
    case expired(StaticString)
    /// Queued by the provider and then discarded. The value is the reason as in reports.
    case discarded(StaticString)
    /// A stage of its own refuses it. The value, of `StageReasons`, is the reason as in reports.
    case refused(BorrowedText)
    /// A stage of its own keeps it from its device. The value, of `StageReasons`, is the reason as in reports.
    case withheld(BorrowedText)

    package var isEvent: Bool { if case .event = self { true } else { false } }
}

/// Names of reasons that stages give, each in memory that is never freed, so that a message that has one is a plain value.
package final class StageReasons: Sendable {
    /// The names that this process has seen.
    package static let shared = StageReasons()

    private let limit: Int
    private let names = Mutex<[String: Name]>([:])

    /// An address of memory that is never freed.
    private struct Name: @unchecked Sendable {  // SOUND: its bytes never change.
        let text: BorrowedText
    }

    /// - Parameter limit: the most names. A reason is a word for many messages, not a text about one.
    package init(limit: Int = 4096) { self.limit = limit }

    /// The text of a name, valid for good. After too many names it is `other`.
    package func text(_ name: String) -> BorrowedText {
        names.withLock { names in
            if let known = names[name] { return known }
            guard names.count < limit else { return Name(text: BorrowedText("other")) }
            // SOUND: the memory is never freed, and all of it is initialized.
            let bytes = Array(name.utf8)
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
            unsafe memory.initialize(from: bytes, count: bytes.count)
            let made = unsafe Name(text: BorrowedText(start: memory, count: bytes.count))
            names[name] = made
            return made
        }.text
    }
}

/// The event that a line of the journal reports. The names are a contract: stores, reports and traces contain them.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum JournalKind: UInt8, Sendable, CaseIterable {
    // On the device's screen.

    /// A notification appeared.
    case delivered
    /// A notification replaced one with the same identifier.
    case replaced
    /// A service extension removed a notification.
    case removed
    /// A service extension asked for the removal of a notification and called its content handler before it was done: the
    /// notification stays.
    case removalLost
    /// A push set the badge to 0, which removed a notification.
    case cleared
    /// An app posted a notification by itself. What became of it is in the next line.
    case posted
    /// An app removed a delivered notification because of a push.
    case withdrawn
    /// A push was queued: its device is offline.
    case held
    /// A push did not reach the screen.
    case suppressed
    /// A notification went to the list without a banner and a sound: the user, or its sender, wants it so.
    case quiet
    /// A push set the number on the app's icon, and nothing else on the screen. The line's identifier is the number.
    case badgeSet
    /// A queued push passed its expiration.
    case expired
    /// A queued push was replaced by a later one, or dropped because the queue was full.
    case discarded
    /// The user tapped a notification.
    case tapped
    /// The user dismissed a notification.
    case dismissed
    /// The sender stopped sending to a token that a push service reported as unregistered.
    case tokenDisabled
    /// The sender deleted a token.
    case tokenDeleted
    /// A Live Activity started, got new content, or ended.
    case started, updated, ended
    /// A push to a Live Activity had an alert: the screen lit up.
    case alerted

    // In the app: the steps of its state machine.

    /// The process starts.
    case launch
    /// The screens that were open when the system ended the app are there again.
    case restore
    /// The process starts in the background, or is woken there.
    case wake
    /// The app moves from the background to the foreground.
    case comeToFront
    /// All screens but the first are closed: the app was in the background for more than 24 hours.
    case startOver
    /// A modal screen is dismissed.
    case dismissModal
    /// The app asks whether to discard unsaved work.
    case askToDiscard
    /// An editor closes, and its unsaved work is lost.
    case discard
    /// The user keeps the unsaved work, so nothing changes.
    case cancel
    /// The app's list of notifications is pushed: going back leads to the screen before.
    case pushCenter
    /// The app's list of notifications is shown without being pushed: it was on top, or the app starts with it.
    case showCenter
    /// A screen is opened.
    case open
    /// A pushed screen is left.
    case back
    /// The contents of an editor are saved.
    case save
    /// A notification is presented as a banner.
    case banner
    /// A notification goes to the device's list.
    case list
    /// A notification plays a sound.
    case sound
    /// A notification sets the number on the app's icon.
    case badge
    /// A notification arrives, and nothing of it is presented.
    case notPresented
    /// The bell shows that there is something unread.
    case markBell
    /// The bell shows that all is read.
    case clearBell
    /// A silent push is handed to the app.
    case fetch
    /// A silent push waits until the user starts the app: it was force-quit.
    case keepSilent
    /// The app carries out an action of a notification.
    case handleAction
    /// The app shows a message of its own, because no bell is visible.
    case toast

    /// The name in stores, reports and traces.
    package var name: StaticString { Self.names[Int(rawValue)] }

    /// In the order of the cases.
    private static let names: [StaticString] = [
        "delivered", "replaced", "removed", "removal-lost", "cleared", "posted", "withdrawn", "held",
        "suppressed", "quiet", "badge-set", "expired", "discarded",
        "tapped", "dismissed", "token_disabled", "token_deleted", "started", "updated", "ended", "alerted",
        "launch", "restore", "wake", "come-to-front", "start-over", "dismiss-modal", "ask-to-discard", "discard",
        "cancel", "push-centre", "show-centre", "open", "back",
        "save", "banner", "list", "sound", "badge", "not-presented", "mark-bell", "clear-bell", "fetch", "keep-silent",
        "handle-action", "toast",
    ]
}

extension JournalKind: CustomStringConvertible {
    /// The name in stores, reports and traces.
    public var description: String { "\(name)" }
}
