package import PushJSON
package import PushModel
import PushSystem

extension NotificationCenters {
    /// Delivers a message to its device.
    ///
    /// - Parameters:
    ///   - seq: the record's number.
    ///   - at: milliseconds since the epoch.
    package mutating func deliver(
        _ message: DecodedMessage, seq: UInt64, at: Int64, recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        // SOUND: the pointer is used only within the closure.
        unsafe withUnsafePointer(to: message) { message in
            unsafe deliver(DeliveryKey(message, hasher, lanes: 1), message, seq: seq, at: at, recorder: &recorder)
        }
    }

    /// Delivers a message to its device, without a journal.
    package mutating func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) -> Delivery {
        var recorder = NoRecorder()
        return deliver(message, seq: seq, at: at, recorder: &recorder)
    }

    /// Delivers a message whose key is known. The message itself is read only for what its key does not have.
    @inline(__always)
    @unsafe
    mutating func deliver(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        // SOUND: the caller vouches for the message.
        guard key.effect != .nothing else { return Delivery(outcome: .silent) }
        let center =
            find(device: key.device, app: key.app, hash: key.centerHash)
            ?? addCenter(device: key.device, key.deviceHash, app: key.app, hash: key.centerHash)
        var cleared = 0
        if key.setsBadge {
            // Most badges come with something to show and are not 0.
            if key.clearsScreen || (key.effect == .badge && recorder.isListening) {
                cleared = unsafe followBadge(key, message.pointee, seq: seq, at: at, center: center, &recorder)
            }
            setBadge(key.badge, of: center)
            recorder.setBadge(key.badge, center: Int(center))
        }
        var delivery = Delivery(outcome: key.effect == .screen ? .delivered : .silent)
        if key.effect == .screen {
            if key.hasCustomID {
                delivery = unsafe repost(key, message, seq: seq, at: at, center: center, &recorder)
            } else {
                unsafe show(key, message, seq: seq, at: at, center: center, &delivery, &recorder)
            }
        }
        delivery.cleared = cleared
        return delivery
    }

    /// Does what a new badge brings about, and journals one that comes alone, before it is set. Returns how many notifications it removed.
    @inline(never)
    private mutating func followBadge(
        _ key: DeliveryKey, _ message: DecodedMessage, seq: UInt64, at: Int64, center: UInt32,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Int {
        let before = self[center: center].badge ?? 0
        var cleared = 0
        if key.clearsScreen, before != 0 {
            cleared = removeAll(in: center, for: message, seq: seq, at: at, &recorder)
        }
        if key.effect == .badge, key.badge != before, recorder.isListening {
            BorrowedText.with(String(key.badge)) {
                recorder.record(.badgeSet, seq: seq, at: at, center: Int(center), message, identifier: $0)
            }
        }
        return cleared
    }

    /// Removes the notifications of an app because a push has set its badge to 0. Returns how many there were.
    private mutating func removeAll(
        in center: UInt32, for message: DecodedMessage, seq: UInt64, at: Int64,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Int {
        guard self[center: center].shown > 0 else { return 0 }
        let shown = slots(in: center)
        for slot in shown { remove(slot, as: .cleared, for: message, seq: seq, at: at, &recorder) }
        return shown.count
    }

    /// Adds a notification to its app's screen, replacing one with the same identifier.
    @inline(__always)
    @unsafe
    mutating func show(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64, center: UInt32,
        _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        // SOUND: the caller vouches for the message.
        if key.mayEqualGenerated { indexGenerated() }
        if !key.identifier.isEmpty {
            unsafe show(key, message, as: key.identifier, seq: seq, at: at, center: center, &delivery, &recorder)
        } else if indexesGenerated || recorder.isListening {
            GeneratedIdentifier(seq: seq, target: key.targetIndex).withBorrowedText { identifier in
                var key = key
                key.identifierHash = indexesGenerated ? hasher.hash(identifier, salt(center)) : 0
                unsafe show(key, message, as: identifier, seq: seq, at: at, center: center, &delivery, &recorder)
            }
        } else if isFull(center, for: key) {
            delivery.outcome = .suppressed
        } else {
            // Nothing else has this identifier, and nobody needs its text.
            insert(unsafe entry(key, message, seq: seq, at: at), hash: 0, in: center)
        }
    }

    @inline(__always)
    @unsafe
    private mutating func show(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, as identifier: BorrowedText, seq: UInt64,
        at: Int64,
        center: UInt32, _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        // SOUND: the caller vouches for the message.
        let isIndexed = !key.identifier.isEmpty || indexesGenerated
        let found = isIndexed ? findIdentifier(identifier, key.identifierHash, center) : nil
        if found == nil, isFull(center, for: key) {
            delivery.outcome = .suppressed
            return unsafe recorder.record(
                .suppressed, seq: seq, at: at, center: Int(center), message.pointee, identifier: identifier)
        }
        var event = JournalKind.delivered
        let entry = unsafe entry(key, message, seq: seq, at: at)
        if let found {
            if delivery.outcome == .delivered {
                delivery.outcome = .replaced
                delivery.replaces = self[slot: found].seq
            }
            event = .replaced
            recorder.remove(order: self[slot: found].order)
            if canRenew(found, with: entry) {
                renew(found, with: entry)
            } else {
                remove(found)
                insert(entry, hash: key.identifierHash, in: center)
            }
        } else {
            insert(entry, hash: key.identifierHash, in: center)
        }
        unsafe recorder.add(
            order: entry.order, message.pointee, seq: seq, at: at, center: Int(center), identifier: identifier)
        unsafe recorder.record(
            event, seq: seq, at: at, center: Int(center), message.pointee, identifier: identifier)
    }

    /// True if Android drops the notification of a message: its app shows as many as it may, and none with its identifier.
    package mutating func isFull(for message: DecodedMessage) -> Bool {
        // SOUND: the pointer is used only within the closure.
        unsafe withUnsafePointer(to: message) { message in
            let key = unsafe DeliveryKey(message, hasher, lanes: 1)
            guard key.effect == .screen, let center = find(device: key.device, app: key.app, hash: key.centerHash),
                isFull(center, for: key)
            else { return false }
            return key.identifier.isEmpty || findIdentifier(key.identifier, in: center) == nil
        }
    }

    /// True if Android drops a further notification of the app. An update of a shown tag passes.
    /// Source: AOSP, `NotificationManagerService`, "Allow updating existing notification".
    @inline(__always)
    private func isFull(_ center: UInt32, for key: DeliveryKey) -> Bool {
        key.isAndroid && self[center: center].shown >= mostOnAndroid
    }

    @inline(__always)
    @unsafe
    private mutating func entry(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64
    ) -> Entry {
        // SOUND: the caller vouches for the message.
        let order = nextOrder
        nextOrder &+= 1
        var entry = Entry(
            order: order, seq: seq, at: at, target: key.targetIndex,
            identifier: key.identifier.isEmpty ? nil : key.identifier,
            customID: key.hasCustomID ? unsafe message.pointee.content.customID : nil,
            platform: key.isAndroid ? .android : .ios)
        switch keeping {
        case .nothing: break
        case .tapOptions where key.hasTapOptions:
            switch unsafe message.pointee.content.tapOptions {
            case .none: break
            case .action(let text): entry.tapText = text
            case .payload: entry.tapText = unsafe message.pointee.payload
            }
        case .tapOptions: break
        case .everything:
            entry.payload = unsafe message.pointee.payload
            entry.changes = unsafe message.pointee.changes
            entry.provider = unsafe message.pointee.provider
            entry.platform = unsafe message.pointee.platform
        }
        return entry
    }

    /// Adds a journal line about a message that is not shown.
    ///
    /// - Parameter subject: the subject of the line; nil for the message's notification.
    package mutating func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText? = nil, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let center = Int(center(device: message.device, app: message.app))
        guard recorder.isListening else { return }
        if let identifier = subject ?? message.identifier {
            recorder.record(event, seq: seq, at: at, center: center, message, identifier: identifier)
        } else {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText {
                recorder.record(event, seq: seq, at: at, center: center, message, identifier: $0)
            }
        }
    }
}

