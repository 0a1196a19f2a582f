package import PayloadJSON
import PushCompactStorage
import PushDecoding
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
        /// The parts that replacement needs, and the payloads that a tap may ask for (`NotificationContent.hasTapOptions`).
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
        /// `target`, and above it a bit for a notification of an Android device.
        private var targetAndKind: UInt32

        private static let androidBit: UInt32 = 1 << 31

        init(
            seq: UInt64, text: TextReference, center: UInt32, identifierHash: UInt32, targetIndex: Int? = nil,
            isAndroid: Bool = false
        ) {
            self.seq = seq
            self.text = text
            self.center = center
            self.identifierHash = identifierHash
            targetAndKind = 0
            setTarget(targetIndex, isAndroid: isAndroid)
        }

        mutating func setTarget(_ index: Int?, isAndroid: Bool) {
            let target = index.map { UInt32(truncatingIfNeeded: $0 &+ 1) } ?? 0
            targetAndKind = target & ~Self.androidBit | (isAndroid ? Self.androidBit : 0)
        }

        /// Index of the target plus one; 0 for a request with one target.
        var target: UInt32 { targetAndKind & ~Self.androidBit }
        /// Index of the target; nil for a request with one target.
        var targetIndex: Int? { target == 0 ? nil : Int(target &- 1) }
        var isAndroid: Bool { targetAndKind & Self.androidBit != 0 }
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
    /// By slot, as far as a content is kept.
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

/// Removals that come after the notification of the extension that asked for them, or never.
extension NotificationCenters {
    /// Takes note of a removal that is not done when its extension's notification appears.
    ///
    /// Notifications that stay on the screen are marked as stale, and journaled if the removal is lost. Nothing is removed: that is
    /// done when the removal is due, by `remove`.
    ///
    /// - Parameters:
    ///   - identifiers: those that the extension named; nil for all notifications of its app.
    ///   - message: the push of the extension, which has been delivered.
    ///   - shownAt: when its notification appeared, in milliseconds since the epoch.
    ///   - due: when the removal takes effect; nil if it is lost.
    package mutating func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        guard let center = find(device: message.device, app: message.app) else { return }
        var late = LateRemoval(identifiers: identifiers, due: due, stale: [])
        for slot in slots(of: identifiers, in: center) {
            let found = self[slot: slot]
            // The push's own notification has taken the place of one with its identifier.
            if found.seq == seq, found.targetIndex == message.target { continue }
            guard !customIDs[slot].isStale else { continue }
            markStale(slot)
            recorder.markStale(order: order(of: slot), since: shownAt)
            withIdentifier(of: found) { identifier in
                late.stale.append(
                    StaleNotification(
                        seq: found.seq, identifier: identifier.string, milliseconds: due.map { $0 &- shownAt }))
                if due == nil {
                    recorder.record(
                        .removalLost, seq: seq, at: shownAt, center: Int(center), message, identifier: identifier)
                }
            }
        }
        // A removal of notifications that are gone by now may still meet one that comes back with their identifier.
        if due != nil || !late.stale.isEmpty { lateRemovals.append(late) }
    }

    /// Takes what came late of the deliveries since the last call.
    package mutating func takeLateRemovals() -> [LateRemoval] {
        guard !lateRemovals.isEmpty else { return [] }
        defer { lateRemovals.removeAll() }
        return lateRemovals
    }

    /// The slots of some notifications of an app, in the given order, or of all of them, oldest first.
    private mutating func slots(of identifiers: [String]?, in center: UInt32) -> [UInt32] {
        if let identifiers { return identifiers.compactMap { find($0, in: center) } }
        makeLists()
        var slots: [UInt32] = []
        var position = lists.ends(of: center).first
        while position != Self.none {
            slots.append(position)
            position = lists.next(after: position)
        }
        return slots
    }

    // MARK: - Marks

    mutating func markStale(_ slot: UInt32) {
        guard !customIDs[slot].isStale else { return }
        customIDs[slot].isStale = true
        staleCount += 1
        if !texts(of: self[slot: slot]).first.isEmpty { staleChosenCount += 1 }
    }

    @inline(__always)
    mutating func unmarkStale(_ slot: UInt32) {
        guard staleCount > 0, customIDs[slot].isStale else { return }
        customIDs[slot].isStale = false
        staleCount -= 1
        if !texts(of: self[slot: slot]).first.isEmpty { staleChosenCount -= 1 }
    }
}

