import CompactStorage
package import PayloadJSON
package import PushModel
import SystemSupport

/// The delivered notifications of every app on every device, in memory.
///
/// Pure state: it reads no clock and does no I/O. Changes that a delivery makes are reported to a `DeliveryRecorder`,
/// in the order in which they happen. Delivery is expected O(1) in the number of devices and notifications.
///
/// A notification takes 88 bytes, up to 24 for each index entry (two with a custom id), and its texts rounded up to 16
/// bytes.
package struct NotificationCenters: ~Copyable {
    /// One app on one device.
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

    var centers = PagedStorage<Center>()
    var slots = PagedStorage<Slot>()
    /// Free list of slots of removed notifications, linked by `next`.
    private var firstFree = NotificationCenters.none
    private var freeCount = 0
    private var centerIndex = HashIndex()
    private var identifierIndex = HashIndex()
    private var customIDIndex = HashIndex()
    /// Positions of the centers of each device, by the device's hash; built on first use.
    private var centersOfDevices: [UInt32: [UInt32]]?
    private var heap = TextHeap()
    private let hasher = SeededHash()
    /// Whether payloads are kept. A store that keeps them elsewhere needs only what replacement uses.
    private let keepsPayloads: Bool
    /// The next notification's position in the order of delivery.
    package private(set) var nextOrder: UInt64

    package init(keepsPayloads: Bool, nextOrder: UInt64 = 1) {
        self.keepsPayloads = keepsPayloads
        self.nextOrder = nextOrder
    }

    deinit { freeLargeTexts() }

    /// Frees the texts that are too large for the heap to own. They are rare.
    private func freeLargeTexts() {
        guard heap.largeCount > 0 else { return }
        for position in 0..<UInt32(centers.count) {
            TextHeap.freeIfLarge(centers[position].pointee.key, centers[position].pointee.keyCount)
        }
        for position in 0..<UInt32(slots.count) {
            let slot = slots[position].pointee
            if let texts = slot.texts { TextHeap.freeIfLarge(texts, slot.textCount) }
        }
    }

    /// Notifications on all screens.
    package var count: Int { slots.count - freeCount }

    /// Known apps on devices, with or without notifications.
    package var centerCount: Int { centers.count }

    /// Delivers a message to its device.
    ///
    /// - Parameters:
    ///   - seq: the record's number.
    ///   - at: milliseconds since the epoch.
    package mutating func deliver(
        _ message: PushMessage, seq: UInt64, at: Int64, recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        let isShown = message.isShown && !message.isUnlisted
        guard isShown || message.content.badge != nil else { return Delivery(outcome: .silent) }
        let center = center(device: message.device, app: message.app)
        if let badge = message.content.badge {
            centers[center].pointee.badge = badge
            recorder.setBadge(badge, center: Int(center))
        }
        guard isShown else { return Delivery(outcome: .silent) }

        var delivery = Delivery(outcome: .delivered)
        if let customID = message.content.customID, message.startsServiceExtension {
            // The extension finds the notifications with the same custom id and removes them before this one appears.
            let hash = hasher.hash(customID, salt(center))
            while let found = findCustomID(customID, hash, center) {
                let slot = slots[found].pointee
                delivery.replaces = max(delivery.replaces ?? 0, slot.seq)
                delivery.outcome = .reposted
                recorder.remove(order: slot.order)
                withIdentifier(of: slot) { identifier in
                    recorder.record(.removed, seq: seq, at: at, center: Int(center), message, identifier: identifier)
                }
                remove(found)
            }
        }
        if let identifier = message.identifier {
            show(message, seq: seq, at: at, center: center, identifier: identifier, &delivery, &recorder)
        } else {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText { identifier in
                show(message, seq: seq, at: at, center: center, identifier: identifier, &delivery, &recorder)
            }
        }
        return delivery
    }

    /// Adds a notification to its app's screen, replacing one with the same identifier.
    private mutating func show(
        _ message: PushMessage, seq: UInt64, at: Int64, center: UInt32, identifier: BorrowedText,
        _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let hash = hasher.hash(identifier, salt(center))
        var event = JournalKind.delivered
        if let found = findIdentifier(identifier, hash, center) {
            let slot = slots[found]
            if delivery.outcome == .delivered {
                delivery.outcome = .replaced
                delivery.replaces = slot.pointee.seq
            }
            event = .replaced
            recorder.remove(order: slot.pointee.order)
            remove(found)
        }
        let order = nextOrder
        nextOrder &+= 1
        insert(
            Entry(
                order: order, seq: seq, at: at, target: message.target, identifier: message.identifier,
                customID: message.content.customID, payload: keepsPayloads ? message.payload : .empty,
                changes: keepsPayloads ? message.changes : .empty,
                provider: message.provider, platform: message.platform),
            hash: hash, in: center)
        recorder.add(order: order, message, seq: seq, at: at, center: Int(center), identifier: identifier)
        recorder.record(event, seq: seq, at: at, center: Int(center), message, identifier: identifier)
    }

    // MARK: - Service extensions

    /// Removes notifications of the app that a push was for, at the request of its service extension. Nil removes all
    /// of them.
    ///
    /// - Returns: `seq` of the newest one removed; nil when there was none.
    package mutating func remove(
        _ identifiers: [String]?, askedBy message: PushMessage, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> UInt64? {
        guard
            let center = find(
                device: message.device, app: message.app, hash: centerHash(message.device, message.app))
        else { return nil }
        var newest: UInt64?
        func removeSlot(_ position: UInt32, _ recorder: inout some DeliveryRecorder & ~Copyable) {
            let slot = slots[position].pointee
            newest = max(newest ?? 0, slot.seq)
            recorder.remove(order: slot.order)
            withIdentifier(of: slot) { identifier in
                recorder.record(.removed, seq: seq, at: at, center: Int(center), message, identifier: identifier)
            }
            remove(position)
        }
        if let identifiers {
            for var identifier in identifiers {
                let found = identifier.withUTF8 { bytes -> UInt32? in
                    guard let start = bytes.baseAddress else { return nil }
                    let text = BorrowedText(start: start, count: bytes.count)
                    return findIdentifier(text, hasher.hash(text, salt(center)), center)
                }
                if let found { removeSlot(found, &recorder) }
            }
        } else {
            while centers[center].pointee.first != Self.none { removeSlot(centers[center].pointee.first, &recorder) }
        }
        return newest
    }

    /// Calls `body` for each notification of the app that a push was for, oldest first.
    package func forEachShown(for message: PushMessage, _ body: (ShownNotification) throws -> Void) rethrows {
        let hash = centerHash(message.device, message.app)
        guard let center = find(device: message.device, app: message.app, hash: hash) else { return }
        var position = centers[center].pointee.first
        while position != Self.none {
            let slot = slots[position].pointee
            try withIdentifier(of: slot) { identifier in
                try body(
                    ShownNotification(
                        seq: slot.seq, order: slot.order, identifier: identifier, deliveredAt: slot.at,
                        payload: slot.payload,
                        changes: slot.changes))
            }
            position = slot.next
        }
    }

    /// The number of notifications that an app shows on a device, and its badge; nil when the app has not been seen
    /// here.
    package func state(device: BorrowedText, app: BorrowedText) -> (count: Int, badge: Int?)? {
        find(device: device, app: app, hash: centerHash(device, app)).map {
            (Int(centers[$0].pointee.count), centers[$0].pointee.badge)
        }
    }

    // MARK: - Restoring from another store

    /// Whether the app on the device has been seen here.
    package func contains(device: BorrowedText, app: BorrowedText) -> Bool {
        find(device: device, app: app, hash: centerHash(device, app)) != nil
    }

    /// Adds an app on a device, with its last badge.
    package mutating func restore(device: BorrowedText, app: BorrowedText, badge: Int?) {
        centers[center(device: device, app: app)].pointee.badge = badge
    }

    /// Adds a notification from another store to a restored app. Call it oldest first.
    package mutating func restore(_ entry: Entry, device: BorrowedText, app: BorrowedText) {
        let center = center(device: device, app: app)
        let generated = GeneratedIdentifier(seq: entry.seq, target: entry.target)
        let hash = generated.withText { hasher.hash(entry.identifier ?? $0, salt(center)) }
        nextOrder = max(nextOrder, entry.order &+ 1)
        insert(entry, hash: hash, in: center)
    }

    /// Adds a notification from another store to a restored app, as the newest one, replacing one with the same
    /// identifier.
    ///
    /// - Returns: its position in the order of delivery, the position of its app on its device, and the order of the
    ///   one that it replaced.
    package mutating func place(
        _ entry: Entry, device: BorrowedText, app: BorrowedText
    ) -> (order: UInt64, center: Int, replaced: UInt64?) {
        let center = center(device: device, app: app)
        let generated = GeneratedIdentifier(seq: entry.seq, target: entry.target)
        var replaced: UInt64?
        let hash = generated.withText { text in
            let identifier = entry.identifier ?? text
            let hash = hasher.hash(identifier, salt(center))
            if let found = findIdentifier(identifier, hash, center) {
                replaced = slots[found].pointee.order
                remove(found)
            }
            return hash
        }
        var entry = entry
        entry.order = nextOrder
        nextOrder &+= 1
        insert(entry, hash: hash, in: center)
        return (entry.order, Int(center), replaced)
    }

    /// Continues the order of delivery after another store's last notification.
    package mutating func continueOrder(after last: UInt64) {
        nextOrder = max(nextOrder, last &+ 1)
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
                index[hasher.hash(centers[position].pointee.device, 0), default: []].append(position)
            }
            centersOfDevices = index
        }
        return (index[hasher.hash(device, 0)] ?? []).filter { centers[$0].pointee.device == device }
            .map { centers[$0].pointee.app }
    }

    /// Adds a journal line about a message that is not shown.
    package mutating func record(
        _ event: JournalKind, for message: PushMessage, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let center = Int(center(device: message.device, app: message.app))
        if let identifier = message.identifier {
            recorder.record(event, seq: seq, at: at, center: center, message, identifier: identifier)
        } else {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText {
                recorder.record(event, seq: seq, at: at, center: center, message, identifier: $0)
            }
        }
    }

    /// A notification to add to a screen.
    package struct Entry {
        var order: UInt64
        var seq: UInt64
        var at: Int64
        var target: Int?
        /// Nil when the device generates one.
        var identifier: BorrowedText?
        var customID: BorrowedText?
        var payload: BorrowedText
        var changes: BorrowedText
        var provider: Provider
        var platform: Platform

        package init(
            order: UInt64, seq: UInt64, at: Int64, target: Int?, identifier: BorrowedText?, customID: BorrowedText?,
            payload: BorrowedText = .empty, changes: BorrowedText = .empty, provider: Provider = .apns,
            platform: Platform = .ios
        ) {
            self.order = order
            self.seq = seq
            self.at = at
            self.target = target
            self.identifier = identifier
            self.customID = customID
            self.payload = payload
            self.changes = changes
            self.provider = provider
            self.platform = platform
        }
    }

    // MARK: - Centers

    private func salt(_ center: UInt32) -> UInt64 { UInt64(center) &* 0x9E37_79B9_7F4A_7C15 }

    private func centerHash(_ device: BorrowedText, _ app: BorrowedText) -> UInt32 {
        hasher.hash(device, UInt64(hasher.hash(app, 0)))
    }

    private func find(device: BorrowedText, app: BorrowedText, hash: UInt32) -> UInt32? {
        centerIndex.find(hash) { position in
            let center = centers[position]
            return center.pointee.device == device && center.pointee.app == app
        }
    }

    private mutating func center(device: BorrowedText, app: BorrowedText) -> UInt32 {
        let hash = centerHash(device, app)
        if let known = find(device: device, app: app, hash: hash) { return known }
        let key = heap.allocate(device.count + app.count)
        Memory.copy(device.start, to: key, count: device.count)
        Memory.copy(app.start, to: key + device.count, count: app.count)
        let position = UInt32(centers.count)
        centers.append(
            Center(
                key: key, deviceCount: UInt32(device.count), appCount: UInt32(app.count), first: Self.none,
                last: Self.none,
                count: 0, hash: hash, badge: nil))
        centerIndex.insert(hash, position)
        centersOfDevices?[hasher.hash(device, 0), default: []].append(position)
        return position
    }

    // MARK: - Slots

    private func findIdentifier(_ identifier: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        identifierIndex.find(hash) { position in
            let slot = slots[position]
            guard slot.pointee.center == center else { return false }
            return withIdentifier(of: slot.pointee) { $0 == identifier }
        }
    }

    private func findCustomID(_ customID: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        customIDIndex.find(hash) { position in
            let slot = slots[position]
            return slot.pointee.center == center && slot.pointee.customID == customID
        }
    }

    func withIdentifier<Result>(of slot: Slot, _ body: (BorrowedText) throws -> Result) rethrows -> Result {
        if slot.identifierCount > 0, let texts = slot.texts {
            return try body(BorrowedText(start: texts, count: Int(slot.identifierCount)))
        }
        let target = slot.target == 0 ? nil : Int(slot.target - 1)
        return try GeneratedIdentifier(seq: slot.seq, target: target).withText(body)
    }

    private mutating func insert(_ entry: Entry, hash: UInt32, in center: UInt32) {
        let identifier = entry.identifier ?? .empty
        let customID = entry.customID ?? .empty
        let size = identifier.count + customID.count + entry.payload.count + entry.changes.count
        var texts: UnsafeMutablePointer<UInt8>?
        if size > 0 {
            let block = heap.allocate(size)
            Memory.copy(identifier.start, to: block, count: identifier.count)
            Memory.copy(customID.start, to: block + identifier.count, count: customID.count)
            let payload = block + identifier.count + customID.count
            Memory.copy(entry.payload.start, to: payload, count: entry.payload.count)
            Memory.copy(entry.changes.start, to: payload + entry.payload.count, count: entry.changes.count)
            texts = block
        }
        let home = centers[center]
        var slot = Slot(
            order: entry.order, seq: entry.seq, at: entry.at, texts: texts, identifierCount: UInt32(identifier.count),
            customIDCount: UInt32(customID.count), payloadCount: UInt32(entry.payload.count),
            changesCount: UInt32(entry.changes.count),
            target: entry.target.map { UInt32(truncatingIfNeeded: $0 &+ 1) } ?? 0, center: center,
            previous: home.pointee.last, next: Self.none, olderOfCustomID: Self.none,
            newerOfCustomID: Self.none, identifierHash: hash,
            customIDHash: 0, provider: entry.provider, platform: entry.platform, hasCustomID: entry.customID != nil)

        let position = firstFree == Self.none ? UInt32(slots.count) : firstFree
        if let customID = entry.customID {
            // The index finds the newest notification of an id; each links to the next older one.
            slot.customIDHash = hasher.hash(customID, salt(center))
            if let newest = findCustomID(customID, slot.customIDHash, center) {
                customIDIndex.remove(slot.customIDHash, newest)
                slot.olderOfCustomID = newest
                slots[newest].pointee.newerOfCustomID = position
            }
            customIDIndex.insert(slot.customIDHash, position)
        }
        if position == slots.count {
            slots.append(slot)
        } else {
            firstFree = slots[position].pointee.next
            freeCount -= 1
            slots[position].pointee = slot
        }
        identifierIndex.insert(hash, position)

        if slot.previous == Self.none {
            home.pointee.first = position
        } else {
            slots[slot.previous].pointee.next = position
        }
        home.pointee.last = position
        home.pointee.count += 1
    }

    private mutating func remove(_ position: UInt32) {
        let slot = slots[position]
        identifierIndex.remove(slot.pointee.identifierHash, position)
        if slot.pointee.hasCustomID { unlinkCustomID(position, slot.pointee) }
        let center = centers[slot.pointee.center]
        if slot.pointee.previous == Self.none {
            center.pointee.first = slot.pointee.next
        } else {
            slots[slot.pointee.previous].pointee.next = slot.pointee.next
        }
        if slot.pointee.next == Self.none {
            center.pointee.last = slot.pointee.previous
        } else {
            slots[slot.pointee.next].pointee.previous = slot.pointee.previous
        }
        center.pointee.count -= 1
        if let texts = slot.pointee.texts { heap.deallocate(texts, slot.pointee.textCount) }
        slot.pointee.texts = nil
        slot.pointee.next = firstFree
        firstFree = position
        freeCount += 1
    }

    private mutating func unlinkCustomID(_ position: UInt32, _ slot: Slot) {
        let (older, newer) = (slot.olderOfCustomID, slot.newerOfCustomID)
        if older != Self.none { slots[older].pointee.newerOfCustomID = newer }
        if newer != Self.none {
            slots[newer].pointee.olderOfCustomID = older
        } else {
            customIDIndex.remove(slot.customIDHash, position)
            if older != Self.none { customIDIndex.insert(slot.customIDHash, older) }
        }
    }
}

extension NotificationCenters.Center {
    var keyCount: Int { Int(deviceCount) + Int(appCount) }
    var device: BorrowedText { BorrowedText(start: key, count: Int(deviceCount)) }
    var app: BorrowedText { BorrowedText(start: key + Int(deviceCount), count: Int(appCount)) }
}

extension NotificationCenters.Slot {
    var textCount: Int { Int(identifierCount) + Int(customIDCount) + Int(payloadCount) + Int(changesCount) }
    var customID: BorrowedText {
        texts.map { BorrowedText(start: $0 + Int(identifierCount), count: Int(customIDCount)) } ?? .empty
    }
    var payload: BorrowedText {
        texts.map { BorrowedText(start: $0 + Int(identifierCount + customIDCount), count: Int(payloadCount)) } ?? .empty
    }
    var changes: BorrowedText {
        texts.map { BorrowedText(start: $0 + (textCount - Int(changesCount)), count: Int(changesCount)) } ?? .empty
    }
}
