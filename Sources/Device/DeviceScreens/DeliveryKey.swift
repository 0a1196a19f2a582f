package import PayloadJSON
public import PushModel

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
    /// True if a tap may ask for the payload.
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
        if let badge = unsafe isShown ? message.pointee.content.badge : message.pointee.badge {
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
        hasTapOptions = unsafe message.pointee.content.hasTapOptions
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