extension NotificationCenters {
    /// Removes notifications of the app that a push was for, at the request of its service extension, or of the app if the message is
    /// local. Nil removes all of them.
    ///
    /// - Returns: `seq` of the newest one removed; nil when there was none.
    package mutating func remove(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> UInt64? {
        guard let center = find(device: message.device, app: message.app) else { return nil }
        var newest: UInt64?
        func removeSlot(_ position: UInt32, _ recorder: inout some DeliveryRecorder & ~Copyable) {
            newest = max(newest ?? 0, self[slot: position].seq)
            remove(position, as: message.isLocal ? .withdrawn : .removed, for: message, seq: seq, at: at, &recorder)
        }
        if let identifiers {
            for identifier in identifiers {
                if let found = find(identifier, in: center) { removeSlot(found, &recorder) }
            }
        } else {
            makeLists()
            var first = lists.ends(of: center).first
            while first != Self.none {
                removeSlot(first, &recorder)
                first = lists.ends(of: center).first
            }
        }
        return newest
    }

    /// Removes a notification, with a line of the journal.
    mutating func remove(
        _ position: UInt32, as kind: JournalKind, for message: DecodedMessage, seq: UInt64, at: Int64,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let slot = self[slot: position]
        recorder.remove(order: order(of: position))
        withIdentifier(of: slot) { identifier in
            recorder.record(kind, seq: seq, at: at, center: Int(slot.center), message, identifier: identifier)
        }
        remove(position)
    }

    mutating func find(_ identifier: String, in center: UInt32) -> UInt32? {
        var identifier = identifier
        return identifier.withUTF8 { bytes -> UInt32? in
            guard let start = bytes.baseAddress else { return nil }
            // SOUND: the text is used only within the closure.
            return findIdentifier(unsafe BorrowedText(start: start, count: bytes.count), in: center)
        }
    }

    /// Calls `body` for each notification of the app that a push was for, oldest first.
    package mutating func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) rethrows
    {
        guard let center = find(device: message.device, app: message.app) else { return }
        makeLists()
        var position = lists.ends(of: center).first
        while position != Self.none {
            let slot = self[slot: position]
            let (payload, changes, content) = self.body(of: position)
            try withIdentifier(of: slot) { identifier in
                try body(
                    ShownNotification(
                        seq: slot.seq, order: order(of: position), identifier: identifier,
                        deliveredAt: content?.at ?? 0, payload: payload, changes: changes))
            }
            position = lists.next(after: position)
        }
    }

    /// The number of notifications that an app shows on a device, and its badge; nil when the app has not been seen
    /// here.
    package mutating func state(device: BorrowedText, app: BorrowedText) -> (count: Int, badge: Int?)? {
        guard let center = find(device: device, app: app) else { return nil }
        makeLists()
        return (Int(lists.ends(of: center).count), self[center: center].badge)
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
            case let hash = hasher.hash(customID, salt(center)), findOldest(customID, hash, center) != nil
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
                customID, hash, for: message, seq: seq, at: at &+ removal.delay, center: center, &delivery, &recorder)
        // The new one is not among them: the extension has looked before it appears.
        case .after, .lost: late = identifiersOfSame(customID, hash, center, isLost: effect == .lost)
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
        _ customID: BorrowedText, _ hash: UInt32, for message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64,
        center: UInt32, _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        // SOUND: the caller vouches for the message.
        // Oldest first, as in the notification center's own list.
        while let found = findOldest(customID, hash, center) {
            let slot = self[slot: found]
            delivery.replaces = max(delivery.replaces ?? 0, slot.seq)
            delivery.outcome = .reposted
            recorder.remove(order: order(of: found))
            withIdentifier(of: slot) { identifier in
                unsafe recorder.record(
                    .removed, seq: seq, at: at, center: Int(center), message.pointee, identifier: identifier)
            }
            remove(found)
            if replacement?.match == .first { return }
        }
    }

    /// The identifiers of the notifications with a custom id, oldest first, or that of the oldest.
    ///
    /// Those that are stale already are left out where naming them again changes nothing: a removal that was lost is not
    /// lost again, and a generated identifier does not come back after its removal. So a flood of pushes with one id costs
    /// no more for each than the ones before it have left behind.
    private func identifiersOfSame(
        _ customID: BorrowedText, _ hash: UInt32, _ center: UInt32, isLost: Bool
    ) -> [String] {
        guard let oldest = findOldest(customID, hash, center) else { return [] }
        var identifiers: [String] = []
        // Newest first: those that were stale before are the oldest ones.
        let newest = customIDs[oldest].older
        var next = replacement?.match == .first ? oldest : newest
        repeat {
            let isKnown = customIDs[next].isStale && (isLost || texts(of: self[slot: next]).first.isEmpty)
            if !isKnown { identifiers.append(withIdentifier(of: self[slot: next]) { $0.string }) }
            // All that are older are known, too.
            if isKnown, isLost || staleChosenCount == 0 { break }
            next = customIDs[next].older
        } while next != newest && replacement?.match != .first
        return identifiers.reversed()
    }
}

/// Taking over the notifications of another store.
extension NotificationCenters {
    /// Adds an app on a device, with its last badge.
    package mutating func restore(device: BorrowedText, app: BorrowedText, badge: Int?) {
        setBadge(badge, of: center(device: device, app: app))
    }

    /// Adds a notification from another store to a restored app. Call it oldest first.
    package mutating func restore(_ entry: Entry, device: BorrowedText, app: BorrowedText) {
        let center = center(device: device, app: app)
        nextOrder = max(nextOrder, entry.order &+ 1)
        let slot = insert(entry, hash: hash(of: entry, in: center), in: center)
        if entry.isStale { markStale(slot) }
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
        var replaced: UInt64?
        let generated = GeneratedIdentifier(seq: entry.seq, target: entry.target)
        generated.withText { text in
            if let found = findIdentifier(entry.identifier ?? text, in: center) {
                replaced = order(of: found)
                remove(found)
            }
        }
        let hash = hash(of: entry, in: center)
        var entry = entry
        entry.order = nextOrder
        nextOrder &+= 1
        insert(entry, hash: hash, in: center)
        return (entry.order, Int(center), replaced)
    }

