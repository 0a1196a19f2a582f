import HeapModule
import PushModel

/// The messages that a provider queues for one app on a device that is offline. Pure state.
///
/// For an Apple device it is one message, the newest, whatever its collapse id. Source: Apple, "Sending notification
/// requests to APNs"; `Documentation/explanation/devices.md` lists the open questions. For an Android device it is one
/// message for each of four collapse keys, and a hundred without a key; one more of the latter, and all are dropped. For
/// a browser it is one message for each topic of web push, and a hundred without. A token may stand for several apps here; the limits apply to each.
package struct OfflineStorage: Sendable {
    /// Collapse keys per app. Source: Firebase Cloud Messaging HTTP protocol, `collapse_key`.
    package static let maximumCollapseKeys = 4
    /// Messages without a collapse key. Source: Google Cloud Messaging, "Advanced Topics"; Firebase, "Lifetime of a
    /// message".
    package static let maximumWithoutKey = 100

    /// The messages in order; nil where one was removed, which only happens with an index.
    private var places: [QueuedMessage?]
    /// How many messages there are.
    package private(set) var count: Int
    /// Nil while there are few.
    private var index: StorageIndex?
    /// Messages dropped because there were too many; the app is told the number when its device is online.
    package private(set) var deletedCount: Int

    package init(messages: [QueuedMessage] = [], deletedCount: Int = 0) {
        places = messages
        count = messages.count
        self.deletedCount = deletedCount
        makeIndex()
    }

    package var isEmpty: Bool { count == 0 && deletedCount == 0 }

    /// Oldest first. O(messages).
    package var messages: [QueuedMessage] { places.compactMap(\.self) }

    /// The result of queuing a message, and its effect on others.
    package struct Change: Equatable {
        /// Nil when the message was queued; otherwise why not.
        package var refusal: Reason?
        /// Messages that were removed from the queue, oldest first.
        package var discarded: [QueuedMessage] = []
        package var reason = Reason.superseded
    }

    /// Why a message was removed from the queue.
    package enum Reason: Sendable, CaseIterable {
        case superseded
        /// There were more than four collapse keys.
        case collapseKeys
        /// There were more than a hundred without a key.
        case tooMany
        /// The user has quit the app.
        case forceQuit
        case unregistered

        /// The name in reports.
        package var name: StaticString {
            switch self {
            case .superseded: "superseded"
            case .collapseKeys: "too-many-collapse-keys"
            case .tooMany: "too-many-pending"
            case .forceQuit: "force-quit"
            case .unregistered: "unregistered"
            }
        }
    }

    package mutating func keep(_ message: QueuedMessage) -> Change {
        switch message.platform {
        case .ios: return keepNewest(message)
        case .android: return message.collapseKey == nil ? keepBeside(message) : keepByKey(message)
        // RFC 8030 does not limit topics.
        case .web: return message.collapseKey == nil ? keepBeside(message) : keepByKey(message, most: .max)
        }
    }

    private mutating func keepNewest(_ message: QueuedMessage) -> Change {
        if places.isEmpty {
            append(message)
            return Change()
        }
        let change = Change(discarded: removeAll(of: message.topic))
        append(message)
        return change
    }

    private mutating func keepByKey(_ message: QueuedMessage, most: Int = Self.maximumCollapseKeys) -> Change {
        var change = Change()
        if let place = place(of: message.topic, message.collapseKey) {
            change.discarded = remove([place])
        } else if most < .max, keyed(of: message.topic).count == most,
            // Firebase does not define which one is dropped; here it is the least recently used.
            let place = keyed(of: message.topic).first
        {
            change.discarded = remove([place])
            change.reason = .collapseKeys
        }
        append(message)
        return change
    }

    private mutating func keepBeside(_ message: QueuedMessage) -> Change {
        guard countWithoutKey(of: message.topic) == Self.maximumWithoutKey else {
            append(message)
            return Change()
        }
        let change = Change(refusal: .tooMany, discarded: removeAll(of: message.topic), reason: .tooMany)
        deletedCount += change.discarded.count + 1
        return change
    }

    /// Removes and returns the messages that have expired, oldest first.
    package mutating func takeExpired(at: Int64) -> [QueuedMessage] {
        guard index != nil else { return take { $0.expiresAt <= at } }
        return remove((index?.takeExpired(at: at) ?? []).filter { places[$0] != nil }.sorted())
    }

    /// Removes and returns everything, oldest first, and the number of dropped messages.
    package mutating func takeAll() -> (messages: [QueuedMessage], deletedCount: Int) {
        defer { self = OfflineStorage() }
        return (messages, deletedCount)
    }

    /// Removes and returns some of the messages, oldest first.
    package mutating func take(where isWanted: (QueuedMessage) -> Bool) -> [QueuedMessage] {
        remove(places.indices.filter { place in places[place].map(isWanted) ?? false })
    }

    /// When the next one expires. O(log messages) at most, amortized.
    package mutating func nextExpiry() -> Int64? {
        guard index != nil else { return places.lazy.compactMap { $0?.expiresAt }.min() }
        while let (place, at) = index?.nextExpiry {
            if places[place] != nil { return at }
            index?.dropNextExpiry()
        }
        return nil
    }
}

// MARK: - Places

extension OfflineStorage: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.deletedCount == right.deletedCount
            && (left.count == 0 || left.messages == right.messages)
    }

    /// The number of messages above which they are indexed: most apps have one or two, which need no more memory.
    private static var mostWithoutIndex: Int { 64 }

    private mutating func makeIndex() {
        guard count > Self.mostWithoutIndex else { return }
        var index = StorageIndex()
        places = messages
        for (place, message) in places.enumerated() {
            if let message { index.add(message, place) }
        }
        self.index = index
    }

    private mutating func append(_ message: QueuedMessage) {
        places.append(message)
        count += 1
        if index == nil { makeIndex() } else { index?.add(message, places.count - 1) }
    }

    /// Removes the messages at some places, which are in order.
    private mutating func remove(_ removed: [Int]) -> [QueuedMessage] {
        // Mostly the newest one makes way for another.
        if index == nil, removed.count == 1 {
            guard let message = places.remove(at: removed[0]) else { return [] }
            count -= 1
            return [message]
        }
        let messages = removed.compactMap { places[$0] }
        guard !messages.isEmpty else { return [] }
        for place in removed {
            if let message = places[place] { index?.remove(message, place) }
            places[place] = nil
        }
        count -= messages.count
        if index == nil || places.count > 2 * count + Self.mostWithoutIndex {
            places.removeAll { $0 == nil }
            index = nil
            makeIndex()
        }
        return messages
    }

    private mutating func removeAll(of topic: String) -> [QueuedMessage] { remove(places(of: topic)) }

    /// The places of the messages for an app, in order.
    private func places(of topic: String) -> [Int] {
        index.map { $0.places(of: topic) } ?? places.indices.filter { places[$0]?.topic == topic }
    }

    /// The places of the messages for an app that have a collapse key, in order.
    private func keyed(of topic: String) -> [Int] { places(of: topic).filter { places[$0]?.collapseKey != nil } }

    private func countWithoutKey(of topic: String) -> Int {
        index.map { $0.count(of: topic, nil) }
            ?? places.count { $0.map { $0.topic == topic && $0.collapseKey == nil } ?? false }
    }

    /// The place of the oldest message for an app with a collapse key.
    private func place(of topic: String, _ key: String?) -> Int? {
        guard let index else { return places.firstIndex { $0?.topic == topic && $0?.collapseKey == key } }
        return index.place(of: topic, key)
    }
}

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
    /// The expiry times, including those of some messages that are gone.
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
