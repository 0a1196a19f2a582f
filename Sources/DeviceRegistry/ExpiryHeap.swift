/// Expiry times of queued messages: a binary heap of times and apps, the earliest first. Insertion and removal are
/// O(log n).
///
/// Entries of messages that are no longer queued stay until their time comes; the caller checks what is queued then.
struct ExpiryHeap {
    private struct Entry {
        var time: Int64
        var app: UInt32
    }

    private var entries: [Entry] = []

    /// `Int64.max` when there is none.
    var earliest: Int64 { entries.first?.time ?? .max }

    /// Whether most entries are stale.
    func isBloated(holding count: Int) -> Bool { entries.count > 4 * count + 1024 }

    mutating func removeAll() { entries.removeAll() }

    mutating func insert(_ time: Int64, _ app: UInt32) {
        var place = entries.count
        entries.append(Entry(time: time, app: app))
        while place > 0, entries[(place - 1) / 2].time > entries[place].time {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes and returns the app with the earliest time, unless that is later than `time`.
    mutating func takeEarliest(until time: Int64) -> UInt32? {
        guard let first = entries.first, first.time <= time else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var place = 0
        while true {
            var smallest = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < entries.count && entries[child].time < entries[smallest].time { smallest = child }
            if smallest == place { return first.app }
            entries.swapAt(place, smallest)
            place = smallest
        }
    }
}
