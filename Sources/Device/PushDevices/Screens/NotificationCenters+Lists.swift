import PushDecoding
package import PushJSON
package import PushModel

/// Notifications that have something in common, in rings in the order of delivery. Whoever has a ring knows its newest notification.
///
///     newest ─older▶ … ─older▶ oldest ─older▶ none
///     oldest ─newer▶ … ─newer▶ newest ─newer▶ oldest
struct Rings: ~Copyable {
    struct Link {
        /// `none` for the oldest one.
        var older = NotificationCenters.none
        /// The oldest one for the newest; `none` outside of a ring.
        var newer = NotificationCenters.none
    }

    /// The links by slot.
    private var links = PagedStorage<Link>()

    subscript(slot: UInt32) -> Link {
        // SOUND: the pages check the position, and never move a value.
        _read { yield unsafe links[slot].pointee }
        nonmutating _modify { yield unsafe &links[slot].pointee }
    }

    func contains(_ slot: UInt32) -> Bool { slot < links.count && self[slot].newer != NotificationCenters.none }

    /// Adds a notification as the newest one.
    mutating func add(_ slot: UInt32, to newest: inout UInt32) {
        while slot >= links.count { links.append(Link()) }
        if newest == NotificationCenters.none {
            self[slot] = Link(newer: slot)
        } else {
            self[slot] = Link(older: newest, newer: self[newest].newer)
            self[newest].newer = slot
        }
        newest = slot
    }

    mutating func remove(_ slot: UInt32, from newest: inout UInt32) {
        let link = self[slot]
        self[slot] = Link()
        if slot == newest {
            newest = link.older
            if newest != NotificationCenters.none { self[newest].newer = link.newer }
        } else {
            self[link.newer].older = link.older
            // The oldest one has no older one, but the newest one leads to it.
            self[link.older == NotificationCenters.none ? newest : link.older].newer = link.newer
        }
    }

    /// All of a ring, oldest first.
    func slots(upTo newest: UInt32) -> [UInt32] {
        guard newest != NotificationCenters.none else { return [] }
        var found: [UInt32] = []
        var position = self[newest].newer
        while position != newest {
            found.append(position)
            position = self[position].newer
        }
        found.append(newest)
        return found
    }

    mutating func removeAll() { links.removeAll() }
}

/// Finds rings by a hash of what their notifications have in common.
final class RingIndex {
    enum Common {
        /// The app on the device, and the custom id.
        case customID
        /// The device, and the number of the record.
        case record
        /// The device, and the identifier.
        case identifier
    }

    let common: Common
    private var index = HashIndex()
    private var rings = Rings()

    init(_ common: Common) { self.common = common }

    func contains(_ slot: UInt32) -> Bool { rings.contains(slot) }

    /// The newest notification with a hash and for which `matches` holds, as for all of its ring.
    func newest(_ hash: UInt32, _ matches: (UInt32) -> Bool) -> UInt32? { index.find(hash, matches) }

    /// `none` for the oldest one.
    func older(than slot: UInt32) -> UInt32 { rings[slot].older }

    func oldest(upTo newest: UInt32) -> UInt32 { rings[newest].newer }

    /// Adds a notification as the newest one.
    func add(_ slot: UInt32, _ hash: UInt32, _ matches: (UInt32) -> Bool) {
        let before = newest(hash, matches)
        var newest = before ?? NotificationCenters.none
        rings.add(slot, to: &newest)
        if let before { index.replace(hash, before, with: slot) } else { index.insert(hash, slot) }
    }

    func remove(_ slot: UInt32, _ hash: UInt32, _ matches: (UInt32) -> Bool) {
        guard let before = newest(hash, matches) else { return }
        var newest = before
        rings.remove(slot, from: &newest)
        if newest == NotificationCenters.none {
            index.remove(hash, before)
        } else if newest != before {
            index.replace(hash, before, with: newest)
        }
    }

    func removeAll() {
        index.removeAll()
        rings.removeAll()
    }
}

/// Lists of what apps and devices show.
extension NotificationCenters {
    /// Has lists be kept from now on. O(n log n) on the first call, then O(1).
    mutating func makeLists() {
        guard !keepsLists else { return }
        keepsLists = true
        for slot in slotsInOrder() { addToLists(slot) }
    }

