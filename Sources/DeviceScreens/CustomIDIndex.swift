import CompactStorage
import PayloadJSON

/// Finds the notifications of an app by their custom id. Empty, and without cost, until a notification has one.
struct CustomIDIndex: ~Copyable {
    /// The place of a notification among those of its app with the same custom id.
    struct Link {
        var hash: UInt32 = 0
        var isLinked = false
        /// The next older one.
        var older = NotificationCenters.none
        /// The next newer one.
        var newer = NotificationCenters.none
    }

    /// The newest notification of each custom id.
    var newest = HashIndex()
    /// By slot.
    private var links = PagedStorage<Link>()

    subscript(position: UInt32) -> Link {
        // SOUND: the pages check the position, and never move a value.
        get { position < links.count ? unsafe links[position].pointee : Link() }
        set {
            while position >= links.count { links.append(Link()) }
            unsafe links[position].pointee = newValue
        }
    }

    func contains(_ position: UInt32) -> Bool { self[position].isLinked }

    mutating func removeAll() {
        newest.removeAll()
        links.removeAll()
    }
}

extension NotificationCenters {
    /// The newest notification of an app with a custom id.
    func findCustomID(_ customID: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        customIDs.newest.find(hash) { position in
            self[slot: position].center == center && texts(of: self[slot: position]).second == customID
        }
    }

    /// Makes a notification the newest one of its custom id.
    mutating func link(_ customID: BorrowedText, _ position: UInt32, _ center: UInt32) {
        var link = CustomIDIndex.Link(hash: hasher.hash(customID, salt(center)), isLinked: true)
        if let newest = findCustomID(customID, link.hash, center) {
            customIDs.newest.remove(link.hash, newest)
            link.older = newest
            customIDs[newest].newer = position
        }
        customIDs[position] = link
        customIDs.newest.insert(link.hash, position)
    }

    mutating func unlinkCustomID(_ position: UInt32) {
        let link = customIDs[position]
        guard link.isLinked else { return }
        if link.older != Self.none { customIDs[link.older].newer = link.newer }
        if link.newer != Self.none {
            customIDs[link.newer].older = link.older
        } else {
            customIDs.newest.remove(link.hash, position)
            if link.older != Self.none { customIDs.newest.insert(link.hash, link.older) }
        }
        customIDs[position] = CustomIDIndex.Link()
    }
}
