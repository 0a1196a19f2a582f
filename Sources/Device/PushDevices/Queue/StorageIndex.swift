import HeapModule

/// Finds messages of an `OfflineStorage` with many: by app, by collapse key, and by when they expire.
struct StorageIndex: Sendable {
    private struct Key: Hashable {
        var topic: String
        var collapseKey: String?
    }

    private struct Expiry: Comparable {
        var at: Int64
        var place: Int

        static func < (left: Expiry, right: Expiry) -> Bool { (left.at, left.place) < (right.at, right.place) }
    }

    /// The places of the messages with each key, in order.
    private var byKey: [Key: Set<Int>] = [:]
    /// The collapse keys of the messages for each app.
    private var keys: [String: Set<Key>] = [:]
    /// With some that are gone.
    private var expiries = Heap<Expiry>()

    mutating func add(_ message: QueuedMessage, _ place: Int) {
        let key = Key(topic: message.topic, collapseKey: message.collapseKey)
        byKey[key, default: []].insert(place)
        keys[message.topic, default: []].insert(key)
        expiries.insert(Expiry(at: message.expiresAt, place: place))
    }

    mutating func remove(_ message: QueuedMessage, _ place: Int) {
        let key = Key(topic: message.topic, collapseKey: message.collapseKey)
        byKey[key]?.remove(place)
        guard byKey[key]?.isEmpty == true else { return }
        byKey[key] = nil
        keys[message.topic]?.remove(key)
        if keys[message.topic]?.isEmpty == true { keys[message.topic] = nil }
    }

    func place(of topic: String, _ collapseKey: String?) -> Int? {
        byKey[Key(topic: topic, collapseKey: collapseKey)]?.min()
    }

    /// How many messages have a key.
    func count(of topic: String, _ collapseKey: String?) -> Int {
        byKey[Key(topic: topic, collapseKey: collapseKey)]?.count ?? 0
    }

    /// The messages for an app, in order. O(n log n) in their number.
    func places(of topic: String) -> [Int] { (keys[topic] ?? []).flatMap { byKey[$0] ?? [] }.sorted() }

    var nextExpiry: (place: Int, at: Int64)? { expiries.min.map { ($0.place, $0.at) } }

    mutating func dropNextExpiry() { _ = expiries.popMin() }

    /// Removes and returns the places of messages that have expired. Some may be gone.
    mutating func takeExpired(at: Int64) -> [Int] {
        var expired: [Int] = []
        while let next = expiries.min, next.at <= at {
            expired.append(next.place)
            _ = expiries.popMin()
        }
        return expired
    }
}
