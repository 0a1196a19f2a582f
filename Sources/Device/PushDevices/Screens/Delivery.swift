package import PushJSON
public import PushModel

/// The result of delivering a message to its device.
package struct Delivery: Sendable, Equatable {
    /// `delivered`, `replaced`, `reposted` or `silent`; `suppressed`, `tooMany`, for one that Android drops.
    package var outcome: Outcome
    /// `seq` of the notification that was replaced; the newest one when an extension removed several.
    package var replaces: UInt64?
    /// Number of notifications that the badge removed.
    package var cleared = 0

    package init(outcome: Outcome, replaces: UInt64? = nil) {
        self.outcome = outcome
        self.replaces = replaces
    }
}

extension Delivery {
    /// The reason for which a delivery is suppressed: the Android app shows as many notifications as it may.
    package static let tooMany: StaticString = "too-many-notifications"
}

/// Records the changes that deliveries make, in the order in which they happen, within the delivering call. Texts are
/// borrowed.
///
/// `center` is the position of the app on the device in the order in which `NotificationCenters` first saw them,
/// counted from 0.
package protocol DeliveryRecorder: ~Copyable {
    /// True if it records notifications with generated identifiers. If not, their text need not be composed.
    var isListening: Bool { get }
    mutating func add(
        order: UInt64, _ message: DecodedMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText)
    mutating func remove(order: UInt64)
    /// A notification that is on the screen should have been removed: it is a stale duplicate from now on.
    ///
    /// - Parameter since: milliseconds since the epoch.
    mutating func markStale(order: UInt64, since: Int64)
    /// The number on the app's icon changed.
    mutating func setBadge(_ badge: Int, center: Int)
    /// Adds a journal line. `seq` is the number of the record that caused it.
    mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: DecodedMessage, identifier: BorrowedText)
}

/// A recorder need not record everything.
extension DeliveryRecorder where Self: ~Copyable {
    package var isListening: Bool { true }
    @inline(__always)
    package mutating func add(
        order: UInt64, _ message: DecodedMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText
    ) {}
    @inline(__always)
    package mutating func remove(order: UInt64) {}
    package mutating func markStale(order: UInt64, since: Int64) {}
    @inline(__always)
    package mutating func setBadge(_ badge: Int, center: Int) {}
    @inline(__always)
    package mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: DecodedMessage, identifier: BorrowedText
    ) {}
}

/// The recorder of stores without a journal.
struct NoRecorder: DeliveryRecorder {
    /// False. Stored, because empty values share an address, which ThreadSanitizer takes for a race.
    let isListening = false
}

/// The parts of a message that delivery needs: computed from the message alone, so on any core, and all in one place, because a message
/// is large and may have been decoded on another core.
///
/// Its texts are the message's own, and valid as long as they are.
package struct DeliveryKey {
    /// The state that a delivery changes.
    package enum Effect: UInt8, Sendable {
        case nothing
        /// The number on the app's icon.
        case badge
        /// The notifications on the screen.
        case screen
    }

    var device = BorrowedText.empty
    var app = BorrowedText.empty
    /// The identifier that the sender chose; empty for a generated one.
    var identifier = BorrowedText.empty
    /// The new badge; 0 without `setsBadge`.
    var badge = 0
    /// Index of the record in its chunk.
    var record: Int
    /// Index of the target plus one; 0 for a request with one target.
    var target: UInt32 = 0
    var deviceHash: UInt32 = 0
    var centerHash: UInt32 = 0
    /// Hash of the chosen identifier in the app on the device; 0 for a generated one.
    var identifierHash: UInt32 = 0
    /// Which part of the devices the message's belongs to.
    package var lane: UInt16 = 0
    package var effect = Effect.nothing
    var setsBadge = false
    /// True if the new badge removes the app's notifications, unless it was 0 before.
    ///
    /// Sources: openradar 17743 and 18912, Airship, "Badges", mattermost-mobile issue 5015. Apple does not say it, and for iOS 18 and later it is
    /// UNCONFIRMED. A number that the app sets itself removes nothing (expo PR 39009).
    var clearsScreen = false
    /// True if the chosen identifier may equal a generated one.
    var mayEqualGenerated = false
    var hasCustomID = false
    /// True if the device limits how many notifications its app shows.
    var isAndroid = false
    /// True if a tap may ask for a part of the payload.
    var hasTapOptions = false

    /// A message without effect.
    package init(record: Int) { self.record = record }

    /// The key of an accepted message.
    ///
    /// - Parameters:
    ///   - hasher: that of the notification centers it is for.
    ///   - lanes: into how many parts the devices are divided, at most 65,536.
    @unsafe
    @inline(__always)
    init(_ message: UnsafePointer<DecodedMessage>, _ hasher: SeededHash, lanes: Int) {
        // SOUND: the caller vouches for the message.
        self.init(record: unsafe message.pointee.record)
        let isShown = unsafe message.pointee.isShown
        // What is shown is of a type whose badge counts, so that need not be looked up again.
        if let badge = unsafe isShown ? message.pointee.content.badge : message.pointee.badge,
            unsafe !message.pointee.content.keepsIcon
        {
            self.badge = badge
            setsBadge = true
            effect = .badge
            clearsScreen = unsafe badge == 0 && message.pointee.platform == .ios && !message.pointee.isLocal
        }
        if unsafe isShown && !message.pointee.isUnlisted { effect = .screen }
        guard effect != .nothing else { return }
        device = unsafe message.pointee.device
        app = unsafe message.pointee.app
        target = unsafe message.pointee.target.map { UInt32(truncatingIfNeeded: $0 &+ 1) } ?? 0
        hasCustomID = unsafe message.pointee.content.customID != nil
        isAndroid = unsafe message.pointee.platform == .android
        hasTapOptions = unsafe !message.pointee.content.tapOptions.isEmpty
        deviceHash = hasher.hash(device, 0)
        lane = UInt16(truncatingIfNeeded: Self.lane(deviceHash, lanes))
        centerHash = hasher.centerHash(device: deviceHash, app)
        if let chosen = unsafe message.pointee.identifier, !chosen.isEmpty {
            identifier = chosen
            identifierHash = hasher.hash(chosen, UInt64(centerHash))
            mayEqualGenerated = GeneratedIdentifier.mayEqual(chosen)
        }
    }

    /// Writes the key of an accepted message to its place. Returned to another module, it would be copied twice.
    @unsafe
    package static func write(
        _ message: UnsafePointer<DecodedMessage>, _ hasher: SeededHash, lanes: Int,
        to place: UnsafeMutablePointer<DeliveryKey>
    ) {
        // SOUND: the caller vouches for the message and the place.
        unsafe place.initialize(to: DeliveryKey(message, hasher, lanes: lanes))
    }

    /// Index of the target; nil for a request with one target.
    var targetIndex: Int? { target == 0 ? nil : Int(target &- 1) }

    package static func lane(of device: BorrowedText, _ hasher: SeededHash, lanes: Int) -> Int {
        lane(hasher.hash(device, 0), lanes)
    }

    private static func lane(_ device: UInt32, _ lanes: Int) -> Int {
        // A shift binds more tightly than a product does.
        Int(truncatingIfNeeded: (UInt64(device) &* UInt64(truncatingIfNeeded: lanes)) >> 32)
    }
}

