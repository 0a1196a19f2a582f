import PushCompactStorage
import PushSystem

/// The notifications of each app on each device, in the order of delivery. Built when someone first asks what an app
/// shows, because most streams never ask; kept up to date from then on.
struct ScreenLists: ~Copyable {
    struct Link {
        var previous = NotificationCenters.none
        var next = NotificationCenters.none
        /// The place in the order of delivery.
        var order: UInt64 = 0
    }

    struct Ends {
        /// The oldest and the newest notification; `none` when there is none.
        var first = NotificationCenters.none
        var last = NotificationCenters.none
        var count: UInt32 = 0
    }

    /// True if the lists are built. Until then changes are not followed.
    private(set) var isKept = false
    /// By slot.
    private var links = PagedStorage<Link>()
    /// By center.
    private var ends = PagedStorage<Ends>()

    func ends(of center: UInt32) -> Ends {
        // SOUND: the pages check the position, and never move a value.
        center < ends.count ? unsafe ends[center].pointee : Ends()
    }

    func next(after slot: UInt32) -> UInt32 {
        // SOUND: as above.
        unsafe links[slot].pointee.next
    }

    func previous(before slot: UInt32) -> UInt32 {
        // SOUND: as above.
        unsafe links[slot].pointee.previous
    }

    /// The place of a notification in the order of delivery; 0 before the lists are built.
    func order(of slot: UInt32) -> UInt64 {
        // SOUND: as above.
        slot < links.count ? unsafe links[slot].pointee.order : 0
    }

    /// Prefetches the ends of an app's list.
    func prefetch(_ center: UInt32) {
        // SOUND: a center below the count has ends, and a prefetch may be of any address.
        if center < ends.count { unsafe Memory.prefetch(ends.address(center)) }
    }

    /// Prefetches the place of the newest notification of an app.
    func prefetchNewest(_ center: UInt32) {
        // SOUND: the same.
        let last = ends(of: center).last
        if last < links.count { unsafe Memory.prefetch(links.address(last)) }
    }

    /// Follows changes from now on. There must be no notifications that are not added next.
    mutating func begin(centers: Int) {
        isKept = true
        for _ in 0..<centers { addCenter() }
    }

    mutating func removeAll() {
        isKept = false
        links.removeAll()
        ends.removeAll()
    }

    mutating func addCenter() {
        if isKept { ends.append(Ends()) }
    }

    /// Adds a notification as the newest one of an app.
    mutating func append(_ slot: UInt32, to center: UInt32, order: UInt64) {
        guard isKept else { return }
        while slot >= links.count { links.append(Link()) }
        // SOUND: as above.
        let last = unsafe ends[center].pointee.last
        unsafe links[slot].pointee = Link(previous: last, order: order)
        if last == NotificationCenters.none {
            unsafe ends[center].pointee.first = slot
        } else {
            unsafe links[last].pointee.next = slot
        }
        unsafe ends[center].pointee.last = slot
        unsafe ends[center].pointee.count &+= 1
    }

    mutating func remove(_ slot: UInt32, from center: UInt32) {
        guard isKept else { return }
        // SOUND: as above.
        let link = unsafe links[slot].pointee
        if link.previous == NotificationCenters.none {
            unsafe ends[center].pointee.first = link.next
        } else {
            unsafe links[link.previous].pointee.next = link.next
        }
        if link.next == NotificationCenters.none {
            unsafe ends[center].pointee.last = link.previous
        } else {
            unsafe links[link.next].pointee.previous = link.previous
        }
        unsafe ends[center].pointee.count &-= 1
    }
}

extension NotificationCenters {
    /// Builds the lists. O(n log n) on the first call, then O(1).
    mutating func makeLists() {
        guard !lists.isKept else { return }
        lists.begin(centers: centers.count)
        for (place, slot) in slotsInOrder().enumerated() {
            // There are fewer notifications than have been delivered, so later ones follow these.
            let order = keeping == .replacement ? UInt64(place) : order(of: slot)
            lists.append(slot, to: self[slot: slot].center, order: order)
        }
    }

    /// Makes the lists if nothing else keeps the order of delivery: the next message has an earlier record than the last.
    @inline(never)
    mutating func keepOrderFromNowOn() {
        if keeping == .replacement { makeLists() }
    }

    /// The slots of all notifications, oldest first. O(n log n).
    ///
    /// Where no order is kept, record and target are the order, because a message that was queued while later ones were
    /// delivered makes the lists first (`keepOrderFromNowOn`).
    func slotsInOrder() -> [UInt32] {
        let shown = (0..<UInt32(slots.count)).filter { self[slot: $0].center != Self.none }
        guard keeping == .replacement else { return shown.sorted { order(of: $0) < order(of: $1) } }
        return shown.sorted {
            let left = self[slot: $0]
            let right = self[slot: $1]
            return (left.seq, left.target) < (right.seq, right.target)
        }
    }
}
