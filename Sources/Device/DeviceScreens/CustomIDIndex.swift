import PayloadJSON
import PushCompactStorage

/// Finds the notifications of an app by their custom id. Empty, and without cost, until a notification has one.
struct CustomIDIndex: ~Copyable {
    /// The place of a notification in the ring of those of its app with the same custom id.
    struct Link {
        var hash: UInt32 = 0
        var isLinked = false
        /// True if the index has this one.
        var isNewest = false
        /// True if an extension has asked for its removal, which comes late or never. Not about custom ids; there is room here.
        var isStale = false
        /// The next older one; for the oldest, the newest.
        var older = NotificationCenters.none
        /// The next newer one; for the newest, the oldest.
        var newer = NotificationCenters.none
    }

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
    private func findNewest(_ customID: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        customIDs.newest.find(hash) { position in
            self[slot: position].center == center && texts(of: self[slot: position]).second == customID
        }
    }

    func findOldest(_ customID: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        findNewest(customID, hash, center).map { customIDs[$0].newer }
    }

    mutating func link(_ customID: BorrowedText, _ position: UInt32, _ center: UInt32) {
        var link = CustomIDIndex.Link(
            hash: hasher.hash(customID, salt(center)), isLinked: true, isNewest: true, older: position, newer: position)
        if let newest = findNewest(customID, link.hash, center) {
            customIDs.newest.remove(link.hash, newest)
            link.older = newest
            link.newer = customIDs[newest].newer
            customIDs[link.newer].older = position
            customIDs[newest].newer = position
            customIDs[newest].isNewest = false
        }
        customIDs[position] = link
        customIDs.newest.insert(link.hash, position)
    }

    mutating func unlinkCustomID(_ position: UInt32) {
        let link = customIDs[position]
        guard link.isLinked else { return }
        if link.isNewest { customIDs.newest.remove(link.hash, position) }
        customIDs[position] = CustomIDIndex.Link()
        // A ring of one.
        guard link.older != position else { return }
        customIDs[link.older].newer = link.newer
        customIDs[link.newer].older = link.older
        guard link.isNewest else { return }
        customIDs[link.older].isNewest = true
        customIDs.newest.insert(link.hash, link.older)
    }
}
