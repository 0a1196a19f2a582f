import CompactStorage
import PayloadJSON
import PushModel
import SystemSupport

/// Lookups, insertion and removal of centers and slots.
extension NotificationCenters {
    // MARK: - Centers

    func salt(_ center: UInt32) -> UInt64 { UInt64(center) &* 0x9E37_79B9_7F4A_7C15 }

    func centerHash(_ device: BorrowedText, _ app: BorrowedText) -> UInt32 {
        hasher.hash(device, UInt64(hasher.hash(app, 0)))
    }

    func find(device: BorrowedText, app: BorrowedText, hash: UInt32) -> UInt32? {
        centerIndex.find(hash) { position in
            self[center: position].device == device && self[center: position].app == app
        }
    }

    mutating func center(device: BorrowedText, app: BorrowedText) -> UInt32 {
        let hash = centerHash(device, app)
        if let known = find(device: device, app: app, hash: hash) { return known }
        // SOUND: the block has room for both, and a borrowed text has `count` readable bytes.
        let key = unsafe heap.allocate(device.count + app.count)
        unsafe Memory.copy(device.start, to: key, count: device.count)
        unsafe Memory.copy(app.start, to: key + device.count, count: app.count)
        let position = UInt32(centers.count)
        centers.append(
            unsafe Center(
                key: key, deviceCount: UInt32(device.count), appCount: UInt32(app.count), first: Self.none,
                last: Self.none, count: 0, hash: hash, badge: nil))
        centerIndex.insert(hash, position)
        centersOfDevices?[hasher.hash(device, 0), default: []].append(position)
        return position
    }

    // MARK: - Slots

    func findIdentifier(_ identifier: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        identifierIndex.find(hash) { position in
            guard self[slot: position].center == center else { return false }
            return withIdentifier(of: self[slot: position]) { $0 == identifier }
        }
    }

    func findCustomID(_ customID: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        customIDIndex.find(hash) { position in
            self[slot: position].center == center && self[slot: position].customID == customID
        }
    }

    func withIdentifier<Result>(of slot: Slot, _ body: (BorrowedText) throws -> Result) rethrows -> Result {
        if slot.identifierCount > 0, let texts = unsafe slot.texts {
            // SOUND: the identifier is the first of the slot's texts.
            return try body(unsafe BorrowedText(start: texts, count: Int(slot.identifierCount)))
        }
        let target = slot.target == 0 ? nil : Int(slot.target - 1)
        return try GeneratedIdentifier(seq: slot.seq, target: target).withText(body)
    }

    mutating func insert(_ entry: Entry, hash: UInt32, in center: UInt32) {
        let identifier = entry.identifier ?? .empty
        let customID = entry.customID ?? .empty
        let size = identifier.count + customID.count + entry.payload.count + entry.changes.count
        var texts: UnsafeMutablePointer<UInt8>?
        if size > 0 {
            // SOUND: `size` is the sum of the four counts, and a borrowed text has `count` readable bytes.
            let block = unsafe heap.allocate(size)
            unsafe Memory.copy(identifier.start, to: block, count: identifier.count)
            unsafe Memory.copy(customID.start, to: block + identifier.count, count: customID.count)
            let payload = unsafe block + identifier.count + customID.count
            unsafe Memory.copy(entry.payload.start, to: payload, count: entry.payload.count)
            unsafe Memory.copy(entry.changes.start, to: payload + entry.payload.count, count: entry.changes.count)
            unsafe texts = block
        }
        var slot = unsafe Slot(
            order: entry.order, seq: entry.seq, at: entry.at, texts: texts, identifierCount: UInt32(identifier.count),
            customIDCount: UInt32(customID.count), payloadCount: UInt32(entry.payload.count),
            changesCount: UInt32(entry.changes.count),
            target: entry.target.map { UInt32(truncatingIfNeeded: $0 &+ 1) } ?? 0, center: center,
            previous: self[center: center].last, next: Self.none, olderOfCustomID: Self.none,
            newerOfCustomID: Self.none, identifierHash: hash,
            customIDHash: 0, provider: entry.provider, platform: entry.platform, hasCustomID: entry.customID != nil)

        let position = firstFree == Self.none ? UInt32(slots.count) : firstFree
        if let customID = entry.customID {
            // The index finds the newest notification of an id; each links to the next older one.
            slot.customIDHash = hasher.hash(customID, salt(center))
            if let newest = findCustomID(customID, slot.customIDHash, center) {
                customIDIndex.remove(slot.customIDHash, newest)
                slot.olderOfCustomID = newest
                self[slot: newest].newerOfCustomID = position
            }
            customIDIndex.insert(slot.customIDHash, position)
        }
        if position == slots.count {
            slots.append(slot)
        } else {
            firstFree = self[slot: position].next
            freeCount -= 1
            self[slot: position] = slot
        }
        identifierIndex.insert(hash, position)

        if slot.previous != Self.none { self[slot: slot.previous].next = position }
        self[center: center].append(position)
    }

