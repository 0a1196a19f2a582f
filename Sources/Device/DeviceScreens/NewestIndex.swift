package import PayloadJSON
import PushCompactStorage

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

/// Finds the newest notification among those that have something in common. Made when an event first asks for one, and kept up to date from
/// then on.
///
///     hash of device and record ─▶ newest ⇄ older ⇄ … ⇄ oldest
final class NewestIndex {
    /// The properties that the notifications of a list share, besides their device.
    struct Members: OptionSet, Hashable {
        let rawValue: UInt8

        static let app = Self(rawValue: 1)
        static let seq = Self(rawValue: 2)
        static let identifier = Self(rawValue: 4)
    }

    struct Link {
        var hash: UInt32 = 0
        var isLinked = false
        var older = NotificationCenters.none
        var newer = NotificationCenters.none
    }

    let members: Members
    var newest = HashIndex()
    /// By slot.
    private var links = PagedStorage<Link>()

    init(_ members: Members) { self.members = members }

    subscript(position: UInt32) -> Link {
        // SOUND: the pages check the position, and never move a value.
        get { position < links.count ? unsafe links[position].pointee : Link() }
        set {
            while position >= links.count { links.append(Link()) }
            unsafe links[position].pointee = newValue
        }
    }
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
        makeLists()
        var members: NewestIndex.Members = []
        if query.seq != nil { members.insert(.seq) }
        if query.identifier != nil { members.insert(.identifier) }
        if let app = query.app {
            guard let center = find(device: device, app: app) else { return nil }
            if let identifier = query.identifier {
                // An app has one notification with an identifier.
                let found = findIdentifier(identifier, in: center)
                return found.flatMap { self[slot: $0].seq == query.seq ?? self[slot: $0].seq ? $0 : nil }
            }
            members.insert(.app)
            if members == .app { return lists.ends(of: center).last == Self.none ? nil : lists.ends(of: center).last }
        }
        let index = index(of: members)
        let hash = hash(
            members, device: hasher.hash(device, 0), app: query.app, seq: query.seq ?? 0, identifier: query.identifier)
        return index.newest.find(hash) { position in
            let slot = self[slot: position]
            return self.device(slot.center) == device && query.app.map { app(slot.center) == $0 } ?? true
                && slot.seq == query.seq ?? slot.seq
                && query.identifier.map { wanted in withIdentifier(of: slot) { $0 == wanted } } ?? true
        }
    }

    /// The positions of the apps that show something on a device, in no particular order. O(notifications on the device) once the index exists.
    mutating func centersShowing(on device: BorrowedText) -> Set<UInt32> {
        var found: Set<UInt32> = []
        var position = newestSlot(on: device, NotificationQuery(app: nil, seq: nil, identifier: nil))
        let index = index(of: [])
        while let slot = position {
            found.insert(self[slot: slot].center)
            let older = index[slot].older
            position = older == Self.none ? nil : older
        }
        return found
    }

    /// The apps that show something on a device, in the order in which they were first seen here. O(n log n) in the notifications on the device
    /// once the index exists.
    package mutating func appsShowing(on device: BorrowedText) -> [String] {
        centersShowing(on: device).sorted().map { app($0).string }
    }

    /// The content that is kept of the notification of an app with an identifier; nil if there is none.
    package mutating func content(
        of identifier: String, device: BorrowedText, app: BorrowedText
    ) -> (seq: UInt64, order: UInt64, payload: String, changes: String)? {
        guard let center = find(device: device, app: app), let slot = find(identifier, in: center) else { return nil }
        let (payload, changes, _) = body(of: slot)
        return (self[slot: slot].seq, order(of: slot), payload.string, changes.string)
    }

    // MARK: - Keeping up

    /// The index of lists with something in common; made of all notifications when it is first needed.
    private mutating func index(of members: NewestIndex.Members) -> NewestIndex {
        if let index = newestIndexes.first(where: { $0.members == members }) { return index }
        let index = NewestIndex(members)
        let shown = (0..<UInt32(slots.count)).filter { self[slot: $0].center != Self.none }
        for slot in shown.sorted(by: { order(of: $0) < order(of: $1) }) { link(slot, in: index) }
        newestIndexes.append(index)
        return index
    }

    @inline(never)
    mutating func addToLists(_ position: UInt32, order: UInt64) {
        lists.append(position, to: self[slot: position].center, order: order)
        for index in newestIndexes { link(position, in: index) }
    }

    /// Removes a notification, which still has what it has in common with others.
    @inline(never)
    mutating func removeFromLists(_ position: UInt32) {
        lists.remove(position, from: self[slot: position].center)
        for index in newestIndexes { unlink(position, in: index) }
    }

    private func hash(
        _ members: NewestIndex.Members, device: UInt32, app: BorrowedText?, seq: UInt64, identifier: BorrowedText?
    ) -> UInt32 {
        var hash = app.map { hasher.centerHash(device: device, $0) } ?? device
        if let identifier { hash = hasher.hash(identifier, UInt64(hash)) }
        // The seed makes it unpredictable which records meet.
        return members.contains(.seq) ? hasher.hash(.empty, UInt64(hash) << 32 ^ seq) : hash
    }

    private func link(_ position: UInt32, in index: NewestIndex) {
        let slot = self[slot: position]
        var link = NewestIndex.Link(isLinked: true)
        // Mostly the app had the newest one of its device.
        if index.members.isEmpty, case let earlier = lists.previous(before: position), earlier != Self.none,
            index[earlier].isLinked, index[earlier].newer == Self.none
        {
            link.hash = index[earlier].hash
            link.older = earlier
            index[earlier].newer = position
            index[position] = link
            return index.newest.replace(link.hash, earlier, with: position)
        }
        let device = device(slot.center)
        link.hash = withIdentifier(of: slot) { identifier in
            hash(
                index.members, device: hasher.hash(device, 0),
                app: index.members.contains(.app) ? app(slot.center) : nil, seq: slot.seq,
                identifier: index.members.contains(.identifier) ? identifier : nil)
        }
        if let newest = index.newest.find(link.hash, { belongs($0, with: slot, index.members) }) {
            index.newest.replace(link.hash, newest, with: position)
            link.older = newest
            index[newest].newer = position
        } else {
            index.newest.insert(link.hash, position)
        }
        index[position] = link
    }

    private func belongs(_ position: UInt32, with other: Slot, _ members: NewestIndex.Members) -> Bool {
        let slot = self[slot: position]
        // The centers of a device share its name, and an app's position is its own.
        guard
            members.contains(.app)
                ? slot.center == other.center
                : self[center: slot.center].device == self[center: other.center].device
        else { return false }
        if members.contains(.seq), slot.seq != other.seq { return false }
        guard members.contains(.identifier) else { return true }
        return withIdentifier(of: slot) { left in withIdentifier(of: other) { left == $0 } }
    }

    private func unlink(_ position: UInt32, in index: NewestIndex) {
        let link = index[position]
        guard link.isLinked else { return }
        index[position] = NewestIndex.Link()
        if link.older != Self.none { index[link.older].newer = link.newer }
        if link.newer != Self.none {
            index[link.newer].older = link.older
        } else {
            if link.older == Self.none {
                index.newest.remove(link.hash, position)
            } else {
                index.newest.replace(link.hash, position, with: link.older)
            }
        }
    }
}