    /// The hash of an identifier that is in the index, or will be; 0 for another.
    private mutating func hash(of entry: Entry, in center: UInt32) -> UInt32 {
        if let chosen = entry.identifier {
            if GeneratedIdentifier.mayEqual(chosen) { indexGenerated() }
            return hasher.hash(chosen, salt(center))
        }
        guard indexesGenerated else { return 0 }
        return GeneratedIdentifier(seq: entry.seq, target: entry.target).withText { hasher.hash($0, salt(center)) }
    }

    /// Continues the order of delivery after another store's last notification.
    package mutating func continueOrder(after last: UInt64) {
        nextOrder = max(nextOrder, last &+ 1)
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
        /// True if it should have been removed.
        package var isStale = false

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
}

/// Screens in parts, for whoever shows them.
extension NotificationCenters {
    /// The newest notifications of a device, newest first, with their places in the order of delivery.
    ///
    /// O(n log n) on the first call; then O(skipped + limit) for each app of the device. Empty unless everything is kept.
    ///
    /// - Parameters:
    ///   - app: nil for all apps of the device.
    ///   - order: only notifications that were delivered before the one in this place.
    package mutating func newest(
        on device: BorrowedText, app: String?, before order: UInt64, limit: Int
    ) -> [(order: UInt64, notification: DeliveredNotification)] {
        guard keeping == .everything else { return [] }
        makeLists()
        var found: [(order: UInt64, slot: UInt32)] = []
        for center in centers(of: device) where app == nil || self.app(center).string == app {
            var position = lists.ends(of: center).last
            var count = 0
            while position != Self.none, count < limit {
                let place = self.order(of: position)
                if place < order {
                    found.append((place, position))
                    count += 1
                }
                position = lists.previous(before: position)
            }
        }
        return found.sorted { $0.order > $1.order }.prefix(limit).map { ($0.order, notification(in: $0.slot)) }
    }

    /// The screens of apps on devices, in the order in which they were first seen here: names, number of notifications, badge,
    /// and the time of the newest one, in milliseconds since the epoch.
    ///
    /// O(n log n) on the first call, then O(apps on devices). Empty unless everything is kept.
    ///
    /// - Parameter device: nil for all.
    package mutating func forEachCenter(
        on device: BorrowedText?,
        _ body: (
            _ order: UInt64, _ device: BorrowedText, _ app: BorrowedText, _ count: Int, _ badge: Int?,
            _ latest: Int64?
        ) -> Void
    ) {
        guard keeping == .everything else { return }
        makeLists()
        for center in device.map({ centers(of: $0) }) ?? Array(0..<UInt32(centers.count)) {
            let ends = lists.ends(of: center)
            let latest = ends.last == Self.none ? nil : self.body(of: ends.last).content?.at
            body(
                ordersOfCenters[Int(center)], self.device(center), app(center), Int(ends.count),
                self[center: center].badge, latest)
        }
    }
}

extension NotificationCenters {
    /// The notifications on the screens, newest last.
    ///
    /// Parses the payloads to get the texts, so do not call it on a hot path. Nil selects every device or app. Empty
    /// unless everything is kept.
    package func notifications(device: String? = nil, app: String? = nil) -> [DeliveredNotification] {
        orderedNotifications(device: device, app: app).map(\.notification)
    }

    /// The same with their places in the order of delivery.
    package func orderedNotifications(
        device: String?, app: String?
    ) -> [(order: UInt64, notification: DeliveredNotification)] {
        guard keeping == .everything else { return [] }
        return slotsInOrder().compactMap { position in
            let slot = self[slot: position]
            if let device, self.device(slot.center).string != device { return nil }
            if let app, self.app(slot.center).string != app { return nil }
            return (order(of: position), notification(in: position))
        }
    }

    /// The notification in a slot. Everything is kept.
    func notification(in position: UInt32) -> DeliveredNotification {
        let slot = self[slot: position]
        let (payload, changes, content) = body(of: position)
        // SOUND: the texts are borrowed from the slot, which does not change here.
        let shown = unsafe ShownContent(
            payload: payload.bytes, changes: changes, provider: content?.provider ?? .apns,
            platform: content?.platform ?? .ios, app: app(slot.center))
        return DeliveredNotification(
            seq: slot.seq, device: device(slot.center).string, app: app(slot.center).string,
            identifier: withIdentifier(of: slot) { $0.string }, content: shown, deliveredAt: content?.at ?? 0,
            payload: payload.string, changes: changes.isEmpty ? nil : changes.string)
    }

    /// The number on an app's icon; nil when no push has set it.
    package func badge(device: String, app: String) -> Int? {
        BorrowedText.with(device) { device in
            BorrowedText.with(app) { app in find(device: device, app: app).flatMap { self[center: $0].badge } }
        }
    }
}
