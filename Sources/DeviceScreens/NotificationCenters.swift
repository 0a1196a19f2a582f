import CompactStorage
package import PayloadJSON
import PushModel

/// The delivered notifications of every app on every device, in memory.
///
/// Pure state: it reads no clock and does no I/O. Changes that a delivery makes are reported to a `DeliveryRecorder`,
/// in the order in which they happen. Delivery is expected O(1) in the number of devices and notifications.
///
/// A notification takes 88 bytes, up to 24 for each index entry (two with a custom id), and its texts rounded up to 16
/// bytes.
@safe  // SOUND: owns the centers, slots and texts; texts leave it only as `BorrowedText`.
package struct NotificationCenters: ~Copyable {
    /// One app on one device.
    @safe  // SOUND: `key` stays unsafe to use, and points into the heap until `removeAll`.
    struct Center {
        /// Device and app, one after the other.
        var key: UnsafeMutablePointer<UInt8>
        var deviceCount: UInt32
        var appCount: UInt32
        /// Oldest and newest notification; `none` when there is none.
        var first: UInt32
        var last: UInt32
        var count: UInt32
        var hash: UInt32
        var badge: Int?
    }

    @safe  // SOUND: `texts` stays unsafe to use, and points into the heap until the slot is removed.
    struct Slot {
        var order: UInt64
        var seq: UInt64
        /// Milliseconds since the epoch.
        var at: Int64
        /// Identifier, custom id, payload and changes, one after the other.
        var texts: UnsafeMutablePointer<UInt8>?
        /// 0: the identifier is generated from `seq` and `target`.
        var identifierCount: UInt32
        var customIDCount: UInt32
        var payloadCount: UInt32
        var changesCount: UInt32
        /// Index of the target plus one; 0 for a request with one target.
        var target: UInt32
        var center: UInt32
        var previous: UInt32
        var next: UInt32
        /// The next older notification of the center with the same custom id.
        var olderOfCustomID: UInt32
        /// The next newer one.
        var newerOfCustomID: UInt32
        var identifierHash: UInt32
        var customIDHash: UInt32
        var provider: Provider
        var platform: Platform
        var hasCustomID: Bool
    }

    static let none = UInt32.max

    /// A center, accessed in place.
    subscript(center position: UInt32) -> Center {
        // SOUND: the pages check `position`, and never move a value.
        _read { yield unsafe centers[position].pointee }
        nonmutating _modify { yield unsafe &centers[position].pointee }
    }

    /// A slot, accessed in place.
    subscript(slot position: UInt32) -> Slot {
        // SOUND: the pages check `position`, and never move a value.
        _read { yield unsafe slots[position].pointee }
        nonmutating _modify { yield unsafe &slots[position].pointee }
    }

    var centers = PagedStorage<Center>()
    var slots = PagedStorage<Slot>()
    /// Free list of slots of removed notifications, linked by `next`.
    var firstFree = NotificationCenters.none
    var freeCount = 0
    var centerIndex = HashIndex()
    var identifierIndex = HashIndex()
    var customIDIndex = HashIndex()
    /// Positions of the centers of each device, by the device's hash; built on first use.
    var centersOfDevices: [UInt32: [UInt32]]?
    var heap = TextHeap()
    let hasher = SeededHash()
    /// Whether payloads are kept. A store that keeps them elsewhere needs only what replacement uses.
    let keepsPayloads: Bool
    /// The next notification's position in the order of delivery.
    package internal(set) var nextOrder: UInt64

    package init(keepsPayloads: Bool, nextOrder: UInt64 = 1) {
        self.keepsPayloads = keepsPayloads
        self.nextOrder = nextOrder
    }

    deinit { freeLargeTexts() }

    /// Frees the texts that are too large for the heap to own. They are rare.
    private func freeLargeTexts() {
        guard heap.largeCount > 0 else { return }
        for position in 0..<UInt32(centers.count) {
            // SOUND: allocated by the heap with this count; centers and slots are dropped next.
            unsafe TextHeap.freeIfLarge(self[center: position].key, self[center: position].keyCount)
        }
        for position in 0..<UInt32(slots.count) {
            let slot = self[slot: position]
            // SOUND: as above; a removed slot has no texts.
            if let texts = unsafe slot.texts { unsafe TextHeap.freeIfLarge(texts, slot.textCount) }
        }
    }

    /// Notifications on all screens.
    package var count: Int { slots.count - freeCount }

    /// Known apps on devices, with or without notifications.
    package var centerCount: Int { centers.count }

    /// Whether the app on the device has been seen here.
    package func contains(device: BorrowedText, app: BorrowedText) -> Bool {
        find(device: device, app: app, hash: centerHash(device, app)) != nil
    }

    /// Removes everything but the order, so that devices are restored again when they are next used. Keeps its memory
    /// for reuse: freeing it would only fragment the heap and let it grow.
    package mutating func removeAll() {
        freeLargeTexts()
        heap.removeAll()
        centers.removeAll()
        slots.removeAll()
        firstFree = Self.none
        freeCount = 0
        centerIndex.removeAll()
        identifierIndex.removeAll()
        customIDIndex.removeAll()
        centersOfDevices = nil
    }

    /// The apps on a device, in the order in which they were first seen here. O(n) on the first call, then expected
    /// O(1).
    package mutating func apps(of device: BorrowedText) -> [BorrowedText] {
        var index = centersOfDevices ?? [:]
        if centersOfDevices == nil {
            for position in 0..<UInt32(centers.count) {
                index[hasher.hash(self[center: position].device, 0), default: []].append(position)
            }
            centersOfDevices = index
        }
        return (index[hasher.hash(device, 0)] ?? []).filter { self[center: $0].device == device }
            .map { self[center: $0].app }
    }
}
