import PayloadJSON
import PushCompactStorage

/// Delivering the messages of a chunk that belong to one lane.
extension NotificationCenters {
    /// Messages whose state is touched together. Enough for their waits to overlap, and few enough for what they touch
    /// to stay in the first cache.
    package static var group: Int { 24 }

    /// Delivers the messages of a lane in their order, and writes their results. Messages without an effect are left
    /// alone. No journal is kept.
    package mutating func deliver(_ work: LaneWork, lane: Int) {
        // SOUND: every index is below the count of the work, whose results of other lanes are not touched; the
        // scratch memory has room for a group.
        guard let messages = unsafe work.messages else { return }
        var recorder = NoRecorder()
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.group) { group in
            var next = 0
            while next < work.count {
                var size = 0
                while next < work.count, size < Self.group {
                    let key = unsafe work.keys + next
                    if unsafe key.pointee.effect != .nothing && Int(key.pointee.lane) == lane {
                        unsafe group[size] = Int32(truncatingIfNeeded: next)
                        size += 1
                    }
                    next += 1
                }
                unsafe touch(work.keys, UnsafeBufferPointer(rebasing: group[..<size]))
                for place in 0..<size {
                    let index = unsafe Int(group[place])
                    nextOrder = work.firstOrder &+ UInt64(truncatingIfNeeded: index)
                    let key = unsafe work.keys + index
                    let record = unsafe key.pointee.record
                    let delivery = unsafe deliver(
                        key.pointee, messages + index, seq: work.firstSequence &+ UInt64(truncatingIfNeeded: record),
                        at: work.time &+ work.timePerRecord &* Int64(truncatingIfNeeded: record), recorder: &recorder)
                    unsafe work.results[index] = LaneResult(
                        outcome: delivery.outcome, replaces: delivery.replaces ?? 0, cleared: delivery.cleared)
                }
            }
        }
    }

    /// Loads what the deliveries of a lane's messages in a range are going to need, as long as they are as their keys say.
    ///
    /// - Parameter range: at most as many as one group.
    package mutating func prefetch(_ keys: UnsafePointer<DeliveryKey>, _ range: Range<Int>, lane: Int) {
        // SOUND: the caller vouches for the keys, and there is room for a group.
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.group) { group in
            var size = 0
            for index in range.prefix(Self.group) {
                let key = unsafe keys + index
                guard unsafe key.pointee.effect != .nothing && Int(key.pointee.lane) == lane else { continue }
                unsafe group[size] = Int32(truncatingIfNeeded: index)
                size += 1
            }
            unsafe touch(keys, UnsafeBufferPointer(rebasing: group[..<size]))
        }
    }

    /// Loads what the deliveries of a group are going to need into the processor's caches. One delivery after the other
    /// waits for memory several times; here the waits of different messages overlap.
    private mutating func touch(_ keys: UnsafePointer<DeliveryKey>, _ group: UnsafeBufferPointer<Int32>) {
        guard slots.count > Self.mostInCache else { return }
        // SOUND: every index is that of a key. A candidate is below the count of centers or slots, and
        // every block has at least two bytes.
        var sum: UInt64 = 0
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * Self.group) { candidates in
            for place in group.indices {
                let key = unsafe keys + Int(group[place])
                var center = unsafe centerIndex.firstCandidate(key.pointee.centerHash)
                // An app that is new here shares the name of its device, if that is known.
                if center == Self.none { center = unsafe deviceIndex.firstCandidate(key.pointee.deviceHash) }
                unsafe candidates[2 * place] = center
                unsafe candidates[2 * place + 1] =
                    key.pointee.identifier.isEmpty
                    ? Self.none : identifierIndex.firstCandidate(key.pointee.identifierHash)
            }
            for place in group.indices {
                let (center, slot) = unsafe (candidates[2 * place], candidates[2 * place + 1])
                if center != Self.none { sum &+= UInt64(self[center: center].hash) }
                if slot != Self.none { sum &+= self[slot: slot].seq }
            }
            for place in group.indices {
                let (center, slot) = unsafe (candidates[2 * place], candidates[2 * place + 1])
                if center != Self.none {
                    // The first byte is the count of the name, whose last byte may be in the next line.
                    let name = unsafe heap.address(self[center: center].device)
                    sum &+= unsafe UInt64(name[Int(name.pointee) % Self.nameTouched])
                }
                if slot != Self.none, self[slot: slot].text != .none {
                    sum &+= unsafe UInt64(heap.address(self[slot: slot].text).pointee)
                }
            }
        }
        touched &+= sum
    }

    /// Longer names are rare.
    private static var nameTouched: Int { 128 }

    /// Below this, everything is in a cache anyway.
    private static var mostInCache: Int { 8192 }
}
