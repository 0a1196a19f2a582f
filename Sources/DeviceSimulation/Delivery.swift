package import PayloadJSON
public import PushModel

/// What became of a message at its device.
public struct Delivery: Sendable, Equatable {
    /// `delivered`, `replaced`, `reposted` or `silent`.
    public var outcome: Outcome
    /// `seq` of the notification that gave way, the newest one when an extension removed several.
    public var replaces: UInt64?

    /// Makes a result.
    public init(outcome: Outcome, replaces: UInt64? = nil) {
        self.outcome = outcome
        self.replaces = replaces
    }
}

/// A line of the journal.
public enum DeliveryEvent: UInt8, Sendable, CaseIterable {
    /// Appeared.
    case delivered
    /// Appeared in the place of one with the same identifier.
    case replaced
    /// Disappeared, by an extension's hand.
    case removed
    /// The device is away.
    case held
    /// Kept from the screen.
    case suppressed
    /// Held for too long.
    case expired
    /// Held until another one took its place, or there were too many.
    case discarded
    /// The user tapped it.
    case tapped
    /// The user wiped it off the screen.
    case dismissed
    // What an app does, as `AppStateMachine.Step` has it.
    case launch, wake, comeToFront, startOver, dismissModal, askToDiscard, discard, cancel, pushCentre, showCentre,
        open, back
    case save, banner, list, sound, badge, notPresented, markBell, clearBell, fetch, keepSilent

    /// As in the store.
    public var name: StaticString {
        switch self {
        case .delivered: "delivered"
        case .replaced: "replaced"
        case .removed: "removed"
        case .held: "held"
        case .suppressed: "suppressed"
        case .expired: "expired"
        case .discarded: "discarded"
        case .tapped: "tapped"
        case .dismissed: "dismissed"
        case .launch: "launch"
        case .wake: "wake"
        case .comeToFront: "come-to-front"
        case .startOver: "start-over"
        case .dismissModal: "dismiss-modal"
        case .askToDiscard: "ask-to-discard"
        case .discard: "discard"
        case .cancel: "cancel"
        case .pushCentre: "push-centre"
        case .showCentre: "show-centre"
        case .open: "open"
        case .back: "back"
        case .save: "save"
        case .banner: "banner"
        case .list: "list"
        case .sound: "sound"
        case .badge: "badge"
        case .notPresented: "not-presented"
        case .markBell: "mark-bell"
        case .clearBell: "clear-bell"
        case .fetch: "fetch"
        case .keepSilent: "keep-silent"
        }
    }

    /// The journal's word for what an app does: the same.
    package init?(_ step: AppStateMachine.Step) {
        let name = step.name.description
        guard let event = Self.allCases.first(where: { $0.name.description == name }) else { return nil }
        self = event
    }
}

/// Is told what deliveries change, in the order in which it happens, within the call that delivers. Texts are borrowed.
///
/// `center` is the position of the app on the device among those that the `NotificationCenters` have seen, counted from 0.
package protocol DeliveryRecorder: ~Copyable {
    /// A notification is on the screen now.
    mutating func add(
        order: UInt64, _ message: PushMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText)
    /// A notification is no longer on the screen.
    mutating func remove(order: UInt64)
    /// The number on the app's icon.
    mutating func setBadge(_ badge: Int, center: Int)
    /// A line for the journal. `seq` is that of the record that caused it.
    mutating func record(
        _ event: DeliveryEvent, seq: UInt64, at: Int64, center: Int, _ message: PushMessage, identifier: BorrowedText)
}

/// The identifier of a message that brings none: `push-7`, or `push-7.2` for the target with index 2.
///
/// Real devices make up a UUID; this one can be repeated.
package struct MadeUpIdentifier {
    private let seq: UInt64
    private let target: Int?

    package init(seq: UInt64, target: Int?) {
        self.seq = seq
        self.target = target
    }

    /// The text, valid for the duration of the call.
    package func withText<Result>(_ body: (BorrowedText) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 48) { buffer in
            // SOUND: "push-", 20 digits, "." and 20 digits are 46 bytes; the capacity is not 0, so there is a base address.
            guard let base = buffer.baseAddress else { return try body(.empty) }
            let prefix: StaticString = "push-"
            var end = base + 48
            if let target {
                end = Self.write(UInt64(truncatingIfNeeded: target), before: end)
                end -= 1
                end.pointee = UInt8(ascii: ".")
            }
            end = Self.write(seq, before: end)
            for index in (0..<prefix.utf8CodeUnitCount).reversed() {
                end -= 1
                end.pointee = prefix.utf8Start[index]
            }
            return try body(BorrowedText(start: end, count: base + 48 - end))
        }
    }

    private static func write(_ number: UInt64, before end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    {
        var p = end
        var rest = number
        repeat {
            p -= 1
            p.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        return p
    }
}