    /// The slots of all notifications, oldest first. O(n log n).
    private func slotsInOrder() -> [UInt32] {
        (0..<UInt32(slots.count)).filter { self[slot: $0].center != Self.none }
            .sorted { self[slot: $0].order < self[slot: $1].order }
    }

    /// The slots of an app's notifications, oldest first.
    mutating func slots(in center: UInt32) -> [UInt32] {
        makeLists()
        return appLists.slots(upTo: self[center: center].newest)
    }

    @inline(never)
    mutating func addToLists(_ position: UInt32) {
        // SOUND: the pages check the positions; neither a center nor the head of a device moves.
        let center = unsafe centers[self[slot: position].center]
        let device = unsafe head(center.pointee.device)
        unsafe appLists.add(position, to: &center.pointee.newest)
        unsafe deviceLists.add(position, to: &device.pointee.newest)
        for index in indexes { link(position, in: index) }
    }

    /// Removes a notification, which still has what it has in common with others.
    @inline(never)
    mutating func removeFromLists(_ position: UInt32) {
        // SOUND: as above.
        let center = unsafe centers[self[slot: position].center]
        let device = unsafe head(center.pointee.device)
        unsafe appLists.remove(position, from: &center.pointee.newest)
        unsafe deviceLists.remove(position, from: &device.pointee.newest)
        for index in indexes { unlink(position, in: index) }
    }

    // MARK: - Indexes

    /// An index; made of all notifications when it is first needed.
    private mutating func index(of common: RingIndex.Common) -> RingIndex {
        if let index = indexes.first(where: { $0.common == common }) { return index }
        let index = RingIndex(common)
        for slot in slotsInOrder() { link(slot, in: index) }
        indexes.append(index)
        return index
    }

    func link(_ position: UInt32, in index: RingIndex) {
        let slot = self[slot: position]
        index.add(position, hash(of: slot, index.common)) { isAlike(self[slot: $0], slot, index.common) }
    }

    func unlink(_ position: UInt32, in index: RingIndex) {
        let slot = self[slot: position]
        index.remove(position, hash(of: slot, index.common)) { isAlike(self[slot: $0], slot, index.common) }
    }

    private func hash(of slot: Slot, _ common: RingIndex.Common) -> UInt32 {
        let device = self[center: slot.center].device
        return switch common {
        case .customID: hasher.hash(texts(of: slot).second, salt(slot.center))
        case .record: hash(ofRecord: slot.seq, on: device)
        case .identifier: withIdentifier(of: slot) { hasher.hash($0, UInt64(device.bits)) }
        }
    }

    private func hash(ofRecord seq: UInt64, on device: TextReference) -> UInt32 {
        // The seed makes it unpredictable which records meet.
        hasher.hash(.empty, UInt64(device.bits) << 32 ^ seq)
    }

    private func isAlike(_ slot: Slot, _ other: Slot, _ common: RingIndex.Common) -> Bool {
        if common == .customID {
            return slot.center == other.center && texts(of: slot).second == texts(of: other).second
        }
        // The centers of a device share its block.
        guard self[center: slot.center].device == self[center: other.center].device else { return false }
        if common == .record { return slot.seq == other.seq }
        return withIdentifier(of: slot) { left in withIdentifier(of: other) { left == $0 } }
    }

    func newest(withCustomID customID: BorrowedText, in center: UInt32) -> UInt32? {
        customIDs.newest(hasher.hash(customID, salt(center))) { position in
            self[slot: position].center == center && texts(of: self[slot: position]).second == customID
        }
    }
}

/// The description of a notification in an event. Without anything it means the newest one of its device.
package struct NotificationQuery {
    /// Bundle identifier or package name; nil for every app.
    package var app: BorrowedText?
    /// Number of the record that the notification came in.
    package var seq: UInt64?
    /// Collapse id or tag, or a generated identifier.
    package var identifier: BorrowedText?

    package init(app: BorrowedText?, seq: UInt64?, identifier: BorrowedText?) {
        self.app = app
        self.seq = seq
        self.identifier = identifier
    }
}

/// A notification that an event means.
package struct FoundNotification {
    package let app: String
    package let identifier: String
    /// Number of the record that it came in.
    package let seq: UInt64
}

