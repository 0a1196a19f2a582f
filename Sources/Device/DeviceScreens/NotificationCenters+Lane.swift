import PayloadJSON
import PushCompactStorage
package import PushModel
import PushSystem

/// Delivering the messages of a chunk that belong to one lane.
extension NotificationCenters {
    /// Delivers the messages of a lane in their order, and writes their results. Messages without an effect are left
    /// alone. No journal is kept.
    ///
    /// A delivery waits for memory several times, each time at an address that it has just read. So messages go through
    /// the steps of prefetching first, `distance` messages apart: what one step asks for is there when the next reads it.
    package mutating func deliver(_ work: LaneWork, lane: Int) {
        // SOUND: every index is below the count of the work, whose results of other lanes are not touched; the ring has
        // room for all messages between the first step and their delivery.
        guard let messages = unsafe work.messages else { return }
        let prefetches = slots.count > Self.mostInCache
        var recorder = NoRecorder()
        unsafe withUnsafeTemporaryAllocation(of: Prefetch.self, capacity: Int(Self.ringSize)) { ring in
            // Index of the next message of the chunk, number of the lane's messages before it, and the step of the ring.
            var next = 0
            var entered: UInt = 0
            var step: UInt = 0
            while next < work.count || step < entered &+ 3 &* Self.distance {
                while next < work.count {
                    let key = unsafe work.keys + next
                    next &+= 1
                    guard unsafe key.pointee.effect != .nothing && Int(key.pointee.lane) == lane else { continue }
                    let place = Int(entered % Self.ringSize)
                    unsafe ring[place] = Prefetch(key)
                    if prefetches { unsafe prefetchPlaces(ring[place]) }
                    entered &+= 1
                    break
                }
                // Before the first message these are large numbers.
                let second = step &- Self.distance
                let third = step &- 2 &* Self.distance
                let last = step &- 3 &* Self.distance
                step &+= 1
                if prefetches {
                    if second < entered { unsafe prefetchRows(&ring[Int(second % Self.ringSize)]) }
                    if third < entered { unsafe prefetchTexts(ring[Int(third % Self.ringSize)]) }
                }
                guard last < entered else { continue }
                let key = unsafe ring[Int(last % Self.ringSize)].key
                let index = unsafe key - work.keys
                nextOrder = work.firstOrder &+ UInt64(truncatingIfNeeded: index)
                let record = unsafe key.pointee.record
                let delivery = unsafe deliver(
                    key.pointee, messages + index, seq: work.firstSequence &+ UInt64(truncatingIfNeeded: record),
                    at: work.time &+ work.timePerRecord &* Int64(truncatingIfNeeded: record), recorder: &recorder)
                unsafe work.results[index] = LaneResult(
                    outcome: delivery.outcome, replaces: delivery.replaces ?? 0, cleared: delivery.cleared)
            }
        }
    }

    /// Prefetches what the deliveries of a lane's messages in a range are going to need, as long as they are as their
    /// keys say.
    ///
    /// - Parameter range: at most as many as one group.
    package func prefetch(_ keys: UnsafePointer<DeliveryKey>, _ range: Range<Int>, lane: Int) {
        guard slots.count > Self.mostInCache else { return }
        // SOUND: the caller vouches for the keys, and there is room for a group.
        unsafe withUnsafeTemporaryAllocation(of: Prefetch.self, capacity: Self.group) { group in
            var size = 0
            for index in range.prefix(Self.group) {
                let key = unsafe keys + index
                guard unsafe key.pointee.effect != .nothing && Int(key.pointee.lane) == lane else { continue }
                unsafe group[size] = Prefetch(key)
                size += 1
            }
            for place in 0..<size { unsafe prefetchPlaces(group[place]) }
            for place in 0..<size { unsafe prefetchRows(&group[place]) }
            for place in 0..<size { unsafe prefetchTexts(group[place]) }
        }
    }

