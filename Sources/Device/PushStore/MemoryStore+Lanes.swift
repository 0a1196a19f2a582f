package import DeviceScreens
import PayloadJSON

/// The devices of a store in memory in lanes, so that several threads deliver to them.
extension MemoryStore: LaneStore {
    package var laneCount: Int { parts.count }

    /// A journal has one order.
    package var obstacle: String? { isJournaling ? "journal" : nil }

    /// The store, whose devices are independent of each other.
    package var lanes: (any LaneStore)? { self }

    /// Divides the devices into lanes, unless that was done before or there are devices already.
    package func divide(into lanes: Int) {
        guard !isDivided else { return }
        isDivided = true
        // With a journal they would not be used, and the order in which apps were first seen would be lost.
        guard obstacle == nil, lanes != parts.count, parts.allSatisfy({ $0.centers.centerCount == 0 }) else { return }
        parts = (0..<max(lanes, 1)).map { _ in MemoryLane(keeping, hasher) }
        for part in parts {
            part.centers.replacement = rule
            part.centers.mostOnAndroid = androidLimit
        }
    }

    package func takeOrder(_ messages: Int) -> UInt64 {
        defer { nextOrder &+= UInt64(truncatingIfNeeded: messages) }
        return nextOrder
    }

    @unsafe
    package func prefetch(_ keys: UnsafePointer<DeliveryKey>, _ range: Range<Int>) {
        // SOUND: passes the keys on.
        for (lane, part) in parts.enumerated() { unsafe part.centers.prefetch(keys, range, lane: lane) }
    }

    package func deliver(_ work: LaneWork, lane: Int) { parts[lane].centers.deliver(work, lane: lane) }
}

/// The devices of one lane of a store in memory, which one thread at a time uses.
final class MemoryLane {
    // SOUND: nothing that a mutation calls comes back here, so the dynamic exclusivity check, which costs a fifth of
    // a delivery, would find nothing.
    @exclusivity(unchecked) private var uncheckedCenters: NotificationCenters
    var centers: NotificationCenters {
        _read { yield unsafe uncheckedCenters }
        _modify { yield unsafe &uncheckedCenters }
    }

    init(_ keeping: NotificationCenters.Keeping, _ hasher: SeededHash) {
        unsafe uncheckedCenters = NotificationCenters(keeping: keeping, hasher: hasher)
    }
}