/// Requests of an extension that remove the notifications with the same custom id.
extension NotificationCenters {
    /// Shows a notification that has a custom id. If it starts the extension, those with the same id are removed, before or
    /// after it appears.
    ///
    /// - Parameter at: when the extension asks for the removal, in milliseconds since the epoch.
    @unsafe
    mutating func repost(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64, center: UInt32,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        // SOUND: the caller vouches for the message.
        var delivery = Delivery(outcome: .delivered)
        guard unsafe message.pointee.startsServiceExtension, let customID = unsafe message.pointee.content.customID,
            newest(withCustomID: customID, in: center) != nil
        else {
            unsafe show(key, message, seq: seq, at: at, center: center, &delivery, &recorder)
            return delivery
        }
        let removal = replacement?.removal ?? .immediate
        let wait = replacement?.wait.milliseconds ?? 0
        let effect = removal.effect(waiting: wait)
        var late: [String] = []
        switch effect {
        case .before:
            unsafe removeSame(
                customID, for: message, seq: seq, at: at &+ removal.delay, center: center, &delivery, &recorder)
        // The new one is not among them: the extension has looked before it appears.
        case .after, .lost: late = identifiersOfSame(customID, center, isLost: effect == .lost)
        }
        let shownAt = at &+ wait
        unsafe show(key, message, seq: seq, at: shownAt, center: center, &delivery, &recorder)
        if !late.isEmpty {
            removeLate(
                late, askedBy: unsafe message.pointee, seq: seq, shownAt: shownAt,
                due: effect == .after ? at &+ removal.delay : nil, recorder: &recorder)
        }
        return delivery
    }

