import HeapModule

/// Expiry times of queued messages, the earliest first. Insertion and removal are O(log n).
///
/// Entries of messages that are no longer queued stay until their time comes; the caller checks what is queued then.
struct ExpiryHeap {
    /// Ordered by time, and by app at the same time, so that the order does not depend on the order of insertion.
    private struct Entry: Comparable {
        let time: Int64
        let app: UInt32

        static func < (left: Entry, right: Entry) -> Bool { (left.time, left.app) < (right.time, right.app) }
    }

    private var entries = Heap<Entry>()

    /// `Int64.max` when there is none.
    var earliest: Int64 { entries.min?.time ?? .max }

    /// True if most entries are stale.
    func isBloated(holding count: Int) -> Bool { entries.count > 4 * count + 1024 }

    mutating func removeAll() { entries = Heap() }

    mutating func insert(_ time: Int64, _ app: UInt32) { entries.insert(Entry(time: time, app: app)) }

    /// Removes and returns the app with the earliest time, unless that is later than `time`.
    mutating func takeEarliest(until time: Int64) -> UInt32? {
        guard earliest <= time else { return nil }
        return entries.popMin()?.app
    }
}