    /// The same for messages without keys: prefetches the apps on devices of those that are going to be delivered.
    ///
    /// - Parameter range: any part of the messages.
    package func prefetch(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ range: Range<Int>) {
        guard centers.count > Self.mostInCache else { return }
        // SOUND: the range is within the messages, for which the caller vouches; a candidate is below the count of centers, and a prefetch
        // may be of any address.
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: range.count) { found in
            var size = 0
            for index in range {
                guard case .accepted = unsafe messages[index].verdict else { continue }
                unsafe found[size] = unsafe centerHash(messages[index].device, messages[index].app)
                unsafe Memory.prefetch(centerIndex.address(found[size]))
                size += 1
            }
            for place in 0..<size {
                unsafe found[place] = unsafe centerIndex.firstCandidate(found[place])
                guard unsafe found[place] != Self.none else { continue }
                unsafe Memory.prefetch(centers.address(found[place]))
                unsafe lists.prefetch(found[place])
            }
            for place in 0..<size {
                guard case let center = unsafe found[place], center != Self.none else { continue }
                unsafe prefetchName(ofDevice: centers.address(center).pointee.device)
                lists.prefetchNewest(center)
            }
        }
    }

    @inline(__always)
    private func prefetchName(ofDevice device: TextReference) {
        // SOUND: a prefetch may be of any address.
        let name = unsafe heap.address(device)
        unsafe Memory.prefetch(name)
        unsafe Memory.prefetch(name + Self.cacheLine)
    }

    /// Messages that are prefetched together where one is delivered at a time.
    package static var group: Int { 24 }

    /// Messages between two steps of prefetching.
    private static var distance: UInt { 8 }

    /// Room for the messages from the first step to their delivery. A power of two.
    private static var ringSize: UInt { 32 }

    /// With fewer slots, everything is in a cache anyway.
    private static var mostInCache: Int { 8192 }
}

/// The steps of prefetching.
extension NotificationCenters {
    /// The memory that the delivery of a message will need, as far as it is known.
    @safe  // SOUND: whoever makes one vouches for the key.
    private struct Prefetch {
        let key: UnsafePointer<DeliveryKey>
        /// `none` when there is none.
        var center = NotificationCenters.none
        var slot = NotificationCenters.none

        @unsafe
        init(_ key: UnsafePointer<DeliveryKey>) {
            // SOUND: stores the address, for which the caller vouches.
            unsafe self.key = unsafe key
        }
    }

    @inline(__always)
    private func prefetchPlaces(_ message: Prefetch) {
        // SOUND: the key is valid as long as the message; a prefetch may be of any address.
        unsafe Memory.prefetch(centerIndex.address(message.key.pointee.centerHash))
        unsafe Memory.prefetch(deviceIndex.address(message.key.pointee.deviceHash))
        guard unsafe !message.key.pointee.identifier.isEmpty else { return }
        unsafe Memory.prefetch(identifierIndex.address(message.key.pointee.identifierHash))
    }

    @inline(__always)
    private func prefetchRows(_ message: inout Prefetch) {
        // SOUND: the same, and a candidate is below the count of centers or slots.
        var center = unsafe centerIndex.firstCandidate(message.key.pointee.centerHash)
        // An app that is new here shares the name of its device, if that is known.
        if center == Self.none { center = unsafe deviceIndex.firstCandidate(message.key.pointee.deviceHash) }
        if center != Self.none {
            message.center = center
            unsafe Memory.prefetch(centers.address(center))
        }
        guard unsafe !message.key.pointee.identifier.isEmpty else { return }
        message.slot = unsafe identifierIndex.firstCandidate(message.key.pointee.identifierHash)
        if message.slot != Self.none { unsafe Memory.prefetch(slots.address(message.slot)) }
    }

    /// Longer names than those of two lines are rare.
    @inline(__always)
    private func prefetchTexts(_ message: Prefetch) {
        // SOUND: the same. Centers and slots stay where they are, and have the text that they had or another.
        if message.center != Self.none { unsafe prefetchName(ofDevice: centers.address(message.center).pointee.device) }
        guard message.slot != Self.none else { return }
        let text = unsafe slots.address(message.slot).pointee.text
        if text != .none { unsafe Memory.prefetch(heap.address(text)) }
    }

    private static var cacheLine: Int { 64 }
}
