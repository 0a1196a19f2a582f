package import PushJSON
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

    /// The names in the order of the cases.
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
    /// What happens to notifications and pushes, to tokens, and to Live Activities. `table` says what each of them is.
    case delivered, replaced, removed, removalLost, cleared, posted, withdrawn, held, suppressed, quiet, badgeSet,
        expired, discarded, tapped,
        dismissed, tokenDisabled, tokenDeleted, started, updated, ended, alerted

    /// The steps of the app's state machine. `table` says what each of them is.
    case launch, restore, wake, comeToFront, startOver, dismissModal, askToDiscard, discard, cancel, pushCenter,
        showCenter, open, back, save, banner, list, sound, badge, notPresented, markBell, clearBell, fetch,
        keepSilent, handleAction, toast

    /// The name in stores, reports and traces.
    package var name: StaticString { Self.table[Int(rawValue)].name }

    /// The event in plain words.
    package var words: StaticString { Self.table[Int(rawValue)].words }

    package static let steps = allCases.filter { $0.rawValue >= launch.rawValue }

    /// The rows in the order of the cases.
    private static let table: [(name: StaticString, words: StaticString)] = [
        ("delivered", "a notification appeared"),
        ("replaced", "a notification replaced one with the same identifier"),
        ("removed", "a service extension removed the notification"),
        (
            "removal-lost",
            "a service extension called its content handler before a removal was complete, so the notification stays"
        ),
        (
            "cleared",
            "a push changed a nonzero badge to 0, which removes the app's notifications; UNCONFIRMED for iOS 18 and later"
        ),
        (
            "posted",
            "the app posted a notification that no push shows; the next line says what happened to it"
        ),
        ("withdrawn", "the app removed a delivered notification because of a push"),
        ("held", "a push was queued until its device is online"),
        ("suppressed", "a push did not reach the screen; its report line has the reason"),
        ("quiet", "a notification was delivered to the list without a banner or sound"),
        (
            "badge-set",
            "a push changed only the number on the app icon; the identifier of the line is the number"
        ),
        ("expired", "a queued push expired"),
        ("discarded", "a queued push was dropped"),
        ("tapped", "the user tapped a notification"),
        ("dismissed", "the user dismissed a notification"),
        ("token_disabled", "the sender stopped sending to a token that was reported as dead"),
        ("token_deleted", "the sender deleted a token"),
        ("started", "a Live Activity started"),
        ("updated", "a Live Activity was updated"),
        ("ended", "a Live Activity ended"),
        ("alerted", "a push to a Live Activity had an alert, so the screen lit up"),
        ("launch", "the app's process starts"),
        ("restore", "the app restored the screens that were open when the system terminated it"),
        ("wake", "the app's process starts or is woken in the background"),
        ("come-to-front", "the app comes to the foreground from the background"),
        ("start-over", "all screens except the first are closed after more than 24 hours in the background"),
        ("dismiss-modal", "a modal screen is dismissed"),
        ("ask-to-discard", "the app asks whether to discard unsaved work"),
        ("discard", "an editor closes, and its unsaved work is lost"),
        ("cancel", "the user keeps the unsaved work, and nothing changes"),
        ("push-centre", "the app navigates to its notification list; Back returns to the previous screen"),
        ("show-centre", "the app's notification list is shown without being pushed"),
        ("open", "a screen of the app is opened"),
        ("back", "the user leaves a pushed screen"),
        ("save", "the contents of an editor are saved"),
        ("banner", "a notification is presented as a banner"),
        ("list", "a notification is delivered to the device's list"),
        ("sound", "a notification plays a sound"),
        ("badge", "a notification sets the number on the app icon"),
        ("not-presented", "a notification arrives, but nothing of it is presented"),
        ("mark-bell", "the bell shows that there are unread notifications"),
        ("clear-bell", "the bell shows that all notifications are read"),
        ("fetch", "the app receives a background push"),
        ("keep-silent", "a background push waits until the user opens the app, which was force-quit"),
        ("handle-action", "the app performs an action of a notification"),
        ("toast", "the app shows its own message, because no bell is visible"),
    ]
}

extension JournalKind: CustomStringConvertible {
    /// The name in stores, reports and traces.
    public var description: String { "\(name)" }
}

/// Why a push that reached its app shows nothing: the reason of the outcome `silent`. The names are a contract: reports contain them.
///
/// Sources: Apple, "Generating a remote notification" and "Pushing background updates to your App"; Firebase, "About FCM messages";
/// WHATWG, Notifications API, "Showing a notification".
package enum SilenceReason: UInt8, Sendable, CaseIterable {
    case noAlert, pushType, foreground, misspelledKey, badgeOnly, background, dataOnly, refusedOptions

    package struct Row: Sendable {
        /// The name in reports.
        package let name: StaticString
        /// The explanation in plain words.
        package let explanation: StaticString
        /// The remedy for a sender who wants it to be seen.
        package let remedy: StaticString
    }

    /// The rows in the order of the cases.
    private static let table: [Row] = [
        Row(
            name: "no-alert", explanation: "the push has no title, subtitle or body",
            remedy: "add a text to aps.alert, or to notification of a message to FCM or GCM"),
        Row(
            name: "push-type", explanation: "the system shows no pushes of this type",
            remedy: "send what the user should see with apns-push-type alert"),
        Row(
            name: "foreground",
            explanation: "the app is in the foreground, receives the push and does not present it",
            remedy: "make the app present it, or close the app"),
        Row(
            name: "misspelled-key",
            explanation: "the push has no alert, but a misspelled key that has the texts of an alert",
            remedy: "correct the key; the finding aps.misspelled-key says which one"),
        Row(
            name: "badge-only", explanation: "the push has a badge but no alert, so only the icon's number changes",
            remedy: "add a text to aps.alert"),
        Row(
            name: "background", explanation: "a background push wakes the app and shows nothing",
            remedy: "add a text to aps.alert, and send the push with apns-push-type alert"),
        Row(
            name: "data-only",
            explanation: "the message has no notification for this platform, so the app gets the data and decides",
            remedy: "add a title or a body to notification"),
        Row(
            name: "refused-options", explanation: "showNotification throws a TypeError for these options",
            remedy: "correct what the finding fcm.web-notification names"),
    ]

    package var row: Row { Self.table[Int(rawValue)] }
}

extension DecodedMessage {
    /// Why it shows nothing. Meaningless for a message that is shown.
    package var silenceReason: SilenceReason {
        if platform == .ios, !(headers.pushType?.row.isShown ?? true) { return .pushType }
        if content.hasAlert { return .foreground }
        if content.silence == .misspelledKey { return .misspelledKey }
        if content.badge != nil, !content.keepsIcon { return .badgeOnly }
        return platform == .ios && headers.pushType == .background ? .background : content.silence
    }
}