    mutating func remove(_ position: UInt32) {
        let slot = self[slot: position]
        identifierIndex.remove(slot.identifierHash, position)
        if slot.hasCustomID { unlinkCustomID(position, slot) }
        self[center: slot.center].unlink(slot)
        if slot.previous != Self.none { self[slot: slot.previous].next = slot.next }
        if slot.next != Self.none { self[slot: slot.next].previous = slot.previous }
        // SOUND: allocated in `insert` with the same count. The slot forgets it at once.
        if let texts = unsafe slot.texts { unsafe heap.deallocate(texts, slot.textCount) }
        self[slot: position].release(next: firstFree)
        firstFree = position
        freeCount += 1
    }

    private mutating func unlinkCustomID(_ position: UInt32, _ slot: Slot) {
        let (older, newer) = (slot.olderOfCustomID, slot.newerOfCustomID)
        if older != Self.none { self[slot: older].newerOfCustomID = newer }
        if newer != Self.none {
            self[slot: newer].olderOfCustomID = older
        } else {
            customIDIndex.remove(slot.customIDHash, position)
            if older != Self.none { customIDIndex.insert(slot.customIDHash, older) }
        }
    }
}

extension NotificationCenters.Center {
    var keyCount: Int { Int(deviceCount) + Int(appCount) }
    // SOUND: `key` has `keyCount` bytes, of which the device's name is first.
    var device: BorrowedText { unsafe BorrowedText(start: key, count: Int(deviceCount)) }
    var app: BorrowedText { unsafe BorrowedText(start: key + Int(deviceCount), count: Int(appCount)) }

    /// Adds a slot as the newest one.
    fileprivate mutating func append(_ position: UInt32) {
        if last == NotificationCenters.none { first = position }
        last = position
        count += 1
    }

    fileprivate mutating func unlink(_ slot: NotificationCenters.Slot) {
        if slot.previous == NotificationCenters.none { first = slot.next }
        if slot.next == NotificationCenters.none { last = slot.previous }
        count -= 1
    }
}

extension NotificationCenters.Slot {
    var textCount: Int { Int(identifierCount) + Int(customIDCount) + Int(payloadCount) + Int(changesCount) }
    var customID: BorrowedText { text(from: Int(identifierCount), count: customIDCount) }
    var payload: BorrowedText { text(from: Int(identifierCount + customIDCount), count: payloadCount) }
    var changes: BorrowedText { text(from: textCount - Int(changesCount), count: changesCount) }

    private func text(from start: Int, count: UInt32) -> BorrowedText {
        guard let texts = unsafe texts else { return .empty }
        // SOUND: `texts` has `textCount` bytes, and the ranges above are within it.
        return unsafe BorrowedText(start: texts + start, count: Int(count))
    }

    /// Makes the slot a part of the free list.
    fileprivate mutating func release(next free: UInt32) {
        unsafe texts = nil
        next = free
    }
}