extension SeededHash {
    func centerHash(device: UInt32, _ app: BorrowedText) -> UInt32 { hash(app, UInt64(device)) }
}

@usableFromInline package struct LaneResult: Sendable {
    @usableFromInline package var outcome: Outcome
    /// Number of notifications that the badge removed. Beside the outcome, it takes no room of its own.
    @usableFromInline package var cleared: UInt32
    /// `seq` of what was replaced; 0 for nothing, since records are counted from 1.
    @usableFromInline package var replaces: UInt64

    @inlinable
    package init(outcome: Outcome, replaces: UInt64 = 0, cleared: Int = 0) {
        self.outcome = outcome
        self.replaces = replaces
        self.cleared = UInt32(clamping: cleared)
    }
}

/// The messages of one chunk, for delivery by lanes. The memory belongs to the chunk. Without messages there is nothing to
/// do.
@safe  // SOUND: whoever makes one vouches for the three buffers, which have `count` elements.
package struct LaneWork: Sendable {
    nonisolated(unsafe) let messages: UnsafePointer<DecodedMessage>?
    nonisolated(unsafe) let keys: UnsafePointer<DeliveryKey>
    nonisolated(unsafe) let results: UnsafeMutablePointer<LaneResult>
    let count: Int
    /// Number of the chunk's first record.
    let firstSequence: UInt64
    /// The place of the chunk's first message in the order of delivery.
    let firstOrder: UInt64
    /// The time of the first record, and how much later each next one is, in milliseconds.
    let time: Int64
    let timePerRecord: Int64

    @unsafe
    package init(
        messages: UnsafePointer<DecodedMessage>?, keys: UnsafePointer<DeliveryKey>,
        results: UnsafeMutablePointer<LaneResult>, count: Int, firstSequence: UInt64, firstOrder: UInt64, time: Int64,
        timePerRecord: Int64
    ) {
        // SOUND: stores the addresses, for which the caller vouches.
        unsafe self.messages = unsafe messages
        unsafe self.keys = unsafe keys
        unsafe self.results = unsafe results
        self.count = count
        self.firstSequence = firstSequence
        self.firstOrder = firstOrder
        self.time = time
        self.timePerRecord = timePerRecord
    }
}

/// A delivered notification as a service extension sees it while it runs. Texts are borrowed from the store and valid
/// only for the duration of the call that passes it.
package struct ShownNotification {
    /// Number of the record that contained it.
    package var seq: UInt64
    /// Its position in the order of delivery, across all devices.
    package var order: UInt64
    /// Collapse id, or a generated identifier.
    package var identifier: BorrowedText
    /// Milliseconds since the epoch.
    package var deliveredAt: Int64
    /// The body as it was sent; `{}` for a local notification.
    package var payload: BorrowedText
    /// Members of the content that an extension changed, as a JSON object. Empty when it changed nothing.
    package var changes: BorrowedText

    package init(
        seq: UInt64, order: UInt64, identifier: BorrowedText, deliveredAt: Int64, payload: BorrowedText,
        changes: BorrowedText
    ) {
        self.seq = seq
        self.order = order
        self.identifier = identifier
        self.deliveredAt = deliveredAt
        self.payload = payload
        self.changes = changes
    }
}

/// A notification that an extension asked to remove, and that is still on the screen when its own notification appears.
///
/// Apple: `removeDeliveredNotifications` returns at once, and the system removes in the background. An extension that does
/// not wait leaves both notifications on the screen: for a while, or for good if its process is suspended first.
package struct LateRemoval: Sendable, Equatable {
    /// The identifiers that it named; nil for all notifications of the app.
    package var identifiers: [String]?
    /// When the removal takes effect, in milliseconds since the epoch; nil if it is lost.
    package var due: Int64?
    /// The notifications that became stale duplicates with this removal, oldest first.
    package var stale: [StaleNotification]
}

/// A notification that is on the screen beside the one that should have taken its place.
package struct StaleNotification: Sendable, Equatable {
    /// Number of the record that contained it.
    package var seq: UInt64
    /// Its identifier on the device.
    package var identifier: String
    /// Milliseconds from the new notification's appearance to the removal; nil if the removal is lost.
    package var milliseconds: Int64?
}
