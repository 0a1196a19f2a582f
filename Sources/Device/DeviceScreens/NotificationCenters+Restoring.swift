package import PayloadJSON
package import PushModel

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
