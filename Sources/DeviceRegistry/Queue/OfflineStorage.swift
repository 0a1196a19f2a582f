import PushModel

/// What a provider queues for one app on a device that is offline. Pure state.
///
/// For an Apple device it is one message, the newest, whatever its collapse id. Source: Apple, "Sending notification
/// requests to APNs"; `Documentation/explanation/devices.md` lists the open questions. For an Android device it is one
/// message for each of four collapse keys, and a hundred without a key; one more of the latter, and all are dropped. For
/// a browser it is one message for each topic of web push, and a hundred without. A token may stand for several apps here; the limits apply to each.
package struct OfflineStorage: Sendable, Equatable {
    /// Collapse keys per app. Source: Firebase Cloud Messaging HTTP protocol, `collapse_key`.
    package static let maximumCollapseKeys = 4
    /// Messages without a collapse key. Source: Google Cloud Messaging, "Advanced Topics"; Firebase, "Lifetime of a
    /// message".
    package static let maximumWithoutKey = 100

    /// Oldest first.
    package private(set) var messages: [QueuedMessage]
    /// Messages dropped because there were too many; the app is told the number when its device is online.
    package private(set) var deletedCount: Int

    package init(messages: [QueuedMessage] = [], deletedCount: Int = 0) {
        self.messages = messages
        self.deletedCount = deletedCount
    }

    package var isEmpty: Bool { messages.isEmpty && deletedCount == 0 }

    /// The result of queuing a message, and its effect on others.
    package struct Change: Equatable {
        /// Nil when the message was queued; otherwise why not.
        package var refusal: Reason?
        /// Messages that were removed from the queue, oldest first.
        package var discarded: [QueuedMessage] = []
        /// Why they were removed.
        package var reason = Reason.superseded
    }

    /// Why a message was removed from the queue.
    package enum Reason: Sendable, CaseIterable {
        /// A newer one superseded it.
        case superseded
        /// There were more than four collapse keys.
        case collapseKeys
        /// There were more than a hundred without a key.
        case tooMany
        /// The user has quit the app.
        case forceQuit
        /// The token is unregistered.
        case unregistered

        /// As in reports.
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

    /// Queues a message.
    package mutating func keep(_ message: QueuedMessage) -> Change {
        switch message.platform {
        case .ios: return keepNewest(message)
        case .android: return message.collapseKey == nil ? keepBeside(message) : keepByKey(message)
        // RFC 8030 does not limit topics.
        case .web: return message.collapseKey == nil ? keepBeside(message) : keepByKey(message, most: .max)
        }
    }

    private mutating func keepNewest(_ message: QueuedMessage) -> Change {
        let change = Change(discarded: messages.filter { $0.topic == message.topic })
        messages.removeAll { $0.topic == message.topic }
        messages.append(message)
        return change
    }

    private mutating func keepByKey(_ message: QueuedMessage, most: Int = Self.maximumCollapseKeys) -> Change {
        var change = Change()
        func hasKey(_ other: QueuedMessage) -> Bool { other.topic == message.topic && other.collapseKey != nil }
        if let position = messages.firstIndex(where: { hasKey($0) && $0.collapseKey == message.collapseKey }) {
            change.discarded = [messages.remove(at: position)]
        } else if messages.count(where: hasKey) == most,
            // Firebase does not define which one is dropped; here it is the least recently used.
            let position = messages.firstIndex(where: hasKey)
        {
            change.discarded = [messages.remove(at: position)]
            change.reason = .collapseKeys
        }
        messages.append(message)
        return change
    }

    private mutating func keepBeside(_ message: QueuedMessage) -> Change {
        func isOfApp(_ other: QueuedMessage) -> Bool { other.topic == message.topic }
        let count = messages.count { isOfApp($0) && $0.collapseKey == nil }
        guard count == Self.maximumWithoutKey else {
            messages.append(message)
            return Change()
        }
        let change = Change(refusal: .tooMany, discarded: messages.filter(isOfApp), reason: .tooMany)
        deletedCount += change.discarded.count + 1
        messages.removeAll(where: isOfApp)
        return change
    }

    /// Removes and returns the messages that have expired, oldest first.
    package mutating func takeExpired(at: Int64) -> [QueuedMessage] {
        let expired = messages.filter { $0.expiresAt <= at }
        if !expired.isEmpty { messages.removeAll { $0.expiresAt <= at } }
        return expired
    }

    /// Removes and returns everything, oldest first, and the number of dropped messages.
    package mutating func takeAll() -> (messages: [QueuedMessage], deletedCount: Int) {
        defer { self = OfflineStorage() }
        return (messages, deletedCount)
    }

    /// Removes and returns some of the messages, oldest first.
    package mutating func take(where isWanted: (QueuedMessage) -> Bool) -> [QueuedMessage] {
        let taken = messages.filter(isWanted)
        if !taken.isEmpty { messages.removeAll(where: isWanted) }
        return taken
    }

    /// When the next one expires.
    package var nextExpiry: Int64? { messages.lazy.map(\.expiresAt).min() }
}