extension NotificationCenters {
    /// The newest notification on a device that an event means; nil if there is none.
    ///
    /// O(n log n) for the first event that says the same things, then expected O(1).
    package mutating func newest(on device: BorrowedText, _ query: NotificationQuery) -> FoundNotification? {
        newestSlot(on: device, query).map { position in
            let slot = self[slot: position]
            return FoundNotification(
                app: app(slot.center).string, identifier: withIdentifier(of: slot) { $0.string }, seq: slot.seq)
        }
    }

    private mutating func newestSlot(on device: BorrowedText, _ query: NotificationQuery) -> UInt32? {
        guard let known = find(device: device) else { return nil }
        let block = self[center: known].device
        var center = Self.none
        if let app = query.app {
            guard let found = find(device: device, app: app) else { return nil }
            center = found
            if let identifier = query.identifier {
                // An app has one notification with an identifier.
                let found = findIdentifier(identifier, in: center)
                return found.flatMap { self[slot: $0].seq == query.seq ?? self[slot: $0].seq ? $0 : nil }
            }
        }
        makeLists()
        guard query.identifier != nil || query.seq != nil else {
            // SOUND: the block is that of the device.
            let newest = unsafe center == Self.none ? head(block).pointee.newest : self[center: center].newest
            return newest == Self.none ? nil : newest
        }
        let index = index(of: query.identifier == nil ? .record : .identifier)
        let hash =
            query.identifier.map { hasher.hash($0, UInt64(block.bits)) } ?? hash(ofRecord: query.seq ?? 0, on: block)
        var position =
            index.newest(hash) { position in
                let slot = self[slot: position]
                guard self[center: slot.center].device == block else { return false }
                guard let wanted = query.identifier else { return slot.seq == query.seq }
                return withIdentifier(of: slot) { $0 == wanted }
            } ?? Self.none
        // Of several apps, or of several records.
        while position != Self.none {
            let slot = self[slot: position]
            if slot.seq == query.seq ?? slot.seq, center == Self.none || slot.center == center { return position }
            position = index.older(than: position)
        }
        return nil
    }

    /// The apps that show something on a device, in the order in which they were first seen here. O(n log n) in the notifications on the device
    /// once lists are kept.
    package mutating func appsShowing(on device: BorrowedText) -> [String] {
        guard let known = find(device: device) else { return [] }
        makeLists()
        var found: Set<UInt32> = []
        // SOUND: the block is that of the device.
        var position = unsafe head(self[center: known].device).pointee.newest
        while position != Self.none {
            found.insert(self[slot: position].center)
            position = deviceLists[position].older
        }
        return found.sorted().map { app($0).string }
    }

    /// The content that is kept of the notification of an app with an identifier; nil if there is none.
    package mutating func content(
        of identifier: String, device: BorrowedText, app: BorrowedText
    ) -> (seq: UInt64, order: UInt64, payload: String, changes: String)? {
        guard let center = find(device: device, app: app), let slot = find(identifier, in: center) else { return nil }
        let (seq, order) = (self[slot: slot].seq, self[slot: slot].order)
        return withBody(of: slot) { body in (seq, order, body.payload.string, body.changes.string) }
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
            guard !stale.contains(slot) else { continue }
            markStale(slot)
            recorder.markStale(order: found.order, since: shownAt)
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
        return slots(in: center)
    }

    // MARK: - Marks

    mutating func markStale(_ slot: UInt32) {
        guard stale.insert(slot).inserted else { return }
        if !texts(of: self[slot: slot]).first.isEmpty { staleChosenCount += 1 }
    }

    @inline(__always)
    mutating func unmarkStale(_ slot: UInt32) {
        guard !stale.isEmpty, stale.remove(slot) != nil else { return }
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
            for slot in slots(in: center) { removeSlot(slot, &recorder) }
        }
        return newest
    }

    /// Removes a notification, with a line of the journal.
    mutating func remove(
        _ position: UInt32, as kind: JournalKind, for message: DecodedMessage, seq: UInt64, at: Int64,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let slot = self[slot: position]
        recorder.remove(order: slot.order)
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
        for position in slots(in: center) {
            let slot = self[slot: position]
            try withIdentifier(of: slot) { identifier in
                try withBody(of: position) { kept in
                    try body(
                        ShownNotification(
                            seq: slot.seq, order: slot.order, identifier: identifier, deliveredAt: kept.at,
                            payload: kept.payload, changes: kept.changes))
                }
            }
        }
    }

    /// The screen of the app that a message is for.
    package func screen(for message: DecodedMessage) -> ScreenState {
        guard let center = find(device: message.device, app: message.app) else {
            return ScreenState(count: 0, badge: nil)
        }
        return ScreenState(count: self[center: center].shown, badge: self[center: center].badge)
    }
}