    /// Removes the notifications with a custom id, or the oldest of them.
    @unsafe
    private mutating func removeSame(
        _ customID: BorrowedText, for message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64, center: UInt32,
        _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        // SOUND: the caller vouches for the message.
        // Oldest first, as in the notification center's own list.
        while let newest = newest(withCustomID: customID, in: center) {
            let oldest = customIDs.oldest(upTo: newest)
            delivery.replaces = max(delivery.replaces ?? 0, self[slot: oldest].seq)
            delivery.outcome = .reposted
            unsafe remove(oldest, as: .removed, for: message.pointee, seq: seq, at: at, &recorder)
            if replacement?.match == .first { return }
        }
    }

    /// The identifiers of the notifications with a custom id, oldest first, or that of the oldest.
    ///
    /// Those that are stale already are left out where naming them again changes nothing: a removal that was lost is not
    /// lost again, and a generated identifier does not come back after its removal. So a flood of pushes with one id costs
    /// no more for each than the ones before it have left behind.
    private func identifiersOfSame(_ customID: BorrowedText, _ center: UInt32, isLost: Bool) -> [String] {
        guard let newest = newest(withCustomID: customID, in: center) else { return [] }
        var identifiers: [String] = []
        // Newest first: those that were stale before are the oldest ones.
        var next = replacement?.match == .first ? customIDs.oldest(upTo: newest) : newest
        while next != Self.none {
            let slot = self[slot: next]
            let isKnown = stale.contains(next) && (isLost || texts(of: slot).first.isEmpty)
            if !isKnown { identifiers.append(withIdentifier(of: slot) { $0.string }) }
            // All that are older are known, too.
            if isKnown, isLost || staleChosenCount == 0 { break }
            next = customIDs.older(than: next)
        }
        return identifiers.reversed()
    }
}

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

    // MARK: - The steps of prefetching

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

    /// Names that take more than two lines of the cache are rare.
    @inline(__always)
    private func prefetchTexts(_ message: Prefetch) {
        // SOUND: the same. Centers and slots stay where they are, and have the text that they had or another.
        if message.center != Self.none {
            let device = unsafe heap.address(centers.address(message.center).pointee.device)
            unsafe Memory.prefetch(device)
            unsafe Memory.prefetch(device + Self.cacheLine)
        }
        guard message.slot != Self.none else { return }
        let text = unsafe slots.address(message.slot).pointee.text
        if text != .none { unsafe Memory.prefetch(heap.address(text)) }
    }

    /// Messages that are prefetched together where one is delivered at a time.
    package static var group: Int { 24 }

    /// Messages between two steps of prefetching.
    private static var distance: UInt { 8 }

    /// Room for the messages from the first step to their delivery. A power of two.
    private static var ringSize: UInt { 32 }

    /// The number of slots up to which everything is in a cache anyway.
    private static var mostInCache: Int { 8192 }

    private static var cacheLine: Int { 64 }
}
