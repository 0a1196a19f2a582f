package import PayloadJSON
import PushCompactStorage
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

    /// The same without a journal.
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
        if keeping == .everything || (key.hasTapOptions && keeping == .tapOptions) {
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
    /// A delivery waits for memory several times, each time at an address that it has just read. So what the messages of a group need is
    /// prefetched in steps, each for all of them.
    package mutating func deliver(_ work: LaneWork, lane: Int) {
        // SOUND: every index is below the count of the work, whose results of other lanes are not touched.
        guard let messages = unsafe work.messages else { return }
        var recorder = NoRecorder()
        var start = 0
        while start < work.count {
            let group = start..<min(start + Self.group, work.count)
            unsafe prefetch(work.keys, group, lane: lane)
            for index in group {
                let key = unsafe work.keys + index
                guard unsafe key.pointee.effect != .nothing && Int(key.pointee.lane) == lane else { continue }
                nextOrder = work.firstOrder &+ UInt64(truncatingIfNeeded: index)
                let record = unsafe key.pointee.record
                let delivery = unsafe deliver(
                    key.pointee, messages + index, seq: work.firstSequence &+ UInt64(truncatingIfNeeded: record),
                    at: work.time &+ work.timePerRecord &* Int64(truncatingIfNeeded: record), recorder: &recorder)
                unsafe work.results[index] = LaneResult(
                    outcome: delivery.outcome, replaces: delivery.replaces ?? 0, cleared: delivery.cleared)
            }
            start = group.upperBound
        }
    }

    /// Prefetches what the deliveries of a lane's messages in a range are going to need, as long as they are as their
    /// keys say.
    ///
    /// - Parameter range: at most as many as one group.
    package func prefetch(_ keys: UnsafePointer<DeliveryKey>, _ range: Range<Int>, lane: Int) {
        guard slots.count > Self.mostInCache else { return }
        // SOUND: the caller vouches for the keys, and there is room for a group. Candidates are below the counts of centers and slots, which
        // stay where they are, and a prefetch may be of any address.
        unsafe withUnsafeTemporaryAllocation(of: Prefetch.self, capacity: Self.group) { group in
            var size = 0
            for index in range {
                let key = unsafe keys + index
                guard unsafe key.pointee.effect != .nothing && Int(key.pointee.lane) == lane else { continue }
                unsafe group[size] = Prefetch(index: index)
                size += 1
                unsafe Memory.prefetch(centerIndex.address(key.pointee.centerHash))
                unsafe Memory.prefetch(deviceIndex.address(key.pointee.deviceHash))
                if unsafe !key.pointee.identifier.isEmpty {
                    unsafe Memory.prefetch(identifierIndex.address(key.pointee.identifierHash))
                }
            }
            for place in 0..<size {
                let key = unsafe keys + group[place].index
                var center = unsafe centerIndex.firstCandidate(key.pointee.centerHash)
                // An app that is new here shares the name of its device, if that is known.
                if center == Self.none { center = unsafe deviceIndex.firstCandidate(key.pointee.deviceHash) }
                unsafe group[place].center = center
                if center != Self.none { unsafe Memory.prefetch(centers.address(center)) }
                guard unsafe !key.pointee.identifier.isEmpty else { continue }
                let slot = unsafe identifierIndex.firstCandidate(key.pointee.identifierHash)
                unsafe group[place].slot = slot
                if slot != Self.none { unsafe Memory.prefetch(slots.address(slot)) }
            }
            for place in 0..<size {
                let found = unsafe group[place]
                if found.center != Self.none {
                    // Names that take more than two lines of the cache are rare.
                    let device = unsafe heap.address(centers.address(found.center).pointee.device)
                    unsafe Memory.prefetch(device)
                    unsafe Memory.prefetch(device + Self.cacheLine)
                }
                guard found.slot != Self.none else { continue }
                let text = unsafe slots.address(found.slot).pointee.text
                if text != .none { unsafe Memory.prefetch(heap.address(text)) }
            }
        }
    }

    /// A message of a group, and what its delivery is going to need, as far as it is known.
    private struct Prefetch {
        let index: Int
        var center = NotificationCenters.none
        var slot = NotificationCenters.none
    }

    /// Messages that are prefetched together.
    package static var group: Int { 32 }

    /// With fewer slots, everything is in a cache anyway.
    private static var mostInCache: Int { 8192 }

    private static var cacheLine: Int { 64 }
}