/// Screens in parts, for whoever shows them.
extension NotificationCenters {
    /// The newest notifications of a device, newest first.
    ///
    /// O(n log n) on the first call; then O(skipped + limit). Empty unless all contents are kept.
    ///
    /// - Parameters:
    ///   - app: nil for all apps of the device.
    ///   - order: only notifications that were delivered before the one in this place.
    package mutating func newest(
        on device: BorrowedText, app: String?, before order: UInt64, limit: Int
    ) -> [PlacedNotification] {
        guard keeping == .everything, let known = find(device: device) else { return [] }
        makeLists()
        var found: [PlacedNotification] = []
        let center = app.map { app in BorrowedText.with(app) { find(device: device, app: $0) } ?? Self.none }
        // SOUND: the block is that of the device.
        var position = unsafe head(self[center: known].device).pointee.newest
        if let center { position = center == Self.none ? Self.none : self[center: center].newest }
        while position != Self.none, found.count < limit {
            let place = self[slot: position].order
            if place < order {
                found.append(PlacedNotification(place: place, notification: notification(in: position)))
            }
            position = center == nil ? deviceLists[position].older : appLists[position].older
        }
        return found
    }

    /// The apps on devices that have shown something, with the places in the order of delivery where they were first seen, in that order.
    ///
    /// O(n log n) on the first call, then O(apps on devices). Empty unless all contents are kept.
    ///
    /// - Parameter device: nil for all.
    mutating func summaries(on device: BorrowedText?) -> [(order: UInt64, summary: CenterSummary)] {
        guard keeping == .everything else { return [] }
        makeLists()
        var found: [(order: UInt64, summary: CenterSummary)] = []
        for center in device.map({ centers(of: $0) }) ?? Array(0..<UInt32(centers.count)) {
            let newest = self[center: center].newest
            let summary = CenterSummary(
                device: self.device(center).string, app: app(center).string, badge: self[center: center].badge,
                count: self[center: center].shown, latest: newest == Self.none ? nil : content(of: newest).at)
            found.append((ordersOfCenters[Int(center)], summary))
        }
        return found
    }
}

extension NotificationCenters {
    /// The notifications on the screens, newest last.
    ///
    /// Parses the payloads to get the texts, so do not call it on a hot path. Nil selects every device or app. Empty
    /// unless all contents are kept.
    package func notifications(device: String? = nil, app: String? = nil) -> [DeliveredNotification] {
        orderedNotifications(device: device, app: app).map(\.notification)
    }

    /// The notifications on the screens with their places in the order of delivery, newest last.
    func orderedNotifications(device: String?, app: String?) -> [PlacedNotification] {
        guard keeping == .everything else { return [] }
        return slotsInOrder().compactMap { position in
            let slot = self[slot: position]
            if let device, self.device(slot.center).string != device { return nil }
            if let app, self.app(slot.center).string != app { return nil }
            return PlacedNotification(place: slot.order, notification: notification(in: position))
        }
    }

    /// The notification in a slot.
    func notification(in position: UInt32) -> DeliveredNotification {
        let slot = self[slot: position]
        let content = content(of: position)
        let (payload, changes) = texts(of: content)
        // SOUND: the texts are borrowed from the slot, which does not change here.
        let shown = unsafe ShownContent(
            payload: payload.bytes, changes: changes, provider: content.provider, platform: content.platform,
            app: app(slot.center))
        return DeliveredNotification(
            seq: slot.seq, device: device(slot.center).string, app: app(slot.center).string,
            identifier: withIdentifier(of: slot) { $0.string }, content: shown, deliveredAt: content.at,
            payload: payload.string, changes: changes.isEmpty ? nil : changes.string)
    }
}
