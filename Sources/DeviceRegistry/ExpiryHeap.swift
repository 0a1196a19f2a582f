/// When what is held expires: a binary heap of times and the apps that they are about, the earliest first. Adding and taking are O(log n).
///
/// What is no longer held stays until its time comes: whoever takes it looks at what is held then.
struct ExpiryHeap {
    private struct Entry {
        var time: Int64
        var app: UInt32
    }

    private var entries: [Entry] = []

    /// `Int64.max` when there is none.
    var earliest: Int64 { entries.first?.time ?? .max }

    /// Whether most of it is about what is no longer held.
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

    /// Takes the app of the earliest time out, unless that is later than `time`.
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
