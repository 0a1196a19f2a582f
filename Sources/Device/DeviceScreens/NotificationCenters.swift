package import PayloadJSON
import PushCompactStorage
package import PushModel

/// The delivered notifications of every app on every device, in memory.
///
/// Pure state: it reads no clock and does no I/O. Changes that a delivery makes are reported to a `DeliveryRecorder`,
/// in the order in which they happen. Delivery is expected O(1) in the number of devices and notifications.
///
/// Of a notification it always keeps what replacement needs: 24 bytes, and for one with an identifier or a custom id up
/// to 24 for each index entry, and these texts with 2 bytes, rounded up to 8. Everything else is kept only for those who
/// ask for it (`Keeping`), or from the first time on that it is asked for (`ScreenLists`, the index of generated
/// identifiers).
@safe  // SOUND: owns the centers, slots and texts; texts leave it only as `BorrowedText`.
package struct NotificationCenters: ~Copyable {
    /// The parts of a notification that are kept.
    package enum Keeping: Sendable {
        /// The parts that replacement needs.
        case replacement
        /// Also the place in the order of delivery, by which a store finds the notification's row.
        case order
        /// Also the payload and the time, so that the notifications can be read.
        case everything
    }

    struct Center {
        /// The number on the app's icon, if `hasBadge`.
        private var number = 0
        /// The device's name, which the centers of a device share.
        var device: TextReference
        var app: UInt32
        /// The hash of both names, from which those of its notifications derive.
        var hash: UInt32
        private var hasBadge = false
        /// The number of notifications; those above the largest value are not counted.
        private(set) var shown: UInt16 = 0

        init(device: TextReference, app: UInt32, hash: UInt32) {
            self.device = device
            self.app = app
            self.hash = hash
        }

        var badge: Int? { hasBadge ? number : nil }

        mutating func setBadge(_ badge: Int?) {
            number = badge ?? 0
            hasBadge = badge != nil
        }

        mutating func countOne() {
            if shown < .max { shown &+= 1 }
        }

        mutating func discountOne() {
            if shown > 0, shown < .max { shown &-= 1 }
        }
    }

    struct Slot {
        var seq: UInt64
        /// The identifier and the custom id, as a `TextPair`; `none` when the notification has neither.
        var text: TextReference
        /// `none` for a slot without a notification.
        var center: UInt32
        /// 0 for an identifier that is not in the index.
        var identifierHash: UInt32
        /// Index of the target plus one; 0 for a request with one target.
        var target: UInt32
    }

    /// The content of a notification that is kept besides.
    struct Content {
        /// Milliseconds since the epoch.
        var at: Int64
        /// The payload, then the changes; `none` when both are empty.
        var text = TextReference.none
        var payloadCount: UInt32 = 0
        var changesCount: UInt32 = 0
        var provider: Provider
        var platform: Platform
    }

    static let none = UInt32.max

    subscript(center position: UInt32) -> Center {
        // SOUND: the pages check `position`, and never move a value.
        _read { yield unsafe centers[position].pointee }
        nonmutating _modify { yield unsafe &centers[position].pointee }
    }

    subscript(slot position: UInt32) -> Slot {
        // SOUND: the pages check `position`, and never move a value.
        _read { yield unsafe slots[position].pointee }
        nonmutating _modify { yield unsafe &slots[position].pointee }
    }

    let keeping: Keeping
    let hasher: SeededHash
    var centers = PagedStorage<Center>()
    /// The order of delivery in which each was first seen, when everything is kept.
    var ordersOfCenters: [UInt64] = []
    var slots = PagedStorage<Slot>()
    /// The order of delivery by slot, unless only replacement matters.
    var orders = PagedStorage<UInt64>()
    /// By slot, when everything is kept.
    var contents = PagedStorage<Content>()
    /// Free list of slots of removed notifications, linked by `seq`.
    var firstFree = NotificationCenters.none
    var freeCount = 0
    var centerIndex = HashIndex()
    var deviceIndex = HashIndex()
    var apps: [TextReference] = []
    var appIndex = HashIndex()
    /// Slots by identifier. Generated identifiers are in it once one of that form has been looked for.
    var identifierIndex = HashIndex()
    var indexesGenerated = false
    var customIDs = CustomIDIndex()
    /// Notifications that are marked as stale.
    package internal(set) var staleCount = 0
    /// Those among them whose senders chose the identifier, so that it can come back.
    var staleChosenCount = 0
    /// The late removals of the deliveries since the last `takeLateRemovals`.
    var lateRemovals: [LateRemoval] = []
    /// How a new notification replaces those with the same custom id; nil for the defaults.
    package var replacement: ReplacementRule?
    /// How many notifications an Android app shows at most.
    package var mostOnAndroid = Platform.mostNotificationsOnAndroid
    /// Built when someone first asks what an app shows.
    var lists = ScreenLists()
    /// Those that events have asked for so far, at most five.
    var newestIndexes: [NewestIndex] = []
    /// Positions of the centers of each device, by the device's hash; built on first use.
    var centersOfDevices: [UInt32: [UInt32]]?
    var heap = TextHeap()
    /// The next notification's position in the order of delivery.
    package var nextOrder: UInt64
    /// The largest number of a record that was delivered.
    var highestSeq: UInt64 = 0
    /// The center that was found last: a message asks for its own several times.
    var lastCenter: UInt32 = 0

    /// - Parameter hasher: the same for all centers whose keys are made together.
    package init(keeping: Keeping, hasher: SeededHash = SeededHash(), nextOrder: UInt64 = 1) {
        self.keeping = keeping
        self.hasher = hasher
        self.nextOrder = nextOrder
    }

    /// Notifications on all screens.
    package var count: Int { slots.count - freeCount }

    /// Known apps on devices, with or without notifications.
    package var centerCount: Int { centers.count }

    /// True if the app on the device has been seen here.
    package func contains(device: BorrowedText, app: BorrowedText) -> Bool {
        find(device: device, app: app) != nil
    }

    /// The position of an app on a device; nil if it has not been seen here.
    package mutating func position(device: BorrowedText, app: BorrowedText) -> Int? {
        if isLast(device: device, app: app) { return Int(lastCenter) }
        guard let found = find(device: device, app: app) else { return nil }
        lastCenter = found
        return Int(found)
    }

    /// Removes everything but the order, so that devices are restored again when they are next used. Keeps its memory
    /// for reuse: freeing it would only fragment the heap and let it grow.
    package mutating func removeAll() {
        heap.removeAll()
        centers.removeAll()
        ordersOfCenters.removeAll()
        slots.removeAll()
        orders.removeAll()
        contents.removeAll()
        firstFree = Self.none
        freeCount = 0
        centerIndex.removeAll()
        deviceIndex.removeAll()
        apps.removeAll()
        appIndex.removeAll()
        identifierIndex.removeAll()
        indexesGenerated = false
        customIDs.removeAll()
        staleCount = 0
        staleChosenCount = 0
        lists.removeAll()
        newestIndexes.removeAll()
        centersOfDevices = nil
    }

    /// True if any app on the device has been seen here.
    package func contains(device: BorrowedText) -> Bool {
        deviceIndex.find(hasher.hash(device, 0)) { self.device($0) == device } != nil
    }

    /// The apps on a device, in the order in which they were first seen here. O(n) on the first call, then expected
    /// O(1).
    package mutating func apps(of device: BorrowedText) -> [BorrowedText] { centers(of: device).map { app($0) } }

    /// The centers of a device, in that order. O(n) on the first call, then expected O(1).
    mutating func centers(of device: BorrowedText) -> [UInt32] {
        var index = centersOfDevices ?? [:]
        if centersOfDevices == nil {
            for position in 0..<UInt32(centers.count) {
                index[hasher.hash(self.device(position), 0), default: []].append(position)
            }
            centersOfDevices = index
        }
        return (index[hasher.hash(device, 0)] ?? []).filter { self.device($0) == device }
    }
}
