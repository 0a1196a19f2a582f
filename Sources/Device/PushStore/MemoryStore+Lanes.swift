package import DeviceScreens
package import PushDevices

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

    package func takeOrder(_ messages: Int, placesEach: UInt64) -> UInt64 {
        defer { nextOrder &+= UInt64(truncatingIfNeeded: messages) &* placesEach }
        if delivered != .max { delivered += messages }
        return nextOrder
    }

    @unsafe
    package func prefetch(_ keys: UnsafePointer<DeliveryKey>, _ range: Range<Int>) {
        // SOUND: passes the keys on.
        for (lane, part) in parts.enumerated() { unsafe part.centers.prefetch(keys, range, lane: lane) }
    }

    package func deliver(_ work: LaneWork, lane: Int) { parts[lane].centers.deliver(work, lane: lane) }

    package func registry(ofLane lane: Int) -> DeviceRegistry { parts[lane].registry }

    package func screens(ofLane lane: Int) -> any LaneScreens { parts[lane] }

    package func divideDevices() -> Bool {
        guard !areDevicesDivided else { return true }
        guard parts.count > 1, !hasLiveActivities, removals.isEmpty, wholeRegistry.isDivisible,
            delivered >= wholeRegistry.loadedCount
        else { return false }
        wholeRegistry.divide(among: parts.map(\.registry)) { DeliveryKey.lane(of: $0, hasher, lanes: parts.count) }
        areDevicesDivided = true
        delivered = 0
        return true
    }

    /// Puts the devices of all lanes together again. Not while a lane is at work.
    func joinDevices() {
        guard areDevicesDivided else { return }
        areDevicesDivided = false
        wholeRegistry.join(parts.map(\.registry))
    }
}
