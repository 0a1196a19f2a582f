package import PayloadJSON
package import PushModel

/// What delivery needs to know of a message before it touches any state: computed from the message alone, so on any core.
package struct DeliveryKey: Sendable {
    /// What a delivery changes.
    package enum Effect: UInt8, Sendable {
        case nothing
        /// The number on the app's icon.
        case badge
        /// What is on the screen.
        case screen
    }

    /// Hash of the device and the app.
    var center: UInt32
    /// Hash of the chosen identifier in the app on the device; 0 for a generated one.
    var identifier: UInt32
    /// Which part of the devices the message's belongs to.
    package var lane: UInt16
    package var effect: Effect
    /// Whether the identifier may equal a generated one.
    var mayEqualGenerated: Bool

    /// A message without effect.
    package static let idle = DeliveryKey(center: 0, identifier: 0, lane: 0, effect: .nothing, mayEqualGenerated: false)

    private init(center: UInt32, identifier: UInt32, lane: UInt16, effect: Effect, mayEqualGenerated: Bool) {
        self.center = center
        self.identifier = identifier
        self.lane = lane
        self.effect = effect
        self.mayEqualGenerated = mayEqualGenerated
    }

    /// The key of an accepted message.
    ///
    /// - Parameters:
    ///   - hasher: that of the notification centers it is for.
    ///   - lanes: into how many parts the devices are divided, at most 65,536.
    package init(_ message: PushMessage, _ hasher: SeededHash, lanes: Int) {
        self = .idle
        if message.isShown && !message.isUnlisted {
            effect = .screen
        } else if message.content.badge != nil {
            effect = .badge
        } else {
            return
        }
        let device = hasher.hash(message.device, 0)
        lane = UInt16(truncatingIfNeeded: Self.lane(device, lanes))
        center = hasher.centerHash(device: device, message.app)
        if let chosen = message.identifier {
            identifier = hasher.hash(chosen, UInt64(center))
            mayEqualGenerated = GeneratedIdentifier.mayEqual(chosen)
        }
    }

    /// The lane of a device.
    package static func lane(of device: BorrowedText, _ hasher: SeededHash, lanes: Int) -> Int {
        lane(hasher.hash(device, 0), lanes)
    }

    private static func lane(_ device: UInt32, _ lanes: Int) -> Int {
        Int(truncatingIfNeeded: UInt64(device) &* UInt64(truncatingIfNeeded: lanes) >> 32)
    }
}

extension SeededHash {
    /// The hash of an app on the device with a hash.
    func centerHash(device: UInt32, _ app: BorrowedText) -> UInt32 { hash(app, UInt64(device)) }
}

/// The result of a delivery in a lane.
package struct LaneResult: Sendable {
    package var outcome: Outcome
    /// `seq` of what was replaced; 0 for nothing, since records are counted from 1.
    package var replaces: UInt64

    package init(outcome: Outcome, replaces: UInt64 = 0) {
        self.outcome = outcome
        self.replaces = replaces
    }
}

/// The messages of one chunk, for delivery by lanes. The memory belongs to the chunk. Without messages there is nothing to
/// do.
@safe  // SOUND: whoever makes one vouches for the three buffers, which have `count` elements.
package struct LaneWork: Sendable {
    nonisolated(unsafe) let messages: UnsafePointer<PushMessage>?
    nonisolated(unsafe) let keys: UnsafePointer<DeliveryKey>
    nonisolated(unsafe) let results: UnsafeMutablePointer<LaneResult>
    /// Number of messages.
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
        messages: UnsafePointer<PushMessage>?, keys: UnsafePointer<DeliveryKey>,
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
