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
